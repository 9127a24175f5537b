/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/nearest.h"

#include "base/memory.h"
#include <math.h>

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

bool nearest_columns(const int shape[2], const unsigned char *has_value, ptrdiff_t *nearest) {
    const ptrdiff_t nx = shape[0], ny = shape[1];
    ptrdiff_t *queue = ALLOCATE((size_t)(nx * ny), ptrdiff_t), count = 0;
    for (ptrdiff_t m = 0; m < nx * ny; m++) {
        nearest[m] = has_value[m] ? m : -1;
        if (has_value[m]) queue[count++] = m;
    }
    const bool any = count > 0;
    /* a wave from all columns with values at once */
    for (ptrdiff_t n = 0; n < count; n++) {
        const ptrdiff_t m = queue[n], i = m % nx, j = m / nx;
        const ptrdiff_t near[4] = {i > 0 ? m - 1 : m, i < nx - 1 ? m + 1 : m, j > 0 ? m - nx : m,
                                   j < ny - 1 ? m + nx : m};
        for (int side = 0; side < 4; side++) {
            if (nearest[near[side]] >= 0) continue;
            nearest[near[side]] = nearest[m];
            queue[count++] = near[side];
        }
    }
    memory_free(queue);
    return any;
}

bool nearest_fill(const int shape[3], double *value, unsigned char *has_value) {
    const ptrdiff_t level = (ptrdiff_t)shape[0] * shape[1];
    ptrdiff_t *nearest = ALLOCATE((size_t)level, ptrdiff_t);
    for (ptrdiff_t m = 0; m < level; m++) has_value[m] = fill_column(value + m, level, shape[2]);
    const bool any = nearest_columns(shape, has_value, nearest);
    for (int k = 0; any && k < shape[2]; k++)
        for (ptrdiff_t m = 0; m < level; m++)
            if (!has_value[m]) value[m + k * level] = value[nearest[m] + k * level];
    memory_free(nearest);
    return any;
}
