/* SPDX-License-Identifier: Apache-2.0
 *
 * The rounding of an exact sum (reduce.h), for the host and for kernels.
 */
#ifndef MAEOTIS_GPU_EXACT_VALUE_H
#define MAEOTIS_GPU_EXACT_VALUE_H

#include "gpu/reduce.h"

POINTWISE void exact_sum_carry(ExactSum *sum) {
    int64_t carry = 0;
    for (int n = 0; n < EXACT_SUM_DIGITS - 1; n++) {
        carry += sum->limb[n];
        sum->limb[n] = carry & 0xffffffff;
        carry >>= 32; /* towards minus infinity, so that the limb is never negative */
    }
    sum->limb[EXACT_SUM_DIGITS - 1] += carry;
}

POINTWISE int leading_zeros(uint64_t x) {
#if defined(__CUDA_ARCH__)
    return __clzll((long long)x);
#else
    return __builtin_clzll(x);
#endif
}

POINTWISE double exact_sum_round(const ExactSum *sum) {
    if (sum->limb[EXACT_SUM_DIGITS] != 0) return NAN;
    ExactSum whole = *sum;
    exact_sum_carry(&whole);
    const bool negative = whole.limb[EXACT_SUM_DIGITS - 1] < 0;
    if (negative) {
        for (int n = 0; n < EXACT_SUM_DIGITS; n++) whole.limb[n] = -whole.limb[n];
        exact_sum_carry(&whole);
    }

    int top = EXACT_SUM_DIGITS - 1;
    while (top > 0 && whole.limb[top] == 0) top--;
    if (whole.limb[top] >> 32) return negative ? -HUGE_VAL : HUGE_VAL; /* at least 2^1070 */
    if (whole.limb[top] == 0) return 0.0;

    /* The leading 64 bits; what is below them only matters for rounding, as one bit that says "more". */
    const int64_t *limb = whole.limb;
    const uint64_t second = top > 0 ? (uint64_t)limb[top - 1] : 0,
                   third = top > 1 ? (uint64_t)limb[top - 2] : 0;
    const uint64_t leading = (uint64_t)limb[top] << 32 | second;
    const int shift = leading_zeros(leading);
    uint64_t bits = leading << shift | (shift ? third >> (32 - shift) : 0);
    bool more = (shift ? third << (32 + shift) : third) != 0;
    for (int n = 0; n < top - 2; n++) more |= limb[n] != 0;
    bits |= more;
    /* Below 2^-1022 the bits are 52 at most, so that ldexp has nothing left to round. */
    const double value = ldexp((double)bits, 32 * (top - 1) - shift - 1074);
    return negative ? -value : value;
}

#endif
