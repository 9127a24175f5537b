/* SPDX-License-Identifier: Apache-2.0
 *
 * The authors' kernel for GPUs against their loop for processors: the same bits for fragments of every shape,
 * with land, on the emulator; the fit of their tuning law to numbers made by it; that law as it is printed;
 * and a forecast for machines that are not here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "bench/papers/machines.h"
#include "bench/papers/paper_sweep.h"
#include "bench/papers/tuning.h"
#include "gpu/device.h"
#include "tests/support/systems.h"

enum { N1 = 11, N2 = 9, N3 = 7, NODES = N1 * N2 * N3 };

static void test_same_bits(void **unused) {
    (void)unused;
    for (uint64_t seed = 0; seed < 20; seed++) {
        Exec exec;
        assert_int_equal(exec_create("emu", 0, seed, &exec), STATUS_OK);
        double *array[6];
        for (int n = 0; n < 6; n++) array[n] = ALLOCATE(NODES, double);
        for (int m = 0; m < NODES; m++) {
            const bool land = test_number(seed, m, 0, 0) < 0.2;
            array[0][m] = land ? 0 : 3 + test_number(seed, m, 1, 0);
            for (int n = 1; n < 4; n++) array[n][m] = land ? 0 : test_number(seed, m, 1 + n, 0);
            array[4][m] = array[5][m] = test_number(seed, m, 9, 0) - 0.5;
        }
        PaperSweep args = {.c0 = array[0],
                           .c2 = array[1],
                           .c4 = array[2],
                           .c6 = array[3],
                           .omega = 2.5,
                           .r = array[4],
                           .n1 = N1,
                           .n2 = N2,
                           .n3 = N3};
        args.threads_x = 1 + (int)(seed % 10);
        args.threads_z = 1 + (int)(seed * 7 % 6);
        args.from_memory = seed % 3 == 0;
        paper_sweep(exec, args);
        exec_wait(exec);
        args.r = array[5];
        paper_sweep_in_turn(&args);
        assert_memory_equal(array[4], array[5], NODES * sizeof(double));
        for (int n = 0; n < 6; n++) memory_free(array[n]);
        exec_destroy(&exec);
    }
}

static void test_fit(void **unused) {
    (void)unused;
    PaperSample sample[12];
    for (int n = 0; n < 12; n++) {
        sample[n] = (PaperSample){1 << n % 4, 1, 1000 * (1 + n / 4 * (1 + n % 3)), 0};
        sample[n].ms = paper_law_at(&PAPER_LAW, sample[n].x, sample[n].y);
    }
    PaperLaw law;
    assert_true(paper_law_fit(sample, 12, &law));
    assert_true(fabs(law.a - 0.026) < 1e-10 && fabs(law.b - 2e-7) < 1e-14);
    assert_true(fabs(law.c - 1.6e-4) < 1e-12 && fabs(law.d - 7.7e-4) < 1e-11);
    assert_true(law.determination > 1 - 1e-9);
    for (int n = 0; n < 12; n++) sample[n].ms += n % 2 ? 1e-3 : -1e-3;
    assert_true(paper_law_fit(sample, 12, &law));
    assert_true(law.determination > 0 &&
                law.determination < 0.9);            /* a tenth of the noise's square is explained */
    for (int n = 0; n < 12; n++) sample[n].y = 1000; /* nothing to tell a from d by */
    assert_false(paper_law_fit(sample, 12, &law));
}

/* What its text says of the law, over the shapes that it measured: X Z up to 640 threads, neither of them 1. */
static void test_printed_law(void **unused) {
    (void)unused;
    double least = INFINITY;
    int at[3] = {0};
    for (int x = 2; x <= 320; x++)
        for (int y = 1000; y <= 30000; y += 1000) {
            const int z = 640 / x;
            const double t = paper_law_at(&PAPER_LAW, (double)x / z, y);
            assert_true(t > 0);
            if (t < least) least = t, at[0] = x, at[1] = z, at[2] = y;
        }
    assert_true(at[0] == 320 && at[1] == 2 && at[2] == 30000);
    assert_true(fabs(least - 0.01125008) < 1e-8);
    assert_true(paper_law_at(&PAPER_LAW, 9, 999) > paper_law_at(&PAPER_LAW, 10, 1000));
}

/* 4096^3 points on 64 processors, of which each takes 30 / 64 17.8 ns, and 8 ranks of a node send 21 numbers of each place on their faces
 * at 25 GB/s: 8.960 and 0.141 s. */
static void test_forecast(void **unused) {
    (void)unused;
    const PaperRun run = {MPI_COMM_SELF, "cpu"};
    char *text = NULL;
    assert_int_equal(paper_cube(&run, &text), STATUS_OK);
    const double computing = 30 * 17.8e-9 / 64 * pow(4096, 3) / 64,
                 sending = 0.04e-9 * 8 * 8 * 21 * 2 * (512 * 512 + 2 * 1024 * 512);
    assert_true(fabs(atof(text) - computing - sending) < 6e-4);
    memory_free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_bits),
        cmocka_unit_test(test_fit),
        cmocka_unit_test(test_printed_law),
        cmocka_unit_test(test_forecast),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
