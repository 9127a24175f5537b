/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/device.h"
#include "model/structures/conduits_internal.h"
#include "model/structures/culvert.h"
#include <math.h>

enum { MOST_TRIES = 8, HALVINGS = 45 };
/* Less than a few molecules stays: a pump that took nearly all of the rest in each step would leave less and less, until nothing can
 * be divided by it. [m] */
static const double MOLECULES_M = 1e-9;
static const double CLOSE_M = 1e-4, CLOSE = 1e-3; /* of levels; of a discharge, relative */

static ConduitColumns arguments(const Conduits *all, int tracer) {
    const State *s = all->state;
    return (ConduitColumns){.g = grid_view(s->grid),
                            .column = all->column,
                            .area = s->grid->area,
                            .ground = all->inside,
                            .eta = s->eta,
                            .c = tracer < 0 ? NULL : s->tracer[tracer].c,
                            .mean = all->mean + (tracer < 0 ? 0 : tracer * all->columns)};
}

/* What owners know of their columns, to all. Collective. */
static void learn(Conduits *all, const double *depth, bool means) {
    const Exec exec = all->state->grid->exec;
    const int columns = all->columns, tracers = means ? all->n_tracers : 0;
    ConduitColumns args = arguments(all, -1);
    args.depth = (double *)(uintptr_t)depth; /* it is read alone */
    conduits_tell(exec, all->list, args);
    for (int t = 0; t < tracers; t++) conduits_tell_tracer(exec, all->list, arguments(all, t));
    exec_wait(exec);
    for (int n = 0; n < columns; n++) {
        const ConduitColumn *column = &all->column[n];
        const bool mine = column->m >= 0;
        all->told[n] = mine ? column->level : 0;
        all->told[columns + n] = mine ? column->depth : 0;
        all->told[2 * columns + n] = mine ? column->other : 0;
        all->told[3 * columns + n] = mine ? column->wet : 0;
        for (int t = 0; t < tracers; t++)
            all->told[(CONDUIT_FACTS + t) * columns + n] = mine ? all->mean[t * columns + n] : 0;
    }
    MPI_Allreduce(MPI_IN_PLACE, all->told, columns * (CONDUIT_FACTS + tracers), MPI_DOUBLE, MPI_SUM,
                  all->state->grid->comm);
}

/* Levels as they are, and what the last change of the discharge has done to them; too small a one tells nothing. */
static void see_levels(const Conduits *all, Conduit *c) {
    for (int end = 0; end < 2; end++) {
        const double level = all->told[c->column[end]];
        if (fabs(c->change) * c->yields[end] > 0.1 * CLOSE_M)
            c->yields[end] = fmax(0, (end == 0 ? c->level[end] - level : level - c->level[end]) / c->change);
        c->level[end] = level;
    }
}

void conduits_look(Conduits *all) {
    if (!all) return;
    learn(all, all->state->depth, false);
    for (int n = 0; n < all->count; n++) see_levels(all, &all->conduit[n]);
}

/* [m3 s-1] from the inlet to the outlet of a culvert. */
static double law(const Conduits *all, const Conduit *c, double inlet, double outlet) {
    const double gravity = all->scenario->physics.gravity_m_s2;
    if (outlet <= inlet) return culvert_discharge(c->is, c->invert, c->length, inlet, outlet, gravity);
    return c->is->flap ? 0 : -culvert_discharge(c->is, c->invert, c->length, outlet, inlet, gravity);
}

/* With the levels that come of a discharge. */
static double law_of(const Conduits *all, const Conduit *c, double discharge) {
    const double more = discharge - c->discharge;
    return law(all, c, c->level[0] - c->yields[0] * more, c->level[1] + c->yields[1] * more);
}

/* The discharge that agrees with its levels: the more flows, the less they let through. */
static double agreeing(const Conduits *all, const Conduit *c) {
    if (c->is->kind == STRUCTURE_PUMP) return c->discharge;
    const double most = law_of(all, c, 0);
    double low = 0, high = 1; /* parts of it */
    for (int n = 0; n < HALVINGS && most != 0; n++) {
        const double part = 0.5 * (low + high);
        *(law_of(all, c, part * most) / most > part ? &low : &high) = part;
    }
    return low * most;
}

/* Within what is close enough. A discharge that the column cannot afford need not be asked for again. */
static bool agrees(const Conduits *all, const Conduit *c) {
    const double q = c->discharge, near = CLOSE * fabs(q);
    if (c->is->kind == STRUCTURE_PUMP) return true;
    const double less = law(all, c, c->level[0] - CLOSE_M, c->level[1]),
                 more = law(all, c, c->level[0] + CLOSE_M, c->level[1]);
    if (c->limited && (q < 0 ? more < q : less > q)) return true;
    return q >= less - near && q <= more + near;
}

static double pumped(Conduit *c, double time) {
    const ScenarioStructure *s = c->is;
    if (c->level[0] > s->start_above_m) c->on = 1;
    if (c->level[0] < s->stop_below_m) c->on = 0;
    return c->on > 0 ? fmax(0, series_at_or_nan(c->capacity, time)) : 0;
}

static void clear(Conduits *all) {
    for (int n = 0; n < all->columns; n++) all->column[n].out = all->column[n].in = 0;
    for (int n = 0; n < all->columns * all->n_tracers; n++) all->mean[n] = 0;
}

/* A discharge, or what those before in the list have left of the water that it takes. */
static void pass(Conduits *all, Conduit *c, double wished, double dt) {
    const int from = c->column[wished < 0], to = c->column[!(wished < 0)];
    const double left = fmax(0, all->held[from] - all->column[from].out);
    const double volume = fmin(fabs(wished) * dt, left), before = c->discharge;
    c->limited = volume < fabs(wished) * dt;
    c->discharge = (wished < 0 ? -volume : volume) / dt;
    c->change = c->discharge - before;
    all->column[from].out += volume;
    all->column[to].in += volume;
    for (int t = 0; t < all->n_tracers; t++)
        all->mean[t * all->columns + to] += volume * all->told[(CONDUIT_FACTS + t) * all->columns + from];
}

/* By the levels of before, which are taken to answer as if nothing came to their columns from beside. */
static void try_first(Conduits *all, double time, double dt, const double *depth) {
    learn(all, depth, true);
    clear(all);
    for (int n = 0; n < all->columns; n++) {
        const double told = all->told[all->columns + n], there = told > MOLECULES_M ? told : 0;
        all->held[n] = (1 - 1e-12) * there * all->area[n] + dt * fmin(0, all->told[2 * all->columns + n]);
    }
    for (int n = 0; n < all->count; n++) {
        Conduit *c = &all->conduit[n];
        c->change = 0;
        see_levels(all, c);
        for (int end = 0; end < 2; end++) {
            const int column = c->column[end];
            c->yields[end] = dt / (all->area[column] * all->told[3 * all->columns + column]);
        }
        const bool pump = c->is->kind == STRUCTURE_PUMP;
        pass(all, c, pump ? pumped(c, time) : agreeing(all, c), dt);
        c->change = 0; /* which came of another step's levels */
    }
}

/* By those that came of the last try; false: they agree with it. */
static bool try_again(Conduits *all, double dt, const double *depth) {
    bool agreed = true;
    learn(all, depth, false);
    for (int n = 0; n < all->count; n++) {
        see_levels(all, &all->conduit[n]);
        agreed = agreed && agrees(all, &all->conduit[n]);
    }
    if (agreed) return false;
    clear(all);
    for (int n = 0; n < all->count; n++) pass(all, &all->conduit[n], agreeing(all, &all->conduit[n]), dt);
    return true;
}

bool conduits_flow(Conduits *all, int tries, double time, double dt, const double *depth, double *source) {
    if (!all) return false;
    const Exec exec = all->state->grid->exec;
    ConduitColumns args = arguments(all, -1);
    args.source = source, args.dt = dt;
    if (tries == 0) {
        conduits_begin(exec, all->list, args);
        try_first(all, time, dt, depth);
    } else if (tries == MOST_TRIES || !try_again(all, dt, depth)) {
        return false;
    }
    conduits_draw(exec, all->list, args);
    return true;
}

void conduits_pour(Conduits *all, double *depth_before, double *source) {
    const Exec exec = all->state->grid->exec;
    for (int t = all->n_tracers - 1; t >= -1; t--) {
        ConduitColumns args = arguments(all, t);
        args.depth = depth_before, args.source = source;
        (t >= 0 ? conduits_pour_tracer : conduits_pour_water)(exec, all->list, args);
    }
}
