/* SPDX-License-Identifier: Apache-2.0
 *
 * Non-hydrostatic pressure: vertical accelerations, and with them waves that are short beside the depth.
 *
 *     u_t + ... = -g eta_x - q_x,     w_t + div(U w) = -q_z + (A_h w_x)_x + (A_h w_y)_y + (nu w_z)_z,
 *     u_x + v_y + w_z = 0,     q = 0 at the surface, w = 0 at the bed
 *
 * with the kinematic pressure q [m2 s-2] at the centres and w at the upper faces of the cells. The layers
 * move: u_x at constant z is u_x along the layer - z_x u_z, so that per cell of area A, with the columns'
 * interfaces at heights z,
 *
 *     D(u, w) = sum over open sides of +-h_f u + A (w - w_below) - (M - M_below) = Q,
 *     M = half the sum over the four sides of width u (h_f / h) (z_outer - z_inner), signed with the velocity,
 *
 * with h_f the depth of the face and h the mean of its two columns. The gradient of q at constant z is minus
 * the transpose of D over the masses h_f and dz: pressure does no work on a flow without divergence, and the
 * force on a flat bed is a difference of h q.
 *
 * A step: the momentum equations take the gradient of the old q, and the surface is found as without q. What
 * they leave, u', w', eta', is corrected by one pressure p, for which D(u, w) = Q at the new time:
 *
 *     u = u' - dt p_x,   w = w' - dt p_z,   at the surface p = r = theta g (eta - eta')
 *
 * where p_z stands for what a pressure does to w, which has the masses of vertical_inertia.h: layers of any number,
 * one too. The system for p and r holds the slopes of the layers in full (15 points and the surface) and is symmetric
 * and positive definite: conjugate gradients (numerics/krylov/matrix_free.h). Without the slopes r can be
 * eliminated, which leaves seven points: MATM's B^-1 of that system is the preconditioner. Leaving the slopes to the
 * next step instead multiplies errors in every step where the surface rises by more than about two cells' width from cell
 * to cell.
 * The solver starts from the best multiple of the p that would come if it went on changing as in the last step.
 * q grows by p - r; w is found from D in the end, so that the flow that carries is free of divergence to
 * rounding, as volume is kept by the fluxes (surface_settle).
 *
 * Momentum advects with the fluxes and velocities of the middle of the step, extrapolated from those of now and
 * of half a step before; in the tips of fronts with those that the last step has left (FindSteady).
 *
 * Hydrostatic, with p = r all through, are breaking fronts; columns thinner than
 * `least_depth` have no p at all and their q is 0, and so have faces on open boundaries, whose velocity is the
 * boundary's.
 *
 * Where waves break, columns lose vertical inertia: w counts with the part i of its mass, w_t + ... = -q_z / i,
 * which takes q to 0 with i. i falls from 1 to 0 while the steepness of the surface grows from `breaking` to one and a
 * half times of it. Where waves broke in the last step, or beside, i does not return before the steepness has fallen
 * to between 0.45 and 0.3 of `breaking`. The steepness is the largest of eta_t / sqrt(g H), the same following the flow,
 * and the surface's slope, less most of its fall. i is continuous, so that a shorter step or a rounding error changes
 * the flow a little, and never switches a column. Where inertia returns, w
 * keeps its energy: its i w^2 / 2 is what it was with less inertia, else waves would feed on their own breaking.
 *
 * References: V. Casulli, Int. J. Numer. Meth. Fluids 30 (1999) 425-440; G. Stelling, M. Zijlema, Int. J.
 * Numer. Meth. Fluids 43 (2003) 1-23; P. Smit, M. Zijlema, G. Stelling, Coastal Eng. 76 (2013) 1-16.
 */
#ifndef MAEOTIS_MODEL_PRESSURE_H
#define MAEOTIS_MODEL_PRESSURE_H

#include "model/momentum/momentum.h"
#include "model/momentum/viscous_stages.h"
#include "numerics/matm/matm.h"

/* ---- the solver ---- */

typedef struct Pressure Pressure;

typedef struct PressureOptions {
    double gravity;
    double least_depth; /* of a column that is not hydrostatic [m] */
    MatmStep step;      /* whose B^-1 preconditions; AUTO: what a trial finds best */
    double breaking;    /* a surface that rises faster than this times sqrt(g H) is hydrostatic; 0: none */
    double tolerance;   /* relative residual */
    int max_iterations;
} PressureOptions;

/* p of the last two steps, from which the solver of the next begins, and what it was at the surface: kept between
 * steps by the caller. Level n3 of the fields is the pressure's own. */
typedef struct PressurePast {
    double *p, *before;
    double *surface, *surface_before; /* two-dimensional */
} PressurePast;

/* Gives `u` and `v` the acceleration that it makes. Collective. */
CHECKED Status pressure_create(const Grid *grid, Exec exec, PressureOptions options, PressurePast past,
                               double dt, double theta, Faces *u, Faces *v, Pressure **out);
void pressure_destroy(Pressure **pressure);

/* What lasts from step to step. */
typedef struct PressureState {
    double *w, *q;
    double *inertia; /* part that columns keep; thin water all */
} PressureState;

/* Once, before a restart may replace it, after pressure_find_w: w of the start. */
void pressure_start(Pressure *pressure, Exec exec, const double *depth, PressureState state);

/* Before all: finds which columns have w and q of their own, and takes q from the others. In: what both
 * components' `momentum` share. Fills the halos of w and of the inertia. Collective. */
void pressure_begin(Pressure *pressure, Exec exec, const Momentum *momentum, PressureState state);

/* After it: lets `u` and `v` advect with the fluxes that the middle of the step will have, by those of now
 * and those of the step before. Collective. */
void pressure_advance_fluxes(Pressure *pressure, Exec exec, Momentum *u, Momentum *v);

/* Before momentum_predict: the acceleration by the old q, and w'. In: momentum's arguments, which both
 * components share; w, with halo, and q, whose halo is filled. Collective. */
void pressure_predict(Pressure *pressure, Exec exec, const Momentum *momentum, double *w, double *q);

/* After it: horizontal viscosity of w in stages (momentum/viscous_stages.h); 0: it was in the sum. Collective. */
void pressure_spread_w(Pressure *pressure, Exec exec, const Momentum *momentum, int stages);

/* After surface_solve: corrects predicted and flux_total of u and v, and q. In: what it left; depths of
 * columns and faces that follow from it, with halos. `first`: the flow may have had divergence before
 * (pressure_start), and q begins with 0. Collective. */
typedef struct PressureStep {
    double dt, theta; /* theta: of the momentum equations in this step */
    const Faces *u, *v;
    const double *increment, *depth, *depth_u, *depth_v, *source;
    double *q;
    bool first;
} PressureStep;
CHECKED Status pressure_solve(Pressure *pressure, Exec exec, PressureStep step, SolveReport *report);

/* w from D = Q, with the velocities and depths at the new time, which have halos. Local. */
void pressure_find_w(const Pressure *pressure, Exec exec, const Faces *u, const Faces *v, const double *depth,
                     const double *source, double *w);

/* ---- kernels ---- */

#ifdef __cplusplus
extern "C" {
#endif

/* `active` of a column: one of these, or HYDROSTATIC and the part of its vertical inertia that it keeps. */
#define NONE        0.0 /* no p */
#define HYDROSTATIC 1.0

/* A smaller part of its inertia is none. */
#define LEAST_INERTIA 0.01

/* The part that a column keeps; for the preconditioner, hydrostatic ones have a little. */
POINTWISE double inertia_of(double active) {
    return active > HYDROSTATIC ? active - HYDROSTATIC : LEAST_INERTIA;
}

typedef struct PressureMark {
    GridView g;
    double least_depth, gravity;
    double breaking, dt_before;                /* 0: waves do not break; last step [s] */
    const double *depth, *eta, *w, *increment; /* of the level in the last step; with halos [m] */
    double *active, *q;
    double *inertia; /* of the last step; becomes this step's */
    double *carried; /* part of w that columns take over, see above */
} PressureMark;
void pressure_mark(Exec exec, BlockList blocks, PressureMark args);
void pressure_carry(Exec exec, RunList columns, PressureMark args);      /* inertia, carried */
void pressure_mark_again(Exec exec, RunList columns, PressureMark args); /* within a step: none begins */
void pressure_release(Exec exec, RunList cells, PressureMark args);      /* q = 0 where it has no part */

/* All inertia. A surface that would rise or fall faster than waves do is that of a flow which starts all at once, against
 * a wall or over a cliff: there w is 0, and the first step makes the flow free of divergence. */
typedef struct PressureStart {
    GridView g;
    double gravity;
    const double *depth;
    double *w, *inertia;
} PressureStart;
void pressure_start_columns(Exec exec, RunList columns, PressureStart args);

/* How much the fluxes with which momentum advects are those of the middle of the step. 0, in thin water and where the
 * depth changes fast: they and the depth are those that the last step has left, as in a hydrostatic sea; the tips of
 * fronts on dry ground would collect water otherwise. */
typedef struct FindSteady {
    GridView g;
    const double *depth, *increment, *active;
    double *steady;
} FindSteady;
void pressure_find_steady(Exec exec, RunList columns, FindSteady args);

/* F + pace (F - F_before), F from velocity and depth of the faces. */
typedef struct AdvanceFlux {
    GridView g;
    double pace, dt;
    ptrdiff_t along;
    const double *spacing, *active, *steady;
    const double *width, *bottom, *phi, *depth, *velocity, *flux; /* of the faces */
    const double *increment;                                      /* of the level in the step before [m] */
    double *advanced, *advanced_velocity;
} AdvanceFlux;
void pressure_advance_flux(Exec exec, BlockList faces, AdvanceFlux args);

/* What then flows through the layers, which share the rise of the surface, and the depth afterwards. */
typedef struct AdvanceFluxW {
    GridView g;
    double dt;
    const double *depth, *steady, *flux_u, *flux_v;
    double *flux_w, *advanced_depth;
} AdvanceFluxW;
void pressure_advance_flux_w(Exec exec, BlockList blocks, AdvanceFluxW args);

/* Faces of one direction, with the depths of one time. */
typedef struct PressureFaces {
    GridView g;
    ptrdiff_t along;
    const double *spacing, *bottom, *phi; /* spacing: by row */
    const double *width, *depth_face;
    const double *depth; /* of columns, with halo */
} PressureFaces;

typedef struct PressureGradient {
    PressureFaces at;
    const double *active;   /* with halo */
    const double *pressure; /* the same; level n3 holds that of the surface */
    double *acceleration;   /* [m s-2] */
} PressureGradient;

/* Minus the gradient at constant z, on the faces: the transpose of D, over the masses. */
void pressure_gradient(Exec exec, BlockList faces, PressureGradient args);

/* What flows through the faces, and what flow along the tilted upper face of a layer brings to M of either column,
 * which is the same for both. [m3 s-1] */
typedef struct FaceFlow {
    double *flux, *tilted;
} FaceFlow;

/* Of the faces around columns, each at the column's place. */
typedef struct SideFlows {
    FaceFlow u, south, north; /* u: at the east face's place that of the east face */
} SideFlows;

typedef struct FlowOfVelocity {
    PressureFaces at;
    double least_depth; /* beside thinner water layers have no tilt */
    const double *velocity;
    FaceFlow flow;
} FlowOfVelocity;
void pressure_flow_of_velocity(Exec exec, BlockList faces, FlowOfVelocity args);

/* Of the acceleration by a pressure, which nobody keeps. */
typedef struct FlowOfGradient {
    PressureGradient gradient;
    FaceFlow flow;
} FlowOfGradient;
void pressure_flow_of_gradient(Exec exec, BlockList faces, FlowOfGradient args);

typedef struct SpendResponse {
    PressureGradient gradient; /* of the old pressure along the new layers */
    Faces faces;               /* whose acceleration is along the old ones */
    const double *increment;
    double gravity, dt;
    double *carrying; /* depth of the faces in the middle of the step, where both columns have p */
    double *added;    /* what it changes in flux_total [m3 s-1] */
} SpendResponse;

/* u' = u* - theta g G grad (eta' - eta_old), in the place of u*. Then the flux is made again,
 * with the depth in the middle of the step, so that it is of second order in time. Last, half of the step that
 * the old pressure pushed along the old layers is along the new ones. */
void pressure_spend_response(Exec exec, BlockList faces, SpendResponse args);

typedef struct PressureCorrect {
    PressureGradient gradient;
    Faces faces;
    double dt;
} PressureCorrect;

/* Adds what the gradient does in a step to velocity and flux. */
void pressure_correct(Exec exec, BlockList faces, PressureCorrect args);

typedef struct PressureColumns {
    GridView g;
    double dt, theta, gravity;
    Faces u, v;
    const double *depth, *depth_u, *depth_v; /* of columns and faces with eta', with halos [m] */
    const double *source;                    /* [m3 s-1] */
    const double *w;                         /* w' */
    const double *added_u, *added_v;         /* see SpendResponse; with halos */
    double *active;                          /* with halo */
    double *centre, *west, *south, *lower;
    /* level n3 of these belongs to the surface */
    double *rhs;
    const double *p; /* with halo */
    double *product;
    double *sum;     /* of p and the product, by columns */
    SideFlows flows; /* of u' or of the acceleration by p */
} PressureColumns;

void pressure_assemble(Exec exec, BlockList blocks, PressureColumns args);
void pressure_apply(Exec exec, BlockList blocks,
                    PressureColumns args); /* product: of the whole system and p */

typedef struct PressureRenew {
    GridView g;
    const double *active, *p;
    double *q, *surface;
} PressureRenew;
void pressure_renew(Exec exec, BlockList blocks, PressureRenew args); /* q += p - r; surface = r */

/* p of the next step, as if it went on changing as in the last; `before` becomes that of the last step. */
typedef struct PressureGuess {
    GridView g;
    const double *active;
    double *p, *before, *surface, *surface_before;
} PressureGuess;
void pressure_guess(Exec exec, BlockList blocks, PressureGuess args);

/* Elimination of the surface from the system of seven points, and the scale of the topmost layer in it, before it is
 * solved, from 0, and afterwards. Then the pressure of hydrostatic columns is that of their top layer in all. */
typedef struct PressureSurface {
    GridView g;
    double stiff; /* g theta^2 dt^2 [m] */
    const double *depth, *active;
    double *residual, *solution, *kept, *kept_below;
    double *sum; /* of residual and solution, by columns */
} PressureSurface;
void pressure_fold_surface(Exec exec, BlockList blocks, PressureSurface args);
void pressure_unfold_surface(Exec exec, BlockList blocks, PressureSurface args);

typedef struct FindW {
    GridView g;
    const double *depth, *source;
    SideFlows flows;
    double *w;
} FindW;
void pressure_columns_w(Exec exec, BlockList columns, FindW args);

typedef struct VerticalMomentum {
    GridView g;
    const double *flux_u, *flux_v, *flux_w; /* of the last step */
    const double *width_u, *width_v;
    const double *depth;          /* with halo */
    const double *depth_advected; /* as in Momentum */
    const double *w, *q;          /* with halos */
    const double *active, *carried;
    double *predicted; /* w' */
    double dt, least_depth;
    MomentumAdvection advection; /* as in Momentum */
    bool viscosity_in_sum;       /* as there, beside a small number */
    double viscosity;            /* horizontal [m2 s-1] */
    const double *viscosity_c;   /* the same where it follows the flow; NULL: constant */
    double floor_viscosity;      /* vertical [m2 s-1] */
} VerticalMomentum;

/* w': advection and viscosity as of u, and the old q. */
void vertical_momentum_predict(Exec exec, BlockList blocks, VerticalMomentum args);

/* One stage of viscosity (momentum/viscous_stages.h). */
typedef struct VerticalStage {
    VerticalMomentum momentum;
    const double *now; /* with halo */
    double *next;
    StageWeights weights;
} VerticalStage;

void vertical_viscous_stage(Exec exec, BlockList blocks, VerticalStage args);

#ifdef __cplusplus
}
#endif
#endif
