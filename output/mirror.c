/* SPDX-License-Identifier: Apache-2.0 */
#include "output/mirror.h"

#include "base/memory.h"
#include "gpu/device.h"
#include <string.h>

static const Exec host = {.device = DEVICE_CPU};

struct Mirror {
    const State *original; /* where the mirror is the state itself; else NULL */
    Grid grid;
    State state;
};

/* Copies of what the grid's pointers point to, as far as anybody looks at it. */
static double **ground_of(Grid *g, int n) {
    double **all[] = {&g->bed,   &g->area,  &g->own_area, &g->width_u,  &g->width_v,
                      &g->bed_u, &g->bed_v, &g->bottom_c, &g->bottom_u, &g->bottom_v};
    return n < 10 ? all[n] : NULL;
}

static double **shares_of(Grid *g, int n) {
    double **all[] = {&g->phi_c, &g->phi_u, &g->phi_v};
    return n < 3 ? all[n] : NULL;
}

static RunList *runs_of(Grid *g, int n) {
    RunList *all[] = {&g->columns, &g->faces_u, &g->faces_v};
    return n < 3 ? all[n] : NULL;
}

static void copy_plane(const Grid *g, double **field) {
    double *copy = field2_create(g);
    field2_copy(host, g, *field, copy);
    *field = copy;
}

static void copy_levels(const Grid *g, double **field) {
    double *copy = field3_create(g);
    field3_copy(host, g, *field, copy);
    *field = copy;
}

static void make_grid(Grid *g) {
    g->store = field_store_create();
    for (int n = 0; ground_of(g, n); n++) copy_plane(g, ground_of(g, n));
    for (int n = 0; shares_of(g, n); n++) copy_levels(g, shares_of(g, n));
    for (int n = 0; runs_of(g, n); n++) {
        RunList *list = runs_of(g, n);
        Run *runs = ALLOCATE(list->count, Run);
        if (list->count) memcpy(runs, list->run, (size_t)list->count * sizeof *runs);
        list->run = runs;
    }
    g->exec = host;
}

static void make_state(Mirror *m) {
    const Grid *g = &m->grid;
    State *s = &m->state;
    s->grid = g;
    for (int id = 0; id < STATE_FIELD_COUNT; id++) {
        const StateFieldRow *row = state_field_row(id);
        double **field = state_member(s, id);
        *field = !*field || !row->seen ? NULL : row->three_d ? field3_create(g) : field2_create(g);
    }
    Tracer *tracers = ALLOCATE(s->n_tracers + 1, Tracer);
    for (int n = 0; n < s->n_tracers; n++) {
        tracers[n] = s->tracer[n];
        tracers[n].c = field3_create(g);
        if (tracers[n].bed) tracers[n].bed = field2_create(g);
    }
    s->tracer = tracers;
    StateEvent *events = ALLOCATE(s->n_events + 1, StateEvent);
    for (int n = 0; n < s->n_events; n++) {
        events[n] = s->event[n];
        events[n].duration = field2_create(g);
    }
    s->event = events;
}

Status mirror_create(const State *state, Mirror **out) {
    Mirror *m = *out = ALLOCATE(1, Mirror);
    const Exec exec = state->grid->exec;
    m->original = exec.device == DEVICE_CPU ? state : NULL;
    if (m->original) return STATUS_OK;
    m->grid = *state->grid;
    m->state = *state;
    exec_wait(exec);
    const MemorySource *source = memory_use_source(NULL);
    make_grid(&m->grid);
    make_state(m);
    (void)memory_use_source(source);
    return mirror_update(m, state);
}

void mirror_destroy(Mirror **mirror) {
    Mirror *m = *mirror;
    if (m && !m->original) {
        const Grid g = m->grid;
        State *s = &m->state;
        for (int id = 0; id < STATE_FIELD_COUNT; id++) {
            if (state_field_row(id)->three_d)
                field3_destroy(&g, state_member(s, id));
            else
                field2_destroy(&g, state_member(s, id));
        }
        for (int n = 0; n < s->n_tracers; n++) {
            field3_destroy(&g, &s->tracer[n].c);
            field2_destroy(&g, &s->tracer[n].bed);
        }
        for (int n = 0; n < s->n_events; n++) field2_destroy(&g, &s->event[n].duration);
        memory_free(s->tracer);
        memory_free(s->event);
        for (int n = 0; ground_of(&m->grid, n); n++) field2_destroy(&g, ground_of(&m->grid, n));
        for (int n = 0; shares_of(&m->grid, n); n++) field3_destroy(&g, shares_of(&m->grid, n));
        for (int n = 0; runs_of(&m->grid, n); n++) memory_free(runs_of(&m->grid, n)->run);
        memory_free(m->grid.store);
    }
    memory_free(m);
    *mirror = NULL;
}

const State *mirror_state(const Mirror *m) {
    return m->original ? m->original : &m->state;
}

static Status renew(const Grid *g, double *to, const double *from, bool deep) {
    if (!from) return STATUS_OK;
    if (!deep) return device_copy_rows(g->exec, to - g->origin2, from - g->origin2, field2_rows(g));
    return device_copy(g->exec, to - g->origin3, from - g->origin3, (size_t)g->size3 * sizeof *to);
}

bool mirror_copies(const Mirror *m) {
    return !m->original;
}

Status mirror_update(Mirror *m, const State *state) {
    State *s = &m->state, now = *state;
    const Grid *g = state->grid;
    if (m->original) return STATUS_OK;
    s->time = state->time;
    s->step = state->step;
    for (int id = 0; id < STATE_FIELD_COUNT; id++)
        if (*state_member(s, id))
            TRY(renew(g, *state_member(s, id), *state_member(&now, id), state_field_row(id)->three_d));
    Grid shares = *g;
    for (int n = 0; g->axes.adaptive && shares_of(&shares, n); n++)
        TRY(renew(g, *shares_of(&m->grid, n), *shares_of(&shares, n), true));
    for (int n = 0; n < s->n_tracers; n++) {
        TRY(renew(g, s->tracer[n].c, state->tracer[n].c, true));
        TRY(renew(g, s->tracer[n].bed, state->tracer[n].bed, false));
    }
    for (int n = 0; n < s->n_events; n++)
        TRY(renew(g, s->event[n].duration, state->event[n].duration, false));
    return STATUS_OK;
}
