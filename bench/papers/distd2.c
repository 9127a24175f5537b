/* SPDX-License-Identifier: Apache-2.0
 *
 * The rows of the paper on DistD2 (docs/papers.md).
 */
#include "base/memory.h"
#include "bench/bench.h"
#include "bench/papers/machines.h"
#include "bench/papers/papers.h"
#include "bench/transport.h"
#include "gpu/device.h"
#include "numerics/lines/compact_operator.h"
#include <math.h>
#include <string.h>

/* Largest error of the compact first derivative of sin x on a closed line of n points, cut between all ranks. */
static Status error_of(MPI_Comm comm, int n, LineMethod method, double *error) {
    LineLayout *layout = NULL;
    LineOperator *op = NULL;
    int rank, ranks;
    double *u = NULL, *x = NULL, mine = 0;
    Status status;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    ATTEMPT(line_layout_create((Exec){.device = DEVICE_CPU}, comm, (rank + 1) * n / ranks - rank * n / ranks,
                               LINE_LANES, true, &layout));
    const double step = 2 * acos(-1) / n;
    const CompactScheme scheme = {.kind = COMPACT_FIRST, .spacing = step};
    ATTEMPT(compact_operator_create(layout, &scheme, NULL, &(LineChoice){.method = method}, &op));
    u = lines_allocate(layout);
    x = lines_allocate(layout);
    for (ptrdiff_t m = 0; m < layout->size; m++)
        u[m] = sin(step * (double)(layout->first + m / layout->lanes));
    lines_solve(op, u, x);
    for (ptrdiff_t m = 0; m < layout->size; m++)
        mine = fmax(mine, fabs(x[m] - cos(step * (double)(layout->first + m / layout->lanes))));
    MPI_Allreduce(&mine, error, 1, MPI_DOUBLE, MPI_MAX, comm);
cleanup:
    memory_free(u);
    memory_free(x);
    line_operator_destroy(&op);
    line_layout_destroy(&layout);
    return status;
}

static Status order(const PaperRun *run, char **here) {
    enum { SIZES = 4 };
    double cut[SIZES], whole[SIZES];
    for (int s = 0; s < SIZES; s++) {
        TRY(error_of(run->comm, 32 << s, LINES_DISTD2, &cut[s]));
        TRY(error_of(MPI_COMM_SELF, 32 << s, LINES_THOMAS, &whole[s]));
    }
    *here = memory_format("orders %.2f, %.2f, %.2f; errors %.2e to %.2e, of Thomas %.2e to %.2e",
                          log2(cut[0] / cut[1]), log2(cut[1] / cut[2]), log2(cut[2] / cut[3]), cut[0], cut[3],
                          whole[0], whole[3]);
    return STATUS_OK;
}

enum { POINTS = 1 << 23 }; /* 64 MiB an array */

static Status speed_of(const PaperRun *run, int rows, bool periodic, LineMethod method, BenchLineSpeed *out) {
    if (strcmp(run->device, "cpu") != 0) return bench_line_speed_on(run->device, rows, periodic, method, out);
    return bench_line_speed(run->comm, rows, POINTS / rows, periodic, method, out);
}

static Status utilisation(const PaperRun *run, char **here) {
    BenchLineSpeed of[3];
    for (int n = 0; n < 3; n++) TRY(speed_of(run, 512, n == 2, n == 0 ? LINES_DISTD2 : LINES_THOMAS, &of[n]));
    if (of[0].ns > 0)
        *here = memory_format("%.0f %%; %.0f %%; %.0f %%", 100 * of[0].of_memory, 100 * of[1].of_memory,
                              100 * of[2].of_memory);
    return STATUS_OK;
}

/* "DistD2 1.54, 1.29 (78 to 83 % of the memory's speed); ..." */
static Status lengths(const PaperRun *run, char **here) {
    static const char *const names[] = {"DistD2", "; Thomas", "; periodic Thomas"};
    char *text = memory_copy_text("");
    BenchLineSpeed speed = {0, 0};
    for (int m = 0; m < 3; m++) {
        double least = INFINITY, most = 0;
        memory_append(&text, "%s", names[m]);
        for (int rows = 32; rows <= 8192; rows *= 4) {
            TRY(speed_of(run, rows, m == 2, m == 0 ? LINES_DISTD2 : LINES_THOMAS, &speed));
            memory_append(&text, "%s %.*f", rows == 32 ? "" : ",", speed.ns < 0.1 ? 4 : 2, speed.ns);
            least = fmin(least, speed.of_memory), most = fmax(most, speed.of_memory);
        }
        memory_append(&text, " (%.0f to %.0f %% of the memory's speed)", 100 * least, 100 * most);
    }
    if (speed.ns > 0)
        *here = text;
    else
        memory_free(text);
    return STATUS_OK;
}

/* Of the same lines on one process and on all. */
static Status scaling(const PaperRun *run, char **here) {
    BenchLineSpeed one, all;
    int ranks;
    MPI_Comm_size(run->comm, &ranks);
    TRY(bench_line_speed(MPI_COMM_SELF, 512, POINTS / 512, false, LINES_DISTD2, &one));
    TRY(bench_line_speed(run->comm, 512, POINTS / 512, false, LINES_DISTD2, &all));
    *here = memory_format("%.0f %% from 1 to %d cores, %.2f and %.2f ns a row of each", 100 * one.ns / all.ns,
                          ranks, one.ns, all.ns);
    return STATUS_OK;
}

/* ---- the transport equation in three dimensions ---- */

static Status order_of_transport(const PaperRun *run, char **here) {
    double error[2];
    int ranks, parts[3];
    MPI_Comm_size(run->comm, &ranks);
    transport_parts(ranks, parts);
    for (int n = 0; n < 2; n++) {
        TransportBox *box;
        TRY(transport_create((Exec){.device = DEVICE_CPU}, run->comm, 16 << n, parts, 1e-12, false, &box));
        error[n] = transport_error(box, 0.5,
                                   n == 0 ? 5 : 14); /* so short that time adds no error of another order */
        transport_destroy(&box);
    }
    *here = memory_format("%.2e, %.2e, order %.2f, parts %d x %d x %d", error[0], error[1],
                          log2(error[0] / error[1]), parts[0], parts[1], parts[2]);
    return STATUS_OK;
}

static Status moved(const PaperRun *run, char **here) {
    (void)run;
    *here = memory_format("%d read, %d written, on either", TRANSPORT_READS, TRANSPORT_WRITES);
    return STATUS_OK;
}

static Status reordered(const PaperRun *run, char **here) {
    (void)run;
    *here = memory_format("%d of %d, %d %%", TRANSPORT_MOVES, TRANSPORT_READS + TRANSPORT_WRITES,
                          100 * TRANSPORT_MOVES / (TRANSPORT_READS + TRANSPORT_WRITES));
    return STATUS_OK;
}

static Status speed_of_transport(const PaperRun *run, char **here) {
    TransportBox *box;
    Exec exec;
    int ranks, parts[3];
    MPI_Comm_size(run->comm, &ranks);
    transport_parts(ranks, parts);
    TRY(exec_create(run->device, 0, 1, &exec));
    const int points = exec.device == DEVICE_CPU ? 160 : exec.device == DEVICE_GPU ? 512 : 16;
    Status status;
    ATTEMPT(transport_create(exec, run->comm, points, parts, 1e-12, false, &box));
    const double each = transport_seconds(box, exec.device == DEVICE_EMU ? 1 : 5).all / pow(points, 3);
    transport_destroy(&box);
    if (exec.device != DEVICE_EMU)
        *here = memory_format("%.2f ns a point, %.0f %% of STREAM's triad", 1e9 * each,
                              100 * sizeof(double) * (TRANSPORT_READS + TRANSPORT_WRITES) / each /
                                  bench_stream_of_device(run->comm, exec));
cleanup:
    exec_destroy(&exec);
    return status;
}

static const PaperRow ROWS[] = {
    {"Figure 10", "error of the compact first derivative, 32 to 256 points, on two processes",
     "order 6, identical to Thomas", NEEDS_RANKS, order, NULL},
    {"Table 3", "least numbers moved a row: decoupling; substitution; Thomas", "2; 2 (in place); 2",
     NEEDS_ANOTHER, NULL, "numerics/lines/README.md"},
    {"Table 4", "of the memory's speed, 512 rows: DistD2; Thomas; periodic Thomas",
     "70.1 %; 73.1 %; 72.1 % (EPYC 7742, of its peak)", NEEDS_CORE, utilisation, NULL},
    {"Table 4", "the same on a GPU", "61.4 %; 66.6 %; 65.7 % (GH200); 73.3 %; 77.4 %; 77.9 % (A100)",
     NEEDS_GPU, utilisation, NULL},
    {"Figure 12", "ns a row, lines of 32, 128, 512, 2048, 8192 rows, one core",
     "nearly constant; with 512 rows, by table 4, 0.28; 0.16; 0.16 (EPYC 7742, 64 cores)", NEEDS_CORE,
     lengths, NULL},
    {"Figure 11", "the same on a GPU",
     "nearly constant; with 512 rows, by table 4, 0.042; 0.027; 0.040 (A100), 0.019; 0.012; 0.018 (GH200)",
     NEEDS_GPU, lengths, NULL},
    {"Figure 13", "strong scaling, lines of 512 rows cut between cores that share a memory",
     "82.7 % (2 to 128 CPUs), 95.8 % (1024 to 8192), 79.9 % (GPUs, 12 to 384)", NEEDS_RANKS, scaling, NULL},
    {"Figure 13",
     "a forecast: ARCHER2, 2 to 128 and 1024 to 8192 CPUs; MareNostrum 5, 12 to 384 GPUs; where 2048 x 2048 "
     "lines are cut, which the paper does not say",
     "82.7 %; 95.8 %; 79.9 %", NEEDS_CORE, paper_strong_scaling, NULL},
    {"Section 5.3", "L2 error of the 3-D transport equation, 16^3 and 32^3 points", "sixth order",
     NEEDS_RANKS, order_of_transport, NULL},
    {"Table 5", "numbers moved a point of that equation", "150 (CPU), 171 (GPU)", NEEDS_CORE, moved, NULL},
    {"Table 5", "of it for reordering", "18 + 18, 24 % (CPU); 12 + 18, 18 % (GPU)", NEEDS_CORE, reordered,
     NULL},
    {"Table 6", "the equation, 160^3 points on a core: of the memory's speed",
     "66.2 % of its peak (4096^3 points, 64 EPYC 7742: 9.057 s)", NEEDS_CORE, speed_of_transport, NULL},
    {"Table 6", "the same on a GPU, 512^3 points", "68.0 % (128 H100: 0.662 s)", NEEDS_GPU,
     speed_of_transport, NULL},
    {"Table 6", "a forecast, 4096^3 points on 32, 64 nodes, scaling: ARCHER2; MareNostrum 5",
     "9.057, 4.568 s, 99.1 %; 0.662, 0.337 s, 98.3 %", NEEDS_CORE, paper_cube, NULL},
    {"Table 6", "from 32 to 64 nodes", "99.1 % (CPU), 98.3 % (GPU)", NEEDS_ANOTHER, NULL, NULL, "64 nodes"},
};

const Paper PAPER_DISTD2 = {"distd2", "DistD2: distributed tridiagonal lines",
                            "S. Akkurt, S. Lemaire, P. Bartholomew, S. Laizet, \"A distributed-memory "
                            "tridiagonal solver based on a specialised data\n"
                            "structure optimised for CPU and GPU architectures\".",
                            ROWS, sizeof ROWS / sizeof *ROWS};
