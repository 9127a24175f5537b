/* SPDX-License-Identifier: Apache-2.0 */
#include "program/autopsy_values.h"

#include "base/calendar.h"
#include "base/log.h"
#include <math.h>

void autopsy_level(const Simulation *sim) {
    const Grid *g = sim->grid;
    const double *eta = sim->state->eta;
    double highest = sim->scales.level;
    int at_i = 0, at_j = -1;
    char date[32];
    for (int n = 0; n < g->columns.count; n++)
        for (int i = g->columns.run[n].i0, j = g->columns.run[n].j; i < g->columns.run[n].i1; i++) {
            if (!(eta[AT2(*g, i, j)] > highest)) continue;
            highest = eta[AT2(*g, i, j)];
            at_i = i, at_j = j;
        }
    if (at_j < 0) return;
    calendar_format_since(sim->state->start, sim->state->time, date);
    (void)error_raise(STATUS_FAILED,
                      "step %lld (%s): the level is %g m at cell i %d, j %d (%.5g, %.5g), in a sea whose "
                      "ground lies between %g m and %g m: check rivers, rain, boundaries and wind, or "
                      "shorten the step (if it is intended: \"scales\" in /allow)",
                      (long long)sim->state->step, date, highest, g->i_first + at_i, g->j_first + at_j,
                      g->x_c[at_i], g->y_c[at_j], sim->scales.lowest, sim->scales.highest_ground);
}

/* This rank's first cell where the tracer is no number; false: there is none, or it lies on the bed. */
static bool find_lost(const Simulation *sim, const double *c, int at[3]) {
    const Grid *g = sim->grid;
    for (int n = 0; n < g->columns.count; n++)
        for (int i = g->columns.run[n].i0, j = g->columns.run[n].j; i < g->columns.run[n].i1; i++) {
            const ptrdiff_t column = AT2(*g, i, j);
            if (!(sim->state->depth[column] > 0)) continue;
            for (int k = (int)g->bottom_c[column]; k < g->n3; k++)
                if (!isfinite(c[column + k * g->plane])) return at[0] = i, at[1] = j, at[2] = k, true;
        }
    return false;
}

void autopsy_tracer(const Simulation *sim, int tracer) {
    const Grid *g = sim->grid;
    const char *name = sim->state->tracer[tracer].name;
    int at[3] = {0}, ranks, own, first;
    char date[32], number[32];
    MPI_Comm_rank(g->comm, &own), MPI_Comm_size(g->comm, &ranks);
    const bool found = find_lost(sim, sim->state->tracer[tracer].c, at);
    first = found ? own : ranks;
    MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, g->comm);
    calendar_format_since(sim->state->start, sim->state->time, date);
    if (first == ranks && own == 0)
        (void)error_raise(STATUS_FAILED,
                          "step %lld (%s): the content of \"%s\" is no finite number, while currents and "
                          "levels are sound: check its sources and its matter on the bed",
                          (long long)sim->state->step, date, name);
    if (first != own) return;
    const ptrdiff_t column = AT2(*g, at[0], at[1]);
    (void)error_raise(STATUS_FAILED,
                      "step %lld (%s): \"%s\" is %s at cell i %d, j %d, level %d (%s %.5g, %s %.5g), water "
                      "depth %.3g m, while currents and levels are sound: check the values that rivers, "
                      "boundaries, air and nudging bring there, or shorten time.step_s",
                      (long long)sim->state->step, date, name,
                      log_number(sim->state->tracer[tracer].c[column + at[2] * g->plane], number),
                      g->i_first + at[0], g->j_first + at[1], at[2], g->spherical ? "lon" : "x",
                      g->x_c[at[0]], g->spherical ? "lat" : "y", g->y_c[at[1]], sim->state->depth[column]);
}
