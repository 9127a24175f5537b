/* SPDX-License-Identifier: Apache-2.0
 *
 * maeotis bench sweeps [--device DEVICE]: the two triangular systems of MATM's B, one after the other,
 * compared with the least time in which this machine's memory could move the data that they read and write:
 *
 *     forward    reads west, south, lower, r; writes y
 *     backward   reads west, south, lower, y; writes v
 *
 * ten numbers a cell, whatever D is, if all else comes from caches. Counted are the cells of the vectors that
 * are swept, with the land and the corners of groups in them; memory's speed is STREAM's triad, measured
 * between the sweeps and counted in the same way (what a write reads first is not). On a GPU beside
 * cuSPARSE's solution of the lower system. The emulator gets small
 * grids, and its times say nothing: it shows that all this runs.
 */
#include "base/log.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "bench/peer_triangular.h"
#include "bench/peers.h"
#include "bench/systems.h"
#include "gpu/device.h"
#include "numerics/matm/lane_exchange.h"
#include "numerics/matm/on_device.h"
#include "numerics/matm/sweep.h"
#include <inttypes.h>
#include <math.h>

enum { TURNS = 7, REPEATS = 3, NUMBERS_PER_CELL = 10 };

typedef struct SweptCase {
    const char *name;
    int nx, ny, nz;
    double vertical; /* couplings against the horizontal ones */
} SweptCase;

/* Larger than caches: five arrays of 17 to 34 MB. */
static const SweptCase CASES[] = {
    {"cube, 128 x 128 x 128", 128, 128, 128, 1},
    {"sea, 512 x 512 x 16", 512, 512, 16, 100},
    {"sea, 320 x 320 x 40", 320, 320, 40, 100},
    {"one layer, 2048 x 2048", 2048, 2048, 1, 1},
};

static const SweptCase SMALL_CASES[] = {
    {"sea, 12 x 20 x 4", 12, 20, 4, 100},
    {"one layer, 12 x 20", 12, 20, 1, 1},
};

typedef struct Swept {
    LaneLayout *layout;
    Pipeline *pipeline;
    MatrixFrame *frame;
    Lanes *r, *y, *v, *sums;
} Swept;

static Status swept_create(const BenchSystem *s, LaneDiagonal diagonal, Swept *w) {
    *w = (Swept){0};
    TRY(lane_layout_create(s->grid, s->grid->exec, s->flat, &w->layout));
    TRY(pipeline_create(w->layout, 0, &w->pipeline));
    w->frame = matrix_create(w->layout, w->pipeline, diagonal, false, 0);
    matrix_load(w->frame, &s->stencil);
    matrix_scale(w->frame);
    w->r = lanes_create(w->layout);
    w->y = lanes_create(w->layout);
    w->v = lanes_create(w->layout);
    w->sums = ALLOCATE((size_t)w->layout->groups * (size_t)w->layout->steps, Lanes);
    lanes_from_field(w->layout, s->field[BENCH_RHS], 1, w->frame->scale, w->r);
    return STATUS_OK;
}

static void swept_release(Swept *w) {
    lanes_destroy(w->layout, &w->r);
    lanes_destroy(w->layout, &w->y);
    lanes_destroy(w->layout, &w->v);
    memory_free(w->sums);
    matrix_destroy(&w->frame);
    pipeline_destroy(&w->pipeline);
    lane_layout_destroy(&w->layout);
}

/* Cells of the vectors that sweeps visit, of all ranks. */
static double cells_visited(const Swept *w, MPI_Comm comm) {
    const LaneLayout *layout = w->layout;
    double cells = 0;
    for (int g = 0; g < layout->groups; g++)
        for (int s = 0; s < layout->steps; s++)
            cells += 8.0 * (layout->levels - layout->lowest[g * layout->steps + s]);
    MPI_Allreduce(MPI_IN_PLACE, &cells, 1, MPI_DOUBLE, MPI_SUM, comm);
    return cells;
}

static double clock_of(const Swept *w, MPI_Comm comm) {
    exec_wait(w->layout->exec);
    MPI_Barrier(comm);
    return w->layout->exec.device == DEVICE_CPU ? bench_clock(comm) : MPI_Wtime();
}

static double seconds_of_both(Swept *w, MPI_Comm comm) {
    const double start = clock_of(w, comm);
    for (int n = 0; n < REPEATS; n++) {
        sweep_forward(w->pipeline, w->layout, &w->frame->a, 1, w->r, w->y, w->sums);
        sweep_backward(w->pipeline, w->layout, &w->frame->a, 1, w->y, w->v);
    }
    return (clock_of(w, comm) - start) / REPEATS;
}

/* ---- a peer's ---- */

/* The lower system of points as the peer wants it, cells numbered along i, then j, then k. */
typedef struct Lower {
    int rows, *first, *column;
    double *value, *rhs, *x;
} Lower;

static Lower lower_create(const Swept *w) {
    const LaneLayout *layout = w->layout;
    const int n1 = layout->n1, n2 = layout->n2, strides[] = {n1 * n2, n1, 1};
    Lanes *const coupling[] = {w->frame->a.lower, w->frame->a.south, w->frame->a.west};
    Lower s = {.rows = n1 * n2 * layout->levels};
    s.first = ALLOCATE(s.rows + 1, int);
    s.column = ALLOCATE(3 * (size_t)s.rows, int);
    double **arrays[] = {&s.value, &s.rhs, &s.x};
    for (int n = 0; n < 3; n++) *arrays[n] = ALLOCATE((n == 0 ? 3 : 1) * (size_t)s.rows, double);
    int entries = 0, row = 0;
    for (int k = 0; k < layout->levels; k++)
        for (int j = 0; j < n2; j++)
            for (int i = 0; i < n1; i++, row++) {
                s.first[row] = entries;
                s.rhs[row] = lane_cell(layout, w->r, i, j)[8 * k];
                for (int d = 0; d < 3; d++) {
                    const double c = lane_cell(layout, coupling[d], i, j)[8 * k];
                    if ((d == 0 ? k : d == 1 ? j : i) == 0 || c == 0) continue;
                    s.column[entries] = row - strides[d];
                    s.value[entries++] = -c;
                }
            }
    s.first[row] = entries;
    return s;
}

/* Largest difference to what our sweep leaves in y. */
static double off_by(const Swept *w, const Lower *s) {
    const LaneLayout *layout = w->layout;
    double most = 0;
    int row = 0;
    for (int k = 0; k < layout->levels; k++)
        for (int j = 0; j < layout->n2; j++)
            for (int i = 0; i < layout->n1; i++, row++)
                most = fmax(most, fabs(lane_cell(layout, w->y, i, j)[8 * k] - s->x[row]));
    return most;
}

static void measure_peer(const Swept *w, const char *name, double stream) {
    PeerTriangular *solve = NULL;
    peer_find(peer_open("cusparse_sweeps"), "peer_triangular", &solve);
    if (!solve) {
        log_info("  %-24s cuSPARSE  not in this build", name);
        return;
    }
    exec_wait(w->layout->exec);
    Lower s = lower_create(w);
    const double seconds = solve(s.rows, s.first, s.column, s.value, s.rhs, s.x);
    const double bytes = 0.5 * NUMBERS_PER_CELL * sizeof(double) * s.rows;
    if (seconds > 0)
        log_info("  %-24s cuSPARSE forward %6.2f ns per cell, %.2f of STREAM's speed; off by %.1e", name,
                 1e9 * seconds / s.rows, bytes / stream / seconds, off_by(w, &s));
    else
        log_info("  %-24s cuSPARSE could not", name);
    memory_free(s.first), memory_free(s.column), memory_free(s.value), memory_free(s.rhs), memory_free(s.x);
}

/* ---- ours ---- */

static Status measure(MPI_Comm comm, const BenchSystem *s, const char *name, LaneDiagonal diagonal) {
    static const char *const names[] = {"points", "pivots", "lines"};
    const Exec exec = s->grid->exec;
    Swept w;
    int64_t columns, cells;
    double fraction[TURNS], best = INFINITY, stream = 0;
    TRY(swept_create(s, diagonal, &w));
    grid_count(s->grid, &columns, &cells);
    if (s->flat) cells = columns;
    const double bytes = NUMBERS_PER_CELL * sizeof(double) * cells_visited(&w, comm);
    for (int n = 0; n < TURNS; n++) {
        const double before = bench_stream_of_device(comm, exec), seconds = seconds_of_both(&w, comm);
        const double speed = fmax(before, bench_stream_of_device(comm, exec));
        fraction[n] = bytes / speed / seconds;
        best = fmin(best, seconds);
        stream = fmax(stream, speed);
    }
    bench_sort(fraction, TURNS);
    log_info(
        "  %-24s %-7s %6.2f ns per cell  %5.1f B per cell at least  of STREAM's speed: median %.2f, best "
        "%.2f  (%.1f GB/s)",
        name, names[diagonal], 1e9 * best / (double)cells, bytes / (double)cells, fraction[TURNS / 2],
        fraction[TURNS - 1], stream / 1e9);
    if (exec.device != DEVICE_CPU && diagonal == LANE_ONES) measure_peer(&w, name, stream);
    swept_release(&w);
    return STATUS_OK;
}

static Status measure_case(MPI_Comm comm, Exec exec, const SweptCase *of) {
    Grid *grid = NULL;
    BenchSystem *s = NULL;
    Status status;
    ATTEMPT(bench_box_create(comm, of->nx, of->ny, of->nz, &grid));
    grid->exec = exec;
    ATTEMPT(bench_system_create(grid, of->nz == 1 ? BENCH_POISSON_FLAT : BENCH_POISSON, of->vertical, &s));
    exec_settle(exec);
    ATTEMPT(measure(comm, s, of->name, LANE_ONES));
    if (of->nz > 1) ATTEMPT(measure(comm, s, of->name, LANE_LINES));
cleanup:
    bench_system_destroy(&s);
    grid_destroy(&grid);
    return status;
}

Status bench_sweep_in_tiles(Exec exec, const int cells[3], const SweepTiles *tiles, int count,
                            double *seconds) {
    Grid *grid = NULL;
    BenchSystem *s = NULL;
    Swept w = {0};
    SweepState state = {0};
    Status status;
    ATTEMPT(bench_box_create(MPI_COMM_SELF, cells[0], cells[1], cells[2], &grid));
    grid->exec = exec;
    ATTEMPT(bench_system_create(grid, BENCH_POISSON, 1, &s));
    ATTEMPT(swept_create(s, LANE_ONES, &w));
    state = sweep_state_create(w.layout);
    exec_settle(exec);
    for (int t = 0; t < count; t++) {
        const DeviceSweep sweep = {w.layout, &state, SWEEP_FORWARD, &w.frame->a, 1,
                                   w.r,      w.y,    w.sums,        false,       tiles[t]};
        seconds[t] = INFINITY;
        for (int n = 0; n < (exec.device == DEVICE_GPU ? TURNS : 1); n++) {
            const double start = clock_of(&w, MPI_COMM_SELF);
            device_sweep(&sweep, 0, w.layout->groups, 0, w.layout->steps + 8 * w.layout->groups);
            seconds[t] = fmin(seconds[t], clock_of(&w, MPI_COMM_SELF) - start);
        }
    }
cleanup:
    if (w.layout) swept_release(&w);
    sweep_state_release(&state);
    bench_system_destroy(&s);
    grid_destroy(&grid);
    return status;
}

Status bench_sweeps(MPI_Comm comm, const char *device) {
    int ranks, rank;
    Exec exec;
    Status status = STATUS_OK;
    MPI_Comm_size(comm, &ranks);
    MPI_Comm_rank(comm, &rank);
    TRY(status_agree(comm, exec_create(device, rank, 1, &exec)));
    const bool emulated = exec.device == DEVICE_EMU;
    const SweptCase *cases = emulated ? SMALL_CASES : CASES;
    const size_t count = emulated ? sizeof SMALL_CASES / sizeof *SMALL_CASES : sizeof CASES / sizeof *CASES;
    log_info("%d process%s, %s: a sweep forward and one back", ranks, ranks == 1 ? "" : "es", device);
    for (size_t c = 0; c < count && status == STATUS_OK; c++) status = measure_case(comm, exec, &cases[c]);
    exec_destroy(&exec);
    return status;
}
