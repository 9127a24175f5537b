/* SPDX-License-Identifier: Apache-2.0
 *
 * For closed and periodic seas with smooth flow: advection of momentum along the layers by compact differences
 * of sixth order,
 *
 *     u_t = - 1/2 (u d_x u + d_x (u u)) - 1/2 (v d_y u + d_y (v u)) + 1/2 u (u_x + v_y)     (v alike)
 *
 * d_x and d_y are skew-symmetric along lines of u between the coasts, which mirror the flow: u is odd about
 * the wall that it flows against, even about one alongside (odd with no slip). So the first two terms change
 * no energy, whatever the flow; the last is 0 where layers exchange no water, and makes the whole the
 * advective form, so that even flow stays even. v at the faces of u comes from compact means. In it u_x + v_y
 * is the divergence that continuity sees: the mean of that of the face's two cells.
 *
 * The acceleration is advanced by Adams-Bashforth (terms.h); what goes
 * through the layers' upper and lower faces stays with advection.h. The second-order Adams-Bashforth scheme
 * lets waves grow by about (Courant number * wave number)^4 / 4 in a step. The filter (compact.h) works on the
 * velocity at the start of the step, first along its own direction, then across; with its default strength of
 * 0.1 the fastest wave grows by 1.5e-5 in a step at a Courant number (that of u and of v together) of 0.2, by
 * 3e-4 at 0.25, and by 5e-3 at 0.3, where the flow breaks within some hundred steps. So COMPACT_COURANT is the
 * most that automatic steps take.
 *
 * Neither of two schemes of third order does better, for the surface acts at the new time. Its shortest waves change sign
 * from step to step by -(1 - theta)/theta, and the weights of the past, of both signs, add up: 2 here, 11/3 in the
 * third-order Adams-Bashforth scheme, which breaks at a Courant number of 0.3 in 25 steps. Stages of Runge and Kutta
 * are stable there, but know nothing of the pressure in the middle of the step: a pair of vortices loses 8 % of its
 * energy in 6 h.
 *
 * Explicit advection of any kind makes short waves of the surface grow where theta is 1/2: by 2 A G^3/(1 +
 * G^2)^2 in a step for the half of them that run with the flow, A being the flow's Courant number times the
 * wave number, G half the waves' Courant number. From theta = 0.55 on, the surface takes more from them than
 * that.
 *
 * It costs 16 solutions of lines in a step: over an uneven bed about 4 more times what the step took, and
 * eight times the memory, since the rows of lines that land breaks are kept one by one.
 *
 * With compact viscosity, nu (d_xx u + d_yy u) is a part of that acceleration: the second derivatives of sixth order of
 * compact.h, in the same pass along the lines (line_transport.h). Its shortest wave falls by 48/7 nu dt (1/dx^2 + 1/dy^2) in a step,
 * of which the second-order Adams-Bashforth scheme bears 1; scenario_compact_step allows 6/7 of that.
 *
 * With an inner region of N cells (inner.h) the acceleration and the filter's change are taken times a weight that
 * grows from 0 at N cells from all that is not whole water to 1 at 2 N cells, and the ordinary advection with what is
 * left of 1. Lines run through the whole sea all the same: what they find near the coast reaches N cells inward as
 * 0.38^N.
 *
 * Limits: fronts ring, as nothing limits the fluxes. Flooding and grids on the sphere: not here; use "tvd". Partial
 * cells and open boundaries: outside the inner region alone. Coasts are taken as straight between cells.
 */
#ifndef MAEOTIS_MODEL_COMPACT_ADVECTION_H
#define MAEOTIS_MODEL_COMPACT_ADVECTION_H

#include "model/momentum/momentum.h"
#include "numerics/grid/halo.h"
#include "numerics/lines/lines.h"

#define COMPACT_COURANT 0.2

typedef struct CompactAdvectionOptions {
    double dx, dy; /* [m] */
    bool no_slip;
    double filter;    /* 0: none; else 1 - 2 a of the filter, up to 1 */
    int inner_cells;  /* 0: everywhere */
    double viscosity; /* by compact differences [m2 s-1] */
    LineChoice lines;
} CompactAdvectionOptions;

typedef struct CompactAdvection CompactAdvection;

/* Gives both components' faces their `carried` and `advective`, and with an inner region their `outer`. Collective. */
CHECKED Status compact_advection_create(const Grid *grid, Halo *halo, const CompactAdvectionOptions *options,
                                        Faces *u, Faces *v, CompactAdvection **out);
void compact_advection_destroy(CompactAdvection **advection);

/* carried: the velocities, filtered; advective: their acceleration along the layers. Velocities have valid
 * halos. Collective. */
void compact_advection_update(CompactAdvection *advection, Halo *halo, const Faces *u, const Faces *v);

#endif
