/* SPDX-License-Identifier: Apache-2.0
 *
 * The wet cells of a rank in strips of eight rows, all levels of a strip before the next one: what a pass over a
 * strip has read and written, the next pass finds in the caches. For processors.
 */
#ifndef MAEOTIS_NUMERICS_MATM_STRIPS_H
#define MAEOTIS_NUMERICS_MATM_STRIPS_H

#include "gpu/reduce.h"
#include "numerics/stencil/stencil.h"

typedef struct Strips Strips;

/* Of `columns` (flat) or `cells`. Local. */
Strips *strips_create(const Grid *grid, bool flat);
void strips_destroy(Strips **strips);

/* The residual, and its sum of squares added to `sum`. Local. */
void strips_residual(const Strips *strips, Exec exec, StencilResidual args, ExactSum *sum);
/* The sum of squares of a field that is 0 on land, added to `sum`. Local. */
void strips_squares(const Strips *strips, const double *x, ExactSum *sum);

#endif
