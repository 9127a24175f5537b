/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers that travel together: each answer is that of a message of its own, for any mixture, and more than once.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "numerics/grid/tally.h"
#include "tests/support/mpi_counts.h"
#include "tests/support/ranks.h"
#include "tests/support/small_sea.h"

/* From the largest number NANS on, each rank in turn has one that is none: it may meet the others from either side. */
enum { SUMS = 20, ADDED = 3, MOSTS = 19, NANS = 4 };

static int rank, ranks;

static double number(int which, int of) {
    return ldexp(sin(1 + 7.3 * which + 2.1 * of), (37 * which + 11 * of) % 200 - 100);
}

static void ask_all(Tally *tally, double *sum, uint64_t *added, double *most) {
    for (int n = 0; n < SUMS; n++) { /* kinds in turn, so that places matter */
        ExactSum own = {0};
        exact_sum_add(&own, number(n, rank));
        exact_sum_add(&own, 1 / number(n, rank + 100));
        exact_sum_normalise(&own);
        *tally_ask_sums(tally, 1, &sum[n]) = own;
        if (n < ADDED) *tally_ask_counts(tally, 1, &added[n]) = UINT64_MAX / 2 + (uint64_t)(1000 * n + rank);
        if (n < MOSTS) tally_most(tally, n == NANS + rank ? NAN : -fabs(number(n, rank)), &most[n]);
    }
}

static void check_sums(const double *sum) {
    for (int n = 0; n < SUMS; n++) {
        ExactSum all = {0};
        for (int r = 0; r < ranks; r++) {
            exact_sum_add(&all, number(n, r));
            exact_sum_add(&all, 1 / number(n, r + 100));
        }
        assert_true(sum[n] == exact_sum_value(&all));
    }
}

static void check_rest(const uint64_t *added, const double *most) {
    for (int n = 0; n < ADDED; n++) {
        uint64_t all = 0;
        for (int r = 0; r < ranks; r++) all += UINT64_MAX / 2 + (uint64_t)(1000 * n + r);
        assert_true(added[n] == all);
    }
    for (int n = 0; n < MOSTS; n++) {
        double all = -INFINITY;
        for (int r = 0; r < ranks; r++) all = fmax(all, -fabs(number(n, r)));
        assert_true(n >= NANS && n < NANS + ranks ? isnan(most[n]) : most[n] == all);
    }
}

static void test_mixture(void **state) {
    (void)state;
    SmallSea sea = small_sea_create(MPI_COMM_WORLD, "[]", "tally", false, false);
    Tally *tally = NULL;
    tally_create(sea.grid, &tally);
    for (int turn = 0; turn < 3; turn++) {
        double sum[SUMS] = {0}, most[MOSTS] = {0};
        uint64_t added[ADDED] = {0};
        ask_all(tally, sum, added, most);
        const int64_t before = mpi_counts.collectives;
        tally_answer(tally);
        tally_answer(tally); /* nothing is asked */
        assert_int_equal(mpi_counts.collectives - before, ranks > 1);
        check_sums(sum);
        check_rest(added, most);
    }
    tally_destroy(&tally);
    small_sea_destroy(&sea);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mixture)};
    return ranks_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
