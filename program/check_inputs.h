/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of `maeotis check` that names what the scenario holds: tracers, rivers, open boundaries, files with their
 * stations. A name that is missing or has another kind than was meant shows here.
 */
#ifndef MAEOTIS_PROGRAM_CHECK_INPUTS_H
#define MAEOTIS_PROGRAM_CHECK_INPUTS_H

#include "model/simulation.h"

CHECKED Status check_inputs(const Simulation *sim);

#endif
