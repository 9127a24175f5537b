/* SPDX-License-Identifier: Apache-2.0 */
#include "model/surface/surface.h"

#include "base/memory.h"
#include <math.h>

enum { MOST_NEWTON = 50, MOST_SWEEPS = 200 };
enum { MOST_ABANDONED = 10 }; /* systems; later ones are solved to the tolerance, as Newton's method asks */

struct Surface {
    const Grid *grid;
    SurfaceOptions options;
    ConjugateGradient *conjugate; /* one of the two */
    Matm *matm;
    Halo *halo;
    double *wet, *wet_before, *centre, *rhs, *keep;
};

static double **fields(Surface *s, int n) {
    double **all[] = {&s->wet, &s->wet_before, &s->centre, &s->rhs, &s->keep};
    return n < 5 ? all[n] : NULL;
}

Status surface_create(const Grid *grid, Exec exec, SurfaceOptions options, Surface **out) {
    Surface *s = ALLOCATE(1, Surface);
    Status status;
    *out = s;
    s->grid = grid;
    s->options = options;
    for (int n = 0; fields(s, n); n++) *fields(s, n) = field2_create(grid);
    /* ghosts and land keep all of their outflow */
    for (ptrdiff_t n = -grid->origin2; n < grid->size2 - grid->origin2; n++) s->keep[n] = 1.0;
    if (options.matm)
        ATTEMPT(matm_create(
            grid, exec, &(MatmOptions){.flat = true, .step = options.step, .precision = options.precision},
            &s->matm));
    else
        ATTEMPT(conjugate_gradient_create(grid, &s->conjugate));
    ATTEMPT(halo_create(grid, 4, &s->halo));
    return STATUS_OK;
cleanup:
    surface_destroy(out);
    return status;
}

void surface_destroy(Surface **surface) {
    Surface *s = *surface;
    if (!s) return;
    for (int n = 0; fields(s, n); n++) field2_destroy(s->grid, fields(s, n));
    conjugate_gradient_destroy(&s->conjugate);
    matm_destroy(&s->matm);
    halo_destroy(&s->halo);
    memory_free(s);
    *surface = NULL;
}

static int64_t count_all(const Grid *g, uint64_t own) {
    int64_t all = (int64_t)own;
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT64_T, MPI_SUM, g->comm);
    return all;
}

/* Columns that were taken for wet and are dry, or the other way; remembers what they are now. */
static int64_t count_changes(Surface *s, Exec exec) {
    uint64_t changes = 0;
    surface_changes(exec, s->grid->columns, (SurfaceChanges){s->grid->row, s->wet, s->wet_before}, &changes);
    return count_all(s->grid, changes);
}

static int64_t count_negative(const Surface *s, Exec exec, const double *depth) {
    uint64_t negative = 0;
    surface_negative(exec, s->grid->columns, (SurfaceNegative){s->grid->row, depth}, &negative);
    return count_all(s->grid, negative);
}

static SurfaceFaces faces_of(const Surface *s, const Faces *f, const double *increment) {
    return (SurfaceFaces){grid_view(s->grid), f->along, increment,     f->conductance,
                          f->flux_predicted,  s->keep,  f->flux_total, f->limit};
}

/* The new depth from the fluxes; fluxes out of columns that lack the water for them are reduced until all
 * have it. */
int surface_settle(Surface *s, Exec exec, double dt, const double *depth, const Faces *u, const Faces *v,
                   const double *source, double *depth_new, double *eta_new) {
    const Grid *g = s->grid;
    const SurfaceColumns columns = {.g = grid_view(g),
                                    .dt = dt,
                                    .depth = depth,
                                    .source = source,
                                    .flux_u = u->flux_total,
                                    .flux_v = v->flux_total,
                                    .depth_new = depth_new,
                                    .eta_new = eta_new,
                                    .keep = s->keep};
    double *fluxes[] = {u->flux_total, v->flux_total, u->limit, v->limit};
    int sweeps = 0;
    for (;; sweeps++) {
        halo_exchange(s->halo, 4, fluxes, 0, NULL);
        surface_new_depth(exec, g->columns, columns);
        if (sweeps == MOST_SWEEPS || count_negative(s, exec, depth_new) == 0) break;
        halo_exchange(s->halo, 1, &s->keep, 0, NULL);
        surface_limit(exec, g->faces_u, faces_of(s, u, NULL));
        surface_limit(exec, g->faces_v, faces_of(s, v, NULL));
    }
    halo_exchange(s->halo, 2, (double *[]){depth_new, eta_new}, 0, NULL);
    return sweeps;
}

typedef struct Newton {
    Surface *surface;
    Exec exec;
    SurfaceColumns columns;
} Newton;

/* Are wet and dry columns those that the system is made for? */
static bool marks_stand(void *context, double residual) {
    Newton *n = context;
    n->columns.residual = residual;
    surface_mark_wet(n->exec, n->surface->grid->columns, n->columns);
    return count_changes(n->surface, n->exec) == 0;
}

static Status solve_linear(Surface *s, Exec exec, const Stencil *system, double *increment,
                           const MatmWatch *watch, SolveReport *report) {
    const SurfaceOptions *o = &s->options;
    if (!s->matm) {
        *report = conjugate_gradient_solve(s->conjugate, exec, system, s->rhs, increment, o->tolerance,
                                           o->max_iterations);
        return STATUS_OK;
    }
    TRY(matm_setup(s->matm, system));
    return matm_solve_watched(s->matm, s->rhs, increment, o->tolerance, o->max_iterations, watch, report);
}

Status surface_solve(Surface *s, Exec exec, double dt, const double *depth, const Faces *u, const Faces *v,
                     const double *source, double *increment, double *depth_new, double *eta_new,
                     SurfaceReport *report) {
    const Grid *g = s->grid;
    *report = (SurfaceReport){.converged = true};
    SurfaceColumns columns = {grid_view(g),
                              dt,
                              depth,
                              source,
                              increment,
                              u->flux_predicted,
                              v->flux_predicted,
                              u->conductance,
                              v->conductance,
                              s->wet,
                              s->centre,
                              s->rhs,
                              depth_new,
                              eta_new,
                              s->keep,
                              0};
    Newton newton = {s, exec, columns};
    const MatmWatch watch = {marks_stand, &newton};
    Stencil system = {
        .g = grid_view(g), .centre = s->centre, .west = u->conductance, .south = v->conductance};
    /* Newton begins with every column wet that has water: then each body of water keeps at least one wet
     * column in every iteration, since the wet ones hold its volume. */
    surface_mark_filled(exec, g->columns, columns);
    (void)count_changes(s, exec);
    for (report->newton = 1; report->newton <= MOST_NEWTON; report->newton++) {
        surface_assemble(exec, g->columns, columns);
        SolveReport solved;
        TRY(solve_linear(s, exec, &system, increment, report->newton <= MOST_ABANDONED ? &watch : NULL,
                         &solved));
        report->iterations += solved.iterations;
        report->residual = solved.residual;
        report->converged = solved.converged;
        if (solved.end == SOLVE_ABANDONED) continue;
        surface_mark_wet(exec, g->columns, columns);
        if (!solved.converged || count_changes(s, exec) == 0) break;
    }
    if (report->newton > MOST_NEWTON) report->converged = false;
    surface_flux(exec, g->faces_u, faces_of(s, u, increment));
    surface_flux(exec, g->faces_v, faces_of(s, v, increment));
    report->limited_sweeps = surface_settle(s, exec, dt, depth, u, v, source, depth_new, eta_new);
    return STATUS_OK;
}
