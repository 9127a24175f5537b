/* SPDX-License-Identifier: Apache-2.0
 *
 * maeotis bench papers: docs/papers.md, the figures and tables of the three papers whose methods this program uses, each
 * with the paper's value beside ours. A paper is a table of rows (matm.c, distd2.c, nshaped.c); a row that this machine can
 * measure has a function, which returns the text of its cell.
 */
#ifndef MAEOTIS_BENCH_PAPERS_PAPERS_H
#define MAEOTIS_BENCH_PAPERS_PAPERS_H

#include "base/error.h"
#include <mpi.h>
#include <stdbool.h>

typedef enum PaperNeed {
    NEEDS_CORE,   /* one process */
    NEEDS_RANKS,  /* several: -n 2 */
    NEEDS_GPU,    /* --device gpu; with emu it only shows that it runs */
    NEEDS_ANOTHER /* command, or machine: its cells in the page are filled by hand */
} PaperNeed;

typedef struct PaperRun {
    MPI_Comm comm;
    const char *device;
} PaperRun;

typedef struct PaperRow {
    const char *where, *what, *paper; /* in it, and its value */
    PaperNeed need;
    /* Text, to be freed; NULL where there is nothing to tell. Collective. */
    Status (*measure)(const PaperRun *run, char **here);
    const char *command; /* NULL: ./maeotis bench papers WHERE */
    const char *lacks;   /* what a measurement needs; NULL: by `need` */
} PaperRow;

typedef struct Paper {
    const char *name, *title, *reference;
    const PaperRow *row;
    int rows;
} Paper;

extern const Paper PAPER_MATM, PAPER_DISTD2, PAPER_NSHAPED;

/* Measures the rows in whose cells, or whose paper's name, one of `words` stands (all if there are none) and that can be
 * measured with this many processes on this device, and writes them into the page; the other rows keep what it holds, or are
 * "not measured". A row that fails leaves the others their figures. `page` NULL: docs/papers.md of the source tree.
 * `from`: a page that another machine wrote, whose figures are taken; nothing is measured then. Collective. */
CHECKED Status bench_papers(MPI_Comm comm, const char *device, const char *const *words, int count,
                            const char *page, const char *from);

/* The first cells of every row, on stdout: what the page must hold. */
void bench_papers_list(void);

#endif
