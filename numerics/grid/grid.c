/* SPDX-License-Identifier: Apache-2.0
 *
 * Shape, memory and metrics of one rank's grid; the ground is spread in ground.c, the layers and work lists
 * made in layers.c.
 */
#include "numerics/grid/grid.h"

#include "base/memory.h"
#include "numerics/grid/grid_parts.h"
#include "numerics/grid/halo.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* Rows start on a cache line; levels beyond the ends read as 0. */
enum { LEFT_PAD = BLOCK, LEVEL_PAD = 1 };

/* Rows are the slowest index, so that what a stencil reads of three rows lies in few pages and stays in the caches from one
 * row to the next; where there is one layer alone, levels are. This is the only place that knows. */
static void set_order(Grid *g) {
    const ptrdiff_t rows = g->n2 + 2 * HALO + 1;
    /* with its halo on both sides, up to the end of the block with the last face; an odd number of cache lines, so that
     * the levels of a column use all sets of a cache */
    const ptrdiff_t blocks = LEFT_PAD / BLOCK + (g->n1 + HALO) / BLOCK + 1;
    g->line = (blocks | 1) * BLOCK;
    const bool rows_slowest = g->n3 > 1;
    const ptrdiff_t levels = g->n3 + LEVEL_PAD; /* above a row's highest begins the next row's lowest */
    g->flat_fields = rows_slowest ? (int)levels : 1;
    g->row = g->flat_fields * g->line;
    g->plane = rows_slowest ? g->line : rows * g->row;
    g->origin2 = LEFT_PAD + HALO * g->row;
    g->size2 = rows * g->row;
    /* to spare in 3-D fields: transport reads a row beyond the halo, and two levels beyond a cell */
    const ptrdiff_t before = rows_slowest ? g->row + g->plane : 2 * g->plane, after = 2 * g->plane + BLOCK;
    g->origin3 = g->origin2 + before;
    g->size3 = g->size2 + before + after; /* of one layer there is one plane */
}

static void set_shape(Grid *g, const Axes *axes) {
    const Decomposition *d = &g->decomposition;
    g->nx = axes->nx;
    g->ny = axes->ny;
    const int *cut_x = decomposition_cut_x(d, d->rank_y) + d->rank_x;
    g->n1 = cut_x[1] - cut_x[0];
    g->n2 = d->cut_y[d->rank_y + 1] - d->cut_y[d->rank_y];
    g->n3 = axes->nz;
    g->i_first = cut_x[0];
    g->j_first = d->cut_y[d->rank_y];
    g->spherical = axes->spherical;
    set_order(g);
}

static double *row_array(const Grid *g) {
    return ALLOCATE(g->n2 + 2 * HALO + 1, double) + HALO;
}

static double *column_array(const Grid *g) {
    return ALLOCATE(g->n1 + 2 * HALO + 1, double) + HALO;
}

static void row_array_free(double **array) {
    if (*array) memory_free(*array - HALO);
    *array = NULL;
}

static void set_metrics(Grid *g) {
    const Axes *axes = &g->axes;
    double **rows[] = {&g->dx_c, &g->dx_v, &g->dy_c, &g->f, &g->y_c, &g->y_v};
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) *rows[n] = row_array(g);
    g->x_c = column_array(g);
    g->x_u = column_array(g);
    for (int j = -HALO; j <= g->n2 + HALO; j++) {
        double global = g->j_first + j;
        g->y_c[j] = axes_y(axes, global + 0.5);
        g->y_v[j] = axes_y(axes, global);
        g->dx_c[j] = axes_dx_m(axes, global + 0.5);
        g->dx_v[j] = axes_dx_m(axes, global);
        g->dy_c[j] = axes_dy_m(axes);
    }
    for (int i = -HALO; i <= g->n1 + HALO; i++) {
        g->x_c[i] = axes_x(axes, g->i_first + i + 0.5);
        g->x_u[i] = axes_x(axes, g->i_first + i);
    }
}

static double **plane_fields(Grid *g, int n) {
    double **all[] = {&g->bed,     &g->area,  &g->own_area, &g->width_u,  &g->width_v,  &g->given_u,
                      &g->given_v, &g->bed_u, &g->bed_v,    &g->bottom_c, &g->bottom_u, &g->bottom_v};
    return n < (int)(sizeof all / sizeof *all) ? all[n] : NULL;
}

static double **level_fields(Grid *g, int n) {
    double **all[] = {&g->phi_c, &g->phi_u, &g->phi_v};
    return n < 3 ? all[n] : NULL;
}

/* The rows that this rank knows. */
static void complete_rows(MPI_Comm comm, const Axes *axes, GridGround *ground) {
    int rank;
    MPI_Comm_rank(comm, &rank);
    if (rank == 0 && ground->rows == 0) ground->rows = axes->ny;
}

static Status check_ground(MPI_Comm comm, const Axes *axes, const GridGround *ground) {
    const size_t nx = (size_t)axes->nx, rows = (size_t)ground->rows;
    int64_t facts[3] = {0}; /* wet cells, open faces, what is no number */
    for (size_t n = 0; n < nx * rows; n++) {
        facts[0] += ground->wet_area[n] > 0 && !(ground->ghost && ground->ghost[n]);
        facts[2] += !isfinite(ground->bed[n]) || !isfinite(ground->wet_area[n]);
    }
    for (size_t n = 0; n < (nx + 1) * rows; n++) facts[1] += ground->open_west[n] > 0;
    for (size_t n = 0; rows > 0 && n < nx * (rows + 1); n++) facts[1] += ground->open_south[n] > 0;
    MPI_Allreduce(MPI_IN_PLACE, facts, 3, MPI_INT64_T, MPI_SUM, comm);
    CHECK(facts[2] == 0, STATUS_BAD_INPUT,
          "the bed elevation is not a finite number everywhere: check the formula or file");
    CHECK(facts[0] > 0, STATUS_BAD_INPUT,
          "the grid of %d x %d cells holds no water at all: every bed lies above the datum (and "
          "grid.flood_to_m); check the sign of the bathymetry and the grid's extent",
          axes->nx, axes->ny);
    CHECK(facts[1] > 0, STATUS_BAD_INPUT,
          "nothing can flow on this grid of %d x %d cells: no two wet cells are neighbours; make "
          "the cells smaller, the ground deeper or the grid larger",
          axes->nx, axes->ny);
    return STATUS_OK;
}

/* The outermost halo's faces lack a cell on their far side: their owners tell what they are. Collective. */
static Status complete_outer_faces(Grid *g) {
    Halo *halo = NULL;
    TRY(halo_create(g, 2 + 2 * g->n3, &halo));
    halo_exchange(halo, 2, (double *[]){g->bottom_u, g->bottom_v}, 2, (double *[]){g->phi_u, g->phi_v});
    halo_destroy(&halo);
    return STATUS_OK;
}

Status grid_create(MPI_Comm comm, const Axes *axes, const GridGround *given, const CutWishes *wishes,
                   Grid **out) {
    const CutWishes none = {0}, *wished = wishes ? wishes : &none;
    GridGround rows = given ? *given : (GridGround){0}, *ground = &rows;
    complete_rows(comm, axes, ground);
    TRY(check_ground(comm, axes, ground));
    CHECK(axes->nz <= MAX_LEVELS, STATUS_BAD_INPUT, "%d levels are more than this build's limit of %d",
          axes->nz, MAX_LEVELS);
    Grid *g = ALLOCATE(1, Grid);
    Status status;
    g->comm = comm;
    g->axes = *axes;
    g->axes.interfaces = ALLOCATE(axes->nz + 1, double);
    memcpy(g->axes.interfaces, axes->interfaces, (size_t)(axes->nz + 1) * sizeof(double));
    double *weight = ground_weights(comm, axes, ground);
    CutProblem problem =
        decomposition_problem(axes->nx, axes->ny, GRID_SURFACE_WORK + axes->nz, weight, wished);
    problem.group = BLOCK;
    problem.periodic_x = axes->periodic_x;
    problem.periodic_y = axes->periodic_y;
    status = decomposition_create(comm, &problem, wished, &g->decomposition);
    memory_free(weight);
    if (status != STATUS_OK) goto cleanup;
    set_shape(g, axes);
    set_metrics(g);
    g->store = field_store_create();
    for (int n = 0; plane_fields(g, n); n++) *plane_fields(g, n) = field2_create(g);
    for (int n = 0; level_fields(g, n); n++) *level_fields(g, n) = field3_create(g);
    ATTEMPT(ground_spread(g, ground));
    g->counted_area = g->own_area;
    layers_make(g);
    ATTEMPT(complete_outer_faces(g));
    work_lists_make(g);
    g->counted_columns = g->columns;
    *out = g;
    return STATUS_OK;
cleanup:
    grid_destroy(&g);
    return status;
}

void grid_list_again(Grid *g) {
    work_lists_free(g);
    work_lists_make(g);
    g->counted_columns = g->columns;
}

void grid_destroy(Grid **grid) {
    Grid *g = *grid;
    if (!g) return;
    if (g->counted_area != g->own_area) {
        field2_destroy(g, &g->counted_area);
        memory_free(g->counted_columns.run);
    }
    for (int n = 0; plane_fields(g, n); n++) field2_destroy(g, plane_fields(g, n));
    double **on_map[] = {&g->f_c, &g->turn_cosine, &g->turn_sine};
    for (int n = 0; n < 3; n++) field2_destroy(g, on_map[n]);
    double **shores[] = {&g->begins_u, &g->ends_u, &g->begins_v, &g->ends_v};
    for (int n = 0; n < 4; n++) field2_destroy(g, shores[n]);
    for (int n = 0; level_fields(g, n); n++) field3_destroy(g, level_fields(g, n));
    double **arrays[] = {&g->dx_c, &g->dx_v, &g->dy_c, &g->f, &g->y_c, &g->y_v, &g->x_c, &g->x_u};
    for (size_t n = 0; n < sizeof arrays / sizeof *arrays; n++) row_array_free(arrays[n]);
    work_lists_free(g);
    memory_free(g->store);
    memory_free(g->axes.interfaces);
    decomposition_release(&g->decomposition);
    memory_free(g);
    *grid = NULL;
}

void grid_count(const Grid *grid, int64_t *columns, int64_t *cells) {
    int64_t count[2] = {grid->columns.elements, grid->cells.elements};
    MPI_Allreduce(MPI_IN_PLACE, count, 2, MPI_INT64_T, MPI_SUM, grid->comm);
    *columns = count[0];
    *cells = count[1];
}

/* The nearer of two places; equal distances are settled by the position on the grid, not by the rank. */
static bool nearer(const double a[3], const double b[3]) {
    return a[0] < b[0] || (a[0] == b[0] && a[1] < b[1]);
}

/* The nearest active cell of this rank's rows that hold the point (`holding`), or of those that do not. A row whose
 * distance is larger than the best one cannot have it; of a run, only an end or one of the two cells around the point can. */
static void look(const Grid *g, double x, double y, int rank, bool holding, double best[3]) {
    const double half = 0.5 + 1e-6; /* a point on an edge lies in a cell, whatever its coordinates round to */
    for (int n = 0; n < g->columns.count; n++) {
        const Run r = g->columns.run[n];
        const bool in_row = fabs(y - g->y_c[r.j]) <= half * g->axes.step_y;
        if (in_row != holding || (!in_row && axes_distance_m(&g->axes, x, y, x, g->y_c[r.j]) > best[0]))
            continue;
        const double middle = 0.5 * (g->x_c[r.i0] + g->x_c[r.i1 - 1]),
                     at = g->spherical ? middle + remainder(x - middle, 360) : x,
                     cells = floor((at - g->x_c[r.i0]) / g->axes.step_x);
        const int before = r.i0 + (int)fmax(0, fmin(cells, r.i1 - r.i0 - 1));
        for (int i = before; i < r.i1 && i <= before + 1; i++) {
            const bool inside = in_row && fabs(x - g->x_c[i]) <= half * g->axes.step_x;
            const double index = (double)(g->j_first + r.j) * g->nx + g->i_first + i;
            const double here[3] = {inside ? 0 : axes_distance_m(&g->axes, x, y, g->x_c[i], g->y_c[r.j]),
                                    index, rank};
            if (nearer(here, best)) memcpy(best, here, sizeof here);
        }
    }
}

enum { FAR_CELLS = 5 };

Status grid_locate(const Grid *g, double x, double y, GridPlace *out) {
    double best[3] = {DBL_MAX, 0, 0}; /* distance, global index, rank */
    int ranks, rank;
    MPI_Comm_size(g->comm, &ranks);
    MPI_Comm_rank(g->comm, &rank);
    look(g, x, y, rank, true, best);
    look(g, x, y, rank, false, best);
    double *all = ALLOCATE(3 * ranks, double);
    MPI_Allgather(best, 3, MPI_DOUBLE, all, 3, MPI_DOUBLE, g->comm);
    for (int r = 0; r < ranks; r++)
        if (nearer(all + 3 * r, best)) memcpy(best, all + 3 * r, sizeof best);
    memory_free(all);
    int64_t index = (int64_t)best[1];
    double cell = fmax(axes_distance_m(&g->axes, x, y, x + g->axes.step_x, y),
                       axes_distance_m(&g->axes, x, y, x, y + g->axes.step_y));
    *out = (GridPlace){.rank = (int)best[2], .distance_m = best[0], .far = best[0] > FAR_CELLS * cell};
    out->i = (int)(index % g->nx) - g->i_first;
    out->j = (int)(index / g->nx) - g->j_first;
    return STATUS_OK;
}

GridView grid_view(const Grid *grid) {
    return (GridView){.n1 = grid->n1,
                      .n2 = grid->n2,
                      .n3 = grid->n3,
                      .i_first = grid->i_first,
                      .j_first = grid->j_first,
                      .nx = grid->nx,
                      .ny = grid->ny,
                      .periodic_x = grid->axes.periodic_x,
                      .periodic_y = grid->axes.periodic_y,
                      .row = grid->row,
                      .plane = grid->plane,
                      .dx_c = grid->dx_c,
                      .dx_v = grid->dx_v,
                      .dy_c = grid->dy_c,
                      .f = grid->f,
                      .x_c = grid->x_c,
                      .x_u = grid->x_u,
                      .y_c = grid->y_c,
                      .y_v = grid->y_v,
                      .bed = grid->bed,
                      .area = grid->area,
                      .own_area = grid->own_area,
                      .width_u = grid->width_u,
                      .width_v = grid->width_v,
                      .given_u = grid->given_u,
                      .given_v = grid->given_v,
                      .begins_u = grid->begins_u,
                      .ends_u = grid->ends_u,
                      .begins_v = grid->begins_v,
                      .ends_v = grid->ends_v,
                      .bed_u = grid->bed_u,
                      .bed_v = grid->bed_v,
                      .bottom_c = grid->bottom_c,
                      .bottom_u = grid->bottom_u,
                      .bottom_v = grid->bottom_v,
                      .phi_c = grid->phi_c,
                      .phi_u = grid->phi_u,
                      .phi_v = grid->phi_v};
}
