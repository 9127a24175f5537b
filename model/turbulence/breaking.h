/* SPDX-License-Identifier: Apache-2.0
 *
 * Waves that break at the surface, for k-epsilon: their flux of k, F = alpha u*^3 with u* of the wind in the water (P. D.
 * Craig, M. L. Banner, J. Phys. Oceanogr. 24 (1994) 2546-2559: alpha = 100), enters at zeta = z0, with zeta the distance
 * to the surface and the roughness z0 of waves. Where l = kappa zeta is the length of eddies, nu = c kappa zeta sqrt(k),
 * eps = cmu0^3 k^(3/2) / (kappa zeta), and diffusion alone feeds the sink, k^(3/2) obeys a linear equation, with
 *
 *     k^(3/2) = shear's + W,   W = F/(c kappa m) (zeta/z0)^(-3m/2),   flux of k = F (zeta/z0)^(-3m/2),
 *     m^2 = 2/3 cmu0^3 / (c kappa^2),   c = n0/cmu0^3                                    (sigma_k = 1; no shear, no N^2)
 *
 * so eps falls by zeta^-2.4. It solves the equation of eps, too, if there
 *
 *     sigma_e = (1 + 3/2 m) (1 + 2 m) c kappa^2 / (c2 cmu0^3)
 *
 * stands for the one of the law of the wall; between the two the one by P/eps is taken, as H. Burchard, J. Phys. Oceanogr.
 * 31 (2001) 3133-3145, does. The uppermost interface gets what has come down to the middle of its upper layer, and its sinks
 * count as their mean over the slice of the interface, so that the law holds in layers of any thickness.
 */
#ifndef MAEOTIS_MODEL_BREAKING_H
#define MAEOTIS_MODEL_BREAKING_H

#include "gpu/elementary.h"
#include "model/turbulence/walls.h"

/* c of nu = c kappa zeta sqrt(k), without shear, and m. */
typedef struct BreakingLaw {
    double c, m;
} BreakingLaw;

POINTWISE BreakingLaw breaking_law(const Stability *s) {
    const double cube = s->cmu0 * s->cmu0 * s->cmu0, c = s->n[0] / cube;
    return (BreakingLaw){c, sqrt(2.0 / 3 * cube / (c * KARMAN * KARMAN))};
}

POINTWISE double breaking_sigma(const Stability *s, double c2) {
    const BreakingLaw law = breaking_law(s);
    const double cube = s->cmu0 * s->cmu0 * s->cmu0;
    return (1.0 + 1.5 * law.m) * (1.0 + 2.0 * law.m) * law.c * KARMAN * KARMAN / (c2 * cube);
}

/* The uppermost interface of a block's columns. */
typedef struct Breaking {
    double flux[LANES];               /* of k in the middle of the layer above [m3 s-3] */
    double zeta[LANES];               /* there [m] */
    double above[LANES], here[LANES]; /* W there and at the interface [m3 s-3] */
    double tke_weight[LANES],
        eps_weight[LANES]; /* mean of the sinks of W over the slice, over those in its middle */
} Breaking;

/* (over^-p - under^-p) / (p (under - over)) here^(p + 1): mean of zeta^-(p+1) between the two, over that at `here`. */
POINTWISE double mean_of_power(double over, double here, double under, double p) {
    const double mean = elementary_power(here / over, p) - elementary_power(here / under, p);
    return mean * here / (p * (under - over));
}

/* u*^3 of the wind, with the mean stress of a column's faces. [m3 s-3] */
POINTWISE double friction_cubed(const TurbulentColumns *a, ptrdiff_t m) {
    const double x = 0.5 * (a->stress_u[m] + a->stress_u[m + 1]);
    const double y = 0.5 * (a->stress_v[m] + a->stress_v[m + a->g.row]);
    const double square = sqrt(x * x + y * y);
    return square * sqrt(square);
}

/* Nothing breaks over a smooth surface. */
POINTWISE void breaking_find(const TurbulentColumns *a, ptrdiff_t first, Breaking *b) {
    const ptrdiff_t top = first + (a->g.n3 - 1) * a->g.plane;
    const BreakingLaw law = breaking_law(&a->stability);
    for (int l = 0; l < LANES; l++) {
        const double above = layer_thickness(a, first + l, top + l);
        const double below = layer_thickness(a, first + l, top - a->g.plane + l);
        const double rough = surface_roughness(a, first + l);
        const double z0 = max_of(rough, THINNEST), over = 0.5 * above + z0, here = above + z0;
        const double under = above + 0.5 * below + z0, fall = 1.5 * law.m;
        const double entering = rough > 0 ? a->breaking * friction_cubed(a, first + l) : 0.0;
        b->flux[l] = entering * elementary_power(z0 / over, fall);
        b->zeta[l] = over;
        b->above[l] = b->flux[l] / (law.c * KARMAN * law.m);
        b->here[l] = b->above[l] * elementary_power(over / here, fall);
        b->tke_weight[l] = mean_of_power(over, here, under, fall);
        b->eps_weight[l] = mean_of_power(over, here, under, 1.0 + 2.0 * law.m);
    }
}

/* How much of k^(3/2) at the interface is the waves'. */
POINTWISE double breaking_share(const Breaking *b, int l, double tke) {
    return min_of(1.0, b->here[l] / (tke * sqrt(tke)));
}

/* c / sigma_e cmu0^3 times what the flux of eps in the middle of the layer above is per length of eddies:
 * sqrt(k) (k^(3/2)/zeta - (k^(3/2))'), whatever c and sigma_e there. [m2 s-3] */
POINTWISE double breaking_inflow(const TurbulentColumns *a, const Breaking *b, int l, double tke) {
    const BreakingLaw law = breaking_law(&a->stability);
    const double cubed = tke * sqrt(tke) + b->above[l] - b->here[l];
    const double falls = 1.5 * law.m * b->above[l] / b->zeta[l];
    return elementary_cbrt(cubed) * (cubed / b->zeta[l] + falls);
}

#endif
