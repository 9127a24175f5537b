/* SPDX-License-Identifier: Apache-2.0 */
#include "model/momentum/coriolis.h"
#include "model/momentum/rotation.h"

/* dt/2 C x of one layer, from the other component's x = now - old, or now. [m s-1] */
POINTWISE void turn_change(const Momentum *a, const Turning *t, ptrdiff_t layer, const double *now,
                           const double *old, double *change) {
    double velocity[4][LANES];
    UNROLLED for (int s = 0; s < 4; s++) {
        const double *to = now + layer + t->step[s], *from = old ? old + layer + t->step[s] : NULL;
        if (from)
            FOR_LANES (l) velocity[s][l] = to[l] - from[l];
        else
            FOR_LANES (l) velocity[s][l] = to[l];
    }
    turning_sum(a, t, layer, velocity, change);
    FOR_LANES (l) change[l] *= 0.5 * a->dt;
}

/* As in momentum_predict: the block after next. */
POINTWISE void prefetch_change(const RotationSweep *a, ptrdiff_t layer) {
    const Faces *f = &a->momentum.faces, *other = &a->momentum.other;
    const ptrdiff_t ahead = layer + 2 * LANES, next = f->turn > 0 ? ahead + f->cross : ahead - f->along;
    PREFETCH(f->predicted + ahead);
    PREFETCH(f->velocity + ahead);
    PREFETCH(f->phi + ahead);
    PREFETCH(a->found + ahead);
    PREFETCH(other->predicted + ahead);
    PREFETCH(other->velocity + ahead);
    PREFETCH(other->phi + ahead);
    PREFETCH(other->predicted + next);
    PREFETCH(other->velocity + next);
    PREFETCH(other->phi + next);
}

KERNEL_COLUMNS(rotation_sweep, RotationSweep) {
    const Momentum *m = &a->momentum;
    const Faces *f = &m->faces;
    const ptrdiff_t first = AT2(m->g, i0, j);
    double lowest[LANES], turned[LANES], flux[LANES] = {0}, deepest = m->g.n3;
    Turning t;
    turning_begin(m, first, j, &t);
    for (int l = 0; l < LANES; l++) {
        lowest[l] = on_boundary(m, i0 + l, j) ? (double)m->g.n3 : lowest_with_water(&m->g, f, first + l);
        deepest = min_of(deepest, lowest[l]);
    }
    for (int k = (int)deepest; k < m->g.n3; k++) {
        const ptrdiff_t layer = first + k * m->g.plane;
        prefetch_change(a, layer);
        turn_change(m, &t, layer, m->other.predicted, m->other.velocity, turned);
        FOR_LANES (l) {
            const ptrdiff_t mk = layer + l;
            const double old = f->velocity[mk], before = f->predicted[mk], theta = f->theta[first + l];
            const double change = a->kept * (before - old) + a->renewed * (a->found[mk] - old + turned[l]);
            const bool open = lowest[l] <= k;
            const double now = old + change;
            f->predicted[mk] = open ? now : before;
            flux[l] += open ? f->phi[mk] * f->depth[first + l] * (theta * now + (1.0 - theta) * old) : 0.0;
        }
    }
    FOR_LANES (l) {
        const ptrdiff_t m2 = first + l;
        const double given = f->flux_predicted[m2];
        f->flux_predicted[m2] = lowest[l] < m->g.n3 ? f->width[m2] * flux[l] : given;
    }
}

KERNEL_COLUMNS(rotation_follow_sweep, RotationFollow) {
    const Momentum *m = &a->momentum;
    const Faces *f = &m->faces;
    const ptrdiff_t first = AT2(m->g, i0, j);
    const int deepest = deepest_layer(f->bottom + first, m->g.n3);
    double lowest[LANES], given[LANES], push[LANES], turned[LANES] = {0}, flux[LANES] = {0};
    Turning t;
    turning_begin(m, first, j, &t);
    for (int l = 0; l < LANES; l++) {
        lowest[l] = lowest_with_water(&m->g, f, first + l);
        given[l] = on_boundary(m, i0 + l, j) ? 1.0 : 0.0; /* the boundary's velocity, which is not turned */
    }
    FOR_LANES (l) {
        const ptrdiff_t here = first + l, back = here - f->along;
        const double rise = (m->increment[here] - a->before[here]) - (m->increment[back] - a->before[back]);
        push[l] = f->theta[here] * m->slope_gravity / f->spacing[j] * rise;
    }
    for (int k = deepest; k < m->g.n3; k++) {
        const ptrdiff_t layer = first + k * m->g.plane;
        if (a->other) turn_change(m, &t, layer, a->other, NULL, turned);
        FOR_LANES (l) {
            const ptrdiff_t mk = layer + l;
            const double change = -push[l] * f->response[mk], before = a->turned[mk];
            const double iterated =
                (a->kept > 0 ? a->kept * before : 0.0) + a->renewed * (change + turned[l]);
            const double now = given[l] > 0 ? change : iterated;
            const bool open = lowest[l] <= k;
            a->turned[mk] = open ? now : 0.0;
            const double added = open ? a->last * (now - change) : 0.0;
            f->predicted[mk] += added;
            flux[l] += f->phi[mk] * added;
        }
    }
    FOR_LANES (l) {
        const ptrdiff_t here = first + l;
        f->flux_predicted[here] += f->width[here] * f->theta[here] * f->depth[here] * flux[l];
    }
}
