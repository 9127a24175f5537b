/* SPDX-License-Identifier: Apache-2.0
 *
 * Faces of both directions by turns, some blocks of each, so that v finds in the nearest caches what u has read. On
 * devices all of u, then all of v. Neither may depend on the other.
 */
#ifndef MAEOTIS_MODEL_TURNS_H
#define MAEOTIS_MODEL_TURNS_H

#include "numerics/grid/grid.h"

typedef void OfFaces(const void *context, Exec exec, bool along_x, BlockList faces);

/* Local. */
void faces_by_turns(Exec exec, const Grid *grid, OfFaces *act, const void *context);

#endif
