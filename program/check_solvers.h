/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of `maeotis check` about solvers: which options are worth choosing.
 */
#ifndef MAEOTIS_PROGRAM_CHECK_SOLVERS_H
#define MAEOTIS_PROGRAM_CHECK_SOLVERS_H

#include "numerics/grid/grid.h"
#include "settings/scenario.h"

/* Of implicit lines: how strongly a step couples cells, and from how many cells per process on lines
 * decouple. Nothing where there are none. Local; on the whole grid. */
void check_lines(const Scenario *scenario, const Grid *grid);

/* Where a variant of MATM is chosen: iterations of it and of the automatic choice in the first steps, which
 * are made. Local. */
CHECKED Status check_variants(const Scenario *scenario);

#endif
