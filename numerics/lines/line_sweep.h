/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of one group of lines: coefficients, right-hand sides made on the way, and the sweep down and up.
 * Included by the schedules; everything is inlined, with what is known at a call known in its loop.
 */
#ifndef MAEOTIS_NUMERICS_LINE_SWEEP_H
#define MAEOTIS_NUMERICS_LINE_SWEEP_H

#include "numerics/lines/recurrence.h"

/* Row `row` of a table: a number for all lines, or one for each. */
POINTWISE LineNumber line_table(const double *at, bool per_line, ptrdiff_t row) {
    return per_line ? line_load(at + row * LINE_LANES) : line_of(at[row]);
}

/* Rows of u that are asked for before they are needed, the next group's too: as many as are worked on while
 * memory answers. */
enum { LINE_AHEAD = 128 };

/* f, g, w, p, q of recurrence.h by row: tables of the same shape; p and q are NULL where rows have no
 * supports (Thomas). */
typedef struct LineFactors {
    bool per_line;
    int n;
    double *f, *g, *w, *p, *q;
} LineFactors;

/* Of one group. */
POINTWISE LineFactors line_factors_of(const LineFactors *all, ptrdiff_t g) {
    LineFactors of = *all;
    const ptrdiff_t skip = all->per_line ? g * all->n * LINE_LANES : 0;
    of.f += skip, of.g += skip, of.w += skip;
    if (all->p) of.p += skip, of.q += skip;
    return of;
}

/* Right-hand side of one group: r by row and neighbour, u, and the neighbours' rows at both ends. */
typedef struct LineRhs {
    bool per_line;
    int reach, n;
    const double *r[2 * LINE_REACH + 1];
    const double *u, *before, *after; /* reach rows each */
} LineRhs;

/* d[j] of a row that reaches beyond neither end. `reach` and `per_line` are rhs's own, as literals; reach -1:
 * d = u. `skip`: where in u and in tables per line the numbers begin. */
POINTWISE LineNumber line_rhs_inside(const LineRhs *rhs, ptrdiff_t skip, int reach, bool per_line, int j) {
    if (reach < 0) return line_load(rhs->u + skip + (ptrdiff_t)j * LINE_LANES);
    LineNumber d = line_of(0);
    UNROLLED for (int m = -reach; m <= reach; m++) {
        const LineNumber u = line_load(rhs->u + skip + (ptrdiff_t)(j + m) * LINE_LANES);
        const LineNumber r = line_table(rhs->r[reach + m] + (per_line ? skip : 0), per_line, j);
        d = m == -reach ? line_mul(r, u) : line_fma(r, u, d);
    }
    return d;
}

/* d[j] of any row. `edge`: where in `before` and `after` the numbers begin. */
POINTWISE LineNumber line_rhs_from(const LineRhs *rhs, ptrdiff_t skip, ptrdiff_t edge, int reach,
                                   bool per_line, int j) {
    if (reach < 0 || (j >= reach && j < rhs->n - reach))
        return line_rhs_inside(rhs, skip, reach, per_line, j);
    LineNumber d = line_of(0);
    for (int m = -reach; m <= reach; m++) {
        const int row = j + m;
        const double *from = row < 0         ? rhs->before + edge + (ptrdiff_t)(row + reach) * LINE_LANES
                             : row >= rhs->n ? rhs->after + edge + (ptrdiff_t)(row - rhs->n) * LINE_LANES
                                             : rhs->u + skip + (ptrdiff_t)row * LINE_LANES;
        const LineNumber r = line_table(rhs->r[reach + m] + (per_line ? skip : 0), per_line, j);
        d = m == -reach ? line_mul(r, line_load(from)) : line_fma(r, line_load(from), d);
    }
    return d;
}

/* d[j] of one group. */
POINTWISE LineNumber line_rhs_at(const LineRhs *rhs, int reach, bool per_line, int j) {
    FOR_LINE_BLOCKS (v) PREFETCH(rhs->u + (ptrdiff_t)(j + LINE_AHEAD) * LINE_LANES + 8 * v);
    return line_rhs_from(rhs, 0, 0, reach, per_line, j);
}

/* Down the rows j0 <= j < j1 into y (indexed from j0), up into z (indexed from 0). `before`: y of row j0 - 1.
 */
POINTWISE LineNumber line_down(const LineFactors *k, bool per_line, const LineRhs *rhs, int reach,
                               bool rhs_per_line, int j0, int j1, LineNumber before, double *y) {
    for (int j = j0; j < j1; j++) {
        const LineNumber d = line_rhs_at(rhs, reach, rhs_per_line, j);
        before = line_down_at(line_table(k->f, per_line, j), line_table(k->g, per_line, j), d, before);
        line_store(y + (ptrdiff_t)(j - j0) * LINE_LANES, before);
    }
    return before;
}

POINTWISE LineNumber line_up(const LineFactors *k, bool per_line, bool past, int j0, int j1, LineNumber after,
                             const double *y, double *z) {
    for (int j = j1 - 1; j >= j0; j--) {
        after =
            line_up_at(line_table(k->w, per_line, j), line_load(y + (ptrdiff_t)(j - j0) * LINE_LANES), after);
        if (past)
            line_store_past_caches(z + (ptrdiff_t)j * LINE_LANES, after);
        else
            line_store(z + (ptrdiff_t)j * LINE_LANES, after);
    }
    return after;
}

/* Rows j0 <= j < j1 of a group that are to be swept: y takes j1 - j0 rows (it may be z + j0 rows), z is
 * indexed from 0 and written past the caches or not. */
typedef struct LineStretch {
    LineFactors factors;
    LineRhs rhs;
    int j0, j1;
    double *y, *z;
    bool past;
} LineStretch;

/* Down one stretch and, row by row at the same time, up another one that has been down (NULL: none): two
 * chains of operations that do not wait for each other, and memory that is read while memory is written. */
void line_sweep_both(const LineStretch *down, const LineStretch *up);

/* Down, and up where a neighbour's number is waited for in between. */
LineNumber line_sweep_down(const LineFactors *factors, const LineRhs *rhs, int j0, int j1, LineNumber before,
                           double *y);
LineNumber line_sweep_up(const LineFactors *factors, int j0, int j1, LineNumber after, const double *y,
                         double *z, bool past);

/* x = z + p left + q right; x may be z. */
void line_substitute(const LineFactors *factors, int j0, int j1, LineNumber left, LineNumber right,
                     const double *z, double *x, bool past);

/* d of one row, for the rows that are joints. */
LineNumber line_rhs(const LineRhs *rhs, int j);

#endif
