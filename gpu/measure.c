/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/measure.h"

#include "gpu/device.h"

/* Where an Exec made by hand has no scratch memory, launches run at once and see the host's. */
static uint64_t without_scratch[MEASURES_MOST];

uint64_t *measure_begin(Exec exec, const uint64_t *value, int count) {
    uint64_t *key = exec.scratch ? (uint64_t *)exec.scratch : without_scratch;
    if (device_copy(exec, key, value, (size_t)count * sizeof *key) != STATUS_OK) exec_wait(exec);
    return key;
}

void measure_end(Exec exec, uint64_t *value, int count) {
    const uint64_t *key = exec.scratch ? (const uint64_t *)exec.scratch : without_scratch;
    if (device_copy(exec, value, key, (size_t)count * sizeof *key) != STATUS_OK) exec_wait(exec);
}
