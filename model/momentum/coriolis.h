/* SPDX-License-Identifier: Apache-2.0
 *
 * Coriolis acceleration: f v for u, -f u for v; on a sphere of radius R, where the directions of u and v turn with the
 * place that advection moves water to, with f + u tan(latitude)/R in place of f. [m s-2]
 *
 * Over the four faces of the other component around a face, with their open part w (width over spacing, 0
 * where closed), the thickness h of the layer at a face (0 where dry), and f of the cell that both faces
 * belong to:
 *
 *     du/dt =  sum of f/4 w_v 2 h_v / (h_u + h_v) v
 *     dv/dt = -sum of f/4 w_u 2 h_u / (h_u + h_v) u
 *
 * u tan(latitude)/R is that of the same cell, from the mean of its two u when the step began; tan(latitude)/R is how
 * much the lengths of its southern and northern side differ, over its area.
 *
 * Times velocity and volume of the face, w h dx dy, the two terms of a pair are equal and opposite: the term
 * does no work, whatever the bed, coast, layers and metric. The mean over open faces instead makes energy at
 * walls and over uneven ground. Over flat ground a flow without divergence feels a gradient, to which only the
 * level answers, also along coasts that cut through cells.
 *
 * T. O. Espelid, J. Berntsen, K. Barthel, Int. J. Numer. Methods Eng. 49 (2000) 1521-1545, take the root of
 * h_u h_v for the harmonic mean. Both are the plain mean to second order; but this one is bounded: a film
 * beside deep water feels at most twice the mean, and the deep water does not feel the film.
 */
#ifndef MAEOTIS_MODEL_CORIOLIS_H
#define MAEOTIS_MODEL_CORIOLIS_H

#include "model/momentum/neighbours.h"

/* A block's faces and the four around each, by column. */
typedef struct Turning {
    ptrdiff_t step[4];
    double depth[LANES], around[4][LANES]; /* of the faces [m] */
    double turn[4][LANES];                 /* f/2 with the sign of the term, times the open part [s-1] */
    double curve[4][LANES];                /* the same of tan(latitude)/R, for the sum of a cell's u [m-1] */
} Turning;

POINTWISE void turning_begin(const Momentum *a, ptrdiff_t first, int j, Turning *t) {
    const Faces *own = &a->faces, *other = &a->other;
    const ptrdiff_t step[4] = {0, -own->along, own->cross, own->cross - own->along};
    FOR_LANES (l) t->depth[l] = own->depth[first + l];
    UNROLLED for (int s = 0; s < 4; s++) {
        const int row = own->turn > 0 ? j : j - s % 2; /* of the cell between the two faces */
        const double half = own->f ? 0.5 * own->turn * own->f[row] / own->spacing[j] : 0.0;
        const double *width = other->width + first + step[s], *depth = other->depth + first + step[s];
        t->step[s] = step[s];
        if (a->curved) {
            const double narrows = (a->g.dx_v[row] - a->g.dx_v[row + 1]) / (a->g.dx_c[row] * a->g.dy_c[row]);
            FOR_LANES (l) t->curve[s][l] = 0.25 * own->turn / own->spacing[j] * narrows * width[l];
        }
        FOR_LANES (l) {
            t->around[s][l] = depth[l];
            t->turn[s][l] = half * width[l];
        }
        if (own->f_c) {
            const double *f = own->f_c + first - s % 2 * own->along;
            FOR_LANES (l) t->turn[s][l] = 0.5 * own->turn * f[l] / own->spacing[j] * width[l];
        }
    }
}

/* Twice the mean u of the cells ahead of the faces and behind them, in a layer. [m s-1] */
POINTWISE void flow_of_cells(const Momentum *a, ptrdiff_t layer, double flow[2][LANES]) {
    const double *of_u = (a->faces.turn > 0 ? a->faces.velocity : a->other.velocity) + layer;
    UNROLLED for (int c = 0; c < 2; c++) {
        const double *u = of_u - c * a->faces.along;
        FOR_LANES (l) flow[c][l] = u[l] + u[l + 1];
    }
}

/* The term for these velocities around, in the layer at `layer`; on one denominator, since a division takes
 * longer than the rest. [m s-2] */
POINTWISE void turning_sum(const Momentum *a, const Turning *t, ptrdiff_t layer, double velocity[4][LANES],
                           double *acceleration) {
    const double *phi = a->faces.phi + layer, *around = a->other.phi + layer;
    double both[4][LANES], push[4][LANES], flow[2][LANES];
    if (a->curved) flow_of_cells(a, layer, flow);
    UNROLLED for (int s = 0; s < 4; s++) {
        const double *beside = around + t->step[s];
        FOR_LANES (l) both[s][l] = phi[l] * t->depth[l] + beside[l] * t->around[s][l];
        if (a->curved)
            FOR_LANES (l) {
                const double turn = t->turn[s][l] + t->curve[s][l] * flow[s % 2][l];
                push[s][l] = turn * (beside[l] * t->around[s][l]) * velocity[s][l];
            }
        else /* a copy of the turn would cost as much as the rest */
            FOR_LANES (l) push[s][l] = t->turn[s][l] * (beside[l] * t->around[s][l]) * velocity[s][l];
    }
    FOR_LANES (l) {
        const double first = push[0][l] * both[1][l] + push[1][l] * both[0][l],
                     first_both = both[0][l] * both[1][l];
        const double second = push[2][l] * both[3][l] + push[3][l] * both[2][l],
                     second_both = both[2][l] * both[3][l];
        const double sum = first * second_both + second * first_both;
        acceleration[l] = sum / max_of(first_both * second_both, 1e-300);
    }
}

POINTWISE void f_cross_u(const Momentum *a, const Place *at, const Turning *t, double *acceleration) {
    double velocity[4][LANES];
    FOR_LANES (l) acceleration[l] = 0.0;
    if (!a->faces.f && !a->faces.f_c && !a->curved) return;
    UNROLLED for (int s = 0; s < 4; s++) {
        const double *around = a->other.velocity + at->layer + t->step[s];
        FOR_LANES (l) velocity[s][l] = around[l];
    }
    turning_sum(a, t, at->layer, velocity, acceleration);
}

#endif
