/* SPDX-License-Identifier: Apache-2.0
 *
 * Errors: the list, and how ranks agree on the worst status and report each message once.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/error.h"
#include "tests/support/messages.h"
#include "tests/support/ranks.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int rank, ranks;

static Status needs_above_zero(int value) {
    CHECK(value > 0, STATUS_BAD_INPUT, "%d is not above 0", value);
    return STATUS_OK;
}

static Status calls_twice(int value) {
    TRY(needs_above_zero(1));
    TRY(needs_above_zero(value));
    return STATUS_OK;
}

static Status cleans_up(int value, int *cleaned) {
    Status status = STATUS_OK;
    ATTEMPT(needs_above_zero(value));
cleanup:
    (*cleaned)++;
    return status;
}

static void a_failure_travels_up_with_one_message(void **state) {
    (void)state;
    int cleaned = 0;
    assert_int_equal(calls_twice(1), STATUS_OK);
    assert_int_equal(error_count(), 0);
    assert_int_equal(calls_twice(-3), STATUS_BAD_INPUT);
    assert_int_equal(cleans_up(-4, &cleaned), STATUS_BAD_INPUT);
    assert_int_equal(cleans_up(4, &cleaned), STATUS_OK);
    assert_int_equal(cleaned, 2);
    assert_int_equal(error_count(), 2);
    char *text = messages_take();
    assert_string_equal(text, "error: -3 is not above 0\nerror: -4 is not above 0\n");
    assert_int_equal(error_count(), 0);
    free(text);
}

static void a_flood_of_messages_is_cut(void **state) {
    (void)state;
    for (int n = 0; n < 1000; n++) (void)error_raise(STATUS_FAILED, "cell %d", n);
    assert_int_equal(error_count(), 1000);
    messages_expect("cell 199\nerror: ... and 800 more\n");
}

/* A rank that failed never leaves the others waiting. */
static void the_worst_status_wins(void **state) {
    (void)state;
    int last = rank == ranks - 1;
    assert_int_equal(status_agree(MPI_COMM_WORLD, STATUS_OK), STATUS_OK);
    assert_int_equal(status_agree(MPI_COMM_WORLD, last ? STATUS_BAD_INPUT : STATUS_OK), STATUS_BAD_INPUT);
    assert_int_equal(status_agree(MPI_COMM_WORLD, last ? STATUS_FAILED : STATUS_BAD_INPUT), STATUS_FAILED);
    assert_int_equal(status_agree(MPI_COMM_WORLD, last ? STATUS_FAILED : STATUS_INTERRUPTED), STATUS_FAILED);
    assert_int_equal(status_agree(MPI_COMM_WORLD, last ? STATUS_INTERRUPTED : STATUS_OK), STATUS_INTERRUPTED);
}

/* Rank 0's stderr goes to a file meanwhile. */
static void equal_messages_are_reported_once(void **state) {
    (void)state;
    FILE *file = tmpfile();
    int kept = dup(STDERR_FILENO);
    fflush(stderr);
    dup2(fileno(file), STDERR_FILENO);
    (void)error_raise(STATUS_FAILED, "all of us");
    if (rank > 0) (void)error_raise(STATUS_FAILED, "rank %d", rank);
    error_report(MPI_COMM_WORLD);
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    char text[512] = "", expected[512] = "error: all of us\n";
    rewind(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    for (int other = 1; other < ranks; other++)
        sprintf(expected + strlen(expected), "error: rank %d\n", other);
    assert_string_equal(text, rank == 0 ? expected : "");
    assert_int_equal(error_count(), 0);
    close(kept);
    fclose(file);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_failure_travels_up_with_one_message),
        cmocka_unit_test(a_flood_of_messages_is_cut),
        cmocka_unit_test(the_worst_status_wins),
        cmocka_unit_test(equal_messages_are_reported_once),
    };
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    return ranks_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
