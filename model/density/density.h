/* SPDX-License-Identifier: Apache-2.0
 *
 * The density of the water, from its temperature and salinity, and the baroclinic pressure.
 *
 *     rho' = rho(T, S, p) - rho_0,   rho_0 the constant density of the momentum equation
 *     b    = rho' - P(z) - delta
 *     p(z) = g/rho_0 * integral of b from z to the surface                                     [m2 s-2]
 *
 * P may be any function of height alone: it has no horizontal gradient, and the remainder b causes only small
 * errors on tilted layers. If the initial stratification depends on z alone, P is that stratification,
 * sampled from its formulas at fine steps, with cubic polynomials in between; otherwise P is 0. delta is, for
 * each cell, the initial difference between rho' and P, so that a stratification at rest has b = 0 to the
 * last bit, on partial cells too. On layers along the bed, where the remainder's errors are larger, P is
 * otherwise the profile nearest to all initial columns (mean_profile.h), and the heights at which P has the density
 * of the water (rest_heights.h) keep the energy of waves (momentum/restoring.h). The weight of
 * rho' itself on a tilted surface, a part rho'/rho_0 of g eta_x, is neglected (Boussinesq).
 *
 * EOS-80 and TEOS-10 take p of the depth below the highest initial level, p = rho_0 g depth: a function of
 * height alone, so that compression by itself moves nothing. If the initial stratification is no function of
 * height, P is the compression of water of the reference temperature and salinity. `state->density` is that
 * at the pressure of the surface.
 *
 * The integral runs between the middles of layers by the trapezoid rule, which is exact for a linear
 * stratification; up to the surface, the line through the two uppermost middles is extrapolated. With ground inside cells
 * a middle is where half of the layer's volume lies above it (subgrid_middles). The gradient is in
 * model/momentum/baroclinic.h, and what uneven stratifications have beside it (on layers at fixed
 * heights only) in momentum/levers.h.
 */
#ifndef MAEOTIS_MODEL_DENSITY_H
#define MAEOTIS_MODEL_DENSITY_H

#include "model/boundary/boundaries.h"
#include "model/density/density_columns.h"
#include "model/density/layering.h"
#include "model/state.h"
#include "model/subgrid/subgrid.h"
#include "numerics/grid/halo.h"

typedef struct Density {
    double *anomaly;  /* b [kg m-3], with halo */
    double *pressure; /* p at the middle of cells [m2 s-2], with halo */
    double *surface;  /* b at the surface, with halo */
    double *delta;    /* NULL: P is not the initial stratification */
    double *below;    /* of subgrid_kernels.h, with halo; NULL: cells are even */
    Layering layering;
    RestHeights rest; /* on layers along the bed */
    RestTable table;
    double *profile; /* P at equal steps */
    double profile_bottom, profile_step;
    int profile_count;
    bool stratified;    /* P is the initial stratification */
    double compression; /* pressure per depth [dbar m-1]; 0: none */
    double level;       /* highest initial level [m] */
} Density;

/* For a state at its first moment; NULL where the density is constant. `inside`: the ground in cells; NULL: they are even.
 * Collective. */
CHECKED Status density_create(const Scenario *scenario, Exec exec, const Subgrid *inside, Halo *halo,
                              State *state, Density **out);
void density_destroy(const Grid *grid, Density **density);

/* Density and pressure of the state as it is: after each step and at its start. Collective. */
void density_update(Density *density, const Scenario *scenario, Exec exec, const Subgrid *inside, Halo *halo,
                    Boundaries *boundaries, double time, State *state);

#endif
