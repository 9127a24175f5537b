/* SPDX-License-Identifier: Apache-2.0
 *
 * Sums that do not depend on the order of their terms, and so not on ranks, threads or devices.
 *
 * An ExactSum holds the sum of any doubles without rounding: a whole number in units of 2^-1074, the smallest
 * double, written in limbs of 32 bits. Limb n weighs 2^(32 n - 1074) and sits in an int64_t, so that it can
 * take the carries of 2^31 additions before they must be passed on (`exact_sum_normalise`). Only the final
 * value is rounded, once, to the nearest double (ties to even).
 *
 * The limbs are whole numbers, so adding two accumulators limb by limb is exact as well:
 *
 *     exact_sum_normalise(&sum);
 *     MPI_Allreduce(MPI_IN_PLACE, sum.limb, EXACT_SUM_LIMBS, MPI_INT64_T, MPI_SUM, comm);
 *     double total = exact_sum_value(&sum);
 *
 * Infinities and NaNs are counted in the last limb; with one of them the value is NaN. A finite sum beyond
 * the largest double is an infinity.
 *
 * Reference: U. Kulisch, W. Miranker, "The arithmetic of the digital computer", SIAM Review 28 (1986), 1-40.
 */
#ifndef MAEOTIS_GPU_REDUCE_H
#define MAEOTIS_GPU_REDUCE_H

#include "gpu/kernel.h"
#include "gpu/results.h"

#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

#define EXACT_SUM_DIGITS 67 /* 2098 bits of doubles, the highest at 2^1023, and room for 2^46 of them */
#define EXACT_SUM_LIMBS  (EXACT_SUM_DIGITS + 1)

typedef struct ExactSum {
    int64_t limb[EXACT_SUM_LIMBS]; /* the last one counts the terms that were not finite */
} ExactSum;

POINTWISE void exact_sum_clear(ExactSum *sum) {
    memset(sum, 0, sizeof *sum);
}

/* A term as what it adds to three limbs; returns the first of them. */
POINTWISE int exact_sum_pieces(double term, int64_t piece[3]) {
    uint64_t bits;
    memcpy(&bits, &term, sizeof bits);
    const int exponent = (int)(bits >> 52) & 0x7ff;
    if (exponent == 0x7ff) {
        piece[0] = piece[1] = 0;
        piece[2] = 1;
        return EXACT_SUM_DIGITS - 2;
    }
    /* term = +-mantissa 2^(place - 1074); a subnormal has no hidden bit and the place of the smallest normal
     */
    const uint64_t hidden = exponent != 0;
    const uint64_t mantissa = (bits & 0xfffffffffffffu) | hidden << 52;
    const int place = exponent - (int)hidden;
    const uint64_t low = (mantissa & 0xffffffffu) << (place & 31);
    const uint64_t high = (mantissa >> 32) << (place & 31);
    const int64_t sign = (int64_t)bits >> 63; /* 0 or -1: (n ^ sign) - sign is n or -n */
    piece[0] = ((int64_t)(low & 0xffffffffu) ^ sign) - sign;
    piece[1] = ((int64_t)((low >> 32) + (high & 0xffffffffu)) ^ sign) - sign;
    piece[2] = ((int64_t)(high >> 32) ^ sign) - sign;
    return place >> 5;
}

POINTWISE void exact_sum_add(ExactSum *sum, double term) {
    int64_t piece[3];
    int64_t *limb = sum->limb + exact_sum_pieces(term, piece);
    for (int n = 0; n < 3; n++) limb[n] += piece[n];
}

/* Many terms at once, several times faster: the same sum. On the host. */
void exact_sum_add_all(ExactSum *sum, const double *term, int count);

/* sum += other */
void exact_sum_merge(ExactSum *sum, const ExactSum *other);

/* Propagates the carries: afterwards all limbs are below 2^32 and only the highest can be negative. The
 * number and its rounding do not change, and equal numbers have equal limbs. */
void exact_sum_normalise(ExactSum *sum);

double exact_sum_value(const ExactSum *sum);

/* Sums under way: zeros to which kernels add; at the next fetch (results.h) they are added to `sum`, which must stay
 * until then, and normalised. */
enum { REDUCE_MOST = 12 };
ExactSum *reduce_begin(Exec exec, int count, ExactSum *sum);

/* The dot product of x and y over `blocks` (element (i, j) is x[j * row + i]). The BLOCK products of one
 * block are added as doubles, in a fixed order; the blocks exactly. As blocks are aligned to the global
 * index, the result is the same for every decomposition. Land lanes must hold zeros. */
void reduce_add_dot(Exec exec, BlockList blocks, const double *x, const double *y, ptrdiff_t row,
                    ExactSum *begun);

/* All terms, exactly. */
void reduce_add_terms(Exec exec, const double *term, int count, ExactSum *begun);

/* A single dot product, with its fetch. */
void reduce_dot(Exec exec, BlockList blocks, const double *x, const double *y, ptrdiff_t row, ExactSum *sum);

#ifdef __cplusplus
}
#endif
#endif
