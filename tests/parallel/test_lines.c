/* SPDX-License-Identifier: Apache-2.0
 *
 * Tridiagonal lines over ranks, against LAPACK: any cuts, a rank with one row, land, periodic and not,
 * right-hand sides made on the way. The N-shaped method gives the bits of one rank; DistD2 keeps to the bound
 * that it states; what hardly dominates is found out and solved all the same; kernels on the emulator give
 * the bits of processors.
 *
 * ctest: ranks 1 2 3, ctest: further ranks 4 6, ctest: thorough
 * ctest: timeout 400
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "gpu/device.h"
#include "tests/support/line_systems.h"
#include "tests/support/systems.h"
#include "tests/support/thorough.h"

enum { MOST_RANKS = 8, CUTS = 5, ROUND_OFF = 64 };
static const int LENGTHS[] = {1, 2, 3, 7, 16, 17, 40, 63, 128, 255, 4096};
static int ranks;

/* Even parts; ragged ones; one row for the first, the last, a middle rank. False: there are not enough rows.
 */
static bool cut(int rows, int way, int *parts) {
    if (rows < ranks) return false;
    int left = rows - ranks;
    double sum = 0, weight[MOST_RANKS];
    for (int p = 0; p < ranks; p++) {
        weight[p] = way == 0 ? 1 : 0.1 + test_number(77, p, way, rows);
        if ((way == 2 && p == 0) || (way == 3 && p == ranks - 1) || (way == 4 && p == ranks / 2))
            weight[p] = 0;
        sum += weight[p];
    }
    for (int p = 0; p < ranks; p++) {
        parts[p] = 1 + (sum > 0 ? (int)(weight[p] / sum * (rows - ranks)) : 0);
        left -= parts[p] - 1;
    }
    parts[way == 3 ? 0 : ranks - 1] += left;
    return true;
}

static LineShape shape_of(int rows, int kind, const int *parts) {
    return (LineShape){.rows = rows,
                       .lines = 41,
                       .parts = parts,
                       .per_line = kind & 1,
                       .periodic = kind & 2,
                       .land = kind & 4,
                       .reach = kind & 8 ? 1 + rows % 4 : -1,
                       .dominance = kind & 16 ? 1e-3 : 0.5,
                       .seed = (uint64_t)kind};
}

/* Land is per line; longer lines take turns, for a merge longer ones. */
static bool left_out(int rows, int way, int kind) {
    const int turns = (rows > 300  ? 13
                       : rows > 20 ? 5
                                   : 3) *
                      (rows > 20 && !thorough() ? 2 * SANITIZED_TURNS : 1);
    return (kind & 5) == 4 || (kind + 3 * way) % turns != 0;
}

static void exact(const LineChoice *choice) {
    int parts[MOST_RANKS];
    for (size_t m = 0; m < sizeof LENGTHS / sizeof *LENGTHS; m++)
        for (int way = 0; way < CUTS; way++)
            for (int kind = 0; kind < 32; kind++) {
                if (left_out(LENGTHS[m], way, kind) || !cut(LENGTHS[m], way, parts)) continue;
                const LineShape shape = shape_of(LENGTHS[m], kind, parts);
                LineChoice of = *choice;
                of.chunk_groups = kind % 3; /* as chosen, or many chunks under way */
                const double error = line_error(MPI_COMM_WORLD, &shape, &of, NULL) / line_round_off(&shape);
                if (!(error <= ROUND_OFF && error >= 0))
                    print_error("%d rows, cut %d, kind %d: error %g\n", LENGTHS[m], way, kind, error);
                assert_true(error <= ROUND_OFF && error >= 0);
                assert_true(line_same_bits(MPI_COMM_WORLD, &shape, &of));
            }
}

static void n_shaped(void **state) {
    (void)state;
    exact(&(LineChoice){.method = LINES_NSHAPED});
}

static void n_shaped_nested(void **state) {
    (void)state;
    exact(&(LineChoice){.method = LINES_NSHAPED, .block_rows = 3, .levels = 3});
}

/* ---- DistD2 ---- */

static double stated;
static LineMethod chosen;
static int further;

static void note(const LineOperator *op, const LineLayout *layout, const double *x) {
    (void)layout, (void)x;
    stated = line_operator_bound(op);
    chosen = line_operator_method(op);
    char *text = line_operator_describe(op);
    assert_true(strlen(text) > 20);
    further += chosen == LINES_DISTD2 && strstr(text, " 0 further") == NULL;
    memory_free(text);
}

static void distd2_keeps_its_bound(void **state) {
    (void)state;
    int parts[MOST_RANKS], used = 0, sharp = 0;
    for (size_t m = 0; m < sizeof LENGTHS / sizeof *LENGTHS; m++)
        for (int way = 0; way < CUTS; way++)
            for (int kind = 0; kind < 16; kind++) {
                if (left_out(LENGTHS[m], way, kind) || !cut(LENGTHS[m], way, parts)) continue;
                const LineShape shape = shape_of(LENGTHS[m], kind, parts);
                const LineChoice forced = {.method = LINES_DISTD2, .chunk_groups = kind % 3};
                const double error = line_error(MPI_COMM_WORLD, &shape, &forced, note);
                if (error < 0) continue; /* a rank with less than three rows */
                used++;
                const double round_off = ROUND_OFF * line_round_off(&shape);
                sharp += error > stated / 50 && stated > 10 * round_off;
                if (!(error <= stated * (1 + round_off) + round_off))
                    print_error("%d rows, cut %d, kind %d: error %g, stated %g\n", LENGTHS[m], way, kind,
                                error, stated);
                assert_true(error <= stated * (1 + round_off) + round_off);
            }
    assert_true(used > 20);
    if (ranks > 1) assert_true(sharp > 5); /* the bound says something */
}

static void chooses_by_the_bound(void **state) {
    (void)state;
    int parts[MOST_RANKS], methods[LINES_NSHAPED + 1] = {0};
    further = 0;
    for (size_t m = 0; m < sizeof LENGTHS / sizeof *LENGTHS; m++)
        for (int way = 0; way < CUTS; way++)
            for (int kind = 0; kind < 32; kind++) {
                if (left_out(LENGTHS[m], way, kind) || !cut(LENGTHS[m], way, parts)) continue;
                const LineShape shape = shape_of(LENGTHS[m], kind, parts);
                const LineChoice choice = {.tolerance = 1e-10, .chunk_groups = kind % 3};
                const double error = line_error(MPI_COMM_WORLD, &shape, &choice, note);
                assert_true(stated <= choice.tolerance);
                assert_true(error >= 0 && error <= stated + ROUND_OFF * line_round_off(&shape));
                methods[chosen]++;
            }
    if (ranks > 1) {
        assert_true(methods[LINES_DISTD2] > 4 && methods[LINES_NSHAPED] > 10);
        assert_true(further > 1);
    } else
        assert_true(methods[LINES_THOMAS] > 30);
}

/* What DistD2 loses on lines of mixing, between walls, with n own rows on each rank. */
static double bound_of_mixing(double r, int n) {
    const int rows = n * ranks;
    double *a = ALLOCATE(rows, double), *b = ALLOCATE(rows, double), *c = ALLOCATE(rows, double);
    for (int j = 0; j < rows; j++) {
        a[j] = j > 0 ? -r : 0;
        c[j] = j < rows - 1 ? -r : 0;
        b[j] = 1 - a[j] - c[j];
    }
    LineLayout *layout;
    LineOperator *op;
    const LineRows matrix = {.a = a, .b = b, .c = c};
    assert_int_equal(
        line_layout_create((Exec){.device = DEVICE_CPU}, MPI_COMM_WORLD, n, LINE_LANES, false, &layout),
        STATUS_OK);
    assert_int_equal(line_operator_create(layout, &matrix, &(LineChoice){.method = LINES_DISTD2}, &op),
                     STATUS_OK);
    const double bound = line_operator_bound(op);
    line_operator_destroy(&op);
    line_layout_destroy(&layout);
    memory_free(a), memory_free(b), memory_free(c);
    return bound;
}

static void rows_that_decouple(void **state) {
    (void)state;
    if (ranks == 1) return;
    static const double number[] = {0.1, 1, 10, 100};
    static const int wanted[] = {13, 31, 91, 284}; /* to 1e-12 */
    for (int m = 0; m < 4; m++) {
        assert_int_equal(line_decoupled_rows(number[m], 1e-12, 0), wanted[m]);
        for (int more = 0; more <= 3; more++) {
            const int n = (int)line_decoupled_rows(number[m], 1e-12, more);
            assert_true(pow(bound_of_mixing(number[m], n), more + 1) <= 1e-12 * (1 + 1e-9));
            if (n > 3) assert_true(pow(bound_of_mixing(number[m], n - 1), more + 1) > 1e-12);
        }
    }
}

/* A system that hardly dominates, on ranks with plenty of rows: DistD2 as the paper has it would be wrong. */
static void weak_dominance(void **state) {
    (void)state;
    if (ranks == 1) return;
    const LineShape shape = {
        .rows = 40 * ranks, .lines = 9, .reach = -1, .dominance = 1e-6, .periodic = true, .even = true};
    const double error = line_error(MPI_COMM_WORLD, &shape, &(LineChoice){.tolerance = 1e-10}, note);
    assert_int_equal(chosen, LINES_NSHAPED);
    assert_true(error <= ROUND_OFF * line_round_off(&shape));
    /* asked for with a tolerance that it cannot keep, it gives way */
    const double kept =
        line_error(MPI_COMM_WORLD, &shape, &(LineChoice){.method = LINES_DISTD2, .tolerance = 1e-14}, note);
    assert_int_equal(chosen, LINES_NSHAPED);
    assert_true(kept <= ROUND_OFF * line_round_off(&shape));
    /* short parts, where the paper's method alone errs by a thousandth */
    const LineShape brief = {
        .rows = 32, .lines = 9, .reach = -1, .dominance = 0.02, .periodic = true, .even = true};
    for (int n = 1; n <= 14; n++) {
        const LineChoice asked = {.method = LINES_DISTD2, .tolerance = pow(10, -n)};
        const double met = line_error(MPI_COMM_WORLD, &brief, &asked, note);
        assert_true(met >= 0 && met <= asked.tolerance + ROUND_OFF * line_round_off(&brief));
        assert_true(chosen == (stated > 0 ? LINES_DISTD2 : LINES_NSHAPED) && stated <= asked.tolerance);
    }
    const double blind = line_error(MPI_COMM_WORLD, &shape, &(LineChoice){.method = LINES_DISTD2}, note);
    assert_true(blind > 1e-6 && stated > blind);
}

/* ---- by kernels ---- */

/* On the emulator every method gives the bits of processors; the exact ones those of a single processor. */
static void on_the_emulator(void **state) {
    (void)state;
    static const LineChoice choices[] = {{.method = LINES_NSHAPED},
                                         {.method = LINES_NSHAPED, .block_rows = 3, .levels = 3},
                                         {.method = LINES_DISTD2},
                                         {.tolerance = 1e-10}};
    Exec exec;
    int parts[MOST_RANKS], count[4] = {0};
    assert_int_equal(exec_create("emu", 0, 5, &exec), STATUS_OK);
    for (int m = 0; m < (int)(sizeof LENGTHS / sizeof *LENGTHS); m++)
        for (int way = 0; way < CUTS; way++)
            for (int kind = 0; kind < 32; kind++) {
                const int which = (kind + way + m) % 4;
                if (left_out(LENGTHS[m], way, kind + m) || (kind / 4 + m) % 2 || (kind & 5) == 4 ||
                    (LENGTHS[m] > 300 && way != m % CUTS) || !cut(LENGTHS[m], way, parts))
                    continue;
                LineShape shape = shape_of(LENGTHS[m], kind, parts);
                LineChoice choice = choices[which];
                choice.chunk_groups = kind % 3;
                shape.exec = exec;
                bool same = true;
                if (which < 2)
                    same = line_same_bits(MPI_COMM_WORLD, &shape, &choice);
                else
                    same = line_same_as_processor(MPI_COMM_WORLD, &shape, &choice);
                if (!same) print_error("%d rows, cut %d, kind %d, choice %d\n", LENGTHS[m], way, kind, which);
                assert_true(same);
                count[which]++;
            }
    for (int which = 0; which < 4; which++) assert_true(count[which] > 4);
    exec_destroy(&exec);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(n_shaped),
        cmocka_unit_test(n_shaped_nested),
        cmocka_unit_test(distd2_keeps_its_bound),
        cmocka_unit_test(chooses_by_the_bound),
        cmocka_unit_test(rows_that_decouple),
        cmocka_unit_test(weak_dominance),
        cmocka_unit_test(on_the_emulator),
    };
    MPI_Init(NULL, NULL);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    MPI_Finalize();
    return failed;
}
