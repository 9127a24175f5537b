/* SPDX-License-Identifier: Apache-2.0
 *
 * Eight numbers that are worked on at once, for the sweeps of triangular systems: one of each of eight
 * neighbouring rows.
 *
 * Fused multiply-adds are asked for by name: one rounding, the same bits on every machine.
 *
 * With MATM_ONE_LANE, for the threads of a device, `Lanes` is the number of one lane, and the same formulas
 * make the same bits.
 */
#ifndef MAEOTIS_NUMERICS_LANES_H
#define MAEOTIS_NUMERICS_LANES_H

#include "gpu/kernel.h"
#include "numerics/matm/precision.h"

#ifdef MATM_ONE_LANE

enum { LEVEL = 8 }; /* from a level to the next, in what a Lanes * counts */

#ifdef MATM_SINGLE
typedef int32_t LaneInteger;
#else
typedef int64_t LaneInteger;
#endif
typedef Real Lanes;
typedef LaneInteger LaneMask;

POINTWISE Lanes lanes_of(double number) {
    return (Real)number;
}
POINTWISE Lanes lanes_fma(Lanes a, Lanes b, Lanes c) {
#ifdef MATM_SINGLE
    return fmaf(a, b, c);
#else
    return fma(a, b, c);
#endif
}
POINTWISE Lanes lanes_select(LaneMask mask, Lanes yes, Lanes no) {
    return mask ? yes : no;
}

/* The same in double precision, whatever `Lanes` are. */
typedef double LanesOfDouble;
POINTWISE LanesOfDouble lanes_to_double(Lanes x) {
    return (double)x;
}
POINTWISE Lanes lanes_from_double(LanesOfDouble x) {
    return (Real)x;
}
POINTWISE LanesOfDouble doubles_of(double number) {
    return number;
}
POINTWISE LanesOfDouble doubles_fma(LanesOfDouble a, LanesOfDouble b, LanesOfDouble c) {
    return fma(a, b, c);
}

#else

enum { LEVEL = 1 };

#if defined(__AVX512F__)
#include <immintrin.h> /* a third of a second to read: only where it is needed */
#endif

#ifdef MATM_SINGLE
typedef int32_t LaneInteger;
#else
typedef int64_t LaneInteger;
#endif
typedef Real Lanes __attribute__((vector_size(8 * sizeof(Real))));
typedef LaneInteger LaneMask __attribute__((vector_size(8 * sizeof(LaneInteger)))); /* -1: yes, 0: no */

/* of fields and sums */
typedef double LanesOfDouble __attribute__((vector_size(8 * sizeof(double))));
typedef double LanesAnywhere
    __attribute__((vector_size(8 * sizeof(double)), aligned(sizeof(double)), may_alias));

_Static_assert(BLOCK == 8, "the lanes of a vector are the columns of a block");

POINTWISE Lanes lanes_of(double number) {
    const Real x = (Real)number;
    return (Lanes){x, x, x, x, x, x, x, x};
}

/* Eight at once, which gcc does by halves. */
#if defined(MATM_SINGLE) && defined(__AVX512F__)
POINTWISE Lanes lanes_from_double(LanesOfDouble x) {
    return (Lanes)_mm512_cvtpd_ps((__m512d)x);
}
POINTWISE LanesOfDouble lanes_to_double(Lanes x) {
    return (LanesOfDouble)_mm512_cvtps_pd((__m256)x);
}
#else
POINTWISE Lanes lanes_from_double(LanesOfDouble x) {
    return __builtin_convertvector(x, Lanes);
}
POINTWISE LanesOfDouble lanes_to_double(Lanes x) {
    return __builtin_convertvector(x, LanesOfDouble);
}
#endif

POINTWISE LanesOfDouble doubles_of(double x) {
    return (LanesOfDouble){x, x, x, x, x, x, x, x};
}

/* a b + c, rounded once; clang's own word for it takes vectors of any length */
#if defined(__has_builtin)
#if __has_builtin(__builtin_elementwise_fma)
#define LANES_ELEMENTWISE_FMA
#endif
#endif
POINTWISE LanesOfDouble doubles_fma(LanesOfDouble a, LanesOfDouble b, LanesOfDouble c) {
#if defined(__AVX512F__)
    return (LanesOfDouble)_mm512_fmadd_pd((__m512d)a, (__m512d)b, (__m512d)c);
#elif defined(LANES_ELEMENTWISE_FMA)
    return __builtin_elementwise_fma(a, b, c);
#elif defined(__AVX2__) && defined(__FMA__)
    typedef double Half __attribute__((vector_size(4 * sizeof(double))));
    typedef union Halves {
        LanesOfDouble all;
        Half half[2];
    } Halves;
    Halves x = {a}, y = {b}, z = {c};
    for (int n = 0; n < 2; n++) z.half[n] = __builtin_ia32_vfmaddpd256(x.half[n], y.half[n], z.half[n]);
    return z.all;
#else
    for (int l = 0; l < 8; l++) c[l] = fma(a[l], b[l], c[l]);
    return c;
#endif
}
POINTWISE Lanes lanes_fma(Lanes a, Lanes b, Lanes c) {
#if !defined(MATM_SINGLE)
    return doubles_fma(a, b, c);
#elif defined(LANES_ELEMENTWISE_FMA)
    return __builtin_elementwise_fma(a, b, c);
#elif defined(__FMA__)
    return __builtin_ia32_vfmaddps256(a, b, c);
#else
    for (int l = 0; l < 8; l++) c[l] = fmaf(a[l], b[l], c[l]);
    return c;
#endif
}

POINTWISE Lanes lanes_select(LaneMask mask, Lanes yes, Lanes no) {
    return (Lanes)(((LaneMask)yes & mask) | ((LaneMask)no & ~mask));
}

/* Every lane gets its lower neighbour's number; lane 0 gets lane 7 of `from`. And the other way. */
POINTWISE Lanes lanes_from_below(Lanes x, Lanes from) {
    return __builtin_shufflevector(x, from, 15, 0, 1, 2, 3, 4, 5, 6);
}
POINTWISE Lanes lanes_from_above(Lanes x, Lanes from) {
    return __builtin_shufflevector(x, from, 1, 2, 3, 4, 5, 6, 7, 8);
}
POINTWISE LanesOfDouble doubles_from_above(LanesOfDouble x, LanesOfDouble from) {
    return __builtin_shufflevector(x, from, 1, 2, 3, 4, 5, 6, 7, 8);
}

/* Rows become columns. */
POINTWISE void lanes_transpose(Lanes v[8]) {
    Lanes a[8], b[8];
    for (int n = 0; n < 8; n += 2) {
        a[n] = __builtin_shufflevector(v[n], v[n + 1], 0, 8, 2, 10, 4, 12, 6, 14);
        a[n + 1] = __builtin_shufflevector(v[n], v[n + 1], 1, 9, 3, 11, 5, 13, 7, 15);
    }
    for (int n = 0; n < 8; n += 4)
        for (int m = n; m < n + 2; m++) {
            b[m] = __builtin_shufflevector(a[m], a[m + 2], 0, 1, 8, 9, 4, 5, 12, 13);
            b[m + 2] = __builtin_shufflevector(a[m], a[m + 2], 2, 3, 10, 11, 6, 7, 14, 15);
        }
    for (int n = 0; n < 4; n++) {
        v[n] = __builtin_shufflevector(b[n], b[n + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        v[n + 4] = __builtin_shufflevector(b[n], b[n + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

#endif
#endif
