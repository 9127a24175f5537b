/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/nearest.h"

#include "base/memory.h"
#include <math.h>
#include <stddef.h>

/* Upwards, then downwards from the lowest; false where the column has none. */
static bool fill_column(double *column, ptrdiff_t step, int count) {
    int first = 0;
    while (first < count && isnan(column[first * step])) first++;
    if (first == count) return false;
    for (int k = first + 1; k < count; k++)
        if (isnan(column[k * step])) column[k * step] = column[(k - 1) * step];
    for (int k = first - 1; k >= 0; k--) column[k * step] = column[(k + 1) * step];
    return true;
}

bool nearest_fill(const int shape[3], double *value, unsigned char *has_value) {
    const ptrdiff_t nx = shape[0], ny = shape[1], level = nx * ny;
    ptrdiff_t *queue = ALLOCATE((size_t)level, ptrdiff_t), count = 0;
    unsigned char *known = ALLOCATE((size_t)level, unsigned char);
    for (ptrdiff_t m = 0; m < level; m++) {
        known[m] = has_value[m] = fill_column(value + m, level, shape[2]);
        if (known[m]) queue[count++] = m;
    }
    const bool any = count > 0;
    /* a wave from all columns with values at once */
    for (ptrdiff_t n = 0; n < count; n++) {
        const ptrdiff_t m = queue[n], i = m % nx, j = m / nx;
        const ptrdiff_t near[4] = {i > 0 ? m - 1 : m, i < nx - 1 ? m + 1 : m, j > 0 ? m - nx : m,
                                   j < ny - 1 ? m + nx : m};
        for (int side = 0; side < 4; side++) {
            if (known[near[side]]) continue;
            known[near[side]] = 1;
            queue[count++] = near[side];
            for (int k = 0; k < shape[2]; k++) value[near[side] + k * level] = value[m + k * level];
        }
    }
    memory_free(queue);
    memory_free(known);
    return any;
}
