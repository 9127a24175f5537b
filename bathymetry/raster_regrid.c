/* SPDX-License-Identifier: Apache-2.0 */
#include "bathymetry/raster_regrid.h"

#include "base/memory.h"
#include "bathymetry/overlap.h"
#include <math.h>

/* Equal values give exactly that value: the mean is that of the differences from the first. */
typedef struct Mean {
    double first, sum, all;
} Mean;

static void add(Mean *mean, double value, double weight) {
    if (isnan(value) || weight <= 0) return;
    if (mean->all == 0) mean->first = value;
    mean->sum += weight * (value - mean->first);
    mean->all += weight;
}

static double result(const Mean *mean) {
    return mean->all > 0 ? mean->first + mean->sum / mean->all : NAN;
}

static double value_at(const Raster *raster, int i, int j) {
    return raster->elevation[(size_t)(j - raster->first_row) * (size_t)raster->nx + (size_t)i];
}

static double mean_over_cell(const Raster *raster, const Overlap *x, const Overlap *y, int i, int j) {
    Mean mean = {0, 0, 0};
    for (int b = 0; b < y->count[j]; b++)
        for (int a = 0; a < x->count[i]; a++)
            add(&mean, value_at(raster, x->first[i] + a, y->first[j] + b),
                x->weight[x->start[i] + (size_t)a] * y->weight[y->start[j] + (size_t)b]);
    return result(&mean);
}

/* From the centres around that have a value. */
static double bilinear(const Raster *raster, double x, double y) {
    const double at_x = fmin(fmax((x - raster->x0) / raster->dx, 0), raster->nx - 1);
    const double at_y = fmin(fmax((y - raster->y0) / raster->dy, 0), raster->ny - 1);
    Mean mean = {0, 0, 0};
    for (int j = (int)at_y; j <= (int)at_y + 1 && j < raster->ny; j++)
        for (int i = (int)at_x; i <= (int)at_x + 1 && i < raster->nx; i++)
            add(&mean, value_at(raster, i, j), (1 - fabs(at_x - i)) * (1 - fabs(at_y - j)));
    return result(&mean);
}

Status raster_regrid(const Raster *raster, const char *what, const Axes *axes, const Band *band,
                     double **out) {
    double shift;
    *out = NULL;
    TRY(overlap_check(raster, what, axes, &shift));
    Overlap x = overlap_along_x(raster, axes, shift), y = overlap_along_y(raster, axes);
    const bool coarser = overlap_is_coarser(raster, axes);
    double *values = ALLOCATE((size_t)axes->nx * (size_t)band->rows, double), *next = values;
    for (int j = band->first; j < band->first + band->rows; j++)
        for (int i = 0; i < axes->nx; i++, next++) {
            if (coarser) *next = bilinear(raster, axes_x(axes, i + 0.5) - shift, axes_y(axes, j + 0.5));
            if (!coarser || isnan(*next)) *next = mean_over_cell(raster, &x, &y, i, j);
        }
    overlap_release(&x);
    overlap_release(&y);
    *out = values;
    return STATUS_OK;
}

void raster_regrid_rows(const Raster *shape, const Axes *axes, const Band *band, int rows[2]) {
    overlap_rows(shape, axes, band, overlap_is_coarser(shape, axes), rows);
}

void raster_rows_between(const Raster *shape, double south, double north, int rows[2]) {
    const double last = shape->ny - 1;
    rows[0] = (int)fmin(fmax((south - shape->y0) / shape->dy, 0), last);
    rows[1] = (int)fmin(fmin(fmax((north - shape->y0) / shape->dy, 0), last) + 1, last) + 1;
}

double raster_nearest(const Raster *raster, double x, double y) {
    const double middle = raster->x0 + 0.5 * (raster->nx - 1) * raster->dx;
    if (raster->units == RASTER_DEGREES) x += 360 * nearbyint((middle - x) / 360);
    const double i = nearbyint((x - raster->x0) / raster->dx), j = nearbyint((y - raster->y0) / raster->dy);
    const bool inside =
        i >= 0 && i < raster->nx && j >= raster->first_row && j < raster->first_row + raster->rows;
    return inside ? value_at(raster, (int)i, (int)j) : NAN;
}

double raster_at(const Raster *raster, double x, double y) {
    const double middle = raster->x0 + 0.5 * (raster->nx - 1) * raster->dx;
    if (raster->units == RASTER_DEGREES) x += 360 * nearbyint((middle - x) / 360);
    const double i = (x - raster->x0) / raster->dx, j = (y - raster->y0) / raster->dy;
    if (i < -0.5 || i > raster->nx - 0.5 || j < -0.5 || j > raster->ny - 0.5) return NAN;
    return bilinear(raster, x, y);
}
