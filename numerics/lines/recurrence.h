/* SPDX-License-Identifier: Apache-2.0
 *
 * The arithmetic of one row, for every schedule: the row operations of Thomas, DistD2 and the N-shaped
 * method. On processors a LineNumber holds the row of all lanes of a group, in files of block kernels (a
 * thread of a GPU), which define LINE_ONE_LANE, that of one line. Both do the same operations, and fused
 * multiply-adds are asked for by name, so the bits are equal.
 *
 * Coefficients come with their signs turned, so that a row costs one fused multiply-add on the chain:
 *
 *     y = f d + g y_before         down    (Thomas, RD)
 *     z = y + w z_after            up      (Thomas, RU)
 *     x = z + p left + q right     support substitution (DistD2's substitution, SS)
 */
#ifndef MAEOTIS_NUMERICS_LINES_RECURRENCE_H
#define MAEOTIS_NUMERICS_LINES_RECURRENCE_H

#include "numerics/lines/line_layout.h"

#ifdef LINE_ONE_LANE

typedef double LineNumber;
#define FOR_LINE_BLOCKS(v) for (int v = 0; v < 1; v++)
#define LINE_BLOCK_(x, v)  (x)

POINTWISE double line_block_of(double x) {
    return x;
}
POINTWISE double line_block_fma(double a, double b, double c) {
    return fma(a, b, c);
}
POINTWISE LineNumber line_load(const double *from) {
    return *from;
}
POINTWISE void line_store(double *to, LineNumber x) {
    *to = x;
}
POINTWISE void line_store_past_caches(double *to, LineNumber x) {
    *to = x;
}
POINTWISE double line_first_lane(LineNumber x) {
    return x;
}

#else

#include "numerics/matm/lanes.h"

typedef struct LineNumber {
    Lanes block[LINE_BLOCKS];
} LineNumber;
#define FOR_LINE_BLOCKS(v) UNROLLED for (int v = 0; v < LINE_BLOCKS; v++)
#define LINE_BLOCK_(x, v)  (x).block[v]

POINTWISE Lanes line_block_of(double x) {
    return lanes_of(x);
}
POINTWISE Lanes line_block_fma(Lanes a, Lanes b, Lanes c) {
    return lanes_fma(a, b, c);
}
POINTWISE LineNumber line_load(const double *from) {
    LineNumber x;
    FOR_LINE_BLOCKS (v) x.block[v] = ((const Lanes *)__builtin_assume_aligned(from, 64))[v];
    return x;
}
POINTWISE void line_store(double *to, LineNumber x) {
    FOR_LINE_BLOCKS (v) ((Lanes *)__builtin_assume_aligned(to, 64))[v] = x.block[v];
}
/* For data that are written once and not read again soon: memory is not read first. */
POINTWISE void line_store_past_caches(double *to, LineNumber x) {
#if defined(__AVX512F__)
    FOR_LINE_BLOCKS (v) _mm512_stream_pd(to + 8 * v, (__m512d)x.block[v]);
#else
    line_store(to, x);
#endif
}
POINTWISE double line_first_lane(LineNumber x) {
    return x.block[0][0];
}

#endif

POINTWISE LineNumber line_of(double number) {
    LineNumber x;
    FOR_LINE_BLOCKS (v) LINE_BLOCK_(x, v) = line_block_of(number);
    return x;
}
POINTWISE LineNumber line_fma(LineNumber a, LineNumber b, LineNumber c) {
    LineNumber x;
    FOR_LINE_BLOCKS (v)
        LINE_BLOCK_(x, v) = line_block_fma(LINE_BLOCK_(a, v), LINE_BLOCK_(b, v), LINE_BLOCK_(c, v));
    return x;
}
POINTWISE LineNumber line_mul(LineNumber a, LineNumber b) {
    FOR_LINE_BLOCKS (v) LINE_BLOCK_(a, v) = LINE_BLOCK_(a, v) * LINE_BLOCK_(b, v);
    return a;
}
POINTWISE LineNumber line_add(LineNumber a, LineNumber b) {
    FOR_LINE_BLOCKS (v) LINE_BLOCK_(a, v) = LINE_BLOCK_(a, v) + LINE_BLOCK_(b, v);
    return a;
}
POINTWISE LineNumber line_minus(LineNumber a) {
    FOR_LINE_BLOCKS (v) LINE_BLOCK_(a, v) = -LINE_BLOCK_(a, v);
    return a;
}
POINTWISE LineNumber line_inverse(LineNumber a) {
    FOR_LINE_BLOCKS (v) LINE_BLOCK_(a, v) = line_block_of(1) / LINE_BLOCK_(a, v);
    return a;
}

/* ---- solving ---- */

POINTWISE LineNumber line_down_at(LineNumber f, LineNumber g, LineNumber d, LineNumber before) {
    return line_fma(g, before, line_mul(f, d));
}
POINTWISE LineNumber line_up_at(LineNumber w, LineNumber y, LineNumber after) {
    return line_fma(w, after, y);
}
POINTWISE LineNumber line_support_at(LineNumber p, LineNumber q, LineNumber z, LineNumber left,
                                     LineNumber right) {
    return line_fma(q, right, line_fma(p, left, z));
}
/* JD and JU: what the rows beside a joint line leave of its right-hand side. */
POINTWISE LineNumber line_joint_at(LineNumber a, LineNumber c, LineNumber d, LineNumber before,
                                   LineNumber after) {
    return line_fma(line_minus(c), after, line_fma(line_minus(a), before, d));
}

/* ---- the same for the coefficients ---- */

typedef struct LineRow {
    LineNumber f, g, w, p, q;
} LineRow;

/* The first row of a stretch whose neighbours before and after are supports. */
POINTWISE LineRow line_first_row_at(LineNumber a, LineNumber b, LineNumber c) {
    LineRow r;
    r.f = line_inverse(b);
    r.g = line_of(0);
    r.w = line_minus(line_mul(r.f, c));
    r.p = line_minus(line_mul(r.f, a));
    r.q = line_of(0);
    return r;
}
/* Any further one. */
POINTWISE LineRow line_next_row_at(LineNumber a, LineNumber b, LineNumber c, LineRow before) {
    LineRow r;
    r.f = line_inverse(line_fma(a, before.w, b));
    r.g = line_minus(line_mul(r.f, a));
    r.w = line_minus(line_mul(r.f, c));
    r.p = line_mul(r.g, before.p);
    r.q = line_of(0);
    return r;
}
/* What follows the last row is a support, not a row. */
POINTWISE LineRow line_last_row_at(LineRow r) {
    r.q = r.w;
    r.w = line_of(0);
    return r;
}
/* On the way up. */
POINTWISE LineRow line_reduced_row_at(LineRow r, LineRow after) {
    r.p = line_fma(r.w, after.p, r.p);
    r.q = line_mul(r.w, after.q);
    return r;
}

#endif
