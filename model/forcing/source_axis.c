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

/* At least to a hundredth of the file's spacing: coordinates are often single precision. */
static bool covers(const Ordered *all, int count, const SourceWindow *w, int d) {
    const double slack =
        count > 1 ? fmax(0.01, w->shortfall) * (all[count - 1].at - all[0].at) / (count - 1) : 0;
    return count > 1 && all[0].at <= w->low[d] + slack && all[count - 1].at >= w->high[d] - slack;
}

static Status check_cover(const char *path, Ordered *const all[2], const int count[2], const Side side[2]) {
    const SourceWindow *w = side[0].window;
    const SourceWindow other = {
        .low = {w->low[1], w->low[0]}, .high = {w->high[1], w->high[0]}, .shortfall = w->shortfall};
    const bool swapped =
        side[0].turns && covers(all[0], count[0], &other, 0) && covers(all[1], count[1], &other, 1);
    for (int d = 0; d < 2; d++)
        CHECK(covers(all[d], count[d], w, d), STATUS_BAD_INPUT,
              "%s: the file covers %s %g to %g, but %s reaches from %g to %g: %s", path, side[d].axis,
              all[d][0].at, all[d][count[d] - 1].at, w->what, w->low[d], w->high[d],
              swapped ? "longitude comes before latitude; are the two swapped?"
                      : "get a larger extract (its edges must lie outside)");
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

static Status read_side(const NetcdfFile *file, const NetcdfVariable *variable, const Side *side,
                        Ordered **all, int *kept) {
    double *values = NULL;
    const int count = (int)variable->length[side->dimension];
    if (side->window->by_index) {
        values = ALLOCATE(count, double);
        for (int n = 0; n < count; n++) values[n] = n;
    } else
        TRY(netcdf_read_coordinate(file, variable, side->dimension, &values));
    *all = ALLOCATE(count, Ordered);
    *kept = order(values, count, side, *all);
    memory_free(values);
    return STATUS_OK;
}

Status source_axes_find(const NetcdfFile *file, const NetcdfVariable *variable, const char *path, bool sphere,
                        const SourceWindow *w, SourceAxis *x, SourceAxis *y) {
    const Side side[2] = {
        {sphere ? "longitudes" : "x", variable->x, w->low[0], w->high[0], w->margin[0], sphere, w},
        {sphere ? "latitudes" : "y", variable->y, w->low[1], w->high[1], w->margin[1], false, w}};
    Ordered *all[2] = {NULL};
    int count[2];
    Status status = STATUS_OK;
    for (int d = 0; d < 2; d++) ATTEMPT(read_side(file, variable, &side[d], &all[d], &count[d]));
    if (w->cover) ATTEMPT(check_cover(path, all, count, side));
    cut(all[0], count[0], &side[0], x);
    cut(all[1], count[1], &side[1], y);
cleanup:
    memory_free(all[0]), memory_free(all[1]);
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

/* Longitudes of a rotated pole are degrees, too, and may even seem to cover the sea. */
static Status check_pole(const NetcdfFile *file, const NetcdfVariable *variable, int id, const char *path) {
    char *name = netcdf_text(file, id, "standard_name");
    const bool rotated = name && strncmp(name, "grid_l", 6) == 0;
    memory_free(name);
    CHECK(
        !rotated, STATUS_BAD_INPUT,
        "%s: %s lies on a rotated pole (grid_longitude, grid_latitude): bring it to longitudes and latitudes "
        "first, for example with cdo remapbil, with eastward and northward velocities",
        path, variable->name);
    return STATUS_OK;
}

/* Degrees for a sphere, metres for a plane. */
static Status check_kind(const NetcdfFile *file, const NetcdfVariable *variable, const char *path,
                         bool spherical) {
    int id = variable->coordinate[variable->x];
    CHECK(id >= 0, STATUS_BAD_INPUT, "%s: %s has no coordinate variable along x", path, variable->name);
    TRY(check_pole(file, variable, id, path));
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
    if (!w->by_index) TRY(check_kind(file, variable, path, sphere));
    if (!w->by_index && !sphere) TRY(axes_check_map(axes, file, variable->id));
    return source_axes_find(file, variable, path, sphere, w, x, y);
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
