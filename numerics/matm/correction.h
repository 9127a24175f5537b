/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether the correction by columns is needed.
 */
#ifndef MAEOTIS_NUMERICS_MATM_CORRECTION_H
#define MAEOTIS_NUMERICS_MATM_CORRECTION_H

#include "numerics/matm/precision.h"
#include "numerics/stencil/stencil.h"

/* By which part of its largest vertical coupling a column is held. */
typedef struct ColumnHold {
    double most, least; /* of all columns of more than one cell */
} ColumnHold;

/* Collective. */
ColumnHold correction_hold(const Grid *grid, const Stencil *stencil);

#endif
