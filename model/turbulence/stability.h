/* SPDX-License-Identifier: Apache-2.0
 *
 * Stability functions: the effect of shear and stratification on the eddy viscosity,
 *
 *     nu = (n0 + n1 n + n2 s)/D k^2/eps,   nu_h the same with t,
 *     D  = 1 + d1 n + d2 s + d3 n s + d4 n^2 + d5 s^2
 *
 * of n = (k/eps)^2 N^2 and s = (k/eps)^2 S^2. V. M. Canuto, A. Howard, Y. Cheng, M. S. Dubovikov, J. Phys.
 * Oceanogr. 31 (2001) 1413-1426, model A; Y. Cheng, V. M. Canuto, A. Howard, J. Atmos. Sci. 59 (2002)
 * 1550-1565. As explicit functions, with bounds and the constants of k-epsilon that belong to them: H.
 * Burchard, K. Bolding, J. Phys. Oceanogr. 31 (2001) 1943-1968; L. Umlauf, H. Burchard, Cont. Shelf Res. 25
 * (2005) 795-827.
 */
#ifndef MAEOTIS_MODEL_STABILITY_H
#define MAEOTIS_MODEL_STABILITY_H

#include "gpu/kernel.h"

typedef struct Stability {
    double d[5], n[3], t[3];
    double cmu0;          /* (nu eps / k^2)^(1/4) where production is dissipation */
    double sigma_eps;     /* so that eps and k give the log law near a wall */
    double c3_stable;     /* of buoyancy in eps, where it takes energy: mixing stops at Ri = 1/4 */
    double least_alpha_n; /* n where convection grows without bound */
} Stability;

static const Stability stability_canuto_a = {
    {.25547, .0287163, .00522247, .00867768, -3.37221e-5},
    {.106667, .0173397, -1.20519e-4},
    {.112045, .00451945, 8.87134e-4},
    .5265,
    1.2027,
    -.6209,
    -3.056,
};

static const Stability stability_cheng = {
    {.282619, .0281618, .0055537, .00892705, -5.02712e-5},
    {.107007, .0190117, -1.80236e-4},
    {.120773, .00437583, 5.48342e-4},
    .5270,
    1.2000,
    -.7444,
    -2.724,
};

/* Convection is cut off half way to its pole. */
POINTWISE double stability_bounded_n(const Stability *c, double n) {
    return max_of(0.5 * c->least_alpha_n, n);
}

/* Beyond this much shear less stress would come of more shear, which is unstable in time. */
POINTWISE double stability_bounded_s(const Stability *c, double n, double s) {
    const double *d = c->d, *a = c->n;
    const double over = a[0] + n * (a[1] + d[0] * a[0] + n * (d[0] * a[1] + d[3] * a[0] + n * d[3] * a[1]));
    const double under = d[1] * a[0] + n * (d[1] * a[1] + d[2] * a[0] + n * d[2] * a[1]);
    return min_of(s, over / under);
}

POINTWISE double stability_denominator(const Stability *c, double n, double s) {
    const double *d = c->d;
    return 1.0 + d[0] * n + d[1] * s + d[2] * n * s + d[3] * n * n + d[4] * s * s;
}

#endif
