/* SPDX-License-Identifier: Apache-2.0 */
#include "model/boundary/along_edge.h"

#include "base/memory.h"
#include "gpu/device.h"
#include "model/boundary/outer_columns.h"
#include "model/boundary/segments.h"
#include "model/forcing/field_names.h"
#include "model/forcing/profiles.h"
#include <string.h>

static const double TIDE_RESOLVED = 7200; /* records farther apart than that hold no tide [s] */

/* What one edge of a boundary has of a file. */
typedef struct AlongFile {
    Profiles *profiles;
    ProfilePlaces places;
    int first; /* of its faces */
} AlongFile;

struct AlongEdge {
    const Grid *grid;
    AlongFace *face;
    int count;
    RunList list;
    AlongFile *file;
    int files;
    double *given; /* [face][layer], for kernels */
};

/* ---- making ---- */

static AlongFace face_of(const Grid *g, const EdgeFace *at) {
    const ptrdiff_t m = AT2(*g, at->i, at->j), along = at->along_x ? 1 : g->row,
                    across = at->along_x ? g->row : 1;
    const ptrdiff_t open = at->low ? m : m + across;
    return (AlongFace){.m = m,
                       .cell = {m, m - along},
                       .open = {open, open - along},
                       .j = at->j,
                       .inwards = at->low ? 1 : -1,
                       .along_x = at->along_x};
}

/* The places of an edge's faces, at the edge. */
static void find_places(const Grid *g, const EdgeFace *at, int count, ProfilePlaces *out) {
    const int n3 = g->n3;
    double *weight = ALLOCATE(n3, double);
    *out = (ProfilePlaces){.count = count,
                           .layers = n3,
                           .x = ALLOCATE(count + 1, double),
                           .y = ALLOCATE(count + 1, double),
                           .z = ALLOCATE((count + 1) * n3, double)};
    for (int n = 0; n < count; n++) {
        const int beyond = at[n].low ? 0 : 1;
        const ptrdiff_t m = AT2(*g, at[n].i, at[n].j);
        const double *bed = at[n].along_x ? g->bed_u : g->bed_v, *phi = at[n].along_x ? g->phi_u : g->phi_v,
                     *bottom = at[n].along_x ? g->bottom_u : g->bottom_v;
        out->x[n] = g->x_u[at[n].i + (at[n].along_x ? 0 : beyond)];
        out->y[n] = g->y_v[at[n].j + (at[n].along_x ? beyond : 0)];
        outer_lay(g, bed[m], (int)bottom[m], phi + m, out->z + (ptrdiff_t)n * n3, weight);
    }
    memory_free(weight);
}

static void forget(AlongFile *f) {
    profiles_destroy(&f->profiles);
    memory_free(f->places.x), memory_free(f->places.y), memory_free(f->places.z);
}

/* Opens what an edge has of the file; nothing is added where no rank has a face, or the records are far apart. */
static Status open_edge(AlongEdge *all, const Scenario *scenario, const ProfileSource *source,
                        const EdgeFace *at, int count) {
    AlongFile file = {.first = all->count};
    find_places(all->grid, at, count, &file.places);
    const Status status = profiles_create(source, &file.places, all->grid, scenario, &file.profiles);
    if (status != STATUS_OK || !file.profiles || profiles_spacing(file.profiles) > TIDE_RESOLVED) {
        forget(&file);
        return status;
    }
    all->file = ENLARGE(all->file, all->files + 1, AlongFile);
    all->file[all->files++] = file;
    all->face = ENLARGE(all->face, all->count + count + 1, AlongFace);
    for (int n = 0; n < count; n++) {
        all->face[all->count] = face_of(all->grid, &at[n]);
        all->face[all->count++].layered = profiles_have_levels(file.profiles);
    }
    return STATUS_OK;
}

/* Both names, "uo, vo", or none: of one, nothing says which it is. */
static bool names_both(const char *column) {
    return !column || strchr(column, ',');
}

static Status open_boundary(AlongEdge *all, const Scenario *scenario, int boundary, const char *path) {
    const ScenarioBoundary *b = &scenario->boundaries[boundary];
    const char *column = b->velocity_m_s.kind == VALUE_FILE ? b->velocity_m_s.column : NULL;
    const char *const own[] = {NULL};
    char *beside = memory_format("the boundary \"%s\"", b->name);
    Status status = STATUS_OK;
    for (int edge = 0; edge < 4 && status == STATUS_OK; edge++) {
        const bool along_x = edge >= 2;
        char *name = outer_component(column, along_x), *other = outer_component(column, !along_x);
        const FieldNames across = field_names_of(along_x ? "outer_v_m_s" : "outer_u_m_s", own);
        const ProfileSource source = {.path = path,
                                      .variable = name,
                                      .names = field_names_of(along_x ? "outer_u_m_s" : "outer_v_m_s", own),
                                      .place = b->place,
                                      .beside = beside,
                                      .cubic = b->cubic,
                                      .across = &across,
                                      .across_variable = other,
                                      .along_y = !along_x};
        bool found = true;
        EdgeFace *at = NULL;
        const int count = segments_find_along(scenario, all->grid, boundary, edge, &at);
        if (!name) status = profiles_find(all->grid->comm, path, &source.names, &found);
        if (status == STATUS_OK && found) status = open_edge(all, scenario, &source, at, count);
        memory_free(at);
        memory_free(name), memory_free(other);
    }
    memory_free(beside);
    return status;
}

Status along_edge_create(const Scenario *scenario, const Grid *grid, const OuterChoice *choice,
                         AlongEdge **out) {
    AlongEdge *all = *out = ALLOCATE(1, AlongEdge);
    Status status = STATUS_OK;
    all->grid = grid;
    for (int n = 0; n < scenario->n_boundaries && status == STATUS_OK; n++) {
        const ScenarioBoundary *b = &scenario->boundaries[n];
        const char *path = choice[n].velocity ? choice[n].velocity : b->file;
        if (!path || b->kind == BOUNDARY_DISCHARGE || !names_both(b->velocity_m_s.column)) continue;
        status = open_boundary(all, scenario, n, path);
    }
    all->list = flat_list(all->count);
    if (status == STATUS_OK && all->files > 0) {
        const size_t values = (size_t)(all->count + 1) * (size_t)grid->n3;
        return status_agree(grid->comm,
                            pinned_allocate(grid->exec, values * sizeof *all->given, (void **)&all->given));
    }
    along_edge_destroy(out);
    return status;
}

void along_edge_destroy(AlongEdge **along) {
    AlongEdge *all = *along;
    if (!all) return;
    for (int n = 0; n < all->files; n++) forget(&all->file[n]);
    memory_free(all->file);
    memory_free(all->face);
    memory_free(all->list.run);
    pinned_free(all->grid->exec, all->given);
    memory_free(all);
    *along = NULL;
}

/* ---- each step ---- */

Status along_edge_advance(AlongEdge *all, double time) {
    for (int n = 0; all && n < all->files; n++) {
        const AlongFile *f = &all->file[n];
        TRY(profiles_advance(f->profiles, time));
        memcpy(all->given + (ptrdiff_t)f->first * all->grid->n3, profiles_values(f->profiles),
               (size_t)f->places.count * (size_t)all->grid->n3 * sizeof *all->given);
    }
    return STATUS_OK;
}

void along_edge_enter(const AlongEdge *all, const Momentum *u) {
    if (!all) return;
    along_faces_enter(all->grid->exec, all->list,
                      (AlongFlow){.g = grid_view(all->grid),
                                  .face = all->face,
                                  .given = all->given,
                                  .u = u->faces,
                                  .v = u->other,
                                  .depth = u->depth,
                                  .viscosity_c = u->viscosity_c,
                                  .dt = u->dt,
                                  .viscosity = u->viscosity,
                                  .carried = u->advection == ADVECTION_NONE ? 0 : 1});
}
