/* SPDX-License-Identifier: Apache-2.0
 *
 * Output variables beside values found by hand, in the middle of a small sea that is made even first.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "output/variables.h"
#include "tests/support/small_sea.h"
#include <math.h>

enum { I = 10, J = 17, LEVELS = SMALL_SEA_NZ };

static SmallSea sea;

static double *at(double *field, int i, int j, int k) {
    return &field[AT(*sea.grid, i, j, k)];
}

/* Around the cell a flat bed at -16 m below a level of 0 with layers of 8, 4, 2 and 2 m, at rest; faces are as wide as cells. */
static int make_even(void **unused) {
    (void)unused;
    sea = small_sea_create(MPI_COMM_SELF, "[]", "unused", false, false);
    Grid *g = sea.grid;
    State *s = sea.state;
    for (int j = J - 2; j <= J + 2; j++)
        for (int i = I - 2; i <= I + 2; i++) {
            const ptrdiff_t n = AT2(*g, i, j);
            g->bed[n] = -16, g->area[n] = 1e6, g->width_u[n] = g->width_v[n] = 1000;
            g->bottom_c[n] = g->bottom_u[n] = g->bottom_v[n] = 0;
            s->eta[n] = 0, s->depth[n] = s->depth_u[n] = s->depth_v[n] = 16;
            for (int k = 0; k < LEVELS; k++) {
                static const double share[LEVELS] = {0.5, 0.25, 0.125, 0.125};
                *at(g->phi_c, i, j, k) = share[k];
                *at(s->u, i, j, k) = *at(s->v, i, j, k) = 0;
                *at(s->flux_u, i, j, k) = *at(s->flux_v, i, j, k) = *at(s->flux_w, i, j, k) = 0;
            }
        }
    return 0;
}

static int destroy(void **unused) {
    (void)unused;
    small_sea_destroy(&sea);
    return 0;
}

static double value(const char *name, int k) {
    const Sea of = {sea.state, 1020, NULL};
    return output_value(output_variable(name, false), &of, I, J, k);
}

static void assert_is(const char *name, int k, double expected) {
    assert_true(fabs(value(name, k) - expected) <= 1e-12 * fabs(expected));
}

static void velocities_are_means_by_the_width_of_faces(void **unused) {
    (void)unused;
    Grid *g = sea.grid;
    *at(g->width_u, I, J, 0) = 300, *at(g->width_u, I + 1, J, 0) = 900;
    *at(g->width_v, I, J, 0) = 600, *at(g->width_v, I, J + 1, 0) = 200;
    for (int k = 0; k < LEVELS; k++) {
        *at(sea.state->u, I, J, k) = 1 + k, *at(sea.state->u, I + 1, J, k) = 2 + k;
        *at(sea.state->v, I, J, k) = -1, *at(sea.state->v, I, J + 1, k) = 1;
    }
    assert_is("u_east", 0, 1.75);
    assert_is("v_north", 2, -0.5);
    assert_is("speed", 0, hypot(1.75, 0.5));
    assert_is("ubar", 0, 1.75 + 0.25 + 0.25 + 0.375);
    assert_is("vbar", 0, -0.5);
    *at(g->width_u, I, J, 0) = 0; /* a wall in the west */
    assert_is("u_east", 0, 2);
    *at(sea.state->depth_u, I + 1, J, 0) = 0.5 * sea.state->dry_depth; /* and a dry face in the east */
    assert_is("u_east", 0, 0);
    *at(g->bottom_v, I, J, 0) = 1; /* a step below the south */
    assert_is("v_north", 0, 1);
    assert_is("v_north", 1, -0.5);
}

static void stresses_are_means_with_the_density_of_the_water(void **unused) {
    (void)unused;
    State *s = sea.state;
    *at(sea.grid->width_u, I, J, 0) = 300, *at(sea.grid->width_u, I + 1, J, 0) = 900;
    *at(s->stress_u, I, J, 0) = 1e-4, *at(s->stress_u, I + 1, J, 0) = 2e-4;
    *at(s->stress_v, I, J, 0) = 1e-4, *at(s->stress_v, I, J + 1, 0) = 3e-4;
    assert_is("wind_stress_x", 0, 1020 * 1.75e-4);
    assert_is("wind_stress_y", 0, 1020 * 2e-4);
}

static void water_rises_with_the_level(void **unused) {
    (void)unused;
    const double share[LEVELS] = {0.5, 0.25, 0.125, 0.125}, middle[LEVELS] = {0.25, 0.625, 0.8125, 0.9375};
    for (int k = 0; k < LEVELS; k++)
        *at(sea.state->flux_u, I, J, k) = 50 * share[k], *at(sea.state->flux_v, I, J + 1, k) = -30 * share[k];
    for (int k = 0; k < LEVELS; k++) assert_is("w", k, 80 * middle[k] / 1e6);
}

static void water_passes_through_layers_once(void **unused) {
    (void)unused;
    *at(sea.state->flux_w, I, J, 1) = 40, *at(sea.state->flux_w, I, J, 2) = 60;
    assert_is("w", 1, 50 / 1e6);
    assert_is("w", 2, 30 / 1e6);
    assert_is("w", 0, 20 / 1e6);
    assert_is("w", 3, 0.0);
}

/* A current of 0.1 m/s along x over ground that rises by 1 m a cell, its layers with it. */
static void water_climbs_with_tilted_layers(void **unused) {
    (void)unused;
    for (int i = I - 1; i <= I + 1; i++)
        *at(sea.grid->bed, i, J, 0) = -16 + (i - I), *at(sea.state->depth, i, J, 0) = 16 - (i - I);
    *at(sea.state->flux_u, I, J, 0) = *at(sea.state->flux_u, I + 1, J, 0) = 0.1 * 1000 * 8;
    assert_is("w", 0, 0.1 * (0.75 * 2) / 2000);
    *at(sea.state->flux_u, I, J, 0) = *at(sea.state->flux_u, I + 1, J, 0) = 0;
    for (int j = J - 1; j <= J + 1; j++)
        *at(sea.grid->bed, I, j, 0) = -16 - (j - J), *at(sea.state->depth, I, j, 0) = 16 + (j - J);
    *at(sea.state->flux_v, I, J, 1) = *at(sea.state->flux_v, I, J + 1, 1) = 0.1 * 1000 * 4;
    assert_is("w", 1, -0.1 * (0.375 * 2) / 2000);
}

static void without_hydrostasis_w_is_that_of_both_faces(void **unused) {
    (void)unused;
    double *w = field3_create(sea.grid), *kept = sea.state->w;
    sea.state->w = w;
    *at(w, I, J, 0) = 1, *at(w, I, J, 1) = 3;
    assert_is("w", 0, 0.5);
    assert_is("w", 1, 2);
    sea.state->w = kept;
    field3_destroy(sea.grid, &w);
}

static void waves_come_from_where_they_do_not_go(void **unused) {
    (void)unused;
    State *s = sea.state;
    double *x = field2_create(sea.grid), *y = field2_create(sea.grid), *kept[2] = {s->wave_x, s->wave_y};
    const double to[][2] = {{1, 0}, {0, 1}, {-1, 0}, {0.6, -0.6}}, from[] = {270, 180, 90, 315};
    s->wave_x = x, s->wave_y = y;
    for (int n = 0; n < 4; n++) {
        *at(x, I, J, 0) = to[n][0], *at(y, I, J, 0) = to[n][1];
        assert_is("wave_from", 0, from[n]);
    }
    *at(x, I, J, 0) = *at(y, I, J, 0) = 0;
    assert_true(isnan(value("wave_from", 0)));
    s->wave_x = kept[0], s->wave_y = kept[1];
    field2_destroy(sea.grid, &x), field2_destroy(sea.grid, &y);
}

static void turbulence_is_the_mean_of_what_is_above_and_below(void **unused) {
    (void)unused;
    double *kept = sea.state->vertical_viscosity, *field = field3_create(sea.grid);
    sea.state->vertical_viscosity = field;
    for (int k = 0; k < LEVELS; k++) *at(field, I, J, k) = 10 * k + 1;
    assert_is("vertical_viscosity", 0, 11);
    assert_is("vertical_viscosity", 1, 16);
    assert_is("vertical_viscosity", 3, 31);
    sea.state->vertical_viscosity = kept;
    field3_destroy(sea.grid, &field);
}

static void ice_is_measured_by_its_heat(void **unused) {
    (void)unused;
    double *kept = sea.state->ice, *field = field2_create(sea.grid);
    sea.state->ice = field;
    *at(field, I, J, 0) = 917 * 3.34e5 * 0.2;
    assert_is("ice_thickness", 0, 0.2);
    sea.state->ice = kept;
    field2_destroy(sea.grid, &field);
}

static void thin_water_has_no_values_but_its_depth(void **unused) {
    (void)unused;
    assert_is("thickness", 0, 8);
    *at(sea.grid->bottom_c, I, J, 0) = 1;
    assert_true(isnan(value("thickness", 0)) && isnan(value("u_east", 0)));
    *at(sea.state->depth, I, J, 0) = 0.99 * sea.state->dry_depth;
    assert_true(isnan(value("eta", 0)) && isnan(value("thickness", 3)) && isnan(value("ubar", 0)) &&
                isnan(value("w", 3)));
    assert_is("depth", 0, 0.99 * sea.state->dry_depth);
    *at(sea.state->depth, I, J, 0) = sea.state->dry_depth;
    assert_is("eta", 0, 0.0);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(velocities_are_means_by_the_width_of_faces, make_even, destroy),
        cmocka_unit_test_setup_teardown(stresses_are_means_with_the_density_of_the_water, make_even, destroy),
        cmocka_unit_test_setup_teardown(water_rises_with_the_level, make_even, destroy),
        cmocka_unit_test_setup_teardown(water_passes_through_layers_once, make_even, destroy),
        cmocka_unit_test_setup_teardown(water_climbs_with_tilted_layers, make_even, destroy),
        cmocka_unit_test_setup_teardown(without_hydrostasis_w_is_that_of_both_faces, make_even, destroy),
        cmocka_unit_test_setup_teardown(waves_come_from_where_they_do_not_go, make_even, destroy),
        cmocka_unit_test_setup_teardown(turbulence_is_the_mean_of_what_is_above_and_below, make_even,
                                        destroy),
        cmocka_unit_test_setup_teardown(ice_is_measured_by_its_heat, make_even, destroy),
        cmocka_unit_test_setup_teardown(thin_water_has_no_values_but_its_depth, make_even, destroy),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    MPI_Finalize();
    return failed;
}
