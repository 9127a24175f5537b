/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/grid/sums.h"

#include "numerics/grid/traffic.h"

void sums_own(Exec exec, const Grid *grid, int levels, int count, const double *const *x,
              const double *const *y, ExactSum *sum) {
    for (int n = 0; n < count; n++) exact_sum_clear(&sum[n]);
    sums_begin(exec, grid, levels, count, x, y, sum);
    results_fetch(exec);
}

void sums_begin(Exec exec, const Grid *grid, int levels, int count, const double *const *x,
                const double *const *y, ExactSum *sum) {
    ExactSum *begun = reduce_begin(exec, count, sum);
    for (int n = 0; n < count; n++)
        for (ptrdiff_t k = 0; k < levels; k++)
            reduce_add_dot(exec, grid->blocks_c, x[n] + k * grid->plane, y[n] + k * grid->plane, grid->row,
                           &begun[n]);
}

/* The values of sums of which each rank has a part. */
static void join_ranks(const Grid *grid, int count, ExactSum *sum, double *values) {
    const int ranks = decomposition_ranks(&grid->decomposition);
    traffic.sums++;
    traffic.summed += count * EXACT_SUM_LIMBS;
    if (ranks > 1) traffic_reduce(sum, count * EXACT_SUM_LIMBS, MPI_INT64_T, MPI_SUM, grid->comm);
    for (int n = 0; n < count; n++) values[n] = exact_sum_value(&sum[n]);
}

static void sums_of_levels(Exec exec, const Grid *grid, int levels, int count, const double *const *x,
                           const double *const *y, double *values) {
    ExactSum sum[MOST_SUMS];
    sums_own(exec, grid, levels, count, x, y, sum);
    join_ranks(grid, count, sum, values);
}

void sums_of_products(Exec exec, const Grid *grid, int count, const double *const *x, const double *const *y,
                      double *values) {
    sums_of_levels(exec, grid, 1, count, x, y, values);
}

void sums_of_products_3d(Exec exec, const Grid *grid, int count, const double *const *x,
                         const double *const *y, double *values) {
    sums_of_levels(exec, grid, grid->n3, count, x, y, values);
}

void sums_ask(Tally *tally, const Grid *grid, int levels, const double *x, const double *y, double *answer) {
    sums_begin(grid->exec, grid, levels, 1, &x, &y, tally_ask_sums(tally, 1, answer));
}
