/* SPDX-License-Identifier: Apache-2.0 */
#include "model/state.h"

#include "base/memory.h"
#include "gpu/results.h"
#include "model/stock_kernels.h"
#include <string.h>

static double **plane_fields(State *s, int n) {
    double **all[] = {&s->depth,    &s->eta,      &s->depth_u,  &s->depth_v,
                      &s->stress_u, &s->stress_v, &s->increment};
    return n < 7 ? all[n] : NULL;
}

static double **level_fields(State *s, int n) {
    double **all[] = {&s->u, &s->v, &s->flux_u, &s->flux_v, &s->flux_w};
    return n < 5 ? all[n] : NULL;
}

static double **wave_fields(State *s, int n) {
    double **all[] = {&s->wave_height, &s->wave_period, &s->wave_x, &s->wave_y, &s->wave_stress};
    return n < 5 ? all[n] : NULL;
}

Status state_create(const Grid *grid, bool air_pressure, State **out) {
    State *s = ALLOCATE(1, State);
    s->grid = grid;
    s->temperature = s->salinity = -1;
    for (int n = 0; plane_fields(s, n); n++) *plane_fields(s, n) = field2_create(grid);
    for (int n = 0; level_fields(s, n); n++) *level_fields(s, n) = field3_create(grid);
    if (air_pressure) s->air_pressure = field2_create(grid);
    *out = s;
    return STATUS_OK;
}

void state_destroy(State **state) {
    State *s = *state;
    if (!s) return;
    for (int n = 0; plane_fields(s, n); n++) field2_destroy(s->grid, plane_fields(s, n));
    for (int n = 0; level_fields(s, n); n++) field3_destroy(s->grid, level_fields(s, n));
    field2_destroy(s->grid, &s->air_pressure);
    field2_destroy(s->grid, &s->equilibrium);
    field2_destroy(s->grid, &s->heat_flux);
    for (int n = 0; wave_fields(s, n); n++) field2_destroy(s->grid, wave_fields(s, n));
    field2_destroy(s->grid, &s->roughness);
    field3_destroy(s->grid, &s->horizontal_viscosity);
    for (int n = 0; n < s->n_tracers; n++) {
        Tracer *t = &s->tracer[n];
        field3_destroy(s->grid, &t->c);
        memory_free(t->name), memory_free(t->units), memory_free(t->long_name), memory_free(t->standard_name);
        memory_free(t->bed_units), memory_free(t->bed_long_name);
    }
    memory_free(s->tracer);
    memory_free(s->diagnostic);
    for (int n = 0; n < s->n_events; n++)
        memory_free(s->event[n].condition), memory_free(s->event[n].duration_words);
    memory_free(s->event);
    field3_destroy(s->grid, &s->viscosity_next);
    field3_destroy(s->grid, &s->density);
    field3_destroy(s->grid, &s->shade);
    for (int n = 0; n < s->n_kept; n++) {
        StateField *kept = &s->kept[n];
        if (kept->three_d)
            field3_destroy(s->grid, &kept->data);
        else
            field2_destroy(s->grid, &kept->data);
        memory_free((void *)(uintptr_t)kept->name);
    }
    memory_free(s->kept);
    memory_free(s);
    *state = NULL;
}

void state_add_tracer(State *s, const char *name, const char *units, const char *long_name,
                      const char *standard_name) {
    s->tracer = ENLARGE(s->tracer, s->n_tracers + 1, Tracer);
    s->tracer[s->n_tracers++] =
        (Tracer){.name = memory_copy_text(name),
                 .units = memory_copy_text(units),
                 .long_name = memory_copy_text(long_name),
                 .standard_name = standard_name ? memory_copy_text(standard_name) : NULL,
                 .c = field3_create(s->grid)};
}

void state_add_bed(State *s, const char *units, const char *long_name) {
    Tracer *t = &s->tracer[s->n_tracers - 1];
    char *name = memory_format("%s_bed", t->name);
    t->bed = state_keep(s, name, false, 'c');
    t->bed_name = s->kept[s->n_kept - 1].name;
    t->bed_units = memory_copy_text(units);
    t->bed_long_name = memory_copy_text(long_name);
    memory_free(name);
}

TracerSum *state_add_diagnostic(State *s, const MaeotisDiagnostic *is) {
    s->diagnostic = ENLARGE(s->diagnostic, s->n_diagnostics + 1, Diagnostic);
    Diagnostic *d = &s->diagnostic[s->n_diagnostics++];
    *d = (Diagnostic){is->name, is->units, is->long_name, is->standard_name, {0}};
    return &d->sum;
}

double *state_keep(State *s, const char *name, bool three_d, char place) {
    double *data = three_d ? field3_create(s->grid) : field2_create(s->grid);
    s->kept = ENLARGE(s->kept, s->n_kept + 1, StateField);
    s->kept[s->n_kept++] = (StateField){memory_copy_text(name), data, three_d, place, false};
    return data;
}

void state_swap(State *s, double **kept, double **other) {
    double *was = *kept;
    for (int n = 0; n < s->n_kept; n++)
        if (s->kept[n].data == was) s->kept[n].data = *other;
    *kept = *other;
    *other = was;
}

enum { FIELDS_OF_WATER = 9 };

int state_field_count(const State *s) {
    return FIELDS_OF_WATER + s->n_tracers + s->n_kept;
}

void state_fields(const State *s, StateField *out) {
    const StateField all[FIELDS_OF_WATER] = {
        {"depth", s->depth, false, 'c', false},
        {"increment", s->increment, false, 'c', false},
        {"depth_u", s->depth_u, false, 'u', false},
        {"depth_v", s->depth_v, false, 'v', false},
        {"u", s->u, true, 'u', false},
        {"v", s->v, true, 'v', false},
        {"flux_u", s->flux_u, true, 'u', false},
        {"flux_v", s->flux_v, true, 'v', false},
        {"flux_w", s->flux_w, true, 'w', false},
    };
    memcpy(out, all, sizeof all);
    for (int n = 0; n < s->n_tracers; n++)
        out[FIELDS_OF_WATER + n] = (StateField){s->tracer[n].name, s->tracer[n].c, true, 'c', false};
    for (int n = 0; n < s->n_kept; n++) out[FIELDS_OF_WATER + s->n_tracers + n] = s->kept[n];
}

static void digest(const Grid *g, const double *field, RunList cells, uint64_t salt, uint64_t *sum) {
    field_digest_ask(g->exec, cells, (Digested){grid_view(g), field, salt}, sum);
}

void state_digest_ask(const State *s, uint64_t *sum) {
    const Grid *g = s->grid;
    digest(g, s->depth, g->columns, 0x1000000000000000u, sum);
    digest(g, s->u, g->cells_u, 0x2000000000000000u, sum);
    digest(g, s->v, g->cells_v, 0x3000000000000000u, sum);
    for (int n = 0; n < s->n_tracers; n++)
        digest(g, s->tracer[n].c, g->cells, 0x4000000000000000u + ((uint64_t)n << 52), sum);
    for (int n = 0; n < s->n_tracers; n++)
        if (s->tracer[n].bed)
            digest(g, s->tracer[n].bed, g->columns, 0x7000000000000000u + ((uint64_t)n << 52), sum);
    if (s->w) digest(g, s->w, g->cells, 0x5000000000000000u, sum);
    if (s->q) digest(g, s->q, g->cells, 0x6000000000000000u, sum);
}

uint64_t state_digest(const State *s) {
    uint64_t sum = 0;
    state_digest_ask(s, &sum);
    results_fetch(s->grid->exec);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, s->grid->comm);
    return sum;
}
