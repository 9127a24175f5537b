/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/source_axis.h"

#include "base/memory.h"
#include "gpu/kernel.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

typedef struct Ordered {
    double at;
    int index;
} Ordered;

static int ascending(const void *a, const void *b) {
    double left = ((const Ordered *)a)->at, right = ((const Ordered *)b)->at;
    return (left > right) - (left < right);
}

typedef struct Side {
    const char *axis;
    int dimension;
    double low, high, margin;
    bool turns; /* longitudes */
    const SourceWindow *window;
} Side;

/* Keeps the coordinates around [low, high], with one to spare beyond each `margin`. */
static void cut(const Ordered *all, int count, const Side *side, SourceAxis *out) {
    int first = 0, last = count - 1;
    while (first < last && all[first + 1].at <= side->low - side->margin) first++;
    while (last > first && all[last - 1].at >= side->high + side->margin) last--;
    first = first > side->window->spare ? first - side->window->spare : 0;
    last = last < count - 1 - side->window->spare ? last + side->window->spare : count - 1;
    out->count = last - first + 1;
    out->at = ALLOCATE(out->count, double);
    out->index = ALLOCATE(out->count, int);
    int least = all[first].index, most = least;
    for (int n = 0; n < out->count; n++) {
        int index = all[first + n].index;
        out->at[n] = all[first + n].at, out->index[n] = index;
        if (index < least) least = index;
        if (index > most) most = index;
    }
    out->first = least, out->extent = most - least + 1;
}

/* On the model's side of the world: within half a turn of `middle`. */
static double turned(double longitude, double middle) {
    return longitude + 360.0 * floor((middle - longitude) / 360.0 + 0.5);
}

static Status check_cover(const char *path, const Ordered *all, int count, const Side *side) {
    /* at least a hundredth of the file's spacing: coordinates are often single precision */
    const SourceWindow *w = side->window;
    double slack = count > 1 ? fmax(0.01, w->shortfall) * (all[count - 1].at - all[0].at) / (count - 1) : 0;
    CHECK(count > 1 && all[0].at <= side->low + slack && all[count - 1].at >= side->high - slack,
          STATUS_BAD_INPUT,
          "%s: the file covers %s %g to %g, but %s reaches from %g to %g: get a larger extract (the edges of "
          "%s must lie inside)",
          path, side->axis, all[0].at, all[count - 1].at, w->what, side->low, side->high, w->what);
    return STATUS_OK;
}

static int order(const double *values, int count, const Side *side, Ordered *all) {
    int kept = 0;
    for (int n = 0; n < count; n++) {
        double at = side->turns ? turned(values[n], 0.5 * (side->low + side->high)) : values[n];
        all[n] = (Ordered){at, n};
    }
    qsort(all, (size_t)count, sizeof *all, ascending);
    for (int n = 0; n < count; n++) /* 0 and 360 are one place */
        if (n == 0 || all[n].at > all[kept - 1].at) all[kept++] = all[n];
    return kept;
}

void source_axis_make(const double *values, int count, double low, double high, bool turns, SourceAxis *out) {
    const SourceWindow window = {.spare = 0};
    const Side side = {.low = low, .high = high, .turns = turns, .window = &window};
    Ordered *all = ALLOCATE(count, Ordered);
    cut(all, order(values, count, &side, all), &side, out);
    memory_free(all);
}

static Status read_side(const NetcdfFile *file, const NetcdfVariable *variable, const char *path, Side side,
                        SourceAxis *out) {
    double *values = NULL;
    const int count = (int)variable->length[side.dimension];
    if (side.window->by_index) {
        values = ALLOCATE(count, double);
        for (int n = 0; n < count; n++) values[n] = n;
    } else
        TRY(netcdf_read_coordinate(file, variable, side.dimension, &values));
    Ordered *all = ALLOCATE(count, Ordered);
    const int kept = order(values, count, &side, all);
    Status status = side.window->cover ? check_cover(path, all, kept, &side) : STATUS_OK;
    if (status == STATUS_OK) cut(all, kept, &side, out);
    memory_free(all);
    memory_free(values);
    return status;
}

/* 'd' for degrees, 'm' for metres, '?'. */
static char unit_kind(const NetcdfFile *file, int id) {
    char *unit = id >= 0 ? netcdf_text(file, id, "units") : NULL;
    const bool degrees = unit && strncasecmp(unit, "degree", 6) == 0,
               metres = unit && (strcmp(unit, "m") == 0 || strncasecmp(unit, "met", 3) == 0);
    memory_free(unit);
    return degrees ? 'd' : metres ? 'm' : '?';
}

bool source_in_degrees(const NetcdfFile *file, const NetcdfVariable *v, const Axes *axes) {
    const char axis = unit_kind(file, v->x >= 0 ? v->coordinate[v->x] : -1);
    return axes->map && axis != 'm' && (axis == 'd' || unit_kind(file, v->plane_x) == 'd');
}

/* Degrees for a sphere, metres for a plane. */
static Status check_kind(const NetcdfFile *file, const NetcdfVariable *variable, const char *path,
                         bool spherical) {
    int id = variable->coordinate[variable->x];
    CHECK(id >= 0, STATUS_BAD_INPUT, "%s: %s has no coordinate variable along x", path, variable->name);
    const char kind = unit_kind(file, id);
    char *unit = netcdf_text(file, id, "units");
    Status status = STATUS_OK;
    if (spherical ? unit && kind != 'd' : kind != 'm')
        status = error_raise(STATUS_BAD_INPUT, "%s: its coordinates are in \"%s\", but the grid is in %s",
                             path, unit ? unit : "?", spherical ? "degrees" : "metres");
    memory_free(unit);
    return status;
}

SourceWindow source_window_of(const Axes *axes, bool cover) {
    return (SourceWindow){.low = {axes_x(axes, 0), axes_y(axes, 0)},
                          .high = {axes_x(axes, axes->nx), axes_y(axes, axes->ny)},
                          .margin = {HALO * axes->step_x, HALO * axes->step_y},
                          .cover = cover,
                          .what = "the grid"};
}

static SourceWindow window_in_degrees(const Axes *axes, const SourceWindow *w) {
    const double inner[4] = {w->low[0], w->high[0], w->low[1], w->high[1]},
                 outer[4] = {w->low[0] - w->margin[0], w->high[0] + w->margin[0], w->low[1] - w->margin[1],
                             w->high[1] + w->margin[1]};
    SourceWindow out = *w;
    double low[2], high[2];
    out.degrees = true;
    axes_degrees_around(axes, inner, out.low, out.high);
    axes_degrees_around(axes, outer, low, high);
    for (int c = 0; c < 2; c++) out.margin[c] = fmax(out.low[c] - low[c], high[c] - out.high[c]);
    return out;
}

Status source_area(const NetcdfFile *file, const NetcdfVariable *variable, const char *path, const Axes *axes,
                   const SourceWindow *window, SourceAxis *x, SourceAxis *y) {
    const bool mapped = source_in_degrees(file, variable, axes) && !window->by_index,
               sphere = mapped || (axes->spherical && !window->by_index);
    const SourceWindow turned = mapped && !window->degrees ? window_in_degrees(axes, window) : *window,
                       *w = &turned;
    const Side along_x = {
        sphere ? "longitudes" : "x", variable->x, w->low[0], w->high[0], w->margin[0], sphere, w};
    const Side along_y = {
        sphere ? "latitudes" : "y", variable->y, w->low[1], w->high[1], w->margin[1], false, w};
    if (!w->by_index) TRY(check_kind(file, variable, path, sphere));
    TRY(read_side(file, variable, path, along_x, x));
    return read_side(file, variable, path, along_y, y);
}

void source_axis_free(SourceAxis *axis) {
    memory_free(axis->at);
    memory_free(axis->index);
}

Status source_axes_read(const NetcdfFile *file, const NetcdfVariable *variable, size_t record, size_t level,
                        const SourceAxis *x, const SourceAxis *y, double *out) {
    const size_t wide = (size_t)x->extent, high = (size_t)y->extent;
    TRY(netcdf_check_room(file, variable, x->extent, y->extent, 1));
    double *map = ALLOCATE(wide * high, double);
    const Status status =
        netcdf_read_level(file, variable, record, level, (size_t)x->first, wide, (size_t)y->first, high, map);
    for (int j = 0; j < y->count && status == STATUS_OK; j++)
        for (int i = 0; i < x->count; i++)
            *out++ = map[(size_t)(y->index[j] - y->first) * wide + (size_t)(x->index[i] - x->first)];
    memory_free(map);
    return status;
}
