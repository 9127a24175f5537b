/* SPDX-License-Identifier: Apache-2.0
 *
 * What the fragments of a sweep on a processor have in common. For sweep.c and sweep_lines.h.
 */
#ifndef MAEOTIS_NUMERICS_MATM_SWEEP_STEPS_H
#define MAEOTIS_NUMERICS_MATM_SWEEP_STEPS_H

#include "numerics/matm/triangular.h"

/* Functions whose literal arguments choose the loops. */
#define TEMPLATE POINTWISE

typedef struct Sweep {
    const LaneLayout *layout;
    const LaneMatrix *matrix;
    double a;
    const Lanes *in;
    Lanes *out, *sums;
} Sweep;

/* What a step writes: all lanes, or at edges only the own ones. */
POINTWISE Lanes written(Lanes value, Lanes old, LaneMask own, bool edge) {
    return edge ? lanes_select(own, value, old) : value;
}

/* The steps s0 <= s < s1 of a run. */
static inline StepRun run_within(StepRun run, int s0, int s1) {
    return (StepRun){run.s0 > s0 ? run.s0 : s0, run.s1 < s1 ? run.s1 : s1};
}

#endif
