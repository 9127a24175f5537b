/* SPDX-License-Identifier: Apache-2.0
 *
 * Parts of the non-hydrostatic pressure; not for other modules.
 */
#ifndef MAEOTIS_MODEL_PRESSURE_PARTS_H
#define MAEOTIS_MODEL_PRESSURE_PARTS_H

#include "model/pressure/face_flows.h"
#include "numerics/grid/halo.h"
#include "numerics/krylov/matrix_free.h"

struct Pressure {
    const Grid *grid; /* not owned */
    PressureOptions options;
    PressurePast past;
    Matm *matm; /* seven points of the system */
    MatrixFree *solver;
    Flows *flows;
    Halo *halo;
    double *active, *steady, *kept, *kept_below, *carrying_u, *carrying_v, *added_u, *added_v, *carried;
    double *centre, *west, *south, *lower, *rhs, *w, *acceleration_u, *acceleration_v;
    double *flux_u, *flux_v, *flux_w, *depth_advected, *advected_u, *advected_v;
};

typedef struct WholeSystem {
    Pressure *p;
    Exec exec;
    PressureColumns columns;
} WholeSystem;

/* pressure_system.c */
PressureColumns pressure_columns_of(const Pressure *p, const PressureStep *s);

/* By `pressure`, whose halo is filled. */
PressureGradient pressure_gradient_of(const Pressure *p, const Faces *f, const double *depth_face,
                                      const double *depth, const double *pressure);
PressureGradient pressure_gradient_u(const WholeSystem *s, const double *pressure);
PressureGradient pressure_gradient_v(const WholeSystem *s, const double *pressure);

/* Collective, as are all below. */
CHECKED Status pressure_set_up_system(Pressure *p, Exec exec, PressureColumns columns);

/* Fills the halo, the surface's level included. */
void pressure_exchange(const Pressure *p, double *pressure);

/* Of p->rhs, from x. */
SolveReport pressure_solve_whole(WholeSystem *s, double *x, double tolerance, int max_iterations);

/* pressure_choice.c: by a trial in the sea at the datum, so that a restart chooses the same. */
CHECKED Status pressure_choose_solver(Pressure *p, Exec exec, double dt, double theta, const Faces *u,
                                      const Faces *v);

#endif
