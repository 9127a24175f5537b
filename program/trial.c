/* SPDX-License-Identifier: Apache-2.0 */
#include "program/trial.h"

#include "base/memory.h"
#include "model/simulation.h"
#include "numerics/grid/traffic.h"
#include "numerics/lines/lines.h"

enum { SPIN_UP = 3, LINE_ROWS = 256, LINES_SOLVED = 256, LINE_TURNS = 40 };
static const double LONGEST_S = 5; /* of the measured steps */

double *trial_weights(const Grid *g) {
    double *weight = ALLOCATE((size_t)g->nx * (size_t)g->ny, double);
    for (int n = 0; n < g->columns.count; n++) {
        const Run r = g->columns.run[n];
        for (int i = r.i0; i < r.i1; i++)
            weight[(ptrdiff_t)r.j * g->nx + i] = GRID_SURFACE_WORK + g->n3 - g->bottom_c[AT2(*g, i, r.j)];
    }
    return weight;
}

static void find_shape(const Grid *g, Trial *out) {
    int64_t columns, cells;
    grid_count(g, &columns, &cells);
    out->cells = (double)cells, out->columns = (double)columns;
    out->nx = g->nx, out->ny = g->ny, out->nz = g->n3;
    out->periodic_x = g->axes.periodic_x, out->periodic_y = g->axes.periodic_y;
    out->weight = trial_weights(g);
    out->profile.bytes_cell = (double)memory_in_use() / ((double)(g->n1 + 8) * (g->n2 + 7) * g->n3);
}

/* Of what every process has, too. */
static Status find_more_memory(const Simulation *sim, Trial *out) {
    const double has = (double)memory_in_use();
    TracerMemory more;
    TRY(tracers_memory_to_come(sim->tracers, &more));
    out->more_memory = (more.small_steps + more.rings) / has;
    return STATUS_OK;
}

static double total_work(const Trial *t) {
    return t->cells + GRID_SURFACE_WORK * t->columns;
}

/* What one step asked for, on average, and the median of its time. */
static void find_profile(Trial *t, const Traffic *b, int steps, double *whole, double *swept) {
    StepProfile *p = &t->profile;
    const Traffic *now = &traffic;
    const double sweeps = (double)(now->sweeps - b->sweeps), sums = (double)(now->sums - b->sums);
    p->exchanges = (double)(now->exchanges - b->exchanges) / steps;
    p->edge_bytes = (double)(now->exchanged - b->exchanged) / steps;
    p->edge_level_bytes = (double)(now->exchanged_level - b->exchanged_level) / steps;
    p->sweeps = sweeps / steps;
    p->sweeps_in_patches = (double)(now->sweeps_in_patches - b->sweeps_in_patches) / steps;
    p->levels = sweeps > 0 ? (now->swept_levels - b->swept_levels) / sweeps : 1;
    p->sweep_bytes = sweeps > 0 ? (double)(now->swept - b->swept) / sweeps : 0;
    p->sums = sums / steps;
    p->sum_bytes = sums > 0 ? 8.0 * (double)(now->summed - b->summed) / sums : 0;
    const double nodes = p->levels > 1 ? t->cells : t->columns;
    double *rest = ALLOCATE(steps, double);
    for (int n = 0; n < steps; n++) rest[n] = whole[n] - swept[n];
    t->ns[KERNEL_STEP] = 1e9 * percentile(steps, whole, 0.95) / t->cells;
    t->median[KERNEL_STEP] = 1e9 * percentile(steps, whole, 0.5) / t->cells;
    p->seconds_work = percentile(steps, rest, 0.5) / total_work(t);
    if (sweeps > 0) {
        t->ns[KERNEL_SWEEP] = 1e9 * percentile(steps, swept, 0.95) / (p->sweeps * nodes);
        p->seconds_swept = percentile(steps, swept, 0.5) / (p->sweeps * nodes);
        t->median[KERNEL_SWEEP] = 1e9 * p->seconds_swept;
    }
    memory_free(rest);
}

/* A processor's own time, whatever else the machine does; a GPU's with what it waits for. */
static double seconds_of(Exec exec) {
    return exec.device == DEVICE_GPU ? MPI_Wtime() : traffic_clock();
}

Status trial_run(const Scenario *scenario, const char *device, int steps, Trial *out) {
    Simulation *sim = NULL;
    Status status;
    Traffic before;
    double *whole = ALLOCATE(steps, double), *swept = ALLOCATE(steps, double), first;
    int taken = 0;
    *out = (Trial){0};
    ATTEMPT(simulation_create(scenario, MPI_COMM_SELF, device, &sim));
    find_shape(sim->grid, out);
    ATTEMPT(find_more_memory(sim, out));
    out->device = sim->exec.device == DEVICE_GPU   ? KIND_GPU
                  : sim->exec.device == DEVICE_EMU ? KIND_EMU
                                                   : KIND_CPU;
    for (int n = 0; n < SPIN_UP; n++) ATTEMPT(simulation_step(sim));
    before = traffic;
    first = MPI_Wtime();
    for (; taken < steps && (taken < 3 || MPI_Wtime() - first < LONGEST_S); taken++) {
        const double start = seconds_of(sim->exec), sweeping = traffic.sweep_seconds;
        ATTEMPT(simulation_step(sim));
        exec_wait(sim->exec);
        whole[taken] = seconds_of(sim->exec) - start;
        swept[taken] = traffic.sweep_seconds - sweeping;
    }
    find_profile(out, &before, taken, whole, swept);
cleanup:
    simulation_destroy(&sim);
    memory_free(whole);
    memory_free(swept);
    if (status != STATUS_OK) trial_release(out);
    return status;
}

void trial_release(Trial *trial) {
    memory_free(trial->weight);
    *trial = (Trial){0};
}

Status trial_lines(double *ns) {
    LineLayout *layout = NULL;
    LineOperator *op = NULL;
    double *a = ALLOCATE(LINE_ROWS, double), *b = ALLOCATE(LINE_ROWS, double), took[LINE_TURNS];
    Status status;
    for (int j = 0; j < LINE_ROWS; j++) a[j] = -1, b[j] = 3.5;
    const LineRows rows = {.a = a, .b = b, .c = a};
    ATTEMPT(line_layout_create((Exec){.device = DEVICE_CPU}, MPI_COMM_SELF, LINE_ROWS, LINES_SOLVED, true,
                               &layout));
    ATTEMPT(line_operator_create(layout, &rows, &(LineChoice){.method = LINES_AUTO}, &op));
    double *u = lines_allocate(layout), *x = lines_allocate(layout);
    for (ptrdiff_t m = 0; m < layout->size; m++) u[m] = 1 + 1e-6 * (double)m;
    for (int turn = 0; turn < LINE_TURNS; turn++) {
        const double start = traffic_clock();
        lines_solve(op, u, x);
        took[turn] = traffic_clock() - start;
    }
    *ns = 1e9 * percentile(LINE_TURNS, took, 0.95) / (LINE_ROWS * LINES_SOLVED);
    memory_free(u);
    memory_free(x);
cleanup:
    line_operator_destroy(&op);
    line_layout_destroy(&layout);
    memory_free(a);
    memory_free(b);
    return status;
}
