/* SPDX-License-Identifier: Apache-2.0
 *
 * Fields files: maps of the requested variables, at instants or as means over intervals, and the ledger of
 * the run as series beside them. One record is one collective write of all variables.
 */
#include "output/fields.h"
#include "base/memory.h"
#include "output/value_rows.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char places[] = "cuv";

static int place_number(char place) {
    return (int)(strchr(places, place) - places);
}

/* ---- creating ---- */

static void fill_with_nan(const Grid *grid, double *field, bool three_d) {
    (three_d ? field3_fill : field2_fill)(grid, field, NAN);
}

static void make_room(FieldsFile *f, const Grid *grid) {
    f->row = ALLOCATE(grid->n1 + 1, double);
    for (int n = 0; n < f->n_shown; n++) {
        Shown *s = &f->shown[n];
        s->id = ncfile_find(&f->file, s->is->name);
        s->piece = layout_piece(&f->layout, s->is->place);
        s->n_levels = s->is->three_d ? f->window.n_levels : 1;
        s->values = ALLOCATE(piece_size(s->piece) * s->n_levels, float);
        if (s->is->id == VARIABLE_W) f->sums = (LayerSums){field2_create(grid), field2_create(grid), 0};
        if (!f->mean) continue;
        s->sum = s->is->three_d ? field3_create(grid) : field2_create(grid);
        fill_with_nan(grid, s->sum, s->is->three_d);
        double **wet = &f->wet[place_number(s->is->place)];
        if (!*wet) *wet = field2_create(grid);
    }
}

Status fields_create(const Making *making, FieldsFile **out) {
    const State *state = making->state;
    const ScenarioOutput *entry = making->entry;
    FieldsFile *f = *out = ALLOCATE(1, FieldsFile);
    f->key = memory_copy_text(making->key);
    f->state = state;
    f->start = state->start;
    f->water_density = making->scenario->physics.water_density_kg_m3;
    f->mean = entry->mean;
    f->scenario = making->scenario;
    f->budgets = making->scenario->kinetics.budgets ? making->scenario->kinetics.opened.is : NULL;
    f->from = f->until = making->since;
    /* what was due at the time of a restart belongs to the run before */
    f->schedule = making->follows              ? making->schedule
                  : f->mean || making->resumed ? schedule_after(entry->every_s, state->time)
                                               : schedule_from(entry->every_s, state->time);
    Status mine = fields_choose(f, making);
    if (mine == STATUS_OK)
        mine = window_create(state->grid, entry->has_box ? entry->box : NULL, entry->levels, entry->n_levels,
                             entry->place, &f->window);
    TRY(status_agree(state->grid->comm, mine));
    /* Of means, a run that stopped has left one of the part of an interval behind: the restart holds its
     * sums. */
    double last = 0, whole = f->mean ? f->schedule.next - entry->every_s : state->time;
    if (making->resumed)
        TRY(records_resume(state->grid->comm, making->path, records_due(making, f->mean, whole), whole,
                           &f->records, &last));
    if (f->records > 0) {
        f->schedule = records_schedule(making->path, entry->every_s, last, whole);
        TRY(fields_reopen(f, making));
    } else
        TRY(fields_define(f, making));
    make_room(f, state->grid);
    return ncfile_agree(&f->file);
}

/* ---- values ---- */

/* Goes up to level k with the sums that the variable needs, from the bottom if it is its first level: for the
 * values of this level. */
static Sea climb(FieldsFile *f, const Shown *s, const State *state, int k, bool first) {
    const bool sums = s->is->id == VARIABLE_W;
    if (sums && first) layer_sums_start(&f->sums, state, s->piece);
    if (sums) layer_sums_climb(&f->sums, state->grid, s->piece, k);
    return (Sea){state, f->water_density, sums ? &f->sums : NULL};
}

static void add_to_sum(const double *value, int count, double elapsed, double *sum) {
    for (int i = 0; i < count; i++) {
        const double now = elapsed * value[i], begun = isnan(sum[i]) ? now : sum[i] + now;
        sum[i] = isnan(now) ? sum[i] : begun;
    }
}

static void accumulate(FieldsFile *f, const State *state, double elapsed) {
    for (int p = 0; p < 3; p++) {
        if (!f->wet[p]) continue;
        Piece piece = layout_piece(&f->layout, places[p]);
        for (int j = piece.j0; j < piece.j1; j++)
            for (int i = piece.i0; i < piece.i1; i++)
                if (output_is_wet(state, places[p], i, j)) f->wet[p][AT2(*state->grid, i, j)] += elapsed;
    }
    for (int n = 0; n < f->n_shown; n++) {
        Shown *s = &f->shown[n];
        for (int l = 0; l < s->n_levels; l++) {
            int k = s->is->three_d ? f->window.levels[l] : 0;
            const Sea sea = climb(f, s, state, k, l == 0);
            for (int j = s->piece.j0, i0 = s->piece.i0, i1 = s->piece.i1; j < s->piece.j1; j++)
                if (output_row(s->is, &sea, i0, i1, j, k, f->row))
                    add_to_sum(f->row, i1 - i0, elapsed, &s->sum[AT(*state->grid, i0, j, k)]);
        }
    }
    f->until = state->time;
}

/* Of a row of cells. */
static void find_means(const FieldsFile *f, const Shown *s, int j, int k) {
    const Grid *grid = f->layout.grid;
    const double *seconds = f->wet[place_number(s->is->place)];
    for (int i = s->piece.i0; i < s->piece.i1; i++)
        f->row[i - s->piece.i0] =
            s->sum[AT(*grid, i, j, k)] / (s->is->always ? f->until - f->from : seconds[AT2(*grid, i, j)]);
}

/* `state` may be NULL where means are written. */
static void collect(FieldsFile *f, Shown *s, const State *state) {
    const int count = s->piece.i1 - s->piece.i0;
    float *value = s->values;
    for (int l = 0; l < s->n_levels; l++) {
        int k = s->is->three_d ? f->window.levels[l] : 0;
        const Sea sea = f->mean ? (Sea){0} : climb(f, s, state, k, l == 0);
        for (int j = s->piece.j0; j < s->piece.j1; j++, value += count) {
            bool any = true;
            if (f->mean)
                find_means(f, s, j, k);
            else
                any = output_row(s->is, &sea, s->piece.i0, s->piece.i1, j, k, f->row);
            for (int i = 0; i < count; i++)
                value[i] = any && !isnan(f->row[i]) ? (float)f->row[i] : FILL_FLOAT;
        }
    }
}

static void begin_interval(FieldsFile *f, const Grid *grid) {
    f->from = f->until;
    for (int p = 0; p < 3; p++)
        if (f->wet[p]) field2_fill(grid, f->wet[p], 0);
    for (int n = 0; n < f->n_shown; n++) fill_with_nan(grid, f->shown[n].sum, f->shown[n].is->three_d);
}

/* ---- writing ---- */

static void put_tracer_accounts(FieldsFile *f, const MPI_Offset *start, const MPI_Offset *one) {
    const State *state = f->state;
    for (int t = 0; t < state->n_tracers; t++)
        for (int n = 0; n < fields_tracer_series(f); n++) {
            char *name = memory_format("%s_%s", state->tracer[t].name, tracer_series[n].name);
            ncfile_put(&f->file, ncfile_find(&f->file, name), start, one, MPI_DOUBLE,
                       (const char *)&f->beside.ledger.tracers[t] + tracer_series[n].offset);
            memory_free(name);
        }
}

static void put_events(FieldsFile *f, const MPI_Offset *start, const MPI_Offset *one) {
    for (int e = 0; e < f->state->n_events; e++)
        for (int n = 0; n < N_EVENT_SERIES; n++) {
            char *name = memory_format("%s_%s", f->state->event[e].name, event_series[n].name);
            ncfile_put(&f->file, ncfile_find(&f->file, name), start, one, MPI_DOUBLE,
                       (const char *)&f->beside.ledger.events[e] + event_series[n].offset);
            memory_free(name);
        }
}

static void put_processes(FieldsFile *f) {
    const MaeotisKinetics *m = f->budgets;
    const MPI_Offset start[2] = {f->records, 0}, count[2] = {1, m->n_processes};
    for (int v = 0; v < m->n_variables; v++) {
        char *name = memory_format("%s_by_process", m->variables[v].name);
        ncfile_put(&f->file, ncfile_find(&f->file, name), start, count, MPI_DOUBLE,
                   f->beside.ledger.by_process + v * m->n_processes);
        memory_free(name);
    }
}

/* Zero, where a run failed within an interval. */
static void put_digest(FieldsFile *f, const MPI_Offset start[2]) {
    const MPI_Offset one[2] = {1, 1}, sixteen[2] = {1, 16};
    const uint64_t digest = f->beside.ledger.digest;
    int id;
    Beside *b = &f->beside;
    if (ncmpi_inq_varid(f->file.id, "digest", &id) == NC_NOERR) {
        memset(b->text, 0, sizeof b->text);
        if (digest) snprintf(b->text, sizeof b->text, "%016" PRIx64, digest);
        ncfile_put(&f->file, id, start, sixteen, MPI_CHAR, b->text);
        return;
    }
    b->digest[0] = (double)(digest >> 32), b->digest[1] = (double)(digest & UINT32_MAX);
    ncfile_put(&f->file, ncfile_find(&f->file, "digest_high"), start, one, MPI_DOUBLE, &b->digest[0]);
    ncfile_put(&f->file, ncfile_find(&f->file, "digest_low"), start, one, MPI_DOUBLE, &b->digest[1]);
}

static void put_beside(FieldsFile *f, const State *state) {
    Beside *b = &f->beside;
    NcFile *file = &f->file;
    MPI_Offset start[2] = {f->records, 0}, one[2] = {1, 1}, two[2] = {1, 2};
    b->time = f->mean ? 0.5 * (f->from + f->until) : state->time;
    b->bounds[0] = f->from;
    b->bounds[1] = f->until;
    ncfile_put(file, ncfile_find(file, "time"), start, one, MPI_DOUBLE, &b->time);
    if (f->mean) ncfile_put(file, ncfile_find(file, "time_bnds"), start, two, MPI_DOUBLE, b->bounds);
    for (int n = 0; n < fields_ledger_series(f); n++)
        ncfile_put(file, ncfile_find(file, ledger_series[n].name), start, one,
                   ledger_series[n].whole ? MPI_INT : MPI_DOUBLE,
                   (const char *)&b->ledger + ledger_series[n].offset);
    if (b->ledger.tracers) put_tracer_accounts(f, start, one);
    if (b->ledger.events) put_events(f, start, one);
    if (f->budgets && f->budgets->n_processes > 0 && b->ledger.by_process) put_processes(f);
    fields_put_structures(f);
    put_digest(f, start);
}

static Status write_record(FieldsFile *f, const State *state) {
    int rank;
    MPI_Comm_rank(f->layout.grid->comm, &rank);
    for (int n = 0; n < f->n_shown; n++) {
        Shown *s = &f->shown[n];
        collect(f, s, state);
        MPI_Offset start[4] = {f->records, 0, s->piece.start_y, s->piece.start_x};
        MPI_Offset count[4] = {1, s->n_levels, s->piece.count_y, s->piece.count_x};
        if (!s->is->three_d) {
            memmove(start + 1, start + 2, 2 * sizeof *start);
            memmove(count + 1, count + 2, 2 * sizeof *count);
        }
        ncfile_put(&f->file, s->id, start, count, MPI_FLOAT, s->values);
    }
    if (rank == 0) put_beside(f, state);
    TRY(ncfile_wait(&f->file));
    f->records++;
    return STATUS_OK;
}

Schedule fields_schedule(const FieldsFile *fields, double *since) {
    if (fields->mean) *since = fields->from;
    return fields->schedule;
}

bool fields_will_record(const FieldsFile *fields, double time) {
    return schedule_due(&fields->schedule, time);
}

bool fields_will_sample(const FieldsFile *fields, double time) {
    return fields->mean || fields_will_record(fields, time);
}

void fields_take_ledger(FieldsFile *f, const LedgerRow *ledger) {
    f->beside.ledger = *ledger;
}

Status fields_step(FieldsFile *f, const State *state, double elapsed, const LedgerRow *ledger) {
    fields_take_ledger(f, ledger);
    if (f->mean && elapsed > 0) accumulate(f, state, elapsed);
    if (!fields_will_record(f, state->time)) return STATUS_OK;
    TRY(write_record(f, state));
    schedule_advance(&f->schedule, state->time);
    if (f->mean) begin_interval(f, state->grid);
    return STATUS_OK;
}

void fields_hold(FieldsFile *f, Held *held) {
    static const char *const wet_names[] = {"wet_c", "wet_u", "wet_v"};
    if (!f->mean) return;
    held_add_number(held, f->key, "from", &f->from);
    held_add_number(held, f->key, "until", &f->until);
    for (int p = 0; p < 3; p++)
        if (f->wet[p]) held_add_field(held, f->key, wet_names[p], f->wet[p], false, places[p]);
    for (int n = 0; n < f->n_shown; n++) {
        const Shown *s = &f->shown[n];
        held_add_field(held, f->key, s->is->name, s->sum, s->is->three_d, s->is->place);
    }
}

Status fields_flush(FieldsFile *f) {
    return ncfile_flush(&f->file);
}

Status fields_close(FieldsFile *f, double time) {
    Status status = STATUS_OK;
    if (f->mean && f->until > f->from && !f->file.failed) status = write_record(f, NULL);
    return attributes_close(&f->file, status, f->start, NAN, time);
}

void fields_destroy(FieldsFile **fields) {
    FieldsFile *f = *fields;
    if (!f) return;
    const Grid *grid = f->layout.grid;
    for (int n = 0; n < f->n_shown; n++) {
        memory_free(f->shown[n].values);
        if (f->shown[n].is->three_d)
            field3_destroy(grid, &f->shown[n].sum);
        else
            field2_destroy(grid, &f->shown[n].sum);
    }
    for (int p = 0; p < 3; p++) field2_destroy(grid, &f->wet[p]);
    field2_destroy(grid, &f->sums.below);
    field2_destroy(grid, &f->sums.inflow);
    window_release(&f->window);
    memory_free(f->row);
    ncfile_abandon(&f->file);
    memory_free(f->shown);
    memory_free(f->process_names);
    memory_free(f->structure_names);
    memory_free(f->flows);
    memory_free(f->key);
    memory_free(f);
    *fields = NULL;
}
