/* SPDX-License-Identifier: Apache-2.0
 *
 * Compact operators around land, over processes: on each line they give what the dense operator of the whole line gives.
 *
 * ctest: ranks 1 2 3 4 6
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "numerics/lines/compact_operator.h"
#include "tests/support/dense.h"
#include "tests/support/ranks.h"
#include "tests/support/systems.h"

enum { NX = 61, NY = 29, NZ = 3 };

static int sea(int i, int j) {
    if (i > 30 && i < 40 && j > 12 && j < 26) return 0;
    return (int)(6 * test_number(9, i / 3, j / 2, 0)) % (NZ + 1);
}

/* What a point of the sea is: some of the water is treated in another way. */
static CompactPoint point_of(int i, int j, int k) {
    if (k < NZ - sea(i, j)) return POINT_LAND;
    return test_number(4, i / 5, j / 5, k) < 0.2 ? POINT_APART : POINT_WET;
}

static double value_of(int i, int j, int k) {
    return test_number(5, i, j, k) - 0.5;
}

/* Along x or y, every kind of operator, against the dense operator of each line. */
static void operators_around_land(bool along_x, const CompactScheme *scheme) {
    const SystemShape shape = {.nx = NX, .ny = NY, .nz = NZ, .levels = sea, .periodic_x = true, .seed = 1};
    static double matrix[NX * NX], f[NX], exact[NX];
    TestSystem *t = test_system_create(MPI_COMM_WORLD, &shape, 0, 0);
    const Grid *g = t->grid;
    LineLayout *layout = NULL;
    LineOperator *op = NULL;
    assert_int_equal(line_layout_of_grid(g, along_x ? LINES_X : LINES_Y, &layout), STATUS_OK);
    double *u = lines_allocate(layout), *x = lines_allocate(layout), *field = field3_create(g);
    unsigned char *points = ALLOCATE(layout->size + 1, unsigned char);
    for (int group = 0; group < layout->groups; group++)
        for (int lane = 0; lane < layout->lanes; lane++)
            for (int row = 0, i, j, k; row < layout->n; row++)
                if (line_cell(layout, lane, row, group, &i, &j, &k)) {
                    const ptrdiff_t m = LINE_AT(*layout, lane, row, group);
                    points[m] = (unsigned char)point_of(g->i_first + i, g->j_first + j, k);
                    u[m] = value_of(g->i_first + i, g->j_first + j, k);
                }
    assert_int_equal(compact_operator_create(layout, scheme, points, &(LineChoice){0}, &op), STATUS_OK);
    lines_solve(op, u, x);
    lines_to_field(layout, x, field);
    const int n = along_x ? NX : NY;
    CompactRow rows[NX];
    unsigned char line[NX];
    for (int k = 0; k < NZ; k++)
        for (int across = 0; across < (along_x ? g->n2 : g->n1); across++) {
            for (int m = 0; m < n; m++) {
                const int i = along_x ? m : g->i_first + across, j = along_x ? g->j_first + across : m;
                line[m] = (unsigned char)point_of(i, j, k);
                f[m] = value_of(i, j, k);
            }
            compact_rows(scheme, n, line, along_x, rows);
            dense_operator(n, rows, matrix);
            dense_apply(n, matrix, f, exact);
            for (int m = 0; m < (along_x ? g->n1 : g->n2); m++) {
                const int i = along_x ? m : across, j = along_x ? across : m;
                const double expected = exact[m + (along_x ? g->i_first : g->j_first)];
                assert_true(fabs(field[AT(*g, i, j, k)] - expected) < 1e-12);
            }
        }
    memory_free(u);
    memory_free(x);
    memory_free(points);
    field3_destroy(g, &field);
    line_operator_destroy(&op);
    line_layout_destroy(&layout);
    test_system_destroy(&t);
}

static void every_operator_around_land(void **state) {
    (void)state;
    for (int along_x = 0; along_x < 2; along_x++)
        for (CompactOperator kind = COMPACT_FIRST; kind <= COMPACT_FILTER; kind++)
            for (CompactEnd end = END_COAST; end <= END_ODD_WALL; end++) {
                if (kind == COMPACT_MIDPOINT && end > END_ODD_HALF) continue;
                operators_around_land(along_x, &(CompactScheme){kind, end, 0.5, 0.4});
            }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_operator_around_land),
    };
    return ranks_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
