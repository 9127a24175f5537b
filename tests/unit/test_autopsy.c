/* SPDX-License-Identifier: Apache-2.0
 *
 * A tracer that becomes no number in a sound flow stops the run: the report of the step and the autopsy name it and its cell.
 */
#include "model/simulation.h"
#include "program/autopsy.h"
#include "tests/support/basin.h"
#include "tests/support/messages.h"
#include "tests/support/ranks.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void a_tracer_that_is_no_number_stops_the_run(void **state) {
    (void)state;
    Basin b = basin_create(
        SETTINGS("/tracers=[{\"name\": \"dye\", \"initial\": 1}, {\"name\": \"silt\", \"initial\": 2}]"));
    StepHistory history = {.count = 0};
    assert_int_equal(simulation_step(b.sim), STATUS_OK);
    assert_false(b.sim->report.broken);
    assert_int_equal(b.sim->report.lost, 0);
    b.sim->state->tracer[1].c[AT(*b.sim->grid, 7, 5, 0)] = NAN;
    assert_int_equal(simulation_step(b.sim), STATUS_OK);
    assert_true(b.sim->report.broken);
    assert_int_equal(b.sim->report.lost, 2);
    history_add(&history, b.sim);
    assert_int_equal(autopsy(b.sim, NULL, &history), STATUS_FAILED);
    char *said = messages_take();
    print_message("%s", said);
    assert_non_null(strstr(said, "\"silt\" is not a number at cell i "));
    assert_null(strstr(said, "unstable"));
    free(said);
    basin_destroy(&b);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_tracer_that_is_no_number_stops_the_run)};
    return ranks_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
