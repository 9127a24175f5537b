/* SPDX-License-Identifier: Apache-2.0 */
#include "program/kinetics_check.h"

#include "base/hash.h"
#include "kinetics/box.h"
#include "settings/box.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { TRIALS = 4000, REPEATED = 200 };
static const uint64_t STRIDE = 1000; /* of seeds, between states: more than a state needs */
static const double DAY = 86400;

typedef struct Trial {
    const MaeotisKinetics *is;
    const KineticsPlan *plan;
    KineticsBox box;
    double states[MOST_STATES];
    uint64_t seed;
} Trial;

/* From 0 to 1. */
static double any(Trial *t) {
    return (double)(hash_mix(++t->seed) >> 11) / 9007199254740992.0;
}

/* Often an end of the range, where things go wrong. */
static double within(Trial *t, double least, double most) {
    const double part = any(t);
    return part < 0.15 ? least : part > 0.85 ? most : least + (most - least) * (part - 0.15) / 0.7;
}

static void draw(Trial *t) {
    const int n = t->is->n_variables;
    t->box.depth = within(t, 0.2, 20);
    t->box.attenuation = 0.1;
    t->box.temperature = within(t, -1, 32);
    t->box.salinity = within(t, 0, 38);
    t->box.density = 1008;
    t->box.surface_light = within(t, 0, 450);
    t->box.wind = within(t, 0, 30);
    t->box.bed_stress = within(t, 0, 2);
    for (int i = 0; i < t->plan->n_inputs; i++)
        t->box.input[i] = within(t, t->is->inputs[i].least, t->is->inputs[i].most);
    for (int v = 0; v < n; v++) {
        t->states[v] = within(t, t->is->variables[v].least, t->is->variables[v].most);
        t->states[n + v] = t->plan->has_bed[v] ? within(t, 0, 10 * t->is->variables[v].most) : 0;
    }
}

static Status check_rates(Trial *t) {
    double rates[MAEOTIS_MOST_PROCESSES];
    for (int trial = 0; trial < TRIALS; trial++) {
        draw(t);
        kinetics_box_rates(&t->box, t->states, rates);
        for (int r = 0; r < t->is->n_processes; r++)
            CHECK(isfinite(rates[r]), STATUS_BAD_INPUT,
                  "the rate of \"%s\" of the kinetics module \"%s\" is %g at %.4g degrees C, salinity %.4g, "
                  "light "
                  "%.4g W/m2, \"%s\" %.4g ...",
                  t->is->processes[r].name, t->is->name, rates[r], t->box.temperature, t->box.salinity,
                  t->box.surface_light, t->is->variables[0].name, t->states[0]);
    }
    printf("rates       finite at %d states within the ranges\n", TRIALS);
    return STATUS_OK;
}

/* Rates must not depend on what was asked before: the same states once more, in the reverse order. */
static Status check_memory(Trial *t) {
    static double first[REPEATED][MAEOTIS_MOST_PROCESSES];
    const uint64_t seed = t->seed;
    double again[MAEOTIS_MOST_PROCESSES];
    for (int n = 0; n < 2 * REPEATED; n++) {
        const int trial = n < REPEATED ? n : 2 * REPEATED - 1 - n;
        double *rates = n < REPEATED ? first[trial] : again;
        t->seed = seed + (uint64_t)trial * STRIDE;
        draw(t);
        kinetics_box_rates(&t->box, t->states, rates);
        for (int r = 0; r < t->is->n_processes && n >= REPEATED; r++)
            CHECK(
                rates[r] == first[trial][r], STATUS_BAD_INPUT,
                "the rate of \"%s\" of the kinetics module \"%s\" is %.17g at a state and %.17g when "
                "computed again: it depends on earlier calls, but a module must not keep a state of its own",
                t->is->processes[r].name, t->is->name, first[trial][r], rates[r]);
    }
    printf("memory      none: %d states have the same rates in another order\n", REPEATED);
    return STATUS_OK;
}

/* Negative rates are allowed, and yet often a mistake. */
static void tell_signs(Trial *t) {
    bool negative[MAEOTIS_MOST_PROCESSES] = {false};
    double rates[MAEOTIS_MOST_PROCESSES];
    int count = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        draw(t);
        kinetics_box_rates(&t->box, t->states, rates);
        for (int r = 0; r < t->is->n_processes; r++) negative[r] = negative[r] || rates[r] < 0;
    }
    for (int r = 0; r < t->is->n_processes; r++)
        if (negative[r])
            printf("%s%s", count++ ? ", " : "signs       negative rates, which reverse their process: ",
                   t->is->processes[r].name);
    printf("%s", count ? "\n" : "signs       no rate is negative\n");
}

/* The least step at which an explicit Euler step makes something negative, and which variable it is. [s] */
static double explicit_step(const Trial *t, int *variable) {
    const KineticsPlan *plan = t->plan;
    double rates[MAEOTIS_MOST_PROCESSES], change[MOST_STATES] = {0}, least = INFINITY;
    kinetics_box_rates(&t->box, t->states, rates);
    for (int r = 0; r < plan->n_processes; r++)
        for (int n = 0; n < plan->process[r].n_terms; n++) {
            const PlanTerm *term = &plan->process[r].term[n];
            const bool spread = plan->process[r].place != MAEOTIS_WATER && term->state < plan->n_variables;
            change[term->state] += rates[r] * term->amount / (spread ? t->box.depth : 1);
        }
    for (int v = 0; v < 2 * plan->n_variables; v++)
        if (change[v] < 0 && t->states[v] / -change[v] < least) {
            least = t->states[v] / -change[v];
            *variable = v % plan->n_variables;
        }
    return least;
}

static void tell_stiffness(Trial *t) {
    double least = INFINITY;
    int which = 0;
    for (int trial = 0; trial < TRIALS; trial++) {
        int variable = 0;
        draw(t);
        for (int v = 0; v < 2 * t->is->n_variables; v++) /* what is not there says nothing about time */
            if (v < t->is->n_variables) t->states[v] = fmax(t->states[v], 1e-3 * t->is->variables[v].most);
        const double step = explicit_step(t, &variable);
        if (step < least) least = step, which = variable;
    }
    if (isfinite(least))
        printf("stiffness   explicit steps above %.3g s would make \"%s\" negative first\n", least,
               t->is->variables[which].name);
    else
        printf("stiffness   none: no process takes from a variable\n");
}

static double element_of(const Trial *t, int element, double *scale) {
    double sum = 0;
    *scale = 0;
    for (int v = 0; v < t->is->n_variables; v++) {
        const double part = t->is->variables[v].element[element] *
                            (t->states[v] * t->box.depth + t->states[t->is->n_variables + v]);
        sum += part;
        *scale += fabs(part);
    }
    return sum;
}

/* Elements and positivity, in steps far beyond stability. */
static Status check_steps(Trial *t) {
    double worst[MAEOTIS_ELEMENTS] = {0};
    bool used[MAEOTIS_ELEMENTS] = {false};
    for (int trial = 0; trial < TRIALS; trial++) {
        double amounts[MAEOTIS_MOST_PROCESSES] = {0}, before[MAEOTIS_ELEMENTS], scale[MAEOTIS_ELEMENTS];
        draw(t);
        for (int e = 0; e < MAEOTIS_ELEMENTS; e++) before[e] = element_of(t, e, &scale[e]);
        t->box.options = (KineticsOptions){trial % 2 ? KINETICS_PATANKAR_EULER : KINETICS_PATANKAR_RK2, 1};
        kinetics_box_step(&t->box, within(t, 1, 100 * DAY), t->states, amounts);
        for (int v = 0; v < 2 * t->is->n_variables; v++)
            CHECK(t->states[v] >= 0, STATUS_BAD_INPUT,
                  "\"%s\" of the kinetics module \"%s\" becomes %g in a step",
                  t->is->variables[v % t->is->n_variables].name, t->is->name, t->states[v]);
        for (int e = 0; e < MAEOTIS_ELEMENTS; e++) {
            double after_scale, after = element_of(t, e, &after_scale), opened = 0;
            for (int r = 0; r < t->is->n_processes; r++) {
                double moved;
                const double made = kinetics_made(t->is, t->plan, r, e, &moved);
                if (!(t->is->processes[r].open >> e & 1)) continue;
                opened += made * amounts[r];
                after_scale += fabs(made * amounts[r]);
            }
            const double error = fabs(after - opened - before[e]) / fmax(scale[e] + after_scale, 1e-300);
            used[e] = used[e] || scale[e] > 0;
            if (scale[e] > 0 && error > worst[e]) worst[e] = error;
        }
    }
    printf("positivity  kept in %d steps of up to 100 days\n", TRIALS);
    for (int e = 0; e < MAEOTIS_ELEMENTS; e++) {
        if (!used[e]) continue;
        printf("%-12sconserved to %.1e of its total\n", kinetics_elements[e], worst[e]);
        CHECK(worst[e] < 1e-11, STATUS_BAD_INPUT, "the kinetics module \"%s\" does not conserve %s",
              t->is->name, kinetics_elements[e]);
    }
    return STATUS_OK;
}

static Status try_module(const KineticsModule *module, const double *parameters) {
    static KineticsPlan plan;
    char why[KINETICS_WHY];
    CHECK(kinetics_plan(module, parameters, &plan, why) == STATUS_OK, STATUS_BAD_INPUT,
          "the kinetics module \"%s\" is refused: %s", module->is->name, why);
    Trial t = {
        .is = module->is, .plan = &plan, .box = {.plan = &plan, .options = {KINETICS_PATANKAR_EULER, 1}}};
    int assumed = 0;
    for (int n = 0; n < module->is->n_parameters; n++) assumed += !module->is->parameters[n].source;
    printf("%s: %s\n%d variables, %d processes, %d parameters (%d of them assumptions)\n", module->is->name,
           module->is->what, module->is->n_variables, module->is->n_processes, module->is->n_parameters,
           assumed);
    TRY(check_rates(&t));
    TRY(check_memory(&t));
    tell_signs(&t);
    TRY(check_steps(&t));
    tell_stiffness(&t);
    return STATUS_OK;
}

Status kinetics_check(const char *what, const Overrides *overrides) {
    const size_t length = strlen(what);
    if (length > 5 && strcmp(what + length - 5, ".json") == 0) {
        BoxFile *file;
        TRY(box_read(what, overrides->text, overrides->count, &file));
        const Status status = try_module(&file->kinetics.opened, file->kinetics.parameter);
        box_destroy(&file);
        return status;
    }
    KineticsModule module;
    char why[KINETICS_WHY];
    double parameters[MAEOTIS_MOST_PARAMETERS];
    CHECK(kinetics_open(what, NULL, &module, why) == STATUS_OK, STATUS_BAD_INPUT,
          "the kinetics module \"%s\" is refused: %s", what, why);
    kinetics_defaults(module.is, parameters);
    const Status status = try_module(&module, parameters);
    kinetics_close(&module);
    return status;
}
