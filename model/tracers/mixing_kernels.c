/* SPDX-License-Identifier: Apache-2.0 */
#include "model/tracers/transport.h"

/* From the surface down, with s_k = h_k and e_k = dt K/dz between layer k and the one below:
 *
 *     s'_top = s_top,   d_k = s'_k + e_k,   s'_{k-1} = s_{k-1} + (e_k / d_k) s'_k
 *
 * right sides likewise; then from the bed up. */

typedef struct Elimination {
    double ratio[MAX_LEVELS][LANES];   /* e/d */
    double inverse[MAX_LEVELS][LANES]; /* 1/d */
    double most[LANES];                /* of the column's exchanges: where it is 0, not even roundings mix */
} Elimination;

POINTWISE void eliminate(const Mixing *a, ptrdiff_t first, int deepest, Elimination *e) {
    double mass[LANES] = {0}, ratio[LANES] = {0};
    FOR_LANES (l) e->most[l] = 0.0;
    for (int k = a->g.n3 - 1; k >= deepest; k--) {
        const ptrdiff_t layer = first + k * a->g.plane;
        const double *phi = a->g.phi_c + layer, *phi_below = phi - a->g.plane, *depth = a->depth + first;
        FOR_LANES (l) {
            const bool has_below = a->g.bottom_c[first + l] < k;
            const double dz = 0.5 * (phi[l] + phi_below[l]) * depth[l];
            const double exchange = a->dt * a->diffusivity[layer + l] / max_of(dz, 1e-300);
            const double down = has_below ? exchange : 0.0;
            e->most[l] = max_of(e->most[l], down);
            mass[l] = phi[l] * depth[l] + ratio[l] * mass[l];
            const double sum = mass[l] + down;
            const double inverse = sum > 0 ? 1.0 / sum : 0.0;
            ratio[l] = down * inverse;
            e->ratio[k][l] = ratio[l];
            e->inverse[k][l] = inverse;
        }
    }
}

KERNEL_COLUMNS(mix_columns, Mixing) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    const int top = a->g.n3 - 1;
    double deepest = a->g.n3, right[MAX_LEVELS][LANES];
    Elimination e;
    for (int l = 0; l < LANES; l++) deepest = min_of(deepest, a->g.bottom_c[first + l]);
    eliminate(a, first, (int)deepest, &e);
    for (int n = 0; n < a->count; n++) {
        double *c = a->c[n] + first;
        double base[LANES], sum[LANES] = {0}, ratio[LANES] = {0}, below[LANES] = {0};
        FOR_LANES (l) base[l] = c[l + top * a->g.plane];
        for (int k = top; k >= (int)deepest; k--) {
            const ptrdiff_t layer = k * a->g.plane;
            FOR_LANES (l) {
                const double h = a->g.phi_c[first + layer + l] * a->depth[first + l];
                sum[l] = h * (c[layer + l] - base[l]) + ratio[l] * sum[l];
                ratio[l] = e.ratio[k][l];
                right[k][l] = sum[l] * e.inverse[k][l];
            }
        }
        for (int k = (int)deepest; k <= top; k++) {
            const ptrdiff_t layer = k * a->g.plane;
            FOR_LANES (l) {
                const bool here =
                    (a->g.bottom_c[first + l] <= k) & (a->depth[first + l] > 0) & (e.most[l] > 0);
                below[l] = right[k][l] + e.ratio[k][l] * below[l];
                const double mixed = base[l] + below[l];
                c[layer + l] = here ? mixed : c[layer + l];
            }
        }
    }
}
