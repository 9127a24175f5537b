/* SPDX-License-Identifier: Apache-2.0
 *
 * The account of each tracer: what was there, what came and went, what is there.
 */
#include "model/tracers/tracers_internal.h"

#include "numerics/grid/sums.h"
#include <math.h>

/* ---- what came and went ---- */

void account_flows(Tracers *t, const Transport *a, int first) {
    ExactSum sum[2 * MOST_CARRIED] = {0};
    brought_add(t->brought, a, sum);
    for (int n = 0; n < 2 * a->count; n++) exact_sum_normalise(&sum[n]);
    MPI_Allreduce(MPI_IN_PLACE, sum, 2 * a->count * EXACT_SUM_LIMBS, MPI_INT64_T, MPI_SUM, a->g.comm);
    for (int n = 0; n < a->count; n++) {
        t->part[first + n].sources += a->dt * exact_sum_value(&sum[2 * n]);
        t->part[first + n].boundaries += a->dt * exact_sum_value(&sum[2 * n + 1]);
    }
}

/* ---- what is there ---- */

static void find_bounds(const Tracers *t, int count, TracerAccount *account) {
    const Grid *g = t->state->grid;
    double bounds[2 * MOST_CARRIED]; /* -least, most */
    for (int n = 0; n < 2 * count; n++) bounds[n] = -INFINITY;
    for (int n = 0; n < count; n++)
        tracer_bounds(t->exec, g->columns, (TracerBounds){g->row, t->contents[n].least, t->contents[n].most},
                      &bounds[2 * n]);
    MPI_Allreduce(MPI_IN_PLACE, bounds, 2 * count, MPI_DOUBLE, MPI_MAX, g->comm);
    for (int n = 0; n < count; n++) {
        account[n].least = -bounds[2 * n];
        account[n].most = bounds[2 * n + 1];
    }
}

/* The sum over columns of their areas times `plane`. */
static double over_columns(const Tracers *t, const double *plane) {
    double sum;
    sums_of_products(t->exec, t->state->grid, 1, (const double *[]){t->state->grid->own_area},
                     (const double *[]){plane}, &sum);
    return sum;
}

void account_close(Tracers *t, double dt, int first, int count) {
    find_bounds(t, count, &t->account[first]);
    for (int n = 0; n < count; n++) {
        TracerAccount *a = &t->account[first + n];
        Part *p = &t->part[first + n];
        a->content = over_columns(t, t->contents[n].mean);
        if (p->bed.store) a->bed = over_columns(t, p->bed.store);
        if (dt > 0 && p->ageing + p->decay > 0)
            p->sources += dt * (p->ageing * over_columns(t, t->state->depth) - p->decay * a->content);
        a->sources = p->sources;
        a->air = p->air;
        a->boundaries = p->boundaries;
        a->error = a->content + a->bed - p->start - p->sources - p->air - p->boundaries;
    }
}

const TracerAccount *tracers_accounts(const Tracers *t) {
    return t->account;
}

void tracers_add_from_air(Tracers *t, const double *amounts) {
    for (int n = 0; n < t->state->n_tracers; n++) t->part[n].air += amounts[n];
}

int tracers_number_count(const Tracers *t) {
    return NUMBERS * t->state->n_tracers;
}

void tracers_numbers(Tracers *t, RestartNumber *out) {
    for (int n = 0; n < t->state->n_tracers; n++) {
        Part *p = &t->part[n];
        double *values[NUMBERS] = {&p->start, &p->sources, &p->air, &p->boundaries};
        for (int m = 0; m < NUMBERS; m++) *out++ = (RestartNumber){p->number_names[m], values[m]};
    }
}
