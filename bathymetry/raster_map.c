/* SPDX-License-Identifier: Apache-2.0 */
#include "bathymetry/raster_map.h"

#include "base/memory.h"
#include "bathymetry/raster_regrid.h"
#include <math.h>

enum { MOST_PARTS = 16 }; /* of a cell of the grid along each side */

typedef struct OnMap {
    const Axes *axes;
    RasterRows *needed;
    const void *context;
} OnMap;

static bool is_turned(const Raster *raster, const Axes *axes) {
    return axes->map && raster->units == RASTER_DEGREES;
}

static int parts_of(double step, double spacing_m) {
    return (int)fmin(fmax(ceil(step / spacing_m - 0.01), 1), MOST_PARTS);
}

/* The raster in metres that takes the place of one in degrees. */
static Raster shape_on_map(const Raster *degrees, const Axes *axes) {
    double lon, lat;
    axes_degrees(axes, axes_x(axes, 0.5 * axes->nx), axes_y(axes, 0.5 * axes->ny), &lon, &lat);
    const double spacing = METRES_PER_DEGREE * fmin(degrees->dx * cos(lat * RADIANS_PER_DEGREE), degrees->dy);
    const int n = parts_of(axes->step_x, spacing), m = parts_of(axes->step_y, spacing);
    const double dx = axes->step_x / n, dy = axes->step_y / m;
    return (Raster){.nx = n * axes->nx,
                    .ny = m * axes->ny,
                    .x0 = axes->west + 0.5 * dx,
                    .y0 = axes->south + 0.5 * dy,
                    .dx = dx,
                    .dy = dy,
                    .units = RASTER_METRES};
}

/* The rows of a file in degrees, from those of the map. */
static void rows_on_map(const void *context, const Raster *shape, int rows[2]) {
    const OnMap *m = context;
    if (!is_turned(shape, m->axes)) {
        m->needed(m->context, shape, rows);
        return;
    }
    const Raster map = shape_on_map(shape, m->axes);
    int own[2];
    double low[2], high[2];
    m->needed(m->context, &map, own);
    rows[0] = rows[1] = 0;
    if (own[0] >= own[1]) return;
    const double rectangle[4] = {axes_x(m->axes, 0), axes_x(m->axes, m->axes->nx),
                                 map.y0 + (own[0] - 1) * map.dy, map.y0 + own[1] * map.dy};
    axes_degrees_around(m->axes, rectangle, low, high);
    raster_rows_between(shape, low[1] - shape->dy, high[1] + shape->dy, rows);
}

/* ---- values ---- */

/* The corners of a row of the grid's cells. */
static void find_corners(const Axes *axes, int j, double *lon, double *lat) {
    for (int i = 0; i <= axes->nx; i++)
        axes_degrees(axes, axes_x(axes, i), axes_y(axes, j), &lon[i], &lat[i]);
}

/* NaN where the nearest centre has no value, or the point lies farther than half a cell outside. */
static double value_at(const Raster *r, double lon, double lat, bool alone, bool *outside) {
    const double middle = r->x0 + 0.5 * (r->nx - 1) * r->dx;
    lon += 360 * nearbyint((middle - lon) / 360);
    const int i = (int)floor((lon - r->x0) / r->dx + 0.5), j = (int)floor((lat - r->y0) / r->dy + 0.5);
    *outside = *outside || i < 0 || i >= r->nx || j < 0 || j >= r->ny;
    if (i < 0 || i >= r->nx || j < r->first_row || j >= r->first_row + r->rows) return NAN;
    const double nearest = r->elevation[(size_t)(j - r->first_row) * (size_t)r->nx + (size_t)i];
    return isnan(nearest) || alone ? nearest : raster_at(r, lon, lat);
}

/* Whether a place lay outside the file comes out. */
static bool fill_rows(const Raster *degrees, const Axes *axes, bool alone, Raster *map) {
    const int n = map->nx / axes->nx, m = map->ny / axes->ny;
    double *lon[2], *lat[2];
    bool outside = false;
    int known = -2; /* row of cells whose corners are at hand */
    for (int e = 0; e < 2; e++)
        lon[e] = ALLOCATE(axes->nx + 1, double), lat[e] = ALLOCATE(axes->nx + 1, double);
    for (int row = map->first_row; row < map->first_row + map->rows; row++) {
        const int j = row / m;
        const double up = (row % m + 0.5) / m;
        for (int e = 0; e < 2 && j != known; e++) find_corners(axes, j + e, lon[e], lat[e]);
        known = j;
        double *to = map->elevation + (size_t)(row - map->first_row) * (size_t)map->nx;
        for (int column = 0; column < map->nx; column++) {
            const int i = column / n;
            const double right = (column % n + 0.5) / n;
            const double weight[4] = {(1 - right) * (1 - up), right * (1 - up), (1 - right) * up, right * up};
            double at[2] = {0, 0};
            for (int c = 0; c < 4; c++) {
                at[0] += weight[c] * lon[c / 2][i + c % 2];
                at[1] += weight[c] * lat[c / 2][i + c % 2];
            }
            to[column] = value_at(degrees, at[0], at[1], alone, &outside);
        }
    }
    for (int e = 0; e < 2; e++) memory_free(lon[e]), memory_free(lat[e]);
    return outside;
}

static Status turn(const OnMap *m, const char *path, const RasterOptions *options, Raster **raster) {
    Raster *degrees = *raster, *map = ALLOCATE(1, Raster);
    int own[2];
    *map = shape_on_map(degrees, m->axes);
    m->needed(m->context, map, own);
    map->first_row = own[0], map->rows = own[1] - own[0];
    map->source = degrees->source, map->checksum = degrees->checksum;
    degrees->source = degrees->checksum = NULL;
    map->elevation = ALLOCATE((size_t)map->nx * (size_t)map->rows + 1, double);
    const bool outside = fill_rows(degrees, m->axes, options->nearest, map);
    *raster = map;
    Status status = STATUS_OK;
    if (outside && !options->cover) {
        const Axes *axes = m->axes;
        const double grid[4] = {axes_x(axes, 0), axes_x(axes, axes->nx), axes_y(axes, 0),
                                axes_y(axes, axes->ny)};
        double low[2], high[2];
        axes_degrees_around(axes, grid, low, high);
        status =
            error_raise(STATUS_BAD_INPUT,
                        "%s covers %.6g to %.6g E, %.6g to %.6g N; the grid needs %.6g to %.6g E, %.6g to "
                        "%.6g N: take a smaller grid or a larger file",
                        path, degrees->x0 - 0.5 * degrees->dx,
                        degrees->x0 + (degrees->nx - 0.5) * degrees->dx, degrees->y0 - 0.5 * degrees->dy,
                        degrees->y0 + (degrees->ny - 0.5) * degrees->dy, low[0], high[0], low[1], high[1]);
    }
    raster_destroy(&degrees);
    return status;
}

Status raster_read_for(const Axes *axes, const Band *band, const char *path, const RasterOptions *options,
                       RasterRows *needed, const void *context, Raster **out) {
    const OnMap map = {axes, needed, context};
    RasterOptions all = *options;
    double degrees[4];
    if (axes->map && options->window) {
        double low[2], high[2];
        axes_degrees_around(axes, options->window, low, high);
        degrees[0] = low[0], degrees[1] = high[0], degrees[2] = low[1], degrees[3] = high[1];
        all.degrees = degrees;
    }
    all.map = axes->map ? axes : NULL;
    TRY(raster_read_rows(band, path, &all, rows_on_map, &map, out));
    Status status = STATUS_OK;
    if (is_turned(*out, axes)) status = turn(&map, path, options, out);
    status = band->comm == MPI_COMM_NULL ? status : status_agree(band->comm, status);
    if (status != STATUS_OK) raster_destroy(out);
    return status;
}
