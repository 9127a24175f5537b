/* SPDX-License-Identifier: Apache-2.0
 *
 * What `maeotis bench` measures beside time steps.
 */
#ifndef MAEOTIS_MODEL_BENCH_H
#define MAEOTIS_MODEL_BENCH_H

#include "base/error.h"
#include <stdbool.h>

/* Systems whose names contain one of `names` (all if there are none); `variants`: all kinds of MATM, not only
 * the one it chooses. Collective. */
CHECKED Status bench_solvers(MPI_Comm comm, const char *const *names, int count, bool variants);

#endif
