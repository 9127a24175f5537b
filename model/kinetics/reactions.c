/* SPDX-License-Identifier: Apache-2.0 */
#include "model/kinetics/reactions.h"

#include "base/memory.h"
#include "gpu/device.h"
#include "model/kinetics/module_inputs.h"
#include "model/kinetics/reactions_kernels.h"
#include "numerics/grid/sums.h"
#include <string.h>

struct Reactions {
    const MaeotisKinetics *is;
    const Scenario *scenario;
    State *state;
    const Subgrid *inside; /* NULL: cells are even */
    Tracers *tracers;
    Exec exec;
    KineticsPlan *plan; /* where kernels reach it */
    int first;          /* the tracer that is the module's first variable */
    bool shades;
    double *wind, *fault; /* of columns */
    KineticsInputs *inputs;
    double *amount[MAEOTIS_MOST_PROCESSES];
    double total[MAEOTIS_MOST_PROCESSES]; /* since the start [units m3] */
    double *gains;                        /* the same in [variable][process], what lies on the bed included */
    double waiting;                       /* time since the last reactions [s] */
    char *names[MAEOTIS_MOST_PROCESSES];  /* of the totals, in restarts */
};

static void declare_diagnostics(const Reactions *r) {
    const double *parameter = r->scenario->kinetics.parameter;
    for (int n = 0; n < r->is->n_diagnostics; n++) {
        const MaeotisDiagnostic *d = &r->is->diagnostics[n];
        TracerSum *sum = state_add_diagnostic(r->state, d);
        for (; sum->n_terms < MAEOTIS_MOST_TERMS && d->terms[sum->n_terms].variable; sum->n_terms++) {
            const MaeotisTerm *term = &d->terms[sum->n_terms];
            sum->tracer[sum->n_terms] = r->first + kinetics_variable(r->is, term->variable);
            sum->factor[sum->n_terms] =
                kinetics_number(r->is, parameter, (MaeotisNumber){term->factor, term->parameter});
        }
    }
}

Status reactions_create(const Scenario *scenario, State *state, const Subgrid *inside, Tracers *tracers,
                        Exec exec, Reactions **out) {
    const ScenarioKinetics *k = &scenario->kinetics;
    const Grid *g = state->grid;
    char why[KINETICS_WHY];
    *out = NULL;
    if (!k->opened.is) return STATUS_OK;
    Reactions *r = *out = ALLOCATE(1, Reactions);
    *r = (Reactions){.is = k->opened.is,
                     .scenario = scenario,
                     .state = state,
                     .inside = inside,
                     .tracers = tracers,
                     .exec = exec};
    CHECK(exec.device != DEVICE_GPU || k->opened.built_in >= 0, STATUS_BAD_INPUT,
          "%s: the kinetics module \"%s\" was loaded from a library, which runs on CPUs only: --device "
          "cpu",
          k->place, r->is->name);
    r->first = state->n_tracers - r->is->n_variables;
    r->plan = ALLOCATE(1, KineticsPlan);
    CHECK(kinetics_plan(&k->opened, k->parameter, r->plan, why) == STATUS_OK, STATUS_BAD_INPUT,
          "%s: the kinetics module \"%s\" is refused: %s", k->place, r->is->name, why);
    r->gains = ALLOCATE(r->is->n_variables * r->is->n_processes + 1, double);
    declare_diagnostics(r);
    r->fault = field2_create(g);
    if (r->is->flags & MAEOTIS_NEEDS_WIND) r->wind = field2_create(g);
    for (int n = 0; n < r->is->n_processes; n++) {
        r->amount[n] = field2_create(g);
        r->names[n] = memory_format("ledger_process_%s", r->is->processes[n].name);
    }
    for (int n = 0; n < r->is->n_variables; n++) r->shades = r->shades || r->plan->attenuation[n] > 0;
    if (r->shades && state->temperature >= 0) state_make(state, STATE_shade, 0);
    return STATUS_OK;
}

Status reactions_open_inputs(Reactions *r) {
    return r ? kinetics_inputs_create(r->scenario, r->state->grid, &r->inputs) : STATUS_OK;
}

char *reactions_describe(const Reactions *r) {
    return r && r->inputs ? kinetics_inputs_describe(r->inputs) : NULL;
}

void reactions_destroy(Reactions **reactions) {
    Reactions *r = *reactions;
    if (!r) return;
    const Grid *g = r->state->grid;
    field2_destroy(g, &r->wind);
    kinetics_inputs_destroy(&r->inputs);
    field2_destroy(g, &r->fault);
    for (int n = 0; n < r->is->n_processes; n++) {
        field2_destroy(g, &r->amount[n]);
        memory_free(r->names[n]);
    }
    memory_free(r->plan);
    memory_free(r->gains);
    memory_free(r);
    *reactions = NULL;
}

void reactions_shade(Reactions *r) {
    State *s = r->state;
    if (!s->shade) return;
    Shade shade = {.g = grid_view(s->grid), .shade = s->shade};
    for (int n = 0; n < r->is->n_variables; n++) {
        if (!(r->plan->attenuation[n] > 0)) continue;
        shade.c[shade.count] = s->tracer[r->first + n].c;
        shade.per_unit[shade.count++] = r->plan->attenuation[n];
    }
    find_shade(r->exec, s->grid->blocks_c, shade);
}

static React react_of(const Reactions *r, const Exchange *exchange, double time, double dt) {
    const State *s = r->state;
    const ScenarioPhysics *physics = &r->scenario->physics;
    const Light water = exchange_water(&r->scenario->forcing.air);
    React args = {.g = grid_view(s->grid),
                  .dt = dt,
                  .plan = r->plan,
                  .options = {(int)r->scenario->kinetics.scheme, r->scenario->kinetics.most_substeps},
                  .depth = s->depth,
                  .sunk = r->inside ? r->inside->sunk : NULL,
                  .wide = r->inside ? r->inside->wide : NULL,
                  .lit = exchange ? exchange_wet(exchange) : NULL,
                  .temperature = s->temperature < 0 ? NULL : s->tracer[s->temperature].c,
                  .salinity = s->salinity < 0 ? NULL : s->tracer[s->salinity].c,
                  .anomaly = s->density,
                  .same_temperature = physics->density.reference_temperature_C,
                  .same_salinity = physics->density.reference_salinity,
                  .density = physics->water_density_kg_m3,
                  .light = exchange ? exchange_light(exchange) : NULL,
                  .wind = r->wind,
                  .stress = tracers_stress(r->tracers),
                  .blue = 1.0 - water.red,
                  .blue_m = water.blue_m,
                  .time = r->scenario->time.start + time,
                  .fault = r->fault};
    for (int n = 0; n < r->is->n_variables; n++) {
        args.c[n] = s->tracer[r->first + n].c;
        args.bed[n] = s->tracer[r->first + n].bed;
    }
    for (int n = 0; n < r->is->n_processes; n++) args.amount[n] = r->amount[n];
    for (int n = 0; n < r->plan->n_inputs; n++) args.input[n] = kinetics_inputs_field(r->inputs, n);
    return args;
}

/* This rank's first cell at which something is not finite any more. */
static Status check_faults(const Reactions *r, double time) {
    const Grid *g = r->state->grid;
    double most = 0;
    react_fault(r->exec, g->columns, (ReactFault){g->row, r->fault}, &most);
    if (!(most > 0)) return STATUS_OK;
    for (int n = 0; n < g->columns.count; n++)
        for (int i = g->columns.run[n].i0, j = g->columns.run[n].j; i < g->columns.run[n].i1; i++) {
            const int fault = (int)r->fault[AT2(*g, i, j)];
            if (fault > 0)
                return error_raise(
                    STATUS_FAILED,
                    "the kinetics module \"%s\" gave \"%s\" a non-finite value at %.6g, %.6g, %.10g s after "
                    "the start: its rates there are not finite, or huge; ./maeotis kinetics check tries them",
                    r->is->name, r->is->variables[fault - 1].name, g->x_c[i], g->y_c[j], time);
        }
    return STATUS_OK;
}

/* What the totals are for each variable. */
static void spread_totals(Reactions *r) {
    const int n_variables = r->is->n_variables, n_processes = r->is->n_processes;
    memset(r->gains, 0, (size_t)(n_variables * n_processes) * sizeof *r->gains);
    for (int p = 0; p < n_processes; p++)
        for (int t = 0; t < r->plan->process[p].n_terms; t++) {
            const PlanTerm *term = &r->plan->process[p].term[t];
            r->gains[term->state % n_variables * n_processes + p] += term->amount * r->total[p];
        }
}

/* What the processes did, and by it each variable's gain. Collective. */
static void find_gains_of_step(Reactions *r, double *gain) {
    const Grid *g = r->state->grid;
    for (int v = 0; v < r->is->n_variables; v++) gain[v] = 0;
    for (int first = 0; first < r->is->n_processes; first += MOST_SUMS) {
        const int left = r->is->n_processes - first, count = left < MOST_SUMS ? left : MOST_SUMS;
        const double *area[MOST_SUMS], *amount[MOST_SUMS];
        double sum[MOST_SUMS];
        for (int n = 0; n < count; n++) area[n] = g->counted_area, amount[n] = r->amount[first + n];
        sums_of_products(r->exec, g, count, area, amount, sum);
        for (int n = 0; n < count; n++) {
            const PlanProcess *process = &r->plan->process[first + n];
            r->total[first + n] += sum[n];
            for (int t = 0; t < process->n_terms; t++)
                gain[process->term[t].state % r->is->n_variables] += process->term[t].amount * sum[n];
        }
    }
}

Status reactions_step(Reactions *r, Forcing *forcing, const Exchange *exchange, double time, double dt) {
    const Grid *g = r->state->grid;
    double gain[MAEOTIS_MOST_VARIABLES];
    r->waiting += dt;
    if ((r->state->step + 1) % r->scenario->kinetics.every_steps != 0) {
        spread_totals(r); /* as they were, also after a restart */
        return STATUS_OK;
    }
    if (r->wind) TRY(forcing_wind_speed(forcing, r->wind));
    if (r->inputs) TRY(kinetics_inputs_advance(r->inputs, time));
    react(r->exec, g->blocks_c, react_of(r, exchange, time, r->waiting));
    r->waiting = 0;
    TRY(status_agree(g->comm, check_faults(r, time)));
    find_gains_of_step(r, gain);
    spread_totals(r);
    tracers_react(r->tracers, r->first, gain);
    return STATUS_OK;
}

const MaeotisKinetics *reactions_module(const Reactions *r) {
    return r->is;
}

const double *reactions_totals(const Reactions *r) {
    return r ? r->total : NULL;
}

const double *reactions_gains(const Reactions *r) {
    return r ? r->gains : NULL;
}

int reactions_number_count(const Reactions *r) {
    return r ? r->is->n_processes + 1 : 0;
}

void reactions_numbers(Reactions *r, StateNumber *out) {
    if (!r) return;
    for (int n = 0; n < r->is->n_processes; n++) *out++ = (StateNumber){r->names[n], &r->total[n]};
    *out = (StateNumber){"ledger_reactions_wait_s", &r->waiting};
}
