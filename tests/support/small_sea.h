/* SPDX-License-Identifier: Apache-2.0
 *
 * A small sea for tests of what reads and writes a State: an island, land that can flood, partial bottom
 * cells, and values in every field that depend on the place in the whole grid and the time alone, whatever
 * the ranks.
 */
#ifndef MAEOTIS_TESTS_SUPPORT_SMALL_SEA_H
#define MAEOTIS_TESTS_SUPPORT_SMALL_SEA_H

#include "model/state.h"
#include "settings/scenario.h"

enum { SMALL_SEA_NX = 40, SMALL_SEA_NY = 26, SMALL_SEA_NZ = 4 };

typedef struct SmallSea {
    Scenario *scenario;
    Grid *grid;
    State *state;
} SmallSea;

/* `output`: the scenario's "output" list as JSON; `folder`: its output folder. Fails the test on any error.
 * Collective over `comm`. */
SmallSea small_sea_create(MPI_Comm comm, const char *output, const char *folder, bool spherical,
                          bool periodic);
void small_sea_destroy(SmallSea *sea);

/* Gives every field the values of the step. Collective. */
void small_sea_set(SmallSea *sea, int64_t step);

#endif
