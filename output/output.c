/* SPDX-License-Identifier: Apache-2.0 */
#include "output/output.h"

#include "base/memory.h"
#include "numerics/grid/halo.h"
#include "output/mirror.h"
#include "output/parts.h"

#include <ctype.h>
#include <string.h>

/* One file; one of the four is not NULL. */
typedef struct Entry {
    FieldsFile *fields;
    StationsFile *stations;
    ExtremesFile *extremes;
    HarmonicsFile *harmonics;
    char *path, *key;
} Entry;

struct Output {
    Entry *entries;
    int n_entries;
    char **paths; /* of the entries, NULL at the end */
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

static Status choose_paths(Output *output, const Scenario *scenario, int rank) {
    for (int n = 0; n < scenario->n_outputs; n++) {
        Entry *entry = &output->entries[n];
        entry->path = output->paths[n] = path_of_entry(scenario, &scenario->outputs[n]);
        entry->key = key_of(&scenario->outputs[n]);
        for (int m = 0; m < n; m++) /* "a-b.nc" and "a_b.nc", or two names without a Latin letter */
            if (strcmp(entry->key, output->entries[m].key) == 0) memory_append(&entry->key, "_%d", n + 1);
    }
    for (int n = 0; rank == 0 && n < scenario->n_outputs; n++) TRY(path_make_folders(output->paths[n]));
    return STATUS_OK;
}

static Status create_entry(Entry *entry, Making *making, Held *held) {
    making->path = entry->path;
    making->key = entry->key;
    switch (making->entry->kind) {
    case OUTPUT_FIELDS:
        TRY(fields_create(making, &entry->fields));
        fields_hold(entry->fields, held);
        return STATUS_OK;
    case OUTPUT_STATIONS:
        return stations_create(making, &entry->stations);
    case OUTPUT_EXTREMES:
        TRY(extremes_create(making, &entry->extremes));
        extremes_hold(entry->extremes, held);
        return STATUS_OK;
    case OUTPUT_HARMONICS:
        TRY(harmonics_create(making, &entry->harmonics));
        harmonics_hold(entry->harmonics, held);
        return STATUS_OK;
    }
    return STATUS_OK;
}

static void destroy(Output **output) {
    Output *o = *output;
    for (int n = 0; n < o->n_entries; n++) {
        Entry *entry = &o->entries[n];
        fields_destroy(&entry->fields);
        stations_destroy(&entry->stations);
        extremes_destroy(&entry->extremes);
        harmonics_destroy(&entry->harmonics);
        memory_free(entry->path);
        memory_free(entry->key);
    }
    mirror_destroy(&o->mirror);
    held_release(&o->held);
    halo_destroy(&o->halo);
    memory_free(o->entries);
    memory_free(o->paths);
    memory_free(o);
    *output = NULL;
}

static Status close_entry(Entry *entry, double time) {
    if (entry->fields) return fields_close(entry->fields, time);
    if (entry->stations) return stations_close(entry->stations, time);
    if (entry->extremes) return extremes_close(entry->extremes);
    if (entry->harmonics) return harmonics_close(entry->harmonics);
    return STATUS_OK;
}

Status output_create(const Scenario *scenario, const RunFacts *facts, const State *state, bool resumed,
                     Output **out) {
    int rank;
    MPI_Comm_rank(state->grid->comm, &rank);
    Output *output = ALLOCATE(1, Output);
    output->entries = ALLOCATE(scenario->n_outputs, Entry);
    output->paths = ALLOCATE(scenario->n_outputs + 1, char *);
    output->n_entries = scenario->n_outputs;
    output->time = state->time;
    RunFacts *shared = facts_share(state->grid->comm, facts);
    Status status = STATUS_OK;
    int copies = 0;
    ATTEMPT(status_agree(state->grid->comm, mirror_create(state, &output->mirror)));
    copies = mirror_copies(output->mirror);
    MPI_Allreduce(MPI_IN_PLACE, &copies, 1, MPI_INT, MPI_MAX, state->grid->comm);
    output->copies = copies;
    Making making = {scenario, shared, mirror_state(output->mirror), NULL, NULL, NULL, resumed};
    ATTEMPT(status_agree(state->grid->comm, choose_paths(output, scenario, rank)));
    for (int n = 0; n < scenario->n_outputs; n++) {
        making.entry = &scenario->outputs[n];
        ATTEMPT(create_entry(&output->entries[n], &making, &output->held));
    }
    ATTEMPT(halo_create(state->grid, 2 * state->grid->n3 + 2, &output->halo));
cleanup:
    facts_release(&shared);
    if (status != STATUS_OK) destroy(&output);
    *out = output;
    return status;
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
    if (looks.sampled || looks.each_step) TRY(fetch(output, original, looks));
    const State *state = mirror_state(output->mirror);
    for (int n = 0; n < output->n_entries; n++) {
        Entry *entry = &output->entries[n];
        if (entry->fields) TRY(fields_step(entry->fields, state, elapsed, ledger));
        if (entry->stations) TRY(stations_step(entry->stations, state));
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

const Held *output_held(const Output *output) {
    return &output->held;
}
