/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/papers/tuning.h"

#include "base/log.h"
#include "base/memory.h"
#include "bench/papers/paper_sweep.h"
#include "gpu/device.h"
#include <mpi.h>

enum { UNKNOWNS = 4, TURNS = 5 };

/* Of T in a, -Y, -ln k, -ln Y; Y in units of the largest, so that all columns are of one size. */
static void row_of(const PaperSample *s, double unit, double row[UNKNOWNS]) {
    row[0] = 1;
    row[1] = -s->y / unit;
    row[2] = -log(s->k);
    row[3] = -log(s->y);
}

/* Orthogonalises the columns one after the other (modified Gram-Schmidt, each twice against rounding). */
static bool solve_least_squares(double *column[UNKNOWNS], const double *rhs, int count, double x[UNKNOWNS]) {
    double r[UNKNOWNS][UNKNOWNS] = {{0}}, y[UNKNOWNS];
    for (int c = 0; c < UNKNOWNS; c++) {
        double whole = 0, left = 0;
        for (int n = 0; n < count; n++) whole += column[c][n] * column[c][n];
        for (int turn = 0; turn < 2; turn++)
            for (int b = 0; b < c; b++) {
                double part = 0;
                for (int n = 0; n < count; n++) part += column[b][n] * column[c][n];
                for (int n = 0; n < count; n++) column[c][n] -= part * column[b][n];
                r[b][c] += part;
            }
        for (int n = 0; n < count; n++) left += column[c][n] * column[c][n];
        if (!(left > 1e-20 * whole)) return false;
        r[c][c] = sqrt(left);
        y[c] = 0;
        for (int n = 0; n < count; n++) column[c][n] /= r[c][c];
        for (int n = 0; n < count; n++) y[c] += column[c][n] * rhs[n];
    }
    for (int c = UNKNOWNS - 1; c >= 0; c--) {
        x[c] = y[c];
        for (int b = c + 1; b < UNKNOWNS; b++) x[c] -= r[c][b] * x[b];
        x[c] /= r[c][c];
    }
    return true;
}

bool paper_law_fit(const PaperSample *sample, int count, PaperLaw *law) {
    double *column[UNKNOWNS], *rhs = ALLOCATE(count, double), x[UNKNOWNS], unit = 0, mean = 0;
    for (int c = 0; c < UNKNOWNS; c++) column[c] = ALLOCATE(count, double);
    for (int n = 0; n < count; n++) {
        unit = sample[n].y > unit ? sample[n].y : unit;
        mean += sample[n].ms / count;
    }
    for (int n = 0; n < count; n++) {
        double row[UNKNOWNS];
        row_of(&sample[n], unit, row);
        for (int c = 0; c < UNKNOWNS; c++) column[c][n] = row[c];
        rhs[n] = sample[n].ms;
    }
    const bool found = solve_least_squares(column, rhs, count, x);
    if (found) {
        double off = 0, all = 0;
        for (int n = 0; n < count; n++) {
            double row[UNKNOWNS], fitted = 0;
            row_of(&sample[n], unit, row);
            for (int c = 0; c < UNKNOWNS; c++) fitted += row[c] * x[c];
            off += (sample[n].ms - fitted) * (sample[n].ms - fitted);
            all += (sample[n].ms - mean) * (sample[n].ms - mean);
        }
        *law = (PaperLaw){x[0], x[1] / unit, x[2], x[3], all > 0 ? 1 - off / all : 1};
    }
    for (int c = 0; c < UNKNOWNS; c++) memory_free(column[c]);
    memory_free(rhs);
    return found;
}

/* ---- measuring ---- */

/* The best of some turns, of a sweep over fragments of x by z threads and y nodes [ms per 1000 nodes]. */
static double measure(Exec exec, int x, int z, int y, int fragments) {
    PaperSweep args = {
        .omega = 2, .n1 = x * fragments + 2, .n2 = y + 2, .n3 = z + 2, .threads_x = x, .threads_z = z};
    const size_t nodes = (size_t)args.n1 * (size_t)args.n2 * (size_t)args.n3;
    double *array[5], best = INFINITY;
    for (int n = 0; n < 5; n++) array[n] = ALLOCATE(nodes, double);
    for (size_t m = 0; m < nodes; m++) {
        array[0][m] = 6;
        for (int n = 1; n < 5; n++) array[n][m] = 1;
    }
    args.c0 = array[0], args.c2 = array[1], args.c4 = array[2], args.c6 = array[3], args.r = array[4];
    exec_settle(exec);
    const int turns = exec.device == DEVICE_GPU ? TURNS : 1;
    for (int turn = 0; turn < turns; turn++) {
        exec_wait(exec);
        const double start = MPI_Wtime();
        paper_sweep(exec, args);
        exec_wait(exec);
        best = fmin(best, MPI_Wtime() - start);
    }
    for (int n = 0; n < 5; n++) memory_free(array[n]);
    return 1e6 * best / ((double)x * fragments * y * z);
}

Status bench_paper(Exec exec) {
    static const int shapes[][2] = {{16, 40}, {32, 20}, {40, 16}, {80, 8}, {128, 5}, {160, 4}, {320, 2}};
    static const int small[][2] = {{2, 4}, {4, 2}, {8, 1}};
    static const int nodes[] = {1000, 3000, 10000, 30000}, few[] = {4, 8, 16, 32};
    const bool gpu = exec.device == DEVICE_GPU;
    const int count = gpu ? 7 : 3;
    PaperSample sample[28];
    int samples = 0;
    if (gpu)
        log_info("the authors' kernel: ms per 1000 nodes of a sweep forward, X x Z threads, Y nodes in y");
    for (int s = 0; s < count; s++)
        for (int n = 0; n < 4; n++) {
            const int x = gpu ? shapes[s][0] : small[s][0], z = gpu ? shapes[s][1] : small[s][1];
            const int y = gpu ? nodes[n] : few[n];
            const double ms = measure(exec, x, z, y, gpu ? 8 : 2);
            sample[samples++] = (PaperSample){(double)x / z, y, ms};
            if (gpu) log_info("  X %3d  Z %3d  k %7.3f  Y %5d  %.3e ms", x, z, (double)x / z, y, ms);
        }
    if (!gpu) {
        log_info(
            "the authors' kernel ran in %d shapes; its law is about a GPU's times, the emulator has none",
            samples);
        return STATUS_OK;
    }
    PaperLaw law;
    if (paper_law_fit(sample, samples, &law))
        log_info("  T = %.3e %+.3e Y %+.3e ln(k) %+.3e ln(Y), R^2 %.2f", law.a, -law.b, -law.c, -law.d,
                 law.determination);
    else
        log_info("  no law: the samples do not tell its numbers apart");
    return STATUS_OK;
}
