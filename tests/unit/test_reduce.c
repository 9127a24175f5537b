/* SPDX-License-Identifier: Apache-2.0
 *
 * Dot products over blocks of columns: the documented order within a block, no order between blocks, and the
 * same bits from threads of a GPU.
 */
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/queue.h"
#include "gpu/reduce_blocks.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

static double random_double(void) {
    return ldexp(drand48() - 0.5, (int)(lrand48() % 80) - 40);
}

enum { ROW = 72, ROWS = 30, FIELD = ROW * ROWS, BLOCKS_MOST = FIELD / BLOCK };

typedef struct Sea {
    double x[FIELD], y[FIELD];
    Block block[BLOCKS_MOST];
    BlockList blocks;
} Sea;

/* Two blocks of three are sea, each of their cells with probability 3/4. */
static void sea_fill(Sea *sea, int count_most) {
    memset(sea, 0, sizeof *sea);
    sea->blocks.block = sea->block;
    for (int first = 0; first < FIELD && sea->blocks.count < count_most; first += BLOCK) {
        if (lrand48() % 3 == 0) continue;
        sea->block[sea->blocks.count++] = (Block){first % ROW, first / ROW};
        for (int l = 0; l < BLOCK; l++) {
            if (lrand48() % 4 == 0) continue;
            sea->x[first + l] = random_double();
            sea->y[first + l] = random_double();
        }
    }
}

static ExactSum dot(Exec exec, const Sea *sea, BlockList blocks) {
    ExactSum sum;
    exact_sum_clear(&sum);
    reduce_dot(exec, blocks, sea->x, sea->y, ROW, &sum);
    return sum;
}

static void test_is_the_sum_of_the_blocks(void **unused) {
    (void)unused;
    const Exec cpu = {.device = DEVICE_CPU};
    static Sea sea;
    sea_fill(&sea, BLOCKS_MOST);
    ExactSum expected;
    exact_sum_clear(&expected);
    for (int n = 0; n < sea.blocks.count; n++) {
        const double *x = sea.x + sea.block[n].j * ROW + sea.block[n].i0;
        const double *y = sea.y + (x - sea.x);
        double p[BLOCK];
        for (int l = 0; l < BLOCK; l++) p[l] = x[l] * y[l];
        exact_sum_add(&expected, ((p[0] + p[4]) + (p[2] + p[6])) + ((p[1] + p[5]) + (p[3] + p[7])));
    }
    exact_sum_normalise(&expected);
    const ExactSum got = dot(cpu, &sea, sea.blocks);
    assert_memory_equal(&expected, &got, sizeof got);
}

static void test_of_parts_is_the_dot_of_the_whole(void **unused) {
    (void)unused;
    const Exec cpu = {.device = DEVICE_CPU};
    static Sea sea;
    sea_fill(&sea, BLOCKS_MOST);
    const ExactSum whole = dot(cpu, &sea, sea.blocks);
    for (int parts = 2; parts < 7; parts++) {
        ExactSum sum;
        exact_sum_clear(&sum);
        for (int part = parts - 1; part >= 0; part--) {
            const int begin = sea.blocks.count * part / parts, end = sea.blocks.count * (part + 1) / parts;
            const BlockList blocks = {sea.block + begin, end - begin};
            const ExactSum own = dot(cpu, &sea, blocks);
            exact_sum_merge(&sum, &own);
        }
        exact_sum_normalise(&sum);
        assert_memory_equal(&whole, &sum, sizeof sum);
    }
}

static void test_has_the_same_bits_on_the_emulator(void **unused) {
    (void)unused;
    const Exec cpu = {.device = DEVICE_CPU};
    static Sea sea;
    for (uint64_t seed = 0; seed < 30; seed++) {
        uint64_t order = seed;
        const Exec emu = {.device = DEVICE_EMU, .order = &order};
        sea_fill(&sea, seed < 10 ? (int)seed : BLOCKS_MOST - 7 * (int)seed);
        const ExactSum expected = dot(cpu, &sea, sea.blocks), got = dot(emu, &sea, sea.blocks);
        assert_memory_equal(&expected, &got, sizeof got);
    }
}

static void test_has_the_same_bits_for_all_shapes(void **unused) {
    (void)unused;
    const Exec cpu = {.device = DEVICE_CPU};
    static Sea sea;
    sea_fill(&sea, BLOCKS_MOST);
    const ExactSum expected = dot(cpu, &sea, sea.blocks);
    for (int threads = BLOCK; threads <= REDUCE_THREADS; threads *= 2) {
        for (int blocks = 1; blocks < 50; blocks = blocks * 3 + 1) {
            uint64_t order = (uint64_t)threads;
            const Exec emu = {.device = DEVICE_EMU, .order = &order};
            ExactSum got;
            exact_sum_clear(&got);
            const ReduceDot args = {sea.block, sea.blocks.count, sea.x, sea.y, ROW, &got};
            reduce_dot_blocks(emu, (BlockShape){blocks, threads}, args);
            exact_sum_normalise(&got);
            assert_memory_equal(&expected, &got, sizeof got);
        }
    }
}

/* Terms one by one, exactly, whatever the shape. */
static void test_of_terms_is_exact(void **unused) {
    (void)unused;
    enum { MOST = 3000 };
    static double term[MOST];
    for (int n = 0; n < MOST; n++) term[n] = n % 5 ? random_double() : 0;
    for (int count = 0; count <= MOST; count = 2 * count + 1) {
        ExactSum expected;
        exact_sum_clear(&expected);
        for (int n = count - 1; n >= 0; n--) exact_sum_add(&expected, term[n]);
        exact_sum_normalise(&expected);
        for (uint64_t seed = 0; seed < 6; seed++) {
            uint64_t order = seed;
            const Exec exec = {.device = seed == 0 ? DEVICE_CPU : DEVICE_EMU, .order = &order};
            ExactSum got;
            exact_sum_clear(&got);
            reduce_add_terms(exec, term, count, reduce_begin(exec, 1, &got));
            results_fetch(exec);
            assert_memory_equal(&expected, &got, sizeof got);
        }
    }
    term[7] = NAN;
    uint64_t order = 1;
    const Exec emu = {.device = DEVICE_EMU, .order = &order};
    ExactSum got;
    exact_sum_clear(&got);
    reduce_add_terms(emu, term, MOST, reduce_begin(emu, 1, &got));
    results_fetch(emu);
    assert_true(isnan(exact_sum_value(&got)));
}

/* Several at once, of either kind, and on top of what was there. */
static void test_many_together_are_each_alone(void **unused) {
    (void)unused;
    static Sea sea;
    sea_fill(&sea, BLOCKS_MOST);
    const Exec cpu = {.device = DEVICE_CPU};
    uint64_t order = 3;
    const Exec emu = {.device = DEVICE_EMU, .order = &order};
    ExactSum expected[3] = {0}, got[3] = {0};
    for (int n = 0; n < 3; n++) {
        exact_sum_add(&expected[n], 1e10 * n);
        exact_sum_add(&got[n], 1e10 * n);
    }
    reduce_dot(cpu, sea.blocks, sea.x, sea.y, ROW, &expected[0]);
    reduce_dot(cpu, sea.blocks, sea.x, sea.x, ROW, &expected[1]);
    exact_sum_add_all(&expected[1], sea.y, FIELD);
    for (int n = 0; n < 3; n++) exact_sum_normalise(&expected[n]);
    ExactSum *begun = reduce_begin(emu, 3, got);
    reduce_add_terms(emu, sea.y, FIELD, &begun[1]);
    reduce_add_dot(emu, sea.blocks, sea.x, sea.y, ROW, &begun[0]);
    reduce_add_dot(emu, sea.blocks, sea.x, sea.x, ROW, &begun[1]);
    results_fetch(emu);
    assert_memory_equal(expected, got, sizeof got);
}

/* Questions of all kinds, more than there is room for, and dropped ones. */
static void test_results_are_fetched_together(void **unused) {
    (void)unused;
    enum { SUMS = 150 };
    Exec exec;
    assert_int_equal(STATUS_OK, exec_create("emu", 0, 7, &exec));
    double *term = ALLOCATE(SUMS, double);
    static ExactSum sum[SUMS], dropped;
    for (int n = 0; n < SUMS; n++) term[n] = random_double();
    reduce_add_terms(exec, term, 3, reduce_begin(exec, 1, &dropped));
    results_forget(exec);
    for (int n = 0; n < 2; n++) {
        const int64_t before = queue_counts().trips;
        reduce_add_terms(exec, term, 2, reduce_begin(exec, 1, &sum[0]));
        reduce_add_terms(exec, term, 3, reduce_begin(exec, 1, &sum[1]));
        results_fetch(exec);
        results_fetch(exec); /* nothing is asked */
        assert_int_equal(1, queue_counts().trips - before);
    }
    ExactSum twice = {0};
    for (int n = 0; n < 6; n++) exact_sum_add(&twice, term[n % 3]);
    assert_true(exact_sum_value(&sum[1]) == exact_sum_value(&twice));
    for (int n = 0; n < SUMS; n++) exact_sum_clear(&sum[n]);
    for (int n = 0; n < SUMS; n++) reduce_add_terms(exec, term + n, 1, reduce_begin(exec, 1, &sum[n]));
    results_fetch(exec);
    for (int n = 0; n < SUMS; n++) assert_true(exact_sum_value(&sum[n]) == term[n]);
    assert_true(exact_sum_value(&dropped) == 0);
    memory_free(term);
    exec_destroy(&exec);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_results_are_fetched_together),
        cmocka_unit_test(test_is_the_sum_of_the_blocks),
        cmocka_unit_test(test_of_parts_is_the_dot_of_the_whole),
        cmocka_unit_test(test_has_the_same_bits_on_the_emulator),
        cmocka_unit_test(test_has_the_same_bits_for_all_shapes),
        cmocka_unit_test(test_of_terms_is_exact),
        cmocka_unit_test(test_many_together_are_each_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
