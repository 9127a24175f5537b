/* SPDX-License-Identifier: Apache-2.0 */
#include "model/nudging/nudging.h"

#include "base/log.h"
#include "base/memory.h"
#include "gpu/device.h"
#include "model/boundary/open_faces.h"
#include "model/boundary/segments.h"
#include "model/forcing/field_names.h"
#include "model/forcing/formula.h"
#include "model/forcing/profiles.h"
#include "model/nudging/zones.h"
#include "model/seam/shape.h"
#include "numerics/grid/layers.h"
#include <math.h>
#include <string.h>

/* One zone of one tracer. */
typedef struct Zone {
    const ScenarioNudging *scenario;
    char place; /* 'c', or the faces 'u' and 'v' */
    int tracer; /* of 'c' */
    int count;  /* of columns */
    ptrdiff_t *column;
    RunList list;
    ProfilePlaces places; /* of the columns */
    double *rate;         /* [column * n3 + layer] */
    double *given;        /* likewise, pinned */
    double *gain;         /* of columns */
    Expression *formula;  /* NULL: a number or a file */
    bool known;           /* `given` does not change any more */
    bool reaches_zoom;    /* lies under the finer grid in part, which relaxes there */
    bool is_empty;        /* on all ranks */
    Profiles *profiles;   /* NULL: no file */
} Zone;

struct Nudging {
    const Scenario *scenario;
    const State *state;
    Zones asked;
    Zone *zone;
    int count;
};

/* Cubic interpolation between records so far apart keeps 98 % of a semi-diurnal tide; a day's mean would brake it. [s] */
static const double TIDE_RESOLVED = 7200;

/* ---- where ---- */

static double depth_into(double distance, double width) {
    const double depth = 1 - distance / width;
    return depth > 0 ? depth * depth : 0;
}

typedef struct Reached {
    double width;
    double *weight; /* 2-D */
} Reached;

static void reach(void *context, ptrdiff_t column, double distance) {
    const Reached *r = context;
    r->weight[column] = fmax(r->weight[column], depth_into(distance, r->width));
}

/* The weight of each column, with the innermost halo. Collective. */
static Status weigh(const Nudging *all, const ScenarioNudging *s, double *weight) {
    const Grid *g = all->state->grid;
    for (int j = -1; j <= g->n2; j++)
        for (int i = -1; i <= g->n1; i++) weight[AT2(*g, i, j)] = s->width_m > 0 ? 0 : 1;
    if (s->width_m > 0) {
        EdgePlace *places = NULL;
        const int count = segments_gather(all->scenario, g, &places);
        Reached reached = {s->width_m, weight};
        for (int n = 0; n < count; n++)
            if (s->in_front_of == 0 || places[n].boundary == s->in_front_of - 1)
                segments_each_near(g, &places[n], s->width_m, reach, &reached);
        memory_free(places);
        CHECK(count > 0, STATUS_BAD_INPUT,
              "%s: a zone with a width lies in front of open edges, but there are none", s->place);
    }
    for (int j = -1; j <= g->n2 && s->has_box; j++)
        for (int i = -1; i <= g->n1; i++) {
            const double x = axes_x(&g->axes, g->i_first + i + 0.5),
                         y = axes_y(&g->axes, g->j_first + j + 0.5);
            if (x < s->box[0] || x > s->box[1] || y < s->box[2] || y > s->box[3]) weight[AT2(*g, i, j)] = 0;
        }
    return STATUS_OK;
}

/* The columns of one place on the cell. */
typedef struct Columns {
    RunList list;
    const double *bed, *bottom, *phi, *x, *y;
    ptrdiff_t back; /* to the cell on the other side of a face; 0: centres */
} Columns;

static Columns columns_of(const Grid *g, char place) {
    if (place == 'u') return (Columns){g->faces_u, g->bed_u, g->bottom_u, g->phi_u, g->x_u, g->y_c, 1};
    if (place == 'v') return (Columns){g->faces_v, g->bed_v, g->bottom_v, g->phi_v, g->x_c, g->y_v, g->row};
    return (Columns){g->columns, g->bed, g->bottom_c, g->phi_c, g->x_c, g->y_c, 0};
}

/* Faces have the mean of both cells; open ones have their own condition. */
static double weight_at(const Grid *g, const Zone *z, const Columns *c, const double *weight, int i, int j) {
    const ptrdiff_t m = AT2(*g, i, j);
    const double *given = z->place == 'u' ? g->given_u : g->given_v;
    if (z->place != 'c' && given[m] != 0) return 0;
    return 0.5 * (weight[m] + weight[m - c->back]);
}

static void add_column(const Grid *g, const Columns *c, int i, int j, double weight, Zone *z) {
    const ptrdiff_t m = AT2(*g, i, j);
    const double depth = fmax(0, -c->bed[m]);
    const ptrdiff_t first = (ptrdiff_t)z->count * g->n3;
    double below = 0, part[MAX_LEVELS];
    layers_parts_of_height(g, c->bed[m], (int)c->bottom[m], c->phi + m, part);
    z->column[z->count] = m;
    z->places.x[z->count] = c->x[i];
    z->places.y[z->count] = c->y[j];
    for (int k = 0; k < g->n3; k++) {
        const bool water = k >= (int)c->bottom[m];
        z->places.z[first + k] = water ? fmin(c->bed[m], 0) + (below + 0.5 * part[k]) * depth : NAN;
        z->rate[first + k] = water ? weight : 0;
        if (water) below += part[k];
    }
    z->places.count = ++z->count;
}

/* Under a zoom, whose finer grid has zones of its own; faces of the seam are the sea's around. */
static bool is_covered(const Nudging *all, const Columns *c, int i, int j) {
    const Axes *axes = &all->state->grid->axes;
    const double x = axes_x(axes, all->state->grid->i_first + i + 0.5),
                 y = axes_y(axes, all->state->grid->j_first + j + 0.5);
    const double west = c->back == 1 ? axes->step_x : 0, south = c->back > 1 ? axes->step_y : 0;
    return seam_takes(all->scenario, axes, x, y) && seam_takes(all->scenario, axes, x - west, y - south);
}

/* Columns that count, and the heights of their layers. */
static void collect(const Nudging *all, const double *weight, Zone *z) {
    const Grid *g = all->state->grid;
    const Columns c = columns_of(g, z->place);
    int room = 1;
    for (int n = 0; n < c.list.count; n++) room += c.list.run[n].i1 - c.list.run[n].i0;
    const size_t cells = (size_t)room * (size_t)g->n3;
    z->column = ALLOCATE(room, ptrdiff_t);
    z->rate = ALLOCATE(cells, double);
    z->gain = ALLOCATE(room, double);
    z->places =
        (ProfilePlaces){0, g->n3, ALLOCATE(room, double), ALLOCATE(room, double), ALLOCATE(cells, double)};
    for (int n = 0; n < c.list.count; n++)
        for (int i = c.list.run[n].i0, j = c.list.run[n].j; i < c.list.run[n].i1; i++) {
            const double here = weight_at(g, z, &c, weight, i, j);
            const bool covered = here > 0 && is_covered(all, &c, i, j);
            if (here > 0 && !covered) add_column(g, &c, i, j, here, z);
            if (covered) z->reaches_zoom = true;
        }
    z->list = flat_list(z->count);
}

/* ---- how fast, and towards what ---- */

static ExpressionPoint point_of(const Axes *axes, const Zone *z, ptrdiff_t cell, double time) {
    const int place = (int)(cell / z->places.layers);
    ExpressionPoint point = formula_point(axes, z->places.x[place], z->places.y[place], time);
    point.z = z->places.z[cell];
    return point;
}

/* Time scales from a file, of the start. Collective. */
static Status open_scales(const Nudging *all, const Zone *z, Profiles **out) {
    static const char *const own[] = {"time_s", NULL}, *const none[] = {NULL};
    const Value *time = &z->scenario->time_s;
    char *beside = memory_format("the nudging zone of %s", z->scenario->variable);
    const ProfileSource source = {.path = time->file,
                                  .variable = time->column,
                                  .names = {"the nudging time scale", "s", 0, HUGE_VAL, own, none, none},
                                  .place = time->place,
                                  .beside = beside};
    Status status = profiles_create(&source, &z->places, all->state->grid, all->scenario, out);
    memory_free(beside);
    return status == STATUS_OK && *out ? profiles_advance(*out, 0) : status;
}

/* Of a zone whose scenario leaves it open: faster than the records change nothing is known. [s] */
static double time_by_records(const Zone *z) {
    const double spacing = z->profiles ? profiles_spacing(z->profiles) : 0;
    return spacing > 0 ? fmax(1200, spacing / 3) : 3600;
}

/* Of all layers of the columns, from a file, a formula, or a number. */
static Status fill(const Grid *g, const Zone *z, const Value *value, const char *what, const double *file,
                   Expression *formula, double constant, double time, double *out) {
    for (ptrdiff_t n = 0; n < (ptrdiff_t)z->count * g->n3; n++) {
        if (!isfinite(z->places.z[n])) continue;
        out[n] = file ? file[n] : formula ? expression_at(formula, point_of(&g->axes, z, n, time)) : constant;
        if (value_allows(value, out[n])) continue;
        return error_raise(STATUS_BAD_INPUT,
                           "%s: %s is %g at %.6g, %.6g, %.4g m, %g s after the start, but it %s",
                           value->place, what, out[n], z->places.x[n / g->n3], z->places.y[n / g->n3],
                           z->places.z[n], time, value_limits(value));
    }
    return STATUS_OK;
}

/* Collective. */
static Status find_rates(const Nudging *all, Zone *z) {
    static const char what[] = "the nudging time scale";
    const Grid *g = all->state->grid;
    const Value *time = &z->scenario->time_s;
    const size_t cells = (size_t)z->count * (size_t)g->n3;
    const double constant = time->constant > 0 ? time->constant : time_by_records(z);
    double *scale = ALLOCATE(cells + 1, double);
    Expression *formula = NULL;
    Profiles *file = NULL;
    Status status = STATUS_OK;
    if (time->kind == VALUE_FILE) ATTEMPT(open_scales(all, z, &file));
    if (time->kind == VALUE_EXPRESSION) ATTEMPT(formula_create_3d(time, what, &g->axes, &formula));
    ATTEMPT(fill(g, z, time, what, file ? profiles_values(file) : NULL, formula, constant, 0, scale));
    for (size_t n = 0; n < cells; n++)
        if (isfinite(z->places.z[n])) z->rate[n] /= scale[n];
cleanup:
    memory_free(scale);
    expression_destroy(&formula);
    profiles_destroy(&file);
    return status;
}

/* Of a number or a formula. */
static Status evaluate(const Grid *g, Zone *z, double time) {
    const Value *to = &z->scenario->to;
    TRY(fill(g, z, to, z->scenario->variable, NULL, z->formula, to->constant, time, z->given));
    z->known = !z->formula || !expression_uses(z->formula, "t");
    return STATUS_OK;
}

static Status open_file(const Nudging *all, Zone *z) {
    const Grid *g = all->state->grid;
    const Value *to = &z->scenario->to;
    const char *name = z->scenario->variable, *const own[] = {name, NULL};
    char *beside = memory_format("the nudging zone of %s", name);
    const FieldNames across = field_names_of(z->place == 'u' ? "outer_v_m_s" : "outer_u_m_s", own);
    ProfileSource source = {.path = to->file,
                            .variable = to->column,
                            .names = field_names_of(z->place == 'u'   ? "outer_u_m_s"
                                                    : z->place == 'v' ? "outer_v_m_s"
                                                                      : name,
                                                    own),
                            .carried = z->place == 'c' ? all->state->tracer[z->tracer].standard_name : NULL,
                            .place = to->place,
                            .beside = beside,
                            .cubic = z->scenario->cubic,
                            .across = z->place == 'c' ? NULL : &across,
                            .along_y = z->place == 'v'};
    if (source.names.most == 0) source.names.least = to->least, source.names.most = to->most;
    Status status = profiles_create(&source, &z->places, g, all->scenario, &z->profiles);
    memory_free(beside);
    TRY(status);
    CHECK(z->profiles, STATUS_BAD_INPUT, "%s: this nudging zone contains no water", z->scenario->place);
    return STATUS_OK;
}

static Status open_target(const Nudging *all, Zone *z) {
    const Grid *g = all->state->grid;
    const Value *to = &z->scenario->to;
    if (to->kind == VALUE_FILE) return open_file(all, z);
    if (to->kind == VALUE_EXPRESSION)
        TRY(formula_create_3d(to, z->scenario->variable, &g->axes, &z->formula));
    return evaluate(g, z, 0);
}

static int tracer_of(const State *s, const char *name) {
    for (int n = 0; n < s->n_tracers; n++)
        if (strcmp(s->tracer[n].name, name) == 0) return n;
    return -1;
}

static Status make_zone(Nudging *all, const ScenarioNudging *scenario, Zone *z) {
    const Grid *g = all->state->grid;
    double *weight = field2_create(g);
    *z = (Zone){.scenario = scenario, .place = 'c', .tracer = tracer_of(all->state, scenario->variable)};
    if (z->tracer < 0) z->place = scenario->variable[0];
    Status status = weigh(all, scenario, weight);
    if (status == STATUS_OK) collect(all, weight, z);
    field2_destroy(g, &weight);
    TRY(status);
    int columns[2] = {z->count, z->reaches_zoom || all->scenario->is_zoom};
    MPI_Allreduce(MPI_IN_PLACE, columns, 2, MPI_INT, MPI_MAX, g->comm);
    z->is_empty = columns[0] == 0;
    if (z->is_empty && columns[1]) return STATUS_OK;
    CHECK(!z->is_empty, STATUS_BAD_INPUT,
          "%s: there is no water %s, so nothing would be nudged: correct the position or leave this out",
          scenario->place,
          !scenario->has_box      ? "in this zone"
          : scenario->width_m > 0 ? "in the part of this zone inside the box"
                                  : "in this box");
    TRY(status_agree(g->comm,
                     pinned_allocate(g->exec, (size_t)(z->count + 1) * (size_t)g->n3 * sizeof *z->given,
                                     (void **)&z->given)));
    TRY(status_agree(g->comm, open_target(all, z)));
    return status_agree(g->comm, find_rates(all, z));
}

static void forget_zone(const Nudging *all, Zone *z) {
    memory_free(z->column), memory_free(z->list.run), memory_free(z->rate), memory_free(z->gain);
    memory_free(z->places.x), memory_free(z->places.y), memory_free(z->places.z);
    pinned_free(all->state->grid->exec, z->given);
    expression_destroy(&z->formula);
    profiles_destroy(&z->profiles);
}

/* Velocities whose records do not resolve a tide would brake it: those of a boundary's zone are left out. */
static bool is_too_coarse(const Nudging *all, const Zone *z) {
    const int boundary = z->scenario->in_front_of - 1;
    const double spacing = z->profiles ? profiles_spacing(z->profiles) : 0;
    if (z->place == 'c' || spacing <= TIDE_RESOLVED || z->scenario->of_sponge) return false;
    if (boundary < 0)
        log_warn("%s: %s is nudged to records that are %g h apart, which damps a tide: nudge only tracers",
                 z->scenario->place, z->scenario->variable, spacing / 3600);
    else
        log_warn("boundary \"%s\": the records of \"%s\" are %g h apart, too far for a tide: %s is not "
                 "relaxed in front of "
                 "it",
                 all->scenario->boundaries[boundary].name, z->scenario->to.file, spacing / 3600,
                 z->scenario->variable);
    return boundary >= 0;
}

Status nudging_create(const Scenario *scenario, const State *state, Nudging **out) {
    Zones asked;
    *out = NULL;
    Status status = zones_create(scenario, state, &asked);
    if (status != STATUS_OK || asked.count == 0) {
        zones_free(&asked);
        return status;
    }
    Nudging *all = *out = ALLOCATE(1, Nudging);
    *all = (Nudging){scenario, state, asked, ALLOCATE(asked.count, Zone), 0};
    for (int n = 0; n < asked.count; n++) {
        Zone *z = &all->zone[all->count++];
        TRY(make_zone(all, &asked.nudging[n], z));
        if (z->is_empty || is_too_coarse(all, z)) forget_zone(all, z), all->count--;
    }
    return STATUS_OK;
}

void nudging_destroy(Nudging **nudging) {
    Nudging *all = *nudging;
    if (!all) return;
    for (int n = 0; n < all->count; n++) forget_zone(all, &all->zone[n]);
    memory_free(all->zone);
    zones_free(&all->asked);
    memory_free(all);
    *nudging = NULL;
}

/* ---- in a step ---- */

static Status update(const Grid *g, Zone *z, double time) {
    if (z->profiles) {
        TRY(profiles_advance(z->profiles, time));
        memcpy(z->given, profiles_values(z->profiles), (size_t)z->count * (size_t)g->n3 * sizeof *z->given);
        return STATUS_OK;
    }
    return z->known ? STATUS_OK : status_agree(g->comm, evaluate(g, z, time));
}

Status nudging_brake(Nudging *all, double time, double dt, const Faces *u, const Faces *v) {
    for (int n = 0; all && n < all->count; n++) {
        const Grid *g = all->state->grid;
        Zone *z = &all->zone[n];
        if (z->place == 'c') continue;
        exec_wait(g->exec); /* for those that read what was given before */
        TRY(update(g, z, time));
        nudge_faces(g->exec, z->list,
                    (NudgedFaces){grid_view(g), z->column, z->rate, z->given, z->place == 'u' ? *u : *v, dt});
    }
    return STATUS_OK;
}

Status nudging_apply(Nudging *all, double time, double dt, const double *depth, ExactSum *const *sum) {
    const Grid *g = all->state->grid;
    for (int n = 0; n < all->count; n++) {
        Zone *z = &all->zone[n];
        if (z->place != 'c') continue;
        exec_wait(g->exec); /* for those that read what was given before */
        TRY(update(g, z, time));
        nudge_columns(g->exec, z->list,
                      (Nudged){grid_view(g), z->column, z->rate, z->given, g->area, depth,
                               all->state->tracer[z->tracer].c, z->gain, dt});
        reduce_add_terms(g->exec, z->gain, z->count, reduce_begin(g->exec, 1, sum[z->tracer]));
    }
    return STATUS_OK;
}
