/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of `maeotis check` about tides: how many steps there are in the period of the shortest one that drives the
 * sea. Vertical viscosity is of first order in the step: where it is a constant, few steps make the tide of a long bay
 * too low (docs/validation.md).
 */
#ifndef MAEOTIS_PROGRAM_CHECK_TIDES_H
#define MAEOTIS_PROGRAM_CHECK_TIDES_H

#include "settings/scenario.h"

/* Nothing where there is no tide. */
void check_tides(const Scenario *scenario);

#endif
