/* SPDX-License-Identifier: Apache-2.0
 *
 * The few functions beyond + - * / sqrt that a time step needs, implemented here so that every compiler and
 * device gives the same bits. Accurate to a few units in the last place; roots and logarithms for positive
 * normal arguments.
 */
#ifndef MAEOTIS_GPU_ELEMENTARY_H
#define MAEOTIS_GPU_ELEMENTARY_H

#include "gpu/kernel.h"
#include <string.h>

/* x = mantissa * 2^exponent with 1 <= mantissa < 2 */
POINTWISE double split_exponent(double x, int *exponent) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    *exponent = (int)((bits >> 52) & 0x7ff) - 1023;
    bits = (bits & 0x000fffffffffffffu) | 0x3ff0000000000000u;
    memcpy(&x, &bits, sizeof bits);
    return x;
}

POINTWISE double power_of_two(int exponent) {
    uint64_t bits = (uint64_t)(exponent + 1023) << 52;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

POINTWISE double elementary_cbrt(double x) {
    int exponent;
    double mantissa = split_exponent(x, &exponent);
    int third = (exponent + 3000) / 3 - 1000;                    /* rounds down, also below zero */
    double rest = mantissa * power_of_two(exponent - 3 * third); /* 1 <= rest < 8 */
    double root = 0.75 + 0.19 * rest - 0.0045 * rest * rest;
    for (int n = 0; n < 5; n++) root = root - (root - rest / (root * root)) / 3.0;
    return root * power_of_two(third);
}

POINTWISE double elementary_log(double x) {
    int exponent;
    double m = split_exponent(x, &exponent);
    if (m > 1.4142135623730951) {
        m *= 0.5;
        exponent++;
    }
    double s = (m - 1.0) / (m + 1.0), s2 = s * s, sum = 0;
    for (int n = 23; n >= 1; n -= 2)
        sum = sum * s2 + 1.0 / n; /* 2 atanh(s) = 2 s (1 + s2/3 + s2^2/5 + ...) */
    return 2.0 * s * sum + exponent * 0.6931471805599453;
}

/* For any argument; 0 where it would be below the normal numbers, and no larger than exp(709). */
POINTWISE double elementary_exp(double x) {
    const double bounded = x < -708.0 ? -708.0 : x > 709.0 ? 709.0 : x;
    const double n = floor(bounded * 1.4426950408889634 + 0.5); /* x = n ln 2 + r, |r| < 0.35 */
    const double r = (bounded - n * 6.93147180369123816490e-01) - n * 1.90821492927058770002e-10;
    double sum = 1.0;
    for (int k = 14; k >= 1; k--) sum = 1.0 + r / k * sum;
    return x < -708.0 ? 0.0 : sum * power_of_two((int)n);
}

/* Halved three times, atan(x) = 2 atan(x / (1 + sqrt(1 + x^2))), then the series. */
POINTWISE double elementary_atan(double x) {
    double t = x;
    for (int n = 0; n < 3; n++) t = t / (1.0 + sqrt(1.0 + t * t));
    const double t2 = t * t;
    double sum = 0;
    for (int n = 23; n >= 1; n -= 2) sum = 1.0 / n - t2 * sum;
    return 8.0 * t * sum;
}

/* x^p for positive x. */
POINTWISE double elementary_power(double x, double p) {
    return elementary_exp(p * elementary_log(x));
}

#endif
