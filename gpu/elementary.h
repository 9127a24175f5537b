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

/* Exponents are whole numbers as doubles: beside integers of 32 bits, compilers make vectors half as long. A whole number
 * stands in the last bits of its sum with 2^52 (or 1.5 * 2^52, if it may be negative). */

/* x = mantissa * 2^exponent with 1 <= mantissa < 2 */
POINTWISE double split_exponent(double x, double *exponent) {
    uint64_t bits, whole;
    double sum;
    memcpy(&bits, &x, sizeof bits);
    whole = 0x4330000000000000u | ((bits >> 52) & 0x7ff);
    bits = (bits & 0x000fffffffffffffu) | 0x3ff0000000000000u;
    memcpy(&sum, &whole, sizeof sum);
    memcpy(&x, &bits, sizeof x);
    *exponent = sum - (4503599627370496.0 + 1023.0);
    return x;
}

POINTWISE double power_of_two(double exponent) {
    const double sum = exponent + (6755399441055744.0 + 1023.0);
    uint64_t bits;
    double x;
    memcpy(&bits, &sum, sizeof bits);
    bits <<= 52;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* x = rest * 2^(3 third) with 1 <= rest < 8 */
POINTWISE double split_cube(double x, double *third) {
    double exponent;
    const double mantissa = split_exponent(x, &exponent);
    *third = floor((exponent + 0.5) * (1.0 / 3.0)); /* rounds down, also below zero */
    return mantissa * power_of_two(exponent - 3.0 * *third);
}

/* A cubic within 0.9 %. */
POINTWISE double cubic_root_first(double rest) {
    return 0.71673464 + rest * (0.32883645 + rest * (-0.034026054 + rest * 0.0016274953));
}

/* Halley's method, whose error is two thirds of the cube of the one before. */
POINTWISE double cubic_root_better(double root, double rest) {
    const double cube = root * root * root;
    return root - root * ((cube - rest) / (2.0 * cube + rest));
}

POINTWISE double elementary_cbrt(double x) {
    double third;
    const double rest = split_cube(x, &third), root = cubic_root_better(cubic_root_first(rest), rest);
    return cubic_root_better(root, rest) * power_of_two(third);
}

POINTWISE double elementary_log(double x) {
    double whole;
    const double mantissa = split_exponent(x, &whole);
    const int high = mantissa > 1.4142135623730951;
    const double m = high ? 0.5 * mantissa : mantissa, exponent = high ? whole + 1.0 : whole;
    const double s = (m - 1.0) / (m + 1.0), s2 = s * s;
    double sum = 1.0 / 23.0;
    for (int n = 21; n >= 1; n -= 2)
        sum = sum * s2 + 1.0 / n; /* 2 atanh(s) = 2 s (1 + s2/3 + s2^2/5 + ...) */
    return 2.0 * s * sum + exponent * 0.6931471805599453;
}

/* x = n ln 2 + rest, |rest| < 0.35 */
POINTWISE double split_logarithm(double x, double *n) {
    *n = floor(x * 1.4426950408889634 + 0.5);
    return (x - *n * 6.93147180369123816490e-01) - *n * 1.90821492927058770002e-10;
}

/* exp(r) - 1 for |r| < 0.35: the series' even and odd terms, which do not wait for each other. */
POINTWISE double exponential_rest(double r) {
    const double r2 = r * r;
    double even = 1.0 / 87178291200.0, odd = 1.0 / 6227020800.0; /* 14!, 13! */
    even = even * r2 + 1.0 / 479001600.0, odd = odd * r2 + 1.0 / 39916800.0;
    even = even * r2 + 1.0 / 3628800.0, odd = odd * r2 + 1.0 / 362880.0;
    even = even * r2 + 1.0 / 40320.0, odd = odd * r2 + 1.0 / 5040.0;
    even = even * r2 + 1.0 / 720.0, odd = odd * r2 + 1.0 / 120.0;
    even = even * r2 + 1.0 / 24.0, odd = odd * r2 + 1.0 / 6.0;
    even = even * r2 + 0.5, odd = odd * r2 + 1.0;
    return even * r2 + odd * r;
}

/* For any argument; 0 where it would be below the normal numbers, and no larger than exp(709). */
POINTWISE double elementary_exp(double x) {
    const double bounded = x < -708.0 ? -708.0 : x > 709.0 ? 709.0 : x;
    double n;
    const double r = split_logarithm(bounded, &n);
    return x < -708.0 ? 0.0 : (1.0 + exponential_rest(r)) * power_of_two(n);
}

/* exp(x) - 1, exact in relative terms near 0, too. */
POINTWISE double elementary_expm1(double x) {
    const double bounded = x < -708.0 ? -708.0 : x > 709.0 ? 709.0 : x;
    double n;
    const double r = split_logarithm(bounded, &n), power = power_of_two(n);
    return power * exponential_rest(r) + (power - 1.0);
}

/* x / (exp(x) - 1), Bernoulli's function, for x of at least 0. */
POINTWISE double elementary_bernoulli(double x) {
    return x > 1e-30 ? x / max_of(elementary_expm1(x), 1e-300) : 1.0;
}

/* Turned by an eighth or a quarter of a circle to |t| <= tan(pi/8); there the best polynomial of t^2, whose error
 * is 4e-17. */
POINTWISE double elementary_atan(double x) {
    const double size = fabs(x), eighth = 0.41421356237309503, pi_4 = 0.78539816339744831;
    const int far = size > 1.0 / eighth, near = size < eighth;
    const double above = far ? -1.0 : near ? size : size - 1.0, below = far ? size : near ? 1.0 : size + 1.0;
    const double t = above / below, t2 = t * t;
    double sum = 0.021135356945751330;
    sum = sum * t2 - 0.043480508919580425;
    sum = sum * t2 + 0.056883487686028448;
    sum = sum * t2 - 0.066402338428697440;
    sum = sum * t2 + 0.076899534862276826;
    sum = sum * t2 - 0.090907730740928844;
    sum = sum * t2 + 0.11111106180425146;
    sum = sum * t2 - 0.14285714180975709;
    sum = sum * t2 + 0.19999999998855101;
    sum = sum * t2 - 0.33333333333328439;
    sum = sum * t2 * t + t;
    const double angle = (far ? 2.0 * pi_4 : near ? 0.0 : pi_4) + sum;
    return x < 0 ? -angle : angle;
}

/* x^p for positive x. */
POINTWISE double elementary_power(double x, double p) {
    return elementary_exp(p * elementary_log(x));
}

#endif
