/* SPDX-License-Identifier: Apache-2.0
 *
 * Harmonic analysis while the run computes: of the level and of the depth-mean current,
 *
 *     x(t) = x_0 + sum over constituents of a_n f_n cos(V_n + u_n) + b_n f_n sin(V_n + u_n)
 *
 * by least squares over all steps, each with its length as weight, so that a_n and b_n are the amplitude times cosine and
 * sine of the phase lag at Greenwich (model/boundary/tide.h). The sums of the normal equations are kept in memory and in
 * restarts: their matrix is the same for all cells, and there is a right-hand side for each cell, quantity and function
 * of time. Cells that were dry at some time have no constants.
 */
#include "base/memory.h"
#include "model/boundary/tide.h"
#include "output/parts.h"

#include <math.h>

enum { LEVEL, EAST, NORTH, QUANTITIES };

/* What is written of each constituent, and of the mean. */
typedef struct HarmonicRow {
    const char *name, *units, *standard_name, *long_name;
} HarmonicRow;

enum { ETA_AMPLITUDE, ETA_PHASE, LONG_AXIS, SHORT_AXIS, INCLINATION, CURRENT_PHASE, ROWS };
static const HarmonicRow rows[ROWS] = {
    [ETA_AMPLITUDE] = {"eta_amplitude", "m", NULL, "amplitude of the level, constituent"},
    [ETA_PHASE] = {"eta_phase", "degree", NULL, "phase lag at Greenwich of the level, constituent"},
    [LONG_AXIS] = {"current_major", "m s-1", NULL,
                   "long half-axis of the depth-mean current's ellipse, constituent"},
    [SHORT_AXIS] = {"current_minor", "m s-1", NULL,
                    "short half-axis of the depth-mean current's ellipse (positive: turns "
                    "counter-clockwise), constituent"},
    [INCLINATION] = {"current_inclination", "degree", NULL,
                     "direction of the long half-axis, counter-clockwise from east, constituent"},
    [CURRENT_PHASE] = {"current_phase", "degree", NULL,
                       "phase lag at Greenwich of the greatest speed along the long half-axis, constituent"},
};
static const HarmonicRow means[QUANTITIES] = {
    [LEVEL] = {"eta_residual", "m", "sea_surface_height_above_geopotential_datum", "level without its tide"},
    [EAST] = {"u_residual", "m s-1", "barotropic_eastward_sea_water_velocity",
              "eastward depth-mean residual current"},
    [NORTH] = {"v_residual", "m s-1", "barotropic_northward_sea_water_velocity",
               "northward depth-mean residual current"},
};
static const char *const of_quantity[QUANTITIES] = {"eta", "ubar", "vbar"};

struct HarmonicsFile {
    NcFile file;
    Layout layout;
    Window window;
    char *key;
    int *constituent, constituents;
    int functions;    /* of time: 1, and two for each constituent */
    double *matrix;   /* [functions][functions] sums of their products */
    double **sum;     /* [quantity * functions + function] fields: sums of their products with the quantity */
    double *dry;      /* time without water [s] */
    double *function; /* at this moment */
    double *solver;   /* the matrix, taken apart */
    double start, from, since, until, water_density;
    double needed; /* least time that tells the constituents apart [s] */
};

static Status write_values(HarmonicsFile *f);

/* ---- creating ---- */

/* The analysis begins where boundaries give their whole tide. */
static double begin_of(const Scenario *scenario, const ScenarioOutput *entry) {
    double from = 0;
    if (entry->from_s > 0) return entry->from_s;
    for (int n = 0; n < scenario->n_boundaries; n++) {
        const ScenarioBoundary *b = &scenario->boundaries[n];
        if (b->n_tide > 0 || b->n_atlas > 0) from = fmax(from, b->tide_ramp_s);
    }
    return from;
}

static double speed_of(int constituent, double at) { /* [degrees s-1] */
    const double day = tide_argument(constituent, at + 3600) - tide_argument(constituent, at);
    return (day - 360 * floor(day / 360)) / 3600;
}

/* How long an analysis has to be for its constituents to be a turn apart from each other, and from the mean [s]. */
static Status check_separable(const Scenario *scenario, const ScenarioOutput *entry, double start,
                              double *needed) {
    const double from = begin_of(scenario, entry), until = scenario->time.duration_s,
                 lasts = fmax(0, until - from);
    *needed = 0;
    for (int n = 0; n < entry->n_harmonics; n++)
        for (int m = -1; m < n; m++) {
            const double one = speed_of(tide_find(entry->harmonics[n]), start),
                         other = m < 0 ? 0 : speed_of(tide_find(entry->harmonics[m]), start);
            const double turn = 0.999 * 360 / fabs(one - other);
            *needed = fmax(*needed, turn);
            CHECK(lasts >= turn, STATUS_BAD_INPUT,
                  "%s: the analysis lasts from %g s to %g s, %.4g hours; to separate %s from %s it needs "
                  "%.4g hours: leave one out, or let the run last longer",
                  entry->place, from, until, lasts / 3600, entry->harmonics[n],
                  m < 0 ? "the mean" : entry->harmonics[m], turn / 3600);
        }
    return STATUS_OK;
}

Status output_check_harmonics(const Scenario *scenario, const State *state) {
    double needed;
    for (int n = 0; n < scenario->n_outputs; n++)
        TRY(check_separable(scenario, &scenario->outputs[n], state->start, &needed));
    return STATUS_OK;
}

static char *name_of(int row, int constituent) {
    return memory_format("%s_%s", rows[row].name, tide_names[constituent]);
}

static void define(HarmonicsFile *f, const HarmonicRow *row, const char *constituent, int time) {
    NcFile *file = &f->file;
    int dims[4], n_dims = layout_dims(&f->layout, 'c', false, time, dims);
    char *name = constituent ? memory_format("%s_%s", row->name, constituent) : memory_copy_text(row->name),
         *text = constituent ? memory_format("%s %s", row->long_name, constituent)
                             : memory_copy_text(row->long_name);
    const int id = ncfile_define(file, name, NC_FLOAT, n_dims, dims);
    ncfile_text(file, id, "units", row->units);
    ncfile_text(file, id, "long_name", text);
    ncfile_text(file, id, "standard_name", row->standard_name);
    ncfile_fill(file, id, NC_FLOAT);
    layout_attributes(file, &f->layout, id, 'c');
    memory_free(name);
    memory_free(text);
}

static void make_room(HarmonicsFile *f, const Grid *grid) {
    f->sum = ALLOCATE(QUANTITIES * f->functions, double *);
    for (int n = 0; n < QUANTITIES * f->functions; n++) f->sum[n] = field2_create(grid);
    f->dry = field2_create(grid);
}

Status harmonics_create(const Making *making, HarmonicsFile **out) {
    const State *state = making->state;
    const ScenarioOutput *entry = making->entry;
    HarmonicsFile *f = *out = ALLOCATE(1, HarmonicsFile);
    f->key = memory_copy_text(making->key);
    f->start = state->start;
    f->from = begin_of(making->scenario, entry);
    f->since = f->until = f->from;
    f->water_density = making->scenario->physics.water_density_kg_m3;
    f->constituents = entry->n_harmonics;
    f->functions = 1 + 2 * f->constituents;
    f->constituent = ALLOCATE(f->constituents, int);
    for (int n = 0; n < f->constituents; n++) f->constituent[n] = tide_find(entry->harmonics[n]);
    f->matrix = ALLOCATE(f->functions * f->functions, double);
    f->solver = ALLOCATE(f->functions * f->functions, double);
    f->function = ALLOCATE(f->functions, double);
    TRY(check_separable(making->scenario, entry, f->start, &f->needed));
    TRY(status_agree(state->grid->comm, window_create(state->grid, entry->has_box ? entry->box : NULL, NULL,
                                                      0, entry->place, &f->window)));
    TRY(ncfile_create(&f->file, state->grid->comm, making->path,
                      layout_format(entry->format, &f->window, false)));
    const Title title = {.summary = "Harmonic analysis of a numerical simulation of a shallow sea",
                         .from = f->since,
                         .until = making_until(making)};
    layout_define(&f->file, &f->layout, state->grid, f->window, false, false);
    const int dim = ncfile_dimension(&f->file, "time", 1);
    (void)time_define(&f->file, f->start, dim, f->layout.bounds);
    layout_define_static(&f->file, &f->layout);
    for (int n = 0; n < f->constituents; n++)
        for (int row = 0; row < ROWS; row++) define(f, &rows[row], tide_names[f->constituent[n]], dim);
    for (int q = 0; q < QUANTITIES; q++) define(f, &means[q], NULL, dim);
    attributes_define(&f->file, making->scenario, making->facts, &f->layout, &title);
    TRY(ncfile_end_define(&f->file));
    make_room(f, state->grid);
    TRY(layout_write(&f->file, &f->layout));
    return write_values(f);
}

/* ---- following ---- */

static void find_functions(HarmonicsFile *f, double time) {
    f->function[0] = 1;
    for (int n = 0; n < f->constituents; n++) {
        const TideMoment moment = tide_at(f->constituent[n], f->start + time, true);
        f->function[1 + 2 * n] = moment.cosine;
        f->function[2 + 2 * n] = moment.sine;
    }
}

static void add_cell(HarmonicsFile *f, const Sea *sea, const OutputVariable *const is[QUANTITIES], int i,
                     int j, double weight) {
    const ptrdiff_t m = AT2(*sea->state->grid, i, j);
    const int top = sea->state->grid->n3 - 1;
    if (!(sea->state->depth[m] >= sea->state->dry_depth)) {
        f->dry[m] += weight;
        return;
    }
    for (int q = 0; q < QUANTITIES; q++) {
        const double value = weight * output_value(is[q], sea, i, j, top);
        for (int p = 0; p < f->functions; p++) f->sum[q * f->functions + p][m] += value * f->function[p];
    }
}

void harmonics_step(HarmonicsFile *f, const State *state, double elapsed) {
    const Grid *g = state->grid;
    const Sea sea = {state, f->water_density, NULL};
    const OutputVariable *is[QUANTITIES];
    if (!(elapsed > 0) || state->time <= f->from) return;
    for (int q = 0; q < QUANTITIES; q++) is[q] = output_variable(of_quantity[q], false);
    find_functions(f, state->time);
    for (int p = 0; p < f->functions; p++)
        for (int q = 0; q < f->functions; q++)
            f->matrix[p * f->functions + q] += elapsed * f->function[p] * f->function[q];
    for (int r = 0; r < g->columns.count; r++)
        for (int i = g->columns.run[r].i0; i < g->columns.run[r].i1; i++)
            add_cell(f, &sea, is, i, g->columns.run[r].j, elapsed);
    f->until = state->time;
}

void harmonics_hold(HarmonicsFile *f, Held *held) {
    held_add_number(held, f->key, "until", &f->until);
    for (int n = 0; n < f->functions * f->functions; n++) {
        char *name = memory_format("matrix_%d", n);
        held_add_number(held, f->key, name, &f->matrix[n]);
        memory_free(name);
    }
    for (int n = 0; n < QUANTITIES * f->functions; n++) {
        char *name = memory_format("sum_%s_%d", of_quantity[n / f->functions], n % f->functions);
        held_add_field(held, f->key, name, f->sum[n], false, 'c');
        memory_free(name);
    }
    held_add_field(held, f->key, "dry", f->dry, false, 'c');
}

/* ---- solving ---- */

/* The matrix as L L^T; false while the steps do not tell the constituents apart. */
static bool take_apart(HarmonicsFile *f) {
    const int n = f->functions;
    double *l = f->solver;
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            double sum = f->matrix[i * n + j];
            for (int k = 0; k < j; k++) sum -= l[i * n + k] * l[j * n + k];
            if (i == j && !(sum > 1e-9 * f->matrix[j * n + j])) return false;
            l[i * n + j] = i == j ? sqrt(sum) : sum / l[j * n + j];
        }
    return true;
}

/* The coefficients of one cell and quantity. */
static void solve(const HarmonicsFile *f, int quantity, ptrdiff_t m, double *x) {
    const int n = f->functions;
    const double *l = f->solver;
    for (int i = 0; i < n; i++) {
        x[i] = f->sum[quantity * n + i][m];
        for (int k = 0; k < i; k++) x[i] -= l[i * n + k] * x[k];
        x[i] /= l[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) x[i] -= l[k * n + i] * x[k];
        x[i] /= l[i * n + i];
    }
}

/* All rows of one constituent, from the parts in phase and a quarter later. */
static void find_rows(const double eta[2], const double u[2], const double v[2], double out[ROWS]) {
    double major, minor, inclination, lag;
    tide_ellipse(u, v, &major, &minor, &inclination, &lag);
    out[ETA_AMPLITUDE] = hypot(eta[0], eta[1]);
    out[ETA_PHASE] = tide_degrees(atan2(eta[1], eta[0]));
    out[LONG_AXIS] = major;
    out[SHORT_AXIS] = minor;
    out[INCLINATION] = tide_degrees(inclination);
    out[CURRENT_PHASE] = tide_degrees(lag);
}

/* ---- writing ---- */

/* Maps of all variables one after the other: the constituents' rows, then the means. */
static void collect(HarmonicsFile *f, Piece piece, float **values) {
    const Grid *g = f->layout.grid;
    const bool known = f->until - f->from >= f->needed && take_apart(f);
    double *x = ALLOCATE(QUANTITIES * f->functions, double);
    int64_t at = 0;
    for (int j = piece.j0; j < piece.j1; j++)
        for (int i = piece.i0; i < piece.i1; i++, at++) {
            const ptrdiff_t m = AT2(*g, i, j);
            const bool here = known && g->own_area[m] > 0 && f->dry[m] == 0;
            for (int q = 0; q < QUANTITIES && here; q++) solve(f, q, m, x + q * f->functions);
            for (int n = 0; n < f->constituents; n++) {
                double row[ROWS] = {0};
                if (here)
                    find_rows(x + 1 + 2 * n, x + f->functions + 1 + 2 * n, x + 2 * f->functions + 1 + 2 * n,
                              row);
                for (int r = 0; r < ROWS; r++) values[n * ROWS + r][at] = here ? (float)row[r] : FILL_FLOAT;
            }
            for (int q = 0; q < QUANTITIES; q++)
                values[f->constituents * ROWS + q][at] = here ? (float)x[q * f->functions] : FILL_FLOAT;
        }
    memory_free(x);
}

static int variable_of(HarmonicsFile *f, int n) {
    if (n >= f->constituents * ROWS) return ncfile_find(&f->file, means[n - f->constituents * ROWS].name);
    char *name = name_of(n % ROWS, f->constituent[n / ROWS]);
    const int id = ncfile_find(&f->file, name);
    memory_free(name);
    return id;
}

static Status write_values(HarmonicsFile *f) {
    int rank;
    MPI_Comm_rank(f->layout.grid->comm, &rank);
    Piece piece = layout_piece(&f->layout, 'c');
    MPI_Offset start[3] = {0, piece.start_y, piece.start_x}, count[3] = {1, piece.count_y, piece.count_x};
    MPI_Offset zero[2] = {0, 0}, two[2] = {1, 2};
    const double bounds[2] = {f->since, f->until};
    const int maps = f->constituents * ROWS + QUANTITIES;
    float **values = ALLOCATE(maps, float *);
    for (int n = 0; n < maps; n++) values[n] = memory_allocate((size_t)piece_size(piece) + 1, sizeof(float));
    collect(f, piece, values);
    for (int n = 0; n < maps; n++)
        ncfile_put(&f->file, variable_of(f, n), start, count, MPI_FLOAT, values[n]);
    if (rank == 0) {
        ncfile_put(&f->file, ncfile_find(&f->file, "time"), zero, two, MPI_DOUBLE, &f->until);
        ncfile_put(&f->file, ncfile_find(&f->file, "time_bnds"), zero, two, MPI_DOUBLE, bounds);
    }
    Status status = ncfile_wait(&f->file);
    for (int n = 0; n < maps; n++) memory_free(values[n]);
    memory_free(values);
    return status;
}

Status harmonics_flush(HarmonicsFile *f) {
    TRY(write_values(f));
    return ncfile_flush(&f->file);
}

Status harmonics_close(HarmonicsFile *f) {
    const Status status = f->file.failed ? STATUS_OK : write_values(f);
    return attributes_close(&f->file, status, f->start, f->since, f->until);
}

void harmonics_destroy(HarmonicsFile **harmonics) {
    HarmonicsFile *f = *harmonics;
    if (!f) return;
    for (int n = 0; f->sum && n < QUANTITIES * f->functions; n++) field2_destroy(f->layout.grid, &f->sum[n]);
    if (f->dry) field2_destroy(f->layout.grid, &f->dry);
    window_release(&f->window);
    ncfile_abandon(&f->file);
    memory_free(f->sum);
    memory_free(f->constituent);
    memory_free(f->matrix);
    memory_free(f->solver);
    memory_free(f->function);
    memory_free(f->key);
    memory_free(f);
    *harmonics = NULL;
}
