/* SPDX-License-Identifier: Apache-2.0
 *
 * Between fields and messages: stretches along an edge, of all levels of some fields at once. Runs name the
 * place along the edge (i), the row of the halo (j) and the level, counted through all fields (k).
 */
#ifndef MAEOTIS_NUMERICS_HALO_KERNELS_H
#define MAEOTIS_NUMERICS_HALO_KERNELS_H

#include "gpu/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { HALO_FIELDS = 16 }; /* at most, in one launch */

typedef struct HaloPatch {
    double *field[HALO_FIELDS];
    int levels;                     /* of each field */
    int length;                     /* along the edge */
    ptrdiff_t first;                /* of the patch, within a field */
    ptrdiff_t along, across, plane; /* distances in memory */
    double *buffer;
    int n; /* own cells across; for halo_wrap */
} HaloPatch;

void halo_pack(Exec exec, RunList runs, HaloPatch args);
void halo_unpack(Exec exec, RunList runs, HaloPatch args);

/* Where one rank spans a periodic direction: both sides of the halo from its own cells. */
void halo_wrap(Exec exec, RunList runs, HaloPatch args);

#ifdef __cplusplus
}
#endif
#endif
