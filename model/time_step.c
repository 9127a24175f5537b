/* SPDX-License-Identifier: Apache-2.0 */
#include "model/time_step.h"

#include "base/schedule.h"
#include "model/seam/seam.h"
#include <math.h>

static const double GROWTH = 1.2, RETREAT = 0.5; /* at most, and where a solver gave up */

double time_step_best_courant(const Scenario *scenario) {
    return scenario->physics.advection == ADVECTION_COMPACT6 ? COMPACT_COURANT : 1;
}

double time_step_courant(const Scenario *scenario) {
    /* Along a diagonal u and v have as much each, which add up. */
    const bool compact = scenario->physics.advection == ADVECTION_COMPACT6;
    return compact ? fmin(scenario->time.step_courant, 0.5 * COMPACT_COURANT) : scenario->time.step_courant;
}

/* What moves how many cells in a second. */
typedef struct Rates {
    double flow, waves;
} Rates;

static double longest(const Scenario *scenario, Rates rates) {
    const ScenarioTime *time = &scenario->time;
    double step = fmin(time->step_bounds_s[1], scenario_compact_step(scenario));
    if (rates.flow > 0) step = fmin(step, time_step_courant(scenario) / rates.flow);
    if (rates.waves > 0 && time->step_wave_courant > 0)
        step = fmin(step, time->step_wave_courant / rates.waves);
    return fmax(step, time->step_bounds_s[0]);
}

static void measure_component(const Simulation *sim, const Faces *f, RunList parts, Rates *most) {
    const Grid *g = sim->grid;
    const double gravity = sim->scenario->physics.gravity_m_s2;
    for (int n = 0; n < parts.count; n++) {
        const Run r = parts.run[n];
        for (int i = r.i0; i < r.i1; i++) {
            const double speed = fabs(f->velocity[AT(*g, i, r.j, r.k)]);
            most->flow = fmax(most->flow, speed / f->spacing[r.j]);
            most->waves = fmax(most->waves, sqrt(gravity * f->depth[AT2(*g, i, r.j)]) / f->spacing[r.j]);
        }
    }
}

void time_step_start(Simulation *sim) {
    const ScenarioTime *time = &sim->scenario->time;
    Rates most = {0, 0};
    sim->dt = sim->dt_before = sim->wanted = time->step_s;
    sim->until = time->to_s;
    if (!time->automatic) return;
    exec_wait(sim->exec);
    measure_component(sim, &sim->u, sim->grid->cells_u, &most);
    measure_component(sim, &sim->v, sim->grid->cells_v, &most);
    double rates[2] = {most.flow, most.waves};
    MPI_Allreduce(MPI_IN_PLACE, rates, 2, MPI_DOUBLE, MPI_MAX, sim->grid->comm);
    sim->wanted = longest(sim->scenario, (Rates){rates[0], rates[1]});
    sim->dt = sim->dt_before = sim->wanted;
}

StepLengths time_step_lengths(const Simulation *sim) {
    return (StepLengths){sim->dt_before, sim->wanted};
}

void time_step_resume(Simulation *sim, StepLengths lengths) {
    const ScenarioTime *time = &sim->scenario->time;
    sim->dt_before = lengths.last;
    if (time->automatic)
        sim->wanted = fmin(fmax(lengths.wanted, time->step_bounds_s[0]), time->step_bounds_s[1]);
    else if (lengths.last != time->step_s) {
        sim->from_time = sim->state->time;
        sim->from_step = sim->state->step;
    }
}

double time_step_next_stop(const Scenario *scenario, double time, double until) {
    double stop = until;
    for (int n = 0; n < scenario->n_outputs; n++) {
        const ScenarioOutput *output = &scenario->outputs[n];
        if (output->every_s > 0) stop = fmin(stop, schedule_after(output->every_s, time).next);
        stop = fmin(stop, output_part_end(output, scenario->time.start, time));
    }
    if (scenario->restart.every_s > 0)
        stop = fmin(stop, schedule_after(scenario->restart.every_s, time).next);
    return fmin(stop, moments_next(scenario->restart.at, scenario->restart.n_at, scenario->time.start, time));
}

double time_step_begin(Simulation *sim) {
    const State *s = sim->state;
    if (sim->driven) return s->time + sim->dt;
    if (!sim->scenario->time.automatic)
        return sim->from_time + (double)(s->step + 1 - sim->from_step) * sim->dt;
    double stop = time_step_next_stop(sim->scenario, s->time, sim->until);
    if (sim->seam)
        stop = fmin(stop, time_step_next_stop(seam_inner(sim->seam)->scenario, s->time, sim->until));
    const double left = stop - s->time;
    const double steps = fmax(1, ceil(left / sim->wanted - 1e-9));
    sim->dt = left / steps;
    if (s->step == 0) sim->dt_before = sim->dt;
    return steps > 1 ? s->time + sim->dt : stop;
}

void time_step_end(Simulation *sim) {
    const ScenarioTime *time = &sim->scenario->time;
    const StepReport *r = &sim->report;
    const bool solved =
        r->surface.converged && r->momentum[0].converged && r->momentum[1].converged && r->pressure.converged;
    sim->dt_before = sim->dt;
    if (!time->automatic) return;
    const double next =
        longest(sim->scenario, (Rates){r->advective_courant / sim->dt, r->wave_courant / sim->dt});
    sim->wanted = fmin(next, (solved ? GROWTH : RETREAT) * sim->wanted);
    sim->wanted = fmax(sim->wanted, time->step_bounds_s[0]);
}

bool time_step_done(const Simulation *sim) {
    return sim->state->time >= sim->until - fmin(SCHEDULE_EARLY_S, 1e-3 * sim->dt);
}
