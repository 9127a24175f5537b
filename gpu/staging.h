/* SPDX-License-Identifier: Apache-2.0
 *
 * Data that the host passes to kernels from time to time. While earlier kernels run, the host fills memory of
 * its own, which the GPU can reach and whose pages do not move; a launch copies it to the kernels' memory.
 *
 *     double *numbers = staging_fill(&staging);
 *     for (int n = 0; n < count; n++) numbers[n] = ...;
 *     staging_send(&staging, field);
 *
 * There is a wait only if the last data may not have been copied yet. This is rare, because a step waits for
 * its sums.
 */
#ifndef MAEOTIS_GPU_STAGING_H
#define MAEOTIS_GPU_STAGING_H

#include "gpu/device.h"

typedef struct Staging {
    Exec exec;
    void *filled;
    size_t bytes;
    bool sent;
    uint64_t waits; /* before that */
} Staging;

/* Local. */
CHECKED Status staging_create(Exec exec, size_t bytes, Staging *out);
void staging_release(Staging *staging);

/* The memory to be filled; holds what was filled last. Local. */
void *staging_fill(Staging *staging);

/* Launches the copy. Local. */
void staging_send(Staging *staging, void *to);
void staging_send_rows(Staging *staging, void *to, CopyRows rows);

#endif
