/* SPDX-License-Identifier: Apache-2.0
 *
 * Fluxes of heat and water between air and sea, from the state of the air. Heat is positive into the water
 * [W m-2].
 *
 *     sensible     rho_a c_a C_H W (theta_a - T_s)     theta_a = T_a + 0.0098 z, the potential temperature
 *     latent       L E,   E = rho_a C_E W (q_a - q_s)  mass per area that evaporates, here negative
 *     C_H, C_E     of wind, temperature and humidity at the heights where they are measured: coare.h, kondo.h
 *     long waves   long_wave.h
 *     short waves  (1 - albedo) down, absorbed over the depth as
 *                  I(z) = R exp(-z/d_1) + (1 - R) exp(-z/d_2)
 *
 * Saturation over water of the practical salinity S: 1 - 0.02 S / 35 of that over fresh water, as COARE 3.6 has
 * it. Light: C. A. Paulson, J. J. Simpson, J. Phys. Oceanogr. 7 (1977) 952-956, for Jerlov's types of water.
 */
#ifndef MAEOTIS_MODEL_BULK_H
#define MAEOTIS_MODEL_BULK_H

#include "model/exchange/coare.h"
#include "model/exchange/kondo.h"

typedef struct BulkFlux {
    double sensible, latent, long_wave; /* [W m-2] */
    double evaporation;                 /* mass, positive out of the water; dew is negative [kg m-2 s-1] */
} BulkFlux;

/* Of air over water, before the choice of a formula. */
typedef struct BulkState {
    double air_humidity, water_humidity, density, excess;
} BulkState;

/* Of the vapour over salt water in that over fresh water. */
POINTWISE double saturation_share(double salinity) {
    return 1.0 - 0.02 / 35.0 * max_of(0.0, salinity);
}

POINTWISE BulkState bulk_state(const Air *air, double water, double salinity) {
    BulkState s;
    s.air_humidity = humidity_of(air->vapour, air->pressure);
    s.water_humidity = humidity_of(saturation_share(salinity) * vapour_saturation(water), air->pressure);
    const double warm = (air->temperature + ZERO_CELSIUS) * (1.0 + 0.61 * s.air_humidity);
    s.density = air->pressure / (AIR_GAS_CONSTANT * warm);
    s.excess = water - air->temperature - ADIABATIC_LAPSE * air->height.temperature;
    return s;
}

POINTWISE BulkFlux bulk_kondo(const Air *air, Sky sky, double water, double salinity) {
    const BulkState s = bulk_state(air, water, salinity);
    const double passing = s.density * air->wind; /* [kg m-2 s-1] */
    const TransferCoefficients c = kondo_transfer(air->wind, s.excess, air->height);
    BulkFlux flux;
    flux.sensible = -AIR_HEAT_CAPACITY * c.heat * passing * s.excess;
    flux.evaporation = c.moisture * passing * (s.water_humidity - s.air_humidity);
    flux.latent = -latent_heat(water) * flux.evaporation;
    flux.long_wave = long_wave_net(sky, water);
    return flux;
}

POINTWISE CoareState coare_state(const Air *air, Sky sky, double water, double salinity, int cool_skin) {
    const BulkState s = bulk_state(air, water, salinity);
    const double t = air->temperature, kelvin = water + ZERO_CELSIUS;
    CoareState c;
    c.wind = air->wind;
    c.air = t + ZERO_CELSIUS;
    c.density = s.density;
    c.viscosity = air_viscosity(t);
    c.heat_capacity = AIR_HEAT_CAPACITY;
    c.excess = s.excess;
    c.humidity = s.water_humidity - s.air_humidity;
    c.latent_heat = latent_heat(water);
    c.gravity = STANDARD_GRAVITY;
    c.height = air->height;
    c.cool_skin = cool_skin;
    c.expansion = cool_skin ? coare_expansion(water) : 0.0;
    c.sun = air->sun;
    c.long_wave = long_wave_net(sky, water);
    c.long_wave_per_K = c.long_wave - long_wave_net(sky, water + 1.0);
    c.humidity_per_K = 0.622 * c.latent_heat * s.water_humidity / (AIR_GAS_CONSTANT * kelvin * kelvin);
    return c;
}

POINTWISE BulkFlux coare_flux(const CoareState *c, CoareScales scales, Sky sky, double water) {
    BulkFlux flux;
    flux.sensible = c->density * AIR_HEAT_CAPACITY * scales.friction * scales.temperature;
    flux.evaporation = -c->density * scales.friction * scales.humidity;
    flux.latent = -c->latent_heat * flux.evaporation;
    flux.long_wave = long_wave_net(sky, water - scales.skin);
    return flux;
}

/* ---- light ---- */

typedef struct Light {
    double red;           /* R */
    double red_m, blue_m; /* d_1, d_2 */
} Light;

/* Part of the light that reaches a depth, of which what is in the water takes exp(-shaded) of the blue. */
POINTWISE double light_at(Light l, double depth, double shaded) {
    return l.red * elementary_exp(-depth / l.red_m) +
           (1.0 - l.red) * elementary_exp(-depth / l.blue_m - shaded);
}

#endif
