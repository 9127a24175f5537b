/* SPDX-License-Identifier: Apache-2.0 */
#include "model/boundary/outer_files.h"

#include "base/log.h"
#include "base/memory.h"
#include "model/boundary/boundaries_internal.h"
#include "model/boundary/outer_columns.h"
#include "model/boundary/rivers_and_sponges.h"
#include "model/forcing/field_names.h"
#include <math.h>
#include <string.h>

static const double HIGHEST_LEVEL = 30; /* [m]: outside the range ever observed */

/* ---- which ---- */

/* The file that a key names, or else the boundary's own; NULL: neither is NetCDF. Collective. */
static Status netcdf_of(const Boundaries *all, int n, const Value *value, const char **out) {
    const ScenarioBoundary *b = &all->scenario->boundaries[n];
    *out = NULL;
    if (value->kind == VALUE_FILE && gridded_is_netcdf(all->grid->comm, value->file)) *out = value->file;
    if (value->kind != VALUE_ABSENT || !b->file) return STATUS_OK;
    CHECK(gridded_is_netcdf(all->grid->comm, b->file), STATUS_BAD_INPUT,
          "%s: \"%s\", the file of the boundary \"%s\", is not NetCDF", b->place, b->file, b->name);
    *out = b->file;
    return STATUS_OK;
}

static bool has_level(BoundaryKind kind) {
    return kind != BOUNDARY_VELOCITY && kind != BOUNDARY_DISCHARGE;
}

/* Without its own key a velocity is wanted where something uses it: a must where nothing else gives it. */
static Status choose_velocity(Boundaries *all, int n) {
    const ScenarioBoundary *b = &all->scenario->boundaries[n];
    const bool needed = (b->kind == BOUNDARY_FLATHER || b->kind == BOUNDARY_VELOCITY) && !b->incoming_wave;
    const char *const own[] = {NULL};
    const FieldNames names = field_names_of("outer_u_m_s", own);
    bool found = true;
    TRY(netcdf_of(all, n, &b->velocity_m_s, &all->choice[n].velocity));
    if (!all->choice[n].velocity || b->velocity_m_s.kind == VALUE_FILE || needed) return STATUS_OK;
    if (b->sponge_width_m > 0) TRY(profiles_find(all->grid->comm, b->file, &names, &found));
    if (!found || b->sponge_width_m <= 0) all->choice[n].velocity = NULL;
    return STATUS_OK;
}

Status outer_files_choose(Boundaries *all) {
    const Scenario *s = all->scenario;
    all->given = ALLOCATE(s->n_boundaries + 1, ScenarioBoundary);
    all->choice = ALLOCATE(s->n_boundaries + 1, OuterChoice);
    for (int n = 0; n < s->n_boundaries; n++) {
        ScenarioBoundary *given = &all->given[n];
        *given = s->boundaries[n];
        if (has_level(given->kind)) TRY(netcdf_of(all, n, &given->eta_m, &all->choice[n].level));
        if (given->kind != BOUNDARY_DISCHARGE) TRY(choose_velocity(all, n));
        if (all->choice[n].level) given->eta_m.kind = VALUE_ABSENT;
        if (all->choice[n].velocity) given->velocity_m_s.kind = VALUE_ABSENT;
    }
    return STATUS_OK;
}

/* ---- places ---- */

/* Which edge, of four: the files' windows are strips. */
typedef struct Side {
    int boundary;
    bool along_x;
    double inwards;
} Side;

static bool is_of(const Side *side, int boundary, bool along_x, double inwards) {
    return boundary == side->boundary && along_x == side->along_x && inwards == side->inwards;
}

static void find_place(const FaceSource *f, OuterQuantity quantity, double *x, double *y) {
    *x = quantity == OUTER_LEVEL ? f->level_x : quantity == OUTER_WATER ? f->middle[0] : f->x;
    *y = quantity == OUTER_LEVEL ? f->level_y : quantity == OUTER_WATER ? f->middle[1] : f->y;
}

static void find_places(const Boundaries *all, const Side *side, OuterFile *out) {
    const SpongeTarget *target = NULL;
    const bool flat = out->quantity == OUTER_LEVEL || out->quantity == OUTER_BED;
    const bool carried = out->quantity == OUTER_TRACER || out->quantity == OUTER_WATER;
    const bool at_faces = carried || out->quantity == OUTER_BED;
    const int targets = at_faces ? 0 : sponge_targets(all->sponge, &target);
    const int room = all->count + targets + 1, n3 = all->grid->n3;
    ProfilePlaces *p = &out->places;
    *p = (ProfilePlaces){.layers = flat ? 0 : n3, .x = ALLOCATE(room, double), .y = ALLOCATE(room, double)};
    out->number = ALLOCATE(room, int);
    if (p->layers > 0) {
        p->z = ALLOCATE(room * n3, double);
        out->weights = ALLOCATE(room * n3, double);
        out->outer = ALLOCATE(room * n3, double);
    }
    for (int n = 0; n < all->count; n++) {
        const OpenFace *f = &all->face[n];
        if (!is_of(side, f->number, f->along_x, f->inwards)) continue;
        const ptrdiff_t first = (ptrdiff_t)p->count * n3;
        if (p->layers > 0) outer_lay_face(all, f, carried, p->z + first, out->weights + first);
        if (out->quantity == OUTER_VELOCITY)
            outer_lay_outside(all, n, out->weights + first, out->outer + first);
        find_place(&all->source[n], out->quantity, &p->x[p->count], &p->y[p->count]);
        out->number[p->count++] = n;
    }
    out->faces = p->count;
    for (int n = 0; n < targets; n++) {
        const EdgePlace *at = &target[n].at;
        if (!is_of(side, at->boundary, at->along_x, at->inwards)) continue;
        const ptrdiff_t first = (ptrdiff_t)p->count * n3;
        if (p->layers > 0) outer_lay(all->grid, at->bed, 0, NULL, p->z + first, out->weights + first);
        p->x[p->count] = at->x, p->y[p->count] = at->y;
        out->number[p->count++] = n;
    }
}

/* ---- opening ---- */

static void forget(OuterFile *f) {
    profiles_destroy(&f->profiles);
    memory_free(f->places.x), memory_free(f->places.y), memory_free(f->places.z);
    memory_free(f->number), memory_free(f->weights), memory_free(f->outer);
}

static Status open_side(Boundaries *all, const Side *side, OuterQuantity quantity, int tracer,
                        const ProfileSource *source) {
    OuterFile file = {.boundary = side->boundary, .quantity = quantity, .tracer = tracer};
    find_places(all, side, &file);
    Status status = profiles_create(source, &file.places, all->grid, all->scenario, &file.profiles);
    if (status != STATUS_OK || !file.profiles) {
        forget(&file);
        return status;
    }
    all->file = ENLARGE(all->file, all->n_files + 1, OuterFile);
    all->file[all->n_files++] = file;
    return STATUS_OK;
}

char *outer_component(const char *column, bool along_x) {
    if (!column) return NULL;
    const char *comma = strchr(column, ',');
    const char *name = comma && !along_x ? comma + 1 : column;
    name += strspn(name, " ");
    int length = (int)strcspn(name, ",");
    while (length > 0 && name[length - 1] == ' ') length--;
    return memory_format("%.*s", length, name);
}

static Status open_sides(Boundaries *all, int n, OuterQuantity quantity, int tracer, const Value *value,
                         ProfileSource *source) {
    const ScenarioBoundary *b = &all->scenario->boundaries[n];
    char *beside = memory_format("the boundary \"%s\"", b->name);
    const char *const own[] = {NULL};
    Status status = STATUS_OK;
    source->beside = beside;
    source->place = value->kind == VALUE_FILE && value->place ? value->place : b->place;
    for (int edge = 0; edge < 4 && status == STATUS_OK; edge++) {
        const Side side = {n, edge < 2, edge % 2 == 0 ? 1 : -1};
        char *name = quantity == OUTER_VELOCITY ? outer_component(value->column, side.along_x)
                     : value->column            ? memory_copy_text(value->column)
                                                : NULL;
        source->sill = quantity == OUTER_BED ? (side.along_x ? 'x' : 'y') : 0;
        char *other = quantity == OUTER_VELOCITY ? outer_component(value->column, !side.along_x) : NULL;
        const FieldNames across = field_names_of(side.along_x ? "outer_v_m_s" : "outer_u_m_s", own);
        if (quantity == OUTER_VELOCITY)
            source->names = field_names_of(side.along_x ? "outer_u_m_s" : "outer_v_m_s", own);
        source->across = quantity == OUTER_VELOCITY ? &across : NULL;
        source->across_variable = other;
        source->along_y = !side.along_x;
        source->variable = name;
        status = open_side(all, &side, quantity, tracer, source);
        memory_free(name), memory_free(other);
    }
    memory_free(beside);
    return status;
}

static const double LOST_H =
    5; /* half a semi-diurnal tide lies between such records, less what a slow one takes [h] */

/* Crests and currents of a semi-diurnal tide are cut between records more than two hours apart. */
static void doubt_records(const Boundaries *all, int n, const char *path) {
    const OuterFile *last = all->n_files > 0 ? &all->file[all->n_files - 1] : NULL;
    const double hours = last && last->boundary == n ? profiles_spacing(last->profiles) / 3600 : 0;
    const char *wrong = hours > LOST_H
                            ? "snapshots so far apart do not resolve a tide, and the sea inside will be wrong"
                            : "a tide in them enters distorted";
    if (hours > 2)
        log_warn(
            "boundary \"%s\": the records of \"%s\" are %g h apart: %s. Write them every hour, or remove "
            "the tide from them and prescribe it by \"tide\" or \"tide_atlas\"",
            all->scenario->boundaries[n].name, path, hours, wrong);
}

/* The bed outside, where the file of the velocity has it. */
static Status read_bed(Boundaries *all, int n, const char *path) {
    static const Value none = {.kind = VALUE_ABSENT};
    const char *const own[] = {NULL};
    OuterFile *kept = all->file;
    const int n_kept = all->n_files;
    ProfileSource bed = {.path = path, .names = field_names_of("outer_bed_m", own)};
    bool there;
    /* sections with ground inside cells are not width times the depth of their bed */
    if (all->scenario->bathymetry.subgrid || outer_has_ground_inside(all->grid->comm, path)) return STATUS_OK;
    TRY(profiles_find(all->grid->comm, path, &bed.names, &there));
    if (!there) return STATUS_OK;
    all->file = NULL, all->n_files = 0;
    Status status = open_sides(all, n, OUTER_BED, 0, &none, &bed);
    for (int e = 0; e < all->n_files; e++) {
        OuterFile *f = &all->file[e];
        if (status == STATUS_OK) status = profiles_advance(f->profiles, 0);
        int *row = ALLOCATE(f->places.count + 1, int);
        for (int m = 0; m < f->places.count && status == STATUS_OK; m++) {
            all->outer_bed[f->number[m]] = profiles_values(f->profiles)[m];
            row[m] = profiles_row(f->profiles, m);
        }
        if (status == STATUS_OK) outer_share_rows(all, f->places.count, f->number, row);
        memory_free(row);
        forget(f);
    }
    memory_free(all->file);
    all->file = kept, all->n_files = n_kept;
    return status;
}

Status outer_files_open(Boundaries *all, const Scales *scales) {
    const Scenario *s = all->scenario;
    const char *const own[] = {NULL};
    bool sheared = false;
    all->outer_bed = ALLOCATE(all->count + 1, double);
    all->own_depth = ALLOCATE(all->count + 1, double);
    for (int n = 0; n < all->count; n++) all->outer_bed[n] = NAN;
    for (int n = 0; n < s->n_boundaries; n++) {
        const ScenarioBoundary *b = &s->boundaries[n];
        const double highest = fmin(HIGHEST_LEVEL, scales->level_given);
        ProfileSource level = {.path = all->choice[n].level,
                               .names = field_names_of("eta_m", own),
                               .cubic = b->cubic},
                      velocity = {.path = all->choice[n].velocity, .cubic = b->cubic};
        level.names.least = -highest, level.names.most = highest;
        if (level.path) TRY(open_sides(all, n, OUTER_LEVEL, 0, &b->eta_m, &level));
        if (level.path && b->n_tide + b->n_atlas == 0) doubt_records(all, n, level.path);
        if (velocity.path) TRY(read_bed(all, n, velocity.path));
        if (velocity.path) TRY(open_sides(all, n, OUTER_VELOCITY, 0, &b->velocity_m_s, &velocity));
        sheared = sheared || velocity.path;
    }
    const size_t values = (size_t)(all->count + 1) * (size_t)all->grid->n3;
    return sheared ? status_agree(all->grid->comm, pinned_allocate(all->exec, 2 * values * sizeof *all->shear,
                                                                   (void **)&all->shear))
                   : STATUS_OK;
}

static Status add_tracer(Boundaries *all, int n, int tracer, const State *state) {
    static const Value none = {.kind = VALUE_ABSENT};
    const ScenarioBoundary *b = &all->scenario->boundaries[n];
    const Value *key = inflow_value(&b->inflow, state, tracer), *value = key ? key : &none;
    const Tracer *t = &state->tracer[tracer];
    const char *const own[] = {t->name, NULL};
    const bool warm = tracer == state->temperature, salty = tracer == state->salinity;
    ProfileSource source = {.names = field_names_of(t->name, own), .carried = t->standard_name};
    bool found = true;
    if (!warm && !salty) source.names.least = source.names.most = 0; /* whatever it is called */
    TRY(netcdf_of(all, n, value, &source.path));
    if (!source.path) return STATUS_OK;
    if (!key) TRY(profiles_find(all->grid->comm, source.path, &source.names, &found));
    if (!found) {
        log_warn("boundary \"%s\": \"%s\" has no %s: inflow carries the values inside", b->name, source.path,
                 t->name);
        return STATUS_OK;
    }
    all->by_file[n * state->n_tracers + tracer] = true;
    TRY(open_sides(all, n, OUTER_TRACER, tracer, value, &source));
    if (!(warm || salty) || b->kind != BOUNDARY_FLATHER || !all->choice[n].velocity) return STATUS_OK;
    return open_sides(all, n, OUTER_WATER, warm ? 0 : 1, value, &source);
}

Status outer_files_add_tracers(Boundaries *all, const State *state) {
    const size_t values = (size_t)(all->count + 1) * (size_t)(all->grid->n3 * state->n_tracers);
    bool any = false;
    all->by_file = ALLOCATE(all->scenario->n_boundaries * state->n_tracers + 1, bool);
    for (int n = 0; n < all->scenario->n_boundaries; n++)
        for (int t = 0; t < state->n_tracers; t++) {
            TRY(add_tracer(all, n, t, state));
            any = any || all->by_file[n * state->n_tracers + t];
        }
    if (!any) return STATUS_OK;
    TRY(status_agree(all->grid->comm,
                     pinned_allocate(all->exec, values * sizeof *all->by_layer, (void **)&all->by_layer)));
    const size_t waters = (size_t)(all->count + 1) * (size_t)all->grid->n3 * 2;
    return status_agree(all->grid->comm,
                        pinned_allocate(all->exec, waters * sizeof *all->water, (void **)&all->water));
}

void outer_files_close(Boundaries *all) {
    for (int n = 0; n < all->n_files; n++) forget(&all->file[n]);
    memory_free(all->file);
    memory_free(all->given);
    memory_free(all->choice);
    memory_free(all->by_file);
    memory_free(all->outer_bed), memory_free(all->own_depth);
    pinned_free(all->exec, all->shear);
    pinned_free(all->exec, all->by_layer);
    pinned_free(all->exec, all->water);
}

/* Is the name one of "eta, u_east"? */
static bool is_among(const char *name, const char *names) {
    const size_t length = strlen(name);
    for (const char *at = names; (at = strstr(at, name)); at += length)
        if ((at == names || at[-1] == ' ') && (at[length] == ',' || at[length] == 0)) return true;
    return false;
}

/* Each edge reads the same again, and a file may hold several variables: they are told together. */
char *boundaries_describe(const Boundaries *all) {
    char *text = NULL, **source = ALLOCATE(all->n_files + 1, char *);
    for (int n = 0; n < all->n_files; n++) source[n] = profiles_describe(all->file[n].profiles);
    for (int n = 0; n < all->n_files; n++) {
        const int boundary = all->file[n].boundary;
        char *names = NULL;
        for (int m = 0; m < all->n_files && source[n]; m++) {
            const char *name = profiles_name(all->file[m].profiles);
            if (all->file[m].boundary != boundary || !source[m] || strcmp(source[m], source[n]) != 0)
                continue;
            if (!names) names = memory_copy_text(name);
            if (!is_among(name, names)) memory_append(&names, ", %s", name);
            if (m != n) memory_free(source[m]), source[m] = NULL;
        }
        if (!names) continue;
        if (!text) text = memory_copy_text("");
        memory_append(&text, "%s\"%s\": %s from %s", *text ? "; " : "",
                      all->scenario->boundaries[boundary].name, names, source[n]);
        memory_free(names);
        memory_free(source[n]), source[n] = NULL;
    }
    memory_free(source);
    return text;
}

/* ---- values ---- */

static void set_levels(Boundaries *all, const OuterFile *f, const double *value) {
    for (int m = 0; m < f->places.count; m++)
        *(m < f->faces ? &all->now[f->number[m]].eta : &sponge_aims(all->sponge)[f->number[m]].eta) +=
            value[m];
}

static void set_velocities(Boundaries *all, const OuterFile *f, const double *value) {
    const int n3 = all->grid->n3;
    const bool layered = profiles_have_levels(f->profiles);
    for (int m = 0; m < f->places.count; m++) {
        const double *u = value + (ptrdiff_t)m * n3, *share = f->weights + (ptrdiff_t)m * n3,
                     *outer = f->outer + (ptrdiff_t)m * n3;
        double mean = 0, mean_outside = 0;
        for (int k = 0; k < n3; k++) mean += share[k] * u[k], mean_outside += outer[k] * u[k];
        if (m >= f->faces) {
            const SpongeTarget *target;
            (void)sponge_targets(all->sponge, &target);
            sponge_aims(all->sponge)[f->number[m]].velocity += target[f->number[m]].at.inwards * mean;
            continue;
        }
        OpenFace *face = &all->face[f->number[m]];
        double *shear = all->shear + (ptrdiff_t)f->number[m] * n3;
        double *before = shear + (ptrdiff_t)all->count * n3;
        all->now[f->number[m]].velocity += face->inwards * mean_outside * outer_deeper(all, f->number[m]);
        for (int k = 0; k < n3 && layered; k++) {
            const double now = share[k] > 0 ? u[k] - mean : 0;
            before[k] = face->shear ? shear[k] : now;
            shear[k] = now;
        }
        if (layered && !face->shear) /* once: the faces are the device's */
            face->shear = shear, face->shear_before = before;
    }
}

static void set_tracer(Boundaries *all, const OuterFile *f, const double *value) {
    const int n3 = all->grid->n3;
    double *of_tracer = all->by_layer + (ptrdiff_t)f->tracer * all->count * n3;
    for (int m = 0; m < f->places.count; m++)
        memcpy(of_tracer + (ptrdiff_t)f->number[m] * n3, value + (ptrdiff_t)m * n3,
               (size_t)n3 * sizeof *value);
}

static void set_water(Boundaries *all, const OuterFile *f, const double *value) {
    const int n3 = all->grid->n3;
    for (int m = 0; m < f->places.count; m++) {
        OpenFace *face = &all->face[f->number[m]];
        double *water = all->water + ((ptrdiff_t)f->tracer * all->count + f->number[m]) * n3;
        memcpy(water, value + (ptrdiff_t)m * n3, (size_t)n3 * sizeof *value);
        if (!face->water[f->tracer]) face->water[f->tracer] = water; /* once, as the shear */
    }
}

Status outer_files_advance(Boundaries *all, double time) {
    static void (*const set[])(Boundaries *, const OuterFile *,
                               const double *) = {[OUTER_LEVEL] = set_levels,
                                                  [OUTER_VELOCITY] = set_velocities,
                                                  [OUTER_TRACER] = set_tracer,
                                                  [OUTER_WATER] = set_water};
    for (int n = 0; n < all->n_files; n++) {
        TRY(profiles_advance(all->file[n].profiles, time));
        set[all->file[n].quantity](all, &all->file[n], profiles_values(all->file[n].profiles));
    }
    return STATUS_OK;
}
