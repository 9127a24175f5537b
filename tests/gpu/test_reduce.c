/* SPDX-License-Identifier: Apache-2.0
 *
 * On a GPU: dot products and sums have the bits of the processor, run after run. Skipped (77) where there is
 * none.
 */
#include "gpu/device.h"
#include "gpu/reduce.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

enum { ROW = 1000, ROWS = 700, FIELD = ROW * ROWS, COUNT = FIELD / BLOCK, SKIPPED = 77 };

static Exec gpu;

static void *on_gpu(const void *from, size_t bytes) {
    void *pointer = NULL;
    assert_int_equal(STATUS_OK, device_allocate(gpu, bytes, &pointer));
    assert_int_equal(STATUS_OK, device_copy(gpu, pointer, from, bytes));
    return pointer;
}

static void test_dot_and_terms(void **unused) {
    (void)unused;
    static double x[FIELD], y[FIELD];
    static Block block[COUNT];
    for (int n = 0; n < FIELD; n++) x[n] = ldexp(drand48() - 0.5, n % 60), y[n] = drand48() - 0.5;
    for (int n = 0; n < COUNT; n++) block[n] = (Block){n * BLOCK % ROW, n * BLOCK / ROW};
    double *gpu_x = (double *)on_gpu(x, sizeof x), *gpu_y = (double *)on_gpu(y, sizeof y);
    Block *gpu_block = (Block *)on_gpu(block, sizeof block);
    for (int count = 1; count <= COUNT; count = count < COUNT && 3 * count > COUNT ? COUNT : 3 * count) {
        ExactSum expected;
        exact_sum_clear(&expected);
        reduce_dot((Exec){.device = DEVICE_CPU}, (BlockList){block, count}, x, y, ROW, &expected);
        for (int again = 0; again < 5; again++) {
            ExactSum got;
            exact_sum_clear(&got);
            reduce_dot(gpu, (BlockList){gpu_block, count}, gpu_x, gpu_y, ROW, &got);
            assert_memory_equal(&expected, &got, sizeof got);
        }
    }
    for (int count = 1; count <= FIELD; count = count < FIELD && 7 * count > FIELD ? FIELD : 7 * count) {
        ExactSum expected = {0}, got = {0};
        exact_sum_add_all(&expected, x, count);
        exact_sum_normalise(&expected);
        reduce_add_terms(gpu, gpu_x, count, reduce_begin(gpu, 1, &got));
        results_fetch(gpu);
        assert_memory_equal(&expected, &got, sizeof got);
    }
    device_free(gpu, gpu_x), device_free(gpu, gpu_y), device_free(gpu, gpu_block);
}

int main(void) {
    if (exec_create("gpu", 0, 1, &gpu) != STATUS_OK) {
        error_print(stdout);
        return SKIPPED;
    }
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_dot_and_terms)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    exec_destroy(&gpu);
    return failed;
}
