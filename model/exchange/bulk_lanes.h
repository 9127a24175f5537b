/* SPDX-License-Identifier: Apache-2.0
 *
 * The fluxes of bulk.h for a block of columns, as vectors: a choice between formulas stands outside the loops over lanes.
 */
#ifndef MAEOTIS_MODEL_BULK_LANES_H
#define MAEOTIS_MODEL_BULK_LANES_H

#include "model/exchange/bulk.h"
#include "model/exchange/coare_lanes.h"

/* As in Air. */
typedef struct AirLanes {
    double temperature[LANES], vapour[LANES], pressure[LANES], wind[LANES], sun[LANES];
    double long_wave_down[LANES], cloudiness[LANES];
    AirHeights height;
    SkyLaw sky;
} AirLanes;

typedef struct SkyLanes {
    double coming[LANES], emissivity[LANES], slope[LANES], air[LANES];
} SkyLanes;

typedef struct BulkLanes {
    double sensible[LANES], latent[LANES], long_wave[LANES], evaporation[LANES];
} BulkLanes;

POINTWISE Air air_of_lane(const AirLanes *of, int l) {
    Air air;
    air.temperature = of->temperature[l], air.vapour = of->vapour[l], air.pressure = of->pressure[l];
    air.wind = of->wind[l], air.sun = of->sun[l];
    air.long_wave_down = of->long_wave_down[l], air.cloudiness = of->cloudiness[l];
    air.height.wind = of->height.wind, air.height.temperature = of->height.temperature;
    air.height.humidity = of->height.humidity;
    air.sky = of->sky;
    return air;
}

POINTWISE Sky sky_of_lane(const SkyLanes *of, int l) {
    Sky sky;
    sky.coming = of->coming[l], sky.emissivity = of->emissivity[l];
    sky.slope = of->slope[l], sky.air = of->air[l];
    return sky;
}

POINTWISE void sky_keep(SkyLanes *of, int l, Sky sky) {
    of->coming[l] = sky.coming, of->emissivity[l] = sky.emissivity;
    of->slope[l] = sky.slope, of->air[l] = sky.air;
}

POINTWISE void bulk_keep(BulkLanes *of, int l, BulkFlux flux) {
    of->sensible[l] = flux.sensible, of->latent[l] = flux.latent;
    of->long_wave[l] = flux.long_wave, of->evaporation[l] = flux.evaporation;
}

POINTWISE void sky_lane_by(SkyLanes *sky, int l, SkyLaw law, const AirLanes *lanes) {
    const Air air = air_of_lane(lanes, l);
    const Sky by_law = sky_by(law, &air), given = sky_given(air.long_wave_down);
    const int is_given = air.long_wave_down >= 0;
    sky->coming[l] = is_given ? given.coming : by_law.coming;
    sky->emissivity[l] = is_given ? given.emissivity : by_law.emissivity;
    sky->slope[l] = by_law.slope, sky->air[l] = by_law.air;
}

POINTWISE void sky_lanes(const AirLanes *air, SkyLanes *sky) {
    int given = 1;
    for (int l = 0; l < LANES; l++) given &= air->long_wave_down[l] >= 0;
    if (given)
        FOR_LANES (l) sky_keep(sky, l, sky_given(air->long_wave_down[l]));
    else if (air->sky == SKY_BIGNAMI)
        FOR_LANES (l) sky_lane_by(sky, l, SKY_BIGNAMI, air);
    else if (air->sky == SKY_JOSEY)
        FOR_LANES (l) sky_lane_by(sky, l, SKY_JOSEY, air);
    else
        FOR_LANES (l) sky_lane_by(sky, l, SKY_BERLIAND, air);
}

POINTWISE void coare_state_of_lane(CoareStates *states, int l, const AirLanes *lanes, const SkyLanes *sky,
                                   double water, double salinity, int cool_skin) {
    const Air air = air_of_lane(lanes, l);
    const CoareState state = coare_state(&air, sky_of_lane(sky, l), water, salinity, cool_skin);
    coare_keep_state(states, l, &state);
}

POINTWISE void bulk_lanes_coare(const AirLanes *air, const SkyLanes *sky, const double *water,
                                const double *salinity, const int *wet, int cool_skin, BulkLanes *flux) {
    CoareLanes c;
    c.state.heat_capacity = AIR_HEAT_CAPACITY, c.state.gravity = STANDARD_GRAVITY;
    c.state.height = air->height;
    if (cool_skin)
        FOR_LANES (l) coare_state_of_lane(&c.state, l, air, sky, water[l], salinity[l], 1);
    else
        FOR_LANES (l) coare_state_of_lane(&c.state, l, air, sky, water[l], salinity[l], 0);
    coare_iterate(&c, wet, cool_skin);
    FOR_LANES (l) {
        const CoareState state = coare_find_state(&c.state, l, cool_skin);
        const CoareTurn turn = coare_find_turn(&c.turn, l);
        bulk_keep(flux, l, coare_flux(&state, turn.scales, sky_of_lane(sky, l), water[l]));
    }
}

/* `water`, `salinity`: temperature [deg C] and practical salinity of the upper layer; the skin is colder with
 * COARE's cool skin. What comes out for columns that are not `wet` is of no use. */
POINTWISE void bulk_lanes(BulkLaw law, int cool_skin, const AirLanes *air, const double *water,
                          const double *salinity, const int *wet, BulkLanes *flux) {
    SkyLanes sky;
    sky_lanes(air, &sky);
    if (law == BULK_KONDO)
        FOR_LANES (l) {
            const Air here = air_of_lane(air, l);
            bulk_keep(flux, l, bulk_kondo(&here, sky_of_lane(&sky, l), water[l], salinity[l]));
        }
    else
        bulk_lanes_coare(air, &sky, water, salinity, wet, cool_skin, flux);
}

/* Of one column. */
POINTWISE BulkFlux bulk_flux(BulkLaw law, int cool_skin, const Air *air, double water, double salinity) {
    AirLanes lanes;
    double waters[LANES], salinities[LANES];
    int wet[LANES];
    BulkLanes of;
    BulkFlux flux;
    for (int l = 0; l < LANES; l++) {
        lanes.temperature[l] = air->temperature, lanes.vapour[l] = air->vapour;
        lanes.pressure[l] = air->pressure, lanes.wind[l] = air->wind, lanes.sun[l] = air->sun;
        lanes.long_wave_down[l] = air->long_wave_down, lanes.cloudiness[l] = air->cloudiness;
        waters[l] = water, salinities[l] = salinity, wet[l] = l == 0;
    }
    lanes.height = air->height, lanes.sky = air->sky;
    bulk_lanes(law, cool_skin, &lanes, waters, salinities, wet, &of);
    flux.sensible = of.sensible[0], flux.latent = of.latent[0];
    flux.long_wave = of.long_wave[0], flux.evaporation = of.evaporation[0];
    return flux;
}

#endif
