/* SPDX-License-Identifier: Apache-2.0
 *
 * The kinetics section of scenarios and boxes.
 */
#ifndef MAEOTIS_SETTINGS_KINETICS_H
#define MAEOTIS_SETTINGS_KINETICS_H

#include "settings/table.h"

/* Opens the module and finds the values of all its parameters; refuses what does not fit it. */
void kinetics_settings_open(Reader *reader, const Json *root, ScenarioKinetics *kinetics);

/* Of an input, the scenario's or the module's own. */
Value kinetics_settings_input(const ScenarioKinetics *kinetics, int input);

/* The initial value that is given for a variable, or for its bed; NULL: none. */
const Value *kinetics_settings_initial(const ScenarioKinetics *kinetics, int variable, bool bed);

/* Frees the tracers of the module and closes it. */
void scenario_kinetics_close(Scenario *scenario);

#endif
