/* SPDX-License-Identifier: Apache-2.0 */
#include "model/tracers/tracers_internal.h"

#include "base/memory.h"
#include "gpu/device.h"
#include "model/forcing/initial_field.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* Temperature and salinity, as each equation of state takes them. */
static const struct {
    const char *temperature, *temperature_name;
    const char *salinity, *salinity_unit, *salinity_name;
} carried_as[] = {

    [DENSITY_CONSTANT] = {"temperature of the water", "sea_water_temperature", "salinity of the water",
                          "1e-3", "sea_water_salinity"},
    [DENSITY_LINEAR] = {"temperature of the water", "sea_water_temperature", "salinity of the water", "1e-3",
                        "sea_water_salinity"},
    [DENSITY_EOS80] = {"potential temperature of the water", "sea_water_potential_temperature",
                       "practical salinity of the water", "1", "sea_water_practical_salinity"},
    [DENSITY_TEOS10] = {"conservative temperature of the water", "sea_water_conservative_temperature",
                        "absolute salinity of the water", "g kg-1", "sea_water_absolute_salinity"},
    [DENSITY_TEOS10_PRACTICAL] = {"potential temperature of the water", "sea_water_potential_temperature",
                                  "practical salinity of the water", "1", "sea_water_practical_salinity"},
};

/* "mmol m-3" in the water are "mmol m-2" on the bed. */
static void declare_bed(const ScenarioTracer *t, State *state) {
    const char *units = t->variable ? t->variable->units : "kg m-3";
    const size_t length = strlen(units);
    const bool per_volume = length >= 3 && strcmp(units + length - 3, "m-3") == 0;
    char *of_bed =
        per_volume ? memory_format("%.*sm-2", (int)(length - 3), units) : memory_format("%s m", units);
    char *words = t->variable ? memory_format("%s on the bed", t->variable->long_name)
                              : memory_copy_text("suspended matter on the bed");
    state_add_bed(state, of_bed, words);
    memory_free(of_bed), memory_free(words);
}

void tracers_declare(const Scenario *s, State *state) {
    const DensityEquation equation = s->physics.density.equation;
    if (s->initial.temperature_C.kind != VALUE_ABSENT) {
        state->temperature = state->n_tracers;
        state_add_tracer(state, "temperature", "degree_C", carried_as[equation].temperature,
                         carried_as[equation].temperature_name);
    }
    if (s->initial.salinity.kind != VALUE_ABSENT) {
        state->salinity = state->n_tracers;
        state_add_tracer(state, "salinity", carried_as[equation].salinity_unit, carried_as[equation].salinity,
                         carried_as[equation].salinity_name);
    }
    for (int n = 0; n < s->n_tracers; n++) {
        const ScenarioTracer *t = &s->tracers[n];
        char *words = t->variable ? memory_copy_text(t->variable->long_name)
                                  : memory_format("%s, carried by the water", t->name);
        const char *units = t->variable                   ? t->variable->units
                            : t->kind == TRACER_AGE       ? "s"
                            : t->kind == TRACER_SUSPENDED ? "kg m-3"
                            : t->units                    ? t->units
                                                          : "1";
        state_add_tracer(state, t->name, units, words, t->variable ? t->variable->standard_name : NULL);
        if (t->kind == TRACER_SUSPENDED) declare_bed(t, state);
        memory_free(words);
    }
}

static const Value *initial_value(const Scenario *s, const State *state, int tracer) {
    if (tracer == state->temperature) return &s->initial.temperature_C;
    if (tracer == state->salinity) return &s->initial.salinity;
    return &s->tracers[tracer - (state->n_tracers - s->n_tracers)].initial;
}

double **tracers_whole_field(Carried *c, int n) {
    double **all[WHOLE_FIELDS] = {&c->now,
                                  &c->left,
                                  &c->next,
                                  &c->guess,
                                  &c->summed[ALONG_X],
                                  &c->summed[ALONG_Y],
                                  &c->summed[ALONG_Z],
                                  &c->small_above,
                                  &c->small_below};
    return all[n];
}

static void part_create(Tracers *t, const Scenario *scenario, int n) {
    static const char *const what[NUMBERS] = {"initial", "sources", "air",      "boundaries",
                                              "least",   "most",    "reactions"};
    const Grid *g = t->state->grid;
    Part *p = &t->part[n];
    p->initial = initial_value(scenario, t->state, n);
    const int own = n - (t->state->n_tracers - scenario->n_tracers);
    if (own >= 0) {
        const ScenarioTracer *tracer = &scenario->tracers[own];
        p->settling = tracer->settling_m_s;
        p->decay = tracer->decay_1_s;
        p->ageing = tracer->kind == TRACER_AGE ? 1 : 0;
        p->reacts = tracer->variable != NULL;
        p->initial_bed = &tracer->initial_bed_kg_m2;
        p->bed = (Bed){t->state->tracer[n].bed, tracer->erosion_kg_m2_s, tracer->critical_erosion_Pa,
                       tracer->critical_deposition_Pa};
        if (p->bed.store && !t->stress) t->stress = field2_create(g);
    }
    if (n == t->state->temperature) p->ice = t->state->ice;
    p->heat_capacity = scenario->physics.water_density_kg_m3 * scenario->forcing.air.capacity_J_kg_K;
    p->least_ever = DBL_MAX; /* numbers, which a restart holds while all is dry, too */
    p->most_ever = -DBL_MAX;
    p->load = field2_create(g);
    p->carried = field2_create(g);
    for (int m = 0; m < NUMBERS; m++)
        p->number_names[m] = memory_format("ledger_%s_of_%s", what[m], t->state->tracer[n].name);
}

/* Where corrections may be made and bounds be looked for: not on land, not beyond open edges, not under a zoom. */
static void set_reach(Tracers *t) {
    const Grid *g = t->state->grid;
    field2_fill(g, t->reach, g->n3);
    for (int j = 0; j < g->n2; j++)
        for (int i = 0; i < g->n1; i++)
            if (g->counted_area[AT2(*g, i, j)] > 0) t->reach[AT2(*g, i, j)] = g->bottom_c[AT2(*g, i, j)];
    halo_exchange(t->halo, 1, &t->reach, 0, NULL);
    exec_wait(t->exec);
}

/* All ranks ask for sums pass by pass, so they must have the same tracers in each. */
static void set_at_once(Tracers *t) {
    const Grid *g = t->state->grid;
    t->at_once = passes_at_once(g, t->exec, t->scheme, t->reach, t->state->n_tracers);
    MPI_Allreduce(MPI_IN_PLACE, &t->at_once, 1, MPI_INT, MPI_MIN, g->comm);
}

Status tracers_create(const Scenario *scenario, const Subgrid *subgrid, State *state, Rivers *rivers,
                      Boundaries *boundaries, Exec exec, Tracers **out) {
    static const TransportScheme schemes[] = {[TRACERS_UPWIND] = TRANSPORT_LOW,
                                              [TRACERS_VAN_LEER] = TRANSPORT_VAN_LEER,
                                              [TRACERS_FCT] = TRANSPORT_FCT,
                                              [TRACERS_MATM] = TRANSPORT_IMPLICIT};
    const Grid *g = state->grid;
    Tracers *t = *out = ALLOCATE(1, Tracers);
    *t = (Tracers){.state = state, .exec = exec, .rivers = rivers, .boundaries = boundaries};
    t->scheme = schemes[scenario->physics.tracer_scheme];
    t->diffusivity = scenario->physics.diffusivity_m2_s;
    t->density = scenario->physics.water_density_kg_m3;
    t->full_stress_depth = fmax(scenario->physics.full_stress_depth_m, 1e-9);
    t->part = ALLOCATE(state->n_tracers + 1, Part);
    t->account = ALLOCATE(state->n_tracers + 1, TracerAccount);
    t->exchanged = ALLOCATE(3 * state->n_tracers + 1, double *);
    tally_create(g, &t->tally);
    TRY(status_agree(g->comm, rivers_add_tracers(rivers, scenario, state)));
    TRY(status_agree(g->comm, boundaries_add_tracers(boundaries, scenario, state)));
    brought_create(g, rivers, boundaries, &t->brought);
    if (state->n_tracers == 0) return STATUS_OK;
    for (int n = 0; n < state->n_tracers; n++) part_create(t, scenario, n);
    t->reach = field2_create(g);
    t->hot = field2_create(g);
    for (int n = 0; n < MOST_CARRIED && n < state->n_tracers; n++)
        t->contents[n] = (Contents){field2_create(g), field2_create(g), field2_create(g)};
    const bool mixes = scenario->physics.tracer_diffusivity_m2_s > 0 || state->horizontal_viscosity;
    const bool by_layers = scenario->physics.mix_along == MIX_ALONG_LAYERS;
    const int at_once = mixes && !by_layers && state->n_tracers < 2 ? 2 : state->n_tracers; /* fields */
    TRY(halo_create(g, at_once * (g->n3 + 2), &t->halo));
    set_reach(t);
    set_at_once(t);
    passes_create(g, exec, t->scheme, t->reach, t->at_once, &t->passes);
    if (t->scheme == TRANSPORT_IMPLICIT) {
        t->out = field3_create(g);
        TRY(implicit_transport_create(g, exec, t->halo, (MatmStep)scenario->solver.tracers_variant,
                                      scenario->solver.tracers_tolerance,
                                      scenario->solver.tracers_max_iterations, &t->implicit));
    }
    t->column_blocks = scenario->solver.tracers_column_blocks;
    if (mixes && !by_layers)
        t->levels = level_mixer_create(state, &scenario->physics, subgrid, t->reach, t->halo);
    if (mixes && by_layers) {
        t->spare = field3_create(g);
        TRY(tracer_diffusion_create(scenario, state, t->reach, passes_faces(t->passes), t->halo,
                                    &t->diffusion));
    }
    return STATUS_OK;
}

void tracers_destroy(Tracers **tracers) {
    Tracers *t = *tracers;
    if (!t) return;
    const Grid *g = t->state->grid;
    tracer_diffusion_destroy(&t->diffusion);
    level_mixer_destroy(&t->levels);
    implicit_transport_destroy(&t->implicit);
    rings_destroy(&t->rings);
    passes_destroy(&t->passes);
    for (int n = 0; n < t->state->n_tracers; n++) {
        Part *p = &t->part[n];
        field2_destroy(g, &p->load);
        field2_destroy(g, &p->carried);
        for (int m = 0; m < NUMBERS; m++) memory_free(p->number_names[m]);
    }
    for (int n = 0; n < MOST_CARRIED; n++) {
        double **planes[] = {&t->contents[n].mean, &t->contents[n].least, &t->contents[n].most};
        for (int m = 0; m < 3; m++) field2_destroy(g, planes[m]);
        for (int m = 0; m < WHOLE_FIELDS; m++) field3_destroy(g, tracers_whole_field(&t->whole[n], m));
    }
    double **planes[] = {&t->reach, &t->hot, &t->stress};
    for (int n = 0; n < 3; n++) field2_destroy(g, planes[n]);
    field3_destroy(g, &t->out);
    field3_destroy(g, &t->spare);
    halo_destroy(&t->halo);
    brought_destroy(&t->brought);
    memory_free(t->part);
    memory_free(t->account);
    memory_free(t->exchanged);
    tally_destroy(&t->tally);
    memory_free(t);
    *tracers = NULL;
}

bool tracers_need_drag(const Tracers *t) {
    return t->stress != NULL;
}

const double *tracers_stress(const Tracers *t) {
    return t->stress;
}

Mixing tracers_mixing(const Tracers *t, double dt, int first, int count) {
    const State *s = t->state;
    Mixing mixing = {.g = grid_view(s->grid),
                     .dt = dt,
                     .depth = s->depth,
                     .diffusivity = s->vertical_diffusivity,
                     .same_diffusivity = t->diffusivity,
                     .stress = t->stress,
                     .full_stress_depth = t->full_stress_depth,
                     .count = count};
    mixing.cut = column_cut(s->grid->n3, t->column_blocks);
    for (int n = 0; n < count; n++) {
        const Part *p = &t->part[first + n];
        mixing.c[n] = s->tracer[first + n].c;
        mixing.settling[n] = p->settling;
        mixing.ageing[n] = p->ageing;
        mixing.decay[n] = p->decay;
        mixing.bed[n] = p->bed;
        mixing.contents[n] = t->contents[n];
    }
    return mixing;
}

static void take_stock_from(Tracers *t, int from) {
    for (int first = from; first < t->state->n_tracers; first += MOST_CARRIED) {
        const int left = t->state->n_tracers - first, count = left < MOST_CARRIED ? left : MOST_CARRIED;
        find_contents(t->exec, t->state->grid->blocks_c, tracers_mixing(t, 0, first, count));
        account_ask(t, first, count, t->tally);
    }
    tally_answer(t->tally);
    account_close(t, 0, from);
}

void tracers_take_stock(Tracers *t) {
    take_stock_from(t, 0);
}

Status tracers_take_changes(Tracers *t) {
    const int count = t->state->n_tracers;
    double *before = ALLOCATE(count + 1, double);
    for (int n = 0; n < count; n++) before[n] = t->account[n].content + t->account[n].bed;
    take_stock_from(t, 0);
    for (int n = 0; n < count; n++)
        t->part[n].sources += t->account[n].content + t->account[n].bed - before[n];
    account_close(t, 0, 0); /* with these sources */
    memory_free(before);
    for (int n = 0; n < count; n++)
        CHECK(isfinite(t->account[n].content + t->account[n].bed), STATUS_BAD_INPUT,
              "\"%s\" was set to a value that is not finite", t->state->tracer[n].name);
    return STATUS_OK;
}

void tracers_react(Tracers *t, int from, const double *gains) {
    for (int n = from; n < t->state->n_tracers; n++) t->part[n].reactions += gains[n - from];
    take_stock_from(t, from);
}

static Status fill_bed(const Part *p, const Grid *g, const char *name, const Scenario *scenario) {
    double *bed = p->bed.store;
    if (!bed) return STATUS_OK;
    TRY(initial_fill_2d(p->initial_bed, name, g, 'c', scenario, bed));
    for (int j = -HALO; j < g->n2 + HALO; j++)
        for (int i = -HALO; i < g->n1 + HALO; i++)
            if (!(g->area[AT2(*g, i, j)] > 0)) bed[AT2(*g, i, j)] = 0;
    return STATUS_OK;
}

Status tracers_begin(Tracers *t, const double *below, const Scenario *scenario) {
    const State *s = t->state;
    for (int n = 0; n < s->n_tracers; n++)
        TRY(initial_fill_3d(t->part[n].initial, s->tracer[n].name, s->tracer[n].standard_name, s->grid, 'c',
                            s->depth, s->eta, below, scenario, s->tracer[n].c));
    for (int n = 0; n < s->n_tracers; n++)
        TRY(fill_bed(&t->part[n], s->grid, s->tracer[n].bed_name, scenario));
    tracers_take_stock(t);
    for (int n = 0; n < s->n_tracers; n++) {
        t->part[n].start = t->account[n].content + t->account[n].bed;
        t->account[n].error = 0;
    }
    return STATUS_OK;
}

void tracers_watch(Tracers *t, TracerWatch watch) {
    t->watch = watch;
}
