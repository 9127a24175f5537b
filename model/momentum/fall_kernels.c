/* SPDX-License-Identifier: Apache-2.0 */
#include "model/momentum/fall.h"

#define UNCARRIED 4.0 /* cells a step, without advection */

/* The speed of what comes into the column that a face takes its water from, through the column's other faces. [m s-1] */
POINTWISE double speed_behind(const Fall *a, ptrdiff_t mk, double direction) {
    const ptrdiff_t along = a->faces.along, donor = direction > 0 ? mk - along : mk;
    const double *u = a->faces.velocity, *v = a->across;
    const double straight = max_of(0.0, direction > 0 ? u[mk - along] : -u[mk + along]);
    const double aside = max_of(0.0, max_of(v[donor], -v[donor + a->faces.cross]));
    return sqrt(straight * straight + aside * aside);
}

/* What a layer may have at most; `rise` of the level along the face's direction, `slope` as acceleration, `crest`: what the
 * velocity would be without the slope is not known. [m s-1] */
POINTWISE double most_speed(const Fall *a, ptrdiff_t m, ptrdiff_t mk, const double rise[2], double slope,
                            bool crest) {
    const Faces *f = &a->faces;
    const double u = f->predicted[mk], direction = u > 0 ? 1.0 : -1.0;
    const double without = max_of(0.0, direction * (u + slope * f->response[mk]));
    const double others = crest ? 0.0 : max_of(0.0, without - fabs(f->velocity[mk]));
    const double kept = f->drag[m] > 0 ? max_of(without, direction * f->velocity[mk]) : without;
    const double brought = min_of(kept, speed_behind(a, mk, direction) + others);
    const double fall = max_of(0.0, max_of(-direction * rise[0], -direction * rise[1]));
    return sqrt(brought * brought + 2.0 * a->gravity * fall);
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
    const double slope = a->gravity * (rise[0] + f->theta[m] * solved) / f->spacing[j];
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
