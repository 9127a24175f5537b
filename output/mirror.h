/* SPDX-License-Identifier: Apache-2.0
 *
 * The state as output reads it. On a processor it is the state itself; if kernels compute on a GPU, it is a
 * copy in the host's own memory, made when output is due. So a GPU's step waits only for a copy, and no pages
 * of its fields move to the host and back.
 */
#ifndef MAEOTIS_OUTPUT_MIRROR_H
#define MAEOTIS_OUTPUT_MIRROR_H

#include "model/state.h"

typedef struct Mirror Mirror;

CHECKED Status mirror_create(const State *state, Mirror **out);
void mirror_destroy(Mirror **mirror);

/* Lives as long as the mirror, with a grid of its own; holds the values of the last mirror_update. */
const State *mirror_state(const Mirror *mirror);
/* Whether an update has anything to do, and so can fail. */
bool mirror_copies(const Mirror *mirror);
CHECKED Status mirror_update(Mirror *mirror, const State *state);

#endif
