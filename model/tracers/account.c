/* SPDX-License-Identifier: Apache-2.0
 *
 * The budget of each tracer: initial content, gains and losses, present content.
 */
#include "model/tracers/tracers_internal.h"

#include "numerics/grid/sums.h"
#include <math.h>

_Static_assert(2 * MOST_CARRIED + 1 <= MOST_SUMS, "room for the sums of all tracers");

/* ---- what came and went ---- */

void account_flows(Tracers *t, const Transport *a, int first) {
    ExactSum sum[2 * MOST_CARRIED] = {0};
    brought_add(t->brought, a, sum);
    MPI_Allreduce(MPI_IN_PLACE, sum, 2 * a->count * EXACT_SUM_LIMBS, MPI_INT64_T, MPI_SUM,
                  t->state->grid->comm);
    for (int n = 0; n < a->count; n++) {
        t->part[first + n].sources += a->dt * exact_sum_value(&sum[2 * n]);
        t->part[first + n].boundaries += a->dt * exact_sum_value(&sum[2 * n + 1]);
    }
}

void tracers_add_nudged(Tracers *t, ExactSum *sum) {
    const int count = t->state->n_tracers;
    for (int n = 0; n < count; n++) exact_sum_normalise(&sum[n]);
    MPI_Allreduce(MPI_IN_PLACE, sum, count * EXACT_SUM_LIMBS, MPI_INT64_T, MPI_SUM, t->state->grid->comm);
    for (int n = 0; n < count; n++) t->part[n].sources += exact_sum_value(&sum[n]);
}

/* ---- what is there ---- */

static void find_bounds(const Tracers *t, int count, TracerAccount *account) {
    const Grid *g = t->state->grid;
    double bounds[2 * MOST_CARRIED]; /* -least, most */
    for (int n = 0; n < 2 * count; n++) bounds[n] = -INFINITY;
    RunList columns[MOST_CARRIED] = {{0}};
    TracerBounds args[MOST_CARRIED] = {{0}};
    for (int n = 0; n < count; n++) {
        columns[n] = g->columns;
        args[n] = (TracerBounds){g->row, t->contents[n].least, t->contents[n].most};
    }
    tracer_bounds_of(t->exec, count, columns, args, bounds);
    MPI_Allreduce(MPI_IN_PLACE, bounds, 2 * count, MPI_DOUBLE, MPI_MAX, g->comm);
    for (int n = 0; n < count; n++) {
        account[n].least = -bounds[2 * n];
        account[n].most = bounds[2 * n + 1];
    }
}

/* Sums over columns of their areas times the contents, the beds, and the depth where something grows with it.
 */
typedef struct Contained {
    double mean[MOST_CARRIED], bed[MOST_CARRIED], water;
} Contained;

static bool grows(const Part *p) {
    return p->ageing + p->decay > 0;
}

static Contained find_contained(const Tracers *t, int first, int count) {
    const Grid *g = t->state->grid;
    const double *area[MOST_SUMS], *plane[MOST_SUMS];
    double sum[MOST_SUMS];
    int sums = 0;
    bool some_grow = false;
    for (int n = 0; n < count; n++) plane[sums++] = t->contents[n].mean;
    for (int n = 0; n < count; n++)
        if (t->part[first + n].bed.store) plane[sums++] = t->part[first + n].bed.store;
    for (int n = 0; n < count; n++) some_grow |= grows(&t->part[first + n]);
    if (some_grow) plane[sums++] = t->state->depth;
    for (int n = 0; n < sums; n++) area[n] = g->own_area;
    sums_of_products(t->exec, g, sums, area, plane, sum);
    Contained c = {.water = some_grow ? sum[sums - 1] : 0};
    for (int n = 0, bed = count; n < count; n++) {
        c.mean[n] = sum[n];
        if (t->part[first + n].bed.store) c.bed[n] = sum[bed++];
    }
    return c;
}

/* Round-off is no extreme: in films that dry out it grows, and bounds that followed it would let it spread. */
static void note_extremes(Part *p, const TracerAccount *now) {
    const double round_off = p->most_ever > p->least_ever ? 1e-9 * (p->most_ever - p->least_ever) : 0;
    if (now->least < p->least_ever - round_off) p->least_ever = now->least;
    if (now->most > p->most_ever + round_off) p->most_ever = now->most;
}

void account_close(Tracers *t, double dt, int first, int count) {
    find_bounds(t, count, &t->account[first]);
    const Contained contained = find_contained(t, first, count);
    for (int n = 0; n < count; n++) {
        TracerAccount *a = &t->account[first + n];
        Part *p = &t->part[first + n];
        note_extremes(p, a);
        a->content = contained.mean[n];
        if (p->bed.store) a->bed = contained.bed[n];
        if (dt > 0 && grows(p)) p->sources += dt * (p->ageing * contained.water - p->decay * a->content);
        a->sources = p->sources;
        a->air = p->air;
        a->boundaries = p->boundaries;
        a->reactions = p->reactions;
        a->error = a->content + a->bed - p->start - p->sources - p->air - p->boundaries - p->reactions;
    }
}

const TracerAccount *tracers_accounts(const Tracers *t) {
    return t->account;
}

void tracers_add_from_air(Tracers *t, const double *amounts) {
    for (int n = 0; n < t->state->n_tracers; n++) t->part[n].air += amounts[n];
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
