/* SPDX-License-Identifier: Apache-2.0
 *
 * Which preconditioner the pressure's solver takes.
 */
#include "model/pressure/pressure_parts.h"

#include "gpu/device.h"
#include <math.h>

/* Preconditioners that are tried, w fixed: one that follows from earlier solves would not survive a restart.
 * What an iteration of each costs beside the first. */
static const struct {
    MatmOptions options;
    double cost;
} CANDIDATES[] = {
    {{.omega = 3, .correction = MATM_CORRECTION_NONE}, 1}, /* MATM's own choice, uncorrected */
    {{.omega = 3, .diagonal = MATM_D_LINES, .grids = MATM_GRIDS_ONE, .correction = MATM_CORRECTION_NONE},
     1.1},
    {{.omega = 3, .diagonal = MATM_D_LINES, .correction = MATM_CORRECTION_COLUMNS}, 1.6},
};
enum { CANDIDATE_COUNT = sizeof CANDIDATES / sizeof *CANDIDATES, TRIAL_ITERATIONS = 60 };
static const double TRIAL_TOLERANCE = 1e-4;

/* A source in every cell that knows nothing of its neighbours', the same for any number of ranks. */
static void fill_trial(Pressure *p, Exec exec) {
    const Grid *g = p->grid;
    exec_wait(exec);
    for (int n = 0; n < g->cells.count; n++) {
        const Run r = g->cells.run[n];
        for (int i = r.i0; i < r.i1; i++) {
            const uint64_t place =
                ((uint64_t)r.k * (uint64_t)g->ny + (uint64_t)(g->j_first + r.j)) * (uint64_t)g->nx;
            const uint64_t noise = hash_mix(place + (uint64_t)(g->i_first + i));
            const ptrdiff_t m = AT(*g, i, r.j, r.k);
            p->rhs[m] = p->active[AT2(*g, i, r.j)] > 0
                            ? g->area[AT2(*g, i, r.j)] * ((double)(noise >> 11) * 0x1p-53 - 0.5)
                            : 0;
        }
    }
}

/* How much the solution of a trial costs with one candidate, which is made the solver. Collective. */
static Status try_solver(Pressure *p, Exec exec, const PressureColumns *columns, int candidate,
                         double *cost) {
    WholeSystem system = {p, exec, *columns};
    MatmOptions options = CANDIDATES[candidate].options;
    if (candidate == 0) options.step = p->options.step;
    if (p->options.step != MATM_STEP_AUTO) options.correction = MATM_CORRECTION_AUTO; /* the only candidate */
    matm_destroy(&p->matm);
    TRY(matm_create(p->grid, exec, &options, &p->matm));
    TRY(pressure_set_up_system(p, exec, *columns));
    fill_trial(p, exec);
    double *x = p->advected_u; /* past.p may be a restart's */
    field3_copy(exec, p->grid, NULL, x);
    const SolveReport report = pressure_solve_whole(&system, x, TRIAL_TOLERANCE, TRIAL_ITERATIONS);
    const double digits = fmax(-log10(report.residual), 1e-3);
    *cost = CANDIDATES[candidate].cost * report.iterations / digits;
    return STATUS_OK;
}

Status pressure_choose_solver(Pressure *p, Exec exec, double dt, double theta, const Faces *u,
                              const Faces *v) {
    const Grid *g = p->grid;
    double *plane[4], cost[CANDIDATE_COUNT] = {0};
    int best = 0;
    Status status;
    for (int n = 0; n < 4; n++) plane[n] = field2_create(g);
    for (int j = -HALO; j < g->n2 + HALO; j++)
        for (int i = -HALO; i < g->n1 + HALO; i++) {
            const ptrdiff_t m = AT2(*g, i, j);
            plane[0][m] = g->area[m] > 0 ? fmax(p->options.least_depth, -g->bed[m]) : 0;
            plane[1][m] = g->width_u[m] > 0 ? fmax(p->options.least_depth, -g->bed_u[m]) : 0;
            plane[2][m] = g->width_v[m] > 0 ? fmax(p->options.least_depth, -g->bed_v[m]) : 0;
        }
    PressureColumns columns = pressure_columns_of(
        p, &(PressureStep){dt, theta, u, v, NULL, plane[0], plane[1], plane[2], plane[3], NULL, true});
    pressure_mark(exec, g->blocks_c,
                  (PressureMark){.g = grid_view(g),
                                 .least_depth = p->options.least_depth,
                                 .depth = plane[0],
                                 .active = p->active});
    halo_exchange(p->halo, 1, &p->active, 0, NULL);
    const int count = p->options.step == MATM_STEP_AUTO ? CANDIDATE_COUNT : 1;
    for (int n = 0; n < count; n++) {
        ATTEMPT(try_solver(p, exec, &columns, n, &cost[n]));
        if (cost[n] < cost[best]) best = n;
    }
    if (best != count - 1) ATTEMPT(try_solver(p, exec, &columns, best, &cost[best]));
    status = STATUS_OK;
cleanup:
    /* a trial's solution, which steps would not overwrite all over */
    field3_copy(exec, g, NULL, p->advected_u);
    exec_wait(exec);
    for (int n = 0; n < 4; n++) field2_destroy(g, &plane[n]);
    return status;
}
