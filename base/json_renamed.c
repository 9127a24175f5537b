/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json_renamed.h"

#include "base/log.h"
#include "base/memory.h"
#include <cjson/cJSON.h>
#include <string.h>

/* How much of both pointers is the same section. */
static size_t in_common(const RenamedKey *key) {
    size_t end = 0;
    for (size_t n = 0; key->was[n] && key->was[n] == key->now[n]; n++)
        if (key->was[n] == '/') end = n;
    return end;
}

/* The member below `section` at a pointer without *. */
static const Json *member_at(const Json *section, const char *pointer) {
    char part[64];
    while (section && *pointer == '/') {
        const size_t length = strcspn(++pointer, "/");
        snprintf(part, sizeof part, "%.*s", (int)length, pointer);
        section = json_find(section, part);
        pointer += length;
    }
    return section;
}

static void tell(const char *place, const RenamedKey *key) {
    log_info("%s: this key is called %s since version %s; the old name still works", place, key->now,
             key->since);
}

static Status rename_in(Json *section, const RenamedKey *key, bool note) {
    const size_t same = in_common(key);
    if (!member_at(section, key->was + same)) return STATUS_OK;
    Json *value = json_detach(section, key->was + same);
    if (member_at(section, key->now + same)) {
        Status status =
            error_raise(STATUS_BAD_INPUT,
                        "%s: this is the former name of %s, which is given as well: keep one of the two",
                        value->key_place, key->now);
        json_destroy(&value);
        return status;
    }
    if (note) tell(value->key_place, key);
    return json_attach(section, key->now + same, value);
}

/* Visits the sections that the common part of both pointers names, from `at` on. */
static Status visit(Json *json, const RenamedKey *key, const char *at, bool note) {
    char part[64];
    if (at == key->was + in_common(key)) return rename_in(json, key, note);
    const size_t length = strcspn(at + 1, "/");
    snprintf(part, sizeof part, "%.*s", (int)length, at + 1);
    const bool each = strcmp(part, "*") == 0;
    if (json->kind != (each ? JSON_ARRAY : JSON_OBJECT))
        return STATUS_OK; /* the reader of the file refuses it */
    for (int n = 0; n < json->n_items; n++)
        if (each || strcmp(json->items[n]->key, part) == 0)
            TRY(visit(json->items[n], key, at + 1 + length, note));
    return STATUS_OK;
}

Status json_rename(Json *root, const RenamedKey *keys, bool note) {
    Status status = STATUS_OK;
    for (; keys->was; keys++)
        if (visit(root, keys, keys->was, note) != STATUS_OK) status = STATUS_BAD_INPUT;
    return status;
}

char *json_rename_setting(const char *setting, const RenamedKey *keys, bool note) {
    for (; keys->was; keys++) {
        const size_t length = strlen(keys->was);
        if (strncmp(setting, keys->was, length) != 0 || (setting[length] != '=' && setting[length] != '/'))
            continue;
        char *place = memory_format("--set %s", keys->was);
        if (note) tell(place, keys);
        memory_free(place);
        return memory_format("%s%s", keys->now, setting + length);
    }
    return memory_copy_text(setting);
}

/* ---- trees of cJSON ---- */

/* The object at a pointer without its last part, made where it is missing; the last part in `key`. */
static cJSON *parent_of(cJSON *section, const char *pointer, char key[64], bool make) {
    while (section) {
        const size_t length = strcspn(++pointer, "/");
        snprintf(key, 64, "%.*s", (int)length, pointer);
        if (pointer[length] == '\0') break;
        cJSON *found = cJSON_GetObjectItemCaseSensitive(section, key);
        section = found || !make ? found : cJSON_AddObjectToObject(section, key);
        pointer += length;
    }
    return section;
}

static void rename_stored_in(cJSON *section, const RenamedKey *key) {
    char was[64] = "", now[64] = "";
    const size_t same = in_common(key);
    cJSON *from = parent_of(section, key->was + same, was, false);
    cJSON *value = cJSON_DetachItemFromObjectCaseSensitive(from, was);
    if (!value) return;
    cJSON *to = parent_of(section, key->now + same, now, true);
    if (!to || cJSON_HasObjectItem(to, now))
        cJSON_Delete(value);
    else
        cJSON_AddItemToObject(to, now, value);
}

static void visit_stored(cJSON *json, const RenamedKey *key, const char *at) {
    char part[64];
    if (at == key->was + in_common(key)) {
        rename_stored_in(json, key);
        return;
    }
    const size_t length = strcspn(at + 1, "/");
    snprintf(part, sizeof part, "%.*s", (int)length, at + 1);
    const bool each = strcmp(part, "*") == 0;
    for (cJSON *item = json->child; item; item = item->next)
        if (each || (item->string && strcmp(item->string, part) == 0))
            visit_stored(item, key, at + 1 + length);
}

void json_rename_stored(cJSON *root, const RenamedKey *keys) {
    for (; keys->was; keys++) visit_stored(root, keys, keys->was);
}
