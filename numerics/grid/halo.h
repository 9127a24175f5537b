/* SPDX-License-Identifier: Apache-2.0
 *
 * Halo exchange: fills the HALO cells around the own ones with the neighbours' values (and across periodic
 * seams), first along x, then along y with the corners; all fields of one call travel in one message per
 * neighbour. Cells beyond a closed or open edge of the domain keep their values.
 */
#ifndef MAEOTIS_NUMERICS_HALO_H
#define MAEOTIS_NUMERICS_HALO_H

#include "numerics/grid/grid.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Halo Halo;

/* Buffers for `levels` levels in one exchange (a 2-D field is one level, a 3-D field n3); an exchange of more
 * makes them larger. Collective. */
CHECKED Status halo_create(const Grid *grid, int levels, Halo **out);
void halo_destroy(Halo **halo);

/* Collective among neighbours. n2 two-dimensional fields, then n3 three-dimensional ones. */
void halo_exchange(Halo *halo, int n2, double *const *fields2, int n3, double *const *fields3);

#ifdef __cplusplus
}
#endif
#endif
