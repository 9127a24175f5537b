/* SPDX-License-Identifier: Apache-2.0 */
#include "model/density/layering.h"

#include "base/memory.h"
#include "gpu/device.h"
#include "numerics/grid/sums.h"
#include <math.h>

/* Beyond it a gradient is hardly known, and soon another. */
static const double MOST_OVER = 4;

/* Half of what the lowest layer lacks of its level; less than 0 where it holds the rest of one below. */
static double lacking(const Grid *g, ptrdiff_t m) {
    const double *z = g->axes.interfaces;
    const int k = (int)g->bottom_c[m];
    if (k >= g->n3 - 1) return 0;
    const ptrdiff_t here = m + k * g->plane;
    const double whole = z[k + 1] - z[k], above = z[k + 2] - z[k + 1];
    return 0.5 * (whole - g->phi_c[here] / g->phi_c[here + g->plane] * above);
}

/* Mean density gradient between the levels k - 1 and k. */
static double mean_gradient(Exec exec, const Grid *g, const Layering *y, int k, double *drop, double *apart) {
    for (int n = 0; n < g->columns.count; n++) {
        const Run *run = &g->columns.run[n];
        for (ptrdiff_t m = AT2(*g, run->i0, run->j), end = m + run->i1 - run->i0; m < end; m++) {
            const double *density = y->density + m + k * g->plane;
            const bool both = g->bottom_c[m] < k, lowest = g->bottom_c[m] == k - 1;
            drop[m] = both ? density[-g->plane] - density[0] : 0;
            apart[m] = both ? y->apart[k] - (lowest ? y->lacks[m] : 0) : 0;
        }
    }
    double sum[2];
    sums_of_products(exec, g, 2, (const double *[]){g->area, g->area}, (const double *[]){drop, apart}, sum);
    return sum[1] > 0 ? fmax(0, sum[0] / sum[1]) : 0;
}

static double ratio(double beyond, double near, double largest) {
    return near > 1e-6 * largest ? fmin(MOST_OVER, beyond / near) : 1;
}

static void find_ends(Exec exec, const Grid *g, const Layering *y, double *end) {
    const int n3 = g->n3;
    double *drop = field2_create(g), *apart = field2_create(g), *gradient = ALLOCATE(n3 + 1, double);
    double largest = 0;
    exec_wait(exec);
    for (int k = 1; k < n3; k++) {
        gradient[k] = mean_gradient(exec, g, y, k, drop, apart);
        largest = fmax(largest, gradient[k]);
    }
    gradient[0] = fmin(gradient[1], gradient[n3 > 2 ? 2 : 1]);
    gradient[n3] = fmin(gradient[n3 - 1], gradient[n3 > 2 ? n3 - 2 : 1]);
    for (int k = 0; k < n3 - 1; k++) end[k] = ratio(gradient[k], gradient[k + 1], largest);
    end[n3 - 1] = ratio(gradient[n3], gradient[n3 - 1], largest);
    memory_free(gradient);
    field2_destroy(g, &apart);
    field2_destroy(g, &drop);
}

void layering_create(Exec exec, const Grid *g, const double *density, Layering *out) {
    const double *z = g->axes.interfaces;
    double *lacks = field2_create(g), *apart = ALLOCATE(g->n3 + 1, double), *end = ALLOCATE(g->n3, double);
    *out = (Layering){density, lacks, apart, end};
    for (int k = 0; k <= g->n3; k++)
        apart[k] = 0.5 * (z[k < g->n3 ? k + 1 : k] - z[k > 0 ? k - 1 : k]) * (k == 0 || k == g->n3 ? 2 : 1);
    for (int j = -HALO; j < g->n2 + HALO; j++)
        for (int i = -HALO; i < g->n1 + HALO; i++) lacks[AT2(*g, i, j)] = lacking(g, AT2(*g, i, j));
    find_ends(exec, g, out, end);
}

void layering_destroy(const Grid *grid, Layering *y) {
    double *lacks = (double *)y->lacks, *apart = (double *)y->apart, *end = (double *)y->end;
    field2_destroy(grid, &lacks);
    memory_free(apart);
    memory_free(end);
    *y = (Layering){0};
}
