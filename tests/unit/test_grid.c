/* SPDX-License-Identifier: Apache-2.0
 *
 * What a grid is made of, by numbers that can be checked by hand: metrics, layers and their shares, faces,
 * edges, and the lists of runs and blocks that kernels visit.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/log.h"
#include "tests/support/bed_grid.h"
#include "tests/support/messages.h"
#include "tests/support/near.h"
#include "tests/support/ranks.h"
#include <math.h>

enum { NX = 19, NY = 5, LAND = 1000 };

/* Levels of 4, 3, 2 and 1 m from the deepest one up. */
static double levels[] = {-10, -6, -3, -1, 0};

static Axes plane(void) {
    return (Axes){.nx = NX, .ny = NY, .nz = 4, .step_x = 100, .step_y = 50, .interfaces = levels};
}

/* Row 0 holds a column of every kind; row 2 has an island; row 4 is land. */
static double bed(int i, int j) {
    static const double kinds[] = {-10, -5, -6.2, -12, -0.5, 0.5, LAND};
    if (j == 4 || (j == 2 && i >= 7 && i < 10)) return LAND;
    return j == 0 && i < 7 ? kinds[i] : -10;
}

static void assert_shares(const Grid *g, const double *phi, int i, int j, const double expected[4]) {
    for (int k = 0; k < 4; k++) assert_near(phi[AT(*g, i, j, k)], expected[k], 1e-15);
}

static void columns_are_cut_by_levels_down_to_their_bed(void **state) {
    const Grid *g = *state;
    assert_shares(g, g->phi_c, 0, 0, (double[]){0.4, 0.3, 0.2, 0.1}); /* bed at the lowest level */
    assert_shares(g, g->phi_c, 1, 0, (double[]){0, 0.4, 0.4, 0.2});   /* 2 of 3 m, then 2 and 1 */
    assert_shares(g, g->phi_c, 2, 0, (double[]){0, 3.2 / 6.2, 2 / 6.2, 1 / 6.2});     /* 0.2 of 4 m: merged */
    assert_shares(g, g->phi_c, 3, 0, (double[]){6. / 12, 3. / 12, 2. / 12, 1. / 12}); /* below all levels */
    const double lowest[] = {0, 1, 1, 0};
    for (int i = 0; i < 4; i++) assert_true(g->bottom_c[AT2(*g, i, 0)] == lowest[i]);
}

static void banks_and_land_that_floods_have_one_layer(void **state) {
    const Grid *g = *state;
    for (int i = 4; i < 6; i++) {
        assert_true(g->bottom_c[AT2(*g, i, 0)] == 3);
        assert_shares(g, g->phi_c, i, 0, (double[]){0, 0, 0, 1});
    }
}

static void shares_of_a_column_sum_to_one(void **state) {
    const Grid *g = *state;
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            double sum = 0, sum_u = 0, sum_v = 0;
            for (int k = 0; k < 4; k++) {
                sum += g->phi_c[AT(*g, i, j, k)];
                sum_u += g->phi_u[AT(*g, i, j, k)];
                sum_v += g->phi_v[AT(*g, i, j, k)];
            }
            const ptrdiff_t m = AT2(*g, i, j);
            assert_near(sum, g->area[m] > 0, 4e-16);
            assert_near(sum_u, g->width_u[m] > 0, 4e-16);
            assert_near(sum_v, g->width_v[m] > 0, 4e-16);
        }
}

/* The face has the levels that both neighbours have, as thick as in the thinner one. */
static void faces_have_the_layers_of_both_sides(void **state) {
    const Grid *g = *state;
    assert_true(g->bottom_u[AT2(*g, 1, 0)] == 1);
    assert_true(g->bed_u[AT2(*g, 1, 0)] == -5);
    assert_shares(g, g->phi_u, 1, 0, (double[]){0, 0.4, 0.4, 0.2}); /* min(3, 2), 2 and 1 of 5 m */
    assert_true(g->bottom_v[AT2(*g, 2, 1)] == 1);
    assert_true(g->bed_v[AT2(*g, 2, 1)] == -6.2);
    assert_shares(g, g->phi_v, 2, 1, (double[]){0, 0.5, 2. / 6, 1. / 6}); /* min(3.2, 3), 2 and 1 of 6 m */
    assert_shares(g, g->phi_u, 4, 0, (double[]){0, 0, 0, 1});
}

static void no_water_passes_land_and_the_edge(void **state) {
    const Grid *g = *state;
    const int closed_u[][2] = {{0, 1}, {NX, 1}, {6, 0}, {7, 0}, {7, 2}, {10, 2}},
              closed_v[][2] = {{0, 0}, {8, 2}, {8, 3}, {3, 4}, {3, NY}};
    for (int n = 0; n < 6; n++) {
        const ptrdiff_t m = AT2(*g, closed_u[n][0], closed_u[n][1]);
        assert_true(g->width_u[m] == 0 && g->bottom_u[m] == 4);
    }
    for (int n = 0; n < 5; n++) {
        const ptrdiff_t m = AT2(*g, closed_v[n][0], closed_v[n][1]);
        assert_true(g->width_v[m] == 0 && g->bottom_v[m] == 4);
    }
    assert_true(g->width_u[AT2(*g, 6, 2)] == 50 && g->width_v[AT2(*g, 6, 2)] == 100);
}

static void lengths_and_areas_of_a_plane(void **state) {
    const Grid *g = *state;
    for (int j = -HALO; j <= NY + HALO; j++) {
        assert_true(g->dx_c[j] == 100 && g->dx_v[j] == 100 && g->dy_c[j] == 50);
        assert_true(g->y_c[j] == 50 * (j + 0.5) && g->y_v[j] == 50 * j);
    }
    assert_true(g->x_c[3] == 350 && g->x_u[3] == 300);
    assert_true(g->area[AT2(*g, 0, 0)] == 5000 && g->area[AT2(*g, 6, 0)] == 0);
}

/* A degree of longitude is shorter than one of latitude by the cosine of the latitude. */
static void lengths_and_areas_of_a_sphere(void **state) {
    (void)state;
    Axes axes = plane();
    axes.spherical = true;
    axes.south = 45, axes.west = 35, axes.step_x = 0.2, axes.step_y = 0.1;
    Grid *g = bed_grid(MPI_COMM_SELF, &axes, bed, 0);
    const double degree = 6371000 * acos(-1) / 180;
    for (int j = 0; j < NY; j++) {
        const double south = (45 + 0.1 * j) * acos(-1) / 180, middle = south + 0.05 * acos(-1) / 180;
        assert_near(g->dy_c[j], 0.1 * degree, 1e-8);
        assert_near(g->dx_c[j], 0.2 * degree * cos(middle), 1e-8);
        assert_near(g->dx_v[j], 0.2 * degree * cos(south), 1e-8);
    }
    const ptrdiff_t m = AT2(*g, 5, 2);
    assert_near(g->area[m], g->dx_c[2] * g->dy_c[2], 1e-6);
    assert_true(g->width_u[m] == g->dy_c[2] && g->width_v[m] == g->dx_v[2]);
    grid_destroy(&g);
}

static void distances_on_a_sphere_are_those_of_a_great_circle(void **state) {
    (void)state;
    const Axes sphere = {.spherical = true}, flat = {0};
    const double radians = acos(-1) / 180, y1 = 45 * radians, y2 = 45.3 * radians, x = 0.4 * radians;
    const double chord = sin(y1) * sin(y2) + cos(y1) * cos(y2) * cos(x);
    assert_near(axes_distance_m(&sphere, 35, 45, 35.4, 45.3) / (6371000 * acos(chord)), 1, 1e-5);
    assert_near(axes_distance_m(&flat, 1, 2, 4, 6), 5, 1e-15);
    assert_near(axes_distance_m(&sphere, 359.5, 89, 0.5, 89) / axes_distance_m(&sphere, 10, 89, 11, 89), 1,
                1e-12);
}

static int64_t elements_of(const RunList *list) {
    int64_t elements = 0;
    for (int n = 0; n < list->count; n++) elements += list->run[n].i1 - list->run[n].i0;
    assert_int_equal(elements, list->elements);
    return elements;
}

static void runs_name_all_water_once(void **state) {
    const Grid *g = *state;
    int64_t columns = 0, cells = 0;
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            columns += bed(i, j) < LAND;
            cells += 4 - (int64_t)g->bottom_c[AT2(*g, i, j)];
        }
    assert_int_equal(columns, 4 * NX - 1 - 3);
    assert_int_equal(elements_of(&g->columns), columns);
    assert_int_equal(elements_of(&g->cells), cells);
    assert_int_equal(g->columns.count, 2 + 1 + 2 + 1); /* row by row; row 4 has none */
    for (int n = 0; n < g->cells.count; n++) {
        const Run r = g->cells.run[n];
        for (int i = r.i0; i < r.i1; i++) assert_true(g->bottom_c[AT2(*g, i, r.j)] <= r.k);
    }
}

static void blocks_hold_eight_columns_and_all_water(void **state) {
    const Grid *g = *state;
    int64_t columns = 0;
    for (int n = 0; n < g->blocks_c.count; n++) {
        const Block b = g->blocks_c.block[n];
        assert_int_equal(b.i0 % BLOCK, 0);
        int wet = 0;
        for (int i = b.i0; i < b.i0 + BLOCK; i++) wet += g->own_area[AT2(*g, i, b.j)] > 0;
        assert_true(wet > 0);
        columns += wet;
    }
    assert_int_equal(g->blocks_c.count, 4 * 3);
    assert_int_equal(columns, g->columns.elements);
}

static void operators_on_faces_see_the_faces_as_columns(void **state) {
    const Grid *g = *state;
    const Grid u = grid_of_faces(g, true), v = grid_of_faces(g, false);
    assert_ptr_equal(u.bottom_c, g->bottom_u);
    assert_ptr_equal(v.bottom_c, g->bottom_v);
    assert_int_equal(u.columns.elements, g->faces_u.elements);
    assert_int_equal(v.cells.elements, g->cells_v.elements);
}

/* Ghosts repeat the bed and area inside; the faces of claimed eastern and northern edges are own ones. */
static void claimed_edges_have_ghosts_beyond_their_faces(void **state) {
    const Grid *closed = *state;
    const Axes axes = plane();
    Grid *g = bed_grid(MPI_COMM_SELF, &axes, bed, EAST_EDGE | SOUTH_EDGE);
    assert_int_equal(g->faces_u.elements, closed->faces_u.elements + 4);
    assert_int_equal(g->faces_v.elements, closed->faces_v.elements + NX - 1);
    const ptrdiff_t east = AT2(*g, NX, 1), south = AT2(*g, 1, -1), west = AT2(*g, -1, 1);
    assert_true(g->width_u[east] == 50 && g->bed[east] == -10 && g->area[east] == 5000);
    assert_true(g->width_v[AT2(*g, 1, 0)] == 100 && g->bed[south] == -5 && g->area[south] == 5000);
    assert_true(g->own_area[east] == 0 && g->own_area[south] == 0 && g->area[west] == 0);
    assert_int_equal(g->columns.elements, closed->columns.elements);
    grid_destroy(&g);
}

static void periodic_seams_are_water_like_any_other(void **state) {
    (void)state;
    Axes axes = plane();
    axes.periodic_x = true;
    Grid *g = bed_grid(MPI_COMM_SELF, &axes, bed, 0);
    for (int h = 1; h <= HALO; h++)
        assert_true(g->bed[AT2(*g, -h, 0)] == bed(NX - h, 0) &&
                    g->bed[AT2(*g, NX + h - 1, 0)] == bed(h - 1, 0));
    assert_true(g->width_u[AT2(*g, 0, 0)] == 50 && g->width_u[AT2(*g, NX, 0)] == 50);
    for (int n = 0; n < g->faces_u.count; n++) assert_true(g->faces_u.run[n].i1 <= NX); /* once */
    grid_destroy(&g);
}

static void places_are_found_in_their_cell_or_the_nearest_wet_one(void **state) {
    const Grid *g = *state;
    GridPlace place;
    assert_int_equal(grid_locate(g, 399, 51, &place), STATUS_OK);
    assert_true(place.i == 3 && place.j == 1 && place.distance_m == 0);
    assert_int_equal(grid_locate(g, 770, 125, &place), STATUS_OK); /* on the island */
    assert_true(place.i == 7 && place.j == 1);
    assert_near(place.distance_m, hypot(750 - 770, 75 - 125), 1e-12);
    for (int n = 0; n < 400; n++) { /* also beyond the edges */
        const double x = 61.7 * (n % 20) - 100, y = 31.3 * (n / 20.0) - 100;
        double nearest = HUGE_VAL;
        for (int j = 0; j < g->n2; j++)
            for (int i = 0; i < g->n1; i++)
                if (g->area[AT2(*g, i, j)] > 0) nearest = fmin(nearest, hypot(g->x_c[i] - x, g->y_c[j] - y));
        assert_int_equal(grid_locate(g, x, y, &place), STATUS_OK);
        assert_true(place.distance_m == 0 || place.distance_m == nearest);
        assert_near(hypot(g->x_c[place.i] - x, g->y_c[place.j] - y), nearest, 1e-9);
    }
}

static void fill_own_and_halo(const Grid *g, int n3, double *field, double value) {
    for (int k = 0; k < n3; k++)
        for (int j = -HALO; j <= g->n2 + HALO; j++)
            for (int i = -HALO; i <= g->n1 + HALO; i++) field[AT(*g, i, j, k)] = value;
}

static void assert_all(const Grid *g, int n3, const double *field, double value) {
    for (int k = 0; k < n3; k++)
        for (int j = -HALO; j <= g->n2 + HALO; j++)
            for (int i = -HALO; i <= g->n1 + HALO; i++) assert_true(field[AT(*g, i, j, k)] == value);
}

/* More 2-D fields than share memory: none reaches into another, and one in the place of another begins with 0. */
static void fields_are_apart(void **state) {
    enum { FIELDS = 12 };
    const Grid *g = *state;
    double *plane[FIELDS], *deep = field3_create(g);
    for (int n = 0; n < FIELDS; n++) plane[n] = field2_create(g);
    for (int n = 0; n < FIELDS; n++) fill_own_and_halo(g, 1, plane[n], n + 1);
    for (int n = 0; n < FIELDS; n++) assert_all(g, 1, plane[n], n + 1);
    field2_fill(g, plane[3], -1);
    field2_copy(g->exec, g, plane[6], plane[7]);
    for (int n = 0; n < FIELDS; n++) assert_all(g, 1, plane[n], n == 3 ? -1 : n == 7 ? 7 : n + 1);
    field2_destroy(g, &plane[FIELDS - 1]);
    plane[FIELDS - 1] = field2_create(g); /* where the last one was */
    for (int n = 0; n < FIELDS; n++)
        assert_all(g, 1, plane[n], n == 3 ? -1 : n == 7 ? 7 : n == FIELDS - 1 ? 0 : n + 1);
    fill_own_and_halo(g, g->n3, deep, 5);
    assert_all(g, g->n3, deep, 5);
    assert_all(g, 1, deep - g->plane, 0);
    assert_all(g, 1, deep + g->n3 * g->plane, 0);
    for (int n = 0; n < FIELDS; n++) field2_destroy(g, &plane[n]);
    field3_destroy(g, &deep);
}

static double all_land(int i, int j) {
    (void)i, (void)j;
    return LAND;
}

static double lonely_ponds(int i, int j) {
    return i % 2 && j % 2 ? -1 : LAND;
}

static double not_a_number(int i, int j) {
    return i == 3 && j == 1 ? NAN : -10;
}

static void ground_that_makes_no_sea_is_refused(void **state) {
    (void)state;
    const Axes axes = plane();
    Grid *g = NULL;
    assert_int_equal(bed_grid_try(MPI_COMM_SELF, &axes, all_land, 0, &g), STATUS_BAD_INPUT);
    messages_expect("no water at all");
    assert_int_equal(bed_grid_try(MPI_COMM_SELF, &axes, lonely_ponds, 0, &g), STATUS_BAD_INPUT);
    messages_expect("no two wet cells are neighbours");
    assert_int_equal(bed_grid_try(MPI_COMM_SELF, &axes, not_a_number, 0, &g), STATUS_BAD_INPUT);
    messages_expect("not a finite number");
}

static int make(void **state) {
    const Axes axes = plane();
    *state = bed_grid(MPI_COMM_SELF, &axes, bed, 0);
    return 0;
}

static int unmake(void **state) {
    grid_destroy((Grid **)state);
    return 0;
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_cut_by_levels_down_to_their_bed),
        cmocka_unit_test(banks_and_land_that_floods_have_one_layer),
        cmocka_unit_test(shares_of_a_column_sum_to_one),
        cmocka_unit_test(faces_have_the_layers_of_both_sides),
        cmocka_unit_test(no_water_passes_land_and_the_edge),
        cmocka_unit_test(lengths_and_areas_of_a_plane),
        cmocka_unit_test(lengths_and_areas_of_a_sphere),
        cmocka_unit_test(distances_on_a_sphere_are_those_of_a_great_circle),
        cmocka_unit_test(runs_name_all_water_once),
        cmocka_unit_test(blocks_hold_eight_columns_and_all_water),
        cmocka_unit_test(operators_on_faces_see_the_faces_as_columns),
        cmocka_unit_test(claimed_edges_have_ghosts_beyond_their_faces),
        cmocka_unit_test(periodic_seams_are_water_like_any_other),
        cmocka_unit_test(places_are_found_in_their_cell_or_the_nearest_wet_one),
        cmocka_unit_test(fields_are_apart),
        cmocka_unit_test(ground_that_makes_no_sea_is_refused),
    };
    MPI_Init(&argc, &argv);
    log_start(0);
    return ranks_finish(cmocka_run_group_tests(tests, make, unmake));
}
