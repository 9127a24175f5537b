/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MAEOTIS_BENCH_TRIAD_KERNELS_H
#define MAEOTIS_BENCH_TRIAD_KERNELS_H

#include "gpu/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* STREAM's triad, a = b + factor c; an element is element i + j 2^20. */
typedef struct Triad {
    double *a;
    const double *b, *c;
    double factor;
} Triad;
void bench_triad(Exec exec, RunList runs, Triad args);

#ifdef __cplusplus
}
#endif
#endif
