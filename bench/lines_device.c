/* SPDX-License-Identifier: Apache-2.0
 *
 * maeotis bench lines --device gpu: solvers of lines and reorders compared with the speed of a copy on the
 * same GPU, measured in the same call, and with the peak speed of its memory. `bytes a row` is the least that
 * must be moved: everything read and written once; own coefficients are three tables more.
 */
#include "base/log.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "bench/peer_lines.h"
#include "bench/peers.h"
#include "gpu/card.h"
#include "gpu/device.h"
#include "numerics/lines/device_blocks.h"
#include <math.h>

enum { TURNS = 7, ROWS = 256, PIECE = 4096 };

typedef struct Work {
    const LineLayout *layout;
    LineOperator *op;
    double *u, *x;
} Work;

typedef void Do(const Work *work);

static void copy(const Work *w) {
    lines_copy(w->layout->exec, (LinesCopy){.from = w->u,
                                            .to = w->x,
                                            .from_piece = PIECE,
                                            .to_piece = PIECE,
                                            .count = PIECE,
                                            .pieces = (int)(w->layout->size / PIECE)});
}

static void driver_copy(const Work *w) {
    const size_t bytes = (size_t)(w->layout->size / PIECE * PIECE) * sizeof(double);
    if (device_copy(w->layout->exec, w->x, w->u, bytes) != STATUS_OK) error_print(stderr);
}

static void solve(const Work *w) {
    lines_solve(w->op, w->u, w->x);
}

static void from_field(const Work *w) {
    lines_from_field(w->layout, w->u, w->x);
}

static void to_field(const Work *w) {
    lines_to_field(w->layout, w->u, w->x);
}

static void add_to_field(const Work *w) {
    lines_add_to_field(w->layout, w->u, 1e-3, w->x);
}

/* The best of some turns, after one that is not counted. */
static double seconds_of(MPI_Comm comm, Do *what, const Work *work) {
    double best = HUGE_VAL;
    for (int turn = -1; turn < TURNS; turn++) {
        exec_wait(work->layout->exec);
        MPI_Barrier(comm);
        const double start = MPI_Wtime();
        what(work);
        exec_wait(work->layout->exec);
        MPI_Barrier(comm);
        const double seconds = MPI_Wtime() - start;
        if (turn >= 0 && seconds < best) best = seconds;
    }
    return best;
}

typedef struct Scale {
    bool gpu;          /* else nothing is said about times: the emulator has none */
    double copy, peak; /* [bytes s-1]; peak 0: not known */
} Scale;

static void print_row(const char *name, double seconds, double rows, double bytes, Scale scale) {
    const double speed = rows * bytes / seconds;
    if (!scale.gpu) {
        log_info("| %-34s | %3.0f | - | - | - | - |", name, bytes);
        return;
    }
    char of_peak[16] = "-";
    if (scale.peak > 0) snprintf(of_peak, sizeof of_peak, "%.2f", speed / scale.peak);
    log_info("| %-34s | %3.0f | %8.4f | %8.1f | %5.2f | %5s |", name, bytes, 1e9 * seconds / rows,
             speed / 1e9, speed / scale.copy, of_peak);
}

typedef struct Entry {
    const char *name;
    bool cut;
    LineMethod method;
    BenchRows rows;
    double bytes;
} Entry;

static const Entry ENTRIES[] = {
    {"Thomas", false, LINES_THOMAS, BENCH_DIFFUSION, 16},
    {"Thomas, compact derivative", false, LINES_THOMAS, BENCH_COMPACT, 16},
    {"Thomas, own coefficients", false, LINES_THOMAS, BENCH_OWN_DIFFUSION, 40},
    {"N-shaped, whole lines", false, LINES_NSHAPED, BENCH_DIFFUSION, 16},
    {"N-shaped, compact derivative", false, LINES_NSHAPED, BENCH_COMPACT, 16},
    {"N-shaped, cut lines", true, LINES_NSHAPED, BENCH_DIFFUSION, 16},
    {"DistD2, as its paper counts", true, LINES_DISTD2, BENCH_DIFFUSION, 32},
    {"DistD2, compact derivative", true, LINES_DISTD2, BENCH_COMPACT, 32},
};

static Status measure_solvers(MPI_Comm comm, Exec exec, int lines, double peak, Scale *scale) {
    LineLayout *layout[2] = {NULL};
    int rank, ranks;
    Status status;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    ATTEMPT(line_layout_create(exec, MPI_COMM_SELF, ROWS, lines / ranks / 32 * 32, false, &layout[0]));
    ATTEMPT(line_layout_create(exec, comm, (rank + 1) * ROWS / ranks - rank * ROWS / ranks, lines, false,
                               &layout[1]));
    const ptrdiff_t size = layout[0]->size > layout[1]->size ? layout[0]->size : layout[1]->size;
    Work work = {.layout = layout[0], .u = ALLOCATE(size, double), .x = ALLOCATE(size, double)};
    for (ptrdiff_t m = 0; m < size; m++) work.u[m] = 1 + 1e-3 * (double)(m % 1000);
    exec_settle(exec);
    const double copied = 16.0 * (double)(layout[0]->size / PIECE * PIECE);
    const double by_kernel = seconds_of(comm, copy, &work), by_driver = seconds_of(comm, driver_copy, &work);
    *scale = (Scale){exec.device == DEVICE_GPU, copied / fmin(by_kernel, by_driver), peak};
    if (scale->gpu)
        log_info("a copy: %.1f GB/s by a kernel, %.1f by the driver%s; the faster one counts",
                 copied / by_kernel / 1e9, copied / by_driver / 1e9, ranks > 1 ? ", of each process" : "");
    if (scale->gpu && peak > 0)
        log_info("the memory's peak: %.1f GB/s; a copy takes %.2f of it", peak / 1e9, scale->copy / peak);
    log_info("| what | bytes a row | ns a row | GB/s | of a copy | of the peak |");
    log_info("| --- | --- | --- | --- | --- | --- |");
    for (int e = 0; e < (int)(sizeof ENTRIES / sizeof *ENTRIES) && status == STATUS_OK; e++) {
        const LineChoice choice = {.method = ENTRIES[e].method, .tolerance = 1e-12};
        work.layout = layout[ENTRIES[e].cut];
        status = bench_line_operator(work.layout, ENTRIES[e].rows, &choice, &work.op);
        if (status == STATUS_OK)
            print_row(ENTRIES[e].name, seconds_of(comm, solve, &work), (double)work.layout->size,
                      ENTRIES[e].bytes, *scale);
        line_operator_destroy(&work.op);
    }
    memory_free(work.u);
    memory_free(work.x);
cleanup:
    line_layout_destroy(&layout[0]);
    line_layout_destroy(&layout[1]);
    return status;
}

static Status measure_reorders(MPI_Comm comm, Exec exec, int cells, Scale scale) {
    static const char *const axes[] = {"x", "y", "z"}, *const what[] = {"field to lines", "lines to field",
                                                                        "lines added to field"};
    static Do *const how[] = {from_field, to_field, add_to_field};
    Grid *grid = NULL;
    TRY(bench_box_create(comm, cells, cells, 32, &grid));
    grid->exec = exec;
    double *field = field3_create(grid);
    Status status = STATUS_OK;
    for (LineAxis axis = LINES_X; axis <= LINES_Z && status == STATUS_OK; axis++) {
        LineLayout *layout = NULL;
        status = line_layout_of_grid(grid, axis, &layout);
        if (status != STATUS_OK) break;
        double *lines = lines_allocate(layout);
        exec_settle(exec);
        for (int w = 0; w < 3; w++) {
            const Work work = {.layout = layout, .u = w == 0 ? field : lines, .x = w == 0 ? lines : field};
            char *name = memory_format("%s along %s", what[w], axes[axis]);
            print_row(name, seconds_of(comm, how[w], &work), (double)layout->size, w == 2 ? 24 : 16, scale);
            memory_free(name);
        }
        exec_wait(exec);
        memory_free(lines);
        line_layout_destroy(&layout);
    }
    field3_destroy(grid, &field);
    grid_destroy(&grid);
    return status;
}

/* Where the build has cuSPARSE and a GPU is there. What it finds is checked. */
static void measure_peers(int lines, Scale scale) {
    PeerLinesName *name = NULL;
    PeerLinesBatch *batch = NULL;
    void *plug_in = peer_open("cusparse");
    peer_find(plug_in, "peer_batch_name", &name);
    peer_find(plug_in, "peer_batch", &batch);
    if (!name || !batch) {
        log_info("cuSPARSE is not in this build (it is part of the CUDA toolkit)");
        return;
    }
    double a[ROWS], b[ROWS], c[ROWS], d[ROWS], x[ROWS];
    for (int j = 0; j < ROWS; j++) {
        a[j] = j > 0 ? -1 : 0, b[j] = 3.5, c[j] = j < ROWS - 1 ? -1 : 0;
        d[j] = 1 + 1e-3 * (double)(j % 1000);
    }
    for (int solver = 0; name(solver); solver++) {
        double worst = 0;
        const double seconds = batch(solver, ROWS, lines, a, b, c, d, x);
        for (int j = 0; j < ROWS && seconds > 0; j++)
            worst = fmax(worst, fabs(b[j] * x[j] + (j > 0 ? a[j] * x[j - 1] : 0) +
                                     (j < ROWS - 1 ? c[j] * x[j + 1] : 0) - d[j]));
        if (seconds > 0 && worst < 1e-12)
            print_row(name(solver), seconds, (double)ROWS * lines, 40, scale);
        else if (seconds > 0)
            log_info("%s: wrong by %.1e", name(solver), worst);
        else
            log_info("%s: could not be measured", name(solver));
    }
}

Status bench_line_speed_on(const char *device, int rows, bool periodic, LineMethod method,
                           BenchLineSpeed *out) {
    Exec exec;
    LineLayout *layout = NULL;
    Work work = {0};
    Status status;
    TRY(exec_create(device, 0, 1, &exec));
    const int lines = exec.device == DEVICE_GPU ? (1 << 27) / rows : LINE_LANES_GPU;
    ATTEMPT(line_layout_create(exec, MPI_COMM_SELF, rows, lines, periodic, &layout));
    ATTEMPT(bench_line_operator(layout, BENCH_COMPACT, &(LineChoice){.method = method}, &work.op));
    work.layout = layout, work.u = ALLOCATE(layout->size, double), work.x = ALLOCATE(layout->size, double);
    for (ptrdiff_t m = 0; m < layout->size; m++) work.u[m] = 1 + 1e-3 * (double)(m % 1000);
    exec_settle(exec);
    const double moved =
        fmin(seconds_of(MPI_COMM_SELF, copy, &work), seconds_of(MPI_COMM_SELF, driver_copy, &work));
    const double seconds = seconds_of(MPI_COMM_SELF, solve, &work);
    const bool gpu = exec.device == DEVICE_GPU; /* the emulator has no times */
    *out = (BenchLineSpeed){gpu ? 1e9 * seconds / (double)layout->size : 0,
                            moved * (method == LINES_DISTD2 ? 2 : 1) / seconds};
cleanup:
    memory_free(work.u);
    memory_free(work.x);
    line_operator_destroy(&work.op);
    line_layout_destroy(&layout);
    exec_destroy(&exec);
    return status;
}

Status bench_lines_on(MPI_Comm comm, const char *device, double peak) {
    Exec exec;
    Scale scale;
    TRY(exec_create(device, 0, 1, &exec));
    const bool gpu = exec.device == DEVICE_GPU;
    const Card card = card_of(exec);
    const int lines = gpu ? 1 << 19 : 1 << 8; /* 1 GiB an array on a GPU */
    log_info("%s; %d lines of %d rows, %d lanes", card.name, lines, ROWS, LINE_LANES_GPU);
    Status status = measure_solvers(comm, exec, lines, peak > 0 ? peak : card.peak, &scale);
    if (status == STATUS_OK) status = measure_reorders(comm, exec, gpu ? 2048 : 64, scale);
    if (status == STATUS_OK && gpu) measure_peers(lines, scale);
    exec_destroy(&exec);
    return status;
}
