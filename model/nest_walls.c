/* SPDX-License-Identifier: Apache-2.0 */
#include "model/nest_walls.h"

#include "base/file_set.h"
#include "base/json.h"
#include "base/memory.h"
#include "model/forcing/curvilinear.h"
#include "model/forcing/field_names.h"
#include "model/forcing/gridded_source.h"
#include "model/forcing/level_heights.h"
#include <math.h>
#include <string.h>

/* ---- edges of the coarser run's own grid ---- */

static const char *const edge_names[4] = {"west", "east", "south", "north"};

static double number_at(const Json *object, const char *key) {
    const Json *found = object ? json_find(object, key) : NULL;
    return found && found->kind == JSON_NUMBER ? found->number : NAN;
}

/* West, east, south, north of its grid; NaN: not known. */
static void read_ends(const Json *grid, double ends[4]) {
    for (int e = 0; e < 4; e++) ends[e] = number_at(grid, edge_names[e]);
    if (!isnan(ends[0])) return;
    ends[0] = number_at(grid, "x0_m");
    ends[1] = ends[0] + number_at(grid, "length_x_m");
    ends[2] = number_at(grid, "y0_m");
    ends[3] = ends[2] + number_at(grid, "length_y_m");
}

static bool is_text(const Json *json, const char *text) {
    return json && json->kind == JSON_STRING && strcmp(json->text, text) == 0;
}

/* Is this edge open in the scenario, in part at least, or periodic? */
static bool opens(const Json *scenario, int edge) {
    const Json *boundaries = json_find(scenario, "boundaries"), *grid = json_find(scenario, "grid"),
               *periodic = grid ? json_find(grid, "periodic") : NULL;
    for (int n = 0; boundaries && n < boundaries->n_items; n++) {
        const Json *at = json_find(boundaries->items[n], "edge");
        if (is_text(at, edge_names[edge]) || is_text(at, "all") || is_text(at, "rest")) return true;
    }
    for (int n = 0; periodic && n < periodic->n_items; n++)
        if (is_text(periodic->items[n], edge < 2 ? "x" : "y")) return true;
    return json_find(scenario, "nest") != NULL;
}

/* Which edges of the nest lie on closed ones of the grid around it. */
static void find_closed_edges(const NetcdfFile *file, const Axes *axes, bool closed[4]) {
    const double own[4] = {axes_x(axes, 0), axes_x(axes, axes->nx), axes_y(axes, 0), axes_y(axes, axes->ny)};
    double ends[4];
    Json *scenario = NULL;
    char *text = netcdf_text(file, NETCDF_WHOLE_FILE, "effective_scenario");
    if (text && json_parse(netcdf_path(file), text, &scenario) == STATUS_OK) {
        read_ends(json_find(scenario, "grid"), ends);
        for (int e = 0; e < 4; e++)
            closed[e] =
                fabs(own[e] - ends[e]) < 0.5 * (e < 2 ? axes->step_x : axes->step_y) && !opens(scenario, e);
    } else
        error_clear();
    json_destroy(&scenario);
    memory_free(text);
}

/* ---- land of its file ---- */

typedef struct Land {
    Curvilinear plane;
    SourceAxis x, y;
    double *map;  /* 0 or missing: land */
    double *bed;  /* [m]; NULL: not in the file */
    bool masked;  /* the map is a mask */
    bool degrees; /* its points are in degrees, and the nest on a map */
} Land;

/* Is the variable a map on the points of the level? */
static bool find_map(const NetcdfFile *file, int id, const NetcdfVariable *level, NetcdfVariable *out) {
    if (id < 0) return false;
    if (netcdf_describe(file, id, out) != STATUS_OK) {
        error_clear();
        return false;
    }
    if (out->rank == 2 && (out->x < 0 || out->y < 0)) out->y = 0, out->x = 1; /* without coordinates */
    return out->x >= 0 && out->y >= 0 && out->length[out->x] == level->length[level->x] &&
           out->length[out->y] == level->length[level->y];
}

/* A map of 0 and 1; false: there is none. */
static bool find_mask(const NetcdfFile *file, const NetcdfVariable *level, NetcdfVariable *out) {
    static const char *const names[] = {"mask", "mask_rho", "tmask"};
    int id = -1;
    for (size_t n = 0; n < sizeof names / sizeof *names && id < 0; n++) id = netcdf_find(file, names[n]);
    if (id < 0) id = netcdf_find_standard_name(file, "sea_binary_mask");
    return find_map(file, id, level, out);
}

static Status read_map(const NetcdfFile *file, const NetcdfVariable *variable, const Land *land,
                       double **out) {
    *out = ALLOCATE((size_t)land->x.extent * (size_t)land->y.extent, double);
    return netcdf_read_level(file, variable, 0, 0, (size_t)land->x.first, (size_t)land->x.extent,
                             (size_t)land->y.first, (size_t)land->y.extent, *out);
}

static Status read_land(const NetcdfFile *file, const char *path, const Axes *axes, Land *land) {
    const char *const own[] = {NULL};
    const FieldNames names = field_names_of("eta_m", own);
    NetcdfVariable level, mask, bed;
    SourceWindow window = source_window_of(axes, false);
    TRY(source_variable(file, path, NULL, &names, &level));
    TRY(netcdf_require_maps(file, &level));
    TRY(curvilinear_read(file, &level, axes, false, &land->plane));
    land->degrees = source_in_degrees(file, &level, axes);
    curvilinear_share(MPI_COMM_SELF, axes->spherical || land->degrees, &land->plane);
    if (land->plane.nx > 0)
        window = (SourceWindow){
            .high = {land->plane.nx - 1.0, land->plane.ny - 1.0}, .by_index = true, .what = "the nest"};
    TRY(source_area(file, &level, path, axes, &window, &land->x, &land->y));
    TRY(netcdf_check_room(file, &level, land->x.extent, land->y.extent, 1));
    land->masked = find_mask(file, &level, &mask);
    TRY(read_map(file, land->masked ? &mask : &level, land, &land->map));
    return find_map(file, netcdf_find(file, "bed"), &level, &bed) ? read_map(file, &bed, land, &land->bed)
                                                                  : STATUS_OK;
}

/* The number of the coordinate whose cell the place is in; -1: beyond the last. */
static int nearest(const SourceAxis *axis, double at) {
    const int last = axis->count - 1;
    double part;
    if (last == 0 || at < 1.5 * axis->at[0] - 0.5 * axis->at[1] ||
        at > 1.5 * axis->at[last] - 0.5 * axis->at[last - 1])
        return -1;
    const int low = level_locate(axis->at, axis->count, at, &part);
    return low + (part >= 0.5 ? 1 : 0);
}

/* Is the place in a cell of land? `beyond`: in none. Its bed, NaN: not known. */
static bool is_land(const Land *land, double x, double y, bool *beyond, double *bed) {
    double i = x, j = y;
    *beyond = land->plane.nx > 0 && !isfinite(curvilinear_locate(&land->plane, x, y, &i, &j));
    const int column = *beyond ? -1 : nearest(&land->x, i), row = *beyond ? -1 : nearest(&land->y, j);
    *beyond = column < 0 || row < 0;
    *bed = NAN;
    if (*beyond) return false;
    const ptrdiff_t cell = (ptrdiff_t)(land->y.index[row] - land->y.first) * land->x.extent +
                           (land->x.index[column] - land->x.first);
    const double value = land->map[cell];
    if (land->bed) *bed = land->bed[cell];
    return isnan(value) || (land->masked && value == 0);
}

static void mark(const Land *land, const bool closed[4], const Axes *axes, unsigned char *const wall[4],
                 double *const bed[4]) {
    for (int e = 0; e < 4; e++)
        for (int p = 0; p < (e < 2 ? axes->ny : axes->nx); p++) {
            const double along = p + 0.5, across = e % 2 == 0 ? -0.5 : (e < 2 ? axes->nx : axes->ny) + 0.5;
            bool beyond;
            double x = axes_x(axes, e < 2 ? across : along), y = axes_y(axes, e < 2 ? along : across);
            if (land->degrees) axes_degrees(axes, x, y, &x, &y);
            const bool dry = is_land(land, x, y, &beyond, &bed[e][p]);
            wall[e][p] = dry || (beyond && closed[e]);
        }
}

static Status find(const Scenario *s, const Axes *axes, unsigned char *const wall[4], double *const bed[4]) {
    NetcdfFile *file = NULL;
    Land land = {.map = NULL};
    bool closed[4] = {false};
    char *path = file_set_first(s->nest);
    Status status;
    ATTEMPT(netcdf_open(path, &file));
    ATTEMPT(read_land(file, path, axes, &land));
    find_closed_edges(file, axes, closed);
    mark(&land, closed, axes, wall, bed);
cleanup:
    netcdf_close(&file);
    memory_free(path);
    curvilinear_free(&land.plane);
    source_axis_free(&land.x);
    source_axis_free(&land.y);
    memory_free(land.map), memory_free(land.bed);
    return status;
}

Status nest_walls_find(MPI_Comm comm, const Scenario *s, const Axes *axes, unsigned char *const wall[4],
                       double *const bed[4]) {
    int rank;
    MPI_Comm_rank(comm, &rank);
    for (int e = 0; e < 4; e++)
        for (int p = 0; p < (e < 2 ? axes->ny : axes->nx); p++) bed[e][p] = NAN;
    if (!s->nest) return STATUS_OK;
    TRY(status_agree(comm, rank == 0 ? find(s, axes, wall, bed) : STATUS_OK));
    for (int e = 0; e < 4; e++) {
        const int cells = e < 2 ? axes->ny : axes->nx;
        MPI_Bcast(wall[e], cells, MPI_UNSIGNED_CHAR, 0, comm);
        MPI_Bcast(bed[e], cells, MPI_DOUBLE, 0, comm);
    }
    return STATUS_OK;
}
