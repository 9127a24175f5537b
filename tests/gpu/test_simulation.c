/* SPDX-License-Identifier: Apache-2.0
 *
 * On a GPU: the first steps of a scenario have the digests of the processor. Skipped (77) where there is
 * none.
 */
#include "gpu/device.h"
#include "model/simulation.h"
#include "settings/load.h"
#include "tests/support/ranks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { STEPS = 5, SKIPPED = 77 };

static void must(Status status) {
    if (status != STATUS_OK) error_print(stdout);
    assert_int_equal(STATUS_OK, status);
}

static void digests(const char *name, const char *device, uint64_t found[STEPS]) {
    char path[1000];
    Scenario *scenario = NULL;
    Simulation *sim = NULL;
    const Overrides none = {0};
    snprintf(path, sizeof path, "%s/scenarios/%s.json", getenv("MAEOTIS_SOURCE_DIR"), name);
    must(scenario_load(MPI_COMM_WORLD, path, &none, &scenario));
    must(simulation_create(scenario, MPI_COMM_WORLD, device, &sim));
    for (int n = 0; n < STEPS; n++) {
        must(simulation_step(sim));
        found[n] = state_digest(sim->state);
    }
    simulation_destroy(&sim);
    scenario_destroy(&scenario);
}

static void test_digests(void **unused) {
    (void)unused;
    static const char *const names[] = {"azov_storm_2014",
                                        "verification/stormy_marsh",
                                        "verification/tracers_marsh",
                                        "verification/submerged_bar",
                                        "verification/sponge_pulse",
                                        "verification/evaporation_box",
                                        "verification/vortex_pair",
                                        "verification/lock_exchange"};
    for (size_t n = 0; n < sizeof names / sizeof *names; n++) {
        uint64_t expected[STEPS], found[STEPS];
        digests(names[n], "cpu", expected);
        digests(names[n], "gpu", found);
        print_message("%s\n", names[n]);
        assert_memory_equal(expected, found, sizeof found);
    }
}

int main(int argc, char **argv) {
    Exec gpu;
    MPI_Init(&argc, &argv);
    if (exec_create("gpu", 0, 1, &gpu) != STATUS_OK) {
        error_print(stdout);
        MPI_Finalize();
        return SKIPPED;
    }
    exec_destroy(&gpu);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_digests)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    MPI_Finalize();
    return failed;
}
