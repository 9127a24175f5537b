/* SPDX-License-Identifier: Apache-2.0
 *
 * Transfer of heat and vapour between air and sea by COARE 3.5: C. W. Fairall and others, J. Climate 16 (2003)
 * 571-591, with the roughness of model/forcing/coare_roughness.h. With S the wind with gusts and k von
 * Karman's constant, the scales of friction, temperature and humidity obey
 *
 *     u* = k S / (ln(z_u/z_0) - psi_u(z_u/L)),                S^2 = U^2 + u_g^2
 *     T* = -k (T_s - theta) / (ln(z_t/z_T) - psi_t(z_t/L)),   q* likewise
 *     1/L = k g (T* + 0.61 T_a q*) / (T_a u*^2)
 *     z_T = z_q = min(1.6e-4 m, 5.8e-5 m Re^-0.72),           Re = u* z_0 / nu
 *     u_g = 1.2 (B z_i)^(1/3), at least 0.2 m/s               B = -g u* (T* + 0.61 T_a q*) / T_a > 0
 *
 * and the fluxes out of the water are -rho_a c_a u* T* and -rho_a L_e u* q*. Convection reaches z_i = 600 m.
 *
 * Cool skin: C. W. Fairall and others, J. Geophys. Res. 101 (1996) 1295-1308. The skin that gives off the heat
 * Q is colder than the water below by Q d / (0.6 W m-1 K-1); its thickness d follows from u* and the buoyancy
 * of the cooled water.
 */
#ifndef MAEOTIS_MODEL_COARE_H
#define MAEOTIS_MODEL_COARE_H

#include "model/exchange/coare_psi.h"
#include "model/exchange/long_wave.h"
#include "model/forcing/coare_roughness.h"

/* What the iteration needs of air and water. */
typedef struct CoareState {
    double wind;               /* [m s-1] */
    double air;                /* absolute temperature [K] */
    double density, viscosity; /* of the air [kg m-3], [m2 s-1] */
    double heat_capacity;      /* of the air [J kg-1 K-1] */
    double excess, humidity;   /* of water over air: potential temperature [K], specific humidity */
    double latent_heat;        /* [J kg-1] */
    double gravity;            /* [m s-2] */
    AirHeights height;
    /* of the cool skin */
    int cool_skin;
    double expansion;       /* of the water [K-1] */
    double sun, long_wave;  /* into the water; long waves for a skin without cooling [W m-2] */
    double long_wave_per_K; /* that a colder skin emits less [W m-2 K-1] */
    double humidity_per_K;  /* of the saturation [K-1] */
    /* of the above, found once: g / T_a [m s-2 K-1], 1 / viscosity [s m-2] */
    double buoyancy, per_viscosity;
} CoareState;

/* Thermal expansion of the sea [K-1]; temperature [deg C] */
POINTWISE double coare_expansion(double temperature) {
    return 2.1e-5 * elementary_power(max_of(0.1, temperature + 3.2), 0.79);
}

typedef struct CoareScales {
    double friction, temperature, humidity; /* u* [m s-1], T* [K], q* */
    double skin;                            /* its temperature deficit [K] */
} CoareScales;

/* Thickness of the cool skin [m], for the heat that leaves it [W m-2]; `evaporating`: the latent part. */
POINTWISE double coare_skin_thickness(const CoareState *s, double friction, double heat, double evaporating) {
    const double capacity = 4000.0, density = 1022.0, viscosity = 1e-6, conductivity = 0.6;
    const double buoyant = s->expansion * heat + 0.026 * evaporating * capacity / s->latent_heat;
    const double water_friction = sqrt(s->density / density) * friction;
    if (!(buoyant > 0)) return min_of(0.01, 6.0 * viscosity / water_friction);
    const double rv = density * viscosity, f2 = friction * friction;
    const double big = 16.0 * s->gravity * capacity * rv * rv * rv /
                       (conductivity * conductivity * s->density * s->density) * buoyant / (f2 * f2);
    const double root = sqrt(big);
    return 6.0 / coare_cbrt(1.0 + root * sqrt(root)) * viscosity / water_friction;
}

/* The deficit of the skin's temperature, for the scales as they are. */
POINTWISE double coare_skin(const CoareState *s, CoareScales scales, double *thickness) {
    const double sensible = -s->density * s->heat_capacity * scales.friction * scales.temperature;
    const double latent = -s->density * s->latent_heat * scales.friction * scales.humidity;
    const double d = *thickness;
    const double absorbed = s->sun * (0.065 + 11.0 * d - 6.6e-5 / d * (1.0 - elementary_exp(-d / 8e-4)));
    const double leaves = sensible + latent - (s->long_wave + s->long_wave_per_K * scales.skin) - absorbed;
    *thickness = coare_skin_thickness(s, scales.friction, leaves, latent);
    return leaves * *thickness / 0.6;
}

/* Of the lengths that the profiles need, the logarithms: ln z_u, ln z_t, ln z_q, ln z_0, ln z_T (= ln z_q). */
typedef struct CoareLogs {
    double wind, temperature, humidity;
    double rough, rough_heat;
} CoareLogs;

/* z_u/L of the first guess, by the bulk Richardson number. */
POINTWISE double coare_first(const CoareState *s, const CoareLogs *log, double gusty) {
    const double to_wind = log->wind - log->rough, to_heat = log->temperature - log->rough_heat;
    const double c = to_wind * to_wind / to_heat;
    const double deficit = s->cool_skin ? 0.3 : 0.0;
    const double richardson = -s->gravity * s->height.wind / s->air *
                              (s->excess - deficit + 0.61 * s->air * s->humidity) / (gusty * gusty);
    const double critical = -s->height.wind / 600.0 / 0.004 / (1.2 * 1.2 * 1.2);
    return richardson < 0 ? c * richardson / (1.0 + richardson / critical)
                          : c * richardson * (1.0 + 3.0 * richardson / c);
}

/* psi_u(z_u/L), psi_t(z_t/L), psi_t(z_q/L). */
typedef struct CoarePsi {
    double wind, temperature, humidity;
} CoarePsi;

/* In calm stable air the iteration may drive u* to nothing, and the cool skin with it to infinity. Here air's own viscosity, 1.5e-5 m2 s-1,
 * already carries as much over 10 m. [m s-1] */
#define LEAST_FRICTION 1e-6

/* u*, T*, q* for the profiles of an L. */
POINTWISE void coare_profiles(const CoareState *s, const CoareLogs *log, double gusty, CoarePsi psi,
                              CoareScales *scales) {
    const double of_wind = log->wind - log->rough - psi.wind;
    const double of_heat = log->temperature - log->rough_heat - psi.temperature;
    const double of_vapour = log->humidity - log->rough_heat - psi.humidity;
    const double share = KARMAN / (of_wind * of_heat * of_vapour); /* one division for three */
    scales->friction = max_of(LEAST_FRICTION, gusty * (share * of_heat * of_vapour));
    scales->temperature = -(s->excess - scales->skin) * (share * of_wind * of_vapour);
    scales->humidity = -(s->humidity - s->humidity_per_K * scales->skin) * (share * of_wind * of_heat);
}

POINTWISE double coare_gusts(const CoareState *s, CoareScales scales, double virtual_temperature) {
    const double buoyancy = -s->buoyancy * scales.friction * virtual_temperature;
    return buoyancy > 0 ? 1.2 * coare_cbrt(buoyancy * 600.0) : 0.2;
}

POINTWISE double coare_virtual(const CoareState *s, CoareScales scales) {
    return scales.temperature + 0.61 * s->air * scales.humidity;
}

/* ln z_0 and ln z_T of a friction velocity. */
POINTWISE void coare_roughness(const CoareState *s, double charnock, double friction, CoareLogs *log) {
    const double rough = charnock * friction * friction * (1.0 / s->gravity) + 0.11 * s->viscosity / friction;
    log->rough = coare_log(rough);
    /* ln 1.6e-4 m and ln 5.8e-5 m */
    log->rough_heat = min_of(-8.740336742730447,
                             -9.755067547417855 - 0.72 * coare_log(friction * rough * s->per_viscosity));
}

#define LOG_10 2.302585092994046

/* The logarithms of the heights; those of the roughness are to follow. */
POINTWISE CoareLogs coare_heights(AirHeights height) {
    CoareLogs log;
    log.wind = elementary_log(height.wind);
    log.temperature = elementary_log(height.temperature);
    log.humidity = elementary_log(height.humidity);
    log.rough = log.rough_heat = 0.0;
    return log;
}

/* Between two rounds of the iteration. */
typedef struct CoareTurn {
    CoareScales scales;
    double inverse;                    /* 1/L [m-1] */
    double gusty, charnock, thickness; /* S [m s-1], alpha, of the cool skin [m] */
    double stable;                     /* z_u/L of the first guess */
    double done;                       /* 1 when it has converged */
} CoareTurn;

/* The first guess of L on a first guess of the roughness; the scales are to follow. */
POINTWISE void coare_begin(const CoareState *s, CoareLogs *log, CoareTurn *turn) {
    const double wind = max_of(0.0, s->wind), gusty = sqrt(wind * wind + 0.25);
    const double first_10 = gusty * 5.0 * LOG_10 / (log->wind + 4.0 * LOG_10); /* on a roughness of 1e-4 m */
    coare_roughness(s, 0.011, 0.035 * first_10, log);
    log->rough_heat =
        LOG_10 - KARMAN * KARMAN / (1.15e-3 * (LOG_10 - log->rough)); /* C_H of 1.15e-3 at 10 m */
    turn->stable = coare_first(s, log, gusty);
    turn->inverse = turn->stable / s->height.wind;
    turn->gusty = gusty;
    turn->thickness = 1e-3;
    turn->charnock = coare_charnock(first_10);
    turn->scales.skin = s->cool_skin ? 0.3 : 0.0;
    turn->done = 0.0;
}

/* 1/L that the scales give, and the roughness. */
POINTWISE double coare_inverse_length(const CoareState *s, const CoareTurn *turn, CoareLogs *log) {
    const double friction = turn->scales.friction;
    coare_roughness(s, turn->charnock, friction, log);
    return KARMAN * s->buoyancy * coare_virtual(s, turn->scales) / (friction * friction);
}

/* The rest of a round, from the profiles on. What has converged stays as it is: the columns of a block go on together,
 * without branches. It has when neither L nor u* changes: L alone may happen to equal that of the first guess. Where L is
 * far below the heights, the iteration need not converge: its first round counts. */
POINTWISE void coare_follow(const CoareState *s, const CoareLogs *log, double inverse, CoarePsi psi,
                            CoareTurn *turn) {
    const double wind = max_of(0.0, s->wind), friction = turn->scales.friction, done = turn->done;
    CoareScales scales;
    scales.skin = turn->scales.skin;
    coare_profiles(s, log, turn->gusty, psi, &scales);
    const double gusts = coare_gusts(s, scales, coare_virtual(s, scales));
    const double gusty = sqrt(wind * wind + gusts * gusts);
    double thickness = turn->thickness;
    if (s->cool_skin) scales.skin = coare_skin(s, scales, &thickness);
    const double charnock = coare_charnock(scales.friction * wind / (KARMAN * gusty) * (LOG_10 - log->rough));
    const double settled = fabs(scales.friction - friction) < 1e-4 * friction ? 1.0 : done;
    const double close = fabs(inverse - turn->inverse) < 1e-4 * fabs(inverse) ? settled : done;
    turn->scales.friction = done > 0 ? friction : scales.friction;
    turn->scales.temperature = done > 0 ? turn->scales.temperature : scales.temperature;
    turn->scales.humidity = done > 0 ? turn->scales.humidity : scales.humidity;
    turn->scales.skin = done > 0 ? turn->scales.skin : scales.skin;
    turn->inverse = done > 0 ? turn->inverse : inverse;
    turn->gusty = done > 0 ? turn->gusty : gusty;
    turn->thickness = done > 0 ? turn->thickness : thickness;
    turn->charnock = done > 0 ? turn->charnock : charnock;
    turn->done = turn->stable > 50.0 ? 1.0 : close;
}

#endif
