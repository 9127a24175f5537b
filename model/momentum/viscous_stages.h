/* SPDX-License-Identifier: Apache-2.0
 *
 * Horizontal viscosity in stages: the change y = u* -> u' by
 *
 *     y_0 = u*,   y_j = m_j (y_{j-1} + g D y_{j-1}) + (1 - m_j) y_{j-2},   m_j = (2 j + 1)/(j + 2),   u' = y_s
 *
 * with D y the change that viscosity.h makes of y in one explicit step of the model. A wave that D lowers by the
 * share z is multiplied by the Gegenbauer polynomial C_s^{3/2}(1 - g z) over that of 1. With W the largest sum of the
 * weights around a face, z is at most 2 W.
 *
 * Up to W = 1/2 one stage does, an explicit step. Beyond, all of it is done twice with half the step, since a factor
 * below 0, which the square has not, makes waves of the surface grow that are short beside sqrt(g H) dt (u* holds the
 * old slope):
 *
 *     g = 2/(s (s + 3)),   s (s + 3) >= 4 W,
 *
 * half of what is stable. Then each time is a mean with positive weights in both directions, so that no velocity leaves
 * the range of those around it (Legendre's polynomials, with fewer stages, are that along one direction alone), and
 * the decay is exp(-z) up to z^2/12.
 *
 * S. O'Sullivan, J. Comput. Phys. 388 (2019) 209-223; T. Skaras, T. Saxton, C. Meyer, T. D. Aslam, the same 425
 * (2021) 109879.
 *
 * It comes after momentum_predict, whatever the Courant number of that: a splitting of first order in the step. Faces on
 * open boundaries keep what they have. Where the part c of a velocity cell that enters it in a step (advection.h, as of
 * the last one) and W leave room, c + 2 W <= 1, viscosity is in the sum of momentum_predict instead, which is cheaper.
 */
#ifndef MAEOTIS_MODEL_VISCOUS_STAGES_H
#define MAEOTIS_MODEL_VISCOUS_STAGES_H

#include "model/momentum/momentum.h"
#include "numerics/grid/halo.h"
#include <math.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ViscousStages ViscousStages;

/* u and v: with the viscosity, if it is constant, of any step. Collective. */
ViscousStages *viscous_stages_create(const Grid *grid, Momentum u, Momentum v);
void viscous_stages_destroy(ViscousStages **stages);

/* W of a step; of a constant viscosity as if all ground were wet. Collective. */
double viscous_stages_weights(const ViscousStages *stages, Exec exec, const Momentum *u, const Momentum *v);

/* How many stages a step takes: 0 if viscosity is in the sum, which is then told to both components. `entering` as in
 * StepReport [s-1]. Collective. */
int viscous_stages_choose(const ViscousStages *stages, Exec exec, double entering, Momentum *u, Momentum *v);

/* In: what momentum_predict leaves. Out: predicted, which changes its place with a field of the stages', and
 * flux_predicted. Collective. */
void viscous_stages_act(ViscousStages *stages, int count, Exec exec, Halo *halo, Momentum *u, Momentum *v);

/* Of one stage: m_j, and m_j g. */
typedef struct StageWeights {
    double share, gain;
} StageWeights;

/* For weights W; the stages of both times together. */
static inline int viscous_stages_count(double weights) {
    static const double MOST = 1e12; /* weights of a flow that breaks */
    if (weights <= 0.5) return 1;
    return 2 * (int)ceil(sqrt(fmin(4 * weights, MOST) + 2.25) - 1.5);
}

/* Of stage n = 1 ... count. */
static inline StageWeights stage_weights(int n, int count) {
    const int each = count == 1 ? 1 : count / 2, j = (n - 1) % each + 1;
    const double share = (2 * j + 1.0) / (j + 2.0), step = count == 1 ? 1.0 : 0.5;
    return (StageWeights){share, 4 * step * share / (each * (each + 3.0))};
}

/* ---- kernels ---- */

/* y_j in terms of the two before it: */
POINTWISE double stage_value(StageWeights weights, double now, double before, double change) {
    const double kept =
        weights.share == 1.0 ? 0.0 : (1.0 - weights.share) * before; /* at first there is none */
    return weights.share * now + kept + weights.gain * change;
}

typedef struct ViscousStage {
    Momentum momentum;
    const double *now; /* with halo */
    double *next;      /* in: the one before it */
    StageWeights weights;
} ViscousStage;

void viscous_stage(Exec exec, BlockList blocks, ViscousStage args);

/* Of each column of faces the largest sum of weights. */
typedef struct ViscousSums {
    Momentum momentum;
    double *sum; /* two-dimensional */
} ViscousSums;

void viscous_sums(Exec exec, BlockList blocks, ViscousSums args);

typedef struct ViscousMost {
    ptrdiff_t row;
    const double *sum;
} ViscousMost;

void viscous_most(Exec exec, RunList faces, ViscousMost args, double *most);

#ifdef __cplusplus
}
#endif
#endif
