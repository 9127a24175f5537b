/* SPDX-License-Identifier: Apache-2.0
 *
 * The report of a step after it is done.
 */
#ifndef MAEOTIS_MODEL_STOCK_H
#define MAEOTIS_MODEL_STOCK_H

#include "model/simulation.h"

/* Extremes, the budgets, the digest where it is kept. Collective. */
void stock_take(Simulation *simulation);

/* The budgets of the tracers alone, from a tally that is answered: before something else changes them. */
void stock_close_tracers(Simulation *simulation);

#endif
