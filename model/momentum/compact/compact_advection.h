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
 * The acceleration is advanced by the third-order Adams-Bashforth scheme (terms.h); what goes through the layers' upper
 * and lower faces stays with advection.h. The scheme damps waves of up to Courant number times modified wave number
 * 0.724, which is at most 1.99 with these differences: Courant numbers (of u and of v together) up to 0.36, with no help
 * of the filter. The second-order scheme lets waves grow at any. The filter (compact.h) works on the
 * velocity at the start of the step, first along its own direction, then across. COMPACT_COURANT is the most that
 * automatic steps take.
 *
 * Explicit advection of any kind makes short waves of the surface grow where theta is 1/2: by 2 A G^3/(1 +
 * G^2)^2 in a step for the half of them that run with the flow, A being the flow's Courant number times the
 * wave number, G half the waves' Courant number. From theta = 0.55 on, the surface takes more from them than
 * that.
 *
 * It costs 16 solutions of lines in a step: over an uneven bed about 4 more times what the step took, and
 * eight times the memory, since the rows of lines that land breaks are kept one by one.
 *
 * Limits: fronts ring, as nothing limits the fluxes. Flooding, partial cells, open boundaries, grids on the
 * sphere: not here; use "tvd". Coasts are taken as straight between cells.
 */
#ifndef MAEOTIS_MODEL_COMPACT_ADVECTION_H
#define MAEOTIS_MODEL_COMPACT_ADVECTION_H

#include "model/momentum/momentum.h"
#include "numerics/grid/halo.h"

#define COMPACT_COURANT 0.3

typedef struct CompactAdvectionOptions {
    double dx, dy; /* [m] */
    bool no_slip;
    double filter;          /* 0: none; else 1 - 2 a of the filter, up to 1 */
    double lines_tolerance; /* 0: exact, see LineChoice */
} CompactAdvectionOptions;

typedef struct CompactAdvection CompactAdvection;

/* Gives both components' faces their `carried` and `advective`. Collective. */
CHECKED Status compact_advection_create(const Grid *grid, const CompactAdvectionOptions *options, Faces *u,
                                        Faces *v, CompactAdvection **out);
void compact_advection_destroy(CompactAdvection **advection);

/* carried: the velocities, filtered; advective: their acceleration along the layers. Velocities have valid
 * halos. Collective. */
void compact_advection_update(CompactAdvection *advection, Halo *halo, const Faces *u, const Faces *v);

#endif
