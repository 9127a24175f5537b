/* SPDX-License-Identifier: Apache-2.0
 *
 * KERNEL_CELLS and KERNEL_COLUMNS visit every element once, on the emulated device in another order each
 * time, and there not before somebody waits; and the choice of the device.
 */
#include "base/memory.h"
#include "gpu/measure.h"
#include "gpu/queue.h"
#include "gpu/staging.h"
#include "tests/support/messages.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

static void test_shuffled_is_a_permutation(void **unused) {
    (void)unused;
    enum { MOST = 5000 };
    for (int64_t count = 1; count <= MOST; count += count < 300 ? 1 : 377) {
        for (uint64_t seed = 0; seed < 5; seed++) {
            unsigned char times[MOST] = {0};
            for (int64_t turn = 0; turn < count; turn++) {
                const int64_t place = shuffled(turn, count, seed * 0x9E3779B97F4A7C15u);
                assert_in_range(place, 0, count - 1);
                times[place]++;
            }
            for (int64_t n = 0; n < count; n++) assert_int_equal(1, times[n]);
        }
    }
}

/* --- a small sea: 40 x 6 x 3 -------------------------------------------------------------------------- */

enum { N1 = 40, N2 = 6, N3 = 3, CELLS = N1 * N2 * N3 };

typedef struct Visit {
    int *times, *turn, *counter;
} Visit;

void visit_cells(Exec exec, RunList runs, Visit args);
void visit_columns(Exec exec, BlockList blocks, Visit args);
void diffuse_wrongly(Exec exec, RunList runs, Visit args);

KERNEL_CELLS(visit_cells, Visit) {
    const int cell = (k * N2 + j) * N1 + i;
    a->times[cell]++;
    if (a->turn) a->turn[cell] = ++*a->counter; /* elements that know of each other: not on a processor */
}

KERNEL_COLUMNS(visit_columns, Visit) {
    for (int k = 0; k < N3; k++)
        FOR_LANES (l) a->times[(k * N2 + j) * N1 + i0 + l]++;
    if (a->turn) a->turn[j * N1 + i0] = ++*a->counter;
}

/* Reads what another element writes. */
KERNEL_CELLS(diffuse_wrongly, Visit) {
    const int cell = (k * N2 + j) * N1 + i;
    a->times[cell] = i == 0 ? cell : a->times[cell - 1] + 1;
}

static RunList some_runs(Run run[N2 * N3 * 2], int inside[CELLS]) {
    RunList runs = {run, 0, 0};
    memset(inside, 0, CELLS * sizeof *inside);
    for (int row = 0; row < N2 * N3; row++) {
        const Run two[2] = {{row % 4, 10 + row, row % N2, row / N2}, {30, N1 - row % 3, row % N2, row / N2}};
        for (int n = 0; n < 2; n++) {
            run[runs.count++] = two[n];
            runs.elements += two[n].i1 - two[n].i0;
            for (int i = two[n].i0; i < two[n].i1; i++) inside[row * N1 + i] = 1;
        }
    }
    return runs;
}

static void test_cells_are_visited_once(void **unused) {
    (void)unused;
    Run run[N2 * N3 * 2];
    int inside[CELLS], first_turns[CELLS];
    const RunList runs = some_runs(run, inside);
    uint64_t order = 3;
    const Exec execs[] = {{.device = DEVICE_CPU}, {.device = DEVICE_EMU, .order = &order}};
    for (int n = 0; n < 4; n++) {
        int times[CELLS] = {0}, turn[CELLS] = {0}, counter = 0;
        visit_cells(execs[n > 0], runs, (Visit){times, n > 0 ? turn : NULL, &counter});
        assert_memory_equal(inside, times, sizeof times);
        if (n > 0) assert_int_equal(runs.elements, counter);
        if (n > 1) assert_memory_not_equal(first_turns, turn, sizeof turn);
        memcpy(first_turns, turn, sizeof turn);
    }
}

static void test_columns_are_visited_once(void **unused) {
    (void)unused;
    Block block[N2 * 3];
    BlockList blocks = {block, 0};
    int inside[CELLS] = {0}, first_turns[CELLS];
    for (int j = 0; j < N2; j++)
        for (int b = 0; b < 3; b++) {
            const int i0 = BLOCK * (b + j % 3);
            block[blocks.count++] = (Block){i0, j};
            for (int k = 0; k < N3; k++)
                for (int l = 0; l < BLOCK; l++) inside[(k * N2 + j) * N1 + i0 + l] = 1;
        }
    uint64_t order = 3;
    const Exec execs[] = {{.device = DEVICE_CPU}, {.device = DEVICE_EMU, .order = &order}};
    for (int n = 0; n < 4; n++) {
        int times[CELLS] = {0}, turn[CELLS] = {0}, counter = 0;
        visit_columns(execs[n > 0], blocks, (Visit){times, n > 0 ? turn : NULL, &counter});
        assert_memory_equal(inside, times, sizeof times);
        if (n > 1) assert_memory_not_equal(first_turns, turn, sizeof turn);
        memcpy(first_turns, turn, sizeof turn);
    }
}

/* What the caches hold is near what comes next. */
static void test_a_processor_keeps_the_order(void **unused) {
    (void)unused;
    enum { COUNT = 17 };
    Run run[COUNT];
    Block block[COUNT];
    int times[CELLS] = {0}, cell_turn[CELLS] = {0}, column_turn[CELLS] = {0}, cells = 0, columns = 0;
    for (int n = 0; n < COUNT; n++) {
        run[n] = (Run){N1 - 1 - n, N1 - n, 0, 0}; /* of one cell: cells of a run have no order */
        block[n] = (Block){BLOCK * (n % 5), n / 5};
    }
    const Exec cpu = {.device = DEVICE_CPU};
    visit_cells(cpu, (RunList){run, COUNT, COUNT}, (Visit){times, cell_turn, &cells});
    visit_columns(cpu, (BlockList){block, COUNT}, (Visit){times, column_turn, &columns});
    for (int n = 0; n < COUNT; n++) {
        assert_int_equal(n + 1, cell_turn[run[n].i0]);
        if (LANES == BLOCK) assert_int_equal(n + 1, column_turn[block[n].j * N1 + block[n].i0]);
    }
}

static void test_dependent_cells_are_found(void **unused) {
    (void)unused;
    Run run[] = {{0, N1, 0, 0}, {0, N1, 1, 0}};
    const RunList runs = {run, 2, 2 * N1};
    int found = 0;
    for (uint64_t seed = 0; seed < 20; seed++) {
        uint64_t order = seed;
        int times[CELLS] = {0};
        diffuse_wrongly((Exec){.device = DEVICE_EMU, .order = &order}, runs, (Visit){times, NULL, NULL});
        bool right = true;
        for (int n = 0; n < 2 * N1; n++) right &= times[n] == n;
        found += !right;
    }
    assert_int_equal(20, found);
}

/* --- launches that wait: 40 cells that each kernel adds to ------------------------------------------- */

typedef struct Sum {
    double *x;
    const double *y;
} Sum;

void add_to(Exec exec, RunList runs, Sum args);

KERNEL_CELLS(add_to, Sum) {
    (void)j, (void)k;
    a->x[i] += a->y[i];
}

typedef struct Row {
    RunList runs;
    double *x, *y;
} Row;

static Row row_create(void) {
    Row row = {{ALLOCATE(1, Run), 1, N1}, ALLOCATE(N1, double), ALLOCATE(N1, double)};
    row.runs.run[0] = (Run){0, N1, 0, 0};
    for (int i = 0; i < N1; i++) row.y[i] = 1;
    return row;
}

static void row_destroy(Row *row) {
    memory_free(row->runs.run), memory_free(row->x), memory_free(row->y);
}

/* What every host part of a step does: something with what a kernel wrote, and then a kernel again. */
static double step_of_two_kernels(const char *device, bool waits_to_read, bool waits_to_write) {
    Exec exec;
    assert_int_equal(STATUS_OK, exec_create(device, 0, 5, &exec));
    Row row = row_create();
    add_to(exec, row.runs, (Sum){row.x, row.y});
    if (waits_to_read) exec_wait(exec);
    row.x[7] *= 10;
    add_to(exec, row.runs, (Sum){row.x, row.y});
    if (waits_to_write) exec_wait(exec);
    row.y[7] = 100;
    exec_wait(exec);
    const double found = row.x[7];
    row_destroy(&row);
    exec_destroy(&exec);
    return found;
}

static void test_a_forgotten_wait_shows(void **unused) {
    (void)unused;
    assert_true(step_of_two_kernels("cpu", false, false) == 11);
    assert_true(step_of_two_kernels("emu", true, true) == 11);
    assert_true(step_of_two_kernels("emu", false, true) == 2);
    assert_true(step_of_two_kernels("emu", true, false) == 110);
    assert_int_equal(0, memory_in_use());
}

/* As cudaFree does, and a copy from the device. */
static void test_to_free_or_copy_is_to_wait(void **unused) {
    (void)unused;
    Exec exec;
    assert_int_equal(STATUS_OK, exec_create("emu", 0, 5, &exec));
    Row row = row_create();
    double copy[N1], *other = ALLOCATE(3, double);
    add_to(exec, row.runs, (Sum){row.x, row.y});
    assert_true(row.x[0] == 0);
    assert_int_equal(1, queue_length());
    memory_free(other);
    assert_true(row.x[0] == 1);
    add_to(exec, row.runs, (Sum){row.x, row.y});
    assert_int_equal(STATUS_OK, device_copy(exec, copy, row.x, sizeof copy));
    assert_true(copy[N1 - 1] == 2);
    row_destroy(&row);
    exec_destroy(&exec);
    assert_int_equal(0, memory_in_use());
}

/* Numbers that change from launch to launch, said without waiting for the launches before. `careless`: all
 * from one place, which the host changes before they have been copied. */
static double sum_of_said(const char *device, bool careless) {
    Exec exec;
    Staging staging;
    assert_int_equal(STATUS_OK, exec_create(device, 0, 5, &exec));
    Row row = row_create();
    assert_int_equal(STATUS_OK, staging_create(exec, N1 * sizeof(double), &staging));
    for (int n = 1; n <= 4; n++) {
        double *said = careless ? staging.filled : staging_fill(&staging);
        for (int i = 0; i < N1; i++) said[i] = n + i;
        staging_send(&staging, row.y);
        add_to(exec, row.runs, (Sum){row.x, row.y});
        if (n == 2) exec_wait(exec); /* as a step does for its sums */
    }
    exec_wait(exec);
    const double found = row.x[7];
    staging_release(&staging);
    row_destroy(&row);
    exec_destroy(&exec);
    return found;
}

static void test_the_host_says_numbers_without_waiting(void **unused) {
    (void)unused;
    assert_true(sum_of_said("cpu", false) == 10 + 4 * 7);
    assert_true(sum_of_said("emu", false) == 10 + 4 * 7);
    assert_true(sum_of_said("emu", true) == 2 + 2 + 4 + 4 + 4 * 7);
    assert_int_equal(0, memory_in_use());
}

/* It waits only where nobody has waited since. */
static void test_staging_knows_who_has_waited(void **unused) {
    (void)unused;
    Exec exec;
    Staging staging;
    double *field, unused_copy;
    assert_int_equal(STATUS_OK, exec_create("emu", 0, 5, &exec));
    field = ALLOCATE(1, double);
    assert_int_equal(STATUS_OK, staging_create(exec, sizeof(double), &staging));
    (void)staging_fill(&staging);
    staging_send(&staging, field);
    assert_int_equal(STATUS_OK, device_fetch(exec, &unused_copy, field, sizeof unused_copy));
    exec_clear(exec, field, sizeof *field);
    (void)staging_fill(&staging);
    assert_int_equal(1, queue_length());
    staging_send(&staging, field);
    (void)staging_fill(&staging);
    assert_int_equal(0, queue_length());
    staging_release(&staging);
    memory_free(field);
    exec_destroy(&exec);
}

/* --- measures ----------------------------------------------------------------------------------------- */

typedef struct Measured {
    const double *x;
} Measured;

void least_and_most(Exec exec, RunList runs, Measured args, double *most);
void positive(Exec exec, RunList runs, Measured args, uint64_t *count);

MAX_CELLS(least_and_most, Measured, 2) {
    (void)j, (void)k;
    most[0] = max_of(-a->x[i], most[0]);
    most[1] = max_of(a->x[i], most[1]);
}

COUNT_CELLS(positive, Measured, 1) {
    (void)j, (void)k;
    count[0] += a->x[i] > 0;
}

static void test_measures_are_the_same_on_all_devices(void **unused) {
    (void)unused;
    enum { LISTS = 7 };
    const char *const devices[] = {"cpu", "emu"};
    for (int n = 0; n < 2; n++) {
        Exec exec;
        assert_int_equal(STATUS_OK, exec_create(devices[n], 0, 5, &exec));
        Row row = row_create();
        for (int i = 0; i < N1; i++) row.y[i] = i % 3 ? i - 20.5 : NAN;
        double most[2 * LISTS], one[2] = {-HUGE_VAL, 15};
        RunList runs[LISTS];
        Measured args[LISTS];
        for (int list = 0; list < LISTS; list++) {
            most[2 * list] = -5, most[2 * list + 1] = 3;
            runs[list] = list == 4 ? (RunList){0} : row.runs;
            args[list] = (Measured){row.y};
        }
        uint64_t count = 100;
        least_and_most(exec, row.runs, args[0], one);
        assert_true(one[0] == 19.5 && one[1] == 17.5);
        for (int list = 0; list < LISTS; list++)
            least_and_most_ask(exec, runs[list], args[list], most + 2 * (ptrdiff_t)list);
        results_fetch(exec);
        for (int list = 0; list < LISTS; list++) {
            assert_true(most[2 * list] == (list == 4 ? -5 : 19.5));
            assert_true(most[2 * list + 1] == (list == 4 ? 3 : 17.5));
        }
        positive(exec, row.runs, args[0], &count);
        assert_int_equal(112, count);
        row_destroy(&row);
        exec_destroy(&exec);
    }
}

/* What a GPU does not see may be in no argument. */
static void test_hidden_pointers_are_found(void **unused) {
    (void)unused;
    static const double table[3] = {1, 2, 3};
    double local[3] = {0}, *given = ALLOCATE(3, double);
    const struct {
        double number;
        const double *pointer;
        int n1, n2;
    } args[] = {{1e-3, given, 200, 100}, {1e-3, table, 200, 100}, {1e-3, local, 200, 100}};
    assert_int_equal(-1, queue_hidden_pointer(&args[0], sizeof *args));
    assert_int_equal(sizeof(double), queue_hidden_pointer(&args[1], sizeof *args));
    assert_int_equal(sizeof(double), queue_hidden_pointer(&args[2], sizeof *args));
    memory_free(given);
}

static void test_empty_lists(void **unused) {
    (void)unused;
    uint64_t order = 1;
    const Exec emu = {.device = DEVICE_EMU, .order = &order};
    visit_cells(emu, (RunList){0}, (Visit){0});
    visit_columns(emu, (BlockList){0}, (Visit){0});
}

static void test_devices(void **unused) {
    (void)unused;
    Exec exec;
    assert_int_equal(STATUS_OK, exec_create("cpu", 0, 1, &exec));
    assert_int_equal(DEVICE_CPU, exec.device);
    exec_destroy(&exec);
    assert_int_equal(STATUS_OK, exec_create("emu", 0, 1, &exec));
    assert_int_equal(DEVICE_EMU, exec.device);
    assert_int_not_equal(exec_next_seed(exec), exec_next_seed(exec));
    exec_destroy(&exec);
    static const Device expected[] = {DEVICE_EMU, DEVICE_CPU, DEVICE_CPU, DEVICE_EMU};
    for (int rank = 0; rank < 4; rank++) {
        assert_int_equal(STATUS_OK, exec_create("emu,cpu,cpu", rank, 1, &exec));
        assert_int_equal(expected[rank], exec.device);
        exec_destroy(&exec);
    }
    assert_int_equal(STATUS_OK, exec_create("auto", 1000, 1, &exec)); /* so many GPUs no node has */
    assert_int_equal(DEVICE_CPU, exec.device);
    exec_destroy(&exec);
    assert_int_equal(STATUS_BAD_INPUT, exec_create("tpu", 0, 1, &exec));
    assert_int_equal(1, error_count());
    error_clear();
}

/* With CUDA and a GPU it is there; else the refusal says what to do. */
static void test_gpu_or_a_refusal(void **unused) {
    (void)unused;
    Exec exec;
    if (exec_create("gpu", 0, 1, &exec) == STATUS_OK) {
        assert_non_null(exec.results);
        exec_destroy(&exec);
        return;
    }
    messages_expect("choose \"cpu\"");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_shuffled_is_a_permutation),
        cmocka_unit_test(test_cells_are_visited_once),
        cmocka_unit_test(test_columns_are_visited_once),
        cmocka_unit_test(test_a_processor_keeps_the_order),
        cmocka_unit_test(test_dependent_cells_are_found),
        cmocka_unit_test(test_a_forgotten_wait_shows),
        cmocka_unit_test(test_to_free_or_copy_is_to_wait),
        cmocka_unit_test(test_the_host_says_numbers_without_waiting),
        cmocka_unit_test(test_staging_knows_who_has_waited),
        cmocka_unit_test(test_measures_are_the_same_on_all_devices),
        cmocka_unit_test(test_hidden_pointers_are_found),
        cmocka_unit_test(test_empty_lists),
        cmocka_unit_test(test_devices),
        cmocka_unit_test(test_gpu_or_a_refusal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
