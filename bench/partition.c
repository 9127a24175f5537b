/* SPDX-License-Identifier: Apache-2.0
 *
 * maeotis bench lines blocks: how many blocks the N-shaped method should cut a long line into.
 *
 * First as on a machine with a processor for every block (the paper's figure 2): the stages of one block are
 * measured for each length of block, and the reduced system's solution for each number of joints; a line then
 * takes the time of one block and of the reduced system, which is cut again (nested) or not. The paper's
 * equations 7 to 9 say where the least time is: with a ns a row of a block and b ns a joint, nested L times,
 *
 *     n* = (a L n / (a (L - 1) + b))^(L / (L + 1))
 *
 * Then as it is on one core, for many lines: the time against the length of a block.
 *
 * Data on stdout, for docs/lines_blocks.py; text on stderr.
 */
#include "base/log.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "numerics/lines/lines.h"
#include <math.h>
#include <stdio.h>

enum { LONG_LINE = 300000, MOST_LEVELS = 4, TURNS = 7 };

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

/* What a block of so many rows takes: RD, RU, JD, JU, SS. It is the periodic line of one joint. */
static Status block_seconds(double rows, double *seconds) {
    return seconds_of(rows < 2 ? 2 : (int)lround(rows), LINE_LANES, true,
                      &(LineChoice){.method = LINES_THOMAS}, seconds);
}
static Status joints_seconds(double joints, double *seconds) {
    return seconds_of(joints < 2 ? 2 : (int)lround(joints), LINE_LANES, false,
                      &(LineChoice){.method = LINES_THOMAS}, seconds);
}

static double predicted(double alpha, double beta, int levels) {
    return pow(alpha * levels * LONG_LINE / (alpha * (levels - 1) + beta), levels / (levels + 1.0));
}

/* n blocks, whose joints are reduced levels - 1 times more, evenly. */
static Status chain_seconds(double n, int levels, double *seconds) {
    const double step = pow(n, 1.0 / levels);
    double part;
    TRY(block_seconds(LONG_LINE / n, seconds));
    if (levels > 1) {
        TRY(block_seconds(step, &part));
        *seconds += (levels - 1) * part;
    }
    TRY(joints_seconds(step, &part));
    *seconds += part;
    return STATUS_OK;
}

static Status chains(void) {
    double alpha, beta, t;
    TRY(block_seconds(4096, &t));
    alpha = t / 4096;
    TRY(joints_seconds(4096, &t));
    beta = t / 4096;
    log_info("a = %.2f ns a row of a block, b = %.2f ns a joint, a line of %d rows", 1e9 * alpha, 1e9 * beta,
             LONG_LINE);
    printf("# levels blocks seconds\n");
    for (int levels = 1; levels <= MOST_LEVELS; levels++) {
        double least = HUGE_VAL, at = 0;
        for (double n = 8; n <= LONG_LINE / 2; n *= 1.5) {
            TRY(chain_seconds(n, levels, &t));
            printf("chain %d %.0f %.6e\n", levels, n, t);
            if (t < least) least = t, at = n;
        }
        const double best = predicted(alpha, beta, levels);
        TRY(chain_seconds(best, levels, &t));
        printf("optimum %d %.0f %.6e\n", levels, best, t);
        log_info("nested %d: least time %.1f us at %.0f blocks; predicted best %.0f blocks, %.1f us there",
                 levels - 1, 1e6 * least, at, best, 1e6 * t);
    }
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
