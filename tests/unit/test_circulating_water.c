/* SPDX-License-Identifier: Apache-2.0
 *
 * An eddy that turns many times in a step: the memory that small steps and rings add is the one that was foretold, and the
 * values settle.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "model/simulation.h"
#include "tests/support/ranks.h"

static const char EDDY[] =
    "{'title': 'An eddy', 'bathymetry': {'bed_m': -1}, 'allow': ['scales'], 'output': [],"
    "'grid': {'kind': 'cartesian', 'length_x_m': 90, 'length_y_m': 70, 'dx_m': 10,"
    "         'levels': {'bottom_m': -1, 'dz_m': 0.1}},"
    "'time': {'start': '2000-01-01T00:00:00Z', 'duration_s': 86400, 'step_s': 43200},"
    "'physics': {'momentum': {'scheme': 'prescribed',"
    "                         'streamfunction_m3_s': '1e4*(sin(pi*x/90)*sin(pi*y/70))^2'},"
    "            'tracers': {'scheme': '%s'}},"
    "'tracers': [{'name': 'mark', 'initial': 'x > 30'}, {'name': 'other', 'initial': 'x < 30'},"
    "            {'name': 'third', 'initial': 1}]}";

static void foretells_memory(const char *scheme) {
    char *text = memory_format(EDDY, scheme);
    for (char *c = text; *c; c++)
        if (*c == '\'') *c = '"';
    Scenario *scenario = NULL;
    Simulation *sim = NULL;
    TracerMemory more;
    assert_int_equal(scenario_parse("eddy.json", text, NULL, 0, &scenario), STATUS_OK);
    assert_int_equal(simulation_create(scenario, MPI_COMM_SELF, "cpu", &sim), STATUS_OK);
    sim->until = scenario->time.to_s;
    assert_int_equal(tracers_memory_to_come(sim->tracers, &more), STATUS_OK);
    const double before = (double)memory_in_use();
    assert_int_equal(simulation_step(sim), STATUS_OK);
    const double added = (double)memory_in_use() - before;
    /* what grows with the sea; two tallies take a sheet each */
    assert_in_range((int64_t)(added - more.small_steps - more.rings), 0, 140000);
    assert_true(more.rings > 0.3 * more.small_steps);
    assert_true(tracers_unsettled(sim->tracers).change == 0);
    assert_int_equal(simulation_step(sim), STATUS_OK);
    assert_float_equal((double)memory_in_use() - before, added, 0);
    simulation_destroy(&sim);
    scenario_destroy(&scenario);
    memory_free(text);
}

static void upwind(void **state) {
    (void)state;
    foretells_memory("upwind");
}

static void flux_corrected(void **state) {
    (void)state;
    foretells_memory("fct");
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    const struct CMUnitTest tests[] = {cmocka_unit_test(upwind), cmocka_unit_test(flux_corrected)};
    return ranks_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
