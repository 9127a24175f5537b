/* SPDX-License-Identifier: Apache-2.0
 *
 * Models of FABM, the Framework for Aquatic Biogeochemical Models, as kinetics modules: through its C interface, from a
 * library that is loaded when a scenario asks for it. No part of FABM is in this program.
 *
 * The library is FABM's C interface for a single point (the one that its Python package builds), found when the program
 * is configured (FABM_LIBRARY) or by the environment variable MAEOTIS_FABM. A model is described by its fabm.yaml.
 *
 * Each interior state variable becomes a variable, each state at the bottom the bed of a variable that stays empty in
 * the water. FABM tells the sum of all sources of a variable, not its processes, so that every variable has
 * one process in the water, one at the surface and one at the bed. Nothing becomes negative, but conservation of
 * elements is left to FABM's model. Sinking and the attenuation of light are those of the initial state.
 */
#ifndef MAEOTIS_KINETICS_FABM_H
#define MAEOTIS_KINETICS_FABM_H

#include "base/error.h"
#include "kinetics/maeotis_kinetics.h"

/* The model of a fabm.yaml; one at a time. `why` has `size` bytes for what is wrong. Local. */
CHECKED Status fabm_open(const char *file, const MaeotisKinetics **out, char *why, int size);
void fabm_close(void);

#endif
