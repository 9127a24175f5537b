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
                           .eta = sim->subgrid ? sim->state->eta : NULL,
                           .fastest = f->fastest,
                           .excess = f->excess,
                           .entering = f->entering};
}

/* Of the faces of u and v, to most[FACE_MEASURES]. */
static void ask_measures(const Simulation *sim, double *most) {
    double *own = tally_ask_mosts(sim->tally, FACE_MEASURES, most);
    for (int n = 0; n < FACE_MEASURES; n++) own[n] = 0;
    faces_measure_ask(sim->exec, sim->grid->faces_u, measured(sim, &sim->u), own);
    faces_measure_ask(sim->exec, sim->grid->faces_v, measured(sim, &sim->v), own);
}

/* The volume, and what came through boundaries and from rivers, per second. */
enum { VOLUME, THROUGH, FROM_RIVERS, VOLUMES };

static ExactSum *ask_volumes(const Simulation *sim, double *volume) {
    const Grid *g = sim->grid;
    ExactSum *sum = tally_ask_sums(sim->tally, VOLUMES, volume);
    ExactSum *begun = reduce_begin(sim->exec, FROM_RIVERS, sum);
    reduce_add_dot(sim->exec, g->blocks_c, g->counted_area, sim->state->depth, g->row, &begun[VOLUME]);
    boundaries_inflow(sim->boundaries, &sim->u, &sim->v, &begun[THROUGH]);
    return sum;
}

/* What rivers brought, which a kernel has left for the host. */
static void add_rivers(const Simulation *sim, ExactSum *sum) {
    results_fetch(sim->exec);
    rivers_inflow(sim->rivers, sum);
    exact_sum_normalise(sum);
}

void stock_close_tracers(Simulation *sim) {
    const double *air = sim->exchange ? sim->from_air.tracer : NULL;
    tracers_close(sim->tracers, sim->infiltration ? infiltration_gains(sim->infiltration, air) : air);
}

/* See StepReport. */
static int tracer_lost(const Simulation *sim) {
    const TracerAccount *account = tracers_accounts(sim->tracers);
    for (int n = 0; n < sim->state->n_tracers; n++)
        if (!isfinite(account[n].content + account[n].bed)) return n + 1;
    return 0;
}

static void report(Simulation *sim, const double most[FACE_MEASURES]) {
    StepReport *r = &sim->report;
    r->fastest = most[MOST_FASTEST];
    r->advective_courant = most[MOST_COURANT];
    r->wave_courant = sqrt(most[MOST_WAVES]);
    r->moving = most[MOST_MOVING];
    r->highest = most[MOST_LEVEL];
    r->entering = most[MOST_ENTERING] / sim->dt;
    r->broken = most[MOST_EXCESS] > 0 || !(most[MOST_MOVING] <= sim->scales.speed) ||
                !(most[MOST_LEVEL] <= sim->scales.level) || !isfinite(sim->ledger.volume_m3);
    r->lost = r->broken ? 0 : tracer_lost(sim);
    r->broken |= r->lost > 0;
}

void stock_take(Simulation *sim) {
    double most[FACE_MEASURES], volume[VOLUMES];
    ask_measures(sim, most);
    ExactSum *own = ask_volumes(sim, volume);
    if (sim->keeps_digest) state_digest_ask(sim->state, tally_ask_counts(sim->tally, 1, &sim->digest));
    add_rivers(sim, &own[FROM_RIVERS]);
    if (sim->asks) tally_most(sim->tally, sim->asks(sim->asker), &sim->asked);
    tally_answer(sim->tally);
    sim->has_digest = sim->keeps_digest;
    if (!sim->reactions) stock_close_tracers(sim);
    sim->ledger.volume_m3 = volume[VOLUME];
    sim->ledger.sources_m3 += sim->dt * volume[FROM_RIVERS];
    sim->ledger.boundaries_m3 += sim->dt * volume[THROUGH];
    if (sim->exchange) sim->ledger.air_m3 += sim->from_air.volume_m3;
    for (int n = 0; sim->infiltration && n < GROUND_LOSSES; n++)
        sim->ledger.lost_m3[n] += infiltration_volumes(sim->infiltration)[n];
    report(sim, most);
}
