/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/measure.h"
#include "model/tracers/mixing_layers.h"

/* The terms of a column (tracers.h), all at the new time:
 *
 *     h_k (c_k - c_k,before) = e_k (c_{k-1} - c_k) - dt w c_k          through the lower face of layer k
 *                            - e_{k+1} (c_k - c_{k+1}) + dt w c_{k+1}  through the upper face
 *                            + dt (E - D) in the lowest layer          erosion, deposition (bed.h)
 *
 * with w the speed of settling and e_k the mixing between layer k and the one below. Where nothing settles, that is
 * dt K/dz; else the flux of the profile that settling and mixing have in balance between two centres, an exponential
 * (D. L. Scharfetter and H. K. Gummel, IEEE Trans. Electron Devices 16 (1969) 64-77), with P = |w| dz/K:
 *
 *     e_k = dt K/dz P / (exp(P) - 1)
 *
 * So a balance with constant K is exact whatever dz; for P >> 1 it tends to upwind, which it is where K is 0. Where w is
 * negative, -dt w goes up with e_k. From the surface down, with s_k = h_k and b_k = e_k + dt w, what goes down:
 *
 *     s'_top = s_top,   d_k = s'_k + b_k,   s'_{k-1} = s_{k-1} + (e_k / d_k) s'_k
 *     r'_top = r_top,                       r'_{k-1} = r_{k-1} + (b_k / d_k) r'_k
 *
 * then from the bed up  c_k = r'_k / d_k + (e_k / d_k) c_{k-1}.
 *
 * Where the lowest layer gives to the bed and takes from it, with p = (1 - tau/tau_d)+, it is
 *
 *     c (s' + dt w p) = r' + dt E,   and if that leaves less than nothing of B:   c s' = r' + B.
 *
 * At the end ageing a and decay l:   c' = (c + dt a) / (1 + dt l). */

SIZED_STRUCT(Elimination) {
    double ratio[COLUMN_LEVELS][LANES];   /* e/d */
    double down[COLUMN_LEVELS][LANES];    /* b/d */
    double inverse[COLUMN_LEVELS][LANES]; /* 1/d */
    double most[LANES]; /* of the column's exchanges: where it is 0, not even roundings mix */
};

SIZED POINTWISE void eliminate(const Mixing *a, ptrdiff_t first, int deepest, double settling,
                               Elimination OF_LEVELS *e) {
    double mass[LANES] = {0}, ratio[LANES] = {0};
    FOR_LANES (l) e->most[l] = 0.0;
    for (int k = a->g.n3 - 1; k >= deepest; k--) {
        const ptrdiff_t layer = first + k * a->g.plane;
        const double *phi = a->g.phi_c + layer, *depth = a->depth + first;
        double up[LANES], down[LANES];
        if (a->diffusivity) PREFETCH(a->diffusivity + layer + 2 * LANES); /* the block after next */
        mixing_rates(a, first, k, settling, up, down);
        FOR_LANES (l) {
            e->most[l] = max_of(e->most[l], max_of(up[l], down[l]));
            mass[l] = phi[l] * depth[l] + ratio[l] * mass[l];
            const double sum = mass[l] + down[l];
            const double inverse = sum > 0 ? 1.0 / sum : 0.0;
            ratio[l] = up[l] * inverse;
            e->down[k][l] = down[l] * inverse;
            e->ratio[k][l] = ratio[l];
            e->inverse[k][l] = inverse;
        }
    }
}

/* ---- contents ---- */

KERNEL_COLUMNS(find_contents, Mixing) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    const int deepest = deepest_layer(a->g.bottom_c + first, a->g.n3);
    double lowest[LANES];
    find_lowest(a, first, lowest);
    for (int n = 0; n < a->count; n++) {
        Gathered gathered;
        gather_begin(&gathered);
        for (int k = deepest; k < a->g.n3; k++) {
            const ptrdiff_t layer = first + k * a->g.plane;
            gather(&gathered, a->g.phi_c + layer, a->c[n] + layer, lowest, k);
        }
        gather_end(&gathered, a->depth, &a->contents[n], first);
    }
}

MAX_CELLS(tracer_bounds, TracerBounds, 2) {
    const ptrdiff_t m = j * a->row + i;
    (void)k;
    most[0] = max_of(-a->least[m], most[0]);
    most[1] = max_of(a->most[m], most[1]);
}

/* From the surface down: c = r' / d without what comes up from below, as a deviation from `base`. */
SIZED POINTWISE void sum_down(const Mixing *a, ptrdiff_t first, int deepest, const Elimination OF_LEVELS *e,
                              const double *c, const double *base, double right[][LANES]) {
    double sum[LANES] = {0}, ratio[LANES] = {0};
    for (int k = a->g.n3 - 1; k >= deepest; k--) {
        const ptrdiff_t layer = k * a->g.plane;
        FOR_LANES (l) {
            const double h = a->g.phi_c[first + layer + l] * a->depth[first + l];
            sum[l] = h * (c[layer + l] - base[l]) + ratio[l] * sum[l];
            ratio[l] = e->down[k][l];
            right[k][l] = sum[l] * e->inverse[k][l];
        }
    }
}

SIZED POINTWISE void exchange_with_beds(const Mixing *a, int n, ptrdiff_t first,
                                        const Elimination OF_LEVELS *e, double right[][LANES]) {
    for (int l = 0; l < LANES; l++) {
        const int k = (int)a->g.bottom_c[first + l];
        if (k < a->g.n3 && a->depth[first + l] > 0)
            right[k][l] = exchange_with_bed(a, n, first + l, k, right[k][l], e->inverse[k][l]);
    }
}

KERNEL_CELLS(mix_flanks, Mixing) {
    const ptrdiff_t m = AT(a->g, i, j, k);
    for (int n = 0; n < a->count && a->depth[m] > 0; n++)
        for (int layer = a->g.n3 - 1; layer > (int)a->g.bottom_c[m] && a->bed[n].store; layer--) {
            const ptrdiff_t mk = m + layer * a->g.plane;
            const double h = a->g.phi_c[mk] * a->depth[m];
            a->c[n][mk] = exchange_with_bed(a, n, m, layer, a->c[n][mk], 1.0 / h);
        }
}

KERNEL_LEVELS(mix_columns, Mixing, 4) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    const int top = a->g.n3 - 1;
    const int deepest = deepest_layer(a->g.bottom_c + first, a->g.n3);
    double lowest[LANES], right[COLUMN_LEVELS][LANES];
    Elimination OF_LEVELS e;
    find_lowest(a, first, lowest);
    for (int n = 0; n < a->count; n++) {
        const double settling = a->settling[n];
        double below[LANES] = {0};
        Gathered gathered;
        gather_begin(&gathered);
        EndOfStep end;
        end_of_step(a, n, first, lowest, &end);
        if (n == 0 || settling != a->settling[n - 1]) eliminate(a, first, deepest, settling, &e);
        sum_down(a, first, deepest, &e, end.c, end.base, right);
        if (end.has_bed) exchange_with_beds(a, n, first, &e, right);
        for (int k = deepest; k <= top; k++) {
            FOR_LANES (l) below[l] = right[k][l] + e.ratio[k][l] * below[l];
            end_layer(&end, first, k, below, e.most, &gathered);
        }
        gather_end(&gathered, a->depth, &a->contents[n], first);
    }
}
