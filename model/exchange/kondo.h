/* SPDX-License-Identifier: Apache-2.0
 *
 * Transfer of heat and vapour between air and sea after J. Kondo, Boundary-Layer Meteorology 9 (1975) 91-112,
 * for values measured at any heights z_u (wind), z_t (temperature), z_q (humidity).
 *
 * Neutral air. C_D, C_H, C_E of the wind at 10 m are piecewise functions of its speed. The logarithmic
 * profiles that belong to them carry them to other heights; with k von Karman's constant,
 *
 *     C_H(z_u, z_t) = k^2 / (M(z_u) K_H(z_t)),    M(z) = k/sqrt(C_D) + ln(z/10),
 *                                                 K_H(z) = k sqrt(C_D)/C_H + ln(z/10)
 *
 * and likewise C_E with K_E; U_10 = U M(10) / M(z_u).
 *
 * Stability. The coefficients are multiplied by a factor of s = s_0 |s_0| / (|s_0| + 0.01),
 *
 *     s_0 = (T_s - theta(z)) / (U(z)^2 (1 + log10(10/z))^2)      [K s2 m-2]
 *     1 + 0.63 sqrt(s)                          water warmer than the air
 *     0.1 + 0.03 s + 0.9 exp(4.8 s)             colder; 0 beyond s = -3.3
 *
 * with wind and temperature *at the same height* z. Here z is that of the wind, at most 10 m, and the
 * temperature is carried to it by its profile: for air measured at 2 m below a wind at 10 m, the excess of the
 * water grows by K_H(10) / K_H(2), about 1.16. (Putting z = 2 m, or even 1 m, into the formula beside the wind
 * at 10 m makes s_0 three or four times too small: stable air then passes up to twice the heat of COARE 3.5.)
 */
#ifndef MAEOTIS_MODEL_KONDO_H
#define MAEOTIS_MODEL_KONDO_H

#include "model/exchange/air.h"

/* C_D, C_H, C_E in neutral air for the wind at 10 m. */
typedef struct KondoNeutral {
    double drag, heat, moisture;
} KondoNeutral;

POINTWISE KondoNeutral kondo_neutral(double wind) {
    const double w = max_of(0.3, wind), log_w = elementary_log(w);
    KondoNeutral c;
    if (w < 2.2) {
        c.drag = 1.08 * elementary_exp(-0.15 * log_w);
        c.heat = 1.185 * elementary_exp(-0.157 * log_w);
        c.moisture = 1.23 * elementary_exp(-0.160 * log_w);
    } else if (w < 5.0) {
        c.drag = 0.771 + 0.0858 * w;
        c.heat = 0.927 + 0.0546 * w;
        c.moisture = 0.969 + 0.0521 * w;
    } else if (w < 8.0) {
        c.drag = 0.867 + 0.0667 * w;
        c.heat = 1.15 + 0.01 * w;
        c.moisture = 1.18 + 0.01 * w;
    } else if (w < 25.0) {
        c.drag = 1.2 + 0.025 * w;
        c.heat = 1.17 + 0.0075 * w - 0.00045 * (w - 8.0) * (w - 8.0);
        c.moisture = 1.196 + 0.008 * w - 0.0004 * (w - 8.0) * (w - 8.0);
    } else {
        c.drag = 0.073 * w;
        c.heat = 1.652 - 0.017 * w;
        c.moisture = 1.68 - 0.016 * w;
    }
    c.drag *= 1e-3;
    c.heat = 1e-3 * max_of(0.0, c.heat);
    c.moisture = 1e-3 * max_of(0.0, c.moisture);
    return c;
}

/* Of the coefficients, by s_0. */
POINTWISE double kondo_stability(double s0) {
    const double s = s0 * fabs(s0) / (fabs(s0) + 0.01);
    const double stable = s > -3.3 ? 0.1 + 0.03 * s + 0.9 * elementary_exp(4.8 * s) : 0.0;
    return s < 0 ? stable : 1.0 + 0.63 * sqrt(max_of(0.0, s));
}

typedef struct TransferCoefficients {
    double heat, moisture;
} TransferCoefficients;

/* For the wind as measured [m s-1] and the water's temperature above the air's potential one [K]. */
POINTWISE TransferCoefficients kondo_transfer(double wind, double excess, AirHeights height) {
    const double log_wind = elementary_log(0.1 * height.wind),
                 log_heat = elementary_log(0.1 * height.temperature),
                 log_moisture = elementary_log(0.1 * height.humidity);
    const double log_level = min_of(0.0, log_wind); /* where s_0 is taken */
    const double w = max_of(0.3, wind);
    KondoNeutral c = kondo_neutral(w);
    if (log_wind != 0) /* the drag determines the wind at 10 m, and that the drag */
        for (int n = 0; n < 8; n++) c = kondo_neutral(w / (1.0 + sqrt(c.drag) / KARMAN * log_wind));
    const double root = sqrt(c.drag), profile = 1.0 + root / KARMAN * log_wind; /* U(z_u) / U_10 */
    /* k sqrt(C_D) K_H / C_H, without its pole at C_H = 0 */
    const double heat_profile = KARMAN * root + c.heat * log_heat,
                 level_profile = KARMAN * root + c.heat * log_level,
                 moisture_profile = KARMAN * root + c.moisture * log_moisture;
    const double w_level = w * (1.0 + root / KARMAN * log_level) / profile;
    const double excess_level = excess * level_profile / heat_profile;
    const double decades = 1.0 - log_level / 2.302585092994046, scaled = w_level * decades;
    const double factor = kondo_stability(excess_level / (scaled * scaled)) * KARMAN * root / profile;
    TransferCoefficients of;
    of.heat = factor * c.heat / heat_profile;
    of.moisture = factor * c.moisture / moisture_profile;
    return of;
}

#endif
