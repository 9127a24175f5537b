/* SPDX-License-Identifier: Apache-2.0
 *
 * The terms of the momentum equation (momentum.h) and their sum over one step.
 *
 * Each term is a function in its own header. It returns the acceleration in one layer of a block of faces, or
 * 0 if the scenario has no such term. A new term needs a row in the table, a call in terms_find (in
 * terms_begin if it is the same in all layers) and a place in momentum_sum.
 *
 * Not in this sum, because the vertical line takes them at the new time (vertical.h): vertical viscosity, bed
 * drag, what else brakes layers (brakes.h), and the change of the surface slope during the step. Horizontal
 * viscosity is in it where it is weak, and else comes after it (viscous_stages.h).
 */
#ifndef MAEOTIS_MODEL_MOMENTUM_TERMS_H
#define MAEOTIS_MODEL_MOMENTUM_TERMS_H

#include "model/momentum/advection.h"
#include "model/momentum/air_pressure.h"
#include "model/momentum/baroclinic.h"
#include "model/momentum/centred.h"
#include "model/momentum/compact/compact_term.h"
#include "model/momentum/coriolis.h"
#include "model/momentum/nonhydrostatic.h"
#include "model/momentum/stokes_rise.h"
#include "model/momentum/surface_slope.h"
#include "model/momentum/tidal_potential.h"
#include "model/momentum/viscosity.h"
#include "model/momentum/wind_stress.h"

/* How a term enters the step. */
typedef enum TermTime {
    /* acceleration at the beginning of the step [m s-2] */
    TERM_AT_START,
    /* the same, times 1 + r (surface_slope.h) */
    TERM_OF_PRESSURE,
    /* acceleration, extrapolated from the last step and this one to the middle of the step [m s-2] */
    TERM_ADAMS_BASHFORTH,
    /* change of the velocity over the step, bounded for any length of it [m s-1]; the implicit scheme
     * (implicit.h) has it in its matrix instead */
    TERM_OVER_STEP,
    /* force on the topmost layer, per area and density [m2 s-2] */
    TERM_AT_SURFACE
} TermTime;

/* TERM(function, time, its name in messages, advice if it is the largest term when a run fails) */
#define MOMENTUM_TERMS(TERM)                                                                                 \
    TERM(surface_slope, TERM_OF_PRESSURE, "the surface slope",                                               \
         "look at boundary levels and the initial level near the cell")                                      \
    TERM(wind_stress, TERM_AT_SURFACE, "the wind stress",                                                    \
         "look at the wind there, lower forcing.wind.drag.cap_m_s, or raise "                                \
         "physics.free_surface.full_stress_depth_m")                                                         \
    TERM(air_pressure, TERM_OF_PRESSURE, "air pressure", "look for a jump in the pressure field")            \
    TERM(tidal_potential, TERM_OF_PRESSURE, "the tidal potential",                                           \
         "look at the latitudes of the grid, or raise forcing.tidal_potential.ramp_s")                       \
    TERM(stokes_rise, TERM_AT_START, "the change of the waves' drift",                                       \
         "look for a jump in the height of waves")                                                           \
    TERM(baroclinic, TERM_AT_START, "differences of density",                                                \
         "look for a jump in temperature or salinity near the cell, or shorten time.step_s")                 \
    TERM(nonhydrostatic, TERM_OF_PRESSURE, "non-hydrostatic pressure",                                       \
         "shorten time.step_s, or set physics.pressure to \"hydrostatic\"")                                  \
    TERM(advection, TERM_OVER_STEP, "momentum advection", "set physics.momentum.advection to \"upwind\"")    \
    TERM(compact_advection, TERM_ADAMS_BASHFORTH, "compact advection",                                       \
         "set physics.momentum.advection to \"tvd\", or raise physics.momentum.filter")                      \
    TERM(horizontal_viscosity, TERM_OVER_STEP, "horizontal viscosity",                                       \
         "lower physics.momentum.horizontal_viscosity_m2_s")                                                 \
    TERM(f_cross_u, TERM_AT_START, "the Coriolis force", "check physics.coriolis")

#define MOMENTUM_TERM_NUMBER_(name, time, words, advice) MOMENTUM_TERM_##name,
#define MOMENTUM_TERM_LANES_(name, time, words, advice)  double name[LANES];

enum { MOMENTUM_TERMS(MOMENTUM_TERM_NUMBER_) MOMENTUM_TERM_COUNT };

/* The terms in one layer of a block of faces. */
typedef struct Terms {
    MOMENTUM_TERMS(MOMENTUM_TERM_LANES_)
    double growth[LANES]; /* 1 + r, of surface_slope.h */
    /* what enters a velocity cell in a step over its volume; layer by layer the most */
    double entering[LANES];
    Baroclinic hydrostatic;
    Overhead overhead;
    Middle middle;
    Turning turning;
} Terms;

/* The terms that are the same in all layers. */
POINTWISE void terms_begin(const Momentum *a, const Place *top, Terms *t) {
    middle_begin(a, top->n, top->first, &t->middle);
    pressure_growth(a, top->first, top->j, &t->middle, t->growth);
    surface_slope(a, top, t->surface_slope);
    air_pressure(a, top, t->air_pressure);
    tidal_potential(a, top, t->tidal_potential);
    baroclinic_begin(a, top->first, top->j, &t->hydrostatic);
    overhead_begin(a, top, &t->overhead);
    turning_begin(a, top->first, top->j, &t->turning);
    FOR_LANES (l) t->entering[l] = 0.0;
}

/* The other terms, layer by layer from the surface down. */
POINTWISE void terms_find(const Momentum *a, const Place *at, Terms *t) {
    wind_stress(a, at, t->wind_stress);
    stokes_rise(a, at, t->stokes_rise);
    baroclinic(a, at, &t->hydrostatic, t->baroclinic);
    nonhydrostatic(a, at, t->nonhydrostatic);
    advection(a, at, &t->middle, &t->overhead, t->advection, t->entering);
    compact_advection(a, at, t->compact_advection);
    FOR_LANES (l) t->horizontal_viscosity[l] = 0.0;
    if (a->viscosity_in_sum)
        horizontal_viscosity(a, at, a->faces.velocity + at->layer, t->horizontal_viscosity);
    f_cross_u(a, at, &t->turning, t->f_cross_u);
}

/* A term at the middle of the step, from this step and the last one, for which `past` keeps it. */
POINTWISE void adams_bashforth(const Momentum *a, const Place *at, const double *now, double *middle) {
    double *past = a->faces.past;
    FOR_LANES (l) middle[l] = 0.0;
    if (!past) return;
    FOR_LANES (l) {
        const bool open = at->n->lowest[l] <= at->k;
        const double before = past[at->layer + l];
        middle[l] = a->current * now[l] + a->previous * before;
        past[at->layer + l] = open ? now[l] : 0.0;
    }
}

/* The sum, times the thickness h [m2 s-2]: `force` is the right-hand side of the vertical line, with the old
 * velocity; the implicit scheme takes `push`, without the terms that are in its matrix. */
POINTWISE void momentum_sum(const Momentum *a, const Place *at, const Terms *t, double *force) {
    const Faces *f = &a->faces;
    const double *u = (f->carried ? f->carried : f->velocity) + at->layer;
    const double *phi = f->phi + at->layer, *depth = f->depth + at->first;
    double push[LANES], middle[LANES];
    adams_bashforth(a, at, t->compact_advection, middle);
    FOR_LANES (l) {
        const bool open = at->n->lowest[l] <= at->k;
        const double h = phi[l] * depth[l];

        const double outer = t->air_pressure[l] + t->tidal_potential[l];
        const double pressure = t->surface_slope[l] + outer + t->nonhydrostatic[l];
        const double at_start =
            t->growth[l] * pressure + t->baroclinic[l] + t->stokes_rise[l] + t->f_cross_u[l];
        const double moved = u[l] + t->advection[l] + t->horizontal_viscosity[l];
        const double at_surface = t->wind_stress[l];

        const double acceleration = at_start + middle[l];
        const double explicit_force = h * (moved / a->dt + acceleration) + at_surface;
        const double implicit_push = h * acceleration + at_surface;

        force[l] = open ? explicit_force : 0.0;
        push[l] = open ? implicit_push : 0.0;
    }
    if (f->push)
        FOR_LANES (l) f->push[at->layer + l] = push[l];
}

#ifdef __cplusplus
extern "C" {
#endif

/* The terms at one face as accelerations, for messages and tests. */
typedef struct TermsAt {
    Momentum momentum;
    int i, j, k;
    double *acceleration; /* MOMENTUM_TERM_COUNT of them [m s-2] */
} TermsAt;

/* `blocks` hold the face. */
void momentum_terms_at(Exec exec, BlockList blocks, TermsAt args);

#ifdef __cplusplus
}
#endif
#endif
