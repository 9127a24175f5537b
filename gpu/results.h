/* SPDX-License-Identifier: Apache-2.0
 *
 * Results on their way to the host: sums (reduce.h), largest values and counts (measure.h). Kernels leave them in a
 * little of the device's memory; they are asked for one after another, while the work goes on, and fetched together:
 *
 *     ExactSum *begun = reduce_begin(exec, 1, &sum);
 *     reduce_add_dot(exec, blocks, x, y, row, begun);
 *     fastest_ask(exec, cells, flow, &speed);
 *     results_fetch(exec);                              // one wait; now sum and speed are known
 *
 * Each fetch leaves a GPU idle for a while, so a step should have few. Where a kernel adds to a result, it is
 * launched before the next results_fetch.
 */
#ifndef MAEOTIS_GPU_RESULTS_H
#define MAEOTIS_GPU_RESULTS_H

#include "base/error.h"
#include "gpu/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Hands what was found to who asked for it: `count` of them; NULL: the device failed. */
typedef void ResultTake(const void *found, int count, void *into);

enum { RESULT_MOST = 32 << 10 }; /* of one question [bytes] */

/* Room for results, zero on the device before the next launch; at the next fetch `take` gets what is there. Memory
 * of the device. Local. */
void *results_ask(Exec exec, size_t bytes, int count, ResultTake *take, void *into);

/* Waits, and answers all questions; does nothing where there are none. Local. */
void results_fetch(Exec exec);

/* Drops all questions: for who goes away while some are open, after a failure. */
void results_forget(Exec exec);

/* For exec_create, and its end. */
CHECKED Status results_create(Exec exec, struct Results **out);
void results_destroy(Exec exec, struct Results **results);

#ifdef __cplusplus
}
#endif
#endif
