/* SPDX-License-Identifier: Apache-2.0 */
#include "model/momentum/momentum.h"
#include "model/momentum/neighbours.h"

/* What turns the new velocity of a layer into the velocity of its volume flux: the fluxes of the whole column
 * are means of old and new velocities by theta, as free_surface needs them. With `internal` that goes for the
 * column's mean alone, and layers differ as their new velocities do: internal waves, whose force is that of
 * the old density, would grow with (1 - theta) (omega dt)^2 / 2 in a step otherwise. */
POINTWISE void flux_lag(const MomentumUpdate *a, ptrdiff_t first, int deepest, const double *push,
                        double *lag) {
    const Faces *f = &a->faces;
    FOR_LANES (l) lag[l] = 0.0;
    for (int k = deepest; k < a->g.n3; k++)
        FOR_LANES (l) {
            const ptrdiff_t m = first + l, mk = m + k * a->g.plane;
            const bool open = (f->bottom[m] <= k) & (f->depth[m] > 0);
            const double velocity = f->predicted[mk] - push[l] * f->response[mk];
            const double behind = f->phi[mk] * (1.0 - f->theta[m]) * (f->velocity[mk] - velocity);
            lag[l] += open ? behind : 0.0;
        }
}

/* How far the level of a column that the step empties falls below its bed in the surface's system, which so holds
 * back what the column lacks. No water feels that slope: a film beside such a column would take any speed. [m] */
POINTWISE double below_bed(const MomentumUpdate *a, ptrdiff_t m) {
    return max_of(0.0, -(a->depth_before[m] + a->increment[m]));
}

KERNEL_COLUMNS(momentum_update, MomentumUpdate) {
    const Faces *f = &a->faces;
    const ptrdiff_t first = AT2(a->g, i0, j);
    const int deepest = deepest_layer(f->bottom + first, a->g.n3);
    /* a number: loops of doubles stay vectors */
    const double internal = a->layers == FLUXES_OF_NEW_VELOCITIES ? 1.0 : 0.0;
    double push[LANES], false_push[LANES], lag[LANES], fastest[LANES] = {0}, excess[LANES] = {0};
    const double *carried = f->carrying ? f->carrying : f->depth;
    const double gravity_per_spacing = a->gravity / f->spacing[j];
    FOR_LANES (l) {
        const ptrdiff_t m = first + l;
        const double gain = f->theta[m] * gravity_per_spacing;
        const double rise = a->increment[m] - a->increment[m - f->along];
        push[l] = f->carrying ? 0.0 : gain * rise; /* else spent before (pressure_spend_response) */
        false_push[l] = gain * (below_bed(a, m - f->along) - below_bed(a, m));
    }
    FOR_LANES (l) lag[l] = 0.0;
    if (internal > 0) flux_lag(a, first, deepest, push, lag);
    for (int k = deepest; k < a->g.n3; k++) {
        const ptrdiff_t layer = first + k * a->g.plane, ahead = layer + 2 * LANES;
        PREFETCH(f->predicted + ahead);
        PREFETCH(f->response + ahead);
        PREFETCH(f->velocity + ahead);
        PREFETCH(f->flux + ahead);
        PREFETCH(f->phi + ahead);
        double open[LANES], velocity[LANES]; /* loops of one choice each stay vectors */
        FOR_LANES (l) {
            const double bottom = f->bottom[first + l], depth = f->depth[first + l];
            open[l] = ((bottom <= k) & (depth > 0)) ? 1.0 : 0.0;
        }
        FOR_LANES (l) {
            const double predicted = f->predicted[layer + l] - push[l] * f->response[layer + l];
            velocity[l] = open[l] > 0 ? predicted : 0.0;
        }
        FOR_LANES (l) {
            const ptrdiff_t m = first + l, mk = layer + l;
            const double theta = f->theta[m], old = f->velocity[mk];
            const double share = f->limit[m] * f->width[m] * f->phi[mk] * carried[m];
            const double mixed = theta * velocity[l] + (1.0 - theta) * old, shifted = velocity[l] + lag[l];
            const double flux = share * (internal > 0 ? shifted : mixed);
            f->flux[mk] = open[l] > 0 ? flux : 0.0;
        }
        FOR_LANES (l) {
            const double pushed = velocity[l] + false_push[l] * f->response[layer + l];
            const double depth_new = a->depth_new[first + l];
            f->predicted[layer + l] = ((open[l] > 0) & (depth_new > 0)) ? pushed : 0.0;
        }
        FOR_LANES (l) {
            const double speed = fabs(f->predicted[layer + l]);
            fastest[l] = max_of(fastest[l], speed);
            excess[l] += speed < IMPOSSIBLE_SPEED ? 0.0 : 1.0; /* also NaN */
        }
    }
    FOR_LANES (l) {
        f->fastest[first + l] = fastest[l];
        f->excess[first + l] = excess[l];
    }
}
