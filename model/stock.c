/* SPDX-License-Identifier: Apache-2.0 */
#include "model/stock.h"

#include "gpu/reduce.h"
#include "model/stock_kernels.h"
#include <math.h>

static void measure(const Simulation *sim, const Faces *f, RunList faces, double most[FACE_MEASURES]) {
    faces_measure(sim->exec, faces,
                  (FacesMeasured){sim->grid->row, sim->dt, sim->scenario->physics.gravity_m_s2, f->spacing,
                                  f->depth, f->fastest, f->excess},
                  most);
}

void stock_take(Simulation *sim) {
    const Grid *g = sim->grid;
    double most[FACE_MEASURES] = {0};
    measure(sim, &sim->u, g->faces_u, most);
    measure(sim, &sim->v, g->faces_v, most);
    MPI_Allreduce(MPI_IN_PLACE, most, FACE_MEASURES, MPI_DOUBLE, MPI_MAX, g->comm);
    ExactSum sum[3] = {0};
    reduce_dot(sim->exec, g->blocks_c, g->own_area, sim->state->depth, g->row, &sum[0]);
    boundaries_inflow(sim->boundaries, &sim->u, &sim->v, &sum[1]);
    rivers_inflow(sim->rivers, &sum[2]);
    exact_sum_normalise(&sum[1]);
    exact_sum_normalise(&sum[2]);
    MPI_Allreduce(MPI_IN_PLACE, sum, 3 * EXACT_SUM_LIMBS, MPI_INT64_T, MPI_SUM, g->comm);
    sim->ledger.volume_m3 = exact_sum_value(&sum[0]);
    sim->ledger.sources_m3 += sim->dt * exact_sum_value(&sum[2]);
    sim->ledger.boundaries_m3 += sim->dt * exact_sum_value(&sum[1]);
    sim->report.fastest = most[MOST_FASTEST];
    sim->report.advective_courant = most[MOST_COURANT];
    sim->report.wave_courant = sqrt(most[MOST_WAVES]);
    sim->report.broken = most[MOST_EXCESS] > 0 || !isfinite(sim->ledger.volume_m3);
}
