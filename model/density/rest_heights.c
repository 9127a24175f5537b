/* SPDX-License-Identifier: Apache-2.0 */
#include "model/density/rest_heights.h"

#include "base/memory.h"
#include <math.h>

static const double LEAST_FALL = 1e-7; /* [kg m-4] */
static const double BEYOND_MEASURE = 1e30;

/* Means of neighbours that rise, until none does (isotonic regression). */
void rest_table_fall(double *density, int count, double step) {
    double *mean = ALLOCATE(count, double);
    int *width = ALLOCATE(count, int), blocks = 0;
    for (int n = 0; n < count; n++) {
        mean[blocks] = density[n];
        width[blocks] = 1;
        while (blocks > 0 && mean[blocks] > mean[blocks - 1]) {
            const int both = width[blocks] + width[blocks - 1];
            mean[blocks - 1] += (mean[blocks] - mean[blocks - 1]) * width[blocks] / both;
            width[--blocks] = both;
        }
        blocks++;
    }
    for (int block = 0, n = 0; block < blocks; block++)
        for (int part = 0; part < width[block]; part++, n++)
            density[n] = n > 0 ? fmin(mean[block], density[n - 1] - LEAST_FALL * step) : mean[block];
    memory_free(mean);
    memory_free(width);
}

void rest_table_slopes(const double *density, int count, double step, double *per_density) {
    for (int n = 0; n + 1 < count; n++) {
        const double drop = density[n] - density[n + 1];
        per_density[n] = drop > 2 * LEAST_FALL * step ? step / drop : BEYOND_MEASURE;
    }
    per_density[count - 1] = per_density[count - 2];
}

/* Of cubics. */
void rest_table_sum(const double *density, int count, double step, double *sum) {
    sum[0] = 0;
    for (int n = 0; n + 1 < count; n++) {
        const double drop = n > 0 ? density[n - 1] - density[n] : density[n] - density[n + 1];
        const double next = n + 2 < count ? density[n + 1] - density[n + 2] : density[n] - density[n + 1];
        sum[n + 1] = sum[n] + step * (0.5 * (density[n] + density[n + 1]) + (next - drop) / 24);
    }
}
