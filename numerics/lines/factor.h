/* SPDX-License-Identifier: Apache-2.0
 *
 * From a, b, c of a group's rows to the numbers that solving takes (line_sweep.h): the same source for the lanes
 * of a processor and for a thread of a GPU. Matrices and factors are those of one group, or shared by all.
 */
#ifndef MAEOTIS_NUMERICS_LINES_FACTOR_H
#define MAEOTIS_NUMERICS_LINES_FACTOR_H

#include "numerics/lines/line_sweep.h"

/* Tridiagonal coefficients: tables of n rows, for all lines or of `groups` groups of them. */
typedef struct LineMatrix {
    bool per_line;
    int n, groups, lanes;
    double *a, *b, *c;
} LineMatrix;

/* How a line of `rows` rows is cut, and which of them the first row of tables is. */
typedef struct LineSpan {
    int rows, block, joints, first;
} LineSpan;

/* No joints with block 0. */
POINTWISE LineSpan line_span(int rows, int block, int first) {
    LineSpan s;
    s.rows = rows, s.block = block, s.first = first;
    s.joints = block == 0 ? 0 : rows < block ? 1 : rows / block;
    return s;
}
/* The block that a row of the line is in, its joint, and where the block ends. */
POINTWISE int line_block(LineSpan s, int row) {
    return row / s.block < s.joints ? row / s.block : s.joints - 1;
}
POINTWISE int line_block_end(LineSpan s, int w) {
    return w + 1 < s.joints ? (w + 1) * s.block : s.rows;
}

POINTWISE LineMatrix line_matrix_of(const LineMatrix *all, ptrdiff_t g) {
    LineMatrix of = *all;
    if (!all->per_line || !all->b) return of;
    const ptrdiff_t skip = g * all->n * LINE_LANES;
    of.a += skip, of.b += skip, of.c += skip;
    return of;
}

/* ---- one row of a table ---- */

typedef struct LineCoefficients {
    LineNumber a, b, c;
} LineCoefficients;

POINTWISE void line_put(double *at, bool per_line, ptrdiff_t row, LineNumber x) {
    if (per_line)
        line_store(at + row * LINE_LANES, x);
    else
        at[row] = line_first_lane(x);
}

POINTWISE LineCoefficients line_coefficients(const LineMatrix *m, int j) {
    LineCoefficients of;
    of.a = line_table(m->a, m->per_line, j);
    of.b = line_table(m->b, m->per_line, j);
    of.c = line_table(m->c, m->per_line, j);
    return of;
}

POINTWISE LineRow line_kept_row(const LineFactors *k, int j) {
    LineRow r;
    r.f = line_table(k->f, k->per_line, j);
    r.g = line_table(k->g, k->per_line, j);
    r.w = line_table(k->w, k->per_line, j);
    r.p = line_table(k->p, k->per_line, j);
    r.q = line_table(k->q, k->per_line, j);
    return r;
}

POINTWISE void line_keep_row(const LineFactors *k, int j, LineRow r) {
    line_put(k->f, k->per_line, j, r.f);
    line_put(k->g, k->per_line, j, r.g);
    line_put(k->w, k->per_line, j, r.w);
    if (!k->p) return;
    line_put(k->p, k->per_line, j, r.p);
    line_put(k->q, k->per_line, j, r.q);
}

/* p and q on the way up, from those of the row after. */
POINTWISE LineRow line_reduce_kept_row(const LineFactors *k, int j, LineRow after) {
    LineRow r;
    r.w = line_table(k->w, k->per_line, j);
    r.p = line_table(k->p, k->per_line, j);
    r.f = r.g = r.q = line_of(0);
    r = line_reduced_row_at(r, after);
    line_put(k->p, k->per_line, j, r.p);
    line_put(k->q, k->per_line, j, r.q);
    return r;
}

/* ---- stretches ---- */

/* Rows between two supports, j0 <= j < j1. */
POINTWISE void line_factor_stretch(const LineMatrix *m, int j0, int j1, const LineFactors *k) {
    LineRow r;
    r.f = r.g = r.w = r.p = r.q = line_of(0);
    for (int j = j0; j < j1; j++) {
        const LineCoefficients row = line_coefficients(m, j);
        r = j == j0 ? line_first_row_at(row.a, row.b, row.c) : line_next_row_at(row.a, row.b, row.c, r);
        if (j == j1 - 1) r = line_last_row_at(r);
        line_keep_row(k, j, r);
    }
    for (int j = j1 - 2; j >= j0 && k->p; j--) r = line_reduce_kept_row(k, j, r);
}

/* From a, b, c to f, g, w, p, q, block by block; the tables hold whole blocks, around the line's end too. Of
 * joint rows f = a, g = c and the rest is 0. Of `parts` threads, this is `part`. */
POINTWISE void line_factor_blocks(const LineMatrix *m, LineSpan span, const LineFactors *k, int part,
                                  int parts) {
    if (span.joints == 0) {
        if (part == 0) line_factor_stretch(m, 0, m->n, k);
        return;
    }
    for (int j = 0, turn = 0; j < m->n; turn++) {
        const int row = (span.first + j) % span.rows, w = line_block(span, row);
        const bool joint = row == w * span.block, mine = turn % parts == part;
        if (joint && mine) {
            const LineCoefficients from = line_coefficients(m, j);
            LineRow r;
            r.f = from.a, r.g = from.c;
            r.w = r.p = r.q = line_of(0);
            line_keep_row(k, j, r);
        }
        const int end = joint ? j + 1 : j + line_block_end(span, w) - row;
        if (!joint && mine) line_factor_stretch(m, j, end < m->n ? end : m->n, k);
        j = end;
    }
}

/* A periodic line of one row is coupled to itself. */
POINTWISE void line_factor_single(const LineMatrix *m, bool periodic, const LineFactors *k) {
    LineCoefficients row = line_coefficients(m, 0);
    if (periodic) row.b = line_add(line_add(row.a, row.b), row.c);
    line_keep_row(k, 0, line_last_row_at(line_first_row_at(line_of(0), row.b, line_of(0))));
}

/* Row w of the reduced system, of the joint that is row j of the tables, from the rows before and after it
 * (-1: there is none). */
POINTWISE void line_joint_row(const LineMatrix *m, const LineFactors *k, int before, int j, int after,
                              const LineMatrix *reduced, int w) {
    const LineCoefficients row = line_coefficients(m, j);
    LineRow r, s;
    r.p = r.q = s.p = s.q = line_of(0);
    if (before >= 0) r = line_kept_row(k, before);
    if (after >= 0) s = line_kept_row(k, after);
    line_put(reduced->a, reduced->per_line, w, line_mul(row.a, r.p));
    line_put(reduced->c, reduced->per_line, w, line_mul(row.c, s.q));
    line_put(reduced->b, reduced->per_line, w, line_fma(row.c, s.p, line_fma(row.a, r.q, row.b)));
}

/* ---- DistD2 ---- */

/* The couplings of a rank's first and last own row: to its neighbour's and to each other. */
typedef struct LineEnds {
    LineNumber first_p, first_q, last_p, last_q;
} LineEnds;

/* DistD2's preprocessing (algorithm 5): all own rows in terms of the first and the last one; 3 and more. */
POINTWISE LineEnds line_factor_interface(const LineMatrix *m, const LineFactors *k) {
    const int n = m->n;
    LineEnds ends;
    LineRow r;
    r.f = r.g = r.w = r.p = r.q = line_of(0);
    for (int j = 1; j < n; j++) {
        const LineCoefficients row = line_coefficients(m, j);
        r = j == 1 ? line_first_row_at(row.a, row.b, row.c) : line_next_row_at(row.a, row.b, row.c, r);
        /* what follows the last two is a support */
        line_keep_row(k, j, j >= n - 2 ? line_last_row_at(r) : r);
    }
    r = line_kept_row(k, n - 1);
    ends.last_p = r.p, ends.last_q = r.q;
    r = line_kept_row(k, n - 2);
    for (int j = n - 3; j >= 1; j--) r = line_reduce_kept_row(k, j, r);
    /* the first row without the second: (b + c p) x_first = d - a x_before - c z - c q x_last */
    const LineCoefficients row = line_coefficients(m, 0);
    LineRow first;
    first.g = line_of(0);
    first.f = line_inverse(line_fma(row.c, r.p, row.b));
    first.w = line_minus(line_mul(first.f, row.c));
    first.p = line_minus(line_mul(first.f, row.a));
    first.q = line_mul(first.w, r.q);
    line_keep_row(k, 0, first);
    ends.first_p = first.p, ends.first_q = first.q;
    return ends;
}

#endif
