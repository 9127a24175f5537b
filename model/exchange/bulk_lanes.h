/* SPDX-License-Identifier: Apache-2.0
 *
 * The fluxes of bulk.h for a block of columns: the rounds of COARE's iteration, which take nearly all of the time, as
 * vectors, until the last column has converged. The same bits as column by column.
 */
#ifndef MAEOTIS_MODEL_BULK_LANES_H
#define MAEOTIS_MODEL_BULK_LANES_H

#include "model/exchange/bulk.h"

typedef struct CoareStates {
    double wind[LANES], air[LANES], density[LANES], viscosity[LANES], excess[LANES], humidity[LANES];
    double latent_heat[LANES], expansion[LANES], sun[LANES], long_wave[LANES], long_wave_per_K[LANES];
    double humidity_per_K[LANES];
} CoareStates;

typedef struct CoareTurns {
    double friction[LANES], temperature[LANES], humidity[LANES], skin[LANES];
    double inverse[LANES], gusty[LANES], charnock[LANES], thickness[LANES], stable[LANES], done[LANES];
} CoareTurns;

POINTWISE void coare_keep_state(CoareStates *of, int l, const CoareState *s) {
    of->wind[l] = s->wind, of->air[l] = s->air, of->density[l] = s->density, of->viscosity[l] = s->viscosity;
    of->excess[l] = s->excess, of->humidity[l] = s->humidity, of->latent_heat[l] = s->latent_heat;
    of->expansion[l] = s->expansion, of->sun[l] = s->sun, of->long_wave[l] = s->long_wave;
    of->long_wave_per_K[l] = s->long_wave_per_K, of->humidity_per_K[l] = s->humidity_per_K;
}

/* Heights and the choice of the skin are those of all columns. */
POINTWISE void coare_find_state(const CoareStates *of, int l, AirHeights height, int cool_skin,
                                CoareState *s) {
    s->wind = of->wind[l], s->air = of->air[l], s->density = of->density[l], s->viscosity = of->viscosity[l];
    s->excess = of->excess[l], s->humidity = of->humidity[l], s->latent_heat = of->latent_heat[l];
    s->expansion = of->expansion[l], s->sun = of->sun[l], s->long_wave = of->long_wave[l];
    s->long_wave_per_K = of->long_wave_per_K[l], s->humidity_per_K = of->humidity_per_K[l];
    s->heat_capacity = AIR_HEAT_CAPACITY, s->gravity = STANDARD_GRAVITY;
    s->height.wind = height.wind, s->height.temperature = height.temperature,
    s->height.humidity = height.humidity;
    s->cool_skin = cool_skin;
}

POINTWISE void coare_keep_turn(CoareTurns *of, int l, const CoareTurn *t) {
    of->friction[l] = t->scales.friction, of->temperature[l] = t->scales.temperature;
    of->humidity[l] = t->scales.humidity, of->skin[l] = t->scales.skin, of->inverse[l] = t->inverse;
    of->gusty[l] = t->gusty, of->charnock[l] = t->charnock, of->thickness[l] = t->thickness;
    of->stable[l] = t->stable, of->done[l] = t->done;
}

POINTWISE void coare_find_turn(const CoareTurns *of, int l, CoareTurn *t) {
    t->scales.friction = of->friction[l], t->scales.temperature = of->temperature[l];
    t->scales.humidity = of->humidity[l], t->scales.skin = of->skin[l], t->inverse = of->inverse[l];
    t->gusty = of->gusty[l], t->charnock = of->charnock[l], t->thickness = of->thickness[l];
    t->stable = of->stable[l], t->done = of->done[l];
}

POINTWISE void coare_round_of_lane(const CoareStates *states, CoareTurns *turns, int l, AirHeights height,
                                   int cool_skin) {
    CoareState state;
    CoareTurn turn;
    coare_find_state(states, l, height, cool_skin, &state);
    coare_find_turn(turns, l, &turn);
    coare_round(&state, &turn);
    coare_keep_turn(turns, l, &turn);
}

/* Columns that are not `wet` are not waited for. */
POINTWISE void coare_lanes(const Air *air, const double *water, const double *salinity, const int *wet,
                           int cool_skin, BulkFlux *flux) {
    CoareState state[LANES];
    CoareStates states;
    CoareTurns turns;
    for (int l = 0; l < LANES; l++) {
        CoareTurn turn;
        state[l] = coare_state(&air[l], water[l], salinity[l], cool_skin);
        coare_begin(&state[l], &turn);
        if (!wet[l]) turn.done = 1.0;
        coare_keep_state(&states, l, &state[l]);
        coare_keep_turn(&turns, l, &turn);
    }
    const AirHeights height = air[0].height;
    for (int n = 0; n < COARE_ROUNDS; n++) {
        double left = 0.0;
        for (int l = 0; l < LANES; l++) left += 1.0 - turns.done[l];
        if (!(left > 0)) break;
        /* two loops: a choice inside would keep the compiler from vectors */
        if (cool_skin)
            FOR_LANES (l) coare_round_of_lane(&states, &turns, l, height, 1);
        else
            FOR_LANES (l) coare_round_of_lane(&states, &turns, l, height, 0);
    }
    for (int l = 0; l < LANES; l++) {
        CoareTurn turn;
        coare_find_turn(&turns, l, &turn);
        flux[l] = coare_flux(&state[l], turn.scales, &air[l], water[l]);
    }
}

POINTWISE void bulk_lanes(BulkLaw law, int cool_skin, const Air *air, const double *water,
                          const double *salinity, const int *wet, BulkFlux *flux) {
    if (law == BULK_KONDO)
        for (int l = 0; l < LANES; l++) flux[l] = bulk_kondo(&air[l], water[l], salinity[l]);
    else
        coare_lanes(air, water, salinity, wet, cool_skin, flux);
}

#endif
