/* SPDX-License-Identifier: Apache-2.0
 *
 * The tuning law of the authors' kernel (this folder): the time of a sweep of 1000 nodes against the threads'
 * ratio k = X / Z and the nodes in y, fitted by their equation 6:
 *
 *     T = a - b Y - c ln(k) - d ln(Y)     [ms]
 */
#ifndef MAEOTIS_BENCH_PAPERS_TUNING_H
#define MAEOTIS_BENCH_PAPERS_TUNING_H

#include "base/error.h"
#include "gpu/kernel.h"

typedef struct PaperSample {
    double k, y, ms;
} PaperSample;

typedef struct PaperLaw {
    double a, b, c, d, determination; /* R^2 */
} PaperLaw;

/* Least squares; false where the samples do not tell the four numbers apart. */
bool paper_law_fit(const PaperSample *sample, int count, PaperLaw *law);

/* Measures, prints and fits. */
CHECKED Status bench_paper(Exec exec);

#endif
