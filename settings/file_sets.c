/* SPDX-License-Identifier: Apache-2.0
 *
 * What varies in time may come from several files: "a.nc", "era5_*.nc", ["a.nc", "b.nc"]. The member is one text
 * (base/file_set.h).
 */
#include "base/file_set.h"
#include "base/memory.h"
#include "settings/table.h"
#include <string.h>

/* One name or pattern. */
static char *item_path(Reader *reader, const Json *json) {
    char *path = memory_format("%s%s", json->text[0] == '/' ? "" : reader->folder, json->text);
    if (!file_is_pattern(path)) {
        memory_free(path);
        return read_path(reader, json);
    }
    if (reader->look_at_files && !file_pattern_fits(path))
        reader_refuse(reader, json->place, json->pointer,
                      "no file matches the pattern \"%s\" (looked for as \"%s\")", json->text, path);
    return path;
}

static bool is_name(const Json *json) {
    return json->kind == JSON_STRING && *json->text;
}

char *read_file_set(Reader *reader, const Json *json) {
    char *text = NULL;
    if (is_name(json)) return item_path(reader, json);
    for (int n = 0; json->kind == JSON_ARRAY && n < json->n_items; n++) {
        const Json *item = json->items[n];
        if (!is_name(item) || strchr(item->text, FILE_SET_BAR)) {
            reader_refuse(reader, item->place, item->pointer,
                          "a list of files contains their names and patterns, none of them with a \"%c\"",
                          FILE_SET_BAR);
            continue;
        }
        char *path = item_path(reader, item);
        if (text)
            memory_append(&text, "%c%s", FILE_SET_BAR, path);
        else
            text = memory_copy_text(path);
        memory_free(path);
    }
    if (!text)
        reader_refuse(
            reader, json->place, json->pointer,
            "\"file\" must be the name of a file, a pattern such as \"days/*.nc\", or a list of these");
    return text;
}

cJSON *write_file_set(const char *text, const char *folder) {
    const bool single = !strchr(text, FILE_SET_BAR);
    if (single) return cJSON_CreateString(path_in_folder(text, folder));
    cJSON *array = cJSON_CreateArray();
    char *copy = memory_copy_text(text);
    for (char *at = copy, *bar = NULL; at; at = bar ? bar + 1 : NULL) {
        bar = strchr(at, FILE_SET_BAR);
        if (bar) *bar = '\0';
        cJSON_AddItemToArray(array, cJSON_CreateString(path_in_folder(at, folder)));
    }
    memory_free(copy);
    return array;
}

static void files_read(Reader *reader, const Field *field, const Json *json, void *member, void *other) {
    (void)field, (void)other;
    memory_free(*(char **)member);
    *(char **)member = read_file_set(reader, json);
}

static cJSON *files_write(const Field *field, const char *folder, const void *member, const void *other) {
    (void)field, (void)other;
    const char *text = *(char *const *)member;
    return text ? write_file_set(text, folder) : NULL;
}

static cJSON *files_schema(const Field *field) {
    (void)field;
    return cJSON_Parse("{" FILE_SET_FORMS "}");
}

static void files_destroy(const Field *field, void *member, void *other) {
    (void)field, (void)other;
    memory_free(*(char **)member);
    *(char **)member = NULL;
}

const FieldKind files_kind = {files_read, NULL, files_write, files_schema, files_destroy};
