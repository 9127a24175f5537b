/* SPDX-License-Identifier: Apache-2.0
 *
 * The stability functions psi_u and psi_t of COARE 3.5 by zeta = z/L, and a logarithm and a cubic root just as exact as its
 * iteration needs.
 *
 * Unstable air (zeta < 0). COARE blends the Kansas form with the convective one,
 *
 *     psi = (1 - f) psi_K + f psi_C,     f = zeta^2 / (1 + zeta^2)
 *     psi_K,u = 2 ln((1 + x)/2) + ln((1 + x^2)/2) - 2 atan x + pi/2,    x = (1 - 15 zeta)^(1/4)
 *     psi_K,t = 2 ln((1 + x^2)/2)
 *     psi_C = 3/2 ln((1 + y + y^2)/3) - sqrt(3) (atan((1 + 2 y)/sqrt(3)) - pi/3),    y = (1 - c zeta)^(1/3)
 *
 * with c = 10.15 for u and 34.15 for t. Here each is t N(t)/D(t), the best fractions of t = sqrt(1 - 15 zeta) - 1 for
 * -1000 <= zeta <= 0, which are off by at most 2.2e-8 (u) and 1e-7 (t); below, the value at -1000. The forms themselves, with their
 * logarithms, roots and arcus tangents, took two thirds of the exchange with the air.
 */
#ifndef MAEOTIS_MODEL_COARE_PSI_H
#define MAEOTIS_MODEL_COARE_PSI_H

#include "gpu/elementary.h"

/* ln x for positive normal x, off by at most 2e-11. */
POINTWISE double coare_log(double x) {
    double whole;
    const double mantissa = split_exponent(x, &whole);
    const int high = mantissa > 1.4142135623730951;
    const double m = high ? 0.5 * mantissa : mantissa, exponent = high ? whole + 1.0 : whole;
    const double s = (m - 1.0) / (m + 1.0), s2 = s * s, s4 = s2 * s2;
    /* atanh(s)/s */
    const double sum = (1.0 + s2 * (1.0 / 3.0)) +
                       s4 * ((1.0 / 5.0 + s2 * (1.0 / 7.0)) + s4 * (1.0 / 9.0 + s2 * (1.0 / 11.0)));
    return 2.0 * s * sum + exponent * 0.6931471805599453;
}

/* Relative error at most 1.6e-6: elementary_cbrt with one of its two rounds. */
POINTWISE double coare_cbrt(double x) {
    double third;
    const double rest = split_cube(x, &third), root = cubic_root_first(rest);
    return cubic_root_better(root, rest) * power_of_two(third);
}

/* sqrt(1 - 15 zeta) - 1 */
POINTWISE double coare_instability(double zeta) {
    return sqrt(1.0 - 15.0 * max_of(-1000.0, zeta)) - 1.0;
}

/* In N and D: even and odd powers, which do not wait for each other. */
POINTWISE double coare_psi_u_unstable(double zeta) {
    const double t = coare_instability(zeta), s = t * t;
    const double n_even =
        0.499999188957 +
        s * (-0.00568527424335 + s * (0.0111769462766 + s * (1.59488645668e-05 + s * 7.32769887368e-12)));
    const double n_odd =
        0.366604314345 + s * (0.0120492735549 + s * (0.000896970205094 + s * 5.58419598142e-08));
    const double d_even =
        1.0 + s * (0.0977073586342 + s * (0.0251573254271 + s * (0.000184680741018 + s * 4.91527535192e-09)));
    const double d_odd =
        0.858190531168 + s * (0.0168979422699 + s * (0.00428651363611 + s * 2.129165412e-06));
    return t * (n_even + t * n_odd) / (d_even + t * d_odd);
}

POINTWISE double coare_psi_t_unstable(double zeta) {
    const double t = coare_instability(zeta), s = t * t;
    const double n_even =
        0.999993479038 +
        s * (0.00848591353671 + s * (0.0278486256175 + s * (5.93261139417e-05 + s * 3.45168148379e-11)));
    const double n_odd =
        1.05878678231 + s * (0.0312546201012 + s * (0.00274816324123 + s * 2.43553542684e-07));
    const double d_even =
        1.0 + s * (0.244147034208 + s * (0.0372398246791 + s * (0.000496296944747 + s * 1.99023926923e-08)));
    const double d_odd =
        1.30865181083 + s * (0.0115888221815 + s * (0.00879783110876 + s * 7.16602207478e-06));
    return t * (n_even + t * n_odd) / (d_even + t * d_odd);
}

POINTWISE double coare_psi_u_stable(double zeta) {
    const double faded = elementary_exp(-min_of(50.0, 0.35 * zeta));
    return -(0.7 * zeta + 0.75 * (zeta - 5.0 / 0.35) * faded + 0.75 * 5.0 / 0.35);
}

POINTWISE double coare_psi_t_stable(double zeta) {
    const double faded = elementary_exp(-min_of(50.0, 0.35 * zeta)), b = 1.0 + 2.0 / 3.0 * zeta;
    return -(b * sqrt(b) - 1.0 + 2.0 / 3.0 * ((zeta - 5.0 / 0.35) * faded + 5.0 / 0.35));
}

#endif
