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

/* Asks for `count` numbers of all ranks; the answers are answer[count], which must stay until then. All ranks ask for
 * the same, in the same order. This rank's part goes to what is returned, before the tally is answered: it may be what
 * kernels find by then (gpu/results.h). At first it is 0, for largest values the least of all. Local. */
ExactSum *tally_ask_sums(Tally *tally, int count, double *answer);     /* normalised */
uint64_t *tally_ask_counts(Tally *tally, int count, uint64_t *answer); /* modulo 2^64 */
double *tally_ask_mosts(Tally *tally, int count, double *answer);      /* NaN counts for the largest */

/* One that is known. Local. */
void tally_most(Tally *tally, double own, double *answer);

/* Fetches what kernels have found, fills all answers, and starts over. One message, none without a question.
 * Collective. */
void tally_answer(Tally *tally);

#ifdef __cplusplus
}
#endif
#endif
