/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/grid/axes.h"

#include "base/memory.h"
#include "base/netcdf_in.h"
#include "base/projection.h"
#include <math.h>
#include <string.h>

double axes_x(const Axes *axes, double i) {
    return axes->west + i * axes->step_x;
}

double axes_y(const Axes *axes, double j) {
    return axes->south + j * axes->step_y;
}

double axes_dx_m(const Axes *axes, double j) {
    if (!axes->spherical) return axes->step_x;
    return EARTH_RADIUS_M * cos(axes_y(axes, j) * RADIANS_PER_DEGREE) * axes->step_x * RADIANS_PER_DEGREE;
}

double axes_dy_m(const Axes *axes) {
    return axes->spherical ? EARTH_RADIUS_M * axes->step_y * RADIANS_PER_DEGREE : axes->step_y;
}

double axes_area_m2(const Axes *axes, double j) {
    return axes_dx_m(axes, j) * axes_dy_m(axes);
}

double axes_length_x_m(const Axes *axes) {
    return axes->nx * axes_dx_m(axes, 0.5 * axes->ny);
}

double axes_length_y_m(const Axes *axes) {
    return axes->ny * axes_dy_m(axes);
}

double axes_distance_m(const Axes *axes, double x1, double y1, double x2, double y2) {
    if (!axes->spherical) return hypot(x2 - x1, y2 - y1);
    const double turn = remainder(x2 - x1, 360); /* the shorter way round */
    return hypot(turn * cos(0.5 * (y1 + y2) * RADIANS_PER_DEGREE), y2 - y1) * METRES_PER_DEGREE;
}

bool axes_on_earth(const Axes *axes) {
    return axes->spherical || axes->map;
}

void axes_degrees(const Axes *axes, double x, double y, double *lon, double *lat) {
    *lon = x, *lat = y;
    if (!axes->map) return;
    projection_to_degrees(axes->map, x, y, lon, lat);
    *lon = axes->middle_lon + remainder(*lon - axes->middle_lon, 360);
}

double axes_turn(const Axes *axes, double x, double y) {
    return axes->map ? projection_scale(axes->map, x, y).turn : 0;
}

void axes_degrees_around(const Axes *axes, const double rectangle[4], double low[2], double high[2]) {
    enum { STEPS = 64 }; /* along a side, which is nearly straight in between */
    for (int c = 0; c < 2; c++) low[c] = INFINITY, high[c] = -INFINITY;
    for (int n = 0; n < 4 * STEPS; n++) {
        const double along = (double)(n / 4) / (STEPS - 1), side = n % 2;
        const double part[2] = {n % 4 < 2 ? along : side, n % 4 < 2 ? side : along};
        double at[2], degrees[2];
        for (int c = 0; c < 2; c++)
            at[c] = rectangle[2 * c] + part[c] * (rectangle[2 * c + 1] - rectangle[2 * c]);
        axes_degrees(axes, at[0], at[1], &degrees[0], &degrees[1]);
        for (int c = 0; c < 2; c++) low[c] = fmin(low[c], degrees[c]), high[c] = fmax(high[c], degrees[c]);
    }
}

/* Systems that differ by less than a tenth of a cell are taken for one: those of neighbouring epochs, or names of one map. */
static bool is_same_map(const Axes *axes, const Projection *other) {
    for (int corner = 0; corner < 2; corner++) {
        const double at[2] = {axes_x(axes, corner * axes->nx), axes_y(axes, corner * axes->ny)};
        double lon, lat, x, y;
        projection_to_degrees(axes->map, at[0], at[1], &lon, &lat);
        projection_to_metres(other, lon, lat, &x, &y);
        if (!(hypot(x - at[0], y - at[1]) < 0.1 * axes->step_x)) return false;
    }
    return true;
}

Status axes_check_map(const Axes *axes, const NetcdfFile *file, int variable) {
    static const char *const texts[] = {"crs_wkt", "spatial_ref", "proj4", "proj4_params"};
    char *name = axes->map ? netcdf_text(file, variable, "grid_mapping") : NULL, *text = NULL, why[256];
    if (name) name[strcspn(name, ": ")] = '\0';
    const int system = name ? netcdf_find(file, name) : -1;
    for (int n = 0; n < 4 && system >= 0 && !text; n++) text = netcdf_text(file, system, texts[n]);
    Projection *map = text ? projection_create(text, why) : NULL;
    Status status = STATUS_OK;
    if (map && !is_same_map(axes, map))
        status = error_raise(STATUS_BAD_INPUT,
                             "%s: %s is in metres of \"%s\", but the grid in those of \"%s\": bring it to "
                             "these or to degrees, for example with gdalwarp",
                             netcdf_path(file), netcdf_name(file, variable), projection_name(map),
                             projection_name(axes->map));
    projection_destroy(&map);
    memory_free(text), memory_free(name);
    return status;
}
