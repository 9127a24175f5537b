/* SPDX-License-Identifier: Apache-2.0
 *
 * Tridiagonal lines in one rank's memory, against LAPACK: all lengths, periodic and not, land, variable
 * coefficients, right-hand sides made on the way. ctest: thorough
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "numerics/lines/blocks.h"
#include "tests/support/line_systems.h"
#include "tests/support/systems.h"
#include "tests/support/thorough.h"

static const int LENGTHS[] = {1,  2,  3,  4,   5,   7,   8,   16,   17,   31,
                              63, 64, 65, 127, 128, 200, 255, 1000, 1023, 4096};

/* Every kind of system, of long ones each fourth, by a method; the error against LAPACK may be this many times the round-off. */
static void all_kinds(const LineChoice *choice, double most) {
    for (size_t m = 0; m < sizeof LENGTHS / sizeof *LENGTHS; m++)
        for (int kind = 0; kind < 32; kind++) {
            const int turns = (LENGTHS[m] > 300 ? 4 : 1) * (LENGTHS[m] > 60 ? SANITIZED_TURNS : 1);
            if ((kind + kind / 4 + (int)m) % turns && !thorough()) continue;
            const LineShape shape = {.rows = LENGTHS[m],
                                     .lines = 19,
                                     .per_line = kind & 1,
                                     .periodic = kind & 2,
                                     .land = kind & 4,
                                     .reach = kind & 8 ? 1 + (int)m % 4 : -1,
                                     .dominance = kind & 16 ? 1e-3 : 0.5,
                                     .seed = (uint64_t)kind};
            const double error = line_error(MPI_COMM_SELF, &shape, choice, NULL) / line_round_off(&shape);
            if (!(error <= most)) print_error("n %d, kind %d: error %g\n", LENGTHS[m], kind, error);
            assert_true(error <= most);
        }
}

static void thomas(void **state) {
    (void)state;
    all_kinds(&(LineChoice){.method = LINES_THOMAS}, 64);
}

static void n_shaped(void **state) {
    (void)state;
    all_kinds(&(LineChoice){.method = LINES_NSHAPED}, 64);
    all_kinds(&(LineChoice){.method = LINES_NSHAPED, .block_rows = 2, .levels = 3}, 64);
    all_kinds(&(LineChoice){.method = LINES_NSHAPED, .block_rows = 7, .levels = 2}, 64);
}

/* Nested, the longest chain is what the paper's equation 9 says: nothing that is left over adds up. */
static void chains(void **state) {
    (void)state;
    for (int n = 50; n <= 300000; n += 1 + n / 7)
        for (int levels = 1; levels <= 6; levels++) {
            const double rows = line_blocks_chain(n, levels, 0),
                         expected = (levels + 1) * pow(n, 1.0 / (levels + 1));
            if (rows > 1.2 * expected) print_error("%d rows, nested %d: %g, %g\n", n, levels, rows, expected);
            assert_true(rows <= 1.2 * expected);
        }
    for (int levels = 1; levels <= 4; levels++)
        assert_true(line_blocks_chain(300000, levels, 0) <=
                    1.04 * (levels + 1) * pow(300000, 1.0 / (levels + 1)));
    assert_int_equal(line_blocks_chain(300000, 1, 548),
                     791 + 547); /* equation 7 alone, which leaves 244 rows */
}

/* ---- between fields and lines ---- */

static int islands(int i, int j) {
    if (i >= 16 && i < 32) return 0; /* two whole blocks of land */
    return (int)(5 * test_number(3, i, j, 0));
}

static double place_number(int i, int j, int k) {
    return 1 + i + 100 * j + 10000 * k;
}

static void reorders(void **state) {
    (void)state;
    const SystemShape shape = {.nx = 45, .ny = 19, .nz = 4, .levels = islands, .seed = 1, .periodic_x = true};
    TestSystem *t = test_system_create(MPI_COMM_SELF, &shape, 1, 1);
    const Grid *g = t->grid;
    double *field = field3_create(g), *back = field3_create(g);
    for (int k = 0; k < g->n3; k++)
        for (int j = 0; j < g->n2; j++)
            for (int i = 0; i < g->n1; i++) field[AT(*g, i, j, k)] = place_number(i, j, k);
    for (LineAxis axis = LINES_X; axis <= LINES_Z; axis++) {
        LineLayout *layout = NULL;
        assert_int_equal(line_layout_of_grid(g, axis, &layout), STATUS_OK);
        assert_int_equal(layout->periodic, axis == LINES_X);
        double *lines = lines_allocate(layout);
        lines_from_field(layout, field, lines);
        for (ptrdiff_t m = 0; m < g->size3; m++) back[m - g->origin3] = 0;
        for (int group = 0; group < layout->groups; group++)
            for (int row = 0; row < layout->n; row++)
                for (int lane = 0; lane < layout->lanes; lane++) {
                    int i, j, k;
                    if (!line_cell(layout, lane, row, group, &i, &j, &k)) continue;
                    assert_true(lines[LINE_AT(*layout, lane, row, group)] == place_number(i, j, k));
                    back[AT(*g, i, j, k)] += 1;
                }
        for (int k = 0; k < g->n3; k++)
            for (int j = 0; j < g->n2; j++)
                for (int i = 0; i < g->n1; i++) {
                    const double times = back[AT(*g, i, j, k)];
                    assert_true(times == 1 || (times == 0 && !(g->bottom_c[AT2(*g, i, j)] <= k)));
                }
        assert_true(axis == LINES_X ||
                    layout->groups * layout->lanes < 6 * BLOCK * (axis == LINES_Y ? g->n3 : g->n2));
        lines_add_to_field(layout, lines, 3, back);
        lines_to_field(layout, lines, field);
        for (int k = 0; k < g->n3; k++)
            for (int j = -HALO; j < g->n2 + HALO; j++)
                for (int i = -HALO; i < g->n1 + HALO; i++) {
                    const ptrdiff_t at = AT(*g, i, j, k);
                    const bool own = i >= 0 && i < g->n1 && j >= 0 && j < g->n2;
                    assert_true(field[at] == (own ? place_number(i, j, k) : 0));
                    assert_true(back[at] == 0 || back[at] == 1 + 3 * place_number(i, j, k));
                }
        memory_free(lines);
        line_layout_destroy(&layout);
    }
    field3_destroy(g, &field);
    field3_destroy(g, &back);
    test_system_destroy(&t);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(thomas), cmocka_unit_test(n_shaped),
                                       cmocka_unit_test(chains), cmocka_unit_test(reorders)};
    MPI_Init(NULL, NULL);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    MPI_Finalize();
    return failed;
}
