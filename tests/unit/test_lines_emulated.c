/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of lines on the emulator: every kind of system, length and way of nesting has the bits of a
 * processor, whatever the order in which threads run; and a barrier less, anywhere, comes to light.
 * ctest: thorough
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "gpu/device.h"
#include "tests/support/line_systems.h"
#include "tests/support/systems.h"
#include "tests/support/thorough.h"

static const int LENGTHS[] = {1, 2, 3, 4, 5, 7, 8, 16, 17, 31, 63, 64, 65, 66, 127, 128, 200, 1023, 4096};

/* Each kind of system on some of the lengths, every length with some of the kinds. */
static void all_kinds(const LineChoice *choice) {
    Exec exec;
    assert_int_equal(exec_create("emu", 0, 17, &exec), STATUS_OK);
    for (int m = 0; m < (int)(sizeof LENGTHS / sizeof *LENGTHS); m++)
        for (int kind = 0; kind < 32; kind++) {
            const bool long_line = LENGTHS[m] > 300;
            const int every = (long_line ? 11 : 7) * (thorough() ? 1 : SANITIZED_TURNS > 1 ? 4 : 2);
            if ((kind & 5) == 4 || (kind + m) % every != 0) continue;
            const LineShape shape = {.exec = exec,
                                     .rows = LENGTHS[m],
                                     .lines = long_line ? 3 : 1 + (7 * m + 13 * kind) % 70,
                                     .per_line = kind & 1,
                                     .periodic = kind & 2,
                                     .land = kind & 4,
                                     .reach = kind & 8 ? m % 5 : -1,
                                     .dominance = kind & 16 ? 1e-3 : 0.5,
                                     .seed = (uint64_t)kind};
            if (!line_same_as_processor(MPI_COMM_SELF, &shape, choice))
                fail_msg("%d rows, %d lines, kind %d", shape.rows, shape.lines, kind);
        }
    exec_destroy(&exec);
}

static void thomas(void **state) {
    (void)state;
    all_kinds(&(LineChoice){.method = LINES_THOMAS});
}

static void n_shaped(void **state) {
    (void)state;
    all_kinds(&(LineChoice){.method = LINES_NSHAPED});
    all_kinds(
        &(LineChoice){.method = LINES_NSHAPED, .block_rows = 2, .levels = 3}); /* not in shared memory */
    all_kinds(&(LineChoice){.method = LINES_NSHAPED, .block_rows = 13, .levels = 2});
}

static void a_row_without_a_pivot(void **state) {
    (void)state;
    Exec exec;
    assert_int_equal(exec_create("emu", 0, 1, &exec), STATUS_OK);
    LineLayout *layout = NULL;
    LineOperator *op = NULL;
    assert_int_equal(line_layout_create(exec, MPI_COMM_SELF, 40, 5, false, &layout), STATUS_OK);
    double *a = lines_allocate(layout), *b = lines_allocate(layout);
    for (ptrdiff_t m = 0; m < layout->size; m++) b[m] = 1;
    const LineRows rows = {.per_line = true, .a = a, .b = b, .c = a};
    assert_int_equal(line_operator_renew(layout, &rows, &(LineChoice){0}, &op), STATUS_OK);
    b[LINE_AT(*layout, 4, 17, 0)] = 0;
    assert_int_equal(line_operator_renew(layout, &rows, &(LineChoice){0}, &op), STATUS_FAILED);
    line_operator_destroy(&op);
    b[LINE_AT(*layout, 4, 17, 0)] = 1;
    b[LINE_AT(*layout, 5, 17, 0)] = 0; /* of an idle lane */
    assert_int_equal(line_operator_renew(layout, &rows, &(LineChoice){0}, &op), STATUS_OK);
    line_operator_destroy(&op);
    memory_free(a), memory_free(b);
    line_layout_destroy(&layout);
    exec_destroy(&exec);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(thomas), cmocka_unit_test(n_shaped),
                                       cmocka_unit_test(a_row_without_a_pivot)};
    MPI_Init(NULL, NULL);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    MPI_Finalize();
    return failed;
}
