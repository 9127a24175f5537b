/* SPDX-License-Identifier: Apache-2.0 */
#include "output/output.h"

#include "base/memory.h"
#include "numerics/grid/halo.h"
#include "output/mirror.h"
#include "output/parts.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* One output and its file, of those that are cut the one of now; one of the four is not NULL. */
typedef struct Entry {
    FieldsFile *fields;
    StationsFile *stations;
    ExtremesFile *extremes;
    HarmonicsFile *harmonics;
    const ScenarioOutput *is;
    char *path, *key;
    double part_end; /* of the file [s since the start]; INFINITY: the output is not cut */
    int parts;       /* files so far */
} Entry;

struct Output {
    const Scenario *scenario;
    RunFacts *facts;
    Entry *entries;
    int n_entries;
    char **paths; /* of the entries' first files, NULL at the end */
    Held held;
    Halo *halo;
    Mirror *mirror; /* what the files see */
    bool copies;    /* has any rank's mirror something to copy? */
    double time;    /* of the last step that was seen */
};

/* A name for NetCDF out of the file's name: "azov_{start}.nc" -> "azov_start_nc". */
static char *key_of(const ScenarioOutput *entry) {
    char *key = memory_format("held_%s", entry->file), *end = key;
    for (const char *c = key; *c; c++) {
        if (isalnum((unsigned char)*c))
            *end++ = *c;
        else if (end[-1] != '_') /* "held_" stands before it */
            *end++ = '_';
    }
    *end = '\0';
    return key;
}

static void choose_keys(Output *output) {
    for (int n = 0; n < output->n_entries; n++) {
        Entry *entry = &output->entries[n];
        entry->key = key_of(entry->is);
        for (int m = 0; m < n; m++) /* "a-b.nc" and "a_b.nc", or two names without a Latin letter */
            if (strcmp(entry->key, output->entries[m].key) == 0) memory_append(&entry->key, "_%d", n + 1);
    }
}

static Status create_entry(Entry *entry, Making *making) {
    making->entry = entry->is;
    making->path = entry->path;
    making->key = entry->key;
    making->part_end = entry->part_end;
    entry->parts++;
    switch (entry->is->kind) {
    case OUTPUT_FIELDS:
        return fields_create(making, &entry->fields);
    case OUTPUT_STATIONS:
        return stations_create(making, &entry->stations);
    case OUTPUT_EXTREMES:
        return extremes_create(making, &entry->extremes);
    case OUTPUT_HARMONICS:
        return harmonics_create(making, &entry->harmonics);
    }
    return STATUS_OK;
}

/* What restarts carry of the files that are open. */
static void hold_all(Output *output) {
    held_release(&output->held);
    for (int n = 0; n < output->n_entries; n++) {
        Entry *entry = &output->entries[n];
        if (entry->fields) fields_hold(entry->fields, &output->held);
        if (entry->extremes) extremes_hold(entry->extremes, &output->held);
        if (entry->harmonics) harmonics_hold(entry->harmonics, &output->held);
    }
}

static void destroy_file(Entry *entry) {
    fields_destroy(&entry->fields);
    stations_destroy(&entry->stations);
    extremes_destroy(&entry->extremes);
    harmonics_destroy(&entry->harmonics);
}

static void destroy(Output **output) {
    Output *o = *output;
    for (int n = 0; n < o->n_entries; n++) {
        Entry *entry = &o->entries[n];
        destroy_file(entry);
        memory_free(entry->path);
        memory_free(entry->key);
        memory_free(o->paths[n]);
    }
    facts_release(&o->facts);
    mirror_destroy(&o->mirror);
    held_release(&o->held);
    halo_destroy(&o->halo);
    memory_free(o->entries);
    memory_free(o->paths);
    memory_free(o);
    *output = NULL;
}

/* `time`: up to which there are data. The last mean of a part may end in the next one. */
static Status close_entry(Entry *entry, double time) {
    const bool means = entry->fields && entry->is->mean;
    const double until = means ? time : fmin(time, entry->part_end);
    if (entry->fields) return fields_close(entry->fields, until);
    if (entry->stations) return stations_close(entry->stations, until);
    if (entry->extremes) return extremes_close(entry->extremes);
    if (entry->harmonics) return harmonics_close(entry->harmonics);
    return STATUS_OK;
}

/* ---- parts of outputs that are cut ---- */

/* The file of the part that holds the time. Collective. */
static Status open_part(Output *output, Entry *entry, double time, Making *making) {
    const MPI_Comm comm = making->state->grid->comm;
    int rank;
    MPI_Comm_rank(comm, &rank);
    memory_free(entry->path);
    entry->path = path_of_entry(output->scenario, entry->is, time);
    entry->part_end = output_part_end(entry->is, output->scenario->time.start, time);
    TRY(status_agree(comm, rank == 0 ? path_make_folders(entry->path) : STATUS_OK));
    return create_entry(entry, making);
}

/* A mean belongs to the part in which its interval begins. */
static double first_of(const ScenarioOutput *is, double time) {
    return is->kind == OUTPUT_FIELDS && is->mean ? schedule_after(is->every_s, time).next - is->every_s
                                                 : time;
}

/* Does the part end before what this step brings? Moments belong to the part that they begin, intervals to the one in
 * which they lie. `since`: where the next part's data begin. */
static bool part_ends(const Output *output, const Entry *entry, double time, Schedule *schedule,
                      double *since) {
    bool brings = true;
    *since = entry->extremes || (entry->is->mean && entry->fields) ? output->time : time;
    if (entry->fields) {
        brings = entry->is->mean || fields_will_record(entry->fields, time);
        *schedule = fields_schedule(entry->fields, since);
    } else if (entry->stations) {
        brings = stations_will_sample(entry->stations, time);
        *schedule = stations_schedule(entry->stations);
    }
    return brings && *since >= entry->part_end - SCHEDULE_EARLY_S;
}

/* Begins new files where parts end. Collective. */
static Status change_parts(Output *output, double time) {
    bool changed = false;
    for (int n = 0; n < output->n_entries; n++) {
        Entry *entry = &output->entries[n];
        Making making = {.scenario = output->scenario,
                         .facts = output->facts,
                         .state = mirror_state(output->mirror),
                         .follows = true};
        if (!part_ends(output, entry, time, &making.schedule, &making.since)) continue;
        TRY(close_entry(entry, making.since));
        destroy_file(entry);
        TRY(open_part(output, entry, making.since, &making));
        changed = true;
    }
    if (changed) hold_all(output);
    return STATUS_OK;
}

Status output_create(const Scenario *scenario, const RunFacts *facts, const State *state, bool resumed,
                     Output **out) {
    Output *output = ALLOCATE(1, Output);
    output->scenario = scenario;
    output->entries = ALLOCATE(scenario->n_outputs, Entry);
    output->paths = ALLOCATE(scenario->n_outputs + 1, char *);
    output->n_entries = scenario->n_outputs;
    output->time = state->time;
    output->facts = facts_share(state->grid->comm, facts);
    Status status = STATUS_OK;
    int copies = 0;
    for (int n = 0; n < output->n_entries; n++) output->entries[n].is = &scenario->outputs[n];
    choose_keys(output);
    ATTEMPT(status_agree(state->grid->comm, mirror_create(state, &output->mirror)));
    copies = mirror_copies(output->mirror);
    MPI_Allreduce(MPI_IN_PLACE, &copies, 1, MPI_INT, MPI_MAX, state->grid->comm);
    output->copies = copies;
    Making making = {.scenario = scenario,
                     .facts = output->facts,
                     .state = mirror_state(output->mirror),
                     .resumed = resumed,
                     .since = state->time};
    for (int n = 0; n < output->n_entries; n++) {
        Entry *entry = &output->entries[n];
        ATTEMPT(open_part(output, entry, first_of(entry->is, state->time), &making));
        output->paths[n] = memory_copy_text(entry->path);
    }
    hold_all(output);
    ATTEMPT(halo_create(state->grid, 2 * state->grid->n3 + 2, &output->halo));
cleanup:
    if (status != STATUS_OK) destroy(&output);
    *out = output;
    return status;
}

/* A run that begins at its restart file has extremes of its own, and so has a part that begins there. */
void output_resume(Output *output, const State *state, bool begins) {
    for (int n = 0; n < output->n_entries; n++) {
        Entry *entry = &output->entries[n];
        if (!entry->extremes) continue;
        const double before =
            output_part_end(entry->is, output->scenario->time.start, state->time - 2 * SCHEDULE_EARLY_S);
        if (before < entry->part_end || (begins && entry->is->since == SINCE_START))
            extremes_begin_anew(entry->extremes, state->time);
    }
}

/* What files look at now; the same on all ranks. */
typedef struct Looks {
    bool sampled;   /* the state, for a record */
    bool each_step; /* for extremes and harmonics */
} Looks;

static Looks looks_at(const Output *output, const State *state) {
    Looks looks = {false, false};
    for (int n = 0; n < output->n_entries; n++) {
        const Entry *entry = &output->entries[n];
        looks.sampled |= entry->fields && fields_will_sample(entry->fields, state->time);
        looks.sampled |= entry->stations && stations_will_sample(entry->stations, state->time);
        looks.each_step |= entry->extremes || entry->harmonics;
    }
    return looks;
}

/* Fetches what the files will look at. The model itself keeps no halos of stress and fluxes. */
static Status fetch(Output *output, const State *state, Looks looks) {
    double *const flat[] = {state->stress_u, state->stress_v};
    double *const deep[] = {state->flux_u, state->flux_v};
    if (looks.sampled) halo_exchange(output->halo, 2, flat, 2, deep);
    exec_wait(state->grid->exec);
    return output->copies ? status_agree(state->grid->comm, mirror_update(output->mirror, state)) : STATUS_OK;
}

Status output_step(Output *output, const State *original, const LedgerRow *ledger) {
    double elapsed = original->time - output->time;
    const Looks looks = looks_at(output, original);
    TRY(change_parts(output, original->time));
    if (looks.sampled || looks.each_step) TRY(fetch(output, original, looks));
    const State *state = mirror_state(output->mirror);
    for (int n = 0; n < output->n_entries; n++) {
        Entry *entry = &output->entries[n];
        if (entry->fields) TRY(fields_step(entry->fields, state, elapsed, ledger));
        if (entry->stations) TRY(stations_step(entry->stations, state, ledger));
        if (entry->extremes) extremes_step(entry->extremes, state, elapsed);
        if (entry->harmonics) harmonics_step(entry->harmonics, state, elapsed);
    }
    output->time = original->time;
    return STATUS_OK;
}

void output_take_ledger(Output *output, const LedgerRow *ledger) {
    for (int n = 0; n < output->n_entries; n++)
        if (output->entries[n].fields) fields_take_ledger(output->entries[n].fields, ledger);
}

bool output_will_record(const Output *output, double time) {
    for (int n = 0; n < output->n_entries; n++)
        if (output->entries[n].fields && fields_will_record(output->entries[n].fields, time)) return true;
    return false;
}

Status output_flush(const Output *output) {
    for (int n = 0; n < output->n_entries; n++) {
        const Entry *entry = &output->entries[n];
        if (entry->fields) TRY(fields_flush(entry->fields));
        if (entry->stations) TRY(stations_flush(entry->stations));
        if (entry->extremes) TRY(extremes_flush(entry->extremes));
        if (entry->harmonics) TRY(harmonics_flush(entry->harmonics));
    }
    return STATUS_OK;
}

Status output_close(Output **output) {
    if (!*output) return STATUS_OK;
    Status status = STATUS_OK;
    for (int n = 0; n < (*output)->n_entries; n++) {
        Status one = close_entry(&(*output)->entries[n], (*output)->time);
        if (status == STATUS_OK) status = one;
    }
    destroy(output);
    return status;
}

const char *const *output_files(const Output *output) {
    return (const char *const *)output->paths;
}

int output_parts(const Output *output, int n) {
    return output->entries[n].parts;
}

const Held *output_held(const Output *output) {
    return &output->held;
}
