/* SPDX-License-Identifier: Apache-2.0
 *
 * The barriers of the kernels of lines: with all of them the emulator gives a processor's numbers for every
 * seed; with any one of them left out, for hardly any. The kernels are compiled here once more, with barriers
 * that can be left out, in place of the library's.
 */
#include "gpu/block.h"

static bool barrier_stays(const char *place);
#undef block_barrier
#define block_barrier()                                                                                      \
    do {                                                                                                     \
        if (barrier_stays(BLOCK_HERE_)) emu_barrier(BLOCK_HERE_);                                            \
    } while (0)
#undef BLOCK_THREADS_MOST
#include "numerics/lines/factor_blocks.c"
#undef LINE_ONE_LANE
#undef BLOCK_THREADS_MOST
#include "numerics/lines/reorder_blocks.c"
#undef LINE_ONE_LANE
#undef BLOCK_THREADS_MOST
#include "numerics/lines/solve_blocks.c"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "gpu/device.h"
#include "tests/support/line_systems.h"
#include "tests/support/systems.h"

enum { SEEDS = 8, MOST_BARRIERS = 20, SHOWN = 6 };

static const char *barriers[MOST_BARRIERS], *left_out;
static int count;

static bool barrier_stays(const char *place) {
    int n = 0;
    while (n < count && strcmp(barriers[n], place) != 0) n++;
    if (n == count) barriers[count++] = place;
    assert_true(count < MOST_BARRIERS);
    return !left_out || strcmp(left_out, place) != 0;
}

static bool solving_is_right(uint64_t seed) {
    const LineChoice choice = {.method = LINES_NSHAPED, .block_rows = 5, .levels = 3};
    LineShape shape = {
        .rows = 90, .lines = 33, .periodic = true, .per_line = true, .reach = -1, .dominance = 0.5};
    assert_int_equal(exec_create("emu", 0, seed, &shape.exec), STATUS_OK);
    const bool right = line_same_as_processor(MPI_COMM_SELF, &shape, &choice);
    exec_destroy(&shape.exec);
    return right;
}

static int all_wet(int i, int j) {
    (void)i, (void)j;
    return 2;
}

/* To lines along x and back. */
static bool turning_is_right(uint64_t seed) {
    const SystemShape shape = {.nx = 70, .ny = 20, .nz = 2, .levels = all_wet, .seed = 1};
    Exec exec;
    assert_int_equal(exec_create("emu", 0, seed, &exec), STATUS_OK);
    TestSystem *t = test_system_create(MPI_COMM_SELF, &shape, 1, 1);
    Grid *g = (Grid *)t->grid;
    LineLayout *layout = NULL;
    g->exec = exec;
    double *field = field3_create(g), *back = field3_create(g);
    for (ptrdiff_t m = 0; m < g->size3; m++) field[m - g->origin3] = (double)m;
    assert_int_equal(line_layout_of_grid(g, LINES_X, &layout), STATUS_OK);
    double *lines = lines_allocate(layout);
    lines_from_field(layout, field, lines);
    lines_to_field(layout, lines, back);
    exec_wait(exec);
    bool right = true;
    for (int k = 0; k < g->n3; k++)
        for (int j = 0; j < g->n2; j++)
            for (int i = 0; i < g->n1; i++) right = right && back[AT(*g, i, j, k)] == field[AT(*g, i, j, k)];
    memory_free(lines);
    line_layout_destroy(&layout);
    field3_destroy(g, &field);
    field3_destroy(g, &back);
    test_system_destroy(&t);
    exec_destroy(&exec);
    return right;
}

static void every_barrier_is_needed(void **state) {
    (void)state;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        assert_true(solving_is_right(seed));
        assert_true(turning_is_right(seed));
    }
    const int all = count;
    assert_int_equal(all, 7); /* of set-up 1, of solving 3, of turning 3 */
    for (int n = 0; n < all; n++) {
        int wrong = 0;
        left_out = barriers[n];
        const bool turns = strstr(left_out, "reorder_blocks.c") != NULL;
        for (uint64_t seed = 0; seed < SEEDS; seed++)
            wrong += !(turns ? turning_is_right : solving_is_right)(seed);
        print_message("without %s: wrong for %d of %d seeds\n", left_out, wrong, SEEDS);
        assert_true(wrong >= SHOWN);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_barrier_is_needed)};
    MPI_Init(NULL, NULL);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    MPI_Finalize();
    return failed;
}
