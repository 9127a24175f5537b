/* SPDX-License-Identifier: Apache-2.0
 *
 * How often all ranks wait for each other in a step, counted by MPI's profiling interface: the storm of the Azov Sea on
 * a coarse grid, the same with salt and heat, and with steps so long that the surface takes many grids. What is counted
 * does not depend on the number of ranks. `--long` counts on 32.
 *
 * ctest: ranks 2 4 32
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/memory.h"
#include "model/simulation.h"
#include "settings/load.h"
#include "tests/support/mpi_counts.h"
#include "tests/support/ranks.h"

enum { FIRST_STEPS = 4, STEPS = 6 };

static int rank;

static void must(Status status) {
    if (status == STATUS_OK) return;
    error_report(MPI_COMM_WORLD);
    fail();
}

/* Of a step, on this rank. */
typedef struct Counted {
    MpiCounts set_up;
    double collectives, gathers, collected, messages, bytes, iterations;
} Counted;

static void show(const char *what, const Counted *c) {
    if (rank != 0) return;
    printf("%-24s set-up %4d collectives, %4d messages; a step: %4.1f iterations, %4.1f collectives of %6.0f "
           "bytes, "
           "%4.1f gathers, %5.1f messages of %6.0f bytes\n",
           what, (int)c->set_up.collectives, (int)c->set_up.messages, c->iterations, c->collectives,
           c->collected / c->collectives, c->gathers, c->messages, c->bytes / c->messages);
    fflush(stdout);
}

static Counted count(const char *what, const char *file, int changes, const char *const *change) {
    Scenario *scenario = NULL;
    Simulation *sim = NULL;
    Overrides overrides = {0};
    Counted c = {0};
    char *path = memory_format("%s/scenarios/%s", getenv("MAEOTIS_SOURCE_DIR"), file);
    for (int n = 0; n < changes; n++) must(overrides_add(&overrides, change[n]));
    must(scenario_load(MPI_COMM_WORLD, path, &overrides, &scenario));
    const MpiCounts start = mpi_counts;
    must(simulation_create(scenario, MPI_COMM_WORLD, "cpu", &sim));
    sim->keeps_digest = true;
    c.set_up = mpi_counts_since(start);
    for (int n = 0; n < FIRST_STEPS; n++) must(simulation_step(sim));
    const MpiCounts before = mpi_counts;
    for (int n = 0; n < STEPS; n++) {
        must(simulation_step(sim));
        (void)simulation_ledger(sim);
        c.iterations += (double)sim->report.surface.iterations / STEPS;
    }
    const MpiCounts of = mpi_counts_since(before);
    c.collectives = (double)of.collectives / STEPS;
    c.gathers = (double)of.gathers / STEPS;
    c.collected = (double)of.collected / STEPS;
    c.messages = (double)of.messages / STEPS;
    c.bytes = (double)of.bytes / STEPS;
    show(what, &c);
    simulation_destroy(&sim);
    scenario_destroy(&scenario);
    memory_free(path);
    return c;
}

static Counted storm(const char *what, const char *tolerance) {
    const char *const changes[] = {"/grid/dx_m=8000", "/time/step_s=300", "/output=[]",
                                   "/time/start=2014-09-24T10:00:00Z", tolerance};
    return count(what, "azov_storm_2014.json", 5, changes);
}

/* An iteration: what a smaller tolerance adds. */
static void test_storm(void **state) {
    (void)state;
    const Counted c = storm("storm", "/solver/surface/tolerance=1e-10");
    const Counted less = storm("storm, to 1e-6", "/solver/surface/tolerance=1e-6");
    assert_true(c.iterations > less.iterations + 0.5);
    const double each = (c.collectives - less.collectives) / (c.iterations - less.iterations);
    if (rank == 0) printf("an iteration: %.2f collectives\n", each);
    assert_true(each > 0 && each <= 3); /* two, and what another part of a solve needs */
    assert_true(c.collectives <= 2 * c.iterations + 8);
    assert_true(c.collectives > 5 && c.collectives <= 20);
    assert_true(c.gathers == 0);
}

static void test_stratified(void **state) {
    (void)state;
    const char *const changes[] = {"/grid/dx_m=8000", "/output=[]"};
    const Counted c = count("stratified", "azov_storm_2014_stratified.json", 2, changes);
    assert_true(c.collectives <= 2 * c.iterations + 8);
    assert_true(c.collectives > 5 && c.collectives <= 20);
    assert_true(c.gathers == 0);
}

static void test_many_grids(void **state) {
    (void)state;
    const char *const changes[] = {"/grid/dx_m=4000", "/time/step_s=7200", "/output=[]"};
    const Counted c = count("steps of two hours", "azov_storm_2014.json", 3, changes);
    assert_true(c.gathers > 0 && c.gathers <= c.iterations + 3); /* one a cycle, and to set up */
    assert_true(c.collectives <= 2 * c.iterations + c.gathers + 16);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_storm), cmocka_unit_test(test_stratified),
                                       cmocka_unit_test(test_many_grids)};
    return ranks_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
