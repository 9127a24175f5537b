/* SPDX-License-Identifier: Apache-2.0
 *
 * maeotis bench bytes: the bytes that each kernel of a step must move, counted on the emulator page by page; the
 * scratch memory that a GPU keeps for each thread of a kernel; and how often the host waits for the GPU.
 */
#include "base/log.h"
#include "bench/bench.h"
#include "gpu/device.h"
#include "gpu/queue.h"
#include "gpu/touched.h"
#include "model/simulation.h"
#include <inttypes.h>
#include <string.h>

enum { ROWS_MOST = 300, STEPS_BEFORE = 3 };

/* All launches of a kernel in a phase. */
typedef struct Row {
    const char *name;
    int launches;
    Touched touched;
    int scratch; /* of a column on a GPU [bytes] */
} Row;

typedef struct Rows {
    Row row[ROWS_MOST];
    int count;
} Rows;

/* Launches know no phase, and a phase says only when it has ended: until then they wait in `pending`. */
static struct {
    const Simulation *sim;
    double seconds[PHASES];
    Rows of[PHASES], pending;
} counted;

static void add(Rows *rows, Row row) {
    int n = 0;
    while (n < rows->count && strcmp(rows->row[n].name, row.name) != 0) n++;
    if (n == ROWS_MOST) return;
    if (n == rows->count) rows->row[rows->count++] = (Row){.name = row.name};
    rows->row[n].launches += row.launches;
    rows->row[n].scratch = row.scratch;
    rows->row[n].touched.read += row.touched.read;
    rows->row[n].touched.written += row.touched.written;
}

/* If phases have ended, all that is pending belongs to the first of them. */
static void assign(void) {
    int ended = 0;
    while (ended < PHASES && counted.sim->seconds[ended] == counted.seconds[ended]) ended++;
    if (ended == PHASES) return;
    for (int n = 0; n < counted.pending.count; n++) add(&counted.of[ended], counted.pending.row[n]);
    counted.pending.count = 0;
    memcpy(counted.seconds, counted.sim->seconds, sizeof counted.seconds);
}

static void before(const Launch *launch) {
    (void)launch;
    assign();
    touched_begin();
}

static void after(const Launch *launch) {
    add(&counted.pending, (Row){launch->name, 1, touched_end(), launch->scratch});
}

static Status count_step(Simulation *sim) {
    memset(&counted, 0, sizeof counted);
    counted.sim = sim;
    memcpy(counted.seconds, sim->seconds, sizeof counted.seconds);
    queue_watch((QueueWatch){before, after});
    const Status status = simulation_step(sim);
    queue_watch((QueueWatch){NULL, NULL});
    assign();
    return status;
}

static void print_phase(const char *phase, const Rows *rows, double cells) {
    Touched all = {0, 0};
    for (int n = 0; n < rows->count; n++) {
        all.read += rows->row[n].touched.read;
        all.written += rows->row[n].touched.written;
    }
    if (rows->count == 0) return;
    log_info("%-32s %20.1f %9.1f %9.1f", phase, (double)(all.read + all.written) / cells,
             (double)all.read / cells, (double)all.written / cells);
    for (int n = 0; n < rows->count; n++) {
        const Row *r = &rows->row[n];
        log_info("  %-30s %7d x  %9.1f %9.1f %9.1f %9d", r->name, r->launches,
                 (double)(r->touched.read + r->touched.written) / cells, (double)r->touched.read / cells,
                 (double)r->touched.written / cells, r->scratch);
    }
}

Status bench_bytes(MPI_Comm comm, const Scenario *scenario, const char *name) {
    Simulation *sim = NULL;
    int64_t columns, cells;
    Status status;
    ATTEMPT(touched_watch());
    ATTEMPT(simulation_create(scenario, comm, "emu", &sim));
    for (int n = 0; n < STEPS_BEFORE; n++) ATTEMPT(simulation_step(sim));
    exec_wait(sim->exec);
    const QueueCounts before_step = queue_counts();
    ATTEMPT(simulation_step(sim));
    exec_wait(sim->exec);
    const QueueCounts after_step = queue_counts();
    sim->wait_for_phases = true;
    ATTEMPT(count_step(sim));
    grid_count(sim->grid, &columns, &cells);
    log_info("%s: %" PRId64 " wet cells, a step's bytes per wet cell", name, cells);
    log_info("%-32s %9s  %9s %9s %9s %9s", "", "launches", "moved", "read", "written", "scratch");
    for (int phase = 0; phase < PHASES; phase++)
        print_phase(bench_phase(phase), &counted.of[phase], (double)cells);
    log_info("%" PRId64 " launches in a step, and the host waits %" PRId64 " times",
             after_step.launches - before_step.launches, after_step.trips - before_step.trips);
cleanup:
    simulation_destroy(&sim);
    return status;
}
