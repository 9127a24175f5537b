/* SPDX-License-Identifier: Apache-2.0
 *
 * The tuning law of the paper on MATM: the time of a sweep of 1000 nodes against the threads' ratio k = X / Z and the nodes Y
 * along which they march, fitted by its equation 6:
 *
 *     T = a - b Y - c ln(k) - d ln(Y)     [ms]
 *
 * It is fitted to its kernel (paper_sweep.h) and to ours, whose tiles of rows and levels march along i. Shapes change no bit.
 */
#ifndef MAEOTIS_BENCH_PAPERS_TUNING_H
#define MAEOTIS_BENCH_PAPERS_TUNING_H

#include "bench/papers/papers.h"

typedef struct PaperSample {
    int x, z, y; /* threads, threads, nodes */
    double ms;
} PaperSample;

typedef struct PaperLaw {
    double a, b, c, d, determination; /* R^2 */
} PaperLaw;

/* As printed: on a GeForce GTX 1650, for X Z up to 640 and Y from 1000 to 30,000. */
extern const PaperLaw PAPER_LAW;

double paper_law_at(const PaperLaw *law, double k, double y);

/* Least squares; false where the samples do not tell the four numbers apart. */
bool paper_law_fit(const PaperSample *sample, int count, PaperLaw *law);

/* Rows of the page. */
CHECKED Status paper_law_printed(const PaperRun *run, char **here);
CHECKED Status paper_law_of_kernel(const PaperRun *run, char **here);
CHECKED Status paper_law_of_tiles(const PaperRun *run, char **here);
CHECKED Status paper_shared_memory(const PaperRun *run, char **here);

#endif
