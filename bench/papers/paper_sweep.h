/* SPDX-License-Identifier: Apache-2.0
 *
 * The triangular sweep of the method's authors on GPUs, their algorithm 2, to be measured beside ours.
 *
 * A thread has one (x, z) of a fragment of threads_x by threads_z and marches in y; its turn is when
 * i + j + k = s. What the last turns left is in shared memory; fragments on one diagonal run together, and
 * one launch follows the other. (The listing has no barriers between turns, and (blockDim.x + 1) j where its
 * text has n1 j; both are put right here.)
 *
 * Reference: A. Sukhinov, V. Litvinov, A. Chistyakov, A. Nikitina, N. Gracheva, N. Rudenko, "Solving grid
 * equations on a heterogeneous computing system" (2021), algorithms 1 and 2.
 */
#ifndef MAEOTIS_BENCH_PAPERS_PAPER_SWEEP_H
#define MAEOTIS_BENCH_PAPERS_PAPER_SWEEP_H

#include "gpu/block.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PAPER_THREADS = 1024 }; /* threads_x threads_z at most */

/* (D + w R1) y = r on nodes 1 ... n - 2 of each direction: node i + n1 j + n1 n2 k; y takes the place of r.
 * Nodes whose c0 is not positive are left out. */
typedef struct PaperSweep {
    const double *c0, *c2, *c4, *c6; /* centre, and couplings to the west, south and below */
    double omega;
    double *r;
    int n1, n2, n3, threads_x, threads_z;
    bool from_memory;      /* what was just found is read there, not in shared memory */
    int first_x, diagonal; /* of the fragments of a launch: set by paper_sweep */
} PaperSweep;

/* Algorithm 2, where exec computes, and algorithm 1, here and now. */
void paper_sweep(Exec exec, PaperSweep args);
void paper_sweep_in_turn(const PaperSweep *args);

void paper_fragments(Exec exec, BlockShape shape, PaperSweep args);

#ifdef __cplusplus
}
#endif
#endif
