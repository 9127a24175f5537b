/* SPDX-License-Identifier: Apache-2.0 */
#include "output/inputs.h"

#include "base/file.h"
#include "base/file_set.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/netcdf_in.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

enum { DIGITS = 16 }; /* of a checksum */

/* The path from the current folder, to be freed. */
static char *path_of(const Scenario *scenario, const char *name) {
    const char *slash = strrchr(scenario->path, '/');
    const int folder = slash && name[0] != '/' ? (int)(slash - scenario->path) + 1 : 0;
    return memory_format("%.*s%s", folder, scenario->path, name);
}

/* The line after this one, or NULL. */
static const char *next_line(const char *line) {
    const char *end = strchr(line, '\n');
    return end ? end + 1 : NULL;
}

/* The line of a file, or NULL. A restart's text may be anything. */
static const char *find_line(const char *text, const char *name) {
    const size_t length = strlen(name);
    for (const char *line = text; line && strlen(line) > DIGITS; line = next_line(line))
        if (strncmp(line + DIGITS + 1, name, length) == 0 && line[DIGITS + 1 + length] == '\n') return line;
    return NULL;
}

static Status add_file(const Scenario *scenario, const char *name, char **text) {
    if (find_line(*text, name)) return STATUS_OK;
    char *path = path_of(scenario, name);
    uint64_t hash;
    const Status status = file_hash(path, &hash);
    if (status == STATUS_OK) {
        if (!*text) *text = memory_copy_text("");
        memory_append(text, "%0*" PRIx64 " %s\n", DIGITS, hash, name);
    }
    memory_free(path);
    return status;
}

/* Those that are meant: a file and those in a folder (`place`), or of a pattern. */
static Status list_files(const char *path, bool place, char ***files, int *count) {
    return place ? file_list(path, ".nc", files, count) : file_set_list(path, files, count);
}

static Status add_files_of(const Scenario *scenario, const char *name, bool place, char **text) {
    char *path = path_of(scenario, name), **files = NULL;
    const size_t before = strlen(path) - strlen(name);
    int count = 0;
    Status status = list_files(path, place, &files, &count);
    for (int n = 0; n < count && status == STATUS_OK; n++)
        status = add_file(scenario, files[n] + before, text);
    file_list_free(&files, &count);
    memory_free(path);
    return status;
}

static bool is_list(const cJSON *json, const char *key) {
    return cJSON_IsArray(json) && json->string && strcmp(json->string, key) == 0;
}

/* A file by its key; the module of /kinetics is one if it is a library. */
static bool is_file(const cJSON *json) {
    if (!cJSON_IsString(json) || !json->string) return false;
    return strcmp(json->string, "file") == 0 ||
           (strcmp(json->string, "module") == 0 && kinetics_is_path(json->valuestring));
}

/* All that stands under such keys and under "files" in this part of the scenario. */
static Status add_files(const Scenario *scenario, const cJSON *json, char **text) {
    const cJSON *item;
    if (is_file(json)) return add_files_of(scenario, json->valuestring, false, text);
    if (!cJSON_IsObject(json) && !cJSON_IsArray(json)) return STATUS_OK;
    if (is_list(json, "file") || is_list(json, "files")) {
        const bool places = is_list(json, "files");
        cJSON_ArrayForEach (item, json) TRY(add_files_of(scenario, item->valuestring, places, text));
        return STATUS_OK;
    }
    cJSON_ArrayForEach (item, json) TRY(add_files(scenario, item, text));
    return STATUS_OK;
}

/* "/a/b" of an object, NULL if it is not there. */
static const cJSON *json_below(const cJSON *json, const char *pointer) {
    char key[32];
    for (const char *at = pointer; *at == '/';) {
        const size_t length = strcspn(++at, "/");
        snprintf(key, sizeof key, "%.*s", (int)length, at);
        json = cJSON_GetObjectItemCaseSensitive(json, key);
        at += length;
    }
    return json;
}

/* The files in these parts of the scenario. */
static Status describe(const Scenario *scenario, const char *const *parts, char **out) {
    char *effective = scenario_effective(scenario);
    cJSON *json = cJSON_Parse(effective);
    Status status = STATUS_OK;
    *out = NULL;
    for (int n = 0; parts[n] && status == STATUS_OK; n++)
        status = add_files(scenario, json_below(json, parts[n]), out);
    cJSON_Delete(json);
    memory_free(effective);
    return status;
}

/* The bathymetry itself may be a shipped grid; its checksum is with the ground (RunFacts). */
#define OF_THE_SEA                                                                                           \
    "/bathymetry/land_m", "/bathymetry/dikes", "/zoom/bathymetry", "/physics", "/kinetics/module",           \
        "/kinetics/file"

Status inputs_describe(const Scenario *scenario, char **out) {
    static const char *const parts[] = {OF_THE_SEA,      "/kinetics/inputs", "/initial", "/forcing",
                                        "/infiltration", "/rivers",          "/tracers", "/boundaries",
                                        "/structures",   "/nudging",         NULL};
    return describe(scenario, parts, out);
}

/* ---- is a file one of them? ---- */

static bool is_same(const char *path, const struct stat *file) {
    struct stat facts;
    return stat(path, &facts) == 0 && facts.st_ino == file->st_ino && facts.st_dev == file->st_dev;
}

/* Among those in a folder, or of a pattern. */
static char *find_among(const Scenario *scenario, const char *name, bool place, const struct stat *file) {
    char *path = path_of(scenario, name), **files = NULL, *found = NULL;
    int count = 0;
    if (list_files(path, place, &files, &count) != STATUS_OK) error_clear();
    for (int n = 0; n < count && !found; n++)
        if (is_same(files[n], file)) found = memory_copy_text(files[n]);
    file_list_free(&files, &count);
    memory_free(path);
    return found;
}

static char *find_below(const Scenario *scenario, const cJSON *json, const struct stat *file) {
    const cJSON *item;
    if (is_file(json)) return find_among(scenario, json->valuestring, false, file);
    if (is_list(json, "file") || is_list(json, "files")) {
        cJSON_ArrayForEach (item, json) {
            char *found = find_among(scenario, item->valuestring, is_list(json, "files"), file);
            if (found) return found;
        }
        return NULL;
    }
    cJSON_ArrayForEach (item, json) {
        char *found = find_below(scenario, item, file);
        if (found) return found;
    }
    return NULL;
}

char *inputs_find(const Scenario *scenario, const struct stat *file) {
    if (is_same(scenario->path, file)) return memory_copy_text(scenario->path);
    char *effective = scenario_effective(scenario), *found = NULL;
    cJSON *json = cJSON_Parse(effective);
    cJSON_DeleteItemFromObjectCaseSensitive(json, "output");
    cJSON_DeleteItemFromObjectCaseSensitive(cJSON_GetObjectItemCaseSensitive(json, "zoom"), "output");
    found = find_below(scenario, json, file);
    cJSON_Delete(json);
    memory_free(effective);
    return found;
}

/* ---- restarts ---- */

static char *name_of(const char *line) {
    const char *start = line + DIGITS + 1;
    return memory_format("%.*s", (int)strcspn(start, "\n"), start);
}

/* What belongs to the sea is refused if it changed, `force`: told; what drives it is told. */
static Status compare(const char *restart, const char *then, const char *now, const char *of_the_sea,
                      bool force) {
    char *driving = NULL;
    Status status = STATUS_OK;
    for (const char *line = now; line && *line; line = next_line(line)) {
        char *name = name_of(line);
        const char *before = find_line(then, name);
        const bool changed = before && strncmp(before, line, DIGITS) != 0,
                   of_sea = find_line(of_the_sea, name);
        if (changed && of_sea && force)
            log_warn("%s has changed since the restart file was written", name);
        else if (changed && of_sea)
            status = error_raise(STATUS_BAD_INPUT,
                                 "%s has changed since \"%s\" was written, and the sea itself depends on it, "
                                 "not only the forcing; use --force=files to continue anyway",
                                 name, restart);
        else if (changed && !driving)
            driving = memory_copy_text(name);
        else if (changed)
            memory_append(&driving, ", %s", name);
        memory_free(name);
    }
    if (driving) log_info("changed since the restart file was written: %s", driving);
    memory_free(driving);
    return status;
}

Status inputs_check_restart(const Scenario *scenario, const char *restart, const char *now, bool force) {
    static const char *const parts[] = {OF_THE_SEA, "/forcing/wind/drag", NULL};
    NetcdfFile *file = NULL;
    char *then = NULL, *of_the_sea = NULL;
    Status status;
    if (!now) return STATUS_OK;
    ATTEMPT(describe(scenario, parts, &of_the_sea));
    ATTEMPT(netcdf_open(restart, &file));
    then = netcdf_text(file, NETCDF_WHOLE_FILE, "inputs");
    if (then) status = compare(restart, then, now, of_the_sea, force);
cleanup:
    netcdf_close(&file);
    memory_free(then);
    memory_free(of_the_sea);
    return status;
}
