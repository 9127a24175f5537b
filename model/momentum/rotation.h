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
 * The change of the surface, d = eta_new - eta_old, comes afterwards, and its gradient c = -theta g dt grad d would not be
 * turned:
 *
 *     (1 - dt/2 C) (u_new - u_old - c) = dt (C u_old - g grad eta_old + other forces)
 *
 * Then not zeta - f eta/H is kept but that plus theta f g dt^2/2 lap(eta), which is little while f dt is small (2 % of
 * the currents beside a step of the level at f dt 0.066), and no wave of a sea at rest grows, whatever f dt, the Courant
 * number, theta >= 1/2, and the depths: for changes by the factor (2 + s)/(2 - s) in a step, e = theta - 1/2, and the
 * operator P of the waves (symmetric, its eigenvalues p = (omega dt)^2 >= 0), y = (1 + theta/2 (1 + e s) P) u has
 *
 *     F(s, P) y = dt C y,     F = (s + (1 + e s)^2 p/s) / (1 + theta/2 (1 + e s) p)
 *
 * and Re F > 0 where Re s > 0, but C is skew-symmetric (coriolis.h).
 *
 * In longer steps, up to f dt 0.5 (`rotation_passes`), the level is found again with what turning c adds, for each level
 * that was found,
 *
 *     u* = u_old + R b + (R - 1) c,     R = (1 - dt/2 C)^-1,
 *
 * until nothing of note changes: with F = s + (1 + e s)^2 p/s, y = u, the same proof holds. Each pass leaves a = f dt/2 of
 * what was amiss; where m passes end, a wave grows by 0.03 a^(2m) in a step at most, and after two by a^2/2 of its
 * surface's energy at half a wave, which theta >= 1/2 + a^2/2 takes back (`rotation_theta`; eigenvalues of the same seas
 * as below). Without that theta two or three passes are unstable. A gradient from the step before in place of passes keeps
 * zeta - f eta/H as well, but grows by 0.03 in a step (f dt 0.3, Courant number 2).
 *
 * The solution is found by iterations of Richardson for u, with K = dt/2 C,
 *
 *     x_u <- x_u + r (b_u + K_uv x_v - x_u),   x_v <- b_v + K_vu x_u,   r = 1 / (1 + (f dt)^2/4),
 *
 * from x_u = 0, x_v = b_v. Each one leaves at most (f dt)^2/4 of the error, and nothing of it where
 * velocities vary little from face to face; up to f dt = 0.066 one is enough: after three days of the Azov Sea in
 * steps of 600 s its error is 1 to 4 % of that of the step's length. The rest is symmetric, as if the mass were a little
 * wrong: without waves there is no growth all the same, and with them it goes with that rest squared (eigenvalues of a
 * round sea of 9 by 9 cells with random depths: at most 1 + 1.5e-9 in a step for f dt up to 0.3).
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

/* How often a step of dt finds its level, with the increment of the time before turned. */
int rotation_passes(const Rotation *rotation, double dt);

/* The least theta with which that is stable. */
double rotation_theta(const Rotation *rotation, double dt);

/* After the level was found: predicted and flux_predicted for the next pass. `increment`: with halo, of pass `done`,
 * from 0. Collective. */
void rotation_follow(Rotation *rotation, Exec exec, Halo *halo, Momentum u, Momentum v, int done);

/* ---- kernels ---- */

#ifdef __cplusplus
extern "C" {
#endif

/* Of one component: predicted = velocity + kept x + renewed (found - velocity + dt/2 C x_other). */
typedef struct RotationSweep {
    Momentum momentum;
    const double *found; /* what the scheme has left [m s-1] */
    double *keep;        /* gets `found`, for the next sweep; NULL: this is not the first of several */
    double kept, renewed;
} RotationSweep;

void rotation_sweep(Exec exec, BlockList blocks, RotationSweep args);

/* Of one component: turned = kept turned + renewed (c + dt/2 C turned_other), c = -theta g G grad (increment - before). */
typedef struct RotationFollow {
    Momentum momentum;
    const double *before; /* the increment that has been turned [m] */
    const double *other;  /* the other component's `turned` [m s-1] */
    double *turned;
    double kept, renewed;
    double last; /* 1: adds turned - c to predicted and its flux; else 0 */
} RotationFollow;

void rotation_follow_sweep(Exec exec, BlockList blocks, RotationFollow args);

/* turned = c, from nothing that has been turned. */
void rotation_follow_start(Exec exec, BlockList blocks, RotationFollow args);

#ifdef __cplusplus
}
#endif
#endif
