/* SPDX-License-Identifier: Apache-2.0
 *
 * The integration of kinetics modules: elements, positivity, order of convergence, against fine RK4; and what
 * is refused of a module.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "kinetics/box.h"
#include "kinetics/module.h"
#include "kinetics/modules/gas.h"
#include <math.h>
#include <string.h>

static const double DAY = 86400;

typedef struct Case {
    KineticsModule module;
    KineticsPlan plan;
    KineticsBox box;
} Case;

static void make(Case *c, const char *name, int scheme) {
    char why[KINETICS_WHY];
    double parameters[MAEOTIS_MOST_PARAMETERS];
    assert_int_equal(kinetics_open(name, NULL, &c->module, why), STATUS_OK);
    kinetics_defaults(c->module.is, parameters);
    assert_int_equal(kinetics_plan(&c->module, parameters, &c->plan, why), STATUS_OK);
    c->box = (KineticsBox){.plan = &c->plan,
                           .options = {scheme, 1},
                           .depth = 10,
                           .attenuation = 0.1,
                           .temperature = 20,
                           .salinity = 11,
                           .density = 1008,
                           .surface_light = 60,
                           .wind = 5};
    /* light is that of the beginning of the step: without shading, orders are the schemes' own */
    memset(c->plan.attenuation, 0, sizeof c->plan.attenuation);
}

static void run(const Case *c, double duration, int steps, double *states) {
    double amounts[MAEOTIS_MOST_PROCESSES] = {0};
    for (int n = 0; n < steps; n++) kinetics_box_step(&c->box, duration / steps, states, amounts);
}

static double distance(const double *a, const double *b, int n) {
    double most = 0;
    for (int v = 0; v < n; v++) most = fmax(most, fabs(a[v] - b[v]));
    return most;
}

static const double BLOOM[MOST_STATES] = {8, 1, 0.5, 0.5};

/* The error after five days falls with the step as the order says; the reference is RK4 with tiny steps. */
static void converges(int scheme, double least_order) {
    Case c;
    double errors[3], exact[MOST_STATES];
    memcpy(exact, BLOOM, sizeof exact);
    make(&c, "npzd", KINETICS_RK4);
    run(&c, 5 * DAY, 20000, exact);
    c.box.options.scheme = scheme;
    for (int n = 0; n < 3; n++) {
        double states[MOST_STATES];
        memcpy(states, BLOOM, sizeof states);
        run(&c, 5 * DAY, 200 << n, states);
        errors[n] = distance(states, exact, 4);
    }
    for (int n = 0; n < 2; n++)
        if (!(log2(errors[n] / errors[n + 1]) > least_order))
            fail_msg("scheme %d: errors %g, %g, %g", scheme, errors[0], errors[1], errors[2]);
    assert_true(errors[2] < 0.05);
}

static void schemes_have_their_orders(void **state) {
    (void)state;
    converges(KINETICS_PATANKAR_EULER, 0.85);
    converges(KINETICS_PATANKAR_RK2, 1.8);
    converges(KINETICS_RK2, 1.8);
    converges(KINETICS_RK4, 3.7);
}

/* A year in steps of half an hour, against steps of a minute with RK4. */
static void a_long_run_is_right(void **state) {
    (void)state;
    Case c;
    double fine[MOST_STATES], states[MOST_STATES];
    memcpy(fine, BLOOM, sizeof fine), memcpy(states, BLOOM, sizeof states);
    make(&c, "npzd", KINETICS_RK4);
    run(&c, 60 * DAY, 60 * 288, fine);
    c.box.options.scheme = KINETICS_PATANKAR_RK2;
    run(&c, 60 * DAY, 60 * 48, states);
    assert_true(distance(states, fine, 4) < 1e-3);
}

/* What is lost in much less than a step is integrated in parts of it. */
static void fast_losses_take_substeps(void **state) {
    (void)state;
    Case c;
    double fine[MOST_STATES], errors[2];
    memcpy(fine, BLOOM, sizeof fine);
    make(&c, "npzd", KINETICS_RK4);
    run(&c, 8 * DAY, 8000, fine);
    c.box.options.scheme = KINETICS_PATANKAR_RK2;
    for (int n = 0; n < 2; n++) {
        double states[MOST_STATES];
        memcpy(states, BLOOM, sizeof states);
        c.box.options.most_substeps = n ? 64 : 1;
        run(&c, 8 * DAY, 2, states);
        errors[n] = distance(states, fine, 4);
    }
    if (!(errors[1] < 0.5 * errors[0])) fail_msg("errors %g, %g", errors[0], errors[1]);
}

/* Each unit of a state shades as its attenuation says. */
static void states_shade(void **state) {
    (void)state;
    Case shaded, dim;
    double of_states[MOST_STATES], of_water[MOST_STATES];
    memcpy(of_states, BLOOM, sizeof of_states), memcpy(of_water, BLOOM, sizeof of_water);
    make(&shaded, "npzd", KINETICS_PATANKAR_RK2), make(&dim, "npzd", KINETICS_PATANKAR_RK2);
    shaded.plan.attenuation[1] = 0.25;
    dim.box.attenuation += 0.25 * BLOOM[1];
    run(&shaded, DAY / 48, 1, of_states), run(&dim, DAY / 48, 1, of_water);
    assert_true(distance(of_states, of_water, 4) == 0);
    memcpy(of_water, BLOOM, sizeof of_water);
    dim.box.attenuation = 0.1;
    run(&dim, DAY / 48, 1, of_water);
    assert_true(fabs(of_states[1] / of_water[1] - 1) > 1e-4);
}

static void check_totals(const char *name, double step, int steps) {
    Case c;
    for (int scheme = KINETICS_PATANKAR_EULER; scheme <= KINETICS_PATANKAR_RK2; scheme++) {
        make(&c, name, scheme);
        const MaeotisKinetics *m = c.module.is;
        double states[MOST_STATES] = {0}, amounts[MAEOTIS_MOST_PROCESSES] = {0}, before[MAEOTIS_ELEMENTS];
        for (int v = 0; v < m->n_variables; v++) states[v] = fmax(m->variables[v].initial, 0.2);
        double size[MAEOTIS_ELEMENTS] = {0};
        for (int e = 0; e < MAEOTIS_ELEMENTS; e++) before[e] = kinetics_box_element(&c.box, m, states, e);
        for (int v = 0; v < m->n_variables; v++)
            for (int e = 0; e < MAEOTIS_ELEMENTS; e++)
                size[e] += fabs(m->variables[v].element[e]) * states[v] * c.box.depth;
        for (int n = 0; n < steps; n++) kinetics_box_step(&c.box, step, states, amounts);
        for (int v = 0; v < 2 * m->n_variables; v++)
            if (!(states[v] >= 0)) fail_msg("%s: state %d is %g", name, v, states[v]);
        for (int e = 0; e < MAEOTIS_ELEMENTS; e++) {
            double made = 0, moved, scale = size[e];
            for (int r = 0; r < m->n_processes; r++) {
                const double part = amounts[r] * kinetics_made(m, &c.plan, r, e, &moved);
                if (m->processes[r].open >> e & 1) made += part, scale += fabs(part);
            }
            const double error = kinetics_box_element(&c.box, m, states, e) - before[e] - made;
            if (!(fabs(error) <= 1e-12 * scale)) fail_msg("%s: element %d is off by %g", name, e, error);
        }
    }
}

/* An explicit step of NPZD is stable up to less than three days (2/r): here up to 100 times as much. */
static void elements_are_conserved_and_nothing_is_negative(void **state) {
    (void)state;
    for (int n = 0; kinetics_module_names[n]; n++) {
        check_totals(kinetics_module_names[n], 600, 2000);
        check_totals(kinetics_module_names[n], 2 * DAY, 300);
        check_totals(kinetics_module_names[n], 250 * DAY, 100);
    }
}

static void explicit_steps_of_that_length_are_negative(void **state) {
    (void)state;
    Case c;
    double states[MOST_STATES], least = 0;
    memcpy(states, BLOOM, sizeof states);
    make(&c, "npzd", KINETICS_RK2);
    for (int n = 0; n < 20 && isfinite(least); n++) {
        run(&c, 20 * DAY, 1, states);
        for (int v = 0; v < 4; v++) least = fmin(least, states[v]);
    }
    assert_true(!(least >= 0));
}

/* ---- a chain that is solved by hand ---- */

static void chain_rates(const MaeotisEnvironment *e, const double *a, const double *const *c,
                        double *const *rate) {
    for (int p = 0; p < e->n; p++) rate[0][p] = a[0] * c[0][p];
}

static const MaeotisVariable chain_variables[] = {
    {"from", "mmol m-3", "decays", NULL, 1, 0, 2, .element = {1}},
    {"to", "mmol m-3", "is made", NULL, 0, 0, 2, .element = {1}},
};
static const MaeotisParameter chain_parameters[] = {{"rate", "s-1", "of decay", 1e-5, 0, 1, NULL}};
static const MaeotisProcess chain_processes[] = {
    {"decay", "from one to the other", MAEOTIS_WATER,
     .terms = {{.variable = "from", .factor = -1}, {.variable = "to", .factor = 1}}}};
static const MaeotisKinetics chain = {
    MAEOTIS_KINETICS_ABI, "chain",          "decay",         0,           2,    1,   1,
    chain_variables,      chain_parameters, chain_processes, chain_rates, NULL, NULL};

/* Patankar-Euler of a decay is the implicit Euler method, exactly. */
static void one_step_is_implicit(void **state) {
    (void)state;
    const KineticsModule module = {&chain, false, NULL, -1};
    KineticsPlan plan;
    char why[KINETICS_WHY];
    const double rate = 1e-5, dt = 3e6;
    double states[MOST_STATES] = {1, 0}, amounts[1] = {0};
    assert_int_equal(kinetics_plan(&module, &rate, &plan, why), STATUS_OK);
    const KineticsBox box = {.plan = &plan, .options = {KINETICS_PATANKAR_EULER, 1}, .depth = 2};
    kinetics_box_step(&box, dt, states, amounts);
    assert_true(fabs(states[0] - 1 / (1 + rate * dt)) < 1e-15);
    assert_true(fabs(states[0] + states[1] - 1) < 1e-15);
    assert_true(fabs(amounts[0] - 2 * states[1]) < 1e-15);
}

/* ---- oxygen ---- */

/* The check value of Garcia and Gordon (1992), and the Schmidt number 568 of Wanninkhof (2014) at 20 degree_C. */
static void oxygen_is_as_published(void **state) {
    (void)state;
    const double found = oxygen_saturation(10, 35);
    if (!(fabs(found - 274.610) < 1e-3)) fail_msg("saturation %.6f", found);
    const double transfer = oxygen_transfer(20, 10) * 360000; /* [cm/h] */
    if (!(fabs(transfer - 0.251 * 100 * sqrt(660 / 568.2)) < 0.01)) fail_msg("transfer %.6f cm/h", transfer);
}

/* ---- refusals ---- */

static void refused(const MaeotisKinetics *m, double rate, const char *words) {
    const KineticsModule module = {m, false, NULL, -1};
    KineticsPlan plan;
    char why[KINETICS_WHY] = "";
    assert_int_equal(kinetics_plan(&module, &rate, &plan, why), STATUS_BAD_INPUT);
    if (!strstr(why, words)) fail_msg("\"%s\" does not say \"%s\"", why, words);
}

static void bad_plans_are_refused(void **state) {
    (void)state;
    char why[KINETICS_WHY];
    KineticsModule module;
    refused(&chain, -1e-5, "\"rate\"");
    refused(&chain, NAN, "\"rate\"");
    MaeotisKinetics leaky = chain;
    const MaeotisProcess leak[] = {
        {"leak", "loses some", MAEOTIS_WATER,
         .terms = {{.variable = "from", .factor = -1}, {.variable = "to", .factor = 0.9}}}};
    leaky.processes = leak;
    refused(&leaky, 1e-5, "\"leak\" creates -0.1 of N");
    MaeotisKinetics eroded = chain;
    MaeotisVariable with_bed[2] = {chain.variables[0], chain.variables[1]};
    with_bed[0].bed = (MaeotisBed){1, {1e-3, NULL}, {0, NULL}, {0, NULL}};
    eroded.variables = with_bed;
    refused(&eroded, 1e-5, "above a stress of 0 Pa");
    assert_int_equal(kinetics_open("npz", NULL, &module, why), STATUS_BAD_INPUT);
    assert_int_equal(kinetics_open("./no_such_library.so", NULL, &module, why), STATUS_BAD_INPUT);
    assert_non_null(strstr(why, "cannot be loaded"));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(schemes_have_their_orders),
        cmocka_unit_test(fast_losses_take_substeps),
        cmocka_unit_test(states_shade),
        cmocka_unit_test(a_long_run_is_right),
        cmocka_unit_test(elements_are_conserved_and_nothing_is_negative),
        cmocka_unit_test(explicit_steps_of_that_length_are_negative),
        cmocka_unit_test(one_step_is_implicit),
        cmocka_unit_test(oxygen_is_as_published),
        cmocka_unit_test(bad_plans_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
