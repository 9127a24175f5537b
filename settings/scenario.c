/* SPDX-License-Identifier: Apache-2.0 */
#include "settings/scenario.h"

#include "base/file.h"
#include "base/memory.h"
#include "base/projection.h"
#include "settings/kinetics.h"
#include "settings/table.h"
#include <string.h>

/* "scenarios/storm.json" -> "scenarios/", "" without a folder. */
static char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return memory_format("%.*s", slash ? (int)(slash + 1 - path) : 0, path);
}

static char *name_of(const char *path) {
    const char *slash = strrchr(path, '/'), *start = slash ? slash + 1 : path, *dot = strrchr(start, '.');
    return memory_format("%.*s", dot && dot > start ? (int)(dot - start) : (int)strlen(start), start);
}

/* Many keys depend on it, wherever in the file it stands. */
static void find_grid_kind(Reader *reader, const Json *root) {
    const Json *kind = json_at(root, "/grid/kind");
    if (!kind || kind->kind != JSON_STRING) return;
    bool spherical = strcmp(kind->text, "spherical") == 0;
    reader->grid_known = spherical || strcmp(kind->text, "cartesian") == 0;
    reader->grid = spherical ? GRID_SPHERICAL : GRID_CARTESIAN;
}

/* Where the metres of a cartesian grid lie: places in degrees become metres as they are read. */
static void find_map(Reader *reader, const Json *root, Scenario *scenario) {
    const Json *crs = json_at(root, "/grid/crs");
    char why[256] = "";
    if (!crs || crs->kind != JSON_STRING || !reader->grid_known || reader->grid != GRID_CARTESIAN) return;
    if (!text_is_readable(crs->text)) return; /* what reads the key refuses it */
    reader->map = scenario->grid.map = projection_create(crs->text, why);
    if (!reader->map)
        reader_refuse(reader, crs->place, crs->pointer, "\"crs\": \"%.200s\" %s", crs->text, why);
}

static void forget_faulty(Reader *reader) {
    for (int n = 0; n < reader->n_faulty; n++) memory_free(reader->faulty[n]);
    memory_free(reader->faulty);
    memory_free(reader->folder);
}

/* Of "?/time/start=...": is there something in the file already? */
static bool is_needless(const Json *root, const char *setting) {
    char *pointer = memory_format("%.*s", (int)strcspn(setting, "="), setting);
    const bool found = json_at(root, pointer) != NULL;
    memory_free(pointer);
    return found;
}

static Status override(Json *root, const char *setting, bool note) {
    const bool may_be_needless = setting[0] == '?';
    char *now = json_rename_setting(setting + may_be_needless, scenario_renamed, note);
    Status status = may_be_needless && is_needless(root, now) ? STATUS_OK : json_override(root, now);
    memory_free(now);
    return status;
}

/* Settings go into a tree of present names, and may themselves hold former ones. */
static Status override_all(Json *root, const char *const *overrides, int count, bool note) {
    Status status = json_rename(root, scenario_renamed, note);
    for (int n = 0; n < count; n++)
        if (override(root, overrides[n], note) != STATUS_OK) status = STATUS_BAD_INPUT;
    return status == STATUS_OK ? json_rename(root, scenario_renamed, note) : status;
}

/* Refuses a key that one setting gives by its former name and another by its present one. */
static Status refuse_both(const char *const *overrides, int count) {
    Status status = STATUS_OK;
    for (int n = 0; n < count; n++) {
        char *now = json_rename_setting(overrides[n], scenario_renamed, false);
        const size_t key = strcspn(now, "=") + 1;
        for (int m = 0; m < count && strcmp(now, overrides[n]) != 0; m++)
            if (strncmp(overrides[m], now, key) == 0)
                status =
                    error_raise(STATUS_BAD_INPUT,
                                "--set %.*s: this is the former name of %.*s, which is given as well: keep "
                                "one of the two",
                                (int)strcspn(overrides[n], "="), overrides[n], (int)key - 1, now);
        memory_free(now);
    }
    return status;
}

/* `name` (NULL: by line and column): names the places in the tree. */
static Status parse(const char *path, const char *text, const char *const *overrides, int n_overrides,
                    bool look_at_files, void name(const char *path, Json *root), Scenario **out) {
    Json *root;
    *out = NULL;
    TRY(json_parse(path, text, &root));
    if (name) name(path, root);
    Reader reader = {.folder = folder_of(path), .look_at_files = look_at_files};
    reader.status = override_all(root, overrides, n_overrides, look_at_files);
    if (refuse_both(overrides, n_overrides) != STATUS_OK) reader.status = STATUS_BAD_INPUT;
    Scenario *scenario = ALLOCATE(1, Scenario);
    scenario->path = memory_copy_text(path);
    scenario->name = name_of(path);
    scenario->text = memory_copy_text(text);
    find_grid_kind(&reader, root);
    find_map(&reader, root, scenario);
    if (root->kind == JSON_OBJECT) reader.constants = json_find(root, "constants");
    if (reader.constants && reader.constants->kind != JSON_OBJECT) reader.constants = NULL;
    record_read(&reader, &scenario_record, root, scenario);
    if (root->kind == JSON_OBJECT) scenario_rules(&reader, root, scenario);
    Status status = reader.status;
    if (status == STATUS_OK)
        *out = scenario;
    else
        scenario_destroy(&scenario);
    forget_faulty(&reader);
    json_destroy(&root);
    return status;
}

Status scenario_parse(const char *path, const char *text, const char *const *overrides, int n_overrides,
                      Scenario **out) {
    return parse(path, text, overrides, n_overrides, false, NULL, out);
}

Status scenario_parse_made(const char *path, const char *text, void name(const char *path, Json *root),
                           Scenario **out) {
    return parse(path, text, NULL, 0, false, name, out);
}

enum { MOST_BYTES = 64 << 20 }; /* no scenario is larger */

Status scenario_read(const char *path, const char *const *overrides, int n_overrides, Scenario **out) {
    char *text = NULL;
    *out = NULL;
    TRY(file_read_text(path, MOST_BYTES, &text));
    Status status = parse(path, text, overrides, n_overrides, true, NULL, out);
    memory_free(text);
    return status;
}

void scenario_destroy(Scenario **scenario) {
    Scenario *gone = *scenario;
    if (!gone) return;
    scenario_kinetics_close(gone);
    projection_destroy(&gone->grid.map);
    record_destroy(&scenario_record, gone);
    memory_free(gone->path);
    memory_free(gone->name);
    memory_free(gone->text);
    memory_free(gone);
    *scenario = NULL;
}

char *scenario_effective(const Scenario *scenario) {
    char *folder = folder_of(scenario->path);
    cJSON *json = record_write(&scenario_record, scenario, folder, &scenario->grid);
    char *text = json_print(json);
    cJSON_Delete(json);
    memory_free(folder);
    return text;
}

char *scenario_schema(void) {
    cJSON *json = cJSON_CreateObject(), *body = record_schema(&scenario_record);
    cJSON_AddStringToObject(json, "$schema", "https://json-schema.org/draft/2020-12/schema");
    cJSON_AddStringToObject(json, "title", "A scenario of maeotis");
    renamed_in_schema(body);
    for (cJSON *item; (item = body->child);)
        cJSON_AddItemToObject(json, item->string, cJSON_DetachItemViaPointer(body, item));
    char *text = json_print(json);
    cJSON_Delete(body);
    cJSON_Delete(json);
    return text;
}
