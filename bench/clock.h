/* SPDX-License-Identifier: Apache-2.0 */
#ifndef MAEOTIS_BENCH_CLOCK_H
#define MAEOTIS_BENCH_CLOCK_H

#include <mpi.h>
#include <time.h>

/* Seconds; of one rank those of its processor, which other programs on the machine stretch less. Here, since plug-ins are not linked
 * with the benchmarks. */
static inline double bench_clock(MPI_Comm comm) {
    int ranks;
    MPI_Comm_size(comm, &ranks);
    if (ranks > 1) return MPI_Wtime();
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
