/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/ranks.h"

#include "base/memory.h"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* A rank that fails ends all of them: gone on to the next test, it would leave the others waiting for ever. */
__attribute__((constructor)) static void fail_together(void) {
    setenv("CMOCKA_TEST_ABORT", "1", 0);
}

int ranks_finish(int failed) {
    /* The program's own account, since LeakSanitizer can crash among the threads of an MPI library. */
    if (memory_in_use() != 0) {
        fprintf(stderr, "%lld bytes were not given back\n", (long long)memory_in_use());
        failed++;
    }
    MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return failed != 0;
}
