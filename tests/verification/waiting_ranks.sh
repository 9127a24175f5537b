#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# A parallel test in which one rank fails while the other waits for it ends at once, and as a failure.

set -euo pipefail
command -v mpicc >/dev/null || exit 77

cat >waiting.c <<'END'
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <mpi.h>
#include "tests/support/ranks.h"
static int rank;
int64_t memory_in_use(void) { return 0; }
static void fails_on_one(void **state) {
    (void)state;
    assert_int_equal(rank, 1);
    MPI_Barrier(MPI_COMM_WORLD);
}
static void sends(void **state) {
    int number = rank;
    (void)state;
    MPI_Sendrecv_replace(&number, 1, MPI_INT, 1 - rank, 7, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(fails_on_one), cmocka_unit_test(sends)};
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return ranks_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
END
# shellcheck disable=SC2046 # the flags are words
mpicc -I "$MAEOTIS_SOURCE_DIR" waiting.c "$MAEOTIS_SOURCE_DIR/tests/support/ranks.c" -o waiting $(pkg-config --cflags --libs cmocka)
code=0
timeout -k 5 20 "$MAEOTIS_MPIRUN" -n 2 ./waiting >log 2>&1 || code=$?
if ((code == 0 || code == 124)) || ! grep -q "waiting.c:12" log; then
    cat log
    echo "exit code $code"
    exit 1
fi
echo "ok    the others do not wait, code $code"
