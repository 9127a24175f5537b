/* SPDX-License-Identifier: Apache-2.0 */
#include "model/momentum/fall.h"

#define UNCARRIED 4.0 /* cells a step, without advection */

/* Whether a face has a column of uneven ground beside it. */
POINTWISE bool is_uneven_around(const Fall *a, ptrdiff_t m) {
    return a->uneven && max_of(a->uneven[m], a->uneven[m - a->faces.along]) > 0;
}

/* What comes into the column `donor` from the column `source`: its speed towards the donor [m s-1], and its flux [m3 s-1]. */
typedef struct Inflow {
    ptrdiff_t source;
    double speed, flux;
} Inflow;

/* Its speed squared once it is in the donor, as far as it can be what passes face m: less by what it climbed there, with the levels before
 * or after the step. [m2 s-2] */
POINTWISE double square_in_donor(const Fall *a, ptrdiff_t m, ptrdiff_t donor, Inflow in, bool after) {
    const double *bed = a->g.bed, *height = a->before;
    const double before = bed[donor] + height[donor] - (bed[in.source] + height[in.source]);
    const double climbs = max_of(0.0, after ? a->eta[donor] - a->eta[in.source] : before);
    const double part = in.flux / max_of(fabs(a->faces.flux_total[m]), 1e-300);
    const double square = max_of(0.0, in.speed * in.speed - 2.0 * a->gravity * climbs);
    return max_of(0.0, min_of(part, 1.0)) * square;
}

/* From behind the column that a face takes its water from, and from its sides. */
typedef struct Inflows {
    ptrdiff_t donor;
    Inflow behind, low, high;
} Inflows;

POINTWISE Inflows find_inflows(const Fall *a, ptrdiff_t m, ptrdiff_t mk, double direction) {
    const ptrdiff_t along = a->faces.along, cross = a->faces.cross, layer = mk - m;
    const ptrdiff_t donor = direction > 0 ? m - along : m;
    const double *u = a->faces.velocity + layer, *v = a->across + layer;
    const double *flux = a->faces.flux_total, *flux_across = a->flux_across;
    const Inflow forth = {donor - along, max_of(0.0, u[m - along]), flux[m - along]},
                 back = {donor + along, max_of(0.0, -u[m + along]), -flux[m + along]};
    const Inflows found = {donor,
                           direction > 0 ? forth : back,
                           {donor - cross, max_of(0.0, v[donor]), flux_across[donor]},
                           {donor + cross, max_of(0.0, -v[donor + cross]), -flux_across[donor + cross]}};
    return found;
}

/* The speed of what comes in, at its most. [m s-1] */
POINTWISE double fastest_inflow(const Inflows *in) {
    const double aside = max_of(in->low.speed, in->high.speed);
    return sqrt(in->behind.speed * in->behind.speed + aside * aside);
}

/* The speed of the donor's water by what comes in. [m s-1] */
POINTWISE double speed_in_donor(const Fall *a, ptrdiff_t m, const Inflows *in, bool after) {
    if (!is_uneven_around(a, m)) return fastest_inflow(in);
    const double aside = max_of(square_in_donor(a, m, in->donor, in->low, after),
                                square_in_donor(a, m, in->donor, in->high, after));
    return sqrt(square_in_donor(a, m, in->donor, in->behind, after) + aside);
}

/* What a layer may have at most; `rise` of the level along the face's direction, before and after the step, `slope` as acceleration,
 * `crest`: what the velocity would be without the slope is not known. [m s-1] */
POINTWISE double most_speed(const Fall *a, ptrdiff_t m, ptrdiff_t mk, const double rise[2], double slope,
                            bool crest) {
    const Faces *f = &a->faces;
    const double u = f->predicted[mk], direction = u > 0 ? 1.0 : -1.0, old = fabs(f->velocity[mk]);
    const Inflows in = find_inflows(a, m, mk, direction);
    const double without = max_of(0.0, direction * (u + slope * f->response[mk]));
    /* advection brings no more than what is around */
    const double carried = is_uneven_around(a, m) ? max_of(old, fastest_inflow(&in)) : old;
    const double others = crest ? 0.0 : max_of(0.0, without - carried);
    const double kept = f->drag[m] > 0 ? max_of(without, direction * f->velocity[mk]) : without;
    double square = 0.0;
    for (int after = 0; after < 2; after++) {
        const double brought = min_of(kept, speed_in_donor(a, m, &in, after) + others);
        const double fall = max_of(0.0, -direction * rise[after]);
        square = max_of(square, brought * brought + 2.0 * a->gravity * fall);
    }
    return sqrt(square);
}

KERNEL_CELLS(fall_limit, Fall) {
    const Faces *f = &a->faces;
    const ptrdiff_t m = AT2(a->g, i, j), back = m - f->along;
    const double passing = (a->carried ? 1.0 : UNCARRIED) * f->spacing[j] / a->dt;
    (void)k;
    if (!(f->fastest[m] > passing) || f->given[m] != 0) return;
    const double *bed = a->g.bed, *before = a->before, *increment = a->increment;
    const double rise[2] = {bed[m] + before[m] - (bed[back] + before[back]), a->eta[m] - a->eta[back]};
    const double solved = max_of(increment[m], -before[m]) - max_of(increment[back], -before[back]);
    const double felt = f->lift ? rise[0] - f->lift[m] : rise[0]; /* as in surface_slope.h */
    const double slope = a->gravity * (felt + f->theta[m] * solved) / f->spacing[j];
    const bool crest = f->bed[m] > max_of(bed[m], bed[back]);
    double fastest = 0.0, excess = 0.0;
    for (int level = (int)f->bottom[m]; level < a->g.n3; level++) {
        const ptrdiff_t mk = m + level * a->g.plane;
        const double u = f->predicted[mk];
        const double most = max_of(passing, most_speed(a, m, mk, rise, slope, crest));
        const double limited = fabs(u) > most ? (u > 0 ? most : -most) : u;
        f->predicted[mk] = limited;
        fastest = max_of(fastest, fabs(limited));
        excess += fabs(limited) < IMPOSSIBLE_SPEED ? 0.0 : 1.0; /* also NaN */
    }
    f->fastest[m] = fastest;
    f->excess[m] = excess;
}
