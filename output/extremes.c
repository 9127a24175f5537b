/* SPDX-License-Identifier: Apache-2.0
 *
 * Extremes of the run or of a part of it, updated after every step: highest and lowest level with their times, greatest
 * speed and depth, duration of flooding. Kept in memory and in restarts; written with every restart and at
 * the end.
 */
#include "base/memory.h"
#include "output/parts.h"

#include <assert.h>
#include <math.h>
#include <string.h>

typedef enum Kind {
    MAX_ETA,
    MIN_ETA,
    TIME_OF_MAX_ETA,
    TIME_OF_MIN_ETA,
    MAX_SPEED,
    TIME_OF_MAX_SPEED,
    MAX_DEPTH,
    INUNDATION_DURATION,
    N_KINDS
} Kind;

typedef struct ExtremeRow {
    const char *name, *units, *standard_name, *cell_methods, *long_name;
    const char *of; /* the variable that is followed; NULL: none */
    int sign;       /* 1: greatest, -1: least */
    int leader;     /* for times: the extreme whose time this is, -1: not a time */
} ExtremeRow;

static const ExtremeRow rows[N_KINDS] = {
    [MAX_ETA] = {"max_eta", "m", "sea_surface_height_above_geopotential_datum", "time: maximum",
                 "highest elevation of the water surface", "eta", 1, -1},
    [MIN_ETA] = {"min_eta", "m", "sea_surface_height_above_geopotential_datum", "time: minimum",
                 "lowest elevation of the water surface, where there was always water", "eta", -1, -1},
    [TIME_OF_MAX_ETA] = {"time_of_max_eta", NULL, NULL, NULL, "time of the highest surface", NULL, 0,
                         MAX_ETA},
    [TIME_OF_MIN_ETA] = {"time_of_min_eta", NULL, NULL, NULL, "time of the lowest surface", NULL, 0, MIN_ETA},
    [MAX_SPEED] = {"max_speed", "m s-1", "sea_water_speed", "time: maximum",
                   "greatest speed of the surface layer", "speed", 1, -1},
    [TIME_OF_MAX_SPEED] = {"time_of_max_speed", NULL, NULL, NULL,
                           "time of the greatest speed of the surface layer", NULL, 0, MAX_SPEED},
    [MAX_DEPTH] = {"max_depth", "m", "sea_floor_depth_below_sea_surface", "time: maximum",
                   "greatest depth of the water column", "depth", 1, -1},
    [INUNDATION_DURATION] = {"inundation_duration", "s", NULL, "time: sum",
                             "duration for which land (bed above the datum) was under water", NULL, 0, -1},
};

static_assert((int)N_KINDS == EXTREMES, "a scenario names as many");

struct ExtremesFile {
    NcFile file;
    Layout layout;
    Window window;
    char *key;
    bool shown[N_KINDS];    /* in the file */
    double *field[N_KINDS]; /* what is shown and what that needs; NaN where there was nothing yet */
    double start, water_density, since, until;
};

static Status write_values(ExtremesFile *f);

/* ---- creating ---- */

static void choose(ExtremesFile *f, const ScenarioOutput *entry) {
    for (int n = 0; n < entry->n_names; n++)
        for (int kind = 0; kind < N_KINDS; kind++)
            f->shown[kind] |= strcmp(rows[kind].name, entry->names[n]) == 0;
}

static void make_room(ExtremesFile *f, const Grid *grid) {
    for (int n = 0; n < N_KINDS; n++) {
        bool followed = f->shown[n];
        for (int m = 0; m < N_KINDS; m++) followed |= f->shown[m] && rows[m].leader == n;
        if (!followed) continue;
        f->field[n] = field2_create(grid);
    }
}

void extremes_begin_anew(ExtremesFile *f, double time) {
    const Grid *grid = f->layout.grid;
    f->since = f->until = time;
    for (int n = 0; n < N_KINDS; n++)
        for (int j = 0; f->field[n] && j < grid->n2; j++)
            for (int i = 0; i < grid->n1; i++)
                f->field[n][AT2(*grid, i, j)] = n == INUNDATION_DURATION ? 0 : NAN;
}

static void define_variable(ExtremesFile *f, int kind, int time, const char *time_units) {
    const ExtremeRow *row = &rows[kind];
    NcFile *file = &f->file;
    int dims[4], n_dims = layout_dims(&f->layout, 'c', false, time, dims);
    nc_type type = row->leader >= 0 ? NC_DOUBLE : NC_FLOAT;
    int id = ncfile_define(file, row->name, type, n_dims, dims);
    ncfile_text(file, id, "units", row->leader >= 0 ? time_units : row->units);
    if (row->leader >= 0) ncfile_text(file, id, "calendar", "proleptic_gregorian");
    ncfile_text(file, id, "long_name", row->long_name);
    ncfile_text(file, id, "standard_name", row->standard_name);
    ncfile_text(file, id, "cell_methods", row->cell_methods);
    ncfile_fill(file, id, type);
    layout_attributes(file, &f->layout, id, 'c');
}

Status extremes_create(const Making *making, ExtremesFile **out) {
    const State *state = making->state;
    const ScenarioOutput *entry = making->entry;
    ExtremesFile *f = *out = ALLOCATE(1, ExtremesFile);
    f->key = memory_copy_text(making->key);
    f->start = state->start;
    f->since = f->until = making->since;
    f->water_density = making->scenario->physics.water_density_kg_m3;
    choose(f, entry);
    TRY(status_agree(state->grid->comm, window_create(state->grid, entry->has_box ? entry->box : NULL, NULL,
                                                      0, entry->place, &f->window)));
    TRY(ncfile_create(&f->file, state->grid->comm, making->path,
                      layout_format(entry->format, &f->window, false)));
    char units[64] = "";
    const Title title = {.summary = "Extremes of a numerical simulation of a shallow sea",
                         .from = f->since,
                         .until = making_until(making),
                         .part_of = making_part_of(making)};
    layout_define(&f->file, &f->layout, state->grid, f->window, false, false);
    /* The whole run is one interval, so that "time: maximum" has something to stand for. */
    int dim = ncfile_dimension(&f->file, "time", 1),
        time = time_define(&f->file, f->start, dim, f->layout.bounds);
    ncfile_note(&f->file, ncmpi_get_att_text(f->file.id, time, "units", units), "units");
    layout_define_static(&f->file, &f->layout);
    for (int n = 0; n < N_KINDS; n++)
        if (f->shown[n]) define_variable(f, n, dim, units);
    attributes_define(&f->file, making->scenario, making->facts, &f->layout, &title);
    TRY(ncfile_end_define(&f->file));
    make_room(f, state->grid);
    extremes_begin_anew(f, making->since);
    TRY(layout_write(&f->file, &f->layout));
    return write_values(f);
}

/* ---- following ---- */

static void follow(ExtremesFile *f, const State *state, int kind, int time_kind) {
    const Grid *g = state->grid;
    const Sea sea = {state, f->water_density, NULL};
    const OutputVariable *is = output_variable(rows[kind].of, false);
    double *extreme = f->field[kind], *when = time_kind >= 0 ? f->field[time_kind] : NULL;
    int sign = rows[kind].sign;
    for (int r = 0; r < g->columns.count; r++) {
        Run run = g->columns.run[r];
        for (int i = run.i0; i < run.i1; i++) {
            double value = output_value(is, &sea, i, run.j, g->n3 - 1);
            double *old = &extreme[AT2(*g, i, run.j)];
            /* the surface of what falls dry ends at the ground, which is no level of the sea */
            if (isnan(value) && sign < 0) {
                *old = -INFINITY;
                if (when) when[AT2(*g, i, run.j)] = NAN;
            }
            if (isnan(value) || sign * value <= sign * *old)
                continue; /* false for the NaN of the beginning */
            *old = value;
            if (when) when[AT2(*g, i, run.j)] = state->time;
        }
    }
}

static void count_inundation(ExtremesFile *f, const State *state, double elapsed) {
    const Grid *g = state->grid;
    for (int r = 0; r < g->columns.count; r++) {
        Run run = g->columns.run[r];
        for (int i = run.i0; i < run.i1; i++) {
            ptrdiff_t n = AT2(*g, i, run.j);
            if (g->bed[n] > 0 && state->depth[n] >= state->dry_depth)
                f->field[INUNDATION_DURATION][n] += elapsed;
        }
    }
}

void extremes_step(ExtremesFile *f, const State *state, double elapsed) {
    static const int times[N_KINDS] = {
        [MAX_ETA] = TIME_OF_MAX_ETA, [MIN_ETA] = TIME_OF_MIN_ETA, [MAX_SPEED] = TIME_OF_MAX_SPEED};
    for (int n = 0; n < N_KINDS; n++)
        if (f->field[n] && rows[n].of) follow(f, state, n, times[n] && f->field[times[n]] ? times[n] : -1);
    if (f->field[INUNDATION_DURATION]) count_inundation(f, state, elapsed);
    f->until = state->time;
}

void extremes_hold(ExtremesFile *f, Held *held) {
    held_add_number(held, f->key, "since", &f->since);
    for (int n = 0; n < N_KINDS; n++)
        if (f->field[n]) held_add_field(held, f->key, rows[n].name, f->field[n], false, 'c');
}

/* ---- writing ---- */

/* Land is fill; so is what never had water, or not always (follow). */
static void *collect(const ExtremesFile *f, int kind, Piece piece) {
    const Grid *g = f->layout.grid;
    bool is_time = rows[kind].leader >= 0;
    void *values = memory_allocate((size_t)piece_size(piece), sizeof(double));
    int64_t n = 0;
    for (int j = piece.j0; j < piece.j1; j++)
        for (int i = piece.i0; i < piece.i1; i++, n++) {
            double x = g->own_area[AT2(*g, i, j)] > 0 ? f->field[kind][AT2(*g, i, j)] : NAN;
            if (is_time)
                ((double *)values)[n] = isnan(x) ? FILL_DOUBLE : x;
            else
                ((float *)values)[n] = isfinite(x) ? (float)x : FILL_FLOAT;
        }
    return values;
}

static Status write_values(ExtremesFile *f) {
    int rank;
    MPI_Comm_rank(f->layout.grid->comm, &rank);
    Piece piece = layout_piece(&f->layout, 'c');
    MPI_Offset start[3] = {0, piece.start_y, piece.start_x}, count[3] = {1, piece.count_y, piece.count_x};
    MPI_Offset zero[2] = {0, 0}, two[2] = {1, 2};
    const double bounds[2] = {f->since, f->until};
    void *values[N_KINDS] = {NULL};
    for (int n = 0; n < N_KINDS; n++) {
        if (!f->shown[n]) continue;
        values[n] = collect(f, n, piece);
        ncfile_put(&f->file, ncfile_find(&f->file, rows[n].name), start, count,
                   rows[n].leader >= 0 ? MPI_DOUBLE : MPI_FLOAT, values[n]);
    }
    if (rank == 0) {
        ncfile_put(&f->file, ncfile_find(&f->file, "time"), zero, two, MPI_DOUBLE, &f->until);
        ncfile_put(&f->file, ncfile_find(&f->file, "time_bnds"), zero, two, MPI_DOUBLE, bounds);
    }
    Status status = ncfile_wait(&f->file);
    for (int n = 0; n < N_KINDS; n++) memory_free(values[n]);
    return status;
}

Status extremes_flush(ExtremesFile *f) {
    TRY(write_values(f));
    return ncfile_flush(&f->file);
}

Status extremes_close(ExtremesFile *f) {
    const Status status = f->file.failed ? STATUS_OK : write_values(f);
    return attributes_close(&f->file, status, f->start, f->since, f->until);
}

void extremes_destroy(ExtremesFile **extremes) {
    ExtremesFile *f = *extremes;
    if (!f) return;
    for (int n = 0; n < N_KINDS; n++) field2_destroy(f->layout.grid, &f->field[n]);
    window_release(&f->window);
    ncfile_abandon(&f->file);
    memory_free(f->key);
    memory_free(f);
    *extremes = NULL;
}
