/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/measure.h"

#include "gpu/device.h"

_Static_assert(MEASURES_MOST * sizeof(uint64_t) <= EXEC_SCRATCH_MEASURES, "room for measures");

/* Where an Exec made by hand has no scratch memory, launches run at once and see the host's. */
static uint64_t without_scratch[MEASURES_MOST];

uint64_t *measure_begin(Exec exec, int count) {
    uint64_t *key = exec.scratch ? (uint64_t *)exec.scratch : without_scratch;
    exec_clear(exec, key, (size_t)count * sizeof *key);
    return key;
}

void measure_end(Exec exec, const uint64_t *key, uint64_t *found, int count) {
    /* The message of a failure waits in the list; nothing was found. */
    if (device_fetch(exec, found, key, (size_t)count * sizeof *found) != STATUS_OK)
        memset(found, 0, (size_t)count * sizeof *found);
}
