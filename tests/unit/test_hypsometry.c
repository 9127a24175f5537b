/* SPDX-License-Identifier: Apache-2.0
 *
 * Tables of the ground inside a cell (model/subgrid): depth, level, wet share and conveyance against sums over the pixels.
 */
#include <math.h>
#include <mpi.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/subgrid/tables.h"

enum { PIXELS = 64 };

static double first = 0, last = 0, count, node[(MOST_NODES + 1) * NODE_OF_FACE];
static double kept[NODE_OF_FACE + 2];
static const Hypsometry table = {
    &first,
    &last,
    node,
    NODE_OF_FACE,
    {kept, kept + 1, kept + 2, kept + 3, kept + 4, kept + 5, kept + 6, kept + 7}};

typedef double Ground(int n);

static double slope(int n) {
    return 0.05 * n;
}
/* a channel in a tidal flat, a wall beside it */
static double flat(int n) {
    return n < 8 ? -2 : n < 60 ? 0.3 : 2.1;
}
static double rough(int n) {
    return sin(1.7 * n) + 0.4 * cos(12.3 * n * n);
}

/* Over pixels of the same weight: of the water's height to a power. */
static double sum_over(Ground *ground, double level, double power) {
    double sum = 0;
    for (int n = 0; n < PIXELS; n++)
        if (level > ground(n)) sum += pow(level - ground(n), power) / PIXELS;
    return sum;
}

static double make(Ground *ground) {
    Pixel pixel[PIXELS];
    double lowest = INFINITY;
    for (int n = 0; n < PIXELS; n++) {
        pixel[n] = (Pixel){ground(n), 0.7, 1};
        lowest = fmin(lowest, ground(n));
    }
    count = table_make(pixel, PIXELS, NODE_OF_FACE, 5.0 / 3.0, node);
    last = 0, kept[0] = kept[1] = NAN;
    return lowest;
}

static void tables_follow_the_pixels(void **state) {
    Ground *const grounds[] = {slope, flat, rough};
    (void)state;
    for (int g = 0; g < 3; g++) {
        const double lowest = make(grounds[g]);
        assert_true(count >= 2 && count <= MOST_NODES);
        for (double height = 0.01; height < 6; height += 0.0137) {
            const double wanted = sum_over(grounds[g], lowest + height, 1);
            const double depth = hypsometry_at_height(&table, 0, height).depth,
                         share = hypsometry_at_height(&table, 0, height).share;
            const double exact = sum_over(grounds[g], lowest + height, 0);
            assert_true(hypsometry_at_height(&table, 0, 9).share == 1); /* a search may begin anywhere */
            assert_true(hypsometry_at_height(&table, 0, height).depth == depth);
            assert_true(fabs(depth - wanted) <= 0.02 * exact); /* 2 cm of level, of ranges up to 4 m */
            assert_true(fabs(hypsometry_at_depth(&table, 0, depth).height - height) < 1e-13 * (1 + height));
            assert_true(hypsometry_kept_height(&table, 0, height).depth == depth);
            if (height < 0.3) continue;
            const Section section = hypsometry_kept_depth(&table, 0, depth);
            assert_true(section.height == hypsometry_at_depth(&table, 0, depth).height &&
                        fabs(section.share - share) < 1e-9);
            const double conveyed =
                hypsometry_factor(&table, 0, &section) * share * pow(depth / share, 5.0 / 3.0);
            assert_true(fabs(conveyed / sum_over(grounds[g], lowest + height, 5.0 / 3.0) - 1) < 0.06);
        }
    }
}

static void chosen_heights_are_exact(void **state) {
    (void)state;
    const double lowest = make(rough);
    for (int n = 0; n < count; n++) {
        const double height = node[n * NODE_OF_FACE + NODE_HEIGHT];
        assert_true(fabs(hypsometry_at_height(&table, 0, height).depth -
                         sum_over(rough, lowest + height, 1)) < 1e-14);
        assert_true(n == 0 ||
                    node[n * NODE_OF_FACE + NODE_SHARE] >= node[(n - 1) * NODE_OF_FACE + NODE_SHARE]);
    }
    assert_true(fabs(hypsometry_at_height(&table, 0, 9).share - 1) == 0);
}

static void a_plane_needs_two_nodes(void **state) {
    (void)state;
    make(slope);
    assert_true(count == 2);
    for (int n = 1; n < PIXELS; n++)
        assert_true(fabs(hypsometry_at_height(&table, 0, slope(n)).depth - sum_over(slope, slope(n), 1)) <
                    1e-14);
}

static const Hypsometry of_column = {
    &first, &last, node, NODE_OF_COLUMN, {kept, kept + 1, kept + 2, kept + 3}};

/* A line that rises by 2 m: share and depth begin at 0. With a second one, 1 m higher, they overlap. */
static void slopes_are_lines(void **state) {
    (void)state;
    for (int lines = 1; lines <= 2; lines++) {
        Pixel end[4] = {{0, 0, 1, 0.5}, {2, 0, 1, -0.5}, {1, 0, 1, 0.5}, {3, 0, 1, -0.5}};
        last = 0;
        assert_int_equal(table_make(end, 2 * lines, NODE_OF_COLUMN, 1.5, node), lines == 1 ? 2 : 4);
        for (double height = 1e-6; height < 4; height = 1.07 * height + 1e-6) {
            double depth = 0;
            for (int n = 0; n < lines; n++) {
                const double wet = fmin(fmax(height - n, 0), 2);
                depth += (0.25 * wet * wet + fmax(height - n - 2, 0)) / lines;
            }
            assert_true(fabs(hypsometry_at_height(&of_column, 0, height).depth - depth) < 1e-14);
            assert_true(fabs(hypsometry_at_depth(&of_column, 0, depth).height - height) < 1e-7);
        }
    }
}

static void even_ground_has_no_table(void **state) {
    Pixel same[2] = {{3, 1}, {3, 2}};
    (void)state;
    last = 0, kept[0] = kept[1] = NAN;
    assert_int_equal(table_make(same, 2, NODE_OF_FACE, 1.5, node), 0);
    const Section section = hypsometry_kept_depth(&table, 0, 0.7);
    assert_true(hypsometry_at_height(&table, 0, 0.7).depth == 0.7 &&
                hypsometry_at_depth(&table, 0, 0.7).height == 0.7);
    assert_true(hypsometry_at_height(&table, 0, 0.7).share == 1 &&
                hypsometry_factor(&table, 0, &section) == 1);
    assert_true(hypsometry_at_height(&table, 0, -1).depth == 0 &&
                hypsometry_at_depth(&table, 0, -1).height == -1);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tables_follow_the_pixels), cmocka_unit_test(chosen_heights_are_exact),
        cmocka_unit_test(a_plane_needs_two_nodes),  cmocka_unit_test(slopes_are_lines),
        cmocka_unit_test(even_ground_has_no_table),
    };
    MPI_Init(&argc, &argv);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    MPI_Finalize();
    return failed;
}
