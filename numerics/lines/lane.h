/* SPDX-License-Identifier: Apache-2.0
 *
 * One lane of a group, as a thread of a GPU goes along it. For *_blocks.c, which define LINE_ONE_LANE.
 *
 * A thread's chain of operations leaves it waiting for memory, so rows are read several at a time before the
 * first of them is used: stores in between would keep the compiler from doing it.
 */
#ifndef MAEOTIS_NUMERICS_LINES_LANE_H
#define MAEOTIS_NUMERICS_LINES_LANE_H

#include "numerics/lines/device_blocks.h"

enum { LINE_AT_ONCE = 8 };

/* What a thread is. */
typedef struct LineThread {
    int lane, warp, warps;
    ptrdiff_t block;
} LineThread;

POINTWISE LineThread line_thread(BlockPlace at) {
    LineThread t;
    t.lane = at.thread % LINE_LANES;
    t.warp = at.thread / LINE_LANES;
    t.warps = at.threads / LINE_LANES;
    t.block = at.block;
    return t;
}

POINTWISE LineFactors line_factors_lane(const LineFactors *all, ptrdiff_t g, int lane) {
    LineFactors k = line_factors_of(all, g);
    if (!k.per_line) return k;
    k.f += lane, k.g += lane, k.w += lane;
    if (k.p) k.p += lane, k.q += lane;
    return k;
}

POINTWISE LineMatrix line_matrix_lane(const LineMatrix *all, ptrdiff_t g, int lane) {
    LineMatrix m = line_matrix_of(all, g);
    if (m.per_line) m.a += lane, m.b += lane, m.c += lane;
    return m;
}

/* Of one line: the numbers of u, and where they begin in a right-hand side's arrays, its rows and those
 * beyond its ends. No right-hand side and reach -1: u as it is. */
typedef struct LineSource {
    const LineRhs *rhs;
    const double *u;
    int reach;
    ptrdiff_t skip, edge;
} LineSource;

POINTWISE LineSource line_source(const LineRhs *rhs, ptrdiff_t g, int lane) {
    LineSource s;
    s.rhs = rhs;
    s.reach = rhs->reach;
    s.skip = g * rhs->n * LINE_LANES + lane;
    s.edge = rhs->reach > 0 ? g * rhs->reach * LINE_LANES + lane : 0;
    s.u = rhs->u + s.skip;
    return s;
}

POINTWISE LineSource line_source_given(const double *u) {
    LineSource s;
    s.rhs = 0;
    s.u = u;
    s.reach = -1;
    s.skip = s.edge = 0;
    return s;
}

POINTWISE LineNumber line_source_row(LineSource s, int reach, int j) {
    return reach < 0 ? line_load(s.u + (ptrdiff_t)j * LINE_LANES)
                     : line_rhs_from(s.rhs, s.skip, s.edge, reach, s.rhs->per_line, j);
}

POINTWISE LineNumber line_down_reach(const LineFactors *k, LineSource s, int reach, int j0, int j1,
                                     LineNumber before, double *y) {
    const bool per_line = k->per_line;
    int j = j0;
    for (; j + LINE_AT_ONCE <= j1; j += LINE_AT_ONCE) {
        LineNumber d[LINE_AT_ONCE], f[LINE_AT_ONCE], g[LINE_AT_ONCE];
        if (reach > 0 && j >= reach && j + LINE_AT_ONCE <= s.rhs->n - reach) {
            UNROLLED for (int m = 0; m < LINE_AT_ONCE; m++) d[m] =
                line_rhs_inside(s.rhs, s.skip, reach, s.rhs->per_line, j + m);
        } else {
            UNROLLED for (int m = 0; m < LINE_AT_ONCE; m++) d[m] = line_source_row(s, reach, j + m);
        }
        UNROLLED for (int m = 0; m < LINE_AT_ONCE; m++) {
            f[m] = line_table(k->f, per_line, j + m);
            g[m] = line_table(k->g, per_line, j + m);
        }
        UNROLLED for (int m = 0; m < LINE_AT_ONCE; m++) {
            before = line_down_at(f[m], g[m], d[m], before);
            line_store(y + (ptrdiff_t)(j + m - j0) * LINE_LANES, before);
        }
    }
    for (; j < j1; j++) {
        const LineNumber d = line_source_row(s, reach, j);
        before = line_down_at(line_table(k->f, per_line, j), line_table(k->g, per_line, j), d, before);
        line_store(y + (ptrdiff_t)(j - j0) * LINE_LANES, before);
    }
    return before;
}

/* Down the rows j0 <= j < j1 into y (indexed from j0), with the reach as a literal. */
POINTWISE LineNumber line_lane_down(const LineFactors *k, LineSource s, int j0, int j1, LineNumber before,
                                    double *y) {
    switch (s.reach) {
    case 0:
        return line_down_reach(k, s, 0, j0, j1, before, y);
    case 1:
        return line_down_reach(k, s, 1, j0, j1, before, y);
    case 2:
        return line_down_reach(k, s, 2, j0, j1, before, y);
    case 3:
        return line_down_reach(k, s, 3, j0, j1, before, y);
    case 4:
        return line_down_reach(k, s, 4, j0, j1, before, y);
    default:
        return line_down_reach(k, s, -1, j0, j1, before, y);
    }
}

/* Up, from y (indexed from j0) into z (indexed from 0). */
POINTWISE LineNumber line_lane_up(const LineFactors *k, int j0, int j1, LineNumber after, const double *y,
                                  double *z) {
    int j = j1;
    for (; j - LINE_AT_ONCE >= j0; j -= LINE_AT_ONCE) {
        LineNumber w[LINE_AT_ONCE], is[LINE_AT_ONCE];
        UNROLLED for (int m = 0; m < LINE_AT_ONCE; m++) {
            w[m] = line_table(k->w, k->per_line, j - 1 - m);
            is[m] = line_load(y + (ptrdiff_t)(j - 1 - m - j0) * LINE_LANES);
        }
        UNROLLED for (int m = 0; m < LINE_AT_ONCE; m++) {
            after = line_up_at(w[m], is[m], after);
            line_store(z + (ptrdiff_t)(j - 1 - m) * LINE_LANES, after);
        }
    }
    for (j--; j >= j0; j--) {
        after = line_up_at(line_table(k->w, k->per_line, j), line_load(y + (ptrdiff_t)(j - j0) * LINE_LANES),
                           after);
        line_store(z + (ptrdiff_t)j * LINE_LANES, after);
    }
    return after;
}

/* RD and RU of the rows between two joints, in place of z. */
POINTWISE void line_lane_reduce(const LineFactors *k, LineSource s, int j0, int j1, double *z) {
    double *first = z + (ptrdiff_t)j0 * LINE_LANES;
    (void)line_lane_down(k, s, j0, j1, line_of(0), first);
    (void)line_lane_up(k, j0, j1, line_of(0), first, z);
}

/* SS of the rows j0 <= j < j1, in place of z. */
POINTWISE void line_lane_substitute(const LineFactors *k, int j0, int j1, LineNumber left, LineNumber right,
                                    double *z) {
    int j = j0;
    for (; j + LINE_AT_ONCE <= j1; j += LINE_AT_ONCE) {
        LineNumber is[LINE_AT_ONCE];
        UNROLLED for (int m = 0; m < LINE_AT_ONCE; m++) is[m] =
            line_support_at(line_table(k->p, k->per_line, j + m), line_table(k->q, k->per_line, j + m),
                            line_load(z + (ptrdiff_t)(j + m) * LINE_LANES), left, right);
        UNROLLED for (int m = 0; m < LINE_AT_ONCE; m++)
            line_store(z + (ptrdiff_t)(j + m) * LINE_LANES, is[m]);
    }
    for (; j < j1; j++)
        line_store(z + (ptrdiff_t)j * LINE_LANES,
                   line_support_at(line_table(k->p, k->per_line, j), line_table(k->q, k->per_line, j),
                                   line_load(z + (ptrdiff_t)j * LINE_LANES), left, right));
}

#endif
