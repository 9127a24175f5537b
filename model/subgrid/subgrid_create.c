/* SPDX-License-Identifier: Apache-2.0 */
#include "model/subgrid/subgrid.h"

#include "base/memory.h"
#include "bathymetry/raster_regrid.h"
#include "gpu/device.h"
#include "model/forcing/column_map.h"
#include "model/subgrid/kept.h"
#include "model/terrain_ground.h"
#include "numerics/grid/layers.h"

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

static void rows_of_band(const void *context, const Raster *shape, int rows[2]) {
    const Grid *g = context;
    const Band band = rows_around(g);
    raster_regrid_rows(shape, &g->axes, &band, rows);
}

/* Manning's n of pixels, if it is a map. Collective. */
static Status read_roughness(const Scenario *scenario, const Grid *g, Raster **raster, double *taken) {
    static const char what[] = "Manning's n";
    const Value *n = &scenario->physics.manning_n;
    const Band band = rows_around(g);
    if (scenario->physics.drag != DRAG_MANNING || n->kind != VALUE_FILE) return STATUS_OK;
    TRY(column_map_fill(n, what, RASTER_NUMBERS, g, taken));
    return column_map_raster(n, what, RASTER_NUMBERS, &g->axes, &band, rows_of_band, g, raster);
}

static int most_of(const Overlap *o) {
    int most = 0;
    for (int n = 0; n < o->cells; n++) most = o->count[n] > most ? o->count[n] : most;
    return most;
}

/* The height of the pixel at a place; INFINITY: it is none of this rank's rows, or cannot be wet. */
static double height_at(const Making *k, double shift, const double place[2]) {
    const Raster *r = k->raster;
    const Axes *axes = &k->grid->axes;
    const double round =
        axes->spherical ? 360 * nearbyint((axes_x(axes, 0.5 * axes->nx) - place[0]) / 360) : 0;
    const double column = nearbyint((place[0] + round - shift - r->x0) / r->dx),
                 row = nearbyint((place[1] - r->y0) / r->dy);
    if (!(column >= 0 && column < r->nx && row >= r->first_row && row < r->first_row + r->rows))
        return INFINITY;
    const double height = making_height(k, (int)column, (int)row);
    return height < k->level ? height : INFINITY;
}

static void find_spots(const Scenario *scenario, const Making *k, double shift, Subgrid *s) {
    int count = 0;
    for (int n = 0; n < scenario->n_outputs; n++) count += scenario->outputs[n].n_stations;
    s->spots = ALLOCATE(count + 1, double);
    count = 0;
    for (int n = 0; n < scenario->n_outputs; n++)
        for (int m = 0; m < scenario->outputs[n].n_stations; m++) {
            const ScenarioStation *station = &scenario->outputs[n].stations[m];
            s->spots[count++] = height_at(k, shift, (double[2]){station->x, station->y});
        }
    s->n_spots = count;
}

/* Of the depth in the conveyance. */
static double exponent_of(const Scenario *scenario) {
    const DragLaw law = scenario->physics.drag;
    return law == DRAG_CHEZY || law == DRAG_CONSTANT ? 1.5 : 5.0 / 3.0;
}

/* The dikes of this rank's cells and of those around, if there are any. Collective. */
static Status measure_dikes(const Scenario *scenario, const Grid *g, const Band *band, int64_t *length,
                            DikeLength **out) {
    Dikes dikes;
    Status status;
    ATTEMPT(dikes_read(scenario, &g->axes, band, &dikes));
    if (dikes.lines.count > 0) {
        *out = ALLOCATE((size_t)(g->n1 + 2) * (size_t)(g->n2 + 2), DikeLength);
        dikes_measure(&dikes, &g->axes, g->i_first - 1, g->j_first - 1, g->n1 + 2, g->n2 + 2, *out);
        for (int n = 0; n < g->n1 * g->n2; n++)
            *length += llrint(1e3 * (*out)[(ptrdiff_t)(n / g->n1 + 1) * (g->n1 + 2) + n % g->n1 + 1].along);
    }
cleanup:
    dikes_release(&dikes);
    return status;
}

/* `counts`: of all ranks. */
static Status check_dikes(const Scenario *scenario, const DikeLength *dikes, const SubgridCounts *counts) {
    CHECK(!dikes || counts->dikes > 0, STATUS_BAD_INPUT,
          "%s: none of the lines of /bathymetry/dikes lies on the grid: give them in its coordinates, "
          "or remove them",
          scenario->path);
    return STATUS_OK;
}

/* Where the pixels lie that `k` holds. `shift`: as of overlap_check. */
static Status place_pixels(const Scenario *scenario, Making *k, double *shift) {
    const Raster *raster = k->raster;
    const Grid *g = k->grid;
    TRY(overlap_check(raster, "the bathymetry", &g->axes, shift));
    CHECK(!overlap_is_coarser(raster, &g->axes), STATUS_BAD_INPUT,
          "%s: the map's cells of %g x %g are larger than the grid's of %g x %g: leave out subgrid, or use a "
          "finer map",
          scenario->path, raster->dx, raster->dy, g->axes.step_x, g->axes.step_y);
    k->x = overlap_along_x(raster, &g->axes, *shift), k->y = overlap_along_y(raster, &g->axes);
    k->level = scenario->grid.flood_to_m, k->exponent = exponent_of(scenario);
    return STATUS_OK;
}

/* From the file that keeps them, or else from the pixels. Counts become those of all ranks. Collective. */
static void find_tables(const Scenario *scenario, Making *k, Subgrid *s) {
    const Grid *g = k->grid;
    s->kept = kept_path(scenario, k);
    const uint64_t key = s->kept ? kept_key(k) : 0;
    s->from_kept = s->kept && kept_read(s->kept, key, s);
    if (!s->from_kept) {
        const int across = most_of(&k->x), along = most_of(&k->y);
        k->pixel = ALLOCATE(ENDS_OF_PIXEL * (size_t)(across + 1) * (size_t)(along + 1), Pixel);
        making_tables(k, s);
        memory_free(k->pixel);
    }
    MPI_Allreduce(MPI_IN_PLACE, &s->counts, sizeof s->counts / sizeof(int64_t), MPI_INT64_T, MPI_SUM,
                  g->comm);
    divided_share(g->comm, s->divided);
    if (s->kept && !s->from_kept && scenario->keeps_tables) kept_write(s->kept, key, s);
}

/* Fields that layers need, the first one last. */
static double **layered_field(Subgrid *s, int n) {
    double **all[] = {&s->hydraulic_before[0], &s->hydraulic_before[1], &s->thick_before, &s->thick};
    return n < 4 ? all[n] : NULL;
}

static double **shore_field(Subgrid *s, int n) {
    double **all[] = {s->begin, s->bend, s->middle, s->slant};
    return n < 8 ? all[n / 2] + n % 2 : NULL;
}

/* Fields of faces that a step makes. */
static double **face_field(SubgridFaces *f, int n) {
    double **all[] = {&f->hydraulic, &f->resistance, &f->weight, &f->closeness, &f->lift};
    return n < 5 ? all[n] : NULL;
}

static double **flank_field(SubgridFaces *f, int n) {
    double **all[] = {&f->narrow, &f->datum_share, &f->bed_share};
    return all[n];
}

void subgrid_make_sides(Subgrid *s) {
    s->sunk = field3_create(s->grid), s->wide = field3_create(s->grid);
}

static void make_ways(const Grid *g, bool rough, bool dikes, SubgridWays *ways) {
    ways->crest = field2_create(g), ways->rise = field2_create(g), ways->sill = field2_create(g);
    if (rough) ways->part = field2_create(g);
    if (dikes) ways->length = field2_create(g);
}

static void forget_ways(const Grid *g, SubgridWays *ways) {
    field2_destroy(g, &ways->crest), field2_destroy(g, &ways->rise), field2_destroy(g, &ways->sill);
    field2_destroy(g, &ways->part), field2_destroy(g, &ways->length);
}

static void begin_faces(const Scenario *scenario, const Grid *g, const Hypsometry *ground, SubgridFaces *f) {
    *f = (SubgridFaces){.g = grid_view(g), .ground = *ground, .exponent = 2 * exponent_of(scenario)};
    for (int n = 0; face_field(f, n); n++) *face_field(f, n) = field2_create(g);
    field2_fill(g, f->closeness, 1);
}

static void make_faces(const Scenario *scenario, const Grid *g, Subgrid *s) {
    begin_faces(scenario, g, &s->u, &s->face_u);
    begin_faces(scenario, g, &s->v, &s->face_v);
    s->sills_u = take_sills(g, &g->faces_u, &s->ways_u), s->sills_v = take_sills(g, &g->faces_v, &s->ways_v);
    s->face_u.ways = s->ways_u, s->face_v.ways = s->ways_v;
    s->face_u.along = 1, s->face_v.along = g->row;
    s->face_u.shores = (Shores){s->share, s->middle[0], s->middle[1], s->slant[0], g->bed_v, g->row};
    s->face_v.shores = (Shores){s->share, s->middle[1], s->middle[0], s->slant[1], g->bed_u, 1};
    s->face_u.closeness_aside = s->face_v.closeness, s->face_v.closeness_aside = s->face_u.closeness;
    s->face_u.lift_aside = s->face_v.lift, s->face_v.lift_aside = s->face_u.lift;
}

/* Where layers lie at fixed heights. Collective. */
static Status make_levels(Grid *g, Subgrid *s) {
    if (!layers_have_heights(&g->axes)) return STATUS_OK;
    s->flank_u = field3_create(g), s->flank_v = field3_create(g);
    for (int n = 0; n < 3; n++)
        *flank_field(&s->face_u, n) = field2_create(g), *flank_field(&s->face_v, n) = field2_create(g);
    TRY(levels_cut(s, g));
    s->face_u.g = s->face_v.g = grid_view(g);
    return STATUS_OK;
}

Status subgrid_create(const Scenario *scenario, Grid *g, Subgrid **out) {
    *out = NULL;
    if (!scenario->bathymetry.subgrid) return STATUS_OK;
    Subgrid *s = *out = ALLOCATE(1, Subgrid);
    Raster *raster = NULL, *roughness = NULL;
    double *taken = field2_create(g);
    DikeLength *dikes = NULL;
    Halo *halo = NULL;
    const Band band = rows_around(g);
    double shift;
    Status status;
    s->grid = g;
    s->share = field2_create(g);
    for (int n = 0; shore_field(s, n); n++) *shore_field(s, n) = field2_create(g);
    s->height = field2_create(g), s->rise = field2_create(g), s->held = field2_create(g);
    for (int n = 0; g->n3 > 1 && layered_field(s, n); n++) *layered_field(s, n) = field2_create(g);
    ATTEMPT(status_agree(g->comm, ground_pixels(scenario, &g->axes, &band, &raster)));
    ATTEMPT(read_roughness(scenario, g, &roughness, taken));
    ATTEMPT(measure_dikes(scenario, g, &band, &s->counts.dikes, &dikes));
    make_ways(g, roughness, dikes, &s->ways_u), make_ways(g, roughness, dikes, &s->ways_v);
    Making making = {.grid = g, .raster = raster, .roughness = roughness, .taken = taken, .dikes = dikes};
    ATTEMPT(status_agree(g->comm, place_pixels(scenario, &making, &shift)));
    find_tables(scenario, &making, s);
    find_spots(scenario, &making, shift, s);
    overlap_release(&making.x), overlap_release(&making.y);
    ATTEMPT(check_dikes(scenario, dikes, &s->counts));
    MPI_Allreduce(MPI_IN_PLACE, s->spots, s->n_spots, MPI_DOUBLE, MPI_MIN, g->comm);
    ATTEMPT(halo_create(g, 3, &halo));
    halo_exchange(halo, 3, (double *[]){g->bed, g->bed_u, g->bed_v}, 0, NULL);
    exec_wait(g->exec);
    make_faces(scenario, g, s);
    ATTEMPT(make_levels(g, s));
    s->beside = places_beside(g);
cleanup:
    halo_destroy(&halo);
    raster_destroy(&raster), raster_destroy(&roughness);
    field2_destroy(g, &taken);
    memory_free(dikes);
    return status;
}

static void forget(const Grid *g, Hypsometry *h) {
    double *first = (double *)(uintptr_t)h->first;
    if (first) field2_destroy(g, &first), field2_destroy(g, &h->last);
    for (int n = 0; n < NODE_OF_FACE + 2; n++) field2_destroy(g, &h->kept[n]);
    memory_free((double *)(uintptr_t)h->node);
}

void subgrid_destroy(Subgrid **subgrid) {
    Subgrid *s = *subgrid;
    if (!s) return;
    forget(s->grid, &s->column), forget(s->grid, &s->u), forget(s->grid, &s->v);
    forget_ways(s->grid, &s->ways_u), forget_ways(s->grid, &s->ways_v);
    field2_destroy(s->grid, &s->share);
    for (int n = 0; shore_field(s, n); n++) field2_destroy(s->grid, shore_field(s, n));
    field2_destroy(s->grid, &s->height), field2_destroy(s->grid, &s->rise), field2_destroy(s->grid, &s->held);
    for (int n = 0; s->thick && layered_field(s, n); n++) field2_destroy(s->grid, layered_field(s, n));
    for (int n = 0; face_field(&s->face_u, n); n++) {
        field2_destroy(s->grid, face_field(&s->face_u, n));
        field2_destroy(s->grid, face_field(&s->face_v, n));
    }
    if (s->flank_u) {
        field3_destroy(s->grid, &s->flank_u), field3_destroy(s->grid, &s->flank_v);
        for (int n = 0; n < 3; n++) {
            field2_destroy(s->grid, flank_field(&s->face_u, n));
            field2_destroy(s->grid, flank_field(&s->face_v, n));
        }
    }
    field3_destroy(s->grid, &s->sunk), field3_destroy(s->grid, &s->wide);
    memory_free(s->sills_u.run), memory_free(s->sills_v.run), memory_free(s->beside.run);
    memory_free(s->spots);
    memory_free(s->kept);
    memory_free(s);
    *subgrid = NULL;
}
