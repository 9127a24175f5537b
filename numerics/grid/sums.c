/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/grid/sums.h"

void sums_of_products(Exec exec, const Grid *grid, int count, const double *const *x, const double *const *y,
                      double *values) {
    ExactSum sum[MOST_SUMS];
    int ranks = grid->decomposition.ranks_x * grid->decomposition.ranks_y;
    for (int n = 0; n < count; n++) {
        exact_sum_clear(&sum[n]);
        reduce_dot(exec, grid->blocks_c, x[n], y[n], grid->row, &sum[n]);
    }
    if (ranks > 1)
        MPI_Allreduce(MPI_IN_PLACE, sum, count * EXACT_SUM_LIMBS, MPI_INT64_T, MPI_SUM, grid->comm);
    for (int n = 0; n < count; n++) values[n] = exact_sum_value(&sum[n]);
}
