/* SPDX-License-Identifier: Apache-2.0 */
#include "model/boundary/sponge.h"

#include "base/memory.h"
#include "gpu/device.h"
#include "model/boundary/open_faces.h"
#include "model/boundary/rivers_and_sponges.h"
#include "model/boundary/segments.h"

struct Sponge {
    const Grid *grid;
    SpongeCell *cell;
    SpongeFace *face[2]; /* of u and v */
    SpongeTarget *target;
    int cells, faces[2], targets;
    RunList cell_list, face_list[2];
    SpongeAim *aim; /* of the targets, from the host (rivers_and_sponges.h) */
    double *flow;   /* of the cells in this step [m3 s-1] */
};

/* While it is made: of each cell of this rank and its halo the strongest rate and the face it comes from. */
typedef struct Zone {
    const Scenario *scenario;
    const Grid *grid;
    const EdgePlace *places;
    Outside *const *outside;
    const OuterChoice *choice;
    double *rate, *place;
} Zone;

static double rate_at(const ScenarioBoundary *b, double distance) {
    const double depth = 1 - distance / b->sponge_width_m;
    return depth > 0 ? depth * depth / b->sponge_time_s : 0;
}

typedef struct Spreading {
    const Zone *zone;
    const ScenarioBoundary *boundary;
    int number;
} Spreading;

static void spread(void *context, ptrdiff_t column, double distance) {
    const Spreading *s = context;
    const double rate = rate_at(s->boundary, distance);
    if (rate <= s->zone->rate[column]) return; /* of equals the first: the same on all ranks */
    s->zone->rate[column] = rate;
    s->zone->place[column] = s->number;
}

static void spread_face(const Zone *zone, int number) {
    const EdgePlace *p = &zone->places[number];
    const ScenarioBoundary *b = &zone->scenario->boundaries[p->boundary];
    Spreading spreading = {zone, b, number};
    segments_each_near(zone->grid, p, b->sponge_width_m, spread, &spreading);
}

static Status add_target(Sponge *s, int number, EdgePlace at, const Zone *zone, int *out) {
    Outside *outside = zone->outside[at.boundary];
    s->target = ENLARGE(s->target, s->targets + 1, SpongeTarget);
    *out = s->targets++;
    s->target[*out] = (SpongeTarget){.at = at, .place = number, .outside = outside};
    const OutsidePlace place = {at.x, at.y, at.x, at.y, 1, {at.normal[0], at.normal[1]}};
    return outside_point_create(outside, place, &s->target[*out].point);
}

static Status find_target(Sponge *s, int number, const Zone *zone, int *out) {
    for (*out = s->targets - 1; *out >= 0; (*out)--)
        if (s->target[*out].place == number) return STATUS_OK;
    return add_target(s, number, zone->places[number], zone, out);
}

/* The face that the sponge at a column belongs to; of a file, at the column itself. */
static Status find_target_of_cell(Sponge *s, const Zone *zone, int i, int j, int *out) {
    const int number = (int)zone->place[AT2(*s->grid, i, j)];
    EdgePlace at = zone->places[number];
    if (!zone->choice[at.boundary].level) return find_target(s, number, zone, out);
    at.x = s->grid->x_c[i], at.y = s->grid->y_c[j];
    return add_target(s, -1, at, zone, out);
}

static Status collect_cells(Sponge *s, const Zone *zone) {
    const Grid *g = s->grid;
    for (int n = 0; n < g->columns.count; n++) {
        const Run r = g->columns.run[n];
        for (int i = r.i0; i < r.i1; i++) {
            const ptrdiff_t m = AT2(*g, i, r.j);
            if (zone->rate[m] <= 0) continue;
            s->cell = ENLARGE(s->cell, s->cells + 1, SpongeCell);
            SpongeCell *cell = &s->cell[s->cells++];
            *cell = (SpongeCell){.m = m, .rate = zone->rate[m]};
            TRY(find_target_of_cell(s, zone, i, r.j, &cell->target));
        }
    }
    return STATUS_OK;
}

/* Faces between two cells; open ones have their own condition. */
static Status collect_faces(Sponge *s, const Zone *zone, bool along_x) {
    const Grid *g = s->grid;
    const RunList faces = along_x ? g->faces_u : g->faces_v;
    const int c = along_x ? 0 : 1;
    for (int n = 0; n < faces.count; n++) {
        const Run r = faces.run[n];
        for (int i = r.i0; i < r.i1; i++) {
            const ptrdiff_t m = AT2(*g, i, r.j), back = along_x ? m - 1 : m - g->row;
            const double rate = 0.5 * (zone->rate[m] + zone->rate[back]);
            if (rate <= 0 || (along_x ? g->given_u : g->given_v)[m] != 0) continue;
            const int number = (int)zone->place[zone->rate[m] >= zone->rate[back] ? m : back];
            const EdgePlace *p = &zone->places[number];
            if (zone->choice[p->boundary].velocity) continue;
            s->face[c] = ENLARGE(s->face[c], s->faces[c] + 1, SpongeFace);
            SpongeFace *face = &s->face[c][s->faces[c]++];
            *face = (SpongeFace){.m = m, .rate = rate, .inwards = p->normal[c]};
            TRY(find_target(s, number, zone, &face->target));
        }
    }
    return STATUS_OK;
}

Status sponge_create(const Scenario *scenario, const Grid *grid, const EdgePlace *places, int count,
                     Outside *const *outside, const OuterChoice *choice, Sponge **out) {
    Sponge *s = *out = ALLOCATE(1, Sponge);
    Zone zone = {scenario, grid, places, outside, choice, field2_create(grid), field2_create(grid)};
    Status status;
    s->grid = grid;
    for (int n = 0; n < count; n++)
        if (scenario->boundaries[places[n].boundary].sponge_width_m > 0) spread_face(&zone, n);
    ATTEMPT(collect_cells(s, &zone));
    ATTEMPT(collect_faces(s, &zone, true));
    ATTEMPT(collect_faces(s, &zone, false));
    s->cell_list = flat_list(s->cells);
    for (int c = 0; c < 2; c++) s->face_list[c] = flat_list(s->faces[c]);
    ATTEMPT(pinned_allocate(grid->exec, (size_t)(s->targets + 1) * sizeof *s->aim, (void **)&s->aim));
    s->flow = ALLOCATE(s->cells + 1, double);
cleanup:
    field2_destroy(grid, &zone.rate);
    field2_destroy(grid, &zone.place);
    return status;
}

void sponge_destroy(Sponge **sponge) {
    Sponge *s = *sponge;
    if (!s) return;
    for (int n = 0; n < s->targets; n++) outside_point_release(&s->target[n].point);
    memory_free(s->cell);
    memory_free(s->face[0]);
    memory_free(s->face[1]);
    memory_free(s->target);
    memory_free(s->cell_list.run);
    for (int c = 0; c < 2; c++) memory_free(s->face_list[c].run);
    pinned_free(s->grid->exec, s->aim);
    memory_free(s->flow);
    memory_free(s);
    *sponge = NULL;
}

void sponge_advance(Sponge *s) {
    for (int n = 0; s && n < s->targets; n++) {
        const SpongeTarget *t = &s->target[n];
        s->aim[n] = (SpongeAim){outside_eta(t->outside, &t->point), outside_velocity(t->outside, &t->point)};
    }
}

int sponge_targets(const Sponge *s, const SpongeTarget **out) {
    *out = s ? s->target : NULL;
    return s ? s->targets : 0;
}

SpongeAim *sponge_aims(Sponge *s) {
    return s->aim;
}

void sponge_soak(Sponge *s, double dt, const double *eta, const double *depth, double *source,
                 double *source_in) {
    if (!s) return;
    sponge_cells(s->grid->exec, s->cell_list,
                 (SpongeSoak){s->cell, s->aim, s->grid->area, eta, depth, dt, source, source_in, s->flow});
}

void sponge_brake(const Sponge *s, double dt, const Faces *u, const Faces *v) {
    for (int c = 0; s && c < 2; c++)
        sponge_faces(s->grid->exec, s->face_list[c],
                     (SpongeBrake){s->grid->plane, s->grid->n3, s->face[c], s->aim, c == 0 ? *u : *v, dt});
}

void sponge_inflow(const Sponge *s, ExactSum *begun) {
    if (s) reduce_add_terms(s->grid->exec, s->flow, s->cells, begun);
}

void sponge_leave(Sponge *s, ptrdiff_t column) {
    if (!s) return;
    for (int n = 0; n < s->cells; n++)
        if (s->cell[n].m == column) s->cell[n] = s->cell[--s->cells];
    memory_free(s->cell_list.run);
    s->cell_list = flat_list(s->cells);
}

void sponge_each_column(const Sponge *s, void (*visit)(void *context, ptrdiff_t column), void *context) {
    for (int n = 0; s && n < s->cells; n++) visit(context, s->cell[n].m);
}
