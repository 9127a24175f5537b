/* SPDX-License-Identifier: Apache-2.0
 *
 * Conjugate gradients on a device whose scalars stay there. The host launches several iterations ahead, and learns
 * later how they went: as soon as a test ends the solve, `stopped` is set, and what changes x and r does nothing from
 * then on. Sums, and so all scalars, have the bits that the host would find.
 */
#ifndef MAEOTIS_NUMERICS_LATE_H
#define MAEOTIS_NUMERICS_LATE_H

#include "gpu/emu.h"
#include "gpu/reduce.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { LATE_MOST = 64, LATE_SUMS = 3 }; /* iterations between two looks of the host; sums at once */

/* Of an iteration: (z, r); (p, A p), and two sums that come with it; the norm of r after it. */
typedef struct LateIteration {
    double rz, with_p[LATE_SUMS], norm;
} LateIteration;

/* Zeros where a solve begins. */
typedef struct LateScalars {
    double rz;           /* of the last iteration */
    double factor, step; /* p = z + factor p; x += step p */
    int stopped, count;  /* iterations that changed x */
    LateIteration past[LATE_MOST];
} LateScalars;

typedef enum LateTest { LATE_RZ, LATE_PAP, LATE_NORM } LateTest;

/* Rounds the first `count` totals and clears them; makes scalars of them and tests. */
typedef struct LateLook {
    LateTest test;
    int count, slot; /* of `past` */
    bool first;      /* of a solve */
    double goal;
    ExactSum *total;
    LateScalars *scalars;
} LateLook;

/* One block of LATE_SUMS threads. */
void late_look_blocks(Exec exec, BlockShape shape, LateLook args);

#ifdef __cplusplus
}
#endif
#endif
