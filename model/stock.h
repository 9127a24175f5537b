/* SPDX-License-Identifier: Apache-2.0
 *
 * The report of a step after it is done.
 */
#ifndef MAEOTIS_MODEL_STOCK_H
#define MAEOTIS_MODEL_STOCK_H

#include "model/simulation.h"

/* Extremes, and the account of volume. Collective. */
void stock_take(Simulation *simulation);

#endif
