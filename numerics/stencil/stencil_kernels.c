/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/stencil/stencil.h"

#include "gpu/measure.h"

POINTWISE double applied(const Stencil *s, const double *x, ptrdiff_t m) {
    const ptrdiff_t row = s->g.row;
    double y = s->centre[m] * x[m];
    y -= s->west[m] * x[m - 1] + s->west[m + 1] * x[m + 1];
    y -= s->south[m] * x[m - row] + s->south[m + row] * x[m + row];
    return y;
}

POINTWISE double applied_two_ways(const Stencil *s, const double *x, ptrdiff_t m) {
    const ptrdiff_t row = s->g.row;
    double y = s->centre[m] * x[m];
    y -= s->west[m] * x[m - 1] + s->east[m] * x[m + 1];
    y -= s->south[m] * x[m - row] + s->north[m] * x[m + row];
    return y;
}

KERNEL_CELLS(stencil_apply, StencilApply) {
    ptrdiff_t m = AT(a->s.g, i, j, k);
    a->y[m] = applied(&a->s, a->x, m);
}

KERNEL_CELLS(stencil_residual, StencilResidual) {
    ptrdiff_t m = AT(a->s.g, i, j, k);
    a->residual[m] = a->rhs[m] - applied(&a->s, a->x, m);
}

KERNEL_CELLS(stencil_residual_two_ways, StencilResidual) {
    ptrdiff_t m = AT(a->s.g, i, j, k);
    a->residual[m] = a->rhs[m] - applied_two_ways(&a->s, a->x, m);
}

KERNEL_CELLS(stencil_residual_levels, StencilResidual) {
    const ptrdiff_t m = AT(a->s.g, i, j, k), plane = a->s.g.plane;
    const double vertical = a->s.lower[m] * a->x[m - plane] + a->s.lower[m + plane] * a->x[m + plane];
    a->residual[m] = a->rhs[m] - (applied(&a->s, a->x, m) - vertical);
}

KERNEL_CELLS(stencil_residual_levels_two_ways, StencilResidual) {
    const ptrdiff_t m = AT(a->s.g, i, j, k), plane = a->s.g.plane;
    const double vertical = a->s.lower[m] * a->x[m - plane] + a->s.upper[m] * a->x[m + plane];
    a->residual[m] = a->rhs[m] - (applied_two_ways(&a->s, a->x, m) - vertical);
}

/* A cell at the coast or beside a dry one is never counted: its neighbours decide. */
COUNT_CELLS(stencil_stiff, StencilStiff, 1) {
    const Stencil *s = &a->s;
    const ptrdiff_t m = AT(s->g, i, j, k), east = m + 1, north = m + s->g.row;
    const double sum = s->west[m] + s->west[east] + (s->south[m] + s->south[north]);
    const double weakest = min_of(min_of(s->west[m], s->west[east]), min_of(s->south[m], s->south[north]));
    count[0] += weakest > a->ratio * (s->centre[m] - sum);
}
