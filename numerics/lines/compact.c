/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/lines/compact.h"

enum { CENTRE = COMPACT_REACH, EXPLICIT = 4 /* segments of so few points couple nothing */ };

/* A stretch of points from end to end. */
typedef struct Segment {
    CompactOperator kind;
    double filter;
    CompactEnd end[2]; /* the first, the last; not END_.._WALL */
    int points;
} Segment;

static bool is_coast(CompactEnd end) {
    return end == END_COAST || end == END_COAST_WALL;
}
static bool is_half(CompactEnd end) {
    return end == END_EVEN_HALF || end == END_ODD_HALF;
}
static bool is_odd(CompactEnd end) {
    return end == END_ODD_NODE || end == END_ODD_HALF || end == END_ODD_WALL;
}

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

static CompactRow coast_row(const Segment *s, int i, int distance) {
    if (s->points <= EXPLICIT) return polynomial_row(s, i, s->points);
    if (distance == 1) {
        if (s->kind == COMPACT_FIRST) return paired_row(s->kind, 0.25, (double[]){0.75, 0, 0});
        return inner_row(COMPACT_SECOND_FOURTH_ORDER, 0);
    }
    if (s->kind == COMPACT_FIRST) return first_row_at_end(2 * i > s->points);
    return polynomial_row(s, i, s->kind == COMPACT_MIDPOINT ? 4 : 5);
}

/* ---- rows at mirrors ---- */

/* A point beyond an end shows the one inside that it is the image of, and the sign of the image. */
static int image(int i, int points, const bool half[2], const bool odd[2], double *sign) {
    if (points == 1 && !half[0] && !half[1]) {
        if (i != 0 && (odd[0] || odd[1])) *sign = 0;
        return 0;
    }
    while (i < 0 || i >= points) {
        const int end = i < 0 ? 0 : 1;
        if (odd[end]) *sign = -*sign;
        if (end == 0)
            i = half[0] ? -1 - i : -i;
        else
            i = half[1] ? 2 * points - 1 - i : 2 * points - 2 - i;
    }
    return i;
}

/* The row's couplings, as far as they do not end at coasts, with images for what is beyond the ends. */
static void fold_couplings(const Segment *s, int i, const CompactRow *inner, CompactRow *row) {
    /* midpoints lie half a spacing inside nodes; a first derivative has the other symmetry */
    const bool midpoint = s->kind == COMPACT_MIDPOINT, turned = s->kind == COMPACT_FIRST;
    const int count = midpoint ? s->points - 1 : s->points;
    const bool half[2] = {midpoint || is_half(s->end[0]), midpoint || is_half(s->end[1])};
    const bool odd[2] = {is_odd(s->end[0]) != turned, is_odd(s->end[1]) != turned};
    for (int step = -1; step <= 1; step += 2) {
        const int to = i + step, end = step < 0 ? 0 : 1;
        /* beyond an end no midpoint couples to the one on a mirror, which is 0 or has no row */
        if ((to < 0 || to >= count) && (is_coast(s->end[end]) || (midpoint && is_half(s->end[end]))))
            continue;
        double coupling = step < 0 ? inner->lower : inner->upper;
        const int from = image(to, count, half, odd, &coupling);
        *(from == i ? &row->centre : from < i ? &row->lower : &row->upper) += coupling;
    }
}

/* Adds to the row what the weight of the point i + m is on the segment. */
static void fold_weight(const Segment *s, int i, int m, double weight, CompactRow *row) {
    const bool half[2] = {is_half(s->end[0]), is_half(s->end[1])};
    const bool odd[2] = {is_odd(s->end[0]), is_odd(s->end[1])};
    if (weight == 0) return;
    const int from = image(i + m, s->points, half, odd, &weight);
    row->weight[CENTRE + from - i] += weight;
}

/* A - (1 - 2a)/64 T'T, T the third differences that a segment has: at coasts those of its points, at mirrors
 * images too. */
static CompactRow filter_row_of(const Segment *s, int i) {
    const double difference[4] = {-1, 3, -3, 1}, share = (1 - 2 * s->filter) / 64;
    CompactRow row = {.centre = 1};
    const CompactRow inner = {.lower = s->filter, .upper = s->filter};
    const int first = is_coast(s->end[0]) ? 0 : i - 3, last = is_coast(s->end[1]) ? s->points - 4 : i;
    if (last < first) {
        row.weight[CENTRE] = 1;
        return row;
    }
    fold_couplings(s, i, &inner, &row);
    row.weight[CENTRE - 1] = row.lower;
    row.weight[CENTRE] = row.centre;
    row.weight[CENTRE + 1] = row.upper;
    for (int t = first > i - 3 ? first : i - 3; t <= (last < i ? last : i); t++)
        for (int n = 0; n < 4; n++)
            fold_weight(s, i, t + n - i, -share * difference[i - t] * difference[n], &row);
    return row;
}

static CompactRow segment_row(const Segment *s, int i) {
    if (s->kind == COMPACT_FILTER) return filter_row_of(s, i);
    const int last = s->kind == COMPACT_MIDPOINT ? s->points - 2 : s->points - 1;
    const bool coast[2] = {is_coast(s->end[0]), is_coast(s->end[1])};
    const int near[2] = {coast[0] ? i : last, coast[1] ? last - i : last};
    const int distance = near[0] < near[1] ? near[0] : near[1];
    const int closing = s->kind == COMPACT_FIRST || s->kind == COMPACT_SECOND ? 2 : 1; /* rows at a coast */
    if ((coast[0] || coast[1]) && (distance < closing || s->points <= EXPLICIT))
        return coast_row(s, i, distance);
    CompactRow inner = inner_row(s->kind, s->filter), row = {.centre = 1};
    const bool on_mirror =
        (i == 0 && s->end[0] == END_EVEN_HALF) || (i == last && s->end[1] == END_EVEN_HALF);
    if (s->kind == COMPACT_MIDPOINT && on_mirror) /* explicit, sixth order */
        inner = paired_row(s->kind, 0, (double[]){150.0 / 256, -25.0 / 256, 3.0 / 256});
    for (int m = -COMPACT_REACH; m <= COMPACT_REACH; m++)
        fold_weight(s, i, m, inner.weight[CENTRE + m], &row);
    fold_couplings(s, i, &inner, &row);
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

static bool has_wall(CompactEnd end) {
    return end == END_COAST_WALL || end == END_EVEN_WALL || end == END_ODD_WALL;
}

static CompactEnd at_node(CompactEnd end) {
    return end == END_COAST_WALL  ? END_COAST
           : end == END_EVEN_WALL ? END_EVEN_NODE
           : end == END_ODD_WALL  ? END_ODD_NODE
                                  : end;
}

/* Takes the result on the wall, whose row is `wall`, out of the row beside it; the field is 0 there. */
static void eliminate_wall(const CompactRow *wall, bool last, CompactRow *row) {
    const int side = last ? 1 : -1;
    const double factor = (last ? row->upper : row->lower) / wall->centre;
    *(last ? &row->upper : &row->lower) = 0;
    row->centre -= factor * (last ? wall->lower : wall->upper);
    for (int m = -COMPACT_REACH; m <= COMPACT_REACH; m++)
        if (m + side >= -COMPACT_REACH && m + side <= COMPACT_REACH)
            row->weight[CENTRE + m + side] -= factor * wall->weight[CENTRE + m];
}

/* The segment of `points` points that begins at `first`; it may go on at the line's beginning. */
static void segment_rows(const CompactScheme *scheme, const CompactEnd end[2], int points, int first, int n,
                         bool periodic, CompactRow *rows) {
    const int before = has_wall(end[0]) ? 1 : 0, behind = has_wall(end[1]) ? 1 : 0;
    const Segment s = {
        scheme->kind, scheme->filter, {at_node(end[0]), at_node(end[1])}, points + before + behind};
    const bool midpoint = scheme->kind == COMPACT_MIDPOINT;
    /* rows without a place in the line: on walls; midpoints have one beside walls, but before the line */
    const int skipped = midpoint ? (!periodic && first < before ? 1 : 0) : before;
    const int last = s.points - 1 - (midpoint ? 1 : behind);
    for (int i = skipped; i <= last; i++) {
        CompactRow row = segment_row(&s, i);
        if (skipped && i == skipped) {
            const CompactRow outer = segment_row(&s, i - 1);
            eliminate_wall(&outer, false, &row);
        }
        if (!midpoint && behind && i == last) {
            const CompactRow outer = segment_row(&s, i + 1);
            eliminate_wall(&outer, true, &row);
        }
        for (int m = -COMPACT_REACH; m <= COMPACT_REACH; m++)
            if (i + m < before || i + m >= before + points) row.weight[CENTRE + m] = 0;
        scale(&row, scheme->kind, scheme->spacing);
        rows[(first - before + i + n) % n] = row;
    }
}

static CompactPoint point_at(const unsigned char *points, int n, bool periodic, int i) {
    if (!periodic && (i < 0 || i >= n)) return POINT_LAND;
    return points ? (CompactPoint)points[(i + n) % n] : POINT_WET;
}

void compact_rows(const CompactScheme *scheme, int n, const unsigned char *points, bool periodic,
                  CompactRow *rows) {
    int start = 0; /* a periodic line is read once around from a point that is not wet */
    bool whole = periodic;
    for (int i = n - 1; i >= 0; i--) {
        rows[i] = (CompactRow){.centre = 1};
        if (points && points[i] != POINT_WET) {
            whole = false;
            start = periodic ? i : 0;
        }
    }
    for (int i = 0; whole && i < n; i++) rows[i] = compact_inner_row(scheme);
    for (int i = 0, count = 0; !whole && i < n; i++) {
        const int here = start + i;
        if (point_at(points, n, true, here) != POINT_WET) continue;
        count++;
        if (point_at(points, n, periodic, here + 1) == POINT_WET) continue;
        const int first = here - count + 1;
        const bool apart[2] = {point_at(points, n, periodic, first - 1) == POINT_APART,
                               point_at(points, n, periodic, here + 1) == POINT_APART};
        const CompactEnd end[2] = {apart[0] ? END_COAST : scheme->end, apart[1] ? END_COAST : scheme->end};
        segment_rows(scheme, end, count, first % n, n, periodic, rows);
        count = 0;
    }
}
