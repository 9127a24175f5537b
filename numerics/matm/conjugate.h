/* SPDX-License-Identifier: Apache-2.0
 *
 * What conjugate gradients with scalars of the host (conjugate.c) and with scalars on a device (late.c) have in common.
 */
#ifndef MAEOTIS_NUMERICS_MATM_CONJUGATE_H
#define MAEOTIS_NUMERICS_MATM_CONJUGATE_H

#include "numerics/matm/solver.h"

enum { CONJUGATE_PATIENCE = 200 }; /* iterations in which the norm must have fallen */

/* The w that corrections would have liked. */
typedef struct Observed {
    bool wanted;
    int count;
    double logarithms, before; /* of all, of the first half */
} Observed;

/* How a solve goes. */
typedef struct Course {
    double goal, norm, steepest, best;
    int n, max_iterations;
} Course;

/* The products that tell w, to sum[1] and sum[2]. Local. */
void conjugate_compare(Inner *m, double omega, const Lanes *y, const Lanes *z);
void conjugate_observe(Observed *o, const Inner *m, const double square[2]);

/* After an iteration that left this norm: is there a next one? */
bool conjugate_goes_on(Course *c, double norm);

/* Remembers for the next solve how this one went. */
void conjugate_end(Inner *m, const Course *course, const Observed *observed);

/* Can the scalars stay on the device? Then late_begin launches the first iterations and returns MATM_LATE. Local. */
bool late_is_possible(Inner *m);
int late_begin(Inner *m, const Course *course, const Observed *observed);

#endif
