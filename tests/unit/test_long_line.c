/* SPDX-License-Identifier: Apache-2.0
 *
 * The paper's own problem on its method: a wave packet in one dimension by Crank-Nicolson, against the exact solution of
 * Schroedinger's equation; its norm; and one thread with the whole line, which blocks give to round-off for any number of
 * them and any nesting, the emulator to the last bit.
 */
#include <complex.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "gpu/device.h"
#include "numerics/lines/long_line.h"

#define LENGTH 40.0
#define TIME   1.0
#define WIDTH  1.0 /* of |psi|^2 at first */
#define NUMBER 3.0 /* of the wave */
#define START  14.0

static const Exec cpu = {.device = DEVICE_CPU};

static double complex exact(double x, double t) {
    const double complex spread = 1 + I * t / (2 * WIDTH * WIDTH);
    const double from = x - START - NUMBER * t;
    return cexp(-from * from / (4 * WIDTH * WIDTH * spread) + I * NUMBER * (x - START - NUMBER * t / 2)) /
           (csqrt(spread) * pow(2 * 3.14159265358979323846 * WIDTH * WIDTH, 0.25));
}

/* psi of n points after some steps of TIME / steps; `potential`: of a well, 0: none. */
static Complex *propagate(Exec exec, int n, int steps, int done, double potential, int blocks, int levels) {
    const double dx = LENGTH / (n + 1), dt = TIME / steps;
    Complex *b = ALLOCATE(n, Complex), *a = ALLOCATE(n, Complex), *c = ALLOCATE(n, Complex),
            *psi = ALLOCATE(n, Complex);
    for (int i = 0; i < n; i++) {
        const double x = dx * (i + 1);
        a[i] = (Complex){1, 0.5 * dt * (1 / (dx * dx) + potential * cos(x))};
        b[i] = (Complex){0, i > 0 ? -0.25 * dt / (dx * dx) : 0};
        c[i] = (Complex){0, i < n - 1 ? -0.25 * dt / (dx * dx) : 0};
        const double complex at = exact(x, 0);
        psi[i] = (Complex){creal(at), cimag(at)};
    }
    LongLine *line = long_line_create(exec, n, b, a, c, blocks, levels);
    for (int m = 0; m < done; m++) long_line_step(line, psi);
    exec_wait(exec);
    long_line_destroy(&line);
    memory_free(a), memory_free(b), memory_free(c);
    return psi;
}

static double error_of(int n, int steps) {
    Complex *psi = propagate(cpu, n, steps, steps, 0, 31, 2);
    double sum = 0, norm = 0, before = 0;
    for (int i = 0; i < n; i++) {
        const double x = LENGTH * (i + 1) / (n + 1);
        const double complex at = exact(x, TIME);
        sum += pow(psi[i].re - creal(at), 2) + pow(psi[i].im - cimag(at), 2);
        norm += psi[i].re * psi[i].re + psi[i].im * psi[i].im;
        before += pow(cabs(exact(x, 0)), 2);
    }
    memory_free(psi);
    assert_true(fabs(norm / before - 1) < 1e-12);
    return sqrt(sum * LENGTH / (n + 1));
}

static void packet(void **state) {
    (void)state;
    const double error[] = {error_of(499, 100), error_of(999, 200), error_of(1999, 400)};
    print_message("error of the packet: %.3g %.3g %.3g\n", error[0], error[1], error[2]);
    assert_true(log2(error[0] / error[1]) > 1.98 && log2(error[1] / error[2]) > 1.99);
    assert_true(error[2] < 6e-3);
}

static double apart(const Complex *x, const Complex *y, int n) {
    double most = 0;
    for (int i = 0; i < n; i++) most = fmax(most, hypot(x[i].re - y[i].re, x[i].im - y[i].im));
    return most;
}

static void blocks_as_one_thread(void **state) {
    (void)state;
    static const int sizes[] = {1, 2, 3, 4, 5, 17, 64, 1000};
    Exec emu;
    assert_int_equal(exec_create("emu", 0, 3, &emu), STATUS_OK);
    for (int m = 0; m < 8; m++)
        for (int levels = 1; levels <= 4; levels++)
            for (int blocks = 1; blocks <= sizes[m]; blocks = 2 * blocks + 1) {
                const int n = sizes[m];
                Complex *one = propagate(cpu, n, 300, 5, 30, 0, 0),
                        *cut = propagate(cpu, n, 300, 5, 30, blocks, levels),
                        *there = propagate(emu, n, 300, 5, 30, blocks, levels);
                assert_true(apart(cut, one, n) < 2e-15 * 5);
                assert_memory_equal(there, cut, (size_t)n * sizeof *cut);
                memory_free(one), memory_free(cut), memory_free(there);
            }
    exec_destroy(&emu);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(packet), cmocka_unit_test(blocks_as_one_thread)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
