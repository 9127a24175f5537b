/* SPDX-License-Identifier: Apache-2.0
 *
 * Each term of the momentum equation, and their sum, in a sea for which they are known by hand: level, air
 * pressure and salinity are linear in x and y, v is uniform, u is a parabola in y, the bed is flat.
 */
#include "base/memory.h"
#include "model/momentum/terms.h"
#include "model/simulation.h"
#include "tests/support/ranks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static const char *const sea =
    "{ 'title': 'terms',"
    "  'grid': { 'kind': 'cartesian', 'length_x_m': 20000, 'length_y_m': 20000, 'dx_m': 1000,"
    "            'levels': { 'bottom_m': -20, 'dz_m': 5 } },"
    "  'bathymetry': { 'bed_m': -20 },"
    "  'time': { 'start': '2000-01-01T00:00:00Z', 'duration_s': 1, 'step_s': 0.1 },"
    "  'physics': {"
    "    'water_density_kg_m3': 1000, 'gravity_m_s2': 10,"
    "    'density': { 'equation': 'linear', 'reference_salinity': 10, 'contraction_kg_g': 1e-3 },"
    "    'turbulence': { 'closure': 'constant', 'viscosity_m2_s': 0 },"
    "    'momentum': { 'horizontal_viscosity_m2_s': 50, 'side_walls': 'free-slip' },"
    "    'drag': { 'law': 'none' },"
    "    'coriolis': { 'f_s': 1e-4 } },"
    "  'forcing': { 'air_pressure': { 'Pa': '101300 + 2e-3*x - 3e-3*y' },"
    "               'wind': { 'stress_x_Pa': 0.2, 'stress_y_Pa': -0.1 } },"
    "  'initial': { 'eta_m': '1e-6*x + 2e-6*y', 'salinity': '10 + 1e-4*x',"
    "               'u_m_s': '0.3 + 4e-5*y + 1e-8*y*y', 'v_m_s': 0.2 } }";

typedef struct Sea {
    Scenario *scenario;
    Simulation *simulation;
} Sea;

static void must(Status status) {
    if (status == STATUS_OK) return;
    error_print(stdout);
    fail();
}

static Sea sea_create(void) {
    Sea s = {0};
    char *text = memory_format("%s", sea);
    for (char *c = text; *c; c++)
        if (*c == '\'') *c = '"';
    must(scenario_parse("terms.json", text, NULL, 0, &s.scenario));
    must(simulation_create(s.scenario, MPI_COMM_SELF, "cpu", &s.simulation));
    must(simulation_step(s.simulation));
    memory_free(text);
    return s;
}

static void sea_destroy(Sea *s) {
    simulation_destroy(&s->simulation);
    scenario_destroy(&s->scenario);
}

enum { I = 10, J = 9 };

/* The terms at the face I, J in layer k, to be freed. */
static double *find_terms(const Simulation *sim, bool along_x, int k) {
    const Grid *g = sim->grid;
    double *found = ALLOCATE(MOMENTUM_TERM_COUNT, double);
    momentum_terms_at(g->exec, along_x ? g->blocks_u : g->blocks_v,
                      (TermsAt){simulation_momentum(sim, along_x), I, J, k, found});
    exec_wait(g->exec);
    return found;
}

/* `expected` by term; those not named are 0. */
static void check_terms(bool along_x, int k, const double expected[MOMENTUM_TERM_COUNT]) {
#define NAME(name, time, words, advice) #name,
    static const char *const names[] = {MOMENTUM_TERMS(NAME)};
    Sea s = sea_create();
    double *found = find_terms(s.simulation, along_x, k);
    for (int n = 0; n < MOMENTUM_TERM_COUNT; n++) {
        print_message("  %-22s %14.6g %14.6g m/s2\n", names[n], found[n], expected[n]);
        if (!(fabs(found[n] - expected[n]) <= 1e-3 * fabs(expected[n]) + 1e-9)) fail_msg("%s", names[n]);
    }
    memory_free(found);
    sea_destroy(&s);
}

static void terms_of_u(void **unused) {
    (void)unused;
    const double y = 9500, layer = (20 + 1e-6 * 10000 + 2e-6 * y) / 4; /* thickness [m] */
    check_terms(true, 3,
                (double[MOMENTUM_TERM_COUNT]){[MOMENTUM_TERM_surface_slope] = -10 * 1e-6,
                                              [MOMENTUM_TERM_air_pressure] = -2e-3 / 1000,
                                              [MOMENTUM_TERM_wind_stress] = 0.2 / 1000 / layer,
                                              [MOMENTUM_TERM_baroclinic] = -10 * 1e-3 * 1e-4 * layer / 2,
                                              [MOMENTUM_TERM_advection] = -0.2 * (4e-5 + 2e-8 * y),
                                              [MOMENTUM_TERM_horizontal_viscosity] = 50 * 2e-8,
                                              [MOMENTUM_TERM_f_cross_u] = 1e-4 * 0.2});
}

static void terms_of_v(void **unused) {
    (void)unused;
    const double y = 9000, u = 0.3 + 4e-5 * y + 1e-8 * (y * y + 500 * 500); /* mean of the rows beside */
    check_terms(false, 0,
                (double[MOMENTUM_TERM_COUNT]){[MOMENTUM_TERM_surface_slope] = -10 * 2e-6,
                                              [MOMENTUM_TERM_air_pressure] = 3e-3 / 1000,
                                              [MOMENTUM_TERM_f_cross_u] = -1e-4 * u});
}

/* The next step changes the velocity by what the terms say. */
static void their_sum_is_the_acceleration(void **unused) {
    (void)unused;
    Sea s = sea_create();
    for (int along_x = 0; along_x < 2; along_x++)
        for (int k = 0; k < 4; k++) {
            Simulation *sim = s.simulation;
            const ptrdiff_t face = AT(*sim->grid, I, J, k);
            const double before = (along_x ? sim->u : sim->v).velocity[face];
            double *term = find_terms(sim, along_x, k), sum = 0;
            for (int n = 0; n < MOMENTUM_TERM_COUNT; n++) sum += term[n];
            must(simulation_step(sim));
            const double change = ((along_x ? sim->u : sim->v).velocity[face] - before) / sim->dt;
            print_message("  %s, layer %d: %.6g, sum %.6g m/s2\n", along_x ? "u" : "v", k, change, sum);
            assert_true(fabs(change - sum) < 1e-3 * fabs(sum) + 1e-8);
            memory_free(term);
        }
    sea_destroy(&s);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    const struct CMUnitTest tests[] = {cmocka_unit_test(terms_of_u), cmocka_unit_test(terms_of_v),
                                       cmocka_unit_test(their_sum_is_the_acceleration)};
    return ranks_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
