/* SPDX-License-Identifier: Apache-2.0
 *
 * maeotis bench lines: skew-symmetric transport of momentum in three dimensions by compact differences, the
 * benchmark of section 5.3 of the DistD2-TDS paper. One evaluation is compared with the memory traffic that
 * the paper counts for it on processors: 150 fields, read or written (its table 5).
 */
#include "base/log.h"
#include "base/memory.h"
#include "bench/bench.h"
#include "bench/systems.h"
#include "numerics/lines/momentum_transport.h"
#include <math.h>

enum { PAPERS_FIELDS = 150, TURNS = 7 };

static void set_flow(const Grid *g, double *const velocity[3]) {
    for (int k = 0; k < g->n3; k++)
        for (int j = 0; j < g->n2; j++)
            for (int i = 0; i < g->n1; i++)
                for (int c = 0; c < 3; c++)
                    velocity[c][AT(*g, i, j, k)] =
                        sin(0.1 * (g->i_first + i) + c) * cos(0.1 * (g->j_first + j) + k);
}

/* Best and median seconds of an evaluation. Collective. */
static void measure(MomentumTransport *transport, const Grid *g, double *const velocity[3],
                    double *const tendency[3], double *best, double *median) {
    double seconds[TURNS];
    momentum_transport_add(transport, velocity, tendency);
    for (int turn = 0; turn < TURNS; turn++) {
        MPI_Barrier(g->comm);
        const double start = bench_clock(g->comm);
        momentum_transport_add(transport, velocity, tendency);
        MPI_Barrier(g->comm);
        seconds[turn] = bench_clock(g->comm) - start;
    }
    MPI_Bcast(seconds, TURNS, MPI_DOUBLE, 0, g->comm);
    bench_sort(seconds, TURNS);
    *best = seconds[0];
    *median = seconds[TURNS / 2];
}

static void print(const Grid *g, const char *name, double best, double median, double stream) {
    const double cells = (double)g->nx * g->ny * g->n3, bytes = PAPERS_FIELDS * sizeof(double) * cells;
    log_info("transport, %-18s %4d^3  %6.1f ns a cell  %3.0f %% of STREAM (%.1f GB/s; median %.0f %%), as "
             "%d fields",
             name, g->nx, 1e9 * best / cells, 100 * bytes / best / stream, stream / 1e9,
             100 * bytes / median / stream, PAPERS_FIELDS);
}

Status bench_transport(MPI_Comm comm, int cells) {
    static const struct {
        const char *name;
        double tolerance;
    } kinds[] = {{"exact", 0}, {"tolerance 1e-9", 1e-9}};
    Grid *g = NULL;
    MomentumTransport *transport = NULL;
    double *velocity[3] = {NULL}, *tendency[3] = {NULL};
    Status status = STATUS_OK;
    const double stream = bench_stream(comm);
    ATTEMPT(bench_box_create(comm, cells, cells, cells, &g));
    for (int c = 0; c < 3; c++) {
        velocity[c] = field3_create(g);
        tendency[c] = field3_create(g);
    }
    set_flow(g, velocity);
    for (int kind = 0; kind < 2; kind++) {
        const MomentumTransportOptions options = {{1, 1, 1}, 0.1, {.tolerance = kinds[kind].tolerance}};
        double best, median;
        ATTEMPT(momentum_transport_create(g, &options, &transport));
        measure(transport, g, velocity, tendency, &best, &median);
        print(g, kinds[kind].name, best, median, stream);
        momentum_transport_destroy(&transport);
    }
cleanup:
    momentum_transport_destroy(&transport);
    for (int c = 0; c < 3 && g; c++) {
        field3_destroy(g, &velocity[c]);
        field3_destroy(g, &tendency[c]);
    }
    grid_destroy(&g);
    return status;
}
