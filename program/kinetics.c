/* SPDX-License-Identifier: Apache-2.0
 *
 * maeotis kinetics: modules by themselves, in a box of water.
 */
#include "settings/kinetics.h"
#include "base/calendar.h"
#include "base/expression.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/options.h"
#include "kinetics/box.h"
#include "kinetics/module.h"
#include "program/commands.h"
#include "program/kinetics_check.h"
#include "settings/box.h"
#include "settings/load.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char HELP[] =
    "maeotis kinetics list [MODULE]          lists the modules, or the variables, parameters, inputs and "
    "processes "
    "of one\n"
    "maeotis kinetics run BOX.json           runs a module in a box of water, and writes a table\n"
    "maeotis kinetics check MODULE|BOX.json  tests a module over the ranges of its variables\n"
    "\n"
    "  -o, --output FILE.csv file of the table (default: the box's name with .csv)\n"
    "  --set /POINTER=VALUE  change the box, as for run; may be repeated\n"
    "\n"
    "MODULE is a name, or the path of a shared library. The columns of the table, with units, are time,\n"
    "variables, matter on the bed, and totals of the elements. ./maeotis plot FILE.csv draws it.\n"
    "check tests that elements are conserved, that rates are finite and independent of earlier calls, and "
    "that\n"
    "nothing becomes negative in long steps; it also reports the step an explicit scheme would need.\n"
    "\n"
    "Example: ./maeotis kinetics run scenarios/boxes/npzd.json -o npzd.csv\n";

/* ---- list ---- */

static void print_number(const MaeotisNumber *number, const char *unit) {
    if (number->factor == 0) return;
    if (number->parameter && number->factor == 1)
        printf(", %s", number->parameter);
    else if (number->parameter)
        printf(", %.6g x %s", number->factor, number->parameter);
    else
        printf(", %.6g", number->factor);
    printf(" %s", unit);
}

static void print_terms(const MaeotisTerm *terms) {
    for (int t = 0; t < MAEOTIS_MOST_TERMS && terms[t].variable; t++) {
        printf(" %+.6g", terms[t].factor);
        if (terms[t].parameter) printf(" %s", terms[t].parameter);
        printf(" %s", terms[t].variable);
    }
    printf("\n");
}

static void print_process(const MaeotisProcess *p) {
    static const char *const places[] = {"", " at the surface", " at the bed"};
    printf("  %-26s%s%s:", p->name, p->what ? p->what : "", places[p->place]);
    print_terms(p->terms);
}

static void print_diagnostic(const MaeotisDiagnostic *d) {
    printf("  %-26s[%s] %s:", d->name, d->units, d->long_name);
    print_terms(d->terms);
}

static void print_module(const MaeotisKinetics *m) {
    printf("%s: %s%s\n\nvariables\n", m->name, m->what,
           m->flags & MAEOTIS_DEVICE_SAFE ? "" : " (on CPUs only)");
    for (int n = 0; n < m->n_variables; n++) {
        const MaeotisVariable *v = &m->variables[n];
        printf("  %-26s[%s] %s, initially %.6g%s", v->name, v->units, v->long_name, v->initial,
               v->bed.exists ? ", with a bed" : "");
        if (v->sinking.factor != 0) print_number(&v->sinking, "m/s down");
        if (v->attenuation.factor != 0) print_number(&v->attenuation, "1/m per unit");
        for (int e = 0; e < MAEOTIS_ELEMENTS; e++)
            if (v->element[e] != 0) printf(", %.6g %s", v->element[e], kinetics_elements[e]);
        printf("\n");
    }
    printf("\nparameters\n");
    for (int n = 0; n < m->n_parameters; n++) {
        const MaeotisParameter *p = &m->parameters[n];
        printf("  %-34s%-10.6g [%s] %s; %.6g to %.6g; %s\n", p->name, p->value, p->units, p->what, p->least,
               p->most, p->source ? p->source : "an assumption");
    }
    if (kinetics_inputs(m) > 0) printf("\ninputs\n");
    for (int n = 0; n < kinetics_inputs(m); n++)
        printf("  %-34s%-10.6g [%s] %s; %.6g to %.6g\n", m->inputs[n].name, m->inputs[n].value,
               m->inputs[n].units, m->inputs[n].what, m->inputs[n].least, m->inputs[n].most);
    printf("\nprocesses\n");
    for (int n = 0; n < m->n_processes; n++) print_process(&m->processes[n]);
    if (m->n_diagnostics > 0) printf("\ndiagnostics\n");
    for (int n = 0; n < m->n_diagnostics; n++) print_diagnostic(&m->diagnostics[n]);
}

static Status list(const char *name) {
    KineticsModule module;
    char why[KINETICS_WHY];
    for (int n = 0; !name && kinetics_module_names[n]; n++)
        if (kinetics_open(kinetics_module_names[n], NULL, &module, why) == STATUS_OK)
            printf("%-16s%s\n", module.is->name, module.is->what);
    if (!name) return STATUS_OK;
    CHECK(kinetics_open(name, NULL, &module, why) == STATUS_OK, STATUS_BAD_INPUT,
          "the kinetics module \"%s\" is refused: %s", name, why);
    print_module(module.is);
    kinetics_close(&module);
    return STATUS_OK;
}

/* ---- run ---- */

typedef struct Varying {
    const Value *value;
    Expression *formula;
} Varying;

enum {
    TEMPERATURE_OF_BOX,
    SALINITY_OF_BOX,
    LIGHT_OF_BOX,
    WIND_OF_BOX,
    STRESS_OF_BOX,
    FIRST_INPUT,
    VARYING = FIRST_INPUT + MAEOTIS_MOST_INPUTS
};

static Status at_time(const Varying *v, double t, double *out) {
    *out = v->formula ? expression_at(v->formula, (ExpressionPoint){.t = t}) : v->value->constant;
    char number[32];
    CHECK(value_allows(v->value, *out), STATUS_BAD_INPUT, "%s: the formula gives %s after %g s, but it %s",
          v->value->place, log_number(*out, number), t, value_limits(v->value));
    return STATUS_OK;
}

/* On the bed lies so much per square metre: [mmol m-3] become [mmol m-2], and all else is times a metre. */
static void write_unit_of_bed(FILE *to, const char *units) {
    const size_t length = strlen(units);
    const bool per_volume = length > 4 && strcmp(units + length - 4, " m-3") == 0;
    fprintf(to, " [%.*s%s]", (int)(per_volume ? length - 4 : length), units, per_volume ? " m-2" : " m");
}

static void write_head(FILE *to, const MaeotisKinetics *m) {
    fprintf(to, "days");
    for (int n = 0; n < m->n_variables; n++)
        fprintf(to, ",%s [%s]", m->variables[n].name, m->variables[n].units);
    for (int n = 0; n < m->n_variables; n++)
        if (m->variables[n].bed.exists) {
            fprintf(to, ",%s_bed", m->variables[n].name);
            write_unit_of_bed(to, m->variables[n].units);
        }
    for (int e = 0; e < MAEOTIS_ELEMENTS; e++) fprintf(to, ",total_%s [mmol m-2]", kinetics_elements[e]);
    fprintf(to, "\n");
}

static void write_line(FILE *to, const KineticsBox *box, const MaeotisKinetics *m, double t,
                       const double *states) {
    fprintf(to, "%.10g", t / 86400);
    for (int n = 0; n < 2 * m->n_variables; n++)
        if (n < m->n_variables || m->variables[n - m->n_variables].bed.exists)
            fprintf(to, ",%.17g", states[n]);
    for (int e = 0; e < MAEOTIS_ELEMENTS; e++) fprintf(to, ",%.17g", kinetics_box_element(box, m, states, e));
    fprintf(to, "\n");
}

static void set_initial(const ScenarioKinetics *k, double *states) {
    const MaeotisKinetics *m = k->opened.is;
    for (int n = 0; n < m->n_variables; n++) {
        const Value *water = kinetics_settings_initial(k, n, false),
                    *bed = kinetics_settings_initial(k, n, true);
        states[n] = water ? water->constant : m->variables[n].initial;
        states[m->n_variables + n] = bed ? bed->constant : 0;
    }
}

static Status surroundings(const Varying *varying, const BoxFile *file, double t, KineticsBox *box) {
    TRY(at_time(&varying[TEMPERATURE_OF_BOX], t, &box->temperature));
    TRY(at_time(&varying[SALINITY_OF_BOX], t, &box->salinity));
    TRY(at_time(&varying[LIGHT_OF_BOX], t, &box->surface_light));
    TRY(at_time(&varying[WIND_OF_BOX], t, &box->wind));
    TRY(at_time(&varying[STRESS_OF_BOX], t, &box->bed_stress));
    for (int n = 0; n < kinetics_inputs(file->kinetics.opened.is); n++)
        TRY(at_time(&varying[FIRST_INPUT + n], t, &box->input[n]));
    box->time = file->start + t;
    return STATUS_OK;
}

static Status check_states(const MaeotisKinetics *m, const double *states, double t) {
    for (int n = 0; n < m->n_variables; n++)
        CHECK(isfinite(states[n]), STATUS_FAILED,
              "the kinetics module \"%s\" gave \"%s\" the value %g after %g s: its rates are not finite, or "
              "the scheme is unstable with this step",
              m->name, m->variables[n].name, states[n], t);
    return STATUS_OK;
}

static Status integrate(const BoxFile *file, const Varying *varying, FILE *to) {
    const MaeotisKinetics *m = file->kinetics.opened.is;
    static KineticsPlan plan;
    char why[KINETICS_WHY];
    double states[MOST_STATES] = {0}, amounts[MAEOTIS_MOST_PROCESSES] = {0};
    CHECK(kinetics_plan(&file->kinetics.opened, file->kinetics.parameter, &plan, why) == STATUS_OK,
          STATUS_BAD_INPUT, "the kinetics module \"%s\" is refused: %s", m->name, why);
    KineticsBox box = {.plan = &plan,
                       .options = {file->kinetics.scheme, file->kinetics.most_substeps},
                       .depth = file->depth_m,
                       .attenuation = file->attenuation_1_m,
                       .density = 1008};
    const int64_t steps = llround(file->duration_s / file->step_s),
                  every = llround(file->every_s / file->step_s);
    int64_t substeps = 0;
    set_initial(&file->kinetics, states);
    write_head(to, m);
    write_line(to, &box, m, 0, states);
    for (int64_t step = 1; step <= steps; step++) {
        /* the middle of the step, so that second order stays second order */
        TRY(surroundings(varying, file, ((double)step - 0.5) * file->step_s, &box));
        substeps += kinetics_box_step(&box, file->step_s, states, amounts);
        TRY(check_states(m, states, (double)step * file->step_s));
        if (step % every == 0 || step == steps) write_line(to, &box, m, (double)step * file->step_s, states);
    }
    fprintf(stderr, "%s: %lld steps, %.3g substeps each\n", m->name, (long long)steps,
            (double)substeps / (double)steps);
    for (int r = 0; r < m->n_processes; r++)
        fprintf(stderr, "  %-28s%14.6g per m2 of bed\n", m->processes[r].name, amounts[r]);
    return STATUS_OK;
}

static char *table_of(const char *path) {
    const char *slash = strrchr(path, '/'), *start = slash ? slash + 1 : path, *dot = strrchr(start, '.');
    return memory_format("%.*s.csv", dot && dot > start ? (int)(dot - start) : (int)strlen(start), start);
}

static Status run(const char *path, const char *output, const Overrides *overrides) {
    BoxFile *file;
    TRY(box_read(path, overrides->text, overrides->count, &file));
    char *name = output ? memory_copy_text(output) : table_of(path), why[160];
    Value input[MAEOTIS_MOST_INPUTS];
    const Value *values[VARYING] = {[TEMPERATURE_OF_BOX] = &file->temperature_C,
                                    [SALINITY_OF_BOX] = &file->salinity,
                                    [LIGHT_OF_BOX] = &file->light_W_m2,
                                    [WIND_OF_BOX] = &file->wind_m_s,
                                    [STRESS_OF_BOX] = &file->bed_stress_Pa};
    Varying varying[VARYING] = {{0}};
    const int count = FIRST_INPUT + kinetics_inputs(file->kinetics.opened.is);
    for (int n = FIRST_INPUT; n < count; n++) {
        input[n - FIRST_INPUT] = kinetics_settings_input(&file->kinetics, n - FIRST_INPUT);
        values[n] = &input[n - FIRST_INPUT];
    }
    Status status = STATUS_OK;
    for (int n = 0; n < count && status == STATUS_OK; n++) {
        varying[n].value = values[n];
        if (values[n]->kind == VALUE_EXPRESSION)
            status = expression_create(values[n]->expression, 1, 1, &varying[n].formula, why);
    }
    const size_t length = strlen(name);
    if (status == STATUS_OK && (length <= 4 || strcmp(name + length - 4, ".csv") != 0))
        status = error_raise(STATUS_BAD_INPUT, "-o %s: the name of the table must end with .csv", name);
    FILE *to = status == STATUS_OK ? fopen(name, "w") : NULL;
    if (!to && status == STATUS_OK) status = error_raise(STATUS_FAILED, "\"%s\" cannot be written", name);
    if (to) {
        status = integrate(file, varying, to);
        if (fclose(to) != 0 && status == STATUS_OK)
            status = error_raise(STATUS_FAILED, "\"%s\" cannot be written", name);
        if (status == STATUS_OK) printf("%s\n", name);
    }
    for (int n = 0; n < VARYING; n++) expression_destroy(&varying[n].formula);
    memory_free(name);
    box_destroy(&file);
    return status;
}

/* ---- the command ---- */

static Status dispatch(int argc, char **argv) {
    Overrides overrides = {.count = 0};
    const char *words[2] = {NULL, NULL}, *output = NULL;
    const Option options[] = {{"output", OPTION_TEXT, &output, .letter = 'o'},
                              {"set", OPTION_TAKE, &overrides, .take = overrides_take},
                              {NULL}};
    Operands operands = {"word", 0, 2, words};
    TRY(options_read("kinetics", argc, argv, options, &operands));
    if (operands.help) return fputs(HELP, stdout) < 0 ? STATUS_FAILED : STATUS_OK;
    const char *what = words[0] ? words[0] : "";
    if (strcmp(what, "list") == 0) return list(words[1]);
    CHECK(strcmp(what, "run") == 0 || strcmp(what, "check") == 0, STATUS_BAD_INPUT,
          "kinetics: use list, run or check, not \"%s\" (see ./maeotis kinetics --help)", what);
    CHECK(words[1], STATUS_BAD_INPUT, "kinetics: name a file (see ./maeotis kinetics --help)");
    return strcmp(what, "run") == 0 ? run(words[1], output, &overrides)
                                    : kinetics_check(words[1], &overrides);
}

int kinetics_command(int argc, char **argv) {
    kinetics_trust(true); /* it is there to execute the module that it is given */
    const Status status = dispatch(argc, argv);
    error_print(stderr);
    return status;
}
