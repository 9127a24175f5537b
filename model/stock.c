/* SPDX-License-Identifier: Apache-2.0 */
#include "model/stock.h"

#include "gpu/reduce.h"
#include "model/stock_kernels.h"
#include <math.h>

static FacesMeasured measured(const Simulation *sim, const Faces *f) {
    return (FacesMeasured){.row = sim->grid->row,
                           .dt = sim->dt,
                           .gravity = sim->scenario->physics.gravity_m_s2,
                           .film = sim->scales.film,
                           .spacing = f->spacing,
                           .depth = f->depth,
                           .bed = f->bed,
                           .fastest = f->fastest,
                           .excess = f->excess};
}

/* Of the faces of u and v. */
static void measure(const Simulation *sim, double most[FACE_MEASURES]) {
    double of[2 * FACE_MEASURES] = {0};
    faces_measure_of(sim->exec, 2, (RunList[]){sim->grid->faces_u, sim->grid->faces_v},
                     (FacesMeasured[]){measured(sim, &sim->u), measured(sim, &sim->v)}, of);
    for (int n = 0; n < FACE_MEASURES; n++) most[n] = fmax(of[n], of[FACE_MEASURES + n]);
}

void stock_take(Simulation *sim) {
    const Grid *g = sim->grid;
    double most[FACE_MEASURES];
    measure(sim, most);
    MPI_Allreduce(MPI_IN_PLACE, most, FACE_MEASURES, MPI_DOUBLE, MPI_MAX, g->comm);
    ExactSum sum[3] = {0};
    ExactSum *begun = reduce_begin(sim->exec, 2);
    reduce_add_dot(sim->exec, g->blocks_c, g->own_area, sim->state->depth, g->row, &begun[0]);
    boundaries_inflow(sim->boundaries, &sim->u, &sim->v, &begun[1]);
    reduce_end(sim->exec, 2, sum);
    rivers_inflow(sim->rivers, &sum[2]);
    exact_sum_normalise(&sum[2]);
    MPI_Allreduce(MPI_IN_PLACE, sum, 3 * EXACT_SUM_LIMBS, MPI_INT64_T, MPI_SUM, g->comm);
    sim->ledger.volume_m3 = exact_sum_value(&sum[0]);
    sim->ledger.sources_m3 += sim->dt * exact_sum_value(&sum[2]);
    sim->ledger.boundaries_m3 += sim->dt * exact_sum_value(&sum[1]);
    sim->report.fastest = most[MOST_FASTEST];
    sim->report.advective_courant = most[MOST_COURANT];
    sim->report.wave_courant = sqrt(most[MOST_WAVES]);
    sim->report.moving = most[MOST_MOVING];
    sim->report.highest = most[MOST_LEVEL];
    sim->report.broken = most[MOST_EXCESS] > 0 || !(most[MOST_MOVING] <= sim->scales.speed) ||
                         !(most[MOST_LEVEL] <= sim->scales.level) || !isfinite(sim->ledger.volume_m3);
}
