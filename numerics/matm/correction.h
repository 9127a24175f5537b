/* SPDX-License-Identifier: Apache-2.0
 *
 * Whether the correction by columns is needed.
 */
#ifndef MAEOTIS_NUMERICS_MATM_CORRECTION_H
#define MAEOTIS_NUMERICS_MATM_CORRECTION_H

#include "numerics/matm/precision.h"
#include "numerics/stencil/stencil.h"

/* Of the operator's columns: the least part of the largest vertical coupling by which any is held. */
double correction_hold(const Grid *grid, const Stencil *stencil);

#endif
