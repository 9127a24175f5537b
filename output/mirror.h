/* SPDX-License-Identifier: Apache-2.0
 *
 * The state as output sees it: on a processor itself; where kernels compute elsewhere, a copy in the host's
 * own memory, made when something is to be looked at. So a GPU's step waits no longer than for a copy, and no
 * pages of its fields move to the host and back.
 */
#ifndef MAEOTIS_OUTPUT_MIRROR_H
#define MAEOTIS_OUTPUT_MIRROR_H

#include "model/state.h"

typedef struct Mirror Mirror;

CHECKED Status mirror_create(const State *state, Mirror **out);
void mirror_destroy(Mirror **mirror);

/* Lives as long as the mirror, with a grid of its own; holds what mirror_update found. */
const State *mirror_state(const Mirror *mirror);
CHECKED Status mirror_update(Mirror *mirror, const State *state);

#endif
