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
#include "numerics/matm/correction_steps.h"
#include "numerics/matm/solver.h"
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

ColumnHold correction_hold(const Grid *g, const Stencil *s) {
    double held[2] = {0, -INFINITY}; /* the most, and minus the least */
    for (int n = 0; n < g->columns.count; n++) {
        const Run r = g->columns.run[n];
        for (int i = r.i0; i < r.i1; i++) {
            const ColumnSum sum = sum_column(g, s, i, r.j);
            double around = sum.west + sum.south + 2 * sum.lower;
            for (int k = (int)g->bottom_c[AT2(*g, i, r.j)]; k < g->n3; k++)
                around += s->west[AT(*g, i + 1, r.j, k)] + s->south[AT(*g, i, r.j + 1, k)];
            if (!(sum.stiffest > 0)) continue;
            const double hold = (sum.centre - around) / sum.stiffest;
            held[0] = fmax(held[0], hold);
            held[1] = fmax(held[1], -hold);
        }
    }
    MPI_Allreduce(MPI_IN_PLACE, held, 2, MPI_DOUBLE, MPI_MAX, g->comm);
    return (ColumnHold){held[0], -held[1]};
}

static void sum_columns(const Correction *c, const Stencil *s) {
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
}

void correction_setup(Correction *c, const Stencil *s) {
    const Grid *g = c->grid;
    if (c->layout->exec.device == DEVICE_CPU)
        sum_columns(c, s);
    else
        sum_stencil(c->layout, (SumStencil){g->bottom_c, s->centre, s->west, s->south, s->lower, g->row,
                                            g->plane, c->centre, c->west, c->south});
    inner_setup(c->plane,
                &(Stencil){.g = grid_view(g), .centre = c->centre, .west = c->west, .south = c->south});
}

void correction_split(Correction *c, const MatrixFrame *frame, const Lanes *r, Lanes *rest) {
    Inner *plane = c->plane;
    double square;
    split_columns(c->layout, (SplitColumns){*lane_shape(plane->layout), r, frame->scale, frame->unscale,
                                            plane->frame->scale, c->levels, rest, plane->r, plane->sum[0]});
    lanes_totals(c->layout, 1, plane->sum, &square);
    plane->norm = sqrt(square);
    int iterations = matm_conjugate(plane, DIGITS * plane->norm, MOST_ITERATIONS);
    if (iterations == MATM_LATE) {
        results_fetch(c->layout->exec);
        (void)matm_late_end(plane, &iterations);
    }
    if (iterations == 0) lanes_clear(plane->layout, plane->x);
}

void correction_join(Correction *c, const MatrixFrame *frame, Lanes *z) {
    const Inner *plane = c->plane;
    join_columns(c->layout, (JoinColumns){*lane_shape(plane->layout), frame->scale, frame->unscale,
                                          plane->frame->scale, plane->x, c->levels, z});
}
