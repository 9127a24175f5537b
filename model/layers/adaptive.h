/* SPDX-License-Identifier: Apache-2.0
 *
 * Layers that move with the stratification (H. Burchard, J.-M. Beckers, Ocean Modelling 6 (2004) 51-81): the shares of the depth
 * that grid.h holds become a part of the state. At most every `every_s`, at the end of a step, interfaces move as if they
 * diffused in the index of the layer,
 *
 *     sigma_t = (n/pi)^2/T d/dk (M d sigma/dk),
 *
 * sigma the height of an interface over the depth, n the number of layers, T the relaxation time of the slowest mode, and M the
 * density of layers that is wanted, which with its weights w makes 1 over the depth:
 *
 *     M = w_r (-rho_sigma)+ / (sum of it) + w_s |u_sigma| / (sum of it) + w_t f(1 - sigma) + w_b f(sigma) + the rest,
 *     f(s) = s_0 (1 + s_0)/(s + s_0)^2
 *
 * so that at rest each layer has the same part of M (monitor_kernels.c); and they are drawn to those of the neighbours. Then
 * tracers, velocities, fluxes and turbulence go over to the new layers (reshare_kernels.c), which is exact for budgets and
 * makes no new extremes: between two such moments the layers keep their shares, and no other kernel knows of any of this.
 *
 * The pressure gradient is that of the whole density (density.c): on layers that follow surfaces of density the difference from a
 * profile bends too much within a layer, and the correction of restoring.h takes off all of the force.
 *
 * Shares are multiples of 2^-40, so that their sums and differences are exact: they add up to 1, and a layer gains exactly what its
 * neighbours lose. A face has the mean shares of its two columns.
 */
#ifndef MAEOTIS_MODEL_ADAPTIVE_H
#define MAEOTIS_MODEL_ADAPTIVE_H

#include "model/simulation.h"

/* Before there is anything in the water, and after the state was read from a restart. Nothing where layers keep their shares.
 * Collective. */
void adaptive_begin(Simulation *simulation);
void adaptive_resume(Simulation *simulation);

/* Moves the layers to where the sea as it is wants them; false if they keep their shares. Collective. */
bool adaptive_settle(Simulation *simulation);

/* Moves the layers at the end of a step to `time`, if it is due; what follows from tracers and fluxes is the caller's. Collective. */
bool adaptive_step(Simulation *simulation, double time);

#endif
