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

/* The volume, and what came through boundaries and from rivers, per second. */
typedef struct Volumes {
    double volume, boundaries, rivers;
} Volumes;

static void ask_volumes(const Simulation *sim, Volumes *out) {
    const Grid *g = sim->grid;
    ExactSum sum[3] = {0};
    ExactSum *begun = reduce_begin(sim->exec, 2);
    reduce_add_dot(sim->exec, g->blocks_c, g->own_area, sim->state->depth, g->row, &begun[0]);
    boundaries_inflow(sim->boundaries, &sim->u, &sim->v, &begun[1]);
    reduce_end(sim->exec, 2, sum);
    rivers_inflow(sim->rivers, &sum[2]);
    exact_sum_normalise(&sum[2]);
    double *const answers[] = {&out->volume, &out->boundaries, &out->rivers};
    for (int n = 0; n < 3; n++) tally_sum(sim->tally, &sum[n], answers[n]);
}

void stock_close_tracers(Simulation *sim) {
    tracers_close(sim->tracers, sim->dt, sim->exchange ? sim->from_air.tracer : NULL);
}

static void report(Simulation *sim, const double most[FACE_MEASURES]) {
    StepReport *r = &sim->report;
    r->fastest = most[MOST_FASTEST];
    r->advective_courant = most[MOST_COURANT];
    r->wave_courant = sqrt(most[MOST_WAVES]);
    r->moving = most[MOST_MOVING];
    r->highest = most[MOST_LEVEL];
    r->broken = most[MOST_EXCESS] > 0 || !(most[MOST_MOVING] <= sim->scales.speed) ||
                !(most[MOST_LEVEL] <= sim->scales.level) || !isfinite(sim->ledger.volume_m3);
}

void stock_take(Simulation *sim) {
    double most[FACE_MEASURES];
    Volumes of;
    measure(sim, most);
    for (int n = 0; n < FACE_MEASURES; n++) tally_most(sim->tally, most[n], &most[n]);
    ask_volumes(sim, &of);
    if (sim->keeps_digest) tally_add(sim->tally, state_digest_own(sim->state), &sim->digest);
    if (sim->asks) tally_most(sim->tally, sim->asks(), &sim->asked);
    tally_answer(sim->tally);
    sim->has_digest = sim->keeps_digest;
    if (!sim->reactions) stock_close_tracers(sim);
    sim->ledger.volume_m3 = of.volume;
    sim->ledger.sources_m3 += sim->dt * of.rivers;
    sim->ledger.boundaries_m3 += sim->dt * of.boundaries;
    if (sim->exchange) sim->ledger.air_m3 += sim->from_air.volume_m3;
    report(sim, most);
}
