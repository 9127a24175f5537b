/* SPDX-License-Identifier: Apache-2.0 */
#include "model/tracers/implicit_transport.h"

#include "base/memory.h"

#define FILM_SWEEPS    200
#define MOST_SOLUTIONS 4
#define FINEST         1e-16 /* tolerance of the later ones, which rounding ends */
#define ROUNDING       4e-16
#define MOST_LEFT_OVER 1e-10 /* of the largest value, where roundings keep the solver from its tolerance */

struct ImplicitTransport {
    const Grid *grid; /* not owned */
    Halo *halo;       /* not owned */
    Matm *matm;
    double tolerance;
    int max_iterations, most_iterations;
    ImplicitCells cells;
};

static double **field_of(ImplicitTransport *t, int n) {
    ImplicitCells *c = &t->cells;
    double **others[] = {&c->per_water, &c->spread, &c->rhs, &c->change, &c->error};
    return n < ROW_FIELDS ? &c->row[n] : n < ROW_FIELDS + 5 ? others[n - ROW_FIELDS] : NULL;
}

Status implicit_transport_create(const Grid *grid, Exec exec, Halo *halo, MatmStep step, double tolerance,
                                 int max_iterations, ImplicitTransport **out) {
    const MatmOptions options = {.diagonal =
                                     MATM_D_LINES, /* not left to the first matrix: restarts meet another */
                                 .step = step,
                                 .precision = MATM_PRECISION_DOUBLE};
    ImplicitTransport *t = *out = ALLOCATE(1, ImplicitTransport);
    *t = (ImplicitTransport){
        .grid = grid, .halo = halo, .tolerance = tolerance, .max_iterations = max_iterations};
    for (int n = 0; field_of(t, n); n++) *field_of(t, n) = field3_create(grid);
    return matm_create(grid, exec, &options, &t->matm);
}

void implicit_transport_destroy(ImplicitTransport **implicit) {
    ImplicitTransport *t = *implicit;
    if (!t) return;
    matm_destroy(&t->matm);
    for (int n = 0; field_of(t, n); n++) field3_destroy(t->grid, field_of(t, n));
    memory_free(t);
    *implicit = NULL;
}

Status implicit_transport_begin(ImplicitTransport *t, Exec exec, const Transport *water) {
    t->cells.transport = *water;
    t->most_iterations = 0;
    implicit_rows(exec, t->grid->blocks_c, t->cells);
    double *const *row = t->cells.row;
    return matm_setup(t->matm, &(Stencil){.g = grid_view(t->grid),
                                          .centre = row[6],
                                          .west = row[0],
                                          .east = row[1],
                                          .south = row[2],
                                          .north = row[3],
                                          .lower = row[4],
                                          .upper = row[5]});
}

/* Sweeps until no film is wrong by more than rounding: `settled`. Returns the largest error of all cells, relative to the largest
 * value. Collective. */
static double settle(ImplicitTransport *t, Exec exec, ImplicitCells cells, bool *settled) {
    double worst[3];
    for (int sweep = 0;; sweep++) {
        worst[0] = worst[1] = worst[2] = 0;
        implicit_error(exec, t->grid->blocks_c, cells);
        implicit_worst(exec, t->grid->cells, cells, worst);
        MPI_Allreduce(MPI_IN_PLACE, worst, 3, MPI_DOUBLE, MPI_MAX, t->grid->comm);
        *settled = !(worst[0] > ROUNDING * worst[2]);
        if (*settled || sweep == FILM_SWEEPS) break;
        implicit_films(exec, t->grid->blocks_c, cells);
        halo_exchange(t->halo, 0, NULL, 1, &cells.change);
    }
    return worst[2] > 0 ? worst[1] / worst[2] : 0;
}

Status implicit_transport_do(ImplicitTransport *t, Exec exec, const Transport *args, int tracer) {
    ImplicitCells cells = t->cells;
    cells.transport = *args;
    cells.tracer = args->tracer[tracer];
    implicit_right(exec, t->grid->blocks_c, cells);
    SolveReport report;
    bool settled = false;
    double left_over = 0;
    for (int solution = 0; solution < MOST_SOLUTIONS && !settled; solution++) {
        const double tolerance = solution == 0 ? t->tolerance : FINEST;
        TRY(matm_solve(t->matm, cells.rhs, cells.change, tolerance, t->max_iterations, &report));
        if (report.iterations > t->most_iterations) t->most_iterations = report.iterations;
        left_over = settle(t, exec, cells, &settled);
    }
    CHECK(left_over < MOST_LEFT_OVER || report.converged, STATUS_FAILED,
          "the implicit transport of tracers did not converge: after %d iterations the error is %.2g of the "
          "largest value; %sshorten time.step_s, or choose another /physics/tracers/scheme",
          report.iterations, left_over,
          report.end == SOLVE_LIMIT ? "raise solver.tracers.max_iterations, " : "");
    implicit_values(exec, t->grid->blocks_c, cells);
    return STATUS_OK;
}

int implicit_transport_iterations(const ImplicitTransport *t) {
    return t->most_iterations;
}
