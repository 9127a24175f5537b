/* SPDX-License-Identifier: Apache-2.0
 *
 * The budget of each tracer: initial content, gains and losses, present content.
 */
#include "model/tracers/tracers_internal.h"

#include "numerics/grid/sums.h"

/* ---- what came and went ---- */

void account_ask_flows(Tracers *t, const Transport *a, int first, Tally *tally) {
    ExactSum *sum[2 * MOST_CARRIED];
    for (int n = 0; n < a->count; n++) {
        sum[2 * n] = tally_ask_sums(tally, 1, &t->part[first + n].found.came);
        sum[2 * n + 1] = tally_ask_sums(tally, 1, &t->part[first + n].found.through);
    }
    brought_add(t->brought, a, sum);
}

ExactSum *tracers_ask_nudged(Tracers *t, int n, Tally *tally) {
    return tally_ask_sums(tally, 1, &t->part[n].found.nudged);
}

/* ---- what is there ---- */

static void ask_bounds(const Tracers *t, int first, int count, Tally *tally) {
    const Grid *g = t->state->grid;
    for (int n = 0; n < count; n++)
        tracer_bounds_ask(t->exec, g->counted_columns,
                          (TracerBounds){g->row, t->contents[n].least, t->contents[n].most},
                          tally_ask_mosts(tally, BOUNDS, t->part[first + n].found.bounds));
}

static bool grows(const Part *p) {
    return p->ageing + p->decay > 0;
}

/* Of the contents, the beds, and the depth where something grows with it. */
static void ask_contained(Tracers *t, int first, int count, Tally *tally) {
    const Grid *g = t->state->grid;
    bool some_grow = false;
    for (int n = 0; n < count; n++) {
        Part *p = &t->part[first + n];
        some_grow |= grows(p);
        sums_ask(tally, g, 1, g->counted_area, t->contents[n].mean, &p->found.mean);
        const double *store = p->ice ? p->ice : p->bed.store;
        if (store) sums_ask(tally, g, 1, g->counted_area, store, &p->found.bed);
    }
    if (some_grow) sums_ask(tally, g, 1, g->counted_area, t->state->depth, &t->water);
}

void account_ask(Tracers *t, int first, int count, Tally *tally) {
    ask_bounds(t, first, count, tally);
    ask_contained(t, first, count, tally);
}

/* Round-off is no extreme: in films that dry out it grows, and bounds that followed it would let it spread. */
static void note_extremes(Part *p, const TracerAccount *now) {
    const double round_off = p->most_ever > p->least_ever ? 1e-9 * (p->most_ever - p->least_ever) : 0;
    if (now->least < p->least_ever - round_off) p->least_ever = now->least;
    if (now->most > p->most_ever + round_off) p->most_ever = now->most;
}

static void close_one(const Part *p, TracerAccount *a) {
    a->content = p->found.mean;
    if (p->bed.store) a->bed = p->found.bed;
    if (p->ice) a->bed = -p->found.bed / p->heat_capacity;
    a->sources = p->sources;
    a->air = p->air;
    a->boundaries = p->boundaries;
    a->reactions = p->reactions;
    a->error = a->content + a->bed - p->start - p->sources - p->air - p->boundaries - p->reactions;
}

void account_close(Tracers *t, double dt, int first) {
    for (int n = first; n < t->state->n_tracers; n++) {
        TracerAccount *a = &t->account[n];
        Part *p = &t->part[n];
        a->least = -p->found.bounds[BELOW_ALL];
        a->most = p->found.bounds[ABOVE_ALL];
        note_extremes(p, a);
        if (dt > 0 && grows(p)) p->sources += dt * (p->ageing * t->water - p->decay * p->found.mean);
        close_one(p, a);
    }
}

void tracers_close(Tracers *t, const double *from_air) {
    for (int n = 0; n < t->state->n_tracers; n++) {
        Part *p = &t->part[n];
        if (from_air) p->air += from_air[n];
        p->sources += p->found.nudged;
        p->found.nudged = 0; /* once, also where a step is closed in pieces */
        p->sources += t->dt * p->found.came;
        p->boundaries += t->dt * p->found.through;
    }
    account_close(t, t->dt, 0);
}

const TracerAccount *tracers_accounts(const Tracers *t) {
    return t->account;
}

int tracers_number_count(const Tracers *t) {
    int count = 0;
    for (int n = 0; n < t->state->n_tracers; n++) count += NUMBERS - !t->part[n].reacts;
    return count;
}

void tracers_numbers(Tracers *t, StateNumber *out) {
    for (int n = 0; n < t->state->n_tracers; n++) {
        Part *p = &t->part[n];
        double *values[NUMBERS] = {&p->start,      &p->sources,   &p->air,      &p->boundaries,
                                   &p->least_ever, &p->most_ever, &p->reactions};
        for (int m = 0; m < NUMBERS - !p->reacts; m++) *out++ = (StateNumber){p->number_names[m], values[m]};
    }
}
