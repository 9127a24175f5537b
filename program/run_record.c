/* SPDX-License-Identifier: Apache-2.0 */
#include "program/run_record.h"

#include "base/build_info.h"
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

void run_record_begin(RunRecord *record, const Simulation *sim, const char *device, const char *command) {
    int64_t columns;
    grid_count(sim->grid, &columns, &record->wet_cells);
    record->ranks[0] = sim->grid->decomposition.ranks_x;
    record->ranks[1] = sim->grid->decomposition.ranks_y;
    snprintf(record->device, sizeof record->device, "%s", device);
    record->folder = memory_copy_text(sim->scenario->output_folder);
    record->command = memory_copy_text(command);
    record->steps = sim->state->step;
    record->simulated = sim->state->time;
    record->set_up = MPI_Wtime() - record->started;
}

void run_record_end(RunRecord *record, const Simulation *sim) {
    record->steps = sim->state->step - record->steps;
    record->simulated = sim->state->time - record->simulated;
    record->stepped = MPI_Wtime() - record->started - record->set_up;
}

static const char *how_it_ended(Status status) {
    return status == STATUS_OK            ? "done"
           : status == STATUS_INTERRUPTED ? "stopped on request, after a restart file"
                                          : "failed";
}

static char *text_of(const RunRecord *record, Status ended) {
    cJSON *json = cJSON_CreateObject(), *ranks = cJSON_CreateIntArray(record->ranks, 2),
          *messages = cJSON_CreateArray();
    char digest[17];
    snprintf(digest, sizeof digest, "%016" PRIx64, record->digest);
    cJSON_AddStringToObject(json, "maeotis", MAEOTIS_VERSION);
    cJSON_AddStringToObject(json, "commit", MAEOTIS_COMMIT);
    cJSON_AddStringToObject(json, "command", record->command);
    cJSON_AddStringToObject(json, "ended", how_it_ended(ended));
    cJSON_AddItemToObject(json, "ranks", ranks);
    cJSON_AddStringToObject(json, "device", record->device);
    cJSON_AddNumberToObject(json, "wet_cells", (double)record->wet_cells);
    cJSON_AddNumberToObject(json, "steps", (double)record->steps);
    cJSON_AddNumberToObject(json, "simulated_s", record->simulated);
    cJSON_AddNumberToObject(json, "seconds_before_first_step", record->set_up);
    cJSON_AddNumberToObject(json, "seconds_of_steps", record->stepped);
    if (record->digest) cJSON_AddStringToObject(json, "digest", digest);
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

Status run_record_write(const RunRecord *record, Status ended) {
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

void run_record_release(RunRecord *record) {
    memory_free(record->folder);
    memory_free(record->command);
    *record = (RunRecord){0};
}
