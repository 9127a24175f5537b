/* SPDX-License-Identifier: Apache-2.0
 *
 * Halo exchange: afterwards every cell within HALO of a rank's own ones holds what its owner has there,
 * around periodic seams and corners too, and nothing else has changed. The same where strips have cuts of their own;
 * beside land as far as there is water near.
 *
 * ctest: ranks 1 2 3 4 6
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/log.h"
#include "numerics/grid/halo.h"
#include "tests/support/bed_grid.h"
#include "tests/support/ranks.h"

enum { NX = 40, NY = 19, NZ = 3, FIELDS = 18 /* more than one launch takes */ };

static double levels[] = {-30, -20, -10, 0};

static double flat(int i, int j) {
    (void)i, (void)j;
    return -30;
}

static int sea;

/* A few ponds of different depth, and much land. */
static double ponds(int i, int j) {
    return (3 * (i / 2) + 5 * j + 11 * sea) % 83 == 0 ? -10.0 * (1 + (i / 14 + j) % 3) : BED_GRID_LAND;
}

/* Different in every cell of every field. */
static double value(int field, int i, int j, int k) {
    return 1 + field + 100.0 * (i + NX * (j + NY * k));
}

static bool is_own(const Grid *g, int i, int j) {
    return i >= 0 && i < g->n1 && j >= 0 && j < g->n2;
}

/* Position of a cell on the whole grid, around the seams; false if it lies beyond an edge. */
static bool global_position(const Grid *g, int *i, int *j) {
    *i += g->i_first, *j += g->j_first;
    if (g->axes.periodic_x) *i = axes_wrap(*i, NX);
    if (g->axes.periodic_y) *j = axes_wrap(*j, NY);
    return *i >= 0 && *i < NX && *j >= 0 && *j < NY;
}

enum { BEFORE = -1 }; /* what the halo holds before the exchange */

static void fill(const Grid *g, double *x, int field, int levels_of_field) {
    for (int k = 0; k < levels_of_field; k++)
        for (int j = -HALO; j < g->n2 + HALO; j++)
            for (int i = -HALO; i < g->n1 + HALO; i++)
                x[AT(*g, i, j, k)] =
                    is_own(g, i, j) ? value(field, g->i_first + i, g->j_first + j, k) : BEFORE;
}

static void check(const Grid *g, const double *x, int field, int levels_of_field) {
    for (int k = 0; k < levels_of_field; k++)
        for (int j = -HALO; j < g->n2 + HALO; j++)
            for (int i = -HALO; i < g->n1 + HALO; i++) {
                int there_i = i, there_j = j;
                const bool somewhere = global_position(g, &there_i, &there_j);
                const double expected = somewhere ? value(field, there_i, there_j, k) : BEFORE;
                assert_true(x[AT(*g, i, j, k)] == expected);
            }
}

static void exchange_in(const CutWishes *wishes, Exec exec, bool periodic_x, bool periodic_y, int flat_fields,
                        int deep_fields) {
    const Axes axes = {.nx = NX,
                       .ny = NY,
                       .nz = NZ,
                       .step_x = 1,
                       .step_y = 1,
                       .interfaces = levels,
                       .periodic_x = periodic_x,
                       .periodic_y = periodic_y};
    Grid *g = bed_grid_cut(MPI_COMM_WORLD, &axes, flat, 0, wishes);
    g->exec = exec;
    Halo *halo = NULL;
    double *fields2[FIELDS], *fields3[FIELDS];
    for (int n = 0; n < flat_fields; n++) fill(g, fields2[n] = field2_create(g), n, 1);
    for (int n = 0; n < deep_fields; n++) fill(g, fields3[n] = field3_create(g), FIELDS + n, NZ);
    assert_int_equal(halo_create(g, 1, &halo), STATUS_OK); /* more levels than that make it larger */
    halo_exchange(halo, flat_fields, fields2, deep_fields, fields3);
    exec_wait(exec);
    for (int n = 0; n < flat_fields; n++) check(g, fields2[n], n, 1);
    for (int n = 0; n < deep_fields; n++) check(g, fields3[n], FIELDS + n, NZ);
    for (int n = 0; n < flat_fields; n++) field2_destroy(g, &fields2[n]);
    for (int n = 0; n < deep_fields; n++) field3_destroy(g, &fields3[n]);
    halo_destroy(&halo);
    grid_destroy(&g);
}

static void exchange_on(Exec exec, bool periodic_x, bool periodic_y, int flat_fields, int deep_fields) {
    exchange_in(NULL, exec, periodic_x, periodic_y, flat_fields, deep_fields);
}

static void cells_beyond_edges_are_left_alone(void **state) {
    (void)state;
    exchange_on((Exec){0}, false, false, 1, 1);
}

static void periodic_seams_are_crossed(void **state) {
    (void)state;
    exchange_on((Exec){0}, true, false, 1, 1);
    exchange_on((Exec){0}, false, true, 1, 1);
    exchange_on((Exec){0}, true, true, 1, 1);
}

static void all_fields_of_a_call_travel_together(void **state) {
    (void)state;
    exchange_on((Exec){0}, true, false, FIELDS, 0);
    exchange_on((Exec){0}, true, true, 0, FIELDS);
    exchange_on((Exec){0}, false, false, 3, 2);
}

static void the_emulated_device_does_the_same(void **state) {
    (void)state;
    Exec exec;
    assert_int_equal(exec_create("emu", 0, 1, &exec), STATUS_OK);
    exchange_on(exec, true, true, 2, FIELDS);
    exec_destroy(&exec);
}

/* Ranks of different speed, so that the cuts of one strip are not those of the next. */
static void strips_meet_several_ranks(void **state) {
    static const double speed[8] = {1, 3, 2.5, 0.5, 3, 1, 0.6, 2};
    Exec emulated;
    int ranks;
    (void)state;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    assert_int_equal(exec_create("emu", 0, 2, &emulated), STATUS_OK);
    for (int ranks_y = 2; ranks % ranks_y == 0 && ranks_y < ranks; ranks_y++) {
        const CutWishes wishes = {
            .ranks_x = ranks / ranks_y, .ranks_y = ranks_y, .kind = CUTS_STRIPS, .speed = speed};
        for (int periodic = 0; periodic < 4; periodic++) {
            exchange_in(&wishes, (Exec){0}, periodic & 1, periodic & 2, 1, 1);
            exchange_in(&wishes, emulated, periodic & 1, periodic & 2, 2, 1);
        }
    }
    exec_destroy(&emulated);
}

/* The lowest level of water within HALO of a cell beside the rank's own ones that an own wet cell is near to; NZ: none. */
static int lowest_near(const Grid *g, int i, int j) {
    int lowest = NZ;
    for (int y = j - HALO; y <= j + HALO; y++)
        for (int x = i - HALO; x <= i + HALO; x++)
            if (is_own(g, x, y) && g->area[AT2(*g, x, y)] > 0 && g->bottom_c[AT2(*g, x, y)] < lowest)
                lowest = (int)g->bottom_c[AT2(*g, x, y)];
    return lowest;
}

static void check_near_water(const Grid *g, const double *x, int field, int levels_of_field) {
    for (int j = -HALO; j < g->n2 + HALO; j++)
        for (int i = -HALO; i < g->n1 + HALO; i++) {
            const int lowest = levels_of_field > 1 ? lowest_near(g, i, j) : 0;
            int there_i = i, there_j = j;
            if (is_own(g, i, j) || lowest_near(g, i, j) == NZ || !global_position(g, &there_i, &there_j))
                continue;
            for (int k = lowest; k < levels_of_field; k++)
                assert_true(x[AT(*g, i, j, k)] == value(field, there_i, there_j, k));
        }
}

static void check_ponds(const CutWishes *wishes, bool periodic_x, bool periodic_y) {
    const Axes axes = {.nx = NX,
                       .ny = NY,
                       .nz = NZ,
                       .step_x = 1,
                       .step_y = 1,
                       .interfaces = levels,
                       .periodic_x = periodic_x,
                       .periodic_y = periodic_y};
    Grid *g = bed_grid_cut(MPI_COMM_WORLD, &axes, ponds, 0, wishes);
    Halo *halo = NULL;
    double *plane = field2_create(g), *deep = field3_create(g);
    fill(g, plane, 0, 1);
    fill(g, deep, 1, NZ);
    assert_int_equal(halo_create(g, 1, &halo), STATUS_OK);
    halo_exchange(halo, 1, &plane, 1, &deep);
    check_near_water(g, plane, 0, 1);
    check_near_water(g, deep, 1, NZ);
    field2_destroy(g, &plane);
    field3_destroy(g, &deep);
    halo_destroy(&halo);
    grid_destroy(&g);
}

/* What no water is near to need not travel, but all that wet cells can reach does, around seams and corners too. */
static void all_that_water_can_reach_travels(void **state) {
    int ranks;
    (void)state;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int ranks_y = 1; ranks_y <= ranks; ranks_y++)
        for (sea = 0; ranks % ranks_y == 0 && ranks / ranks_y <= NX / BLOCK && sea < 24; sea++) {
            const CutWishes wishes = {.ranks_x = ranks / ranks_y,
                                      .ranks_y = ranks_y,
                                      .kind = sea & 4 ? CUTS_STRIPS : CUTS_STRAIGHT};
            check_ponds(&wishes, sea & 1, sea & 2);
        }
}

/* One rank over the whole width, beside strips of several. */
static void strips_of_unequal_numbers_meet(void **state) {
    int ranks;
    (void)state;
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int strips[3][4] = {{0, 1, ranks}, {0, ranks - 1, ranks}, {0, 1, ranks - 1, ranks}};
    for (int n = 0; n < 3 && ranks > 2; n++)
        for (int periodic = 0; periodic < 4; periodic++) {
            const CutWishes wishes = {.strips = strips[n], .n_strips = n < 2 ? 2 : 3};
            exchange_in(&wishes, (Exec){0}, periodic & 1, periodic & 2, 1, 1);
            for (sea = 0; sea < 4; sea++) check_ponds(&wishes, periodic & 1, periodic & 2);
        }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cells_beyond_edges_are_left_alone),
        cmocka_unit_test(periodic_seams_are_crossed),
        cmocka_unit_test(all_fields_of_a_call_travel_together),
        cmocka_unit_test(the_emulated_device_does_the_same),
        cmocka_unit_test(strips_meet_several_ranks),
        cmocka_unit_test(all_that_water_can_reach_travels),
        cmocka_unit_test(strips_of_unequal_numbers_meet),
    };
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    log_start(rank);
    return ranks_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
