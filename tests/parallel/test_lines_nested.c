/* SPDX-License-Identifier: Apache-2.0
 *
 * Nested partitions over ranks: reduced systems of reduced systems, nested one to four times, give what LAPACK gives
 * and the bits of one rank, on processors and the emulator, for any cuts; on many ranks, so that levels have fewer and
 * fewer of them.
 *
 * ctest: ranks 5 12
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "gpu/device.h"
#include "tests/support/line_systems.h"
#include "tests/support/systems.h"

enum { MOST_RANKS = 12, ROUND_OFF = 64, MOST_LEVELS = 4 };
static const int LENGTHS[] = {12, 130, 300};
static int ranks;

/* As even as can be; ragged; all but one row on one rank. */
static void cut(int rows, int way, int *parts) {
    int left = rows - ranks;
    for (int p = 0; p < ranks; p++) parts[p] = 1;
    for (int p = 0; p < ranks - 1; p++) {
        const int more =
            way == 2 ? 0 : (int)(left * (way == 0 ? 1 : 2 * test_number(7, p, rows, 0)) / (ranks - p));
        parts[p] += more;
        left -= more;
    }
    parts[way == 2 ? rows % ranks : ranks - 1] += left;
}

static LineShape shape_of(Exec exec, int rows, int kind, const int *parts) {
    return (LineShape){.exec = exec,
                       .rows = rows,
                       .lines = 17,
                       .parts = parts,
                       .per_line = kind & 1,
                       .periodic = kind & 2,
                       .land = kind & 4 && kind & 1,
                       .reach = kind & 8 ? 1 : -1,
                       .dominance = kind & 16 ? 1e-3 : 0.5,
                       .seed = (uint64_t)kind};
}

/* Some kinds of system with each length, cut and nesting; all kinds in turn. */
static void nested(Exec exec, int turns) {
    int parts[MOST_RANKS], kind = 0;
    for (int m = 0; m < (int)(sizeof LENGTHS / sizeof *LENGTHS); m++)
        for (int levels = 1; levels <= MOST_LEVELS; levels++)
            for (int turn = 0; turn < turns; turn++, kind += 5) {
                const LineChoice choice = {.method = LINES_NSHAPED,
                                           .block_rows = 2 + turn,
                                           .levels = levels,
                                           .chunk_groups = kind % 3};
                cut(LENGTHS[m], (turn + m + levels) % 3, parts);
                const LineShape shape = shape_of(exec, LENGTHS[m], kind & 31, parts);
                const double error =
                    line_error(MPI_COMM_WORLD, &shape, &choice, NULL) / line_round_off(&shape);
                if (!(error <= ROUND_OFF && error >= 0))
                    print_error("%d rows, %d levels, kind %d: error %g\n", shape.rows, levels, kind & 31,
                                error);
                assert_true(error <= ROUND_OFF && error >= 0);
                assert_true(line_same_bits(MPI_COMM_WORLD, &shape, &choice));
            }
}

static void on_processors(void **state) {
    (void)state;
    nested((Exec){.device = DEVICE_CPU}, ranks > 5 ? 1 : 3);
}

static void on_the_emulator(void **state) {
    (void)state;
    Exec exec;
    if (ranks > 5) return;
    assert_int_equal(exec_create("emu", 0, 5, &exec), STATUS_OK);
    nested(exec, 1);
    exec_destroy(&exec);
}

/* A joint's row without a pivot: every rank hears of it, at any level. */
static void a_joint_without_a_pivot(void **state) {
    (void)state;
    enum { ROWS = 48 };
    double a[ROWS], b[ROWS];
    for (int j = 0; j < ROWS; j++) a[j] = 0, b[j] = 1;
    b[8] = 0; /* a joint of the first, the second and the third level, where blocks are of two */
    LineLayout *layout;
    LineOperator *op;
    const LineShape even = {.rows = ROWS};
    const LineRows rows = {.a = a, .b = b, .c = a};
    assert_int_equal(line_layout_create((Exec){.device = DEVICE_CPU}, MPI_COMM_WORLD,
                                        line_system_own_rows(MPI_COMM_WORLD, &even), 9, false, &layout),
                     STATUS_OK);
    for (int levels = 1; levels <= MOST_LEVELS; levels++)
        assert_int_equal(line_operator_create(
                             layout, &rows,
                             &(LineChoice){.method = LINES_NSHAPED, .block_rows = 2, .levels = levels}, &op),
                         STATUS_FAILED);
    line_layout_destroy(&layout);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(on_processors),
        cmocka_unit_test(on_the_emulator),
        cmocka_unit_test(a_joint_without_a_pivot),
    };
    MPI_Init(NULL, NULL);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    MPI_Finalize();
    return failed;
}
