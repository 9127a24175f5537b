/* SPDX-License-Identifier: Apache-2.0 */
#include "model/tracers/rings.h"

#include "base/memory.h"
#include "numerics/matm/matm.h"
#include <math.h>

#define TOLERANCE 1e-8  /* of what is left over: sweeps and further solutions do the rest */
#define SMALL     1e-12 /* of the largest value: smaller ones may be less exact */
enum { MOST_ITERATIONS = 200, FIELDS = SIDES + 3 };

struct Rings {
    const Grid *grid; /* not owned */
    Matm *matm;
    RingCells cells;
};

static double **field_of(Rings *r, int n) {
    double **others[] = {&r->cells.centre, &r->cells.rhs, &r->cells.change};
    return n < SIDES ? &r->cells.row[n] : others[n - SIDES];
}

Status rings_create(const Grid *grid, Rings **out) {
    /* the diagonal is not left to the first matrix: restarts meet another */
    const MatmOptions options = {
        .diagonal = MATM_D_LINES, .step = MATM_STEP_BICGSTAB, .precision = MATM_PRECISION_DOUBLE};
    Rings *r = *out = ALLOCATE(1, Rings);
    r->grid = grid;
    for (int n = 0; n < FIELDS; n++) *field_of(r, n) = field3_create(grid);
    return matm_create(grid, grid->exec, &options, &r->matm);
}

void rings_destroy(Rings **rings) {
    Rings *r = *rings;
    if (!r) return;
    matm_destroy(&r->matm);
    for (int n = 0; n < FIELDS; n++) field3_destroy(r->grid, field_of(r, n));
    memory_free(r);
    *rings = NULL;
}

static Status take_rows(Rings *r) {
    const RingCells *c = &r->cells;
    return matm_setup(r->matm, &(Stencil){.g = grid_view(r->grid),
                                          .centre = c->centre,
                                          .west = c->row[WEST],
                                          .east = c->row[EAST],
                                          .south = c->row[SOUTH],
                                          .north = c->row[NORTH],
                                          .lower = c->row[BELOW],
                                          .upper = c->row[ABOVE]});
}

Status rings_memory(const Grid *grid, double *bytes) {
    const int64_t before = memory_in_use();
    Rings *r = NULL;
    Status status;
    ATTEMPT(rings_create(grid, &r));
    field3_fill(grid, r->cells.centre, 1);
    field3_fill(grid, r->cells.row[WEST], 0.1); /* not self-adjoint, as rings are */
    ATTEMPT(take_rows(r));
    *bytes = (double)(memory_in_use() - before);
cleanup:
    rings_destroy(&r);
    return status;
}

Status rings_begin(Rings *r, const Transport *args) {
    r->cells.transport = *args;
    ring_rows(r->grid->exec, r->grid->cells, r->cells);
    return take_rows(r);
}

static Status solve_one(Rings *r, Carried *tracer) {
    const Exec exec = r->grid->exec;
    const RunList all = r->grid->cells;
    RingCells *c = &r->cells;
    double extremes[] = {-INFINITY, -INFINITY};
    SolveReport report;
    c->tracer = *tracer;
    ring_extremes(exec, all, *c, extremes);
    MPI_Allreduce(MPI_IN_PLACE, extremes, 2, MPI_DOUBLE, MPI_MAX, r->grid->comm);
    c->least = -extremes[0], c->most = extremes[1];
    tracer->scale = SMALL * fmax(fabs(c->least), fabs(c->most));
    ring_right(exec, all, *c);
    TRY(matm_solve(r->matm, c->rhs, c->change, TOLERANCE, MOST_ITERATIONS, &report));
    if (report.end != SOLVE_BROKE) ring_values(exec, all, *c);
    return STATUS_OK;
}

Status rings_solve(Rings *r, Transport *args) {
    for (int n = 0; n < args->count; n++) TRY(solve_one(r, &args->tracer[n]));
    return STATUS_OK;
}
