/* SPDX-License-Identifier: Apache-2.0
 *
 * The inputs of a kinetics module (MaeotisInput): numbers of columns that only the module reads, from numbers, formulas,
 * tables and NetCDF files at /kinetics/inputs.
 */
#ifndef MAEOTIS_MODEL_MODULE_INPUTS_H
#define MAEOTIS_MODEL_MODULE_INPUTS_H

#include "numerics/grid/grid.h"
#include "settings/scenario.h"

typedef struct KineticsInputs KineticsInputs;

/* NULL where the module has none. Collective. */
CHECKED Status kinetics_inputs_create(const Scenario *scenario, const Grid *grid, KineticsInputs **out);
void kinetics_inputs_destroy(KineticsInputs **inputs);

/* To the time since the start [s]. Collective. */
CHECKED Status kinetics_inputs_advance(KineticsInputs *inputs, double time);

/* Each with its unit and where it comes from. Allocated. */
char *kinetics_inputs_describe(const KineticsInputs *inputs);

/* Input number n, of columns. */
const double *kinetics_inputs_field(const KineticsInputs *inputs, int n);

#endif
