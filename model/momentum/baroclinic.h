/* SPDX-License-Identifier: Apache-2.0
 *
 * Acceleration by differences of density, in the layer k of a face:
 *
 *     -(g/rho_0) * integral of b_x at constant height from z to the surface
 *         = -(p_x + (g b/rho_0) z_x - (g b_s/rho_0) eta_x)   along the layer                    [m s-2]
 *
 * with the anomaly b and its pressure p of model/density/density.h, b the mean of both columns and b_s that
 * of the surface layers. The layers of neighbouring columns lie at different heights, over partial bottom
 * cells and under a tilted surface: the second term takes off the pressure that comes from that alone,
 * exactly where b is linear in z. (The Jacobian of A. F. Blumberg, G. L. Mellor 1987, summed from the
 * surface.) Where the stratification is not even, weights of layers act elsewhere: levers.h.
 *
 * It is taken from the density before the step, while tracers go with the flow after it, which keeps internal
 * waves neither growing nor damped as long as they pass less than a cell in a step. The mean flow of a column
 * is different: it carries tracers with U = theta u_new + (1 - theta) u_old, as the free surface needs it, and over
 * a rough bed it lifts the layers. So U must change by dt F in a step, where F is the mean of the force over the
 * column. The momentum equation therefore has f instead of F, with
 *
 *     theta f + (1 - theta) f_old = F
 *
 * (`pull` keeps f). With F for f internal waves over a rough bed would grow by (1 - theta)/2 (omega dt)^2 in a
 * step, omega the rate that the mean flow alone would give them; and any extrapolation of F to the middle of the
 * step makes waves of some length grow. Water thinner than `full_stress_depth`, on the layers of which nothing is
 * known, feels a part of it, and a dry side makes none.
 */
#ifndef MAEOTIS_MODEL_BAROCLINIC_H
#define MAEOTIS_MODEL_BAROCLINIC_H

#include "model/momentum/levers.h"
#include "model/momentum/restoring.h"

/* What goes from layer to layer, lane by lane, from the surface down. */
typedef struct Baroclinic {
    double part[LANES];                       /* of the force that is felt, over the spacing [m-1] */
    double level[LANES], surface[LANES];      /* eta_here - eta_behind; the same times g b_s/rho_0 */
    double above[LANES], above_behind[LANES]; /* share of the depth above the layer's upper side */
    Levers levers;
    Restoring restoring;
} Baroclinic;

POINTWISE void baroclinic_begin(const Momentum *a, ptrdiff_t first, int j, Baroclinic *b) {
    const ptrdiff_t back = -a->faces.along;
    if (!a->anomaly) return;
    const double *depth = a->depth + first, *eta = a->eta + first, *anomaly = a->anomaly_surface + first;
    const double half_weight = 0.5 * a->gravity / a->density;
    FOR_LANES (l) {
        const double thinner = min_of(depth[l], depth[l + back]);
        b->part[l] = min_of(1.0, thinner / max_of(a->full_stress_depth, 1e-9)) / a->faces.spacing[j];
        b->level[l] = eta[l] - eta[l + back];
        b->surface[l] = half_weight * (anomaly[l] + anomaly[l + back]) * b->level[l];
        b->above[l] = b->above_behind[l] = 0.0;
    }
    levers_begin(a, first, &b->levers);
    restoring_begin(a, first, &b->restoring);
}

/* Layer by layer from the surface down. [m s-2] */
POINTWISE void baroclinic(const Momentum *a, const Place *at, Baroclinic *b, double *acceleration) {
    const ptrdiff_t back = -a->faces.along;
    if (!a->anomaly) {
        FOR_LANES (l) acceleration[l] = 0.0;
        return;
    }
    const double *depth = a->depth + at->first, *phi = a->g.phi_c + at->layer;
    const double *pressure = a->pressure + at->layer, *anomaly = a->anomaly + at->layer;
    const double half_weight = 0.5 * a->gravity / a->density;
    double more[LANES], height[LANES];
    if (a->below) {
        const double *below = a->below + at->layer;
        FOR_LANES (l) height[l] = b->level[l] - (below[l] - below[l + back]);
    } else
        FOR_LANES (l) {
            const double middle = b->above[l] + 0.5 * phi[l],
                         behind = b->above_behind[l] + 0.5 * phi[l + back];
            height[l] = b->level[l] - (middle * depth[l] - behind * depth[l + back]);
        }
    if (a->layering.density)
        levers(a, at, &b->levers, more);
    else
        FOR_LANES (l) more[l] = 0.0;
    if (a->rest.density) {
        double less[LANES];
        restoring(a, at, height, &b->restoring, less);
        FOR_LANES (l) more[l] -= less[l];
    }
    FOR_LANES (l) {
        const double tilt = half_weight * (anomaly[l] + anomaly[l + back]) * height[l];
        const double difference =
            pressure[l] - pressure[l + back] + tilt - b->surface[l] + 2.0 * half_weight * more[l];
        acceleration[l] = -(b->part[l] * difference);
        b->above[l] += phi[l];
        b->above_behind[l] += phi[l + back];
    }
}

#endif
