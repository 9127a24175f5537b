/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of the paper on N-shaped partitions (docs/papers.md). A processor for every block is what the paper's figure 2 has;
 * here it takes what one block of every level takes (partition.c). On a device the whole is timed as it is.
 */
#include "base/memory.h"
#include "bench/bench.h"
#include "bench/papers/papers.h"
#include "gpu/device.h"
#include "numerics/grid/traffic.h"
#include <math.h>

enum { POINTS = 300000, MOST_LEVELS = 4, TURNS = 5 };

typedef struct Best {
    int blocks;
    double seconds;
} Best;

/* About the equations' n^(L / (L + 1)), by factors of 1.3. */
static Best best_of(int n, int levels) {
    const BenchPacket p = bench_packet_create((Exec){.device = DEVICE_CPU}, n);
    const double even = pow(n, levels / (levels + 1.0));
    Best best = {0, HUGE_VAL};
    for (int m = -6; m <= 6; m++) {
        const int blocks = (int)lround(even * pow(1.3, m));
        if (blocks < 1 || blocks > (n - 1) / 2) continue;
        const double seconds = bench_chain_seconds(&p, blocks, levels);
        if (seconds < best.seconds) best = (Best){blocks, seconds};
    }
    bench_packet_destroy(&p);
    return best;
}

static Status figure(char **here, int levels) {
    const Best best = best_of(POINTS, levels);
    *here = memory_format("%d in %.3g us; %.0f", best.blocks, 1e6 * best.seconds,
                          pow(POINTS, levels / (levels + 1.0)));
    return STATUS_OK;
}
static Status reduced_once(const PaperRun *run, char **here) {
    (void)run;
    return figure(here, 1);
}
static Status nested_once(const PaperRun *run, char **here) {
    (void)run;
    return figure(here, 2);
}
static Status nested_twice(const PaperRun *run, char **here) {
    (void)run;
    return figure(here, 3);
}
static Status nested_thrice(const PaperRun *run, char **here) {
    (void)run;
    return figure(here, 4);
}

/* A straight line by least squares: its slope, and the part of the variance that it explains. */
static double slope_of(int count, const double *x, const double *y, double *explained) {
    double mx = 0, my = 0, xx = 0, xy = 0, yy = 0;
    for (int m = 0; m < count; m++) mx += x[m] / count, my += y[m] / count;
    for (int m = 0; m < count; m++)
        xx += (x[m] - mx) * (x[m] - mx), xy += (x[m] - mx) * (y[m] - my), yy += (y[m] - my) * (y[m] - my);
    *explained = xy * xy / (xx * yy);
    return xy / xx;
}

/* Equation 9: the exponents of the least times by the line's length, and the logarithm that the best nesting follows. */
static Status laws(const PaperRun *run, char **here) {
    enum { SIZES = 6 };
    double log_n[SIZES], log_t[MOST_LEVELS][SIZES], least[SIZES], r;
    (void)run;
    for (int m = 0; m < SIZES; m++) {
        const int n = (int)lround(1000 * pow(300, m / (SIZES - 1.0)));
        log_n[m] = log(n), least[m] = HUGE_VAL;
        for (int l = 0; l < MOST_LEVELS; l++) {
            const double t = best_of(n, l + 1).seconds;
            log_t[l][m] = log(t), least[m] = fmin(least[m], 1e9 * t);
        }
    }
    *here = memory_format("%s", "");
    for (int l = 0; l < MOST_LEVELS; l++)
        memory_append(here, "%s%.2f", l > 0 ? ", " : "", slope_of(SIZES, log_n, log_t[l], &r));
    const double slope = slope_of(SIZES, log_n, least, &r);
    memory_append(here, "; %.0f ns by log n, R^2 %.3f", slope, r);
    return STATUS_OK;
}

/* The whole, as a device does it. */
static Status on_device(const PaperRun *run, char **here) {
    Exec exec;
    TRY(exec_create(run->device, 0, 1, &exec));
    const bool gpu = exec.device == DEVICE_GPU;
    const BenchPacket p = bench_packet_create(exec, gpu ? POINTS : 3000);
    *here = memory_format("%s", "");
    for (int levels = 1; levels <= MOST_LEVELS - 1; levels++) {
        Best best = {0, HUGE_VAL};
        for (int m = -4; m <= 4; m++) {
            const int blocks = (int)lround(pow(p.n, levels / (levels + 1.0)) * pow(1.5, m));
            if (blocks < 1 || blocks > (p.n - 1) / 2) continue;
            LongLine *line = long_line_create(exec, p.n, p.b, p.a, p.c, blocks, levels);
            for (int turn = 0; turn < TURNS; turn++) {
                const double start = traffic_now();
                long_line_step(line, p.psi);
                exec_wait(exec);
                const double took = traffic_now() - start;
                if (took < best.seconds) best = (Best){blocks, took};
            }
            long_line_destroy(&line);
        }
        if (gpu)
            memory_append(here, "%snested %d: %d blocks, %.3g us", levels > 1 ? "; " : "", levels - 1,
                          best.blocks, 1e6 * best.seconds);
    }
    if (!gpu) memory_append(here, "the emulator runs it, which has no time");
    bench_packet_destroy(&p);
    exec_destroy(&exec);
    return STATUS_OK;
}

/* Waiting for messages, as a part of a solve of lines that all processes share. */
static Status waiting_part(MPI_Comm comm, int chunk, double *part, double *seconds) {
    enum { ROWS_EACH = 128, LINES = 4096, SOLVES = 30 };
    LineLayout *layout = NULL;
    LineOperator *op = NULL;
    Status status;
    *seconds = HUGE_VAL;
    ATTEMPT(line_layout_create((Exec){.device = DEVICE_CPU}, comm, ROWS_EACH, LINES, false, &layout));
    const LineChoice choice = {.method = LINES_NSHAPED, .chunk_groups = chunk};
    ATTEMPT(bench_line_operator(layout, BENCH_DIFFUSION, &choice, &op));
    double *u = lines_allocate(layout), *x = lines_allocate(layout);
    for (int m = 0; m < SOLVES; m++) {
        MPI_Barrier(comm);
        double now[2] = {traffic_now(), traffic.waited};
        lines_solve(op, u, x);
        now[0] = traffic_now() - now[0], now[1] = traffic.waited - now[1];
        MPI_Allreduce(MPI_IN_PLACE, now, 2, MPI_DOUBLE, MPI_MAX, comm);
        if (now[0] < *seconds) *seconds = now[0], *part = now[1] / now[0];
    }
    memory_free(u);
    memory_free(x);
cleanup:
    line_operator_destroy(&op);
    line_layout_destroy(&layout);
    return status;
}

/* The trace of a solve: when each stage of each chunk began and ended, and what of it was waiting. A stage's message is
 * needed by the stage after it. */
enum { STAGES = 5, MOST_CHUNKS = 512 };
static struct {
    double begin[STAGES][MOST_CHUNKS], end[STAGES][MOST_CHUNKS], waited[STAGES][MOST_CHUNKS];
    int chunks;
} trace;

static void note_stage(int stage, int chunk, double begin, double end, double waited) {
    if (stage >= STAGES || chunk >= MOST_CHUNKS) return;
    trace.begin[stage][chunk] = begin, trace.end[stage][chunk] = end, trace.waited[stage][chunk] = waited;
    trace.chunks = chunk + 1 > trace.chunks ? chunk + 1 : trace.chunks;
}

/* Medians over the chunks: other work between sending and needing, and waiting all the same. */
static Status overlap(const PaperRun *run, char **here) {
    static const char *const names[] = {"JD", "JU", "joints", "supports"};
    double part, seconds, numbers[MOST_CHUNKS];
    trace.chunks = 0;
    line_watch = note_stage;
    const Status status = waiting_part(run->comm, 0, &part, &seconds);
    line_watch = NULL;
    TRY(status);
    *here = memory_format("%s", "");
    for (int s = 0; s + 1 < STAGES; s++) {
        for (int c = 0; c < trace.chunks; c++) numbers[c] = trace.begin[s + 1][c] - trace.end[s][c];
        bench_sort(numbers, trace.chunks);
        const double work = numbers[trace.chunks / 2];
        for (int c = 0; c < trace.chunks; c++) numbers[c] = trace.waited[s + 1][c];
        bench_sort(numbers, trace.chunks);
        memory_append(here, "%s%s %.1f; %.1f", s > 0 ? ", " : "", names[s], 1e6 * work,
                      1e6 * numbers[trace.chunks / 2]);
    }
    return STATUS_OK;
}

static Status masked(const PaperRun *run, char **here) {
    double chunks, all, in_chunks, at_once;
    TRY(waiting_part(run->comm, 0, &chunks, &in_chunks));
    TRY(waiting_part(run->comm, 4096 / LINE_LANES, &all, &at_once));
    *here = memory_format("%.0f %% of %.3g ms; %.0f %% of %.3g ms", 100 * chunks, 1e3 * in_chunks, 100 * all,
                          1e3 * at_once);
    return STATUS_OK;
}

static const PaperRow ROWS[] = {
    {"Figure 2, equation 7",
     "300,000 complex points, a processor for every block, reduced once: blocks with the least time; by the "
     "equation",
     "about the square root of n", NEEDS_CORE, reduced_once, NULL},
    {"Figure 2, equation 8", "the same, nested once", "about n^(2/3)", NEEDS_CORE, nested_once, NULL},
    {"Figure 2, equation 8", "the same, nested twice", "about n^(3/4)", NEEDS_CORE, nested_twice, NULL},
    {"Figure 2, equation 8", "the same, nested three times", "about n^(4/5)", NEEDS_CORE, nested_thrice,
     NULL},
    {"Equation 9", "exponent of the time by n from 1e3 to 3e5, nested 0 to 3 times; the best nesting's time",
     "0.50, 0.33, 0.25, 0.20; by log n", NEEDS_CORE, laws, NULL},
    {"Figure 2", "the same on a GPU, 300,000 points", "good agreement", NEEDS_GPU, on_device, NULL},
    {"Section 5.2",
     "waiting for messages, of a solve of lines that processes share: masked by other lines; by the own "
     "blocks alone",
     "can be completely masked", NEEDS_RANKS, masked, NULL},
    {"Section 5.2", "trace of a solve, us: other work between sending and needing; waiting all the same",
     "JD right after RD", NEEDS_RANKS, overlap, NULL},
    {"Section 5.2.1", "numbers sent a solve", "6 (n_bl + 1)", NEEDS_ANOTHER, NULL, NULL},
    {"Section 5.5", "divisions: in parallel; one after the other", "3 (n - n_bl); 3 n_bl", NEEDS_ANOTHER,
     NULL, NULL},
    {"Section 6.1", "loads found in the first cache; in the second; in memory", "77 %; 8 %; 15 %", NEEDS_GPU,
     NULL, NULL, "a GPU and its counters"},
};

const Paper PAPER_NSHAPED = {
    "nshaped", "N-shaped partitions",
    "Y. Lutsyshyn, F. Navarrete, D. Bauer, \"The N-shaped partition method: A novel parallel\n"
    "implementation of the Crank Nicolson algorithm\".",
    ROWS, sizeof ROWS / sizeof *ROWS};
