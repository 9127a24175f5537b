/* SPDX-License-Identifier: Apache-2.0 */
#include "program/run_record.h"

#include "base/build_info.h"
#include "base/calendar.h"
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"

#include <cjson/cJSON.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

char *run_record_path(const char *folder) {
    return memory_format("%s/run_record.json", folder);
}

/* A record that a run has left; NULL: there is none. To be deleted. */
static cJSON *read_record(const char *path) {
    FileBytes file;
    if (file_map(path, &file) != STATUS_OK) {
        error_clear();
        return NULL;
    }
    cJSON *json = cJSON_ParseWithLength(file.bytes, file.size);
    file_unmap(&file);
    return json;
}

/* The legs before, of the record beside the restart file. */
static char *read_legs(const char *restart, const char *chain) {
    const char *slash = strrchr(restart, '/');
    char *folder = slash ? memory_format("%.*s", (int)(slash - restart), restart) : memory_copy_text("."),
         *path = run_record_path(folder), *legs = NULL;
    cJSON *json = read_record(path);
    const cJSON *of = cJSON_GetObjectItemCaseSensitive(json, "chain"),
                *list = cJSON_GetObjectItemCaseSensitive(json, "legs");
    if (cJSON_IsArray(list) && cJSON_IsString(of) && chain && strcmp(of->valuestring, chain) == 0) {
        char *text = cJSON_PrintUnformatted(list);
        legs = text ? memory_copy_text(text) : NULL;
        cJSON_free(text);
    }
    cJSON_Delete(json);
    memory_free(path);
    memory_free(folder);
    return legs;
}

void run_record_processes(RunRecord *record, const Decomposition *d) {
    record->ranks[0] = cuts_alike(d->first, d->ranks_y) ? d->ranks_x : decomposition_ranks(d);
    record->ranks[1] = decomposition_ranks(d) / record->ranks[0];
}

void run_record_begin(RunRecord *record, const Simulation *sim, const char *device, const char *command,
                      const char *restart, const char *chain) {
    const State *s = sim->state;
    int64_t columns;
    grid_count(sim->grid, &columns, &record->wet_cells);
    run_record_processes(record, &sim->grid->decomposition);
    snprintf(record->device, sizeof record->device, "%s", device);
    record->folder = memory_copy_text(sim->scenario->output_folder);
    record->command = memory_copy_text(command);
    record->steps = sim->state->step;
    record->simulated = sim->state->time;
    record->set_up = MPI_Wtime() - record->started;
    calendar_format_since(s->start, s->time, record->from);
    if (chain) record->chain = memory_copy_text(chain);
    if (!chain || !restart) return; /* rank 0 alone knows the chain */
    record->restart = memory_copy_text(restart);
    record->legs = read_legs(restart, chain);
}

void run_record_end(RunRecord *record, const Simulation *sim) {
    record->steps = sim->state->step - record->steps;
    record->simulated = sim->state->time - record->simulated;
    record->stepped = MPI_Wtime() - record->started - record->set_up;
    calendar_format_since(sim->state->start, sim->state->time, record->to);
}

static const char *how_it_ended(Status status) {
    return status == STATUS_OK            ? "done"
           : status == STATUS_INTERRUPTED ? "stopped on request, after a restart file"
                                          : "failed";
}

static bool has_ended(const RunRecord *record) {
    return *record->to;
}

/* The runs of the chain, this one last. */
static cJSON *all_legs(const RunRecord *record, const char *ended, const char *digest) {
    cJSON *legs = record->legs ? cJSON_Parse(record->legs) : cJSON_CreateArray(), *leg = cJSON_CreateObject();
    cJSON_AddStringToObject(leg, "from", record->from);
    if (has_ended(record)) cJSON_AddStringToObject(leg, "to", record->to);
    if (record->restart) cJSON_AddStringToObject(leg, "restart", record->restart);
    cJSON_AddStringToObject(leg, "ended", ended);
    cJSON_AddNumberToObject(leg, "steps", has_ended(record) ? (double)record->steps : 0);
    cJSON_AddNumberToObject(leg, "seconds_of_steps", record->stepped);
    if (record->digest) cJSON_AddStringToObject(leg, "digest", digest);
    cJSON_AddItemToArray(legs, leg);
    return legs;
}

static char *text_of(const RunRecord *record, const char *ended) {
    cJSON *json = cJSON_CreateObject(), *processes = cJSON_CreateIntArray(record->ranks, 2),
          *messages = cJSON_CreateArray();
    char digest[17];
    snprintf(digest, sizeof digest, "%016" PRIx64, record->digest);
    cJSON_AddStringToObject(json, "maeotis", MAEOTIS_VERSION);
    cJSON_AddStringToObject(json, "commit", MAEOTIS_COMMIT);
    cJSON_AddStringToObject(json, "command", record->command);
    cJSON_AddStringToObject(json, "ended", ended);
    cJSON_AddItemToObject(json, "processes", processes);
    cJSON_AddStringToObject(json, "device", record->device);
    cJSON_AddNumberToObject(json, "wet_cells", (double)record->wet_cells);
    cJSON_AddNumberToObject(json, "steps", has_ended(record) ? (double)record->steps : 0);
    cJSON_AddNumberToObject(json, "simulated_s", has_ended(record) ? record->simulated : 0);
    cJSON_AddNumberToObject(json, "seconds_before_first_step", record->set_up);
    cJSON_AddNumberToObject(json, "seconds_of_steps", record->stepped);
    if (record->digest) cJSON_AddStringToObject(json, "digest", digest);
    if (record->chain) cJSON_AddStringToObject(json, "chain", record->chain);
    cJSON_AddItemToObject(json, "legs", all_legs(record, ended, digest));
    for (const char *text = log_kept(NULL); text; text = log_kept(text))
        cJSON_AddItemToArray(messages, cJSON_CreateString(text));
    cJSON_AddItemToObject(json, "messages", messages);
    char *text = cJSON_Print(json);
    cJSON_Delete(json);
    return text;
}

static bool put(const char *path, const char *text) {
    FILE *file = fopen(path, "wx"); /* never through a link */
    if (!file) return false;
    bool good = fputs(text, file) >= 0 && fputc('\n', file) != EOF && fflush(file) == 0;
    const int why = errno;
    good &= fclose(file) == 0;
    if (!good) errno = why;
    return good;
}

static Status put_record(const RunRecord *record, const char *ended) {
    char *path = run_record_path(record->folder), *half = memory_format("%s.%ld", path, (long)getpid()),
         *text = text_of(record, ended);
    Status status = STATUS_OK;
    if (!text || !put(half, text) || rename(half, path) != 0) {
        status = error_raise(STATUS_FAILED, "cannot write \"%s\": %s", path, strerror(errno));
        (void)unlink(half);
    }
    cJSON_free(text);
    memory_free(half);
    memory_free(path);
    return status;
}

Status run_record_write(const RunRecord *record, Status ended) {
    return put_record(record, how_it_ended(ended));
}

Status run_record_write_first(const RunRecord *record) {
    return put_record(record, "not yet, or it was killed");
}

void run_record_release(RunRecord *record) {
    memory_free(record->folder);
    memory_free(record->command);
    memory_free(record->restart);
    memory_free(record->chain);
    memory_free(record->legs);
    *record = (RunRecord){0};
}
