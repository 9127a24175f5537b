/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/lines/compact.h"

#include <stddef.h>

enum { CENTRE = COMPACT_REACH, EXPLICIT = 4 /* segments of so few points couple nothing */ };

/* A stretch of points from end to end. */
typedef struct Segment {
    CompactOperator kind;
    CompactEnd end;
    double filter;
    int points;
} Segment;

/* ---- rows far from ends, for points 1 apart ---- */

/* Coupling, and weights of the pairs of points at distance 1 to 3, or of midpoints' at 1/2 and 3/2. */
static CompactRow paired_row(CompactOperator kind, double coupling, const double pair[3]) {
    CompactRow row = {.lower = coupling, .centre = 1, .upper = coupling};
    const double sign = kind == COMPACT_FIRST ? -1 : 1;
    const int shift = kind == COMPACT_MIDPOINT ? 1 : 0;
    for (int m = 0; m < 3; m++) {
        row.weight[CENTRE + m + 1] += pair[m];
        row.weight[CENTRE - m - 1 + shift] += sign * pair[m];
    }
    return row;
}

static CompactRow second_row(double coupling, double near, double far) {
    CompactRow row = paired_row(COMPACT_SECOND, coupling, (double[]){near, far, 0});
    row.weight[CENTRE] = -2 * (near + far);
    return row;
}

static CompactRow filter_row(double a) {
    const double share = (1 - 2 * a) / 64;
    CompactRow row = paired_row(COMPACT_FILTER, a, (double[]){a + 15 * share, -6 * share, share});
    row.weight[CENTRE] = 1 - 20 * share;
    return row;
}

static CompactRow inner_row(CompactOperator kind, double filter) {
    switch (kind) {
    case COMPACT_FIRST:
        return paired_row(kind, 1.0 / 3, (double[]){7.0 / 9, 1.0 / 36, 0});
    case COMPACT_SECOND:
        return second_row(2.0 / 11, 12.0 / 11, 3.0 / 44);
    case COMPACT_SECOND_FOURTH_ORDER:
        return second_row(0.1, 1.2, 0);
    case COMPACT_MIDPOINT:
        return paired_row(kind, 0.3, (double[]){0.75, 0.05, 0});
    case COMPACT_FILTER:
        break;
    }
    return filter_row(filter);
}

/* ---- rows at coasts ---- */

/* Weights of the values at 0, 1, .. count - 1 in the derivative (0th to 2nd) at x of the polynomial through
 * them. */
static void polynomial_weights(int count, double x, int derivative, double *weight) {
    for (int j = 0; j < count; j++) {
        double power[EXPLICIT + 2] = {1}; /* of the distance from x, in the j-th Lagrange polynomial */
        for (int m = 0; m < count; m++) {
            if (m == j) continue;
            const double at_x = (x - m) / (j - m), slope = 1.0 / (j - m);
            for (int n = EXPLICIT + 1; n > 0; n--) power[n] = at_x * power[n] + slope * power[n - 1];
            power[0] *= at_x;
        }
        weight[j] = derivative == 2 ? 2 * power[2] : power[derivative];
    }
}

/* The row i from the polynomial through the `count` points of the segment that are nearest to i. */
static CompactRow polynomial_row(const Segment *s, int i, int count) {
    CompactRow row = {.centre = 1};
    double weight[EXPLICIT + 1];
    const int first = 2 * i < s->points - 1 ? 0 : s->points - count;
    const int derivative = s->kind == COMPACT_MIDPOINT ? 0 : s->kind == COMPACT_FIRST ? 1 : 2;
    const double place = s->kind == COMPACT_MIDPOINT ? i + 0.5 : i;
    polynomial_weights(count, place - first, derivative, weight);
    for (int n = 0; n < count; n++) row.weight[CENTRE + first + n - i] = weight[n];
    return row;
}

/* f'(0) + 2 f'(1), third order; mirrored at the last point. */
static CompactRow first_row_at_end(bool last) {
    const double weight[3] = {-2.5, 2, 0.5};
    CompactRow row = {.centre = 1};
    *(last ? &row.lower : &row.upper) = 2;
    for (int m = 0; m < 3; m++) row.weight[last ? CENTRE - m : CENTRE + m] = last ? -weight[m] : weight[m];
    return row;
}

/* A - (1 - 2a)/64 T'T of a segment, T the third differences of its points. */
static CompactRow filter_row_at_coast(const Segment *s, int i) {
    const double difference[4] = {-1, 3, -3, 1}, share = (1 - 2 * s->filter) / 64;
    CompactRow row = {.centre = 1};
    row.weight[CENTRE] = 1;
    if (s->points < 4) return row;
    row.lower = row.weight[CENTRE - 1] = i > 0 ? s->filter : 0;
    row.upper = row.weight[CENTRE + 1] = i < s->points - 1 ? s->filter : 0;
    for (int t = i < 3 ? 0 : i - 3; t <= i && t + 4 <= s->points; t++)
        for (int n = 0; n < 4; n++)
            row.weight[CENTRE + t + n - i] -= share * difference[i - t] * difference[n];
    return row;
}

static CompactRow coast_row(const Segment *s, int i) {
    if (s->kind == COMPACT_FILTER) return filter_row_at_coast(s, i);
    if (s->points <= EXPLICIT) return polynomial_row(s, i, s->points);
    const int last = s->kind == COMPACT_MIDPOINT ? s->points - 2 : s->points - 1;
    const int distance = i < last - i ? i : last - i;
    if (distance == 0 && s->kind == COMPACT_FIRST) return first_row_at_end(i == last);
    if (distance == 0) return polynomial_row(s, i, s->kind == COMPACT_MIDPOINT ? 4 : 5);
    if (distance == 1 && s->kind == COMPACT_FIRST) return paired_row(s->kind, 0.25, (double[]){0.75, 0, 0});
    if (distance == 1 && s->kind == COMPACT_SECOND) return inner_row(COMPACT_SECOND_FOURTH_ORDER, 0);
    return inner_row(s->kind, s->filter);
}

/* ---- rows at mirrors ---- */

/* Where the point i beyond an end shows its image; turns `sign` at every reflection. */
static int image(int i, int points, bool half, bool odd, double *sign) {
    if (points == 1 && !half) {
        if (odd) *sign = 0;
        return 0;
    }
    while (i < 0 || i >= points) {
        if (odd) *sign = -*sign;
        if (i < 0)
            i = half ? -1 - i : -i;
        else
            i = half ? 2 * points - 1 - i : 2 * points - 2 - i;
    }
    return i;
}

/* Adds a coupling to row i of what is `step` rows further. */
static void couple(CompactRow *row, int i, int step, int rows, bool half, bool odd) {
    double coupling = step < 0 ? row->lower : row->upper;
    *(step < 0 ? &row->lower : &row->upper) = 0;
    const int to = image(i + step, rows, half, odd, &coupling);
    *(to == i ? &row->centre : to < i ? &row->lower : &row->upper) += coupling;
}

static CompactRow mirrored_row(const Segment *s, int i) {
    const bool half = s->end == END_EVEN_HALF || s->end == END_ODD_HALF;
    const bool odd = s->end == END_ODD_NODE || s->end == END_ODD_HALF;
    const bool midpoint = s->kind == COMPACT_MIDPOINT;
    CompactRow inner = inner_row(s->kind, s->filter), row = {.centre = 1};
    const int last = midpoint ? s->points - 2 : s->points - 1;
    if (midpoint && half) {
        /* The next place is on the mirror, where no row is: odd values are 0 there; even ones are not known,
           hence an explicit row of sixth order. */
        if (!odd && (i == 0 || i == last))
            inner = paired_row(s->kind, 0, (double[]){150.0 / 256, -25.0 / 256, 3.0 / 256});
        if (i == 0) inner.lower = 0;
        if (i == last) inner.upper = 0;
    }
    for (int m = -COMPACT_REACH; m <= COMPACT_REACH; m++) {
        double weight = inner.weight[CENTRE + m];
        if (weight == 0) continue;
        const int from = image(i + m, s->points, half, odd, &weight);
        row.weight[CENTRE + from - i] += weight;
    }
    /* The result of the first derivative has the other symmetry; midpoints are half a spacing inside nodes.
     */
    CompactRow left = {.lower = inner.lower}, right = {.upper = inner.upper};
    const bool odd_result = odd != (s->kind == COMPACT_FIRST);
    couple(&left, i, -1, last + 1, midpoint ? true : half, odd_result);
    couple(&right, i, 1, last + 1, midpoint ? true : half, odd_result);
    row.lower = left.lower + right.lower;
    row.centre += left.centre + right.centre;
    row.upper = left.upper + right.upper;
    return row;
}

/* ---- lines ---- */

static void scale(CompactRow *row, CompactOperator kind, double spacing) {
    double factor = 1;
    if (kind == COMPACT_FIRST) factor = 1 / spacing;
    if (kind == COMPACT_SECOND || kind == COMPACT_SECOND_FOURTH_ORDER) factor = 1 / (spacing * spacing);
    for (int m = 0; m <= 2 * COMPACT_REACH; m++) row->weight[m] *= factor;
}

CompactRow compact_inner_row(const CompactScheme *scheme) {
    CompactRow row = inner_row(scheme->kind, scheme->filter);
    scale(&row, scheme->kind, scheme->spacing);
    return row;
}

/* The segment of `points` points that begins at `first`; it may go on at the line's beginning. */
static void segment_rows(const CompactScheme *scheme, int points, int first, int n, CompactRow *rows) {
    const Segment s = {scheme->kind, scheme->end, scheme->filter, points};
    const int count = scheme->kind == COMPACT_MIDPOINT ? points - 1 : points;
    for (int i = 0; i < count; i++) {
        CompactRow row = scheme->end == END_COAST ? coast_row(&s, i) : mirrored_row(&s, i);
        scale(&row, scheme->kind, scheme->spacing);
        rows[(first + i) % n] = row;
    }
}

void compact_rows(const CompactScheme *scheme, int n, const bool *wet, bool periodic, CompactRow *rows) {
    int land = -1;
    for (int i = n - 1; i >= 0; i--) {
        rows[i] = (CompactRow){.centre = 1};
        if (wet && !wet[i]) land = i;
    }
    if (land < 0 && periodic) {
        for (int i = 0; i < n; i++) rows[i] = compact_inner_row(scheme);
        return;
    }
    /* a periodic line is read from a point on land on, once around */
    const int start = periodic ? land : 0;
    for (int i = 0, points = 0; i < n; i++) {
        const int here = (start + i) % n;
        const bool is_wet = !wet || wet[here];
        if (is_wet) points++;
        if (points && (!is_wet || i == n - 1)) {
            segment_rows(scheme, points, (start + i - points + (is_wet ? 1 : 0)) % n, n, rows);
            points = 0;
        }
    }
}

void compact_diffusion_rows(CompactEnd end, double number, int n, const bool *wet, bool periodic,
                            CompactRow *rows) {
    const CompactScheme scheme = {.kind = COMPACT_SECOND_FOURTH_ORDER, .end = end, .spacing = 1};
    const double half = 0.5 * number;
    compact_rows(&scheme, n, wet, periodic, rows);
    for (int i = 0; i < n; i++) {
        CompactRow *r = &rows[i];
        const CompactRow old = *r;
        double *b = &r->weight[CENTRE];
        if (wet && !wet[i]) {
            b[0] = 1; /* land keeps what it has */
            continue;
        }
        r->lower -= half * b[-1];
        r->centre -= half * b[0];
        r->upper -= half * b[1];
        b[-1] = old.lower + half * b[-1];
        b[0] = old.centre + half * b[0];
        b[1] = old.upper + half * b[1];
    }
}
