/* SPDX-License-Identifier: Apache-2.0 */
#include "bathymetry/overlap.h"

#include "base/memory.h"
#include <math.h>

typedef struct AxisPair {
    double raster_edge, raster_step;
    int raster_cells;
    double edge, step; /* of the grid */
    int cells;
    bool periodic, latitude;
} AxisPair;

void overlap_release(Overlap *o) {
    memory_free(o->first), memory_free(o->count), memory_free(o->before), memory_free(o->after);
    memory_free(o->start), memory_free(o->weight);
}

static double weight_between(const AxisPair *pair, double low, double high) {
    if (!pair->latitude) return high - low;
    return 2 * cos(0.5 * RADIANS_PER_DEGREE * (low + high)) *
           sin(0.5 * RADIANS_PER_DEGREE * (high - low)); /* sin(high) - sin(low) */
}

static int clamp_index(double index, int cells) {
    return index < 0 ? 0 : index >= cells ? cells - 1 : (int)index;
}

/* The outermost raster cells reach as far as the grid does: coverage was checked before, half a cell may
 * lack. */
static size_t overlap_of_cell(const AxisPair *pair, int n, Overlap *o, size_t used) {
    double low = pair->edge + n * pair->step, high = pair->edge + (n + 1) * pair->step;
    const double dust = 1e-7 * pair->raster_step; /* rounding, not area */
    int from = clamp_index(floor((low - pair->raster_edge + dust) / pair->raster_step), pair->raster_cells);
    int last =
        clamp_index(ceil((high - pair->raster_edge - dust) / pair->raster_step) - 1, pair->raster_cells);
    o->first[n] = from, o->count[n] = last - from + 1, o->start[n] = used;
    for (int r = from; r <= last; r++) {
        double begin = r == from ? low : pair->raster_edge + r * pair->raster_step;
        double end = r == last ? high : pair->raster_edge + (r + 1) * pair->raster_step;
        o->weight[used++] = weight_between(pair, begin, end);
    }
    return used;
}

static void neighbours_of_line(const AxisPair *pair, int n, Overlap *o) {
    double at = (pair->edge + n * pair->step - pair->raster_edge) / pair->raster_step, near = nearbyint(at);
    bool between = fabs(at - near) < 1e-6;
    o->before[n] = clamp_index(between ? near - 1 : floor(at), pair->raster_cells);
    o->after[n] = clamp_index(between ? near : floor(at), pair->raster_cells);
}

static Overlap overlap_create(const AxisPair *pair) {
    Overlap o = {.cells = pair->cells};
    size_t cells = (size_t)pair->cells;
    double per_cell = ceil(pair->step / pair->raster_step) + 2;
    o.first = ALLOCATE(cells, int), o.count = ALLOCATE(cells, int), o.start = ALLOCATE(cells, size_t);
    o.before = ALLOCATE(cells + 1, int), o.after = ALLOCATE(cells + 1, int);
    o.weight = ALLOCATE((double)cells * per_cell, double);
    size_t used = 0;
    for (int n = 0; n < pair->cells; n++) used = overlap_of_cell(pair, n, &o, used);
    for (int n = 0; n <= pair->cells; n++) neighbours_of_line(pair, n, &o);
    /* At the domain's edge only the inner side counts; across a periodic seam the two edges are one line. */
    int inner_first = o.after[0], inner_last = o.before[cells];
    o.before[0] = pair->periodic ? inner_last : inner_first;
    o.after[cells] = pair->periodic ? inner_first : inner_last;
    o.after[0] = inner_first, o.before[cells] = inner_last;
    return o;
}

Overlap overlap_along_x(const Raster *raster, const Axes *axes, double shift) {
    const AxisPair pair = {raster->x0 + shift - 0.5 * raster->dx,
                           raster->dx,
                           raster->nx,
                           axes->west,
                           axes->step_x,
                           axes->nx,
                           axes->periodic_x,
                           false};
    return overlap_create(&pair);
}

Overlap overlap_along_y(const Raster *raster, const Axes *axes) {
    const AxisPair pair = {raster->y0 - 0.5 * raster->dy,
                           raster->dy,
                           raster->ny,
                           axes->south,
                           axes->step_y,
                           axes->ny,
                           axes->periodic_y,
                           axes->spherical};
    return overlap_create(&pair);
}

static void reach(int row, int rows[2]) {
    if (row < rows[0]) rows[0] = row;
    if (row >= rows[1]) rows[1] = row + 1;
}

void overlap_rows(const Raster *shape, const Axes *axes, const Band *band, bool between, int rows[2]) {
    const int last = shape->ny - 1;
    rows[0] = rows[1] = 0;
    if (band->rows == 0) return;
    Overlap y = overlap_along_y(shape, axes);
    rows[0] = shape->ny;
    for (int j = band->first; j < band->first + band->rows; j++) {
        reach(y.first[j], rows), reach(y.first[j] + y.count[j] - 1, rows);
        if (!between) continue;
        const int row = clamp_index(floor((axes_y(axes, j + 0.5) - shape->y0) / shape->dy), shape->ny);
        reach(row > 0 ? row - 1 : 0, rows), reach(row < last ? row + 1 : last, rows);
    }
    for (int j = band->first; j <= band->first + band->rows; j++)
        reach(y.before[j], rows), reach(y.after[j], rows);
    if (band->is_first) rows[0] = 0;
    if (band->is_last) rows[1] = shape->ny;
    overlap_release(&y);
}

bool overlap_is_coarser(const Raster *raster, const Axes *axes) {
    return raster->dx > 1.001 * axes->step_x || raster->dy > 1.001 * axes->step_y;
}

/* How far the raster falls short of the grid on one side, in its own units; up to half a cell is forgiven. */
static Status check_coverage(const Raster *raster, const char *what, const Axes *axes, double shift) {
    double west = raster->x0 + shift - 0.5 * raster->dx, east = west + raster->nx * raster->dx;
    double south = raster->y0 - 0.5 * raster->dy, north = south + raster->ny * raster->dy;
    double lack[4] = {west - axes_x(axes, 0), axes_x(axes, axes->nx) - east, south - axes_y(axes, 0),
                      axes_y(axes, axes->ny) - north};
    for (int n = 0; n < 4; n++) {
        static const char *const side[] = {"west", "east", "south", "north"};
        double forgiven = 0.5001 * (n < 2 ? raster->dx : raster->dy);
        CHECK(lack[n] <= forgiven, STATUS_BAD_INPUT,
              "%s covers %.6g to %.6g, %.6g to %.6g; the grid needs %.6g to %.6g, %.6g to %.6g: "
              "%.4g are missing in the %s; take a smaller grid or a larger file",
              what, west, east, south, north, axes_x(axes, 0), axes_x(axes, axes->nx), axes_y(axes, 0),
              axes_y(axes, axes->ny), lack[n], side[n]);
    }
    return STATUS_OK;
}

Status overlap_check(const Raster *raster, const char *what, const Axes *axes, double *shift) {
    CHECK(raster->units != (axes->spherical ? RASTER_METRES : RASTER_DEGREES), STATUS_BAD_INPUT,
          "the coordinates of %s are in %s, the grid's in %s", what, axes->spherical ? "metres" : "degrees",
          axes->spherical ? "degrees (\"kind\": \"spherical\")" : "metres (\"kind\": \"cartesian\")");
    double middle = raster->x0 + 0.5 * (raster->nx - 1) * raster->dx;
    *shift = axes->spherical ? 360 * nearbyint((axes_x(axes, 0.5 * axes->nx) - middle) / 360) : 0;
    return check_coverage(raster, what, axes, *shift);
}
