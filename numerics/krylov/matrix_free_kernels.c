/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/krylov/matrix_free_kernels.h"

KERNEL_COLUMNS(free_compare, FreeCompare) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    double square[LANES] = {0}, product[LANES] = {0};
    for (int k = deepest_layer(a->g.bottom_c + first, a->g.n3); k <= a->g.n3; k++) {
        const double *rhs = a->rhs + first + k * a->g.plane, *x = a->x + first + k * a->g.plane;
        PREFETCH(rhs + BLOCK); /* the next block comes from memory, level by level */
        PREFETCH(x + BLOCK);
        FOR_LANES (l) {
            square[l] += rhs[l] * rhs[l];
            product[l] += rhs[l] * x[l];
        }
    }
    FOR_LANES (l) {
        a->square[first + l] = square[l];
        a->product[first + l] = product[l];
    }
}

KERNEL_COLUMNS(free_start, FreeStart) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    double square[LANES] = {0};
    for (int k = deepest_layer(a->g.bottom_c + first, a->g.n3); k <= a->g.n3; k++) {
        const ptrdiff_t layer = first + k * a->g.plane;
        const double *rhs = a->rhs + layer, *q = a->q + layer;
        double *x = a->x + layer, *r = a->r + layer;
        PREFETCH(rhs + BLOCK);
        PREFETCH(q + BLOCK);
        PREFETCH(x + BLOCK);
        PREFETCH(r + BLOCK);
        FOR_LANES (l) {
            r[l] = rhs[l] - a->factor * q[l];
            x[l] *= a->factor;
            square[l] += r[l] * r[l];
        }
    }
    FOR_LANES (l) a->square[first + l] = square[l];
}

KERNEL_COLUMNS(free_turn, FreeTurn) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    for (int k = deepest_layer(a->g.bottom_c + first, a->g.n3); k <= a->g.n3; k++) {
        const double *z = a->z + first + k * a->g.plane;
        double *p = a->p + first + k * a->g.plane;
        PREFETCH(z + BLOCK);
        PREFETCH(p + BLOCK);
        FOR_LANES (l) p[l] = z[l] + a->factor * p[l];
    }
}

KERNEL_COLUMNS(free_advance, FreeAdvance) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    double square[LANES] = {0};
    for (int k = deepest_layer(a->g.bottom_c + first, a->g.n3); k <= a->g.n3; k++) {
        const ptrdiff_t layer = first + k * a->g.plane;
        const double *p = a->p + layer, *q = a->q + layer;
        double *x = a->x + layer, *r = a->r + layer;
        PREFETCH(p + BLOCK);
        PREFETCH(q + BLOCK);
        PREFETCH(x + BLOCK);
        PREFETCH(r + BLOCK);
        FOR_LANES (l) {
            x[l] += a->step * p[l];
            r[l] -= a->step * q[l];
            square[l] += r[l] * r[l];
        }
    }
    FOR_LANES (l) a->square[first + l] = square[l];
}
