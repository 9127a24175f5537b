/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/triad_kernels.h"

KERNEL_CELLS(bench_triad, Triad) {
    const int64_t n = ((int64_t)j << 20) + i;
    (void)k;
    a->a[n] = a->b[n] + a->factor * a->c[n];
}
