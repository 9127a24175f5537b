/* SPDX-License-Identifier: Apache-2.0
 *
 * Variables: those that scenarios may write to files, under CSDMS Standard Names, and the ground. Inputs are what a caller
 * may change between steps.
 */
#include "base/memory.h"
#include "bmi/model.h"
#include "gpu/device.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static const char GROUND[] = "sea_bottom_surface__elevation";

/* "sea_water__" and the short name, in the letters that standard names have. */
static char *made_name(const char *name) {
    char *made = memory_format("sea_water__%s", name);
    for (char *c = made; *c; c++)
        *c = (char)(isalnum((unsigned char)*c) || *c == '_' ? tolower((unsigned char)*c) : '-');
    return made;
}

/* Short names of tracers are those of the scenario: temperature and salinity have rows of their own. */
static const char *known_name(const OutputVariable *what) {
    const OutputVariable *row = output_variable(what->name, false);
    return row ? row->csdms_name : NULL;
}

/* What a caller may give in the scenario's place under this name; -1: nothing. */
static int forcing_of(const Model *model, const OutputVariable *what) {
    const bool named = what->id == VARIABLE_WIND_STRESS_X || what->id == VARIABLE_WIND_STRESS_Y ||
                       what->id == VARIABLE_AIR_PRESSURE || what->id == VARIABLES;
    for (int n = 0; named && n < GIVEN_COUNT; n++)
        if (strcmp(what->name, given_name(n)->name) == 0 && given_possible(model->session->sim, n)) return n;
    return -1;
}

static bool is_input(const Model *model, const OutputVariable *what) {
    const bool flow = what->id == VARIABLE_ETA || what->id == VARIABLE_U || what->id == VARIABLE_V;
    return what->id == VARIABLE_TRACER || (flow && !model->session->sim->prescribed);
}

static void add(Model *model, const OutputVariable *what, bool ground) {
    const int forcing = ground ? -1 : forcing_of(model, what);
    const char *known = ground         ? GROUND
                        : forcing >= 0 ? given_name(forcing)->standard_name
                                       : known_name(what);
    model->variables = ENLARGE(model->variables, model->n_variables + 1, Variable);
    model->variables[model->n_variables++] =
        (Variable){.what = *what,
                   .standard_name = known ? memory_copy_text(known) : made_name(what->name),
                   .ground = ground,
                   .forcing = forcing,
                   .input = !ground && (forcing >= 0 || is_input(model, what))};
}

void variables_create(Model *model) {
    static const OutputVariable bed = {.name = "bed", .place = 'c', .always = true, .units = "m"};
    const State *state = model->session->sim->state;
    OutputVariable what;
    add(model, &bed, true);
    for (int n = 0; output_variable_names[n]; n++)
        if (output_variable_find(output_variable_names[n], false, state, &what)) add(model, &what, false);
    for (int n = 0; n < state->n_tracers; n++) {
        const Tracer *t = &state->tracer[n];
        if (!output_variable(t->name, false) && output_variable_find(t->name, false, state, &what))
            add(model, &what, false);
        if (t->bed && output_variable_find(t->bed_name, false, state, &what)) add(model, &what, false);
    }
    for (int n = 0; n < state->n_diagnostics; n++)
        if (output_variable_find(state->diagnostic[n].name, false, state, &what)) add(model, &what, false);
    for (int n = 0; n < state->n_events; n++)
        if (output_variable_find(state->event[n].duration_name, false, state, &what))
            add(model, &what, false);
    for (int n = 0; n < GIVEN_COUNT; n++) {
        const GivenName *given = given_name(n);
        if (given_possible(model->session->sim, n) && !output_variable(given->name, false))
            add(model,
                &(OutputVariable){.id = VARIABLES, .name = given->name, .place = 'c', .units = given->units},
                false);
    }
}

void variables_destroy(Model *model) {
    for (int n = 0; n < model->n_variables; n++) {
        memory_free(model->variables[n].standard_name);
        memory_free(model->variables[n].mirror);
        memory_free(model->variables[n].filled);
        memory_free(model->variables[n].given);
    }
    memory_free(model->variables);
    model->variables = NULL;
    model->n_variables = 0;
}

Variable *variable_find(Model *model, const char *name) {
    char *all = memory_copy_text("");
    for (int n = 0; n < model->n_variables; n++) {
        Variable *v = &model->variables[n];
        if (strcmp(name, v->standard_name) == 0 || strcmp(name, v->what.name) == 0) {
            memory_free(all);
            return v;
        }
        memory_append(&all, "%s%s", n ? ", " : "", v->what.name);
    }
    for (int n = 0; n < GIVEN_COUNT; n++)
        if (strcmp(name, given_name(n)->name) == 0 || strcmp(name, given_name(n)->standard_name) == 0) {
            memory_free(all);
            (void)error_raise(
                STATUS_BAD_INPUT,
                "%s: the scenario has no such forcing that a caller could replace; give it a constant one",
                name);
            return NULL;
        }
    (void)error_raise(STATUS_BAD_INPUT, "there is no variable \"%s\"; this run has %s", name, all);
    memory_free(all);
    return NULL;
}

int variable_grid(const Variable *v) {
    return v->forcing == GIVEN_DISCHARGE ? GRID_RIVERS
           : v->what.place == 'u'        ? GRID_FACES_U
           : v->what.place == 'v'        ? GRID_FACES_V
           : v->what.three_d             ? GRID_CELLS
                                         : GRID_COLUMNS;
}

static Piece piece_of(const Model *model, const Variable *v) {
    const Layout layout = layout_whole(model->session->sim->grid);
    return layout_piece(&layout, v->what.place);
}

static int levels_of(const Model *model, const Variable *v) {
    return v->what.three_d ? model->session->sim->grid->n3 : 1;
}

int64_t variable_size(const Model *model, const Variable *v) {
    if (v->forcing == GIVEN_DISCHARGE) return model->scenario->n_rivers;
    return piece_size(piece_of(model, v)) * levels_of(model, v);
}

/* What drives the sea, given by the caller or, of rivers, by the scenario; not a number where it is not known. */
static void forcing_get(const Model *model, const Variable *v, double *out) {
    const Simulation *sim = model->session->sim;
    const Grid *g = sim->grid;
    const double *given = given_values(sim, v->forcing);
    if (v->forcing == GIVEN_DISCHARGE) {
        for (int n = 0; n < model->scenario->n_rivers; n++)
            out[n] = rivers_discharge(sim->rivers, n, sim->state->time);
        return;
    }
    for (int j = 0; j < g->n2; j++)
        for (int i = 0; i < g->n1; i++) {
            const ptrdiff_t m = AT2(*g, i, j);
            *out++ = given && g->own_area[m] > 0 ? given[m] : NAN;
        }
}

void variable_get(const Model *model, const Variable *v, double *out) {
    const Simulation *sim = model->session->sim;
    const Grid *g = sim->grid;
    const Sea sea = {sim->state, sim->scenario->physics.water_density_kg_m3, NULL};
    const Piece p = piece_of(model, v);
    exec_wait(sim->exec);
    if (v->what.id == VARIABLES || (v->forcing >= 0 && given_values(sim, v->forcing))) {
        forcing_get(model, v, out);
        return;
    }
    for (int k = 0; k < levels_of(model, v); k++)
        for (int j = p.j0; j < p.j1; j++)
            for (int i = p.i0; i < p.i1; i++) {
                const ptrdiff_t m = AT2(*g, i, j);
                *out++ = !v->ground           ? output_value(&v->what, &sea, i, j, k)
                         : g->own_area[m] > 0 ? g->bed[m]
                                              : NAN;
            }
}

/* Sets the value at an element, if there can be water. */
static void put(Model *model, const Variable *v, double value, int i, int j, int k) {
    const Grid *g = model->session->sim->grid;
    State *s = model->session->sim->state;
    const Subgrid *inside = model->session->sim->subgrid;
    const ptrdiff_t m = AT2(*g, i, j), mk = AT(*g, i, j, k);
    switch (v->what.id) {
    case VARIABLE_ETA:
        if (g->own_area[m] > 0 && value != s->eta[m])
            s->depth[m] = subgrid_depth_at(inside, m, value - g->bed[m]);
        break;
    case VARIABLE_U:
        if (g->width_u[m] > 0 && k >= (int)g->bottom_u[m]) s->u[mk] = value;
        break;
    case VARIABLE_V:
        if (g->width_v[m] > 0 && k >= (int)g->bottom_v[m]) s->v[mk] = value;
        break;
    default:
        if (g->own_area[m] > 0 && k >= (int)g->bottom_c[m]) s->tracer[v->what.number].c[mk] = value;
    }
}

/* What a scenario may say of it. */
static Value limits_of(const Model *model, const Variable *v) {
    const ScenarioInitial *initial = &model->scenario->initial;
    const State *s = model->session->sim->state;
    if (v->what.id == VARIABLE_ETA) return initial->eta_m;
    if (v->what.id == VARIABLE_U) return initial->u_m_s;
    if (v->what.id == VARIABLE_V) return initial->v_m_s;
    if (v->what.id == VARIABLE_TRACER && v->what.number == s->temperature) return initial->temperature_C;
    if (v->what.id == VARIABLE_TRACER && v->what.number == s->salinity) return initial->salinity;
    return (Value){0};
}

/* The round-off of values that the sea had is none of the caller's. */
static Status check_value(const Variable *v, const Value *limits, double value, int64_t number) {
    if (value_allows(limits, value_rounded_into(value, limits->least, limits->most))) return STATUS_OK;
    return error_raise(STATUS_BAD_INPUT, "%s: value number %lld is %g, but it %s", v->what.name,
                       (long long)number, value, value_limits(limits));
}

/* NaN leaves what is there. */
static Status check_values(const Model *model, const Variable *v, const double *values, int64_t count) {
    const Value limits = limits_of(model, v);
    for (int64_t n = 0; n < count; n++)
        if (!isnan(values[n])) TRY(check_value(v, &limits, values[n], n));
    return STATUS_OK;
}

static Status check_view(const Model *model, const Variable *v) {
    const Grid *g = model->session->sim->grid;
    const Value limits = limits_of(model, v);
    const double *c = variable_field(model, v);
    for (int k = 0; k < g->n3; k++)
        for (int j = 0; j < g->n2; j++)
            for (int i = 0; i < g->n1; i++)
                if (g->own_area[AT2(*g, i, j)] > 0 && k >= (int)g->bottom_c[AT2(*g, i, j)])
                    TRY(check_value(v, &limits, c[AT(*g, i, j, k)], ((int64_t)k * g->n2 + j) * g->n1 + i));
    return STATUS_OK;
}

Status views_check(const Model *model) {
    if (!model->tracers_open) return STATUS_OK;
    exec_wait(model->session->sim->exec);
    for (int n = 0; n < model->n_variables; n++)
        if (model->variables[n].what.id == VARIABLE_TRACER) TRY(check_view(model, &model->variables[n]));
    return STATUS_OK;
}

/* All values of a variable, of which `count` are given; to be freed. */
static double *spread(const Model *model, const Variable *v, const double *values, const int *index,
                      int64_t count) {
    const int64_t size = variable_size(model, v);
    double *all = ALLOCATE(size + 1, double);
    for (int64_t n = 0; n < size; n++) all[n] = NAN;
    for (int64_t n = 0; n < count; n++) all[index ? index[n] : n] = values[n];
    return all;
}

Status variable_check(const Model *model, const Variable *v, const double *values, const int *index,
                      int64_t count) {
    const int64_t size = variable_size(model, v);
    CHECK(v->input, STATUS_BAD_INPUT, "%s cannot be set: the run computes it", v->what.name);
    TRY(check_values(model, v, values, count));
    for (int64_t n = 0; index && n < count; n++)
        CHECK(index[n] >= 0 && index[n] < size, STATUS_BAD_INPUT,
              "%s has no element %d: elements are 0 to %lld", v->what.name, index[n], (long long)size - 1);
    if (v->forcing < 0) return STATUS_OK;
    double *all = spread(model, v, values, index, count);
    const Status status = given_check(model->session->sim, v->forcing, all);
    memory_free(all);
    return status;
}

void variable_set(Model *model, Variable *v, const double *values, const int *index, int64_t count) {
    if (v->forcing >= 0) {
        memory_free(v->given);
        v->given = spread(model, v, values, index, count);
        return;
    }
    const Piece p = piece_of(model, v);
    const int64_t plane = piece_size(p);
    exec_wait(model->session->sim->exec);
    for (int64_t n = 0; n < count; n++) {
        const int64_t at = index ? index[n] : n, in_plane = at % plane;
        if (isnan(values[n])) continue;
        put(model, v, values[n], p.i0 + (int)(in_plane % p.count_x), p.j0 + (int)(in_plane / p.count_x),
            (int)(at / plane));
    }
    if (v->what.id == VARIABLE_TRACER)
        model->tracers_changed = true;
    else
        model->flow_changed = true;
}

/* The first values are of all cells: where this rank's own were not touched, those that its pointer shows. Local. */
static Status complete_first(Model *model, const int *given) {
    for (int n = 0; n < model->n_variables; n++) {
        Variable *v = &model->variables[n];
        if (v->forcing < 0 || v->forcing == GIVEN_DISCHARGE || !given[v->forcing] || v->given ||
            given_values(model->session->sim, v->forcing))
            continue;
        v->given = spread(model, v, v->mirror, NULL, v->mirror ? variable_size(model, v) : 0);
        TRY(given_check(model->session->sim, v->forcing, v->given));
    }
    return STATUS_OK;
}

Status variables_give(Model *model) {
    int given[GIVEN_COUNT] = {0};
    for (int n = 0; n < model->n_variables; n++)
        if (model->variables[n].given) given[model->variables[n].forcing] = 1;
    MPI_Allreduce(MPI_IN_PLACE, given, GIVEN_COUNT, MPI_INT, MPI_MAX, model->comm);
    Status status = status_agree(model->comm, complete_first(model, given));
    for (int n = 0; n < model->n_variables; n++) {
        Variable *v = &model->variables[n];
        if (v->forcing < 0 || !given[v->forcing]) continue;
        if (status == STATUS_OK) status = given_take(model->session->sim, v->forcing, v->given);
        if (status == STATUS_OK) model->session->restart_written = false;
        memory_free(v->given);
        v->given = NULL;
    }
    return status;
}

Status mirror_open(Model *model, Variable *v) {
    const int64_t size = variable_size(model, v);
    if (v->mirror) return STATUS_OK;
    v->mirror = ALLOCATE(size, double);
    v->filled = ALLOCATE(size, double);
    variable_get(model, v, v->mirror);
    memcpy(v->filled, v->mirror, (size_t)size * sizeof(double));
    return STATUS_OK;
}

static bool mirror_written(const Model *model, const Variable *v) {
    return v->mirror && memcmp(v->mirror, v->filled, (size_t)variable_size(model, v) * sizeof(double)) != 0;
}

/* Local. */
static Status check_mirrors(const Model *model) {
    for (int n = 0; n < model->n_variables; n++) {
        const Variable *v = &model->variables[n];
        if (mirror_written(model, v)) TRY(variable_check(model, v, v->mirror, NULL, variable_size(model, v)));
    }
    return STATUS_OK;
}

Status mirrors_take(Model *model) {
    TRY(status_agree(model->comm, check_mirrors(model)));
    for (int n = 0; n < model->n_variables; n++) {
        Variable *v = &model->variables[n];
        const int64_t size = variable_size(model, v);
        if (!mirror_written(model, v)) continue;
        variable_set(model, v, v->mirror, NULL, size);
        memcpy(v->filled, v->mirror, (size_t)size * sizeof(double));
    }
    return STATUS_OK;
}

void mirrors_fill(Model *model) {
    for (int n = 0; n < model->n_variables; n++) {
        Variable *v = &model->variables[n];
        if (!v->mirror) continue;
        variable_get(model, v, v->mirror);
        memcpy(v->filled, v->mirror, (size_t)variable_size(model, v) * sizeof(double));
    }
}

double *variable_field(const Model *model, const Variable *v) {
    const Simulation *sim = model->session->sim;
    return v->ground ? sim->grid->bed : (double *)output_field(&v->what, sim->state);
}
