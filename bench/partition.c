/* SPDX-License-Identifier: Apache-2.0
 *
 * maeotis bench lines blocks: how many blocks the N-shaped method should cut a long line into.
 *
 * First as on a machine with a processor for every block (the paper's figure 2), one line of complex numbers (long_line.h): each
 * stage is timed for all blocks of a level, one after the other on one core, and its time shared by them, since they
 * would run side by side; the last rows take their own time. The paper's equations 7 to 9 say where the least time is:
 * nested L - 1 times, n^(L / (L + 1)) blocks.
 *
 * Then as it is on one core, for many lines: the time against the length of a block.
 *
 * Data on stdout, for docs/lines_blocks.py; text on stderr.
 */
#include "base/log.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "numerics/grid/traffic.h"
#include "numerics/lines/lines.h"
#include <math.h>
#include <stdio.h>

enum { LONG_LINE = 300000, MOST_LEVELS = 4, TURNS = 5 };

/* Seconds of one solution of `lines` lines of n rows, the best of some. */
static Status seconds_of(int n, int lines, bool periodic, const LineChoice *choice, double *seconds) {
    LineLayout *layout = NULL;
    LineOperator *op = NULL;
    double *a = ALLOCATE(n, double), *b = ALLOCATE(n, double), *c = ALLOCATE(n, double);
    Status status =
        line_layout_create((Exec){.device = DEVICE_CPU}, MPI_COMM_SELF, n, lines, periodic, &layout);
    for (int j = 0; j < n; j++) a[j] = c[j] = -1, b[j] = 3.5;
    if (!periodic) a[0] = c[n - 1] = 0;
    const LineRows rows = {.a = a, .b = b, .c = c};
    if (status == STATUS_OK) status = line_operator_create(layout, &rows, choice, &op);
    if (status == STATUS_OK) {
        double *u = lines_allocate(layout), *x = lines_allocate(layout);
        const int repeats = 1 + (int)(2e6 / ((double)n * lines));
        for (ptrdiff_t m = 0; m < layout->size; m++) u[m] = 1 + 1e-6 * (double)m;
        *seconds = HUGE_VAL;
        for (int turn = 0; turn < TURNS; turn++) {
            const double start = bench_clock(MPI_COMM_SELF);
            for (int r = 0; r < repeats; r++) lines_solve(op, u, x);
            const double took = (bench_clock(MPI_COMM_SELF) - start) / repeats;
            if (took < *seconds) *seconds = took;
        }
        memory_free(u);
        memory_free(x);
    }
    memory_free(a);
    memory_free(b);
    memory_free(c);
    line_operator_destroy(&op);
    line_layout_destroy(&layout);
    return status;
}

BenchPacket bench_packet_create(Exec exec, int n) {
    BenchPacket p = {
        exec, n, ALLOCATE(n, Complex), ALLOCATE(n, Complex), ALLOCATE(n, Complex), ALLOCATE(n, Complex)};
    for (int i = 0; i < n; i++) {
        p.a[i] = (Complex){1, 0.8};
        p.b[i] = (Complex){0, i > 0 ? -0.4 : 0};
        p.c[i] = (Complex){0, i < n - 1 ? -0.4 : 0};
        p.psi[i] = (Complex){cos(0.01 * i), sin(0.01 * i)};
    }
    return p;
}

void bench_packet_destroy(const BenchPacket *p) {
    memory_free(p->a), memory_free(p->b), memory_free(p->c), memory_free(p->psi);
}

static double since(double *start) {
    const double now = traffic_clock(), took = now - *start;
    *start = now;
    return took;
}

double bench_chain_seconds(const BenchPacket *p, int blocks, int levels) {
    LongLine *line = long_line_create(p->exec, p->n, p->b, p->a, p->c, blocks, levels);
    double least = HUGE_VAL;
    for (int turn = 0; turn < TURNS; turn++) {
        /* a stage of few rows is repeated, to be seen by the clock */
        double chain = 0, start = traffic_clock();
        for (int l = 0; l <= line->levels; l++) {
            const int rows = line->level[l].rows, times = 1 + 100000 / rows,
                      side_by_side = l < line->levels ? line->level[l].blocks : 1;
            since(&start);
            for (int t = 0; t < times; t++) {
                if (l < line->levels)
                    long_line_reduce(line, l, p->psi);
                else
                    long_line_last(line, p->psi);
            }
            chain += since(&start) / times / side_by_side;
        }
        for (int l = line->levels - 1; l >= 0; l--) {
            const int times = 1 + 100000 / line->level[l].rows;
            since(&start);
            for (int t = 0; t < times; t++) long_line_substitute(line, l, p->psi);
            chain += since(&start) / times / line->level[l].blocks;
        }
        least = fmin(least, chain);
    }
    long_line_destroy(&line);
    return least;
}

static Status chains(void) {
    const BenchPacket p = bench_packet_create((Exec){.device = DEVICE_CPU}, LONG_LINE);
    printf("# levels blocks seconds\n");
    for (int levels = 1; levels <= MOST_LEVELS; levels++) {
        double least = HUGE_VAL, at = 0;
        for (double n = 8; n <= LONG_LINE / 2; n *= 1.5) {
            const double t = bench_chain_seconds(&p, (int)n, levels);
            printf("chain %d %.0f %.6e\n", levels, n, t);
            if (t < least) least = t, at = n;
        }
        const double best = pow(LONG_LINE, levels / (levels + 1.0)),
                     t = bench_chain_seconds(&p, (int)best, levels);
        printf("optimum %d %.0f %.6e\n", levels, best, t);
        log_info("nested %d: least time %.2f us at %.0f blocks; predicted best %.0f blocks, %.2f us there",
                 levels - 1, 1e6 * least, at, best, 1e6 * t);
    }
    bench_packet_destroy(&p);
    return STATUS_OK;
}

static Status lengths(void) {
    static const int rows[] = {256, 4096};
    printf("# rows block_rows ns_per_row levels\n");
    for (int m = 0; m < 2; m++)
        for (int levels = 1; levels <= 2; levels++)
            for (int block = 8; block <= rows[m] / 2; block *= 2) {
                const LineChoice choice = {.method = LINES_NSHAPED, .block_rows = block, .levels = levels};
                const int lines = (1 << 17) / rows[m];
                double t;
                TRY(seconds_of(rows[m], lines, false, &choice, &t));
                printf("core %d %d %.4f %d\n", rows[m], block, 1e9 * t / ((double)rows[m] * lines), levels);
            }
    return STATUS_OK;
}

Status bench_line_blocks(MPI_Comm comm) {
    int ranks;
    MPI_Comm_size(comm, &ranks);
    if (ranks > 1) return STATUS_OK; /* it was measured on one */
    TRY(chains());
    return lengths();
}
