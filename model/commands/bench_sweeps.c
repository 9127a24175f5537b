/* SPDX-License-Identifier: Apache-2.0
 *
 * maeotis bench sweeps: the two triangular systems of MATM's B, one after the other, against the least time
 * in which this machine's memory could bring what they read and take what they write:
 *
 *     forward    reads west, south, lower, r; writes y
 *     backward   reads west, south, lower, y; writes v
 *
 * ten numbers a cell, whatever D is, if all else comes from caches. Counted are the cells of the vectors that
 * are swept, with the land and the corners of groups in them; memory's speed is STREAM's triad, measured
 * between the sweeps and counted in the same way (what a write reads first is not).
 */
#include "base/log.h"
#include "base/memory.h"
#include "model/commands/bench.h"
#include "model/commands/bench_systems.h"
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

typedef struct Swept {
    LaneLayout *layout;
    Pipeline *pipeline;
    MatrixFrame *frame;
    Lanes *r, *y, *v, *sums;
} Swept;

static Status swept_create(const BenchSystem *s, LaneDiagonal diagonal, Swept *w) {
    *w = (Swept){.layout = lane_layout_create(s->grid, (Exec){.device = DEVICE_CPU}, s->flat)};
    TRY(pipeline_create(w->layout, true, &w->pipeline));
    w->frame = matrix_create(w->layout, w->pipeline, diagonal, false);
    matrix_setup(w->frame, &s->stencil);
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

static double seconds_of_both(Swept *w, MPI_Comm comm) {
    MPI_Barrier(comm);
    const double start = bench_clock(comm);
    for (int n = 0; n < REPEATS; n++) {
        sweep_forward(w->pipeline, w->layout, &w->frame->a, 1, w->r, w->y, w->sums);
        sweep_backward(w->pipeline, w->layout, &w->frame->a, 1, w->y, w->v);
    }
    MPI_Barrier(comm);
    return (bench_clock(comm) - start) / REPEATS;
}

static Status measure(MPI_Comm comm, const BenchSystem *s, const char *name, LaneDiagonal diagonal) {
    static const char *const names[] = {"points", "pivots", "lines"};
    Swept w;
    int64_t columns, cells;
    double fraction[TURNS], best = INFINITY, stream = 0;
    TRY(swept_create(s, diagonal, &w));
    grid_count(s->grid, &columns, &cells);
    if (s->flat) cells = columns;
    const double bytes = NUMBERS_PER_CELL * sizeof(double) * cells_visited(&w, comm);
    for (int n = 0; n < TURNS; n++) {
        const double before = bench_stream(comm), seconds = seconds_of_both(&w, comm);
        const double speed = fmax(before, bench_stream(comm));
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
    swept_release(&w);
    return STATUS_OK;
}

Status bench_sweeps(MPI_Comm comm) {
    int ranks;
    MPI_Comm_size(comm, &ranks);
    log_info("%d rank%s: a sweep forward and one back", ranks, ranks == 1 ? "" : "s");
    for (size_t c = 0; c < sizeof CASES / sizeof *CASES; c++) {
        const SweptCase *of = &CASES[c];
        Grid *grid = NULL;
        BenchSystem *s = NULL;
        Status status;
        ATTEMPT(bench_box_create(comm, of->nx, of->ny, of->nz, &grid));
        ATTEMPT(
            bench_system_create(grid, of->nz == 1 ? BENCH_POISSON_FLAT : BENCH_POISSON, of->vertical, &s));
        ATTEMPT(measure(comm, s, of->name, LANE_ONES));
        if (of->nz > 1) ATTEMPT(measure(comm, s, of->name, LANE_LINES));
    cleanup:
        bench_system_destroy(&s);
        grid_destroy(&grid);
        TRY(status);
    }
    return STATUS_OK;
}
