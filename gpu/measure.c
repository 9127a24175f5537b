/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/measure.h"

/* Nothing is found where the device fails; the message waits in the list. */
void measure_take_most(const void *found, int count, void *into) {
    for (int n = 0; found && n < count; n++) {
        const double one = double_of_key(((const uint64_t *)found)[n]);
        double *most = (double *)into + n;
        if (one > *most) *most = one;
    }
}

void measure_take_count(const void *found, int count, void *into) {
    for (int n = 0; found && n < count; n++) ((uint64_t *)into)[n] += ((const uint64_t *)found)[n];
}
