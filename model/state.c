/* SPDX-License-Identifier: Apache-2.0 */
#include "model/state.h"

#include "base/memory.h"
#include "gpu/results.h"
#include "model/stock_kernels.h"
#include <stddef.h>

enum { PLANE, LEVELS, OPTION = 0, ALWAYS, PASSING = 0, RESTART, INSIDE = 0, SEEN };

#define ROW(name, shape, place, owner, restart, digest, output, meaning)                                     \
    [STATE_##name] = {#name,          shape == LEVELS, owner == ALWAYS, restart == RESTART,                  \
                      output == SEEN, place,           digest,          offsetof(State, name)},
static const StateFieldRow rows[] = {STATE_FIELDS(ROW)};

const StateFieldRow *state_field_row(int id) {
    return &rows[id];
}

double **state_member(State *s, int id) {
    return (double **)(void *)((char *)s + rows[id].member);
}

const double *state_field(const State *s, int id) {
    return *(double *const *)(const void *)((const char *)s + rows[id].member);
}

static void create(State *s, int id) {
    *state_member(s, id) = rows[id].three_d ? field3_create(s->grid) : field2_create(s->grid);
}

Status state_create(const Grid *grid, State **out) {
    State *s = ALLOCATE(1, State);
    s->grid = grid;
    s->temperature = s->salinity = -1;
    for (int id = 0; id < STATE_FIELD_COUNT; id++)
        if (rows[id].always) create(s, id);
    *out = s;
    return STATUS_OK;
}

void state_make(State *s, StateFieldId id, double value) {
    create(s, id);
    (rows[id].three_d ? field3_fill : field2_fill)(s->grid, *state_member(s, id), value);
}

static void destroy(const Grid *g, bool three_d, double **field) {
    if (three_d)
        field3_destroy(g, field);
    else
        field2_destroy(g, field);
}

void state_destroy(State **state) {
    State *s = *state;
    if (!s) return;
    for (int id = 0; id < STATE_FIELD_COUNT; id++) destroy(s->grid, rows[id].three_d, state_member(s, id));
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
    for (int n = 0; n < s->n_kept; n++) {
        destroy(s->grid, s->kept[n].three_d, &s->kept[n].data);
        memory_free((void *)(uintptr_t)s->kept[n].name);
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

static bool is_in_restart(const State *s, int id) {
    return rows[id].in_restart && state_field(s, id);
}

int state_field_count(const State *s) {
    int count = s->n_tracers + s->n_kept;
    for (int id = 0; id < STATE_FIELD_COUNT; id++) count += is_in_restart(s, id);
    return count;
}

void state_fields(const State *s, StateField *out) {
    for (int id = 0; id < STATE_FIELD_COUNT; id++)
        if (is_in_restart(s, id))
            *out++ = (StateField){rows[id].name, (double *)(uintptr_t)state_field(s, id), rows[id].three_d,
                                  rows[id].place, false};
    for (int n = 0; n < s->n_tracers; n++)
        *out++ = (StateField){s->tracer[n].name, s->tracer[n].c, true, 'c', false};
    for (int n = 0; n < s->n_kept; n++) *out++ = s->kept[n];
}

static void digest(const Grid *g, const double *field, RunList cells, uint64_t salt, uint64_t *sum) {
    field_digest_ask(g->exec, cells, (Digested){grid_view(g), field, salt}, sum);
}

/* The cells, columns or faces that a field belongs to. */
static RunList cells_of(const Grid *g, const StateFieldRow *row) {
    if (!row->three_d) return g->columns;
    return row->place == 'u' ? g->cells_u : row->place == 'v' ? g->cells_v : g->cells;
}

enum { DIGEST_TRACERS = 4, DIGEST_BEDS = 7 };

void state_digest_ask(const State *s, uint64_t *sum) {
    const Grid *g = s->grid;
    for (int id = 0; id < STATE_FIELD_COUNT; id++)
        if (rows[id].digest && state_field(s, id))
            digest(g, state_field(s, id), cells_of(g, &rows[id]), (uint64_t)rows[id].digest << 60, sum);
    for (int n = 0; n < s->n_tracers; n++) {
        const Tracer *t = &s->tracer[n];
        digest(g, t->c, g->cells, ((uint64_t)DIGEST_TRACERS << 60) + ((uint64_t)n << 52), sum);
        if (t->bed) digest(g, t->bed, g->columns, ((uint64_t)DIGEST_BEDS << 60) + ((uint64_t)n << 52), sum);
    }
}

uint64_t state_digest(const State *s) {
    uint64_t sum = 0;
    state_digest_ask(s, &sum);
    results_fetch(s->grid->exec);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, s->grid->comm);
    return sum;
}
