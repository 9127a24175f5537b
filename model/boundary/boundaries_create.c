/* SPDX-License-Identifier: Apache-2.0 */
#include "model/boundary/boundaries_internal.h"

#include "base/memory.h"
#include "model/boundary/segments.h"
#include <math.h>

enum { FLAT_RUN = 32 };

RunList flat_list(int count) {
    RunList list = {ALLOCATE(count / FLAT_RUN + 1, Run), 0, count};
    for (int i = 0; i < count; i += FLAT_RUN)
        list.run[list.count++] = (Run){i, i + FLAT_RUN < count ? i + FLAT_RUN : count, 0, 0};
    return list;
}

/* Flather's condition compares levels: it takes that outside where it has that inside, in the middle of the cell, so that
 * what is the same on both sides stays. An incoming wave is one at the face. Other levels are given in the middle of the
 * ghost. */
static double level_offset(const ScenarioBoundary *b) {
    if (b->kind == BOUNDARY_ELEVATION || boundary_carries_out(b)) return -0.5;
    return b->kind == BOUNDARY_FLATHER && !b->incoming_wave ? 0.5 : 0;
}

/* Where a face and its level are. */
static FaceSource source_of(const Boundaries *all, EdgeFace at) {
    const Grid *g = all->grid;
    const ScenarioBoundary *b = &all->scenario->boundaries[at.boundary];
    const double offset = (at.low ? 1 : -1) * level_offset(b);
    double x = at.along_x ? g->x_u[at.i] : g->x_c[at.i], y = at.along_x ? g->y_c[at.j] : g->y_v[at.j];
    const double level_x = x + (at.along_x ? offset * g->axes.step_x : 0);
    const double level_y = y + (at.along_x ? 0 : offset * g->axes.step_y);
    if (level_offset(b) < 0) x = level_x, y = level_y;
    return (FaceSource){
        .number = at.boundary,
        .boundary = b,
        .x = x,
        .y = y,
        .level_x = level_x,
        .level_y = level_y,
        .middle = {g->x_c[at.i - (at.along_x && !at.low)], g->y_c[at.j - (!at.along_x && !at.low)]}};
}

static OpenFace face_of(const Boundaries *all, EdgeFace at, bool foreign) {
    const Grid *g = all->grid;
    const ScenarioBoundary *b = &all->scenario->boundaries[at.boundary];
    const ptrdiff_t face = AT2(*g, at.i, at.j), along = at.along_x ? 1 : g->row, back = face - along;
    return (OpenFace){.face = face,
                      .ghost = at.low ? back : face,
                      .inside = at.low ? face : back,
                      .behind = at.low ? face + along : back - along,
                      .foreign = foreign,
                      .along_x = at.along_x,
                      .inwards = at.low ? 1 : -1,
                      .j = at.j,
                      .slant = fabs(at.normal[at.along_x ? 0 : 1]),
                      .number = at.boundary,
                      .kind = b->kind,
                      .by_width = b->by_width,
                      .incoming_wave = b->incoming_wave,
                      .relaxation_in = b->relaxation_in_s,
                      .relaxation_out = b->relaxation_out_s,
                      .inflow_relaxation = b->inflow_relaxation_s,
                      .film = fmin(0.1, -0.1 * g->axes.interfaces[0]),
                      .level = boundary_carries_out(b) ? all->level[at.along_x ? 0 : 1] + face : NULL};
}

static Status add_face(Boundaries *all, EdgeFace at, bool foreign) {
    all->face = ENLARGE(all->face, all->count + 1, OpenFace);
    all->source = ENLARGE(all->source, all->count + 1, FaceSource);
    OpenFace *f = &all->face[all->count];
    FaceSource *s = &all->source[all->count++];
    *f = face_of(all, at, foreign);
    *s = source_of(all, at);
    return outside_point_create(all->outside[at.boundary],
                                (OutsidePlace){s->x,
                                               s->y,
                                               s->level_x,
                                               s->level_y,
                                               f->slant,
                                               {at.along_x ? f->inwards : 0, at.along_x ? 0 : f->inwards}},
                                &s->point);
}

static void mark(void *context, ptrdiff_t column, double distance) {
    bool *near = context;
    (void)column, (void)distance;
    *near = true;
}

/* The places of a boundary that this rank's faces and sponge need. */
static AtlasArea area_of(const Boundaries *all, int boundary, const EdgePlace *places, int count) {
    AtlasArea area = {INFINITY, -INFINITY, INFINITY, -INFINITY};
    for (int n = 0; n < count; n++) {
        const EdgePlace *p = &places[n];
        bool near = false;
        if (p->boundary != boundary) continue;
        segments_each_near(all->grid, p, all->scenario->boundaries[boundary].sponge_width_m, mark, &near);
        if (!near) continue;
        double lon, lat;
        axes_degrees(&all->grid->axes, p->x, p->y, &lon, &lat);
        area = (AtlasArea){fmin(area.west, lon), fmax(area.east, lon), fmin(area.south, lat),
                           fmax(area.north, lat)};
    }
    return area;
}

/* What the boundaries take from tidal atlases; to be freed. Collective. */
static Status read_atlases(const Boundaries *all, TideAtlas **atlas) {
    const Axes *axes = &all->grid->axes;
    const double grid[4] = {axes_x(axes, 0), axes_x(axes, axes->nx), axes_y(axes, 0), axes_y(axes, axes->ny)};
    double low[2], high[2];
    Status status = STATUS_OK;
    axes_degrees_around(axes, grid, low, high);
    for (int n = 0; n < all->scenario->n_boundaries && status == STATUS_OK; n++) {
        const ScenarioBoundary *b = &all->scenario->boundaries[n];
        if (b->n_atlas == 0) continue;
        EdgePlace *places = NULL;
        const int count = segments_gather(all->scenario, all->grid, &places);
        const AtlasRequest request = {.paths = b->atlas,
                                      .n_paths = b->n_atlas,
                                      .wanted = b->atlas_tides,
                                      .n_wanted = b->n_atlas_tides,
                                      .area = {low[0], high[0], low[1], high[1]},
                                      .asked = area_of(all, n, places, count),
                                      .place = b->place};
        memory_free(places);
        status = tide_atlas_create(all->grid->comm, &request, &atlas[n]);
    }
    return status;
}

static Status make_faces(Boundaries *all, const Scales *scales, TideAtlas **atlas) {
    const Scenario *s = all->scenario;
    EdgeFace *at = NULL;
    const int count = segments_find(s, all->grid, &at, &all->own);
    Status status = STATUS_OK;
    for (int n = 0; n < s->n_boundaries; n++) {
        TideAtlas *own = atlas[n];
        atlas[n] = NULL;
        ATTEMPT(outside_create(s, &all->given[n], &all->grid->axes, scales, own, &all->outside[n]));
    }
    for (int n = 0; n < count; n++) ATTEMPT(add_face(all, at[n], n >= all->own));
    all->list = flat_list(all->count);
    ATTEMPT(pinned_allocate(all->exec, (size_t)(count + 1) * sizeof *all->now, (void **)&all->now));
    ATTEMPT(
        pinned_allocate(all->exec, (size_t)(2 * count + 1) * sizeof *all->gathered, (void **)&all->gathered));
    ATTEMPT(
        pinned_allocate(all->exec, (size_t)(s->n_boundaries + 1) * sizeof *all->dealt, (void **)&all->dealt));
cleanup:
    memory_free(at);
    return status;
}

static Status make_sponge(Boundaries *all) {
    EdgePlace *places = NULL;
    bool any = false;
    for (int n = 0; n < all->scenario->n_boundaries; n++)
        any = any || all->scenario->boundaries[n].sponge_width_m > 0;
    if (!any) return STATUS_OK;
    const int count = segments_gather(all->scenario, all->grid, &places);
    Status status =
        sponge_create(all->scenario, all->grid, places, count, all->outside, all->choice, &all->sponge);
    memory_free(places);
    return status;
}

static double bed_of(const Grid *g, const OpenFace *f) {
    return (f->along_x ? g->bed_u : g->bed_v)[f->face];
}

/* From which height the level of critical flow counts: by width from the ground of the face, and of faces that share a ghost, which has
 * the mean of their levels, from the highest, so that none of them comes to lie in hardly any water. */
static void find_entrances(Boundaries *all) {
    all->entrance = ALLOCATE(all->count + 1, double);
    for (int n = 0; n < all->n_ghosts; n++) {
        const Ghost *ghost = &all->ghost[n];
        double top = -INFINITY;
        for (int p = 0; p < ghost->count; p++) top = fmax(top, bed_of(all->grid, &all->face[ghost->face[p]]));
        for (int p = 0; p < ghost->count; p++)
            all->entrance[ghost->face[p]] = all->face[ghost->face[p]].by_width ? top : 0;
    }
}

/* Where discharges come in. Collective. */
static void find_critical_edges(Boundaries *all, const Subgrid *subgrid) {
    const int boundaries = all->scenario->n_boundaries;
    all->critical = ALLOCATE(boundaries + 1, CriticalEdge);
    for (int n = 0; n < boundaries; n++)
        if (all->scenario->boundaries[n].kind == BOUNDARY_DISCHARGE)
            all->critical[n] = critical_edge(all->grid, subgrid, all->face, all->own, n);
    find_entrances(all);
}

/* Levels that ghosts have from step to step. */
static void keep_levels(Boundaries *all, State *state) {
    for (int n = 0; n < all->scenario->n_boundaries; n++)
        if (boundary_carries_out(&all->scenario->boundaries[n]) && !all->level[0]) {
            all->level[0] = state_keep(state, "boundary_level_u", false, 'u');
            all->level[1] = state_keep(state, "boundary_level_v", false, 'v');
        }
}

Status boundaries_create(const Scenario *scenario, State *state, const Subgrid *subgrid, Boundaries **out) {
    const Grid *grid = state->grid;
    Boundaries *all = *out = ALLOCATE(1, Boundaries);
    TideAtlas **atlas = ALLOCATE(scenario->n_boundaries + 1, TideAtlas *);
    Status status;
    all->grid = grid;
    all->exec = grid->exec;
    all->scenario = scenario;
    all->tracers_at = NAN;
    all->outside = ALLOCATE(scenario->n_boundaries + 1, Outside *);
    all->sums = ALLOCATE(2 * scenario->n_boundaries + 1, ExactSum);
    for (int n = 0; n < scenario->n_boundaries; n++)
        all->some_discharge |= scenario->boundaries[n].kind == BOUNDARY_DISCHARGE;
    keep_levels(all, state);
    const Scales scales = scales_of(scenario, grid);
    ATTEMPT(outer_files_choose(all));
    ATTEMPT(read_atlases(all, atlas));
    ATTEMPT(status_agree(grid->comm, make_faces(all, &scales, atlas)));
    ATTEMPT(ghosts_create(all));
    find_critical_edges(all, subgrid);
    ATTEMPT(status_agree(grid->comm, make_sponge(all)));
    for (int n = 0; n < scenario->n_boundaries; n++) outside_settle(all->outside[n]);
    ATTEMPT(outer_files_open(all, &scales));
    ATTEMPT(along_edge_create(scenario, grid, all->choice, &all->along));
    boundaries_doubt(scenario, grid);
cleanup:
    for (int n = 0; n < scenario->n_boundaries; n++) tide_atlas_destroy(&atlas[n]);
    memory_free(atlas);
    if (status != STATUS_OK) boundaries_destroy(out);
    return status;
}

void boundaries_destroy(Boundaries **boundaries) {
    Boundaries *all = *boundaries;
    if (!all) return;
    outer_files_close(all);
    sponge_destroy(&all->sponge);
    along_edge_destroy(&all->along);
    boundaries_forget_tracers(all);
    for (int n = 0; n < all->count; n++) outside_point_release(&all->source[n].point);
    for (int n = 0; n < all->scenario->n_boundaries; n++) outside_destroy(&all->outside[n]);
    for (int n = 0; all->critical && n < all->scenario->n_boundaries; n++)
        memory_free(all->critical[n].strip);
    memory_free(all->critical);
    memory_free(all->entrance);
    memory_free(all->outside);
    memory_free(all->sums);
    memory_free(all->face);
    memory_free(all->source);
    memory_free(all->list.run);
    ghosts_destroy(all);
    pinned_free(all->exec, all->now);
    pinned_free(all->exec, all->gathered);
    pinned_free(all->exec, all->dealt);
    memory_free(all);
    *boundaries = NULL;
}
