/* SPDX-License-Identifier: Apache-2.0 */
#include "bench/papers/tuning.h"

#include "base/log.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "bench/papers/paper_sweep.h"
#include "gpu/device.h"
#include <math.h>

enum { UNKNOWNS = 4, TURNS = 3, MOST_SAMPLES = 64 };

const PaperLaw PAPER_LAW = {0.026, 2e-7, 1.6e-4, 7.7e-4, 0.86};

double paper_law_at(const PaperLaw *law, double k, double y) {
    return law->a - law->b * y - law->c * log(k) - law->d * log(y);
}

/* Of T in a, -Y, -ln k, -ln Y; Y in units of the largest, so that all columns are of one size. */
static void row_of(const PaperSample *s, double unit, double row[UNKNOWNS]) {
    row[0] = 1;
    row[1] = -s->y / unit;
    row[2] = -log((double)s->x / s->z);
    row[3] = -log((double)s->y);
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
        *law = (PaperLaw){x[0], x[1] / unit, x[2], x[3], 1};
        for (int n = 0; n < count; n++) {
            const double fitted = paper_law_at(law, (double)sample[n].x / sample[n].z, sample[n].y);
            off += (sample[n].ms - fitted) * (sample[n].ms - fitted);
            all += (sample[n].ms - mean) * (sample[n].ms - mean);
        }
        if (all > 0) law->determination = 1 - off / all;
    }
    for (int c = 0; c < UNKNOWNS; c++) memory_free(column[c]);
    memory_free(rhs);
    return found;
}

/* ---- what is measured ---- */

typedef struct Fragments {
    PaperSweep args;
    double *array[5];
} Fragments;

/* Two fragments of x by z threads and y nodes: more would follow each other, a launch each, and say the same. */
static Fragments fragments_create(Exec exec, int x, int z, int y) {
    Fragments f = {{.omega = 2, .n1 = 2 * x + 2, .n2 = y + 2, .n3 = z + 2, .threads_x = x, .threads_z = z},
                   {NULL}};
    const size_t nodes = (size_t)f.args.n1 * (size_t)f.args.n2 * (size_t)f.args.n3;
    for (int n = 0; n < 5; n++) f.array[n] = ALLOCATE(nodes, double);
    for (size_t m = 0; m < nodes; m++) {
        f.array[0][m] = 6;
        for (int n = 1; n < 5; n++) f.array[n][m] = 1;
    }
    f.args.c0 = f.array[0], f.args.c2 = f.array[1], f.args.c4 = f.array[2], f.args.c6 = f.array[3],
    f.args.r = f.array[4];
    exec_settle(exec);
    return f;
}

static void fragments_release(Fragments *f) {
    for (int n = 0; n < 5; n++) memory_free(f->array[n]);
}

/* The best of some turns [ms for 1000 nodes]. */
static double time_of_kernel(Exec exec, int x, int z, int y, bool from_memory) {
    Fragments f = fragments_create(exec, x, z, y);
    const int turns = exec.device == DEVICE_GPU ? TURNS : 1;
    double best = INFINITY;
    f.args.from_memory = from_memory;
    for (int turn = 0; turn < turns; turn++) {
        exec_wait(exec);
        const double start = MPI_Wtime();
        paper_sweep(exec, f.args);
        exec_wait(exec);
        best = fmin(best, MPI_Wtime() - start);
    }
    best *= 1e6 / ((double)(f.args.n1 - 2) * y * z);
    fragments_release(&f);
    return best;
}

/* Its kernel in all shapes; how many there are. */
static int sample_kernel(Exec exec, bool from_memory, PaperSample sample[MOST_SAMPLES]) {
    static const int shapes[][2] = {{16, 40}, {32, 20}, {40, 16}, {80, 8}, {128, 5}, {160, 4}, {320, 2}};
    static const int small[][2] = {{2, 4}, {4, 2}, {8, 1}};
    static const int nodes[] = {1000, 3000, 10000, 30000}, few[] = {4, 8, 16, 32};
    const bool gpu = exec.device == DEVICE_GPU;
    int count = 0;
    for (int s = 0; s < (gpu ? 7 : 3); s++)
        for (int n = 0; n < 4; n++) {
            const int x = gpu ? shapes[s][0] : small[s][0], z = gpu ? shapes[s][1] : small[s][1];
            const int y = gpu ? nodes[n] : few[n];
            sample[count++] = (PaperSample){x, z, y, time_of_kernel(exec, x, z, y, from_memory)};
        }
    return count;
}

/* Our sweep forward of points, in tiles of 8, 16, 32 rows and some levels. */
static Status sample_tiles(Exec exec, PaperSample sample[MOST_SAMPLES], int *count) {
    static const int steps[] = {250, 1000, 4000}, few[] = {4, 8, 16};
    const bool gpu = exec.device == DEVICE_GPU;
    const int levels = gpu ? 64 : 4, rows = gpu ? 256 : 32;
    *count = 0;
    for (int n = 0; n < 3; n++) {
        const int y = gpu ? steps[n] : few[n], first = *count, cells[] = {y, rows, levels};
        SweepTiles tiles[MOST_SAMPLES];
        double seconds[MOST_SAMPLES];
        for (int groups = 1; groups <= 4; groups *= 2)
            for (int z = gpu ? 4 : 1; z <= levels && 8 * groups * z <= 512; z *= 2) {
                tiles[*count - first] = (SweepTiles){groups, z, 0};
                sample[(*count)++] = (PaperSample){8 * groups, z, y, 0};
            }
        TRY(bench_sweep_in_tiles(exec, cells, tiles, *count - first, seconds));
        for (int m = first; m < *count; m++)
            sample[m].ms = 1e6 / ((double)y * rows * levels) * seconds[m - first];
    }
    return STATUS_OK;
}

/* ---- rows ---- */

/* The law and the least of the samples; of the emulator's nothing. */
static char *text_of_law(Exec exec, const PaperSample *sample, int count) {
    PaperLaw law;
    const PaperSample *least = sample, *by_law = sample;
    if (exec.device != DEVICE_GPU) {
        log_info("%d shapes ran on the emulator, which has no times: there is nothing to fit", count);
        return NULL;
    }
    if (!paper_law_fit(sample, count, &law))
        return memory_copy_text("the samples do not tell the four numbers apart");
    for (const PaperSample *s = sample; s < sample + count; s++) {
        if (s->ms < least->ms) least = s;
        if (paper_law_at(&law, (double)s->x / s->z, s->y) <
            paper_law_at(&law, (double)by_law->x / by_law->z, by_law->y))
            by_law = s;
    }
    return memory_format(
        "a %.3g, b %.2g, c %.2g, d %.2g, R^2 %.2f, %d shapes; least %.2e ms at X %d, Z %d, Y %d; by the "
        "law at X %d, Z %d, Y %d, where it takes %.2e",
        law.a, law.b, law.c, law.d, law.determination, count, least->ms, least->x, least->z, least->y,
        by_law->x, by_law->z, by_law->y, by_law->ms);
}

Status paper_law_printed(const PaperRun *run, char **here) {
    (void)run;
    const double least = paper_law_at(&PAPER_LAW, 160, 30000),
                 wide = paper_law_at(&PAPER_LAW, 2.0 / 320, 30000),
                 most = paper_law_at(&PAPER_LAW, 2.0 / 320, 1000);
    *here = memory_format(
        "recomputed: %.5f ms at X 320, Z 2, Y 30,000, the least; %.5f at X 2, Z 320; %.5f there with Y 1000: "
        "the shape decides %.0f %%, Y %.0f %%",
        least, wide, most, 100 * (wide / least - 1), 100 * (most / wide - 1));
    return STATUS_OK;
}

Status paper_law_of_kernel(const PaperRun *run, char **here) {
    Exec exec;
    PaperSample sample[MOST_SAMPLES];
    TRY(exec_create(run->device, 0, 1, &exec));
    *here = text_of_law(exec, sample, sample_kernel(exec, false, sample));
    exec_destroy(&exec);
    return STATUS_OK;
}

Status paper_law_of_tiles(const PaperRun *run, char **here) {
    Exec exec;
    PaperSample sample[MOST_SAMPLES];
    int count;
    TRY(exec_create(run->device, 0, 1, &exec));
    const Status status = sample_tiles(exec, sample, &count);
    if (status == STATUS_OK) *here = text_of_law(exec, sample, count);
    exec_destroy(&exec);
    return status;
}

Status paper_shared_memory(const PaperRun *run, char **here) {
    Exec exec;
    PaperSample shared[MOST_SAMPLES], memory[MOST_SAMPLES];
    double saved[MOST_SAMPLES];
    TRY(exec_create(run->device, 0, 1, &exec));
    const int count = sample_kernel(exec, false, shared);
    sample_kernel(exec, true, memory);
    for (int n = 0; n < count; n++) saved[n] = 100 * (1 - shared[n].ms / memory[n].ms);
    bench_sort(saved, count);
    if (exec.device == DEVICE_GPU)
        *here = memory_format("%.0f %% to %.0f %%, median %.0f %%, %d shapes", saved[0], saved[count - 1],
                              saved[count / 2], count);
    exec_destroy(&exec);
    return STATUS_OK;
}
