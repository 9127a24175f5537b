/* SPDX-License-Identifier: Apache-2.0
 *
 * The free surface with wetting and drying: the depth H of every column after the step, found together with
 * the fluxes that make it, so that no water is lost and no depth is negative.
 *
 * Per column, for the increment d = eta_new - eta_old, with u_new = u* - theta g G grad d:
 *
 *     A max(0, H + d) / dt + sum over faces of kappa (d - d_neighbour) = A H / dt - div F* + Q
 *
 * Piecewise linear in d; solved by Newton's method on it (L. Brugnano, V. Casulli, SIAM J. Sci. Comput. 30
 * (2008) 463-472), each linear system symmetric positive definite. A solve is abandoned as soon as its increment
 * moves a column from wet to dry or back by more than its error: another system follows then. The new depth is
 * computed from the fluxes, which conserves volume whatever the solver's tolerance; what little a column lacks
 * for its outgoing fluxes is taken off those fluxes (surface_limit), never clipped.
 */
#ifndef MAEOTIS_MODEL_SURFACE_H
#define MAEOTIS_MODEL_SURFACE_H

#include "model/momentum/momentum.h"
#include "numerics/matm/matm.h"

/* ---- the solver ---- */

typedef struct Surface Surface;

typedef struct SurfaceReport {
    int newton, iterations, limited_sweeps;
    double residual;
    bool converged;
} SurfaceReport;

/* With MATM, or without: conjugate gradients with the diagonal. */
typedef struct SurfaceOptions {
    bool matm;
    MatmStep step; /* the steps of MATM */
    MatmPrecision precision;
    double tolerance; /* relative residual */
    int max_iterations;
    struct Subgrid *subgrid; /* the ground inside the cells (model/subgrid/subgrid.h); NULL: it is even */
} SurfaceOptions;

CHECKED Status surface_create(const Grid *grid, Exec exec, SurfaceOptions options, Surface **out);
void surface_destroy(Surface **surface);

/* In: depth, u->/v->flux_predicted and conductance with halos, source [m3 s-1], increment's ghosts of open
 * boundaries. Out: increment with halo, u->/v->flux_total and limit with halos, depth_new and eta_new with
 * halos (their ghosts of open boundaries untouched). Collective. */
CHECKED Status surface_solve(Surface *surface, Exec exec, double dt, const double *depth, const Faces *u,
                             const Faces *v, const double *source, double *increment, double *depth_new,
                             double *eta_new, SurfaceReport *report);

/* The next solve has the depth and conductances of the last one, and other fluxes: what is known of its matrix stays. */
void surface_solve_again(Surface *surface);

/* After a change of flux_total: depth_new and eta_new again, as above; returns limited_sweeps. Collective. */
int surface_settle(Surface *surface, Exec exec, double dt, const double *depth, const Faces *u,
                   const Faces *v, const double *source, double *depth_new, double *eta_new);

/* ---- kernels ---- */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct SurfaceColumns {
    GridView g;
    double dt;
    const double *depth, *source, *increment;
    const double *flux_u, *flux_v; /* of the water column: predicted, or total */
    const double *conductance_u, *conductance_v;
    double *wet;          /* 1 where H + d > 0, next to 0 elsewhere; with ground inside cells the wet share */
    const double *held;   /* of it, see subgrid_kernels.h; NULL: what `wet` and depth give [m] */
    double *centre, *rhs; /* of the linear system */
    double *depth_new, *eta_new;
    double *keep;    /* part of the outgoing fluxes that a column can afford */
    double partly;   /* 1; or 0: a column that cannot afford all of them keeps none */
    double residual; /* of the increment: columns that are wet or dry by less than its error keep their mark
                        [m3 s-1] */
} SurfaceColumns;

void surface_mark_filled(Exec exec, RunList columns, SurfaceColumns args); /* wet, from depth alone */
void surface_mark_wet(Exec exec, RunList columns, SurfaceColumns args);    /* wet, from depth + increment */
void surface_assemble(Exec exec, RunList columns, SurfaceColumns args);    /* centre, rhs */
void surface_new_depth(Exec exec, RunList columns, SurfaceColumns args);   /* depth_new, eta_new, keep */

typedef struct SurfaceChanges {
    ptrdiff_t row;
    const double *wet;
    double *before; /* becomes `wet` */
} SurfaceChanges;
void surface_changes(Exec exec, RunList columns, SurfaceChanges args,
                     uint64_t *count); /* where they differ */
void surface_changes_ask(Exec exec, RunList columns, SurfaceChanges args, uint64_t *count);

typedef struct SurfaceCrossings {
    ptrdiff_t row;
    const double *depth, *increment, *wet;
} SurfaceCrossings;
void surface_crossings_ask(
    Exec exec, RunList columns, SurfaceCrossings args,
    uint64_t *count); /* where surface_mark_wet would change the mark, with no residual */

typedef struct SurfaceNegative {
    ptrdiff_t row;
    const double *depth;
} SurfaceNegative;
void surface_negative_ask(Exec exec, RunList columns, SurfaceNegative args, uint64_t *count);

typedef struct SurfaceFaces {
    GridView g;
    ptrdiff_t along;
    const double *increment, *conductance, *flux_predicted, *keep;
    double *flux_total, *limit;
} SurfaceFaces;

void surface_flux(Exec exec, RunList faces, SurfaceFaces args);  /* flux_total of the solution; limit = 1 */
void surface_limit(Exec exec, RunList faces, SurfaceFaces args); /* takes off what columns cannot afford */

typedef struct FaceDepth {
    GridView g;
    ptrdiff_t along;
    double dt, gravity;
    const double *depth, *eta, *bed, *bed_face, *flux_total;
    const double *depth_before; /* of the faces, with which flux_total flowed [m] */
    const double *resolved;  /* of columns (momentum/centred.h); NULL: the faces' depth of now is asked for */
    const double *increment; /* of the level in the last step [m] */
    double *depth_face;
} FaceDepth;

/* Moving depth of the faces, from the side that the water came from in the last step. Over a smooth bed: the
 * level with a limited slope, less the bed at the face. Where the water is thinner than half a step of the bed,
 * gradually: the level with a limited slope, less the higher one of the two beds that level and depth give at
 * the face. Both are of second order; the bed's heights alone, without slopes, would lengthen the period of
 * water in a bowl and leave films on beaches. A supercritical tip takes the mean of both sides, less by what passes
 * in a step. Still water: no face between water and higher dry ground opens. */
void face_depth(Exec exec, RunList faces, FaceDepth args);

typedef struct VerticalFlux {
    GridView g;
    double dt;
    const double *flux_u, *flux_v, *depth, *depth_new, *source;
    double *flux_w;
} VerticalFlux;

/* Volume flux through the layers' lower faces from continuity, bottom up. */
void vertical_flux(Exec exec, BlockList blocks, VerticalFlux args);

#ifdef __cplusplus
}
#endif
#endif
