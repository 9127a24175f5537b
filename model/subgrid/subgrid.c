/* SPDX-License-Identifier: Apache-2.0 */
#include "model/subgrid/subgrid.h"

#include "base/memory.h"
#include "bathymetry/overlap.h"
#include "gpu/device.h"
#include "model/ground.h"
#include "model/subgrid/tables.h"
#include "numerics/grid/halo.h"
#include "numerics/limiter.h"

/* What tables are made from. */
typedef struct Making {
    const Grid *grid;
    const Raster *raster;
    Overlap x, y;
    double level; /* ground below it can be wet [m] */
    double exponent;
    Pixel *pixel; /* of one place */
} Making;

/* A table that grows. */
typedef struct Table {
    double *first, *count, *node;
    int64_t nodes, room;
    int values;
} Table;

static double height_of(const Making *k, int column, int row) {
    return k->raster
        ->elevation[(size_t)(row - k->raster->first_row) * (size_t)k->raster->nx + (size_t)column];
}

static int pixels_of_cell(const Making *k, int i, int j) {
    int count = 0;
    for (int r = 0; r < k->y.count[j]; r++)
        for (int c = 0; c < k->x.count[i]; c++) {
            const double height = height_of(k, k->x.first[i] + c, k->y.first[j] + r);
            const double weight =
                k->x.weight[k->x.start[i] + (size_t)c] * k->y.weight[k->y.start[j] + (size_t)r];
            if (height < k->level && weight > 0) k->pixel[count++] = (Pixel){height, weight};
        }
    return count;
}

static int within(int index, int count) {
    return index < 0 ? 0 : index >= count ? count - 1 : index;
}

/* The ground between two pixels: on a slope it is their mean, beside a crest or a wall the
 * higher one, as the pixels behind them tell. */
static double height_between(const Making *k, bool along_x, int before, int after, int p) {
    const int nx = k->raster->nx, ny = k->raster->ny;
    double z[4];
    for (int n = 0; n < 4; n++) {
        const int q = n < 2 ? before - 1 + n : after + n - 2;
        z[n] = along_x ? height_of(k, within(q, nx), p) : height_of(k, p, within(q, ny));
    }
    if (before == after) return z[1];
    const double rise = z[2] - z[1];
    return fmax(z[1] + 0.5 * least_slope(z[1] - z[0], rise), z[2] - 0.5 * least_slope(rise, z[3] - z[2]));
}

/* Between two cells with no ground below `sill`: a cell that is dry has the level of its lowest ground. */
static int pixels_of_face(const Making *k, bool along_x, int i, int j, double sill) {
    const Overlap *across = along_x ? &k->x : &k->y, *along = along_x ? &k->y : &k->x;
    const int line = along_x ? i : j, cell = along_x ? j : i;
    const int before = across->before[line], after = across->after[line];
    int count = 0;
    for (int n = 0; n < along->count[cell]; n++) {
        const int p = along->first[cell] + n;
        const double one = along_x ? height_of(k, before, p) : height_of(k, p, before),
                     other = along_x ? height_of(k, after, p) : height_of(k, p, after);
        const double weight = along->weight[along->start[cell] + (size_t)n];
        if (one < k->level && other < k->level && weight > 0)
            k->pixel[count++] = (Pixel){fmax(sill, height_between(k, along_x, before, after, p)), weight};
    }
    return count;
}

static void add_place(const Making *k, Table *t, ptrdiff_t m, int pixels) {
    if (t->nodes + MOST_NODES > t->room) {
        t->room = 2 * t->room + 1024;
        t->node = ENLARGE(t->node, t->room * t->values, double);
    }
    const int nodes = table_make(k->pixel, pixels, t->values, k->exponent, t->node + t->nodes * t->values);
    t->first[m] = (double)t->nodes;
    t->count[m] = nodes;
    t->nodes += nodes;
}

static void begin_table(const Grid *g, int values, Table *t) {
    *t = (Table){.first = field2_create(g), .count = field2_create(g), .values = values};
    t->node = ALLOCATE(1, double);
}

static Hypsometry finish_table(Subgrid *s, Table *t) {
    s->nodes += t->nodes;
    return (Hypsometry){t->first, t->count, t->node, t->values};
}

static void make_columns(Subgrid *s, const Making *k) {
    const Grid *g = k->grid;
    Table t;
    begin_table(g, NODE_OF_COLUMN, &t);
    for (int n = 0; n < g->columns.count; n++)
        for (int i = g->columns.run[n].i0, j = g->columns.run[n].j; i < g->columns.run[n].i1; i++) {
            const int pixels = pixels_of_cell(k, g->i_first + i, g->j_first + j);
            s->pixels += pixels;
            add_place(k, &t, AT2(*g, i, j), pixels);
        }
    s->column = finish_table(s, &t);
}

static Hypsometry make_faces(Subgrid *s, const Making *k, bool along_x) {
    const Grid *g = k->grid;
    const RunList *faces = along_x ? &g->faces_u : &g->faces_v;
    const ptrdiff_t step = along_x ? 1 : g->row;
    double *bed = along_x ? g->bed_u : g->bed_v;
    Table t;
    begin_table(g, NODE_OF_FACE, &t);
    for (int n = 0; n < faces->count; n++)
        for (int i = faces->run[n].i0, j = faces->run[n].j; i < faces->run[n].i1; i++) {
            const ptrdiff_t m = AT2(*g, i, j);
            const double sill = fmax(g->bed[m], g->bed[m - step]);
            const int pixels = pixels_of_face(k, along_x, g->i_first + i, g->j_first + j, sill);
            for (int p = 0; p < pixels; p++)
                bed[m] = p > 0 ? fmin(bed[m], k->pixel[p].height) : k->pixel[p].height;
            add_place(k, &t, m, pixels);
        }
    return finish_table(s, &t);
}

/* The rows of the grid whose pixels this rank needs: its own, and one more on each side. */
static Band rows_around(const Grid *g) {
    Band band = {.comm = g->comm, .first = 0, .rows = g->ny, .whole = g->ny};
    MPI_Comm_rank(g->comm, &band.rank);
    MPI_Comm_size(g->comm, &band.ranks);
    band.bands = band.ranks;
    if (g->axes.periodic_y) return band;
    const int end = g->j_first + g->n2 + 1;
    band.first = g->j_first > 0 ? g->j_first - 1 : 0;
    band.rows = (end < g->ny ? end : g->ny) - band.first;
    return band;
}

static int most_of(const Overlap *o) {
    int most = 0;
    for (int n = 0; n < o->cells; n++) most = o->count[n] > most ? o->count[n] : most;
    return most;
}

static Status make_tables(const Scenario *scenario, Grid *g, const Raster *raster, Subgrid *s) {
    double shift;
    TRY(overlap_check(raster, "the bathymetry", &g->axes, &shift));
    CHECK(!overlap_is_coarser(raster, &g->axes), STATUS_BAD_INPUT,
          "%s: the map's cells of %g x %g are larger than the grid's of %g x %g: leave out subgrid, or use a "
          "finer map",
          scenario->path, raster->dx, raster->dy, g->axes.step_x, g->axes.step_y);
    const bool by_chezy = scenario->physics.drag == DRAG_CHEZY || scenario->physics.drag == DRAG_CONSTANT;
    Making k = {.grid = g,
                .raster = raster,
                .x = overlap_along_x(raster, &g->axes, shift),
                .y = overlap_along_y(raster, &g->axes),
                .level = scenario->grid.flood_to_m,
                .exponent = by_chezy ? 1.5 : 5.0 / 3.0};
    const int across = most_of(&k.x), along = most_of(&k.y);
    k.pixel = ALLOCATE((size_t)(across + 1) * (size_t)(along + 1), Pixel);
    make_columns(s, &k);
    s->u = make_faces(s, &k, true);
    s->v = make_faces(s, &k, false);
    memory_free(k.pixel);
    overlap_release(&k.x), overlap_release(&k.y);
    return STATUS_OK;
}

/* Fields of faces that a step makes. */
static double **face_field(SubgridFaces *f, int n) {
    double **all[] = {&f->hydraulic, &f->resistance, &f->felt};
    return n < 3 ? all[n] : NULL;
}

static void begin_faces(const Scenario *scenario, const Grid *g, const Hypsometry *ground, SubgridFaces *f) {
    *f = (SubgridFaces){
        .g = grid_view(g), .ground = *ground, .full_stress_depth = scenario->physics.full_stress_depth_m};
    for (int n = 0; face_field(f, n); n++) *face_field(f, n) = field2_create(g);
}

Status subgrid_create(const Scenario *scenario, Grid *g, Subgrid **out) {
    *out = NULL;
    if (!scenario->bathymetry.subgrid) return STATUS_OK;
    Subgrid *s = *out = ALLOCATE(1, Subgrid);
    Raster *raster = NULL;
    Halo *halo = NULL;
    const Band band = rows_around(g);
    Status status;
    s->grid = g;
    s->height = field2_create(g), s->rise = field2_create(g), s->held = field2_create(g);
    ATTEMPT(status_agree(g->comm, ground_pixels(scenario, &g->axes, &band, &raster)));
    ATTEMPT(status_agree(g->comm, make_tables(scenario, g, raster, s)));
    ATTEMPT(halo_create(g, 2, &halo));
    halo_exchange(halo, 2, (double *[]){g->bed_u, g->bed_v}, 0, NULL);
    exec_wait(g->exec);
    begin_faces(scenario, g, &s->u, &s->face_u);
    begin_faces(scenario, g, &s->v, &s->face_v);
cleanup:
    halo_destroy(&halo);
    raster_destroy(&raster);
    return status;
}

static void forget(const Grid *g, Hypsometry *h) {
    double *first = (double *)(uintptr_t)h->first, *count = (double *)(uintptr_t)h->count;
    if (first) field2_destroy(g, &first), field2_destroy(g, &count);
    memory_free((double *)(uintptr_t)h->node);
}

void subgrid_destroy(Subgrid **subgrid) {
    Subgrid *s = *subgrid;
    if (!s) return;
    forget(s->grid, &s->column), forget(s->grid, &s->u), forget(s->grid, &s->v);
    field2_destroy(s->grid, &s->height), field2_destroy(s->grid, &s->rise), field2_destroy(s->grid, &s->held);
    for (int n = 0; face_field(&s->face_u, n); n++) {
        field2_destroy(s->grid, face_field(&s->face_u, n));
        field2_destroy(s->grid, face_field(&s->face_v, n));
    }
    memory_free(s);
    *subgrid = NULL;
}

SubgridColumns subgrid_columns(const Subgrid *s, double *depth, double *eta, const double *increment) {
    return (SubgridColumns){.g = grid_view(s->grid),
                            .ground = s->column,
                            .depth = depth,
                            .eta = eta,
                            .increment = increment,
                            .height = s->height,
                            .rise = s->rise,
                            .held = s->held};
}

double subgrid_depth_at(const Subgrid *s, ptrdiff_t m, double height) {
    return hypsometry_depth(&s->column, m, height);
}

void subgrid_or_even_depth(const Subgrid *s, Exec exec, RunList faces, FaceDepth args) {
    if (s)
        subgrid_face_depth(exec, faces, (SubgridFaceDepth){args, args.along == 1 ? s->u : s->v});
    else
        face_depth(exec, faces, args);
}

void subgrid_drag_prepare(const Subgrid *s, Exec exec, RunList faces, const Momentum *m) {
    SubgridFaces args = m->faces.along == 1 ? s->face_u : s->face_v;
    Momentum rectangle = *m;
    args.depth = m->faces.depth;
    args.drag = m->faces.drag;
    subgrid_sections(exec, faces, args);
    rectangle.faces.depth = args.hydraulic;
    bed_drag_prepare(exec, faces, rectangle);
    subgrid_resist(exec, faces, args);
}
