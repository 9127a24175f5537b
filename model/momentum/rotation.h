/* SPDX-License-Identifier: Apache-2.0
 *
 * The Coriolis term at the middle of the step (J. Crank, P. Nicolson, 1947).
 *
 * The momentum schemes find the change b = u* - u_old of both components with the Coriolis term C u_old of
 * the beginning of the step. Here it becomes x with
 *
 *     (1 - dt/2 C) x = b,
 *
 * so that the term is C (u_old + u*)/2. Inertial motion keeps its speed at any step, its period is too long
 * by (f dt)^2/12 of itself, and a flow in balance with its forces stays as it is (b = 0, x = 0). Nothing is
 * kept from step to step.
 *
 * The change of the surface comes afterwards, as a factor of its own:
 *
 *     (1 - dt/2 C) (u_new - u_old + theta g dt grad d) = dt (C u_old - g grad eta_old + other forces)
 *
 * With that, no wave of a sea at rest grows, whatever f dt, the Courant number, theta >= 1/2, and the depths:
 * for changes by the factor (2 + s)/(2 - s) in a step, e = theta - 1/2, and the operator P of the waves
 * (symmetric, its eigenvalues p = (omega dt)^2 >= 0), y = (1 + theta/2 (1 + e s) P) u has
 *
 *     F(s, P) y = dt C y,     F = (s + (1 + e s)^2 p/s) / (1 + theta/2 (1 + e s) p)
 *
 * and Re F > 0 where Re s > 0, but C is skew-symmetric (coriolis.h).
 *
 * The solution is found by iterations of Richardson for u, with K = dt/2 C,
 *
 *     x_u <- x_u + r (b_u + K_uv x_v - x_u),   x_v <- b_v + K_vu x_u,   r = 1 / (1 + (f dt)^2/4),
 *
 * from x_u = 0, x_v = b_v. Each one leaves at most (f dt)^2/4 of the error, and nothing of it where
 * velocities vary little from face to face. The rest is symmetric, as if the mass were a little wrong: without
 * waves there is no growth all the same, and with them it goes with that rest squared (eigenvalues of a round
 * sea of 9 by 9 cells with random depths: at most 1 + 1.5e-9 in a step for f dt up to 0.3).
 */
#ifndef MAEOTIS_MODEL_ROTATION_H
#define MAEOTIS_MODEL_ROTATION_H

#include "model/momentum/momentum.h"
#include "numerics/grid/halo.h"

typedef struct Rotation Rotation;

/* For steps of at most `longest` [s]. NULL if f is 0 everywhere. Collective. */
Rotation *rotation_create(const Grid *grid, double longest);
void rotation_destroy(Rotation **rotation);

/* The largest |f|; 0 for NULL. [s-1] */
double rotation_rate(const Rotation *rotation);

/* In: what the scheme of momentum leaves in both components' `predicted`. Out: predicted and flux_predicted;
 * faces on open boundaries keep both. Collective. */
void rotation_centre(Rotation *rotation, Exec exec, Halo *halo, Momentum u, Momentum v);

/* ---- kernel ---- */

#ifdef __cplusplus
extern "C" {
#endif

/* Of one component: predicted = velocity + kept x + renewed (found - velocity + dt/2 C x_other). */
typedef struct RotationSweep {
    Momentum momentum;
    const double *found; /* what the scheme has left [m s-1] */
    double kept, renewed;
} RotationSweep;

void rotation_sweep(Exec exec, BlockList blocks, RotationSweep args);

#ifdef __cplusplus
}
#endif
#endif
