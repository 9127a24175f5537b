/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside matm.c: what of its options is left to MATM, chosen by the first system.
 */
#ifndef MAEOTIS_NUMERICS_MATM_CHOICE_H
#define MAEOTIS_NUMERICS_MATM_CHOICE_H

#include "numerics/matm/matm.h"

/* Settles what is `AUTO` or does not go together; the choice in words, to be freed. `grids_vary`: one grid or many, by each
 * operator. The host reads the stencil. Collective. */
char *matm_choose(const Grid *grid, const Stencil *stencil, MatmOptions *options, bool *grids_vary);

#endif
