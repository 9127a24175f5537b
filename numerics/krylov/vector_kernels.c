/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/krylov/vector_kernels.h"

KERNEL_CELLS(cg_advance, CgAdvance) {
    ptrdiff_t m = AT(a->g, i, j, k);
    a->x[m] += a->step * a->p[m];
    a->r[m] -= a->step * a->q[m];
    if (a->diagonal) a->z[m] = a->r[m] / a->diagonal[m];
}

KERNEL_CELLS(cg_direction, CgDirection) {
    ptrdiff_t m = AT(a->g, i, j, k);
    a->p[m] = a->z[m] + a->factor * a->p[m];
}

KERNEL_CELLS(diagonal_solve, DiagonalSolve) {
    ptrdiff_t m = AT(a->g, i, j, k);
    a->z[m] = a->r[m] / a->diagonal[m];
}
