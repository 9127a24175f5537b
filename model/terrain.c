/* SPDX-License-Identifier: Apache-2.0 */
#include "model/terrain.h"

#include "base/memory.h"
#include "bathymetry/raster_regrid.h"
#include "bathymetry/topography.h"
#include "gpu/device.h"
#include "model/boundary/boundaries.h"
#include "model/forcing/formula.h"
#include <math.h>
#include <string.h>

/* Cells of size `step` in [low, high], with a little forgiveness for rounding. */
static int whole_cells(double low, double high, double step) {
    return (int)floor((high - low) / step + 1e-6);
}

/* The axes of the whole grid; `interfaces` is borrowed from the scenario. */
static Status make_axes(const Scenario *s, Axes *out) {
    const ScenarioGrid *g = &s->grid;
    *out = (Axes){
        .spherical = g->kind == GRID_SPHERICAL, .periodic_x = g->periodic_x, .periodic_y = g->periodic_y};
    out->nz = g->n_levels;
    out->interfaces = g->interfaces_m;
    if (g->kind == GRID_CARTESIAN) {
        out->west = g->x0_m;
        out->south = g->y0_m;
        out->step_x = g->dx_m;
        out->step_y = g->dy_m;
        out->nx = whole_cells(0, g->length_x_m, out->step_x);
        out->ny = whole_cells(0, g->length_y_m, out->step_y);
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
    return make_axes(s, &axes) == STATUS_OK ? decomposition_most_ranks(ranks, axes.nx, axes.ny) : ranks;
}

/* ---- the bed ---- */

typedef struct Heights {
    const Axes *axes;
    Expression *formula;
    Raster *map;
    double constant;            /* where there is neither */
    double refused, at_x, at_y; /* the first height of the map that its key does not allow; NaN: none */
    const Value *value;
} Heights;

static Status heights_open(const Value *value, const char *what, const Axes *axes, Heights *out) {
    *out = (Heights){.axes = axes, .constant = value->constant, .refused = NAN, .value = value};
    if (value->kind == VALUE_CONSTANT) return STATUS_OK;
    if (value->kind == VALUE_FILE) {
        const double window[4] = {axes->west, axes_x(axes, axes->nx), axes->south, axes_y(axes, axes->ny)};
        const RasterOptions options = {
            .variable = value->column, .window = window, .content = RASTER_LENGTHS};
        return raster_read(value->file, &options, &out->map);
    }
    return formula_create(value, what, axes, &out->formula);
}

static double height_at(void *context, double x, double y) {
    Heights *h = context;
    if (h->map) {
        const double height = raster_at(h->map, x, y);
        if (isnan(height)) return h->constant;
        if (isnan(h->refused) && !value_allows(h->value, height))
            h->refused = height, h->at_x = x, h->at_y = y;
        return height;
    }
    return h->formula ? expression_at(h->formula, formula_point(h->axes, x, y, 0)) : h->constant;
}

static Status ground_by_formula(const Scenario *s, const Axes *axes, const TopographyOptions *options,
                                Topography **out) {
    Heights bed;
    TRY(heights_open(&s->bathymetry.bed_m, "bed_m", axes, &bed));
    Status status = topography_create(axes->nx, axes->ny, out);
    for (int j = 0; status == STATUS_OK && j < axes->ny; j++)
        for (int i = 0; status == STATUS_OK && i < axes->nx; i++) {
            double x = axes_x(axes, i + 0.5), y = axes_y(axes, j + 0.5), height = height_at(&bed, x, y);
            /* how high land is does not matter */
            if (!isfinite(height) || height < s->bathymetry.bed_m.least)
                status =
                    error_raise(STATUS_BAD_INPUT,
                                "%s: bed_m is %g at (%g, %g), but must be a finite number of at least %g",
                                s->bathymetry.bed_m.place, height, x, y, s->bathymetry.bed_m.least);
            (*out)->bed[(size_t)j * axes->nx + i] = height;
        }
    if (status == STATUS_OK) topography_mask_from_bed(*out, axes, options);
    expression_destroy(&bed.formula);
    return status;
}

/* A raster that covers the whole grid: what is added is land without a height. */
static void extend_raster(Raster *r, const Axes *a) {
    double east = axes_x(a, a->nx), north = axes_y(a, a->ny);
    int west_more = (int)ceil(fmax(0, r->x0 - 0.5 * r->dx - a->west) / r->dx);
    int south_more = (int)ceil(fmax(0, r->y0 - 0.5 * r->dy - a->south) / r->dy);
    int east_more = (int)ceil(fmax(0, east - (r->x0 + (r->nx - 0.5) * r->dx)) / r->dx);
    int north_more = (int)ceil(fmax(0, north - (r->y0 + (r->ny - 0.5) * r->dy)) / r->dy);
    int nx = r->nx + west_more + east_more, ny = r->ny + south_more + north_more;
    double *larger = ALLOCATE((size_t)nx * ny, double);
    for (size_t n = 0; n < (size_t)nx * ny; n++) larger[n] = NAN;
    for (int j = 0; j < r->ny; j++)
        memcpy(larger + (size_t)(j + south_more) * nx + west_more, r->elevation + (size_t)j * r->nx,
               (size_t)r->nx * sizeof(double));
    memory_free(r->elevation);
    r->elevation = larger;
    r->x0 -= west_more * r->dx;
    r->y0 -= south_more * r->dy;
    r->nx = nx;
    r->ny = ny;
}

static Status ground_from_file(const Scenario *s, const Axes *axes, const TopographyOptions *options,
                               Topography **out, char **source) {
    const ScenarioBathymetry *b = &s->bathymetry;
    const double window[4] = {axes->west, axes_x(axes, axes->nx), axes->south, axes_y(axes, axes->ny)};
    RasterOptions reading = {.variable = b->variable,
                             .positive = b->positive,
                             .datum_offset_m = b->datum_offset_m,
                             .window = b->land_outside ? NULL : window};
    Raster *raster = NULL;
    Heights land = {.axes = axes, .constant = b->land_height_m, .refused = NAN};
    Status status;
    ATTEMPT(raster_read(b->file, &reading, &raster));
    if (b->land_m.kind != VALUE_ABSENT) ATTEMPT(heights_open(&b->land_m, "land_m", axes, &land));
    if (b->land_outside) extend_raster(raster, axes);
    if (land.map) land.constant = b->land_height_m;
    raster_fill_land(raster, height_at, &land);
    if (!isnan(land.refused)) {
        char limits[112];
        value_limits(&b->land_m, limits);
        status = error_raise(STATUS_BAD_INPUT,
                             "%s: the height of land in \"%s\" is %g at (%.10g, %.10g), but it %s",
                             b->land_m.place, b->land_m.file, land.refused, land.at_x, land.at_y, limits);
        goto cleanup;
    }
    *source = memory_format("%s (checksum %s)", raster->source, raster->checksum);
    ATTEMPT(topography_from_raster(raster, axes, options, out));
cleanup:
    expression_destroy(&land.formula);
    raster_destroy(&land.map);
    raster_destroy(&raster);
    return status;
}

static Status make_ground(const Scenario *s, const Axes *axes, Topography **out, char **note) {
    const ScenarioBathymetry *b = &s->bathymetry;
    typedef double Ends[4];
    Ends *lines = ALLOCATE(b->n_close + 1, Ends);
    for (int n = 0; n < b->n_close; n++) {
        lines[n][0] = b->close[n].x[0];
        lines[n][1] = b->close[n].y[0];
        lines[n][2] = b->close[n].x[1];
        lines[n][3] = b->close[n].y[1];
    }
    TopographyOptions options = {.flood_to_m = s->grid.flood_to_m,
                                 .minimum_depth_m = b->minimum_depth_m,
                                 .fullness = b->fullness,
                                 .n_close = b->n_close,
                                 .close = (const Ends *)lines,
                                 .keep_all = b->keep_all,
                                 .has_keep_point = b->has_keep_point,
                                 .keep_point = {b->keep_point[0], b->keep_point[1]}};
    char *source = NULL;
    Status status;
    if (b->file)
        ATTEMPT(ground_from_file(s, axes, &options, out, &source));
    else
        ATTEMPT(ground_by_formula(s, axes, &options, out));
    ATTEMPT(topography_repair(*out, axes, &options));
    *note = memory_format("%s\n%s", source ? source : "formula in the scenario",
                          (*out)->ledger ? (*out)->ledger : "");
cleanup:
    memory_free(source);
    memory_free(lines);
    return status;
}

/* ---- the grid ---- */

static void set_coriolis(const Scenario *s, Grid *g) {
    const double day_rate = 7.2921159e-5;
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

/* Fields that a model keeps, of columns and of cells; with the ground that rank 0 makes for all. They are
 * counted on the generous side; what lies around a rank's rectangle comes on top. */
enum { COLUMN_FIELDS = 60, COAST_FIELDS = 20, CELL_FIELDS = 15, GROUND_FIELDS = 16 };

double terrain_ground_bytes(double columns) {
    return 8 * columns * GROUND_FIELDS;
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
    const double ground = rank == 0 ? terrain_ground_bytes(columns) : 0, part = model * sharing / ranks;
    Status status;
    if (exec.device == DEVICE_GPU) {
        const double available = (double)device_memory(exec);
        char *advice =
            memory_format("use %.0f GPUs like this one, with a rank for each, or make dx_m or dz_m larger",
                          ceil(model / fmax(available, 1)));
        status = check_room(s, axes, part, available, " on one GPU", advice);
        memory_free(advice);
    } else
        status = check_room(s, axes, part + ground, (double)memory_available(),
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
          "solver.speeds has %d speeds, but the run has %d ranks: use -n %d or leave solver.speeds out",
          s->solver.n_speeds, ranks, s->solver.n_speeds);
    return STATUS_OK;
}

Status terrain_create(const Scenario *s, MPI_Comm comm, Exec exec, Grid **grid, char **ground_note) {
    int rank;
    MPI_Comm_rank(comm, &rank);
    Axes axes;
    Topography *topography = NULL;
    GridGround ground = {0};
    unsigned char *edges[4] = {NULL};
    Status status = make_axes(s, &axes);
    *ground_note = NULL;
    if (status == STATUS_OK) status = check_memory(s, comm, &axes, exec);
    if (status == STATUS_OK && rank == 0) {
        status = make_ground(s, &axes, &topography, ground_note);
        for (int e = 0; e < 4; e++) edges[e] = ALLOCATE(e < 2 ? axes.ny : axes.nx, unsigned char);
        if (status == STATUS_OK) status = boundaries_claim(s, &axes, topography->wet_area, edges);
    }
    if (status == STATUS_OK) status = check_speeds(s, comm);
    ATTEMPT(status_agree(comm, status));
    if (rank == 0) {
        ground = (GridGround){topography->bed,
                              topography->wet_area,
                              topography->open_west,
                              topography->open_south,
                              topography->shore_west,
                              topography->shore_south,
                              {edges[0], edges[1], edges[2], edges[3]}};
    }
    const CutWishes wishes = {.ranks_x = s->solver.ranks_x,
                              .ranks_y = s->solver.ranks_y,
                              .kind = terrain_cuts(s),
                              .patch = s->solver.patch,
                              .swept = terrain_swept_part(s),
                              .speed = s->solver.speeds};
    ATTEMPT(grid_create(comm, &axes, &ground, &wishes, grid));
    (*grid)->exec = exec;
    set_coriolis(s, *grid);
cleanup:
    topography_destroy(&topography);
    for (int e = 0; e < 4; e++) memory_free(edges[e]);
    return status;
}
