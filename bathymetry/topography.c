/* SPDX-License-Identifier: Apache-2.0 */
#include "bathymetry/topography_internal.h"

#include "base/memory.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>

Status topography_create(int nx, int ny, Topography **out) {
    const Band all = band_alone(ny);
    return topography_create_band(nx, &all, out);
}

Status topography_create_band(int nx, const Band *band, Topography **out) {
    *out = NULL;
    CHECK(nx > 0 && band->whole > 0, STATUS_BAD_INPUT, "a grid of %d x %d cells cannot have a ground", nx,
          band->whole);
    Topography *topography = ALLOCATE(1, Topography);
    size_t across = (size_t)nx, along = (size_t)band->rows;
    topography->band = *band;
    topography->nx = nx, topography->ny = band->rows;
    topography->bed = ALLOCATE(across * along, double);
    topography->wet_area = ALLOCATE(across * along, double);
    topography->open_west = ALLOCATE((across + 1) * along, double);
    topography->open_south = ALLOCATE(across * (along + 1), double);
    topography->ledger = memory_copy_text("");
    *out = topography;
    return STATUS_OK;
}

void topography_destroy(Topography **topography) {
    Topography *t = *topography;
    if (!t) return;
    memory_free(t->bed), memory_free(t->wet_area);
    memory_free(t->open_west), memory_free(t->open_south);
    memory_free(t->shore_west), memory_free(t->shore_south);
    memory_free(t->ghost);
    memory_free(t->ledger);
    memory_free(t);
    *topography = NULL;
}

void topography_note(Topography *topography, const char *format, ...) {
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    memory_append(&topography->ledger, "%s\n", line);
}

/* Of the whole grid, 2^61 at most. */
double topography_area_unit(const Axes *axes) {
    double largest = 0;
    for (int j = 0; j < axes->ny; j++) largest = fmax(largest, axes_area_m2(axes, j + 0.5));
    return largest > 0 ? largest * axes->nx * axes->ny / 0x1p61 : 1;
}

static void close_face(double *open, Shore *shore, size_t n, bool keep_shore) {
    if (open[n] > 0 && shore && !keep_shore) shore[n] = (Shore){0};
    open[n] = 0;
}

void topography_close_faces(Topography *topography, const Axes *axes, bool keep_shores) {
    Topography *t = topography;
    size_t nx = (size_t)t->nx, ny = (size_t)t->ny;
    const double *wet = t->wet_area;
    double *beside = ALLOCATE(2 * nx, double), *const south = beside, *const north = beside + nx;
    if (ny > 0)
        band_rows_beside(&t->band, axes->periodic_y, nx * sizeof *wet, wet, wet + (ny - 1) * nx, south,
                         north);
    for (size_t j = 0; j < ny; j++)
        for (size_t i = 0; i <= nx; i++) {
            size_t west = i > 0 ? i - 1 : axes->periodic_x ? nx - 1 : 0;
            size_t east = i < nx ? i : axes->periodic_x ? 0 : nx - 1;
            if (wet[j * nx + west] <= 0 || wet[j * nx + east] <= 0)
                close_face(t->open_west, t->shore_west, j * (nx + 1) + i, keep_shores);
        }
    for (size_t j = 0; ny > 0 && j <= ny; j++) {
        const double *below = j > 0 ? wet + (j - 1) * nx : south, *above = j < ny ? wet + j * nx : north;
        for (size_t i = 0; i < nx; i++)
            if (below[i] <= 0 || above[i] <= 0)
                close_face(t->open_south, t->shore_south, j * nx + i, keep_shores);
    }
    memory_free(beside);
}

void topography_mask_from_bed(Topography *topography, const Axes *axes, const TopographyOptions *options) {
    size_t nx = (size_t)topography->nx, ny = (size_t)topography->ny;
    for (size_t n = 0; n < nx * ny; n++)
        topography->wet_area[n] = topography->bed[n] < options->flood_to_m ? 1 : 0;
    for (size_t n = 0; n < (nx + 1) * ny; n++) topography->open_west[n] = 1;
    for (size_t n = 0; n < nx * (ny + 1); n++) topography->open_south[n] = 1;
    topography_close_faces(topography, axes, false);
}
