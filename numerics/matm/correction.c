/* SPDX-License-Identifier: Apache-2.0
 *
 * Correction by column sums. What is constant in every column is found from the columns' sums (a five-point
 * operator Ac on the plane), the rest by B:
 *
 *     z = E Ac^-1 E* r + (1 - M) B^-1 (1 - M) r,   E: constant in the column,   M: mean of the column
 *
 * Needed where columns as a whole are held by little, as under a Robin condition: T is nearly singular then.
 * Ac^-1 to two digits by conjugate gradients.
 */
#include "base/memory.h"
#include "numerics/matm/solver.h"
#include "numerics/matm/steps.h"
#include <math.h>

static const double DIGITS = 1e-2;
enum { MOST_ITERATIONS = 200 };

struct Correction {
    const Grid *grid;
    const LaneLayout *layout;
    Inner *plane;
    double *centre, *west, *south;
    Lanes *levels; /* one over the number of the column's levels, by group and step */
};

static int64_t steps_of(const LaneLayout *layout) {
    return (int64_t)layout->groups * layout->steps;
}

Status correction_create(const Grid *grid, Exec exec, const LaneLayout *layout, Correction **out) {
    const MatmOptions options = {.flat = true, .diagonal = MATM_D_PIVOTS, .step = MATM_STEP_CONJUGATE};
    Correction *c = ALLOCATE(1, Correction);
    c->grid = grid;
    c->layout = layout;
    c->centre = field2_create(grid);
    c->west = field2_create(grid);
    c->south = field2_create(grid);
    c->levels = ALLOCATE(steps_of(layout), Lanes);
    *out = c;
    Status status = inner_create(grid, exec, &options, false, &c->plane);
    if (status != STATUS_OK) correction_destroy(out);
    return status;
}

void correction_destroy(Correction **correction) {
    Correction *c = *correction;
    if (!c) return;
    inner_destroy(&c->plane);
    field2_destroy(c->grid, &c->centre);
    field2_destroy(c->grid, &c->west);
    field2_destroy(c->grid, &c->south);
    memory_free(c->levels);
    memory_free(c);
    *correction = NULL;
}

typedef struct ColumnSum {
    double centre, west, south, lower, stiffest;
} ColumnSum;

static ColumnSum sum_column(const Grid *g, const Stencil *s, int i, int j) {
    ColumnSum sum = {0};
    for (int k = (int)g->bottom_c[AT2(*g, i, j)]; k < g->n3; k++) {
        const ptrdiff_t m = AT(*g, i, j, k);
        sum.centre += s->centre[m];
        sum.west += s->west[m];
        sum.south += s->south[m];
        sum.lower += s->lower[m];
        sum.stiffest = fmax(sum.stiffest, s->lower[m]);
    }
    return sum;
}

double correction_hold(const Grid *g, const Stencil *s) {
    double most = 0;
    for (int n = 0; n < g->columns.count; n++) {
        const Run r = g->columns.run[n];
        for (int i = r.i0; i < r.i1; i++) {
            const ColumnSum sum = sum_column(g, s, i, r.j);
            double around = sum.west + sum.south + 2 * sum.lower;
            for (int k = (int)g->bottom_c[AT2(*g, i, r.j)]; k < g->n3; k++)
                around += s->west[AT(*g, i + 1, r.j, k)] + s->south[AT(*g, i, r.j + 1, k)];
            if (sum.stiffest > 0) most = fmax(most, (sum.centre - around) / sum.stiffest);
        }
    }
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, g->comm);
    return most;
}

void correction_setup(Correction *c, const Stencil *s) {
    const Grid *g = c->grid;
    for (int n = 0; n < g->columns.count; n++) {
        const Run r = g->columns.run[n];
        for (int i = r.i0; i < r.i1; i++) {
            const ColumnSum sum = sum_column(g, s, i, r.j);
            const ptrdiff_t m = AT2(*g, i, r.j);
            c->centre[m] = sum.centre - 2 * sum.lower;
            c->west[m] = sum.west;
            c->south[m] = sum.south;
        }
    }
    inner_setup(c->plane, &(Stencil){.g = *g, .centre = c->centre, .west = c->west, .south = c->south});
}

/* How many wet levels: known from the scale once the operator is. */
static Lanes per_level(const MatrixFrame *frame, ptrdiff_t m, int lowest, int levels) {
    Lanes count = lanes_of(0);
    for (int k = lowest; k < levels; k++)
        count += lanes_select(frame->scale[m + k] > 0, lanes_of(1), lanes_of(0));
    return lanes_select(count > 0, lanes_of(1) / lanes_select(count > 0, count, lanes_of(1)), lanes_of(0));
}

void correction_split(Correction *c, const MatrixFrame *frame, const Lanes *r, Lanes *rest) {
    const LaneLayout *layout = c->layout, *flat = c->plane->layout;
    Inner *plane = c->plane;
    FOR_STEPS(layout, g, s, m) {
        const int at = g * layout->steps + s, lowest = layout->lowest[at];
        Lanes sum = lanes_of(0);
        FOR_LEVELS(layout, g, s, k) sum = lanes_fma(r[m + k], frame->unscale[m + k], sum);
        c->levels[at] = per_level(frame, m, lowest, layout->levels);
        const Lanes mean = sum * c->levels[at];
        FOR_LEVELS(layout, g, s, k) rest[m + k] = lanes_fma(-frame->scale[m + k], mean, r[m + k]);
        const LaneMask own = lane_mask(layout, g, s);
        const ptrdiff_t n = lane_at(flat, g, s);
        plane->r[n] = lanes_select(own, sum * plane->frame->scale[n], lanes_of(0));
        plane->sum[0][at] = lanes_select(own, sum * sum, lanes_of(0));
    }
    double square;
    lanes_totals(layout, 1, plane->sum, &square);
    lanes_clear(flat, plane->x);
    matm_conjugate(plane, DIGITS * sqrt(square), MOST_ITERATIONS);
}

void correction_join(Correction *c, const MatrixFrame *frame, Lanes *z) {
    const LaneLayout *layout = c->layout, *flat = c->plane->layout;
    const Inner *plane = c->plane;
    FOR_STEPS(layout, g, s, m) {
        Lanes sum = lanes_of(0);
        FOR_LEVELS(layout, g, s, k) sum = lanes_fma(z[m + k], frame->scale[m + k], sum);
        const ptrdiff_t n = lane_at(flat, g, s);
        const Lanes found = plane->x[n] * plane->frame->scale[n];
        const Lanes change = found - sum * c->levels[g * layout->steps + s];
        FOR_LEVELS(layout, g, s, k) z[m + k] = lanes_fma(frame->unscale[m + k], change, z[m + k]);
    }
}
