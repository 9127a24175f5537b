/* SPDX-License-Identifier: Apache-2.0 */
#include "model/boundary/boundaries_internal.h"

#include "base/memory.h"

/* What came in last, where it takes time to change. */
static void keep_inflow(Boundaries *all, const Scenario *scenario, State *state) {
    bool any = false;
    for (int n = 0; n < scenario->n_boundaries; n++)
        any = any || scenario->boundaries[n].inflow_relaxation_s > 0;
    for (int c = 0; c < 2; c++) {
        all->inflow[c] = ALLOCATE(state->n_tracers + 1, double *);
        for (int t = 0; any && t < state->n_tracers; t++) {
            const char *tracer = state->tracer[t].name;
            char *name = memory_format("inflow_%c_of_%s", "uv"[c], tracer);
            all->inflow[c][t] = state_keep(state, name, true, "uv"[c]);
            memory_free(name);
        }
    }
}

/* Of the whole boundary, where it is the same along it: a file is read once. */
static Status add_shared(Boundaries *all, const Scenario *scenario, int boundary, int tracer,
                         const State *state) {
    const Value *value = inflow_value(&scenario->boundaries[boundary].inflow, state, tracer);
    bool varies = true;
    if (all->by_file[boundary * all->n_tracers + tracer]) return STATUS_OK;
    if (value) TRY(outside_varies(value, state->tracer[tracer].name, &all->grid->axes, &varies));
    if (varies) return STATUS_OK;
    return series_create(value, state->tracer[tracer].name, &all->grid->axes, 0, 0, scenario,
                         &all->carried[boundary * all->n_tracers + tracer]);
}

static Status add_to_face(Boundaries *all, const Scenario *scenario, FaceSource *f, int tracer,
                          const State *state) {
    const Value *value = inflow_value(&f->boundary->inflow, state, tracer);
    f->tracer[tracer] = all->carried[f->number * all->n_tracers + tracer];
    if (!value || f->tracer[tracer] || all->by_file[f->number * all->n_tracers + tracer]) return STATUS_OK;
    return series_create(value, state->tracer[tracer].name, &all->grid->axes, f->x, f->y, scenario,
                         &f->tracer[tracer]);
}

/* Faces outside which the density is known. */
static void mark_weighed(Boundaries *all, const State *state) {
    const int tracers[] = {state->temperature, state->salinity};
    for (int n = 0; n < all->count; n++)
        for (int c = 0; c < 2; c++)
            if (tracers[c] >= 0 && (all->source[n].tracer[tracers[c]] ||
                                    all->by_file[all->source[n].number * all->n_tracers + tracers[c]]))
                all->face[n].weighed = true;
}

static Status make_series(Boundaries *all, const Scenario *scenario, const State *state) {
    all->carried = ALLOCATE(scenario->n_boundaries * state->n_tracers + 1, Series *);
    for (int n = 0; n < scenario->n_boundaries; n++)
        for (int t = 0; t < state->n_tracers; t++) TRY(add_shared(all, scenario, n, t, state));
    for (int n = 0; n < all->count; n++) {
        all->source[n].tracer = ALLOCATE(state->n_tracers + 1, Series *);
        for (int t = 0; t < state->n_tracers; t++) TRY(add_to_face(all, scenario, &all->source[n], t, state));
    }
    mark_weighed(all, state);
    return pinned_allocate(all->exec, (size_t)(all->count * state->n_tracers + 1) * sizeof *all->tracer_now,
                           (void **)&all->tracer_now);
}

Status boundaries_add_tracers(Boundaries *all, const Scenario *scenario, State *state) {
    all->n_tracers = state->n_tracers;
    keep_inflow(all, scenario, state);
    TRY(outer_files_add_tracers(all, state));
    return status_agree(all->grid->comm, make_series(all, scenario, state));
}

void boundaries_forget_tracers(Boundaries *all) {
    pinned_free(all->exec, all->tracer_now);
    for (int n = 0; n < all->count; n++) {
        FaceSource *f = &all->source[n];
        for (int t = 0; f->tracer && t < all->n_tracers; t++)
            if (f->tracer[t] != all->carried[f->number * all->n_tracers + t]) series_destroy(&f->tracer[t]);
        memory_free(f->tracer);
    }
    for (int n = 0; all->carried && n < all->scenario->n_boundaries * all->n_tracers; n++)
        series_destroy(&all->carried[n]);
    memory_free(all->carried);
    for (int c = 0; c < 2; c++) memory_free(all->inflow[c]);
}

/* Of a tracer, at all faces; no kernel may be under way that reads it. */
static FaceTracer *find_outside(Boundaries *all, int tracer, double time) {
    FaceTracer *outside = all->tracer_now + (ptrdiff_t)tracer * all->count;
    for (int n = 0; n < all->count; n++) {
        const Series *given = all->source[n].tracer[tracer];
        const bool by_file = all->by_file[all->source[n].number * all->n_tracers + tracer];
        outside[n] = (FaceTracer){
            .value = given ? series_at_or_nan(given, time) : 0,
            .by_layer = by_file ? all->by_layer + ((ptrdiff_t)tracer * all->count + n) * all->grid->n3 : NULL,
            .given = given || by_file};
    }
    return outside;
}

void boundaries_set_tracer(Boundaries *all, int tracer, double time, double dt, const State *s) {
    ghosts_exchange(all, 0, NULL, 1, &s->tracer[tracer].c);
    ghosts_set_tracer(all->exec, all->ghosts,
                      (OpenTracer){.g = grid_view(all->grid),
                                   .ghost = all->ghost,
                                   .face = all->face,
                                   .outside = find_outside(all, tracer, time),
                                   .flux_u = s->flux_u,
                                   .flux_v = s->flux_v,
                                   .c = s->tracer[tracer].c,
                                   .kept_u = all->inflow[0][tracer],
                                   .kept_v = all->inflow[1][tracer],
                                   .dt = dt,
                                   .first = s->step == 0});
    all->tracers_at = time;
}

/* Temperature and salinity of columns of other ranks, inside faces whose ghosts are this one's. */
static void exchange_waters(const Boundaries *all, const State *s) {
    const int tracers[2] = {s->temperature, s->salinity};
    double *waters[2];
    int count = 0;
    for (int n = 0; n < 2; n++)
        if (tracers[n] >= 0) waters[count++] = s->tracer[tracers[n]].c;
    ghosts_exchange(all, 0, NULL, count, waters);
}

void boundaries_mirror(Boundaries *all, const DensityColumns *inside, double time, const State *s) {
    const FaceTracer *outside = all->tracer_now;
    if (all->tracers_at != time) { /* at the start: else the step has found them */
        exec_wait(all->exec);
        for (int t = 0; t < all->n_tracers; t++) (void)find_outside(all, t, time);
        all->tracers_at = time;
    }
    exchange_waters(all, s);
    ghosts_mirror(
        all->exec, all->ghosts,
        (Mirrored){.inside = *inside,
                   .ghost = all->ghost,
                   .face = all->face,
                   .temperature = s->temperature >= 0 ? outside + s->temperature * all->count : NULL,
                   .salinity = s->salinity >= 0 ? outside + s->salinity * all->count : NULL});
    ghosts_exchange(all, 1, (double *[]){inside->surface}, inside->below ? 3 : 2,
                    (double *[]){inside->anomaly, inside->pressure, inside->below});
}

void boundaries_copy_inside(const Boundaries *all, double *field) {
    ghosts_copy_inside(all->exec, all->ghosts,
                       (CopiedInside){grid_view(all->grid), all->ghost, all->face, field});
    ghosts_exchange(all, 0, NULL, 1, &field);
}
