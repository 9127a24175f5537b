/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/grid/sums.h"

static void sums_of_levels(Exec exec, const Grid *grid, int levels, int count, const double *const *x,
                           const double *const *y, double *values) {
    ExactSum sum[MOST_SUMS] = {0};
    int ranks = grid->decomposition.ranks_x * grid->decomposition.ranks_y;
    ExactSum *begun = reduce_begin(exec, count);
    for (int n = 0; n < count; n++)
        for (ptrdiff_t k = 0; k < levels; k++)
            reduce_add_dot(exec, grid->blocks_c, x[n] + k * grid->plane, y[n] + k * grid->plane, grid->row,
                           &begun[n]);
    reduce_end(exec, count, sum);
    if (ranks > 1)
        MPI_Allreduce(MPI_IN_PLACE, sum, count * EXACT_SUM_LIMBS, MPI_INT64_T, MPI_SUM, grid->comm);
    for (int n = 0; n < count; n++) values[n] = exact_sum_value(&sum[n]);
}

void sums_of_products(Exec exec, const Grid *grid, int count, const double *const *x, const double *const *y,
                      double *values) {
    sums_of_levels(exec, grid, 1, count, x, y, values);
}

void sums_of_products_3d(Exec exec, const Grid *grid, int count, const double *const *x,
                         const double *const *y, double *values) {
    sums_of_levels(exec, grid, grid->n3, count, x, y, values);
}
