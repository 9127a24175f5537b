/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of the page that forecast what the paper on DistD2 measured on its machines (docs/clusters/).
 */
#ifndef MAEOTIS_BENCH_PAPERS_MACHINES_H
#define MAEOTIS_BENCH_PAPERS_MACHINES_H

#include "bench/papers/papers.h"

CHECKED Status paper_strong_scaling(const PaperRun *run, char **here);
CHECKED Status paper_cube(const PaperRun *run, char **here);

#endif
