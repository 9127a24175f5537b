/* SPDX-License-Identifier: Apache-2.0 */
#include "model/surface/surface_internal.h"

#include "base/memory.h"
#include "gpu/results.h"
#include "model/subgrid/subgrid.h"

enum { MOST_NEWTON = 50 };
enum { MOST_ABANDONED = 10 }; /* systems; later ones are solved to the tolerance, as Newton's method asks */

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
    field2_fill(grid, s->rhs, 0);
    /* ghosts and land keep all of their outflow */
    field2_fill(grid, s->keep, 1.0);
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

/* Columns that were taken for wet and are dry, or the other way; remembers what they are now. */
static int64_t count_changes(Surface *s, Exec exec) {
    uint64_t changes = 0;
    surface_changes(exec, s->grid->columns, (SurfaceChanges){s->grid->row, s->wet, s->wet_before}, &changes);
    return surface_count(s->grid, changes);
}

/* Remembers them, without a wait for their number. Local. */
static void note_marks(Surface *s, Exec exec) {
    surface_changes_ask(exec, s->grid->columns, (SurfaceChanges){s->grid->row, s->wet, s->wet_before},
                        &s->unread);
}

typedef struct Newton {
    Surface *surface;
    Exec exec;
    SurfaceColumns columns;
    Settling settling;
} Newton;

/* The fluxes of the increment, and the depths that they make; as settling_find_depth. */
static void find_flow(const Newton *n, uint64_t *lacking) {
    const Settling *t = &n->settling;
    Surface *s = n->surface;
    const double *increment = n->columns.increment;
    surface_flux(n->exec, s->grid->faces_u, surface_faces(s, t->u, increment));
    surface_flux(n->exec, s->grid->faces_v, surface_faces(s, t->v, increment));
    settling_find_depth(t, lacking);
}

/* What is asked of the last increment: columns between wet and dry, columns without the water for their fluxes. */
enum { CROSSINGS, LACKING };

static void count_for_end(void *context, uint64_t own[MATM_COUNTS]) {
    Newton *n = context;
    const SurfaceColumns *c = &n->columns;
    surface_crossings_ask(n->exec, n->surface->grid->columns,
                          (SurfaceCrossings){c->g.row, c->depth, c->increment, n->surface->wet},
                          &own[CROSSINGS]);
    find_flow(n, &own[LACKING]);
}

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
    if (!s->keeps_matrix) TRY(matm_setup(s->matm, system));
    s->keeps_matrix = false;
    return matm_solve_watched(s->matm, s->rhs, increment, o->tolerance, o->max_iterations, watch, report);
}

void surface_solve_again(Surface *s) {
    s->keeps_matrix = s->newton == 1 && !s->options.subgrid;
}

typedef void Lines(Exec exec, RunList columns, SubgridColumns args);

/* The system about its start, or about the increment that was found. */
static void line_up(const Newton *n, const SubgridColumns *inside, Lines *lines) {
    const RunList columns = n->surface->grid->columns;
    for (int done = 0; done < columns.count;) {
        const RunList part = runs_next(n->exec, columns, &done);
        lines(n->exec, part, *inside);
        surface_assemble(n->exec, part, n->columns);
    }
}

/* As the loop of surface_solve, for ground inside the cells: until each column stores what its system takes for granted. */
static Status solve_subgrid(const Newton *n, const Stencil *system, double *increment, const double *depth,
                            SurfaceReport *report) {
    Surface *s = n->surface;
    SubgridColumns inside = subgrid_columns(s->options.subgrid, (double *)(uintptr_t)depth, NULL, increment);
    inside.wet = s->wet, inside.guess = increment;
    Lines *lines = subgrid_start;
    for (report->newton = 1; report->newton <= MOST_NEWTON; report->newton++) {
        uint64_t off = 0;
        SolveReport solved;
        line_up(n, &inside, lines);
        TRY(solve_linear(s, n->exec, system, increment, NULL, &solved));
        report->iterations += solved.iterations;
        report->residual = solved.residual;
        report->converged = solved.converged;
        if (lines == subgrid_start && !solved.converged) {
            lines = subgrid_flood;
            continue;
        }
        lines = subgrid_follow;
        subgrid_off(n->exec, s->grid->columns, inside, &off);
        if (surface_count(s->grid, off) == 0 || !solved.converged) return STATUS_OK;
    }
    report->converged = false;
    return STATUS_OK;
}

static Status solve_even(Newton *newton, const Stencil *system, double *increment, uint64_t *lacking,
                         SurfaceReport *report) {
    Surface *s = newton->surface;
    const Grid *g = s->grid;
    const Exec exec = newton->exec;
    uint64_t counted[MATM_COUNTS];
    const MatmWatch watch = {marks_stand, newton, count_for_end, counted};
    /* Newton begins with every column wet that has water: then each body of water keeps at least one wet
     * column in every iteration, since the wet ones hold its volume. */
    surface_mark_filled(exec, g->columns, newton->columns);
    note_marks(s, exec);
    for (report->newton = 1; report->newton <= MOST_NEWTON; report->newton++) {
        surface_assemble(exec, g->columns, newton->columns);
        SolveReport solved;
        counted[CROSSINGS] = counted[LACKING] = MATM_NOT_COUNTED;
        TRY(solve_linear(s, exec, system, increment, report->newton <= MOST_ABANDONED ? &watch : NULL,
                         &solved));
        report->iterations += solved.iterations;
        report->residual = solved.residual;
        report->converged = solved.converged;
        if (solved.end == SOLVE_ABANDONED) continue;
        /* below the solver's error the sign of a depth does not tell wet from dry */
        newton->columns.residual = solved.norm;
        surface_mark_wet(exec, g->columns, newton->columns);
        if (!solved.converged) break;
        if (counted[CROSSINGS] == 0)
            note_marks(s, exec);
        else
            counted[CROSSINGS] = (uint64_t)count_changes(s, exec);
        if (counted[CROSSINGS] == 0) break;
    }
    if (report->newton > MOST_NEWTON) report->converged = false;
    *lacking = counted[LACKING];
    return STATUS_OK;
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
                              s->options.subgrid ? s->options.subgrid->held : NULL,
                              s->centre,
                              s->rhs,
                              depth_new,
                              eta_new,
                              s->keep,
                              1,
                              0};
    Newton newton = {s, exec, columns, settling_of(s, exec, dt, depth, u, v, source, depth_new, eta_new)};
    const Stencil system = {
        .g = grid_view(g), .centre = s->centre, .west = u->conductance, .south = v->conductance};
    uint64_t lacking = MATM_NOT_COUNTED;
    if (s->options.subgrid)
        TRY(solve_subgrid(&newton, &system, increment, depth, report));
    else
        TRY(solve_even(&newton, &system, increment, &lacking, report));
    s->newton = report->newton;
    if (lacking == MATM_NOT_COUNTED) {
        lacking = 0;
        find_flow(&newton, &lacking);
        results_fetch(exec);
        lacking = (uint64_t)surface_count(g, lacking);
    }
    report->limited_sweeps = settling_reduce_fluxes(&newton.settling, (int64_t)lacking);
    return STATUS_OK;
}
