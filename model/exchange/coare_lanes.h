/* SPDX-License-Identifier: Apache-2.0
 *
 * The iteration of coare.h for a block of columns, as vectors, until the last column has converged. The profiles of stable
 * and of unstable air take most of the time: each kind is computed only if a column of the block has it.
 */
#ifndef MAEOTIS_MODEL_COARE_LANES_H
#define MAEOTIS_MODEL_COARE_LANES_H

#include "model/exchange/coare.h"

#define COARE_ROUNDS 10

typedef struct CoareStates {
    double wind[LANES], air[LANES], density[LANES], viscosity[LANES], excess[LANES], humidity[LANES];
    double latent_heat[LANES], expansion[LANES], sun[LANES], long_wave[LANES], long_wave_per_K[LANES];
    double humidity_per_K[LANES], buoyancy[LANES], per_viscosity[LANES];
    /* of all columns */
    double heat_capacity, gravity;
    AirHeights height;
} CoareStates;

typedef struct CoareTurns {
    double friction[LANES], temperature[LANES], humidity[LANES], skin[LANES];
    double inverse[LANES], gusty[LANES], charnock[LANES], thickness[LANES], stable[LANES], done[LANES];
} CoareTurns;

typedef struct CoareLanes {
    CoareStates state;
    CoareTurns turn;
    CoareLogs heights;
    double inverse[LANES]; /* the L of this round */
    double rough[LANES], rough_heat[LANES];
    double psi_wind[LANES], psi_temperature[LANES], psi_humidity[LANES];
} CoareLanes;

POINTWISE void coare_keep_state(CoareStates *of, int l, const CoareState *s) {
    of->wind[l] = s->wind, of->air[l] = s->air, of->density[l] = s->density, of->viscosity[l] = s->viscosity;
    of->excess[l] = s->excess, of->humidity[l] = s->humidity, of->latent_heat[l] = s->latent_heat;
    of->expansion[l] = s->expansion, of->sun[l] = s->sun, of->long_wave[l] = s->long_wave;
    of->long_wave_per_K[l] = s->long_wave_per_K, of->humidity_per_K[l] = s->humidity_per_K;
    of->buoyancy[l] = s->gravity / s->air, of->per_viscosity[l] = 1.0 / s->viscosity;
}

POINTWISE CoareState coare_find_state(const CoareStates *of, int l, int cool_skin) {
    CoareState s;
    s.wind = of->wind[l], s.air = of->air[l], s.density = of->density[l], s.viscosity = of->viscosity[l];
    s.excess = of->excess[l], s.humidity = of->humidity[l], s.latent_heat = of->latent_heat[l];
    s.expansion = of->expansion[l], s.sun = of->sun[l], s.long_wave = of->long_wave[l];
    s.long_wave_per_K = of->long_wave_per_K[l], s.humidity_per_K = of->humidity_per_K[l];
    s.buoyancy = of->buoyancy[l], s.per_viscosity = of->per_viscosity[l];
    s.heat_capacity = of->heat_capacity, s.gravity = of->gravity;
    s.height.wind = of->height.wind, s.height.temperature = of->height.temperature;
    s.height.humidity = of->height.humidity;
    s.cool_skin = cool_skin;
    return s;
}

POINTWISE void coare_keep_turn(CoareTurns *of, int l, const CoareTurn *t) {
    of->friction[l] = t->scales.friction, of->temperature[l] = t->scales.temperature;
    of->humidity[l] = t->scales.humidity, of->skin[l] = t->scales.skin, of->inverse[l] = t->inverse;
    of->gusty[l] = t->gusty, of->charnock[l] = t->charnock, of->thickness[l] = t->thickness;
    of->stable[l] = t->stable, of->done[l] = t->done;
}

POINTWISE CoareTurn coare_find_turn(const CoareTurns *of, int l) {
    CoareTurn t;
    t.scales.friction = of->friction[l], t.scales.temperature = of->temperature[l];
    t.scales.humidity = of->humidity[l], t.scales.skin = of->skin[l], t.inverse = of->inverse[l];
    t.gusty = of->gusty[l], t.charnock = of->charnock[l], t.thickness = of->thickness[l];
    t.stable = of->stable[l], t.done = of->done[l];
    return t;
}

POINTWISE CoareLogs coare_find_logs(const CoareLanes *c, int l) {
    CoareLogs log;
    log.wind = c->heights.wind, log.temperature = c->heights.temperature, log.humidity = c->heights.humidity;
    log.rough = c->rough[l], log.rough_heat = c->rough_heat[l];
    return log;
}

POINTWISE CoarePsi coare_find_psi(const CoareLanes *c, int l) {
    CoarePsi psi;
    psi.wind = c->psi_wind[l], psi.temperature = c->psi_temperature[l], psi.humidity = c->psi_humidity[l];
    return psi;
}

POINTWISE void coare_psi_t_lanes(const double *inverse, double height, int stable, int unstable,
                                 double *psi) {
    FOR_LANES (l) psi[l] = 0.0;
    if (stable)
        FOR_LANES (l) psi[l] = coare_psi_t_stable(height * inverse[l]);
    if (unstable)
        FOR_LANES (l) {
            const double zeta = height * inverse[l], other = coare_psi_t_unstable(zeta);
            psi[l] = zeta >= 0 ? psi[l] : other;
        }
}

/* For the L of this round, of the columns that have not converged. */
POINTWISE void coare_psi_lanes(CoareLanes *c) {
    const AirHeights height = c->state.height;
    int stable = 0, unstable = 0;
    for (int l = 0; l < LANES; l++) {
        stable |= !(c->turn.done[l] > 0) && c->inverse[l] >= 0;
        unstable |= !(c->turn.done[l] > 0) && !(c->inverse[l] >= 0);
    }
    FOR_LANES (l) c->psi_wind[l] = 0.0;
    if (stable)
        FOR_LANES (l) c->psi_wind[l] = coare_psi_u_stable(height.wind * c->inverse[l]);
    if (unstable)
        FOR_LANES (l) {
            const double zeta = height.wind * c->inverse[l], other = coare_psi_u_unstable(zeta);
            c->psi_wind[l] = zeta >= 0 ? c->psi_wind[l] : other;
        }
    coare_psi_t_lanes(c->inverse, height.temperature, stable, unstable, c->psi_temperature);
    if (height.humidity == height.temperature)
        FOR_LANES (l) c->psi_humidity[l] = c->psi_temperature[l];
    else
        coare_psi_t_lanes(c->inverse, height.humidity, stable, unstable, c->psi_humidity);
}

POINTWISE void coare_begin_of_lane(CoareLanes *c, int l, int cool_skin) {
    const CoareState state = coare_find_state(&c->state, l, cool_skin);
    CoareLogs log = coare_find_logs(c, l);
    CoareTurn turn;
    coare_begin(&state, &log, &turn);
    turn.scales.friction = turn.scales.temperature = turn.scales.humidity = 0.0;
    coare_keep_turn(&c->turn, l, &turn);
    c->rough[l] = log.rough, c->rough_heat[l] = log.rough_heat;
    c->inverse[l] = turn.inverse;
}

POINTWISE void coare_profiles_of_lane(CoareLanes *c, int l, int cool_skin) {
    const CoareState state = coare_find_state(&c->state, l, cool_skin);
    const CoareLogs log = coare_find_logs(c, l);
    CoareTurn turn = coare_find_turn(&c->turn, l);
    coare_profiles(&state, &log, turn.gusty, coare_find_psi(c, l), &turn.scales);
    coare_keep_turn(&c->turn, l, &turn);
}

POINTWISE void coare_inverse_length_of_lane(CoareLanes *c, int l, int cool_skin) {
    const CoareState state = coare_find_state(&c->state, l, cool_skin);
    const CoareTurn turn = coare_find_turn(&c->turn, l);
    CoareLogs log = coare_find_logs(c, l);
    c->inverse[l] = coare_inverse_length(&state, &turn, &log);
    c->rough[l] = log.rough, c->rough_heat[l] = log.rough_heat;
}

POINTWISE void coare_follow_of_lane(CoareLanes *c, int l, int cool_skin) {
    const CoareState state = coare_find_state(&c->state, l, cool_skin);
    const CoareLogs log = coare_find_logs(c, l);
    CoareTurn turn = coare_find_turn(&c->turn, l);
    coare_follow(&state, &log, c->inverse[l], coare_find_psi(c, l), &turn);
    coare_keep_turn(&c->turn, l, &turn);
}

/* From `state` to the scales in `turn`. Columns that are not `wet` are not waited for. */
POINTWISE void coare_iterate(CoareLanes *c, const int *wet, int cool_skin) {
    c->heights = coare_heights(c->state.height);
    FOR_LANES (l) c->rough[l] = c->rough_heat[l] = 0.0;
    FOR_LANES (l) coare_begin_of_lane(c, l, cool_skin);
    for (int l = 0; l < LANES; l++) c->turn.done[l] = wet[l] ? 0.0 : 1.0;
    coare_psi_lanes(c);
    FOR_LANES (l) coare_profiles_of_lane(c, l, cool_skin);
    for (int n = 0; n < COARE_ROUNDS; n++) {
        double left = 0.0;
        for (int l = 0; l < LANES; l++) left += 1.0 - c->turn.done[l];
        if (!(left > 0)) break;
        FOR_LANES (l) coare_inverse_length_of_lane(c, l, cool_skin);
        coare_psi_lanes(c);
        /* two loops: a choice inside would keep the compiler from vectors */
        if (cool_skin)
            FOR_LANES (l) coare_follow_of_lane(c, l, 1);
        else
            FOR_LANES (l) coare_follow_of_lane(c, l, 0);
    }
}

/* Of one column. */
POINTWISE CoareScales coare_scales(const CoareState *s) {
    CoareLanes c;
    int wet[LANES];
    for (int l = 0; l < LANES; l++) coare_keep_state(&c.state, l, s), wet[l] = l == 0;
    c.state.heat_capacity = s->heat_capacity, c.state.gravity = s->gravity, c.state.height = s->height;
    coare_iterate(&c, wet, s->cool_skin);
    return coare_find_turn(&c.turn, 0).scales;
}

#endif
