/* SPDX-License-Identifier: Apache-2.0
 *
 * maeotis-bench ...: the benchmarks, a program of their own. `./maeotis bench` starts it.
 */
#include "base/log.h"
#include "bench/bench.h"
#include <mpi.h>

int main(int argc, char **argv) {
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    log_start(rank);
    int code = bench_command(argc, argv);
    MPI_Finalize();
    return code;
}
