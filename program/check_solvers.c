/* SPDX-License-Identifier: Apache-2.0 */
#include "program/check_solvers.h"

#include "base/log.h"
#include "model/simulation.h"
#include "model/tracers/diffusion.h"
#include "model/tracers/level_mixing.h"
#include "model/tracers/transport.h"
#include "settings/line_choice.h"
#include <math.h>

enum { TRIAL_STEPS = 5, MOST_FURTHER = 3 };

/* ---- lines ---- */

static double least(const double *spacing, int first, int count) {
    double found = INFINITY;
    for (int j = first; j < first + count; j++) found = fmin(found, spacing[j]);
    return found;
}

/* "along x (dt K/dx^2 = 1.92): 41 cells; with 3 more exchanges 12; so at most 6 processes, or 21" */
static void tell_direction(char axis, int cells, double number, double tolerance) {
    const double rows = line_decoupled_rows(number, tolerance, 0),
                 fewest = line_decoupled_rows(number, tolerance, MOST_FURTHER);
    printf("%-11salong %c (dt K/d%c^2 = %.3g): %.0f cells; with %d more exchanges %.0f", "", axis, axis,
           number, rows, MOST_FURTHER, fewest);
    if (cells >= 2 * fewest)
        printf("; so at most %.0f processes, or %.0f\n", fmax(1, floor(cells / rows)), floor(cells / fewest));
    else
        printf("; the grid has only %d, so these lines are solved exactly\n", cells);
}

/* "along x, exact: a joint every 48 cells, reduced 1 time" */
static void tell_blocks(char axis, int cells, const Scenario *s) {
    const LineChoice choice = scenario_line_choice(s);
    if (choice.blocks == 0 && choice.levels == 0) return;
    printf("%-11salong %c, exact: a joint every %d cells, reduced %d time%s\n", "", axis,
           line_choice_block(&choice, cells), choice.levels > 1 ? choice.levels : 1,
           choice.levels > 1 ? "s" : "");
}

static void tell_lines(const char *what, const Scenario *s, const Grid *g, double along_x, double along_y) {
    if (!(fmax(along_x, along_y) > 0)) return;
    const double tolerance = s->solver.lines_tolerance;
    const bool exact = s->solver.lines_method == LINES_ARE_EXACT;
    printf("lines      of %s: %s %.0e), a process needs at least\n", what,
           exact ? "solved exactly; to solve them decoupled (error" : "solved decoupled; for that (error",
           tolerance);
    tell_direction('x', g->nx, along_x, tolerance);
    tell_direction('y', g->ny, along_y, tolerance);
    tell_blocks('x', g->nx, s);
    tell_blocks('y', g->ny, s);
}

static void tell_columns(const char *what, int blocks, const Grid *g) {
    const ColumnCut cut = column_cut(g->n3, blocks);
    if (cut.parts > 0)
        printf("columns    %s is solved in %d block%s of at most %d layers, in parallel on a GPU\n", what,
               cut.parts, cut.parts == 1 ? "" : "s", cut.layers);
}

/* "mixing     of tracers between columns at equal height: 3 passes a step" */
static void tell_level_mixing(const Scenario *s, const Grid *g, double diffusivity) {
    const MixAlong along = s->physics.mix_along;
    const int passes = level_passes(g, diffusivity, s->time.step_s);
    if (along == MIX_ALONG_LAYERS) return;
    printf("mixing     of tracers between columns at equal %s: %d pass%s a step\n",
           along == MIX_ALONG_HEIGHTS ? "height" : "density", passes, passes == 1 ? "" : "es");
    if (passes > MOST_LEVEL_PASSES)
        log_warn(
            "tracers mix more slowly than /physics/tracers/horizontal_diffusivity_m2_s says: that takes %d "
            "passes a step, and %d are made; shorten the steps to %.3g s, or mix along the layers",
            passes, MOST_LEVEL_PASSES, s->time.step_s * MOST_LEVEL_PASSES / passes);
}

void check_lines(const Scenario *s, const Grid *g) {
    const ScenarioPhysics *p = &s->physics;
    const double dx = least(g->dx_c, 0, g->n2), dy = least(g->dy_c, 0, g->n2), dt = s->time.step_s;
    const bool follows = p->viscosity_law == VISCOSITY_SMAGORINSKY && p->scheme != SCHEME_PRESCRIBED;
    const bool tracers = s->n_tracers > 0 || s->initial.temperature_C.kind != VALUE_ABSENT ||
                         s->initial.salinity.kind != VALUE_ABSENT;
    const double viscosity = p->scheme == SCHEME_SPLIT ? p->horizontal_viscosity_m2_s : 0,
                 diffusivity = tracers ? p->tracer_diffusivity_m2_s : 0,
                 mixing = p->mix_along == MIX_ALONG_LAYERS ? diffusivity : 0,
                 /* of the derivative, alpha 1/3, and of the filter, alpha (1 - filter)/2 */
        compact = p->advection != ADVECTION_COMPACT6 ? 0
                  : p->filter > 0                    ? fmax(1, 0.5 / p->filter - 0.5)
                                                     : 1;
    tell_lines("viscosity (scheme \"split\")", s, g, dt * viscosity / (dx * dx), dt * viscosity / (dy * dy));
    if (mixing > 0 && !follows && tracer_diffusion_is_weak(s, g))
        printf("mixing     of tracers along the layers is too weak to need lines: dt K/dx^2 = %.3g\n",
               dt * mixing / (dx * dx));
    else
        tell_lines("horizontal mixing of tracers", s, g, dt * mixing / (dx * dx), dt * mixing / (dy * dy));
    tell_lines("the scheme \"compact6\"", s, g, compact, compact);
    if (tracers) tell_level_mixing(s, g, diffusivity);
    if (tracers) tell_columns("vertical mixing of tracers", s->solver.tracers_column_blocks, g);
    tell_columns("vertical viscosity", s->solver.momentum_column_blocks, g);
    if (s->solver.cuts == CUTS_STRIPS && scenario_has_lines(s))
        printf(
            "cuts       are straight in spite of /solver/cuts, because lines along y need straight ones\n");
    if (follows && (p->scheme == SCHEME_SPLIT || (tracers && p->mix_along == MIX_ALONG_LAYERS)))
        printf("lines      the viscosity of \"smagorinsky\" depends on the flow: each step tests whether its "
               "lines decouple\n");
    if (s->solver.lines_method == LINES_ARE_DECOUPLED)
        printf("digests    depend on the cuts between processes (within the tolerance of decoupled lines): "
               "only runs with the same cuts have equal digests\n");
}

/* ---- variants of MATM ---- */

enum { SURFACE, MOMENTUM, PRESSURE, TRACERS, SYSTEMS };

typedef struct Trial {
    int steps, iterations[SYSTEMS];
    double residual[SYSTEMS]; /* where it did not converge; else 0 */
    double seconds[SYSTEMS];  /* of the phase, in a step */
} Trial;

static void note(Trial *t, int system, int iterations, double residual, bool converged) {
    if (iterations > t->iterations[system]) t->iterations[system] = iterations;
    if (!converged) t->residual[system] = fmax(t->residual[system], residual);
}

/* The first steps. */
static Status try_steps(const Scenario *s, Trial *t) {
    static const Phase phases[SYSTEMS] = {PHASE_SURFACE, PHASE_MOMENTUM, PHASE_PRESSURE, PHASE_TRACERS};
    Simulation *sim = NULL;
    Status status;
    *t = (Trial){0};
    ATTEMPT(simulation_create(s, MPI_COMM_SELF, "cpu", &sim));
    sim->until = s->time.to_s;
    for (; t->steps < TRIAL_STEPS && sim->state->time < sim->until; t->steps++) {
        ATTEMPT(simulation_step(sim));
        const StepReport *r = &sim->report;
        note(t, SURFACE, r->surface.iterations, r->surface.residual, r->surface.converged);
        for (int c = 0; c < 2; c++)
            note(t, MOMENTUM, r->momentum[c].iterations, r->momentum[c].residual, r->momentum[c].converged);
        note(t, PRESSURE, r->pressure.iterations, r->pressure.residual, r->pressure.converged);
        note(t, TRACERS, tracers_iterations(sim->tracers), 0, true);
    }
    for (int n = 0; n < SYSTEMS; n++) t->seconds[n] = sim->seconds[phases[n]] / t->steps;
cleanup:
    simulation_destroy(&sim);
    return status;
}

static void tell_trial(const char *variant, const Trial *t, int system, const char *end) {
    const int iterations = t->iterations[system];
    printf("\"%s\" takes up to %d iteration%s and %.2g ms a step", variant, iterations,
           iterations == 1 ? "" : "s", 1e3 * t->seconds[system]);
    if (t->residual[system] > 0) printf(", but stops at a residual of %.1e", t->residual[system]);
    printf("%s", end);
}

Status check_variants(const Scenario *s) {
    static const char *const names[] = {"auto", "paper", "least-residual"};
    static const char *const systems[SYSTEMS] = {"surface", "momentum", "pressure", "tracers"};
    const ScenarioSolver *solver = &s->solver;
    const MatmVariant chosen[SYSTEMS] = {
        solver->surface_method == SURFACE_MATM ? solver->surface_variant : VARIANT_AUTO,
        s->physics.scheme == SCHEME_MATM ? solver->momentum_variant : VARIANT_AUTO,
        s->physics.pressure == PRESSURE_NONHYDROSTATIC ? solver->pressure_variant : VARIANT_AUTO,
        s->physics.tracer_scheme == TRACERS_MATM ? solver->tracers_variant : VARIANT_AUTO};
    bool any = false;
    for (int n = 0; n < SYSTEMS; n++) any = any || chosen[n] != VARIANT_AUTO;
    if (!any) return STATUS_OK;
    Scenario automatic = *s;
    Trial own, other;
    automatic.solver.surface_variant = automatic.solver.momentum_variant = VARIANT_AUTO;
    automatic.solver.pressure_variant = automatic.solver.tracers_variant = VARIANT_AUTO;
    TRY(try_steps(s, &own));
    TRY(try_steps(&automatic, &other));
    for (int n = 0; n < SYSTEMS; n++) {
        if (chosen[n] == VARIANT_AUTO) continue;
        printf("solver     %s, in a trial of %d steps: ", systems[n], own.steps);
        tell_trial(names[chosen[n]], &own, n, "; ");
        tell_trial("auto", &other, n, "\n");
    }
    return STATUS_OK;
}
