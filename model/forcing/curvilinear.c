/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/curvilinear.h"

#include "base/memory.h"
#include <math.h>
#include <string.h>
#include <strings.h>

/* ---- reading ---- */

static Status check_units(const NetcdfFile *file, int id, const Axes *axes) {
    char *unit = netcdf_text(file, id, "units");
    const bool degrees = unit && strncasecmp(unit, "degree", 6) == 0;
    Status status = STATUS_OK;
    if (axes->spherical ? unit && !degrees : degrees)
        status = error_raise(STATUS_BAD_INPUT, "%s: its coordinates %s are in \"%s\", but the grid is in %s",
                             netcdf_path(file), netcdf_name(file, id), unit,
                             axes->spherical ? "degrees" : "metres");
    memory_free(unit);
    return status;
}

/* How far rows turn against east [rad]. */
static double turn_of(const Curvilinear *g, bool spherical) {
    double most = 0;
    for (int row = 0; row < g->ny; row++)
        for (int column = 0; column + 1 < g->nx; column++) {
            const ptrdiff_t m = (ptrdiff_t)row * g->nx + column;
            double east = g->x[m + 1] - g->x[m];
            const double north = g->y[m + 1] - g->y[m];
            if (spherical) east = (east - 360 * floor(east / 360 + 0.5)) * cos(g->y[m] * RADIANS_PER_DEGREE);
            const double turn = fabs(atan2(north, east));
            if (turn > most) most = turn;
        }
    return most;
}

/* A velocity along the axes of the grid is not eastward where these turn. */
static Status check_turn(const NetcdfFile *file, const NetcdfVariable *v, const Curvilinear *g,
                         bool spherical) {
    const double straight = 0.01; /* [rad] */
    char *name = netcdf_text(file, v->id, "standard_name");
    const bool geographic = (name && (strstr(name, "eastward") || strstr(name, "northward"))) ||
                            strstr(v->name, "east") || strstr(v->name, "north");
    memory_free(name);
    const double turn = geographic ? 0 : turn_of(g, spherical);
    CHECK(turn <= straight, STATUS_BAD_INPUT,
          "%s: %s is a velocity along the file's grid, which is turned by up to %.2g rad: it needs eastward "
          "and "
          "northward velocities, such as u_eastward and v_northward",
          netcdf_path(file), v->name, turn);
    return STATUS_OK;
}

Status curvilinear_read(const NetcdfFile *file, const NetcdfVariable *v, const Axes *axes, bool is_velocity,
                        Curvilinear *out) {
    *out = (Curvilinear){0};
    if (v->plane_x < 0) return STATUS_OK;
    TRY(check_units(file, v->plane_x, axes));
    TRY(netcdf_check_room(file, v, (double)v->length[v->x], (double)v->length[v->y], 2));
    out->nx = (int)v->length[v->x], out->ny = (int)v->length[v->y];
    const size_t count = v->length[v->x] * v->length[v->y];
    out->x = ALLOCATE(count, double);
    out->y = ALLOCATE(count, double);
    Status status = netcdf_read_numbers(file, v->plane_x, count, out->x);
    if (status == STATUS_OK) status = netcdf_read_numbers(file, v->plane_y, count, out->y);
    if (status == STATUS_OK && is_velocity) status = check_turn(file, v, out, axes->spherical);
    if (status != STATUS_OK) curvilinear_free(out);
    return status;
}

void curvilinear_free(Curvilinear *grid) {
    memory_free(grid->x);
    memory_free(grid->y);
    *grid = (Curvilinear){0};
}

/* ---- locating ---- */

/* A quadrilateral between four points of the file, relative to the place. */
typedef struct Quad {
    double x[4], y[4]; /* south-west, south-east, north-west, north-east by indices */
} Quad;

static bool may_hold(const Quad *q, double shortfall) {
    double least_x = INFINITY, most_x = -INFINITY, least_y = INFINITY, most_y = -INFINITY;
    for (int c = 0; c < 4; c++) {
        if (!isfinite(q->x[c]) || !isfinite(q->y[c])) return false;
        least_x = fmin(least_x, q->x[c]), most_x = fmax(most_x, q->x[c]);
        least_y = fmin(least_y, q->y[c]), most_y = fmax(most_y, q->y[c]);
    }
    const double wide = shortfall * (most_x - least_x), high = shortfall * (most_y - least_y);
    return least_x - wide <= 0 && most_x + wide >= 0 && least_y - high <= 0 && most_y + high >= 0;
}

/* Newton's method for the place within the bilinear quadrilateral; how far it lies outside comes out, in cells. */
static double invert(const Quad *q, double *s, double *t) {
    enum { STEPS = 12 };
    const double *x = q->x, *y = q->y;
    *s = *t = 0.5;
    for (int n = 0; n < STEPS; n++) {
        const double x_s = x[1] - x[0] + *t * (x[3] - x[2] - x[1] + x[0]),
                     x_t = x[2] - x[0] + *s * (x[3] - x[2] - x[1] + x[0]),
                     y_s = y[1] - y[0] + *t * (y[3] - y[2] - y[1] + y[0]),
                     y_t = y[2] - y[0] + *s * (y[3] - y[2] - y[1] + y[0]);
        const double x_at = x[0] + *s * (x[1] - x[0]) + *t * x_t, y_at = y[0] + *s * (y[1] - y[0]) + *t * y_t;
        const double area = x_s * y_t - x_t * y_s;
        if (!(fabs(area) > 0)) return INFINITY;
        *s -= (x_at * y_t - y_at * x_t) / area;
        *t -= (y_at * x_s - x_at * y_s) / area;
    }
    const double outside = fmax(fmax(-*s, *s - 1), fmax(-*t, *t - 1));
    return isfinite(outside) ? fmax(0, outside) : INFINITY;
}

typedef struct Search {
    const Curvilinear *grid;
    bool turns;
    double x, y, shortfall;
} Search;

/* Places within a cell, and how far outside; INFINITY: too far. */
static double look_into(const Search *a, int column, int row, double *s, double *t) {
    const Curvilinear *g = a->grid;
    const ptrdiff_t first = (ptrdiff_t)row * g->nx + column;
    const ptrdiff_t at[4] = {first, first + 1, first + g->nx, first + g->nx + 1};
    Quad q;
    for (int c = 0; c < 4; c++) {
        const double east = g->x[at[c]] - a->x;
        q.x[c] = a->turns ? east - 360 * floor(east / 360 + 0.5) : east;
        q.y[c] = g->y[at[c]] - a->y;
    }
    const double outside = may_hold(&q, a->shortfall) ? invert(&q, s, t) : INFINITY;
    return outside <= a->shortfall ? outside : INFINITY;
}

/* Near the cell that the last place was in; only well within a cell, so that the answer is that of the whole search. */
static bool look_near(const Search *a, int *hint, double *i, double *j) {
    const double within = 1e-6;
    const int near_column = *hint % a->grid->nx, near_row = *hint / a->grid->nx;
    for (int row = near_row - 1; row <= near_row + 1; row++)
        for (int column = near_column - 1; column <= near_column + 1; column++) {
            double s, t;
            if (row < 0 || column < 0 || row + 1 >= a->grid->ny || column + 1 >= a->grid->nx) continue;
            if (look_into(a, column, row, &s, &t) > 0) continue;
            if (s < within || s > 1 - within || t < within || t > 1 - within) continue;
            *i = column + s, *j = row + t;
            *hint = row * a->grid->nx + column;
            return true;
        }
    return false;
}

bool curvilinear_locate(const Curvilinear *g, bool turns, double shortfall, double x, double y, int *hint,
                        double *i, double *j) {
    const Search search = {g, turns, x, y, shortfall};
    double least = INFINITY;
    if (look_near(&search, hint, i, j)) return true;
    for (int row = 0; row + 1 < g->ny && least > 0; row++)
        for (int column = 0; column + 1 < g->nx && least > 0; column++) {
            double s, t;
            const double outside = look_into(&search, column, row, &s, &t);
            if (!(outside < least)) continue;
            least = outside;
            *i = column + fmin(fmax(s, 0), 1);
            *j = row + fmin(fmax(t, 0), 1);
            *hint = row * g->nx + column;
        }
    return isfinite(least);
}
