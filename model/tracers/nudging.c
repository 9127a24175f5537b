/* SPDX-License-Identifier: Apache-2.0 */
#include "model/tracers/nudging.h"

#include "base/memory.h"
#include "gpu/device.h"
#include "model/boundary/open_faces.h"
#include "model/boundary/segments.h"
#include "model/forcing/field_names.h"
#include "model/forcing/formula.h"
#include "model/forcing/profiles.h"
#include <math.h>
#include <string.h>

/* One zone of one tracer. */
typedef struct Zone {
    const ScenarioNudging *scenario;
    int tracer;
    int count; /* of columns */
    ptrdiff_t *column;
    RunList list;
    ProfilePlaces places; /* of the columns */
    double *rate;         /* [column * n3 + layer] */
    double *given;        /* likewise, pinned */
    double *gain;         /* of columns */
    Expression *formula;  /* NULL: a number or a file */
    bool known;           /* `given` does not change any more */
    Profiles *profiles;   /* NULL: no file */
} Zone;

struct Nudging {
    const Scenario *scenario;
    const State *state;
    Zone *zone;
    int count;
};

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

/* The weight of each own column. Collective. */
static Status weigh(const Nudging *all, const ScenarioNudging *s, double *weight) {
    const Grid *g = all->state->grid;
    for (int j = 0; j < g->n2; j++)
        for (int i = 0; i < g->n1; i++) weight[AT2(*g, i, j)] = s->width_m > 0 ? 0 : 1;
    if (s->width_m > 0) {
        EdgePlace *places = NULL;
        const int count = segments_gather(all->scenario, g, &places);
        Reached reached = {s->width_m, weight};
        for (int n = 0; n < count; n++) segments_each_near(g, &places[n], s->width_m, reach, &reached);
        memory_free(places);
        CHECK(count > 0, STATUS_BAD_INPUT,
              "%s: a zone of this width lies in front of open edges, and there are none", s->place);
    }
    for (int j = 0; j < g->n2 && s->has_box; j++)
        for (int i = 0; i < g->n1; i++)
            if (g->x_c[i] < s->box[0] || g->x_c[i] > s->box[1] || g->y_c[j] < s->box[2] ||
                g->y_c[j] > s->box[3])
                weight[AT2(*g, i, j)] = 0;
    return STATUS_OK;
}

/* Columns that count, and the heights of their layers. */
static void collect(const Grid *g, const double *weight, Zone *z) {
    for (int n = 0; n < g->columns.count; n++)
        for (int i = g->columns.run[n].i0, j = g->columns.run[n].j; i < g->columns.run[n].i1; i++)
            z->count += weight[AT2(*g, i, j)] > 0;
    const size_t cells = (size_t)(z->count + 1) * (size_t)g->n3;
    z->column = ALLOCATE(z->count + 1, ptrdiff_t);
    z->rate = ALLOCATE(cells, double);
    z->gain = ALLOCATE(z->count + 1, double);
    z->places = (ProfilePlaces){z->count, g->n3, ALLOCATE(z->count + 1, double),
                                ALLOCATE(z->count + 1, double), ALLOCATE(cells, double)};
    z->list = flat_list(z->count);
    int at = 0;
    for (int n = 0; n < g->columns.count; n++)
        for (int i = g->columns.run[n].i0, j = g->columns.run[n].j; i < g->columns.run[n].i1; i++) {
            const ptrdiff_t m = AT2(*g, i, j);
            if (!(weight[m] > 0)) continue;
            z->column[at] = m;
            z->places.x[at] = g->x_c[i];
            z->places.y[at] = g->y_c[j];
            double below = 0;
            for (int k = 0; k < g->n3; k++) {
                const double share = g->phi_c[m + k * g->plane];
                const bool water = k >= (int)g->bottom_c[m];
                z->places.z[at * g->n3 + k] =
                    water ? fmin(g->bed[m], 0) - (below + 0.5 * share) * fmin(g->bed[m], 0) : NAN;
                if (water) below += share;
                z->rate[at * g->n3 + k] = water ? weight[m] : 0;
            }
            at++;
        }
}

/* ---- how fast, and towards what ---- */

static ExpressionPoint point_of(const Axes *axes, const Zone *z, int cell, double time) {
    const int place = cell / z->places.layers;
    ExpressionPoint point = formula_point(axes, z->places.x[place], z->places.y[place], time);
    point.z = z->places.z[cell];
    return point;
}

static Status find_rates(const Grid *g, Zone *z) {
    const Value *time = &z->scenario->time_s;
    Expression *formula = NULL;
    Status status = STATUS_OK;
    char limits[112];
    value_limits(time, limits);
    if (time->kind == VALUE_EXPRESSION)
        TRY(formula_create_3d(time, "the time scale of nudging", &g->axes, &formula));
    for (int n = 0; n < z->count * g->n3 && status == STATUS_OK; n++) {
        if (!isfinite(z->places.z[n])) continue;
        const double scale = formula ? expression_at(formula, point_of(&g->axes, z, n, 0)) : time->constant;
        if (!value_allows(time, scale))
            status = error_raise(
                STATUS_BAD_INPUT, "%s: the time scale of nudging is %g s at %.6g, %.6g, %.4g m, but it %s",
                time->place, scale, z->places.x[n / g->n3], z->places.y[n / g->n3], z->places.z[n], limits);
        z->rate[n] /= scale;
    }
    expression_destroy(&formula);
    return status;
}

/* Of a number or a formula. */
static Status evaluate(const Grid *g, Zone *z, double time) {
    const Value *to = &z->scenario->to;
    char limits[112];
    for (int n = 0; n < z->count * g->n3; n++) {
        if (!isfinite(z->places.z[n])) continue;
        z->given[n] = z->formula ? expression_at(z->formula, point_of(&g->axes, z, n, time)) : to->constant;
        if (value_allows(to, z->given[n])) continue;
        value_limits(to, limits);
        return error_raise(STATUS_BAD_INPUT,
                           "%s: %s is %g at %.6g, %.6g, %.4g m, %g s after the start, but it %s", to->place,
                           z->scenario->variable, z->given[n], z->places.x[n / g->n3], z->places.y[n / g->n3],
                           z->places.z[n], time, limits);
    }
    z->known = !z->formula || !expression_uses(z->formula, "t");
    return STATUS_OK;
}

static Status open_target(const Nudging *all, Zone *z) {
    const Grid *g = all->state->grid;
    const Value *to = &z->scenario->to;
    const Tracer *t = &all->state->tracer[z->tracer];
    const char *const own[] = {t->name, NULL};
    if (to->kind == VALUE_FILE) {
        char *beside = memory_format("the zone of nudging of %s", t->name);
        const ProfileSource source = {.path = to->file,
                                      .variable = to->column,
                                      .names = field_names_of(t->name, own),
                                      .carried = t->standard_name,
                                      .place = to->place,
                                      .beside = beside,
                                      .least = to->least,
                                      .most = to->most};
        Status status = profiles_create(&source, &z->places, g, all->scenario, &z->profiles);
        memory_free(beside);
        TRY(status);
        CHECK(z->profiles, STATUS_BAD_INPUT, "%s: this zone of nudging holds no water", z->scenario->place);
    }
    if (to->kind == VALUE_EXPRESSION) TRY(formula_create_3d(to, t->name, &g->axes, &z->formula));
    return z->profiles ? STATUS_OK : evaluate(g, z, 0);
}

static int tracer_of(const State *s, const char *name) {
    for (int n = 0; n < s->n_tracers; n++)
        if (strcmp(s->tracer[n].name, name) == 0) return n;
    return -1;
}

static Status make_zone(Nudging *all, const ScenarioNudging *scenario, Zone *z) {
    const Grid *g = all->state->grid;
    double *weight = field2_create(g);
    *z = (Zone){.scenario = scenario, .tracer = tracer_of(all->state, scenario->variable)};
    Status status = weigh(all, scenario, weight);
    if (status == STATUS_OK) collect(g, weight, z);
    field2_destroy(g, &weight);
    TRY(status);
    TRY(status_agree(g->comm,
                     pinned_allocate(g->exec, (size_t)(z->count + 1) * (size_t)g->n3 * sizeof *z->given,
                                     (void **)&z->given)));
    TRY(status_agree(g->comm, find_rates(g, z)));
    return status_agree(g->comm, open_target(all, z));
}

Status nudging_create(const Scenario *scenario, const State *state, Nudging **out) {
    *out = NULL;
    if (scenario->n_nudging == 0) return STATUS_OK;
    Nudging *all = *out = ALLOCATE(1, Nudging);
    *all = (Nudging){scenario, state, ALLOCATE(scenario->n_nudging, Zone), scenario->n_nudging};
    for (int n = 0; n < all->count; n++) TRY(make_zone(all, &scenario->nudging[n], &all->zone[n]));
    return STATUS_OK;
}

void nudging_destroy(Nudging **nudging) {
    Nudging *all = *nudging;
    if (!all) return;
    for (int n = 0; n < all->count; n++) {
        Zone *z = &all->zone[n];
        memory_free(z->column), memory_free(z->list.run), memory_free(z->rate), memory_free(z->gain);
        memory_free(z->places.x), memory_free(z->places.y), memory_free(z->places.z);
        pinned_free(all->state->grid->exec, z->given);
        expression_destroy(&z->formula);
        profiles_destroy(&z->profiles);
    }
    memory_free(all->zone);
    memory_free(all);
    *nudging = NULL;
}

Status nudging_check_records(Nudging *all, bool every) {
    for (int n = 0; all && n < all->count; n++)
        if (all->zone[n].profiles) TRY(profiles_check_records(all->zone[n].profiles, every));
    return STATUS_OK;
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

Status nudging_apply(Nudging *all, double time, double dt, const double *depth, ExactSum *sum) {
    const Grid *g = all->state->grid;
    exec_wait(g->exec); /* for those that read what was given before */
    for (int n = 0; n < all->count; n++) {
        Zone *z = &all->zone[n];
        TRY(update(g, z, time));
        nudge_columns(g->exec, z->list,
                      (Nudged){grid_view(g), z->column, z->rate, z->given, g->area, depth,
                               all->state->tracer[z->tracer].c, z->gain, dt});
        ExactSum part = {0};
        ExactSum *begun = reduce_begin(g->exec, 1);
        reduce_add_terms(g->exec, z->gain, z->count, begun);
        reduce_end(g->exec, 1, &part);
        for (int limb = 0; limb < EXACT_SUM_LIMBS; limb++) sum[z->tracer].limb[limb] += part.limb[limb];
    }
    return STATUS_OK;
}
