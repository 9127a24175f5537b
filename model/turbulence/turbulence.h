/* SPDX-License-Identifier: Apache-2.0
 *
 * Vertical turbulence: eddy viscosity nu and diffusivity nu_h at the interfaces between the layers of a
 * column (w places), computed at the end of a step for the momentum and the tracers of the next one.
 *
 *     constant        nu
 *     parabolic       nu = kappa u* z (1 - z/H)         computed by momentum for its own faces (vertical.h)
 *     azov            nu = 1/2 Cs^2 dz^2 sqrt(u_z^2 - N^2)
 *     mixing-length   nu = l^2 sqrt(u_z^2 - N^2),       l = kappa z_b z_s/(z_b + z_s) with z_b and z_s
 *                                                       the distances to bed and surface
 *     k-epsilon       two equations                     k_epsilon_kernels.c
 *
 * each with a floor. A face has the mean nu of its two columns, so that momentum cannot tell a column that mixes from
 * a neighbour that does not. What drives nu must therefore depend on the faces, or a checkerboard grows: k-epsilon gets
 * the energy that each face's nu takes from the flow (production.h), azov and mixing-length have N^2 as faces feel it.
 *
 * The stress through an interface is nu u_z. Where nu itself depends on u_z, a step that is long for a layer would make
 * nu oscillate for ever. Therefore azov and mixing-length take the geometric mean of the nu that the velocity was
 * computed with and the nu that follows from it: if the stress is steady, this finds nu in one step.
 */
#ifndef MAEOTIS_MODEL_TURBULENCE_H
#define MAEOTIS_MODEL_TURBULENCE_H

#include "model/momentum/momentum.h"
#include "model/state.h"
#include "settings/scenario.h"

/* Adds the necessary fields to the state, with the values of water at rest: k and eps of k-epsilon; nu and
 * nu_h if the closure, tracers or an output need them. After tracers_declare. Local. */
void turbulence_begin(const Scenario *scenario, State *state);

/* Does the momentum take nu from the state? Else it makes it for its faces by itself. */
bool turbulence_drives_momentum(const Scenario *scenario);

/* Does it need the friction velocity of faces, with its halo? */
bool turbulence_needs_friction(const Scenario *scenario);

/* How deep the water of columns and faces was before a step, with halos, and that of columns is after it. [m] */
typedef struct TurbulentDepths {
    const double *before, *before_u, *before_v, *after;
} TurbulentDepths;

/* k, eps, nu, nu_h after a step of `dt`, without their halos; nothing where the state has none. `u`, `v`:
 * velocities before the step in `predicted`, and the friction velocity. Local. */
void turbulence_step(const Scenario *scenario, double dt, Exec exec, State *state, const Faces *u,
                     const Faces *v, TurbulentDepths depths);

#endif
