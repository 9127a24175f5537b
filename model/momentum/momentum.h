/* SPDX-License-Identifier: Apache-2.0
 *
 * The horizontal momentum equations of one component, on the faces of that component:
 *
 *     u_t + advection = f v - g (1 - b) eta_x + g E_x - p_a,x/rho0 - g/rho0 integral of rho'_x from z to eta - q_x
 *                           + viscosity + (nu u_z)_z + brakes,
 *     rho0 nu u_z = tau at the surface, nu u_z = Cd |U| u at the bed
 *
 * With Stokes drift u_s (waves/wave_drift.h), u - u_s stands for u in both conditions and in nu u_z, and (u_s)_t drives.
 *
 * terms.h lists the terms, each with its function and its place in time, and adds them up.
 *
 * One source serves both components: `along` is the step in memory to the next face along the component's own
 * direction (1 for u, a row for v), `cross` the step across it (a row for u, 1 for v). With m a face, m -
 * along and m are the cells on its two sides, and m, m - along, m + cross, m + cross - along the four faces
 * of the other component around it.
 *
 * momentum_predict does all that is explicit, then solves the vertical line of each face (implicit viscosity,
 * brakes, bed drag) for two right sides at once: u*, the velocity under the old surface, and the
 * response G to a unit surface gradient, so that  u_new = u* - theta g G d(eta_new - eta_old)/dx.
 */
#ifndef MAEOTIS_MODEL_MOMENTUM_H
#define MAEOTIS_MODEL_MOMENTUM_H

#include "gpu/emu.h"
#include "model/column_cut.h"
#include "model/density/layering.h"
#include "model/density/rest_heights.h"
#include "model/momentum/brakes.h"
#include "numerics/grid/grid.h"
#include "settings/choices.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A sea that has it is broken: a front from a dam of 12 km, 2 sqrt(g H), is slower. [m s-1] */
#define IMPOSSIBLE_SPEED 700.0

/* One component's faces: static geometry and state. */
typedef struct Faces {
    ptrdiff_t along, cross;
    double turn;                 /* +1 for u, -1 for v: the sign of the Coriolis term */
    const double *f;             /* Coriolis parameter by row of cells [s-1]; NULL: none, or by column: */
    const double *f_c;           /* the same by column of cells; NULL: none, or by row */
    const double *spacing;       /* between the cells on both sides, by row [m] */
    const double *cross_spacing; /* between this face and the next one across, by row [m] */
    const double *bed, *width, *given, *bottom, *phi; /* see grid.h */
    double **coast;       /* see coast.h; NULL: no wall cuts faces, or walls are free */
    const double *uneven; /* above 0 where ground inside cells makes it so (turning.h); NULL: nowhere */
    const double
        *closeness, /* spacing over the way between the wet areas on both sides (subgrid/shores.h); NULL: 1 */
        *lift;      /* of the level between them, as they lie aside of each other [m]; NULL: 0 */
    const double *thick;                /* of the water, section over wet width [m]; NULL: as `depth` */
    double *depth;                      /* moving depth [m] */
    double *velocity, *flux;            /* [m s-1], [m3 s-1] */
    const double *advected;             /* the velocity that advection carries; NULL: that one [m s-1] */
    const double *stress;               /* wind stress over density [m2 s-2] */
    const double *stokes, *stokes_rise; /* Stokes drift in the step [m s-1], its rate [m s-2]; NULL: none */
    /* only with non-hydrostatic pressure (model/pressure), else NULL */
    const double *carrying;     /* depth in the middle of the step, with which flux is made [m] */
    const double *acceleration; /* by non-hydrostatic pressure [m s-2]; NULL: hydrostatic */
    /* made by the step */
    double *drag;                 /* Cd */
    double *friction;             /* friction velocity for the eddy viscosity [m s-1] */
    double *across;               /* kept: the other component at the bed when the step began [m s-1] */
    double *theta;                /* implicitness of this face */
    double *predicted, *response; /* u* [m s-1] and G [s] */
    double *flux_predicted;       /* volume flux of u* and u_old, mixed by theta [m3 s-1] */
    double *conductance;          /* flux per difference of eta_new - eta_old [m2 s-1] */
    double *flux_total;           /* volume flux of the water column [m3 s-1] */
    double *limit;                /* part of it that a drying cell allows, 0..1 */
    /* only for the implicit scheme (implicit.h), else NULL */
    double *push;    /* h (slope + Coriolis) + wind stress: the force without what the old velocity brings
                        [m2 s-2] */
    double *braking; /* Cd |U| at the bed [m s-1] */
    /* only for compact advection (compact/compact_advection.h), else NULL */
    const double *carried;   /* the velocity, filtered [m s-1] */
    const double *advective; /* its acceleration along the layers [m s-2] */
    const double *outer;     /* share of the ordinary advection there, 0..1; NULL: none */
    double *past;            /* that of the last step, for Adams-Bashforth [m s-2] */
    /* only with smooth flow of second order in the step (centred.h), else NULL */
    double *mean;       /* velocity of the column before the step [m s-1] */
    double *quickening; /* kept: its acceleration in the last step [m s-2] */
    double *gain;       /* kept: the column's flux of now less that of the last step [m3 s-1] */
    double *pull;       /* kept: the force of density on the mean flow in the last step, f of
                                baroclinic.h [m s-2]; NULL: the density is constant */
    /* told about the step */
    double *fastest, *excess; /* largest speed of the column, count of impossible values */
    double *entering;         /* of advection.h, the largest of the column */
} Faces;

/* How the closure lets the velocity grow with height above the bed (bed_profile.h). */
#define BEND_OF_PARABOLA 0.4227843350984671
typedef struct BedProfile {
    double bend;       /* c */
    double difference; /* 1 where e counts, else 0 */
    double least;      /* nu [m2 s-1] */
    double dt;         /* [s]; 0: the parabola bounds no viscosity */
} BedProfile;

/* Of faces with ground inside cells (model/subgrid), whose depth here is that of the wet part of their width. */
typedef struct SectionDrag {
    const double *resistance; /* of subgrid_kernels.h, drag for the whole width over that of a rectangle */
    const double *part;       /* the same of the roughness inside cells; NULL: 1 */
    const double *depth;      /* section over the whole width [m] */
    const double *
        bed_share; /* in place of the lowest layer's share of the depth where the bed lies in several; NULL: does not */
} SectionDrag;

typedef struct Momentum {
    GridView g;
    Faces faces, other;
    const double *flux_w;
    const double *depth, *eta, *air_pressure; /* at centres; air_pressure may be NULL */
    const double *equilibrium;                /* equilibrium tide at centres [m]; NULL: no tidal potential */
    const double *depth_advected;             /* what the fluxes leave behind, whose volume advection takes */
    /* anomaly of density, also at the surface, and the pressure it makes (model/density/density.h); NULL:
     * none */
    const double *anomaly, *anomaly_surface, *pressure;
    Layering layering;               /* see levers.h */
    RestHeights rest;                /* see restoring.h */
    const double *below;             /* of density_columns.h */
    const double *increment;         /* of eta in the last step [m] */
    const double *rise;              /* of the depth in it: the same where cells are even [m] */
    const double *smooth, *resolved; /* of columns, see smooth.h */
    double dt, gravity, density;
    double slope_gravity; /* g of the surface's slope (tidal_potential.h) */
    double theta;
    double pace;                 /* this step's length over the last one's */
    double ahead;                /* the same for extrapolation; 0 in the first step, which has none before */
    double previous, current;    /* weights of the last and the present acceleration for Adams-Bashforth:
                                     -1/2, 3/2 for steps of the same length */
    MomentumAdvection advection; /* above upwind: of limited second order */
    double viscosity;            /* horizontal [m2 s-1] */
    const double *viscosity_c;   /* the same where it follows the flow (smagorinsky.h); NULL: constant */
    /* Side by side with a small number: alone, a bool leaves room for most of a pointer from elsewhere, which the
     * emulator takes for one (gpu/queue.c). */
    ColumnCut cut;                /* of vertical lines (shared_columns.h) */
    bool viscosity_in_sum;        /* of terms.h */
    bool curved;                  /* advection on a sphere (coriolis.h) */
    bool centred;                 /* centred.h */
    SideWalls walls;              /* free or no slip */
    const double *eddy_viscosity; /* vertical, at the interfaces of the columns; NULL: the parabola
                                     [m2 s-1] */
    double floor_viscosity;       /* vertical, least or constant [m2 s-1] */
    double parabola;              /* kappa, 0 for a constant viscosity or one layer */
    Brakes brakes;
    double full_stress_depth; /* [m] */
    DragLaw drag;
    double drag_parameter;   /* Cd, Manning's n, Chezy's C or the roughness length */
    const double *roughness; /* the same of columns, where it varies (roughness.h); NULL: it does not */
    BedProfile profile;      /* by which Cd of the depth's mean becomes that of the lowest layer */
    SectionDrag section;     /* cells are even: NULL */
    /* of waves at the bed, of columns (waves/wave_orbit.h) [m2 s-2]; NULL: no waves */
    const double *wave_stress;
} Momentum;

/* Do fluxes have the limited part of second order? */
POINTWISE bool is_limited(MomentumAdvection advection) {
    return advection >= ADVECTION_TVD;
}

/* Cd and friction velocity of the faces. */
void bed_drag_prepare(Exec exec, RunList faces, Momentum args);

void momentum_predict(Exec exec, BlockList blocks, Momentum args);

/* The same, faster, if is_plain(&args), is_pressed(&args), or is_uneven(&args) (plain.h). */
void momentum_predict_plain(Exec exec, BlockList blocks, Momentum args);
void momentum_predict_pressed(Exec exec, BlockList blocks, Momentum args);
void momentum_predict_uneven(Exec exec, BlockList blocks, Momentum args);

/* The same, with lines in parts, which threads of a GPU share. */
typedef struct SharedMomentum {
    Momentum momentum;
    const Block *block;
} SharedMomentum;
void momentum_predict_parts(Exec exec, BlockList blocks, Momentum args);
void momentum_predict_shared(Exec exec, BlockShape shape, SharedMomentum args);

/* The same for both components. Neither reads what the other makes, so that a processor does a few blocks of one
 * and the same ones of the other by turns. */
void momentum_predict_both(Exec exec, const Grid *grid, Momentum u, Momentum v);

/* Means of old and new velocities by theta, or only their sum over the column: then the differences between
 * layers are those of the new velocities. */
typedef enum LayerFluxes { FLUXES_BY_THETA, FLUXES_OF_NEW_VELOCITIES } LayerFluxes;

typedef struct MomentumUpdate {
    GridView g;
    Faces faces;
    const double *increment;    /* eta_new - eta_old, with halo [m] */
    const double *depth_before; /* of the columns when the step began, with halo [m] */
    const double *depth_new;    /* of the faces, from the new surface [m] */
    double gravity;
    LayerFluxes layers;
} MomentumUpdate;

/* New velocities, in `predicted`, and the layers' volume fluxes; faces that fall dry stop. */
void momentum_update(Exec exec, BlockList blocks, MomentumUpdate args);

#ifdef __cplusplus
}
#endif
#endif
