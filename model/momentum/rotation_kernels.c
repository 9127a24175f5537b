/* SPDX-License-Identifier: Apache-2.0 */
#include "model/momentum/coriolis.h"
#include "model/momentum/rotation.h"

/* dt/2 C x of one layer, from the other component's x around. [m s-1] */
POINTWISE void turn_change(const Momentum *a, const Turning *t, ptrdiff_t layer, double around[4][LANES],
                           double *change) {
    turning_sum(a, t, layer, around, change);
    FOR_LANES (l) change[l] *= 0.5 * a->dt;
}

/* The lowest layers with water of a block's faces, n3 for those on a boundary, and the lowest of all. */
POINTWISE int lowest_inside(const Momentum *m, int i0, int j, double *lowest) {
    const ptrdiff_t first = AT2(m->g, i0, j);
    double deepest = m->g.n3;
    FOR_LANES (l) {
        const double water = lowest_with_water(&m->g, &m->faces, first + l);
        lowest[l] = on_boundary(m, i0 + l, j) ? (double)m->g.n3 : water;
    }
    for (int l = 0; l < LANES; l++) deepest = min_of(deepest, lowest[l]);
    return (int)deepest;
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
    if (a->keep) PREFETCH(a->keep + ahead);
}

POINTWISE void sweep(const RotationSweep *a, const Momentum *m, int i0, int j) {
    const Faces *f = &m->faces;
    const ptrdiff_t first = AT2(m->g, i0, j);
    double lowest[LANES], around[4][LANES], turned[LANES], flux[LANES] = {0};
    const int deepest = lowest_inside(m, i0, j, lowest);
    Turning t;
    turning_begin(m, first, j, &t);
    for (int k = deepest; k < m->g.n3; k++) {
        const ptrdiff_t layer = first + k * m->g.plane;
        prefetch_change(a, layer);
        UNROLLED for (int s = 0; s < 4; s++) {
            const double *now = m->other.predicted + layer + t.step[s],
                         *old = m->other.velocity + layer + t.step[s];
            FOR_LANES (l) around[s][l] = now[l] - old[l];
        }
        turn_change(m, &t, layer, around, turned);
        if (a->keep)
            FOR_LANES (l) a->keep[layer + l] = a->found[layer + l];
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

/* The compiler is told which, since a branch in each layer sends numbers of all lanes to memory. */
POINTWISE Momentum with_curved(const Momentum *a, bool curved) {
    Momentum known = *a;
    known.curved = curved;
    return known;
}

KERNEL_COLUMNS(rotation_sweep, RotationSweep) {
    const Momentum flat = with_curved(&a->momentum, false), sphere = with_curved(&a->momentum, true);
    if (a->momentum.curved)
        sweep(a, &sphere, i0, j);
    else
        sweep(a, &flat, i0, j);
}

/* theta g times the slope of what the increment is more than what has been turned: c = -push G. [m s-2] */
POINTWISE void push_find(const RotationFollow *a, const Momentum *m, ptrdiff_t first, int j, double *push) {
    const Faces *f = &m->faces;
    FOR_LANES (l) {
        const ptrdiff_t here = first + l, back = here - f->along;
        const double rise = (m->increment[here] - a->before[here]) - (m->increment[back] - a->before[back]);
        push[l] = f->theta[here] * m->slope_gravity / f->spacing[j] * rise;
    }
}

KERNEL_COLUMNS(rotation_follow_start, RotationFollow) {
    const Momentum *m = &a->momentum;
    const ptrdiff_t first = AT2(m->g, i0, j);
    const int deepest = deepest_layer(m->faces.bottom + first, m->g.n3);
    double push[LANES];
    push_find(a, m, first, j, push);
    for (int k = deepest; k < m->g.n3; k++)
        FOR_LANES (l) {
            const ptrdiff_t mk = first + k * m->g.plane + l;
            const bool open = lowest_with_water(&m->g, &m->faces, first + l) <= k;
            const double change = -push[l] * m->faces.response[mk];
            a->turned[mk] = open ? change : 0.0;
        }
}

/* As in rotation_sweep. */
POINTWISE void prefetch_follow(const RotationFollow *a, ptrdiff_t layer) {
    const Faces *f = &a->momentum.faces, *other = &a->momentum.other;
    const ptrdiff_t ahead = layer + 2 * LANES, next = f->turn > 0 ? ahead + f->cross : ahead - f->along;
    PREFETCH(f->response + ahead);
    PREFETCH(f->phi + ahead);
    PREFETCH(a->turned + ahead);
    PREFETCH(a->other + ahead);
    PREFETCH(a->other + next);
    PREFETCH(other->phi + ahead);
    PREFETCH(other->phi + next);
    if (a->last > 0) PREFETCH(f->predicted + ahead);
}

POINTWISE void follow(const RotationFollow *a, const Momentum *m, int i0, int j) {
    const Faces *f = &m->faces;
    const ptrdiff_t first = AT2(m->g, i0, j);
    const int deepest = deepest_layer(f->bottom + first, m->g.n3);
    double lowest[LANES], given[LANES], push[LANES], around[4][LANES], turned[LANES], flux[LANES] = {0};
    Turning t;
    turning_begin(m, first, j, &t);
    FOR_LANES (l) {
        lowest[l] = lowest_with_water(&m->g, f, first + l);
        given[l] = on_boundary(m, i0 + l, j) ? 1.0 : 0.0; /* the boundary's velocity, which is not turned */
    }
    push_find(a, m, first, j, push);
    for (int k = deepest; k < m->g.n3; k++) {
        const ptrdiff_t layer = first + k * m->g.plane;
        prefetch_follow(a, layer);
        UNROLLED for (int s = 0; s < 4; s++) {
            const double *now = a->other + layer + t.step[s];
            FOR_LANES (l) around[s][l] = now[l];
        }
        turn_change(m, &t, layer, around, turned);
        double added[LANES];
        FOR_LANES (l) {
            const ptrdiff_t mk = layer + l;
            const double change = -push[l] * f->response[mk], before = a->turned[mk];
            const double iterated =
                (a->kept > 0 ? a->kept * before : 0.0) + a->renewed * (change + turned[l]);
            const double now = given[l] > 0 ? change : iterated;
            /* without a response: below the crest of a structure, or where it has closed */
            const bool open = (lowest[l] <= k) & (f->response[mk] > 0);
            a->turned[mk] = open ? now : 0.0;
            added[l] = open ? now - change : 0.0;
        }
        if (a->last > 0)
            FOR_LANES (l) {
                f->predicted[layer + l] += added[l];
                flux[l] += f->phi[layer + l] * added[l];
            }
    }
    if (a->last > 0)
        FOR_LANES (l) {
            const ptrdiff_t here = first + l;
            f->flux_predicted[here] += f->width[here] * f->theta[here] * f->depth[here] * flux[l];
        }
}

KERNEL_COLUMNS(rotation_follow_sweep, RotationFollow) {
    const Momentum flat = with_curved(&a->momentum, false), sphere = with_curved(&a->momentum, true);
    if (a->momentum.curved)
        follow(a, &sphere, i0, j);
    else
        follow(a, &flat, i0, j);
}
