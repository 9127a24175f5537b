/* SPDX-License-Identifier: Apache-2.0
 *
 * The data of the closures' kernels: columns, at the interfaces between their layers. turbulence.h describes
 * the closures.
 */
#ifndef MAEOTIS_MODEL_TURBULENT_COLUMNS_H
#define MAEOTIS_MODEL_TURBULENT_COLUMNS_H

#include "model/constants.h"
#include "model/turbulence/stability.h"
#include "numerics/grid/grid.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Least k and epsilon, of water at rest. */
#define LEAST_TKE         1e-6  /* [m2 s-2] */
#define LEAST_DISSIPATION 1e-10 /* [m2 s-3] */

/* Columns and what the step has made of them. */
typedef struct TurbulentColumns {
    GridView g;
    const double *u, *v, *u_before, *v_before; /* after and before the step [m s-1] */
    const double *stokes_u, *stokes_v;         /* Stokes drift in the step [m s-1]; NULL: none */
    const double *depth, *depth_before;        /* [m] */
    const double *depth_u, *depth_v;           /* of faces before the step [m] */
    const double *friction_u, *friction_v;     /* friction velocity at faces [m s-1] */
    const double *density;      /* that decides on stability, at centres; NULL: it is constant */
    double gravity_per_density; /* g/rho0 [m4 kg-1 s-2] */
    double dt;
    double floor_viscosity, floor_diffusivity; /* [m2 s-1] */
    double roughness;                          /* z0 of the bed [m] */
    const double *roughness_c;                 /* the same of columns, where it varies; NULL: it does not */
    const double *wave_height;                 /* significant, of columns [m]; NULL: the surface is smooth */
    double roughness_of_waves;                 /* z0 of the surface over it */
    double breaking;                           /* flux of k from breaking waves over u*^3; 0: none */
    const double *stress_u, *stress_v;         /* of the wind, over density [m2 s-2] */
    double azov;                               /* Cs^2/2; 0: the mixing length takes the place of dz */
    Stability stability;
    double *tke, *dissipation;            /* k [m2 s-2], epsilon [m2 s-3] */
    const double *viscosity;              /* that momentum has had, with its halo [m2 s-1] */
    double *viscosity_next, *diffusivity; /* [m2 s-1] */
} TurbulentColumns;

void k_epsilon_step(Exec exec, BlockList blocks, TurbulentColumns args);
void mixing_length_step(Exec exec, BlockList blocks, TurbulentColumns args);
void parabola_step(Exec exec, BlockList blocks, TurbulentColumns args);

#ifdef __cplusplus
}
#endif
#endif
