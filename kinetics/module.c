/* SPDX-License-Identifier: Apache-2.0 */
#include "kinetics/module.h"

#include "base/memory.h"
#include "kinetics/fabm.h"
#include "kinetics/guard.h"
#include "kinetics/modules/built_in.h"
#include "kinetics/modules/on_device.h"
#include <ctype.h>
#include <dlfcn.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const MaeotisKinetics *const built_in_modules[BUILT_IN_MODULES] = {
    [BUILT_IN_NPZD] = &npzd_kinetics,
    [BUILT_IN_OXYGEN] = &oxygen_kinetics,
    [BUILT_IN_AZOV] = &azov_kinetics,
};
enum { FIRST_WITH_INPUTS = 3 }; /* version of the interface */

#define BUILT_IN_NAMES                                                                                       \
    [BUILT_IN_NPZD] = "npzd", [BUILT_IN_OXYGEN] = "oxygen", [BUILT_IN_AZOV] = "azov-plankton"
static const char FABM[] = "fabm";
const char *const kinetics_module_names[BUILT_IN_MODULES + 1] = {BUILT_IN_NAMES};
const char *const kinetics_module_choices[BUILT_IN_MODULES + 2] = {BUILT_IN_NAMES, FABM};
const char *const kinetics_elements[MAEOTIS_ELEMENTS] = {"N", "P", "Si", "C", "O"};

__attribute__((format(printf, 2, 3))) static Status refuse(char *why, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, KINETICS_WHY, format, arguments);
    va_end(arguments);
    return STATUS_BAD_INPUT;
}

bool kinetics_is_path(const char *name) {
    const size_t length = strlen(name);
    return strchr(name, '/') || (length > 3 && strcmp(name + length - 3, ".so") == 0);
}

int kinetics_parameter(const MaeotisKinetics *m, const char *name) {
    for (int n = 0; n < m->n_parameters; n++)
        if (strcmp(m->parameters[n].name, name) == 0) return n;
    return -1;
}

int kinetics_variable(const MaeotisKinetics *m, const char *name) {
    for (int n = 0; n < m->n_variables; n++)
        if (strcmp(m->variables[n].name, name) == 0) return n;
    return -1;
}

int kinetics_diagnostic(const MaeotisKinetics *m, const char *name) {
    for (int n = 0; n < m->n_diagnostics; n++)
        if (strcmp(m->diagnostics[n].name, name) == 0) return n;
    return -1;
}

int kinetics_inputs(const MaeotisKinetics *m) {
    return m->abi >= FIRST_WITH_INPUTS ? m->n_inputs : 0;
}

int kinetics_input(const MaeotisKinetics *m, const char *name) {
    for (int n = 0; n < kinetics_inputs(m); n++)
        if (strcmp(m->inputs[n].name, name) == 0) return n;
    return -1;
}

/* Of a variable, or of its bed; -1: neither. */
static int state_of(const MaeotisKinetics *m, const char *name) {
    const int variable = kinetics_variable(m, name);
    if (variable >= 0) return variable;
    for (int n = 0; n < m->n_variables; n++) {
        const size_t length = strlen(m->variables[n].name);
        if (m->variables[n].bed.exists && strncmp(name, m->variables[n].name, length) == 0 &&
            strcmp(name + length, "_bed") == 0)
            return m->n_variables + n;
    }
    return -1;
}

/* ---- what the tables must hold ---- */

static bool is_word(const char *name) {
    if (!name || !isalpha((unsigned char)*name) || strlen(name) > 40) return false;
    for (; *name; name++)
        if (!isalnum((unsigned char)*name) && *name != '_') return false;
    return true;
}

static Status check_counts(const MaeotisKinetics *m, char *why) {
    const struct {
        const char *what;
        int count, least, most;
        const void *table;
    } tables[] = {{"variables", m->n_variables, 1, MAEOTIS_MOST_VARIABLES, m->variables},
                  {"parameters", m->n_parameters, 0, MAEOTIS_MOST_PARAMETERS, m->parameters},
                  {"processes", m->n_processes, 0, MAEOTIS_MOST_PROCESSES, m->processes},
                  {"diagnostics", m->n_diagnostics, 0, MAEOTIS_MOST_DIAGNOSTICS, m->diagnostics},
                  {"inputs", kinetics_inputs(m), 0, MAEOTIS_MOST_INPUTS, m->inputs}};
    /* the structure of an old module ends before its inputs */
    for (int n = 0; n < (m->abi >= FIRST_WITH_INPUTS ? 5 : 4); n++) {
        if (tables[n].count < tables[n].least || tables[n].count > tables[n].most)
            return refuse(why, "it has %d %s, but the number must be %d to %d", tables[n].count,
                          tables[n].what, tables[n].least, tables[n].most);
        if (tables[n].count > 0 && !tables[n].table)
            return refuse(why, "it has %d %s, but no table of them", tables[n].count, tables[n].what);
    }
    return STATUS_OK;
}

static Status check_number(const MaeotisKinetics *m, const char *of, const char *what, MaeotisNumber number,
                           char *why) {
    if (!isfinite(number.factor)) return refuse(why, "%s of \"%s\" is %g", what, of, number.factor);
    if (number.parameter && kinetics_parameter(m, number.parameter) < 0)
        return refuse(why, "%s of \"%s\" needs a parameter \"%s\", which the module does not have", what, of,
                      number.parameter);
    return STATUS_OK;
}

static Status check_variable(const MaeotisKinetics *m, int n, char *why) {
    const MaeotisVariable *v = &m->variables[n];
    if (!is_word(v->name))
        return refuse(why, "the name of its variable %d, \"%.60s\", must have letters, digits and _ only", n,
                      v->name ? v->name : "");
    if (kinetics_variable(m, v->name) < n) return refuse(why, "two variables are called \"%s\"", v->name);
    if (!v->units || !v->long_name) return refuse(why, "\"%s\" has no units or no long_name", v->name);
    if (!isfinite(v->initial) || v->initial < 0)
        return refuse(why, "the initial value of \"%s\" is %g; it must be a finite number, 0 or more",
                      v->name, v->initial);
    if (!isfinite(v->least) || !isfinite(v->most) || v->least < 0 || !(v->most >= v->least))
        return refuse(why, "the range of \"%s\", %g to %g, is empty", v->name, v->least, v->most);
    for (int e = 0; e < MAEOTIS_ELEMENTS; e++)
        if (!isfinite(v->element[e]))
            return refuse(why, "the %s of \"%s\" is %g", kinetics_elements[e], v->name, v->element[e]);
    TRY(check_number(m, v->name, "the sinking", v->sinking, why));
    TRY(check_number(m, v->name, "the attenuation", v->attenuation, why));
    TRY(check_number(m, v->name, "the erosion", v->bed.erosion, why));
    TRY(check_number(m, v->name, "the critical stress", v->bed.critical_erosion, why));
    return check_number(m, v->name, "the critical stress", v->bed.critical_deposition, why);
}

static Status check_parameter(const MaeotisKinetics *m, int n, char *why) {
    const MaeotisParameter *p = &m->parameters[n];
    if (!is_word(p->name))
        return refuse(why, "the name of its parameter %d, \"%.60s\", must have letters, digits and _ only", n,
                      p->name ? p->name : "");
    if (kinetics_parameter(m, p->name) < n) return refuse(why, "two parameters are called \"%s\"", p->name);
    if (!p->units || !p->what) return refuse(why, "\"%s\" has no units or no words", p->name);
    if (!isfinite(p->least) || !isfinite(p->most) || !(p->value >= p->least && p->value <= p->most))
        return refuse(why, "the default %g of the parameter \"%s\" is not in its range, %g to %g", p->value,
                      p->name, p->least, p->most);
    return STATUS_OK;
}

static Status check_process(const MaeotisKinetics *m, int n, char *why) {
    const MaeotisProcess *p = &m->processes[n];
    if (!is_word(p->name))
        return refuse(why, "the name of its process %d, \"%.60s\", must have letters, digits and _ only", n,
                      p->name ? p->name : "");
    for (int other = 0; other < n; other++)
        if (strcmp(m->processes[other].name, p->name) == 0)
            return refuse(why, "two processes are called \"%s\"", p->name);
    MaeotisRates *const rates[] = {m->water, m->surface, m->bed};
    static const char *const places[] = {"water", "surface", "bed"};
    if ((int)p->place < MAEOTIS_WATER || (int)p->place > MAEOTIS_BED)
        return refuse(why, "the process \"%s\" has an unknown place", p->name);
    if (!rates[p->place])
        return refuse(why, "the process \"%s\" needs the function \"%s\", which is NULL", p->name,
                      places[p->place]);
    for (int t = 0; t < MAEOTIS_MOST_TERMS && p->terms[t].variable; t++) {
        const int state = state_of(m, p->terms[t].variable);
        if (state < 0)
            return refuse(why, "the process \"%s\" changes \"%s\", which is not one of the variables",
                          p->name, p->terms[t].variable);
        if (state >= m->n_variables && p->place != MAEOTIS_BED)
            return refuse(why,
                          "the process \"%s\" changes \"%s\", which only processes at MAEOTIS_BED can change",
                          p->name, p->terms[t].variable);
        TRY(check_number(m, p->name, "a term", (MaeotisNumber){p->terms[t].factor, p->terms[t].parameter},
                         why));
    }
    return p->terms[0].variable ? STATUS_OK : refuse(why, "the process \"%s\" changes nothing", p->name);
}

static Status check_diagnostic(const MaeotisKinetics *m, int n, char *why) {
    const MaeotisDiagnostic *d = &m->diagnostics[n];
    if (!is_word(d->name))
        return refuse(why, "the name of its diagnostic %d, \"%.60s\", must have letters, digits and _ only",
                      n, d->name ? d->name : "");
    if (state_of(m, d->name) >= 0 || kinetics_diagnostic(m, d->name) < n)
        return refuse(why, "two variables or diagnostics are called \"%s\"", d->name);
    if (!d->units || !d->long_name) return refuse(why, "\"%s\" has no units or no long_name", d->name);
    for (int t = 0; t < MAEOTIS_MOST_TERMS && d->terms[t].variable; t++) {
        if (kinetics_variable(m, d->terms[t].variable) < 0)
            return refuse(why, "the diagnostic \"%s\" needs \"%s\", which is not one of the variables",
                          d->name, d->terms[t].variable);
        TRY(check_number(m, d->name, "a term", (MaeotisNumber){d->terms[t].factor, d->terms[t].parameter},
                         why));
    }
    return d->terms[0].variable ? STATUS_OK
                                : refuse(why, "the diagnostic \"%s\" is a sum without terms", d->name);
}

static Status check_input(const MaeotisKinetics *m, int n, char *why) {
    const MaeotisInput *i = &m->inputs[n];
    if (!is_word(i->name))
        return refuse(why, "the name of its input %d, \"%.60s\", must have letters, digits and _ only", n,
                      i->name ? i->name : "");
    if (kinetics_input(m, i->name) < n) return refuse(why, "two inputs are called \"%s\"", i->name);
    if (!i->units || !i->what) return refuse(why, "\"%s\" has no units or no words", i->name);
    if (!isfinite(i->least) || !isfinite(i->most) || !(i->least < i->most) ||
        !(i->value >= i->least && i->value <= i->most))
        return refuse(why, "the default %g of the input \"%s\" is not in its range, %g to %g", i->value,
                      i->name, i->least, i->most);
    return STATUS_OK;
}

static Status check_tables(const MaeotisKinetics *m, char *why) {
    if (!m->name || !m->what) return refuse(why, "it has no name or no words");
    TRY(check_counts(m, why));
    for (int n = 0; n < m->n_parameters; n++) TRY(check_parameter(m, n, why));
    for (int n = 0; n < m->n_variables; n++) TRY(check_variable(m, n, why));
    for (int n = 0; n < m->n_processes; n++) TRY(check_process(m, n, why));
    for (int n = 0; n < m->n_diagnostics; n++) TRY(check_diagnostic(m, n, why));
    for (int n = 0; n < kinetics_inputs(m); n++) TRY(check_input(m, n, why));
    return STATUS_OK;
}

/* ---- opening ---- */

static bool trusts_anything = false;

void kinetics_trust(bool anything) {
    trusts_anything = anything;
}

/* Is this file, or a folder above it, in the list? */
static bool is_trusted(const char *path) {
    const char *list = getenv("MAEOTIS_TRUST");
    char *real = realpath(path, NULL);
    bool found = trusts_anything;
    for (size_t length; real && list && *list && !found; list += length + (list[length] == ':')) {
        length = strcspn(list, ":");
        char *entry = memory_format("%.*s", (int)length, list),
             *folder = length ? realpath(entry, NULL) : NULL;
        const size_t whole = folder ? strlen(folder) : 0;
        found = whole && strncmp(real, folder, whole) == 0 && (real[whole] == '\0' || real[whole] == '/');
        memory_free(entry);
        free(folder);
    }
    free(real);
    return found;
}

static Status load(const char *path, KineticsModule *out, char *why) {
    union { /* a function's address, as POSIX gives it */
        void *address;
        const MaeotisKinetics *(*function)(void);
    } entry;
    out->is_loaded = true;
    if (access(path, F_OK) == 0 && !is_trusted(path))
        return refuse(why,
                      "it is a program, which only a run executes without being told to: add --trust, or "
                      "add its folder to MAEOTIS_TRUST");
    out->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!out->library) return refuse(why, "it cannot be loaded: %s", dlerror());
    entry.address = dlsym(out->library, "maeotis_kinetics");
    if (!entry.address)
        return refuse(why, "it has no function \"maeotis_kinetics\": is it a kinetics module?");
    guard_begin(path);
    out->is = entry.function();
    guard_end();
    if (!out->is) return refuse(why, "its maeotis_kinetics() returns NULL");
    if (out->is->abi != MAEOTIS_KINETICS_ABI && out->is->abi != FIRST_WITH_INPUTS - 1)
        return refuse(why,
                      "it was built for version %d of the interface, but this program has version %d: "
                      "rebuild it with this program's maeotis_kinetics.h",
                      out->is->abi, MAEOTIS_KINETICS_ABI);
    return STATUS_OK;
}

/* A model of FABM may crash as well. */
static Status open_fabm(const char *file, KineticsModule *out, char *why) {
    if (!file) return refuse(why, "it needs the description of its model: add \"file\": \"fabm.yaml\"");
    guard_begin(file);
    const Status status = fabm_open(file, &out->is, why, KINETICS_WHY);
    guard_end();
    out->is_loaded = true;
    return status;
}

Status kinetics_open(const char *name, const char *file, KineticsModule *out, char why[KINETICS_WHY]) {
    const bool by_fabm = strcmp(name, FABM) == 0;
    *out = (KineticsModule){.built_in = -1};
    for (int n = 0; n < BUILT_IN_MODULES; n++)
        if (strcmp(name, kinetics_module_names[n]) == 0)
            *out = (KineticsModule){.is = built_in_modules[n], .built_in = n};
    if (file && !by_fabm) return refuse(why, "it takes no \"file\": only \"%s\" does", FABM);
    if (!out->is && !by_fabm && !kinetics_is_path(name))
        return refuse(why, "there is no module of this name");
    Status status = out->is ? STATUS_OK : by_fabm ? open_fabm(file, out, why) : load(name, out, why);
    if (status == STATUS_OK) status = check_tables(out->is, why);
    if (status != STATUS_OK) kinetics_close(out);
    return status;
}

void kinetics_close(KineticsModule *module) {
    if (module->library) dlclose(module->library);
    if (module->is_loaded && !module->library && module->is) fabm_close();
    *module = (KineticsModule){.built_in = -1};
}

/* ---- the plan ---- */

void kinetics_defaults(const MaeotisKinetics *m, double *parameters) {
    for (int n = 0; n < m->n_parameters; n++) parameters[n] = m->parameters[n].value;
}

double kinetics_number(const MaeotisKinetics *m, const double *parameters, MaeotisNumber number) {
    return number.parameter ? number.factor * parameters[kinetics_parameter(m, number.parameter)]
                            : number.factor;
}

double kinetics_made(const MaeotisKinetics *m, const KineticsPlan *plan, int process, int element,
                     double *scale) {
    const PlanProcess *p = &plan->process[process];
    double sum = 0;
    *scale = 0;
    for (int t = 0; t < p->n_terms; t++) {
        const double part =
            p->term[t].amount * m->variables[p->term[t].state % m->n_variables].element[element];
        sum += part;
        *scale += fabs(part);
    }
    return sum;
}

static Status check_elements(const MaeotisKinetics *m, const KineticsPlan *plan, char *why) {
    for (int r = 0; r < m->n_processes; r++)
        for (int e = 0; e < MAEOTIS_ELEMENTS; e++) {
            double scale;
            const double made = kinetics_made(m, plan, r, e, &scale);
            if (fabs(made) > 1e-12 * scale && !(m->processes[r].open >> e & 1))
                return refuse(why,
                              "the process \"%s\" creates %.6g of %s per unit from nothing: correct its "
                              "terms or the elements of the variables, or declare MAEOTIS_OPEN_%s",
                              m->processes[r].name, made, kinetics_elements[e],
                              e == MAEOTIS_SI ? "SI" : kinetics_elements[e]);
        }
    return STATUS_OK;
}

static Status plan_variable(const MaeotisKinetics *m, int n, const double *parameters, KineticsPlan *plan,
                            char *why) {
    const MaeotisVariable *v = &m->variables[n];
    plan->has_bed[n] = v->bed.exists;
    plan->sinking[n] = kinetics_number(m, parameters, v->sinking);
    plan->attenuation[n] = kinetics_number(m, parameters, v->attenuation);
    if (!(plan->attenuation[n] >= 0))
        return refuse(why, "the attenuation of \"%s\" is %g: it must not be negative", v->name,
                      plan->attenuation[n]);
    if (!(fabs(plan->sinking[n]) <= 1))
        return refuse(why, "\"%s\" sinks by %g m/s: at most 1 m/s is possible", v->name, plan->sinking[n]);
    const double erosion = kinetics_number(m, parameters, v->bed.erosion),
                 critical = kinetics_number(m, parameters, v->bed.critical_erosion);
    if (v->bed.exists && !(erosion == 0 || (erosion > 0 && critical > 0)))
        return refuse(
            why,
            "\"%s\" is eroded at %g per s and m2 above a stress of %g Pa: the rate must be 0, or both "
            "positive",
            v->name, erosion, critical);
    if (v->bed.exists && plan->sinking[n] < 0) return refuse(why, "\"%s\" rises, but has a bed", v->name);
    return STATUS_OK;
}

Status kinetics_plan(const KineticsModule *module, const double *parameters, KineticsPlan *out,
                     char why[KINETICS_WHY]) {
    const MaeotisKinetics *m = module->is;
    *out = (KineticsPlan){.n_variables = m->n_variables,
                          .n_processes = m->n_processes,
                          .n_inputs = kinetics_inputs(m),
                          .built_in = module->built_in};
    for (int n = 0; n < m->n_parameters; n++) {
        const MaeotisParameter *p = &m->parameters[n];
        if (!(parameters[n] >= p->least && parameters[n] <= p->most))
            return refuse(why, "the parameter \"%s\" (%s) is %g %s, but it must be from %g to %g", p->name,
                          p->what, parameters[n], p->units, p->least, p->most);
        out->parameter[n] = parameters[n];
    }
    for (int n = 0; n < m->n_variables; n++) TRY(plan_variable(m, n, parameters, out, why));
    for (int r = 0; r < m->n_processes; r++) {
        const MaeotisProcess *from = &m->processes[r];
        PlanProcess *to = &out->process[r];
        to->place = from->place;
        for (; to->n_terms < MAEOTIS_MOST_TERMS && from->terms[to->n_terms].variable; to->n_terms++) {
            const MaeotisTerm *term = &from->terms[to->n_terms];
            to->term[to->n_terms] =
                (PlanTerm){state_of(m, term->variable),
                           kinetics_number(m, parameters, (MaeotisNumber){term->factor, term->parameter})};
        }
    }
    guard_rates(module->is_loaded ? m : NULL);
    out->water = module->is_loaded && m->water ? guarded_water : m->water;
    out->surface = module->is_loaded && m->surface ? guarded_surface : m->surface;
    out->bed = module->is_loaded && m->bed ? guarded_bed : m->bed;
    return check_elements(m, out, why);
}
