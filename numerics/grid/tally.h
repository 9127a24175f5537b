/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers of all ranks that travel in one message: exact sums, whole numbers that are added, and largest values.
 * They are asked for one after another, while the work goes on, and answered together.
 */
#ifndef MAEOTIS_NUMERICS_TALLY_H
#define MAEOTIS_NUMERICS_TALLY_H

#include "gpu/reduce.h"
#include "numerics/grid/grid.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Tally Tally;

void tally_create(const Grid *grid, Tally **out); /* local */
void tally_destroy(Tally **tally);                /* local; NULL may be given */

/* Enters a number of this rank; the answer is `*answer`, which must stay until then. All ranks ask for the same, in
 * the same order. Local. */
void tally_sum(Tally *tally, const ExactSum *own, double *answer); /* own: normalised */
void tally_add(Tally *tally, uint64_t own, uint64_t *answer);      /* modulo 2^64 */
void tally_most(Tally *tally, double own, double *answer);         /* NaN counts for the largest */

/* Fills all answers, and begins anew. One message, none without a question. Collective. */
void tally_answer(Tally *tally);

#ifdef __cplusplus
}
#endif
#endif
