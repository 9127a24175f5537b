/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/krylov/late.h"

#define BLOCK_THREADS_MOST 32 /* LATE_SUMS of them: the rounding of a sum takes many registers */

#include "gpu/block.h"
#include "gpu/exact_value.h"

POINTWISE void test_product(const LateLook *a, LateScalars *s, LateIteration *now, double rz) {
    now->rz = rz;
    s->stopped = !(rz > 0);
    s->factor = a->first ? 0 : rz / s->rz;
    s->rz = rz;
}

POINTWISE void test_curvature(LateScalars *s, LateIteration *now, const double *sum, int count) {
    for (int n = 0; n < count; n++) now->with_p[n] = sum[n];
    s->stopped = !(sum[0] > 0);
    s->step = s->rz / sum[0];
}

POINTWISE void test_norm(const LateLook *a, LateScalars *s, LateIteration *now, double square) {
    now->norm = sqrt(square);
    s->count++;
    s->stopped = !(now->norm > a->goal);
}

BLOCK_KERNEL(late_look_blocks, LateLook) {
    SHARED_ARRAY(double, sum, LATE_SUMS);
    LateScalars *s = a->scalars;
    if (at.thread < a->count) {
        sum[at.thread] = exact_sum_round(&a->total[at.thread]);
        exact_sum_clear(&a->total[at.thread]);
    }
    block_barrier();
    if (at.thread > 0 || s->stopped) return;
    LateIteration *now = &s->past[a->slot];
    if (a->test == LATE_RZ)
        test_product(a, s, now, sum[0]);
    else if (a->test == LATE_PAP)
        test_curvature(s, now, sum, a->count);
    else
        test_norm(a, s, now, sum[0]);
}
