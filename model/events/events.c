/* SPDX-License-Identifier: Apache-2.0 */
#include "model/events/events.h"

#include "base/memory.h"
#include "model/events/events_kernels.h"
#include "numerics/grid/sums.h"
#include <string.h>

typedef struct Event {
    TracerSum variable;
    double *here, *water; /* of columns, as in Watch */
} Event;

struct Events {
    const Scenario *scenario;
    State *state;
    Exec exec;
    Event *event;
    EventSize *size;
};

/* The variable of an event, and its units. */
static const char *find_variable(const State *s, const char *name, TracerSum *out) {
    for (int n = 0; n < s->n_diagnostics; n++)
        if (strcmp(s->diagnostic[n].name, name) == 0) {
            *out = s->diagnostic[n].sum;
            return s->diagnostic[n].units;
        }
    for (int n = 0; n < s->n_tracers; n++)
        if (strcmp(s->tracer[n].name, name) == 0) {
            *out = (TracerSum){.n_terms = 1, .tracer = {n}, .factor = {1}};
            return s->tracer[n].units;
        }
    return "";
}

static void add_event(Events *e, int n) {
    const ScenarioEvent *from = &e->scenario->events[n];
    State *s = e->state;
    StateEvent *to = &s->event[n];
    const char *units = find_variable(s, from->variable, &e->event[n].variable);
    char *name = memory_format("%s_duration", from->name);
    to->name = from->name;
    to->where = from->at == EVENT_AT_SURFACE ? "in the uppermost layer" : "in the lowest layer";
    to->condition = memory_format("%s %s %.10g%s%s", from->variable,
                                  from->when == EVENT_ABOVE ? "above" : "below", from->threshold,
                                  strcmp(units, "1") == 0 ? "" : " ", strcmp(units, "1") == 0 ? "" : units);
    to->duration_words = memory_format("time since the start with %s %s", to->condition, to->where);
    to->duration = state_keep(s, name, false, 'c');
    to->duration_name = s->kept[s->n_kept - 1].name;
    e->event[n].here = field2_create(s->grid);
    e->event[n].water = field2_create(s->grid);
    memory_free(name);
}

Events *events_create(const Scenario *scenario, State *state, Exec exec) {
    const int count = scenario->n_events;
    if (count == 0) return NULL;
    Events *e = ALLOCATE(1, Events);
    *e = (Events){scenario, state, exec, ALLOCATE(count, Event), ALLOCATE(count, EventSize)};
    state->event = ALLOCATE(count, StateEvent);
    state->n_events = count;
    for (int n = 0; n < count; n++) add_event(e, n);
    return e;
}

void events_destroy(Events **events) {
    Events *e = *events;
    if (!e) return;
    for (int n = 0; n < e->scenario->n_events; n++) {
        field2_destroy(e->state->grid, &e->event[n].here);
        field2_destroy(e->state->grid, &e->event[n].water);
    }
    memory_free(e->event);
    memory_free(e->size);
    memory_free(e);
    *events = NULL;
}

static Watch watch_of(const Events *e, int n, double dt) {
    const ScenarioEvent *from = &e->scenario->events[n];
    const State *s = e->state;
    const Event *event = &e->event[n];
    Watch w = {.g = grid_view(s->grid),
               .dt = dt,
               .dry_depth = s->dry_depth,
               .depth = s->depth,
               .n_terms = event->variable.n_terms,
               .threshold = from->threshold,
               .above = from->when == EVENT_ABOVE,
               .at_surface = from->at == EVENT_AT_SURFACE,
               .duration = s->event[n].duration,
               .here = event->here,
               .water = event->water};
    for (int t = 0; t < w.n_terms; t++) {
        w.c[t] = s->tracer[event->variable.tracer[t]].c;
        w.factor[t] = event->variable.factor[t];
    }
    return w;
}

void events_step(Events *e, double dt) {
    enum { AT_ONCE = MOST_SUMS / 2 };
    if (!e) return;
    const Grid *g = e->state->grid;
    for (int first = 0; first < e->scenario->n_events; first += AT_ONCE) {
        const double *area[MOST_SUMS], *part[MOST_SUMS];
        double sum[MOST_SUMS];
        int count = 0;
        for (int n = first; n < e->scenario->n_events && count < MOST_SUMS; n++) {
            watch(e->exec, g->blocks_c, watch_of(e, n, dt));
            area[count] = g->counted_area, part[count++] = e->event[n].here;
            area[count] = g->counted_area, part[count++] = e->event[n].water;
        }
        sums_of_products(e->exec, g, count, area, part, sum);
        for (int n = 0; n < count / 2; n++) e->size[first + n] = (EventSize){sum[2 * n], sum[2 * n + 1]};
    }
}

const EventSize *events_sizes(const Events *e) {
    return e ? e->size : NULL;
}
