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
    if (value) TRY(outside_varies(value, state->tracer[tracer].name, &all->grid->axes, &varies));
    if (varies) return STATUS_OK;
    return series_create(value, state->tracer[tracer].name, &all->grid->axes, 0, 0, scenario->time.start,
                         scenario->time.end, &all->carried[boundary * all->n_tracers + tracer]);
}

static Status add_to_face(Boundaries *all, const Scenario *scenario, OpenFace *f, int tracer,
                          const State *state) {
    const Value *value = inflow_value(&f->boundary->inflow, state, tracer);
    f->tracer[tracer] = all->carried[f->number * all->n_tracers + tracer];
    if (!value || f->tracer[tracer]) return STATUS_OK;
    return series_create(value, state->tracer[tracer].name, &all->grid->axes, f->x, f->y,
                         scenario->time.start, scenario->time.end, &f->tracer[tracer]);
}

Status boundaries_add_tracers(Boundaries *all, const Scenario *scenario, State *state) {
    all->n_tracers = state->n_tracers;
    keep_inflow(all, scenario, state);
    all->carried = ALLOCATE(scenario->n_boundaries * state->n_tracers + 1, Series *);
    for (int n = 0; n < scenario->n_boundaries; n++)
        for (int t = 0; t < state->n_tracers; t++) TRY(add_shared(all, scenario, n, t, state));
    for (int n = 0; n < all->count; n++) {
        all->face[n].tracer = ALLOCATE(state->n_tracers + 1, Series *);
        for (int t = 0; t < state->n_tracers; t++) TRY(add_to_face(all, scenario, &all->face[n], t, state));
    }
    return STATUS_OK;
}

void boundaries_forget_tracers(Boundaries *all) {
    for (int n = 0; n < all->count; n++) {
        OpenFace *f = &all->face[n];
        for (int t = 0; f->tracer && t < all->n_tracers; t++)
            if (f->tracer[t] != all->carried[f->number * all->n_tracers + t]) series_destroy(&f->tracer[t]);
        memory_free(f->tracer);
    }
    for (int n = 0; all->carried && n < all->scenario->n_boundaries * all->n_tracers; n++)
        series_destroy(&all->carried[n]);
    memory_free(all->carried);
    for (int c = 0; c < 2; c++) memory_free(all->inflow[c]);
}

/* What comes in: the given value, which it takes some time to have after the water left, with what was
 * inside.
 */
static double next_inflow(const OpenFace *f, double kept, double inside, double given, double flux, double dt,
                          bool first) {
    const double time = f->boundary->inflow_relaxation_s, last = first ? inside : kept;
    if (!(f->inwards * flux > 0)) return inside;
    return time > 0 ? last + (given - last) * (dt / (dt + time)) : given;
}

void boundaries_set_tracer(Boundaries *all, int tracer, double time, double dt, const State *s) {
    const Grid *g = all->grid;
    double *c = s->tracer[tracer].c;
    exec_wait(g->exec);
    for (int n = 0; n < all->count; n++) {
        const OpenFace *f = &all->face[n];
        const bool given = f->tracer[tracer] != NULL;
        const double outside = given ? series_at_or_nan(f->tracer[tracer], time) : 0;
        const double *flux = f->along_x ? s->flux_u : s->flux_v;
        double *kept = all->inflow[f->along_x ? 0 : 1][tracer];
        for (ptrdiff_t k = 0; k < g->n3; k++) {
            const ptrdiff_t inside = f->inside + k * g->plane, ghost = f->ghost + k * g->plane,
                            face = f->face + k * g->plane;
            c[ghost] = given ? outside : c[inside];
            if (!given || !kept) continue;
            c[ghost] = kept[face] =
                next_inflow(f, kept[face], c[inside], outside, flux[face], dt, s->step == 0);
        }
    }
}

void boundaries_each_face(const Boundaries *all, const double *flux_u, const double *flux_v,
                          void (*visit)(void *context, ptrdiff_t inside, ptrdiff_t ghost, double inflow),
                          void *context) {
    const Grid *g = all->grid;
    exec_wait(g->exec);
    for (int n = 0; n < all->count; n++) {
        const OpenFace *f = &all->face[n];
        const double *flux = f->along_x ? flux_u : flux_v;
        for (ptrdiff_t layer = 0; layer < g->n3 * g->plane; layer += g->plane)
            visit(context, f->inside + layer, f->ghost + layer, f->inwards * flux[f->face + layer]);
    }
}

void boundaries_mirror(const Boundaries *all, const double *depth, double *anomaly, double *surface,
                       double *pressure) {
    const Grid *g = all->grid;
    exec_wait(g->exec);
    for (int n = 0; n < all->count; n++) {
        const OpenFace *f = &all->face[n];
        const double stretch = depth[f->inside] > 0 ? depth[f->ghost] / depth[f->inside] : 0;
        surface[f->ghost] = surface[f->inside];
        for (int k = 0; k < g->n3; k++) {
            anomaly[f->ghost + k * g->plane] = anomaly[f->inside + k * g->plane];
            pressure[f->ghost + k * g->plane] = stretch * pressure[f->inside + k * g->plane];
        }
    }
}

void boundaries_copy_inside(const Boundaries *all, double *field) {
    const Grid *g = all->grid;
    exec_wait(g->exec);
    for (int n = 0; n < all->count; n++)
        for (int k = 0; k < g->n3; k++)
            field[all->face[n].ghost + k * g->plane] = field[all->face[n].inside + k * g->plane];
}
