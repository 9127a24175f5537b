/* SPDX-License-Identifier: Apache-2.0 */
#include "program/check_grid.h"

#include "base/log.h"
#include "base/memory.h"
#include "model/seam/seam.h"
#include "model/terrain.h"
#include "program/check_layers.h"
#include "program/datafile.h"
#include "program/grid_words.h"
#include "program/machine_kept.h"
#include "program/trial.h"
#include <inttypes.h>
#include <math.h>

const Simulation *check_inner(const Simulation *sim) {
    return sim->seam ? seam_inner(sim->seam) : NULL;
}

GridMeasures check_measure(const Simulation *sim) {
    const Grid *g = sim->grid;
    const double dt = sim->scenario->time.step_s, gravity = sim->scenario->physics.gravity_m_s2;
    GridMeasures found = {0, INFINITY};
    for (int n = 0; n < g->columns.count; n++) {
        const Run r = g->columns.run[n];
        for (int i = r.i0; i < r.i1; i++) {
            const double dx = fmin(g->dx_c[r.j], g->dy_c[r.j]);
            found.shortest = fmin(found.shortest, dx);
            found.wave = fmax(found.wave, sqrt(gravity * sim->state->depth[AT2(*g, i, r.j)]) * dt / dx);
        }
    }
    return found;
}

static void tell_cells(const char *what, const Simulation *sim) {
    const Grid *g = sim->grid;
    const double shortest = check_measure(sim).shortest;
    int64_t columns, cells;
    char size[16];
    grid_count(g, &columns, &cells);
    snprintf(size, sizeof size, shortest < 10 ? "%.3g" : "%.0f", shortest);
    printf("%-10s %d x %d x %d cells of %s m, %" PRId64 " wet columns, %" PRId64 " wet cells\n", what, g->nx,
           g->ny, g->n3, size, columns, cells);
}

/* Of a sea, and of a flume. Where a zoom is, its water counts and not that under it. */
static void tell_water(const Simulation *sim) {
    const double volume = simulation_ledger(sim).volume_m3;
    const bool large = volume >= 1e6;
    printf("water      %.10g %s at the start\n", log_rounded(large ? volume / 1e9 : volume, 6),
           large ? "km3" : "m3");
}

/* The layers end at the lowest level; what is deeper belongs to the lowest of them. Thresholds of thin water
 * follow that level. */
static void tell_levels(const char *of, const Simulation *sim) {
    const Grid *g = sim->grid;
    double lowest = 0, deepest = 0, level = g->axes.interfaces[0];
    for (int n = 0; n < g->columns.count; n++) {
        const Run r = g->columns.run[n];
        for (int i = r.i0; i < r.i1; i++) {
            lowest = fmin(lowest, g->bed[AT2(*g, i, r.j)]);
            deepest = fmax(deepest, sim->state->depth[AT2(*g, i, r.j)]);
        }
    }
    if (lowest < level - 1e-9 && !g->axes.along_bed)
        printf("levels     the ground%s reaches down to %.4g m, below the lowest level at %.4g m: the lowest "
               "layer is thicker there\n",
               of, lowest, level);
    if (deepest < fmin(1, -0.5 * level))
        printf("levels     the water%s is at most %.3g m deep, but the levels reach down to %.4g m: "
               "thresholds for thin water scale with the levels, so end them at the depth of the water\n",
               of, deepest, level);
}

static void tell_zoom(const Simulation *sim, const Simulation *zoom) {
    const GridMeasures measures = check_measure(zoom);
    const double dt = zoom->scenario->time.step_s;
    tell_cells("zoom", zoom);
    char *box = grid_box_words(&zoom->grid->axes);
    printf(
        "           %s; %s%.0f steps of %.4g s in each step of the outer grid, %.3g times its work; Courant "
        "numbers: long waves %.2f, flow at 1 m/s %.2f\n",
        box, zoom->scenario->time.automatic ? "at least " : "", sim->scenario->zoom.finer, dt,
        seam_work(sim->seam), measures.wave, dt / measures.shortest);
    memory_free(box);
}

/* Cells with two waters and one level: the smaller water has the wrong one. */
static void tell_divided(const Simulation *sim) {
    const Subgrid *s = sim->subgrid;
    const Axes *axes = &sim->grid->axes;
    const SubgridCounts *counts = &s->counts;
    if (counts->divided == 0) return;
    printf("           %" PRId64
           " cells contain two separate waters that share the level of the larger one; smaller cells would "
           "separate them\n           on %.3g km2 of ground the level is that of the other water: ",
           counts->divided, (double)counts->apart / 1e10);
    for (int n = 0; n < DIVIDED_NAMED && s->divided[n].area > 0; n++)
        printf("%s%.0f %% of the cell at (%.10g, %.10g)", n ? ", " : "", 1e2 * s->divided[n].part,
               axes_x(axes, s->divided[n].i + 0.5), axes_y(axes, s->divided[n].j + 0.5));
    printf("\n");
}

/* What cells know of the ground inside them. */
static void tell_subgrid(const Simulation *sim) {
    const Subgrid *s = sim->subgrid;
    int64_t columns, cells;
    if (!s) return;
    grid_count(sim->grid, &columns, &cells);
    const double bytes = (double)s->counts.bytes;
    printf("sub-grid   %.3g pixels in a cell that can be wet; tables of %.3g MB, %.0f B a cell\n",
           (double)s->counts.pixels / (double)columns, bytes / 1e6, bytes / (double)columns);
    if (s->kept) printf("           %s %s\n", s->from_kept ? "kept in" : "a run keeps them in", s->kept);
    if (s->counts.dikes > 0)
        printf("           dikes of %.4g km raise pixels\n", (double)s->counts.dikes / 1e6);
    if (s->counts.closed > 0)
        printf("           %" PRId64
               " faces are closed up to the lowest pass between the waters of their two cells\n",
               s->counts.closed);
    tell_divided(sim);
}

static void tell_ground(const char *what, const char *of, const Simulation *sim) {
    tell_levels(of, sim);
    tell_subgrid(sim);
    check_sloping_layers(sim);
    datafile_print_note(what, sim->ground_note, "attribute `ground` of the output files");
}

void check_grid(const Simulation *sim) {
    const Simulation *zoom = check_inner(sim);
    tell_cells("grid", sim);
    if (sim->grid->axes.map) {
        char *map = map_words(&sim->grid->axes);
        printf("map        %s\n", map);
        memory_free(map);
    }
    if (zoom) tell_zoom(sim, zoom);
    tell_water(sim);
    tell_ground("ground", "", sim);
    if (zoom) tell_ground("zoom bed", " in the zoom", zoom);
}

void check_cuts(const Scenario *s, const Grid *g, int processes) {
    const ScenarioSolver *solver = &s->solver;
    const bool shaped = solver->ranks_x * solver->ranks_y == processes;
    Machine machine = MACHINE_OF_TODAY;
    char shape[CUTS_SHAPE];
    Cuts cuts;
    if (processes < 2) return;
    double *weight = trial_weights(g);
    (void)machine_recall(processes, &machine);
    CutProblem problem =
        decomposition_problem(g->nx, g->ny, GRID_SURFACE_WORK + g->n3, weight,
                              &(CutWishes){.kind = terrain_cuts(s),
                                           .patch = solver->patch,
                                           .swept = terrain_swept_part(s),
                                           .speed = solver->n_speeds == processes ? solver->speeds : NULL,
                                           .machine = &machine});
    problem.periodic_x = g->axes.periodic_x, problem.periodic_y = g->axes.periodic_y;
    if (cuts_find(&problem, processes, shaped ? solver->ranks_x : 0, shaped ? solver->ranks_y : 0, &cuts))
        printf("cuts       with -n %d: %s processes; the busiest does %.2f times the mean work\n", processes,
               cuts_shape(&cuts, shape), cuts_imbalance(&problem, &cuts));
    cuts_release(&cuts);
    memory_free(machine.node);
    memory_free(weight);
}
