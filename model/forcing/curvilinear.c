/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/curvilinear.h"

#include "base/memory.h"
#include "model/forcing/source_axis.h"
#include <math.h>
#include <string.h>
#include <strings.h>

/* ---- reading ---- */

static Status check_units(const NetcdfFile *file, int id, const Axes *axes) {
    char *unit = netcdf_text(file, id, "units");
    const bool degrees = unit && strncasecmp(unit, "degree", 6) == 0;
    Status status = STATUS_OK;
    if (axes->spherical ? unit && !degrees : degrees && !axes->map)
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
          "%s: %s is a velocity along the file's grid, which is rotated by up to %.2g rad: give eastward and "
          "northward velocities, such as u_eastward and v_northward",
          netcdf_path(file), v->name, turn);
    return STATUS_OK;
}

Status curvilinear_read(const NetcdfFile *file, const NetcdfVariable *v, const Axes *axes, bool is_velocity,
                        Curvilinear *out) {
    *out = (Curvilinear){0};
    /* on a map a file in metres has the places of its axes, whatever longitudes it lists beside them */
    if (v->plane_x < 0 || (axes->map && !source_in_degrees(file, v, axes))) return STATUS_OK;
    TRY(check_units(file, v->plane_x, axes));
    TRY(netcdf_check_room(file, v, (double)v->length[v->x], (double)v->length[v->y], 2));
    out->nx = (int)v->length[v->x], out->ny = (int)v->length[v->y];
    const size_t count = v->length[v->x] * v->length[v->y];
    out->x = ALLOCATE(count, double);
    out->y = ALLOCATE(count, double);
    Status status = netcdf_read_numbers(file, v->plane_x, count, out->x);
    if (status == STATUS_OK) status = netcdf_read_numbers(file, v->plane_y, count, out->y);
    if (status == STATUS_OK && is_velocity) status = check_turn(file, v, out, axes_on_earth(axes));
    if (status != STATUS_OK) curvilinear_free(out);
    return status;
}

void curvilinear_free(Curvilinear *grid) {
    memory_free(grid->x);
    memory_free(grid->y);
    memory_free(grid->bin.first);
    memory_free(grid->bin.cell);
    memory_free(grid->rim);
    *grid = (Curvilinear){0};
}

/* ---- sorting cells into bins ---- */

/* A quadrilateral between four points of the file; of longitudes, those next to each other. */
typedef struct Quad {
    double x[4], y[4]; /* south-west, south-east, north-west, north-east by indices */
} Quad;

typedef struct Box {
    double low[2], high[2];
} Box;

/* Within half a turn of `middle`. */
static double near(double longitude, double middle) {
    return longitude - 360 * floor((longitude - middle) / 360 + 0.5);
}

/* False: a corner is missing. */
static bool quad_of(const Curvilinear *g, int cell, Quad *q) {
    const ptrdiff_t first = (ptrdiff_t)(cell / (g->nx - 1)) * g->nx + cell % (g->nx - 1);
    const ptrdiff_t at[4] = {first, first + 1, first + g->nx, first + g->nx + 1};
    bool complete = true;
    for (int c = 0; c < 4; c++) {
        q->x[c] = g->turns && c > 0 ? near(g->x[at[c]], q->x[0]) : g->x[at[c]];
        q->y[c] = g->y[at[c]];
        complete = complete && isfinite(q->x[c]) && isfinite(q->y[c]);
    }
    return complete;
}

/* What may hold a place. */
static Box box_of(const Quad *q) {
    Box box = {{q->x[0], q->y[0]}, {q->x[0], q->y[0]}};
    for (int c = 1; c < 4; c++) {
        box.low[0] = fmin(box.low[0], q->x[c]), box.high[0] = fmax(box.high[0], q->x[c]);
        box.low[1] = fmin(box.low[1], q->y[c]), box.high[1] = fmax(box.high[1], q->y[c]);
    }
    for (int n = 0; n < 2; n++) {
        const double more = CURVILINEAR_REACH * (box.high[n] - box.low[n]);
        box.low[n] -= more, box.high[n] += more;
    }
    return box;
}

static int bin_along(const CellBins *b, int n, double at) {
    const double place = floor((at - b->low[n]) / b->size[n]);
    return place < 0 ? 0 : place > b->count[n] - 1 ? b->count[n] - 1 : (int)place;
}

/* Counts in `first` what each bin holds, or lists it in `cell`. A cell at the seam of longitudes is on both sides. */
static ptrdiff_t sort_cell(CellBins *b, bool turns, int cell, Box box, bool list) {
    ptrdiff_t entries = 0;
    for (int turn = turns ? -1 : 0; turn <= (turns ? 1 : 0); turn++) {
        const double shift = 360.0 * turn;
        if (box.high[0] + shift < b->low[0] || box.low[0] + shift > b->low[0] + b->size[0] * b->count[0])
            continue;
        const int from = bin_along(b, 0, box.low[0] + shift), to = bin_along(b, 0, box.high[0] + shift);
        for (int row = bin_along(b, 1, box.low[1]); row <= bin_along(b, 1, box.high[1]); row++)
            for (int column = from; column <= to; column++, entries++) {
                ptrdiff_t *place = &b->first[(ptrdiff_t)row * b->count[0] + column];
                if (list) b->cell[*place] = cell;
                ++*place;
            }
    }
    return entries;
}

static ptrdiff_t sort_cells(Curvilinear *g, bool list) {
    ptrdiff_t entries = 0;
    Quad q;
    for (int cell = 0; cell < (g->nx - 1) * (g->ny - 1); cell++)
        if (quad_of(g, cell, &q)) entries += sort_cell(&g->bin, g->turns, cell, box_of(&q), list);
    return entries;
}

static Box whole_box(const Curvilinear *g) {
    Box all = {{INFINITY, INFINITY}, {-INFINITY, -INFINITY}};
    double first = NAN;
    Quad q;
    for (int cell = 0; cell < (g->nx - 1) * (g->ny - 1); cell++) {
        if (!quad_of(g, cell, &q)) continue;
        if (isnan(first)) first = q.x[0];
        const double shift = g->turns ? near(q.x[0], first) - q.x[0] : 0;
        const Box box = box_of(&q);
        for (int n = 0; n < 2; n++) {
            all.low[n] = fmin(all.low[n], box.low[n] + (n == 0 ? shift : 0));
            all.high[n] = fmax(all.high[n], box.high[n] + (n == 0 ? shift : 0));
        }
    }
    return all;
}

/* From the counts of bins to where each begins, and the list of their cells. */
static void list_cells(Curvilinear *g, ptrdiff_t entries) {
    CellBins *b = &g->bin;
    const ptrdiff_t bins = (ptrdiff_t)b->count[0] * b->count[1];
    ptrdiff_t sum = 0;
    for (ptrdiff_t n = 0; n < bins; n++) {
        const ptrdiff_t held = b->first[n];
        b->first[n] = sum;
        sum += held;
    }
    b->cell = ALLOCATE(entries + 1, int);
    (void)sort_cells(g, true); /* each `first` becomes that of the next bin */
    memmove(b->first + 1, b->first, (size_t)bins * sizeof *b->first);
    b->first[0] = 0;
}

/* As many bins as cells, fewer where cells are so long that they lie in many. */
static void make_bins(Curvilinear *g) {
    const Box all = whole_box(g);
    const double cells = (double)(g->nx - 1) * (g->ny - 1), most_entries = 32 * cells + 64;
    int along = (int)fmin(sqrt(cells) + 1, 4096);
    CellBins *b = &g->bin;
    while (true) {
        *b = (CellBins){.low = {all.low[0], all.low[1]}, .count = {along, along}};
        for (int n = 0; n < 2; n++) b->size[n] = fmax((all.high[n] - all.low[n]) / along, 1e-12);
        b->first = ALLOCATE(along * along + 1, ptrdiff_t);
        const ptrdiff_t entries = sort_cells(g, false);
        if (along == 1 || (double)entries <= most_entries) return list_cells(g, entries);
        memory_free(b->first);
        along = (along + 1) / 2;
    }
}

/* The points that the cells do not surround. */
static void find_rim(Curvilinear *g) {
    unsigned char *cells = ALLOCATE((size_t)g->nx * (size_t)g->ny, unsigned char);
    Quad q;
    for (int cell = 0; cell < (g->nx - 1) * (g->ny - 1); cell++) {
        if (!quad_of(g, cell, &q)) continue;
        const ptrdiff_t first = (ptrdiff_t)(cell / (g->nx - 1)) * g->nx + cell % (g->nx - 1);
        cells[first]++, cells[first + 1]++, cells[first + g->nx]++, cells[first + g->nx + 1]++;
    }
    g->rim = ALLOCATE((size_t)g->nx * (size_t)g->ny + 1, int);
    for (int m = 0; m < g->nx * g->ny; m++)
        if (cells[m] > 0 && cells[m] < 4) g->rim[g->rims++] = m;
    memory_free(cells);
}

void curvilinear_share(MPI_Comm comm, bool turns, Curvilinear *g) {
    int shape[2] = {g->nx, g->ny}, rank;
    MPI_Comm_rank(comm, &rank);
    MPI_Bcast(shape, 2, MPI_INT, 0, comm);
    if (shape[0] == 0) return;
    const int points = shape[0] * shape[1];
    if (rank != 0)
        *g = (Curvilinear){
            .nx = shape[0], .ny = shape[1], .x = ALLOCATE(points, double), .y = ALLOCATE(points, double)};
    g->turns = turns;
    MPI_Bcast(g->x, points, MPI_DOUBLE, 0, comm);
    MPI_Bcast(g->y, points, MPI_DOUBLE, 0, comm);
    find_rim(g);
    if (g->rims > 0) make_bins(g);
}

/* ---- locating ---- */

/* Newton's method for the place within the bilinear quadrilateral around it; how far it lies outside comes out, in
 * cells. */
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

double curvilinear_locate(const Curvilinear *g, double x, double y, double *i, double *j) {
    const double holds = 1e-9; /* of two cells that share the place, the first */
    const CellBins *b = &g->bin;
    const double wide = b->size[0] * b->count[0], high = b->size[1] * b->count[1];
    double least = INFINITY;
    if (g->turns) x = near(x, b->low[0] + 0.5 * wide);
    if (g->rims == 0 || x < b->low[0] || x > b->low[0] + wide || y < b->low[1] || y > b->low[1] + high)
        return INFINITY;
    const ptrdiff_t bin = (ptrdiff_t)bin_along(b, 1, y) * b->count[0] + bin_along(b, 0, x);
    for (ptrdiff_t n = b->first[bin]; n < b->first[bin + 1] && least > holds; n++) {
        Quad q;
        double s, t;
        (void)quad_of(g, b->cell[n], &q);
        const double shift = g->turns ? near(q.x[0], x) - q.x[0] : 0;
        for (int c = 0; c < 4; c++) q.x[c] += shift - x, q.y[c] -= y;
        const Box box = box_of(&q);
        if (box.low[0] > 0 || box.high[0] < 0 || box.low[1] > 0 || box.high[1] < 0) continue;
        const double outside = invert(&q, &s, &t);
        if (!(outside < least) || outside > CURVILINEAR_REACH) continue;
        least = outside;
        *i = b->cell[n] % (g->nx - 1) + fmin(fmax(s, 0), 1);
        *j = b->cell[n] / (g->nx - 1) + fmin(fmax(t, 0), 1);
    }
    return least;
}

void curvilinear_nearest(const Curvilinear *g, double x, double y, double *i, double *j) {
    double least = INFINITY;
    *i = *j = 0;
    for (int n = 0; n < g->rims; n++) {
        const int m = g->rim[n];
        const double east = g->turns ? (near(g->x[m], x) - x) * cos(y * RADIANS_PER_DEGREE) : g->x[m] - x;
        const double distance = hypot(east, g->y[m] - y);
        if (!(distance < least)) continue;
        least = distance;
        *i = m % g->nx, *j = m / g->nx;
    }
}
