/* SPDX-License-Identifier: Apache-2.0
 *
 * How a scenario wants its systems along lines solved.
 */
#ifndef MAEOTIS_SETTINGS_LINE_CHOICE_H
#define MAEOTIS_SETTINGS_LINE_CHOICE_H

#include "numerics/lines/lines.h"
#include "settings/scenario.h"

static inline LineChoice scenario_line_choice(const Scenario *scenario) {
    const ScenarioSolver *s = &scenario->solver;
    return (LineChoice){.tolerance = s->lines_method == LINES_ARE_DECOUPLED ? s->lines_tolerance : 0,
                        .blocks = s->lines_blocks,
                        .levels = s->lines_levels};
}

#endif
