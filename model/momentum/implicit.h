/* SPDX-License-Identifier: Apache-2.0
 *
 * The implicit scheme of momentum ("matm"): advection, viscosity in all directions and the bed's drag at the
 * new time, one seven-point system per component, not self-adjoint, per unit area of the face:
 *
 *     h/V (V_before/dt (u* - u) + sum over sides of F_in (u* - u*_side)) + h/dt sum of w (u* - u*_side)
 *             + c (u* - u*_below) + c_above (u* - u*_above) + r h u* + gamma u* at the bed
 *         = push + h/V sum of F_in (u^ - u_donor)
 *
 * with the inflow F_in, the volume V and the limited u^ of advection.h (its part of second order is explicit,
 * from the old velocity, and vanishes at Courant number 1), the weights w of viscosity.h, c
 * of vertical.h, r of brakes.h, gamma = Cd |U| as the vertical lines of momentum_predict find it, and
 * their force as push. The fluxes are those that made V of V_before in the last step: the water that was
 * there keeps its momentum, what comes in brings that of its donor, and what leaves has u*. With V in place
 * of V_before momentum is not conserved, and shocks are slow (by 13 % in a dam break at Courant number 0.5).
 * An M-matrix: without forces u* is between the old velocities, or nearer to 0 than these, whatever the
 * step.
 *
 * It comes after momentum_predict, whose u* is where the solver begins, and whose response G stays: the
 * change of the surface acts on each column alone, which is a splitting of first order in the step.
 *
 * No rows, but given values, are: faces on open boundaries; and films thinner than a millimetre, where the
 * exchange between layers is so much larger than h/dt that a matrix loses the latter in its rounding. Both
 * keep what momentum_predict found.
 */
#ifndef MAEOTIS_MODEL_IMPLICIT_H
#define MAEOTIS_MODEL_IMPLICIT_H

#include "model/momentum/momentum.h"
#include "numerics/matm/matm.h"

/* ---- the solver ---- */

typedef struct ImplicitMomentum ImplicitMomentum;

/* For one component, whose `push` and `braking` it makes. Collective. */
CHECKED Status implicit_momentum_create(const Grid *grid, Exec exec, bool along_x, MatmStep step,
                                        MatmPrecision precision, double tolerance, int max_iterations,
                                        Faces *faces, ImplicitMomentum **out);
void implicit_momentum_destroy(ImplicitMomentum **implicit);

/* In: what momentum_predict leaves. Out: predicted, flux_predicted. Collective. */
CHECKED Status implicit_momentum_solve(ImplicitMomentum *implicit, Exec exec, Momentum args,
                                       SolveReport *report);

/* ---- kernels ---- */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ImplicitRows {
    Momentum momentum;
    double *centre, *rhs;
    double *coupling[6]; /* to the sides AHEAD, BEHIND, LEFT, RIGHT, ABOVE, BELOW */
} ImplicitRows;

/* centre, couplings, rhs; predicted is 0 on dry faces. Rows of given values are empty. */
void implicit_assemble(Exec exec, BlockList blocks, ImplicitRows args);

/* flux_predicted of the solution, except for faces on open boundaries. */
void implicit_flux(Exec exec, BlockList blocks, Momentum args);

#ifdef __cplusplus
}
#endif
#endif
