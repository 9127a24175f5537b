/* SPDX-License-Identifier: Apache-2.0 */
#include "model/terrain.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/projection.h"
#include "gpu/device.h"
#include "model/boundary/boundaries.h"
#include "model/nest_walls.h"
#include "model/seam/shape.h"
#include "model/structures/structures.h"
#include "model/terrain_ground.h"
#include <math.h>

/* Cells of size `step` in [low, high], with a little forgiveness for rounding. */
static int whole_cells(double low, double high, double step) {
    return (int)floor((high - low) / step + 1e-6);
}

Status terrain_axes(const Scenario *s, Axes *out) {
    const ScenarioGrid *g = &s->grid;
    *out = (Axes){
        .spherical = g->kind == GRID_SPHERICAL, .periodic_x = g->periodic_x, .periodic_y = g->periodic_y};
    out->nz = g->n_levels;
    out->interfaces = g->interfaces_m;
    out->along_bed = g->layers != LAYERS_FIXED_HEIGHTS;
    out->adaptive = g->layers == LAYERS_ADAPTIVE;
    out->uneven = s->bathymetry.subgrid;
    out->fixed = g->n_fixed;
    out->thinnest = g->thinnest_m;
    out->flooded = g->flood_to_m;
    if (g->kind == GRID_CARTESIAN) {
        out->map = g->map;
        out->west = g->x0_m;
        out->south = g->y0_m;
        out->step_x = g->dx_m;
        out->step_y = g->dy_m;
        out->nx = whole_cells(0, g->length_x_m, out->step_x);
        out->ny = whole_cells(0, g->length_y_m, out->step_y);
        double lat;
        if (g->map)
            projection_to_degrees(g->map, g->x0_m + 0.5 * g->length_x_m, g->y0_m + 0.5 * g->length_y_m,
                                  &out->middle_lon, &lat);
    } else {
        double middle = cos(0.5 * (g->south + g->north) * RADIANS_PER_DEGREE);
        out->west = g->west;
        out->south = g->south;
        out->step_x = g->dlon_deg > 0 ? g->dlon_deg : g->dx_m / (METRES_PER_DEGREE * middle);
        out->step_y = g->dlat_deg > 0 ? g->dlat_deg : g->dy_m / METRES_PER_DEGREE;
        out->nx = whole_cells(g->west, g->east, out->step_x);
        out->ny = whole_cells(g->south, g->north, out->step_y);
    }
    CHECK(out->nx >= 1 && out->ny >= 1, STATUS_BAD_INPUT,
          "%s: the grid has %d x %d cells: its extent is smaller than one cell", s->path, out->nx, out->ny);
    CHECK((int64_t)out->nx * out->ny < (int64_t)1 << 31, STATUS_BAD_INPUT,
          "%s: the grid has %d x %d columns, more than can be numbered; make dx_m larger", s->path, out->nx,
          out->ny);
    return STATUS_OK;
}

int terrain_most_ranks(const Scenario *s, int ranks) {
    const int shape = s->solver.ranks_x * s->solver.ranks_y, asked = shape > 0 ? shape : s->solver.n_speeds;
    Axes axes;
    if (asked > 0) return asked < ranks ? asked : ranks;
    if (terrain_axes(s, &axes) != STATUS_OK) return ranks;
    const int most = decomposition_most_ranks(ranks, axes.nx, axes.ny);
    if (!s->zoom.has_box) return most;
    const ZoomGrid finer = seam_grid(s, &axes);
    return decomposition_most_ranks(most, finer.nx, finer.ny);
}

Status terrain_zoom(const Scenario *s, Scenario **out) {
    Axes axes;
    SeamShape shape;
    TRY(terrain_axes(s, &axes));
    TRY(seam_shape(s, &axes, &shape));
    const ZoomGrid finer = seam_grid(s, &axes);
    return scenario_zoom(s, &finer, out);
}

/* ---- the bed ---- */

/* Fewer rows are not worth a message. */
enum { LEAST_ROWS = 4 };

/* The two ends of a map that is periodic in y need each other's rows: one band then. */
Band terrain_band(MPI_Comm comm, const Axes *axes) {
    return band_of(comm, axes->ny, axes->periodic_y ? 1 : axes->ny / LEAST_ROWS);
}

/* ---- the grid ---- */

static const double day_rate = 7.2921159e-5; /* [rad s-1] */

/* On a map each cell has a latitude, and a turn, of its own. */
static void place_on_map(const Scenario *s, Grid *g) {
    const bool rotates = s->physics.coriolis == CORIOLIS_BY_LATITUDE;
    if (!g->axes.map) return;
    if (rotates) g->f_c = field2_create(g);
    g->turn_cosine = field2_create(g), g->turn_sine = field2_create(g);
    for (int j = -HALO; j < g->n2 + HALO; j++)
        for (int i = -HALO; i < g->n1 + HALO; i++) {
            const ptrdiff_t m = AT2(*g, i, j);
            double lon, lat;
            axes_degrees(&g->axes, g->x_c[i], g->y_c[j], &lon, &lat);
            if (rotates) g->f_c[m] = 2 * day_rate * sin(lat * RADIANS_PER_DEGREE);
            const double turn = axes_turn(&g->axes, g->x_c[i], g->y_c[j]);
            g->turn_cosine[m] = cos(turn), g->turn_sine[m] = sin(turn);
        }
}

static void set_coriolis(const Scenario *s, Grid *g) {
    place_on_map(s, g);
    if (g->f_c) return;
    double middle = axes_y(&g->axes, 0.5 * g->ny);
    for (int j = -HALO; j <= g->n2 + HALO; j++) {
        if (s->physics.coriolis == CORIOLIS_BY_LATITUDE) {
            g->f[j] = 2 * day_rate * sin(g->y_c[j] * RADIANS_PER_DEGREE);
        } else if (s->physics.coriolis == CORIOLIS_CONSTANT) {
            double metres = g->spherical ? METRES_PER_DEGREE : 1;
            g->f[j] = s->physics.f_s + s->physics.beta_m_s * (g->y_c[j] - middle) * metres;
        }
    }
}

/* Fields that a model keeps, of columns and of cells. They are counted on the generous side; what lies around a rank's
 * rectangle comes on top. */
enum { COLUMN_FIELDS = 60, COAST_FIELDS = 20, CELL_FIELDS = 15 };

/* A weight of each block of columns, and their sums (numerics/grid/cut_trials.h). */
double terrain_cutting_bytes(double columns) {
    return 2 * sizeof(double) * columns / BLOCK;
}

static Status check_room(const Scenario *s, const Axes *axes, double need, double available,
                         const char *where, const char *advice) {
    CHECK(need <= available, STATUS_BAD_INPUT,
          "%s: the grid of %d x %d x %d cells needs about %.0f bytes (%.1f GB) of memory%s, but %.0f "
          "(%.1f GB) are left: %s",
          s->path, axes->nx, axes->ny, axes->nz, need, need / 1e9, where, available, available / 1e9, advice);
    return STATUS_OK;
}

/* Ranks of a node with the same GPU as this one; or, where it has none, those without. Collective. */
static int count_sharing(MPI_Comm comm, int gpu) {
    MPI_Comm node;
    int here, sharing = 0;
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_size(node, &here);
    int *all = ALLOCATE(here, int);
    MPI_Allgather(&gpu, 1, MPI_INT, all, 1, MPI_INT, node);
    for (int n = 0; n < here; n++) sharing += all[n] == gpu;
    memory_free(all);
    MPI_Comm_free(&node);
    return sharing;
}

/* What the kernels of a sea keep at most for each thread of a GPU: five arrays of levels (KERNEL_LEVELS), or where something
 * reacts, states and rates of KINETICS_POINTS layers, as nvcc reports of `react` [bytes]. */
static int thread_bytes(const Scenario *s) {
    enum { MOST_ARRAYS = 5, OF_REACT = 68000 };
    return s->kinetics.module ? OF_REACT : MOST_ARRAYS * (int)sizeof(double) * levels_kept_(s->grid.n_levels);
}

/* Linux gives more than it has, and ends what then uses it: so this is asked before; of a GPU, too.
 * Collective. */
static Status check_memory(const Scenario *s, MPI_Comm comm, const Axes *axes, Exec exec) {
    int ranks, rank;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    const int sharing = count_sharing(comm, device_number(exec));
    const double columns = (double)axes->nx * axes->ny;
    const int coast = s->physics.side_walls == WALLS_NO_SLIP ? COAST_FIELDS : 0;
    const double model = 8 * columns * (COLUMN_FIELDS + coast + (double)CELL_FIELDS * axes->nz);
    const double cutting = rank == 0 ? terrain_cutting_bytes(columns) : 0, part = model * sharing / ranks;
    Status status;
    if (exec.device == DEVICE_GPU) {
        const double available = (double)device_memory(exec, thread_bytes(s));
        char *advice =
            memory_format("use %.0f GPUs like this one, with a process for each, or make dx_m or dz_m larger",
                          ceil(model / fmax(available, 1)));
        status = check_room(s, axes, part, available, " on one GPU", advice);
        memory_free(advice);
    } else
        status = check_room(s, axes, part + cutting, (double)memory_available(),
                            sharing < ranks ? " on one machine" : "",
                            "make dx_m or dz_m larger, or use more machines");
    return status_agree(comm, status);
}

CutKind terrain_cuts(const Scenario *s) {
    return scenario_has_lines(s) ? CUTS_STRAIGHT : s->solver.cuts;
}

/* Of the surface alone, and with systems that have levels. */
double terrain_swept_part(const Scenario *s) {
    const bool levels = s->physics.scheme == SCHEME_MATM || s->physics.pressure == PRESSURE_NONHYDROSTATIC ||
                        s->physics.tracer_scheme == TRACERS_MATM;
    return levels ? 0.3 : 0.01;
}

static Status check_speeds(const Scenario *s, MPI_Comm comm) {
    int ranks;
    MPI_Comm_size(comm, &ranks);
    CHECK(s->solver.n_speeds == 0 || s->solver.n_speeds == ranks, STATUS_BAD_INPUT,
          "solver.speeds has %d speeds, but the run has %d processes: use -n %d or leave solver.speeds out",
          s->solver.n_speeds, ranks, s->solver.n_speeds);
    return STATUS_OK;
}

static bool is_sea(const Topography *t, size_t cell) {
    return t->wet_area[cell] > 0 && !(t->ghost && t->ghost[cell]);
}

/* Which cells on the edges of the grid are wet: wet[e][...] as open_edge of GridGround, on all ranks. Collective. */
static void find_wet_edges(const Topography *t, const Axes *axes, unsigned char *const wet[4]) {
    const size_t nx = (size_t)axes->nx;
    const Band *band = &t->band;
    for (int j = 0; j < t->ny; j++) {
        wet[0][band->first + j] = is_sea(t, (size_t)j * nx);
        wet[1][band->first + j] = is_sea(t, (size_t)(j + 1) * nx - 1);
    }
    for (size_t i = 0; i < nx && t->ny > 0; i++) {
        if (band->is_first) wet[2][i] = is_sea(t, i);
        if (band->is_last) wet[3][i] = is_sea(t, (size_t)(t->ny - 1) * nx + i);
    }
    for (int e = 0; e < 4; e++)
        MPI_Allreduce(MPI_IN_PLACE, wet[e], e < 2 ? axes->ny : axes->nx, MPI_UNSIGNED_CHAR, MPI_MAX,
                      band->comm);
}

/* Marks the wet cells along the edges where the run around a nest has walls; the bed beyond. Collective. */
static Status close_walls(const Scenario *s, MPI_Comm comm, const Axes *axes, unsigned char *const wet[4],
                          double *const bed[4]) {
    unsigned char *wall[4];
    for (int e = 0; e < 4; e++) wall[e] = ALLOCATE(e < 2 ? axes->ny : axes->nx, unsigned char);
    const Status status = nest_walls_find(comm, s, axes, wall, bed);
    for (int e = 0; e < 4; e++) {
        for (int p = 0; p < (e < 2 ? axes->ny : axes->nx); p++)
            if (wet[e][p] != EDGE_DRY && wall[e][p]) wet[e][p] = EDGE_WALLED;
        memory_free(wall[e]);
    }
    return status;
}

/* Only the nest's own boundary has the ground around it. */
static void forget_other_beds(const Scenario *s, const Axes *axes, unsigned char *const open[4],
                              double *const bed[4]) {
    for (int e = 0; e < 4; e++)
        for (int p = 0; p < (e < 2 ? axes->ny : axes->nx); p++)
            if (open[e][p] == 0 || !s->boundaries[open[e][p] - 1].of_nest) bed[e][p] = NAN;
}

Status terrain_create(const Scenario *s, MPI_Comm comm, Exec exec, const Axes *around, Grid **grid,
                      char **ground_note) {
    Axes axes;
    Topography *topography = NULL;
    unsigned char *edges[4] = {NULL}, *wet[4] = {NULL};
    double *beyond[4] = {NULL};
    Status status = terrain_axes(s, &axes);
    *ground_note = NULL;
    axes.around = around;
    ATTEMPT(status);
    ATTEMPT(check_memory(s, comm, &axes, exec));
    for (int e = 0; e < 4; e++) {
        edges[e] = ALLOCATE(e < 2 ? axes.ny : axes.nx, unsigned char);
        wet[e] = ALLOCATE(e < 2 ? axes.ny : axes.nx, unsigned char);
        beyond[e] = ALLOCATE(e < 2 ? axes.ny : axes.nx, double);
    }
    const Band band = terrain_band(comm, &axes);
    ATTEMPT(status_agree(comm, ground_make(s, &axes, &band, &topography, ground_note)));
    structures_close_dams(s, &axes, topography);
    find_wet_edges(topography, &axes, wet);
    ATTEMPT(close_walls(s, comm, &axes, wet, beyond));
    ATTEMPT(boundaries_claim(s, &axes, (const unsigned char *const *)wet, edges));
    forget_other_beds(s, &axes, edges, beyond);
    ATTEMPT(check_speeds(s, comm));
    const GridGround ground = {.bed = topography->bed,
                               .wet_area = topography->wet_area,
                               .open_west = topography->open_west,
                               .open_south = topography->open_south,
                               .shore_west = topography->shore_west,
                               .shore_south = topography->shore_south,
                               .open_edge = {edges[0], edges[1], edges[2], edges[3]},
                               .ghost = topography->ghost,
                               .bed_beyond = {beyond[0], beyond[1], beyond[2], beyond[3]},
                               .first = band.first,
                               .rows = band.rows};
    const CutWishes wishes = {.ranks_x = s->solver.ranks_x,
                              .ranks_y = s->solver.ranks_y,
                              .kind = terrain_cuts(s),
                              .patch = s->solver.patch,
                              .swept = terrain_swept_part(s),
                              .speed = s->solver.speeds,
                              .machine = s->solver.machine};
    ATTEMPT(grid_create(comm, &axes, &ground, &wishes, grid));
    (*grid)->exec = exec;
    set_coriolis(s, *grid);
cleanup:
    topography_destroy(&topography);
    for (int e = 0; e < 4; e++) memory_free(edges[e]), memory_free(wet[e]), memory_free(beyond[e]);
    return status;
}
