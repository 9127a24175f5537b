/* SPDX-License-Identifier: Apache-2.0 */
#include "output/parts.h"

#include "base/calendar.h"
#include "base/memory.h"
#include "base/schedule.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

/* ---- names ---- */

char *path_of_entry(const Scenario *scenario, const ScenarioOutput *entry, double time) {
    char date[32];
    if (entry->cut == PART_WHOLE) return memory_format("%s/%s", scenario->output_folder, entry->file);
    const char *ending = output_ending(entry);
    calendar_format_part(scenario->time.start + time + SCHEDULE_EARLY_S, entry->cut, date);
    return memory_format("%s/%.*s_%s%s", scenario->output_folder, (int)(ending - entry->file), entry->file,
                         date, ending);
}

char *path_next(const Scenario *scenario, const ScenarioOutput *entry, double *time) {
    if (*time > scenario->time.duration_s) return NULL;
    char *path = path_of_entry(scenario, entry, *time);
    *time = output_part_end(entry, scenario->time.start, *time);
    return path;
}

Status path_make_folders(const char *path) {
    char *folder = memory_copy_text(path);
    Status status = STATUS_OK;
    for (char *c = folder + 1; *c && status == STATUS_OK; c++) {
        if (*c != '/') continue;
        *c = '\0';
        if (mkdir(folder, 0777) != 0 && errno != EEXIST)
            status = error_raise(STATUS_FAILED, "cannot make the folder \"%s\" for \"%s\": %s", folder, path,
                                 strerror(errno));
        *c = '/';
    }
    memory_free(folder);
    return status;
}

char *path_of_restart(const char *folder, double start, double elapsed) {
    char date[32];
    calendar_format_compact(start, elapsed, date);
    return memory_format("%s/restart_%s.nc", folder, date);
}

/* ---- what a restart carries ---- */

static char *held_name(const char *key, const char *name) {
    return memory_format("%s_%s", key, name);
}

void held_add_field(Held *held, const char *key, const char *name, double *data, bool three_d, char place) {
    held->fields = ENLARGE(held->fields, held->n_fields + 1, StateField);
    held->fields[held->n_fields++] = (StateField){held_name(key, name), data, three_d, place, true};
}

void held_add_number(Held *held, const char *key, const char *name, double *value) {
    held->numbers = ENLARGE(held->numbers, held->n_numbers + 1, StateNumber);
    held->numbers[held->n_numbers++] = (StateNumber){held_name(key, name), value};
}

void held_release(Held *held) {
    for (int n = 0; n < held->n_fields; n++) memory_free((void *)(uintptr_t)held->fields[n].name);
    for (int n = 0; n < held->n_numbers; n++) memory_free((void *)(uintptr_t)held->numbers[n].name);
    memory_free(held->fields);
    memory_free(held->numbers);
    memset(held, 0, sizeof *held);
}
