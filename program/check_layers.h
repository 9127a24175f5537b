/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of `maeotis check` about layers. Of different density: the Courant number of internal waves. Their flow
 * and the tracers that they carry take turns (model/momentum/baroclinic.h), which is stable at any theta as long as
 * c dt sqrt(1/dx^2 + 1/dy^2) < 1 for the fastest wave c of a column that the density alone would drive, the surface
 * being free: with N constant 2 N H/pi, twice the speed of the first internal wave. Along the bed: how steep they are.
 */
#ifndef MAEOTIS_PROGRAM_CHECK_LAYERS_H
#define MAEOTIS_PROGRAM_CHECK_LAYERS_H

#include "model/simulation.h"

/* Nothing where the density is constant. Local; on the whole grid. */
void check_internal_waves(const Simulation *sim);

/* Nothing where layers lie at fixed heights. Local; on the whole grid. */
void check_sloping_layers(const Simulation *sim);

#endif
