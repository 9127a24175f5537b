/* SPDX-License-Identifier: Apache-2.0
 *
 * From the table to text: the effective scenario and the JSON Schema.
 */
#include "base/memory.h"
#include "settings/table.h"
#include <string.h>

static cJSON *make_object(cJSON *parent, const char *key) {
    return cJSON_AddObjectToObject(parent, key);
}

/* The object in which the field's key stands, with the sections above it made by `make` where they are
 * missing. */
static cJSON *section_of(cJSON *root, const Field *field, cJSON *(*make)(cJSON *parent, const char *key)) {
    char key[64];
    cJSON *object = root;
    const char *at = field->path + 1;
    for (size_t length; at[length = strcspn(at, "/")] == '/'; at += length + 1) {
        snprintf(key, sizeof key, "%.*s", (int)length, at);
        object = make(object, key);
    }
    return object;
}

static cJSON *find_or_make_object(cJSON *parent, const char *key) {
    cJSON *found = cJSON_GetObjectItemCaseSensitive(parent, key);
    return found ? found : make_object(parent, key);
}

static cJSON *write_records(const Field *field, const void *member, const void *other, const char *folder,
                            const ScenarioGrid *grid) {
    const char *records = *(char *const *)member;
    cJSON *array = cJSON_CreateArray();
    for (int n = 0; n < *(const int *)other; n++)
        cJSON_AddItemToArray(
            array, record_write(field->record, records + (size_t)n * field->record->size, folder, grid));
    return array;
}

cJSON *record_write(const Record *record, const void *source, const char *folder, const ScenarioGrid *grid) {
    const char *base = source;
    cJSON *root = cJSON_CreateObject();
    const Field *field;
    for (int n = 0; (field = record_field(record, n)); n++) {
        /* of two pairs of coordinates the metres */
        const bool mapped = grid->map && !(field->flags & REQUIRED);
        if ((field->flags & INPUT_ONLY) || !field_applies(field, grid->kind, mapped)) continue;
        const void *member = base + field->offset, *other = base + field->count_offset;
        if ((field->flags & UNWRITTEN_EMPTY) && *(const int *)other == 0) continue;
        cJSON *value = field->record ? write_records(field, member, other, folder, grid)
                                     : field->kind->write(field, folder, member, other);
        if (value)
            cJSON_AddItemToObject(section_of(root, field, find_or_make_object), field_key(field), value);
    }
    return root;
}

/* ---- schema ---- */

/* A section's properties; an object that has them is made with everything an editor wants to know. */
static cJSON *make_schema_section(cJSON *parent, const char *key) {
    cJSON *properties = cJSON_GetObjectItemCaseSensitive(parent, "properties");
    cJSON *found = cJSON_GetObjectItemCaseSensitive(properties, key);
    if (found) return found;
    cJSON *section = cJSON_AddObjectToObject(properties, key);
    cJSON_AddStringToObject(section, "type", "object");
    cJSON_AddFalseToObject(section, "additionalProperties");
    cJSON_AddObjectToObject(section, "properties");
    return section;
}

static void require(cJSON *object, const char *key) {
    cJSON *list = cJSON_GetObjectItemCaseSensitive(object, "required"), *item;
    if (!list) list = cJSON_AddArrayToObject(object, "required");
    cJSON_ArrayForEach (item, list)
        if (strcmp(item->valuestring, key) == 0) return;
    cJSON_AddItemToArray(list, cJSON_CreateString(key));
}

/* A section with something required in it is required itself. */
static void require_path(cJSON *root, const Field *field) {
    char key[64];
    cJSON *object = root;
    for (const char *at = field->path; *at == '/';) {
        size_t length = strcspn(++at, "/");
        snprintf(key, sizeof key, "%.*s", (int)length, at);
        require(object, key);
        at += length;
        object =
            cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(object, "properties"), key);
    }
}

cJSON *record_schema(const Record *record) {
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "type", "object");
    cJSON_AddFalseToObject(root, "additionalProperties");
    cJSON_AddObjectToObject(root, "properties");
    const Field *field;
    for (int n = 0; (field = record_field(record, n)); n++) {
        bool conditional = field->flags & (ON_CARTESIAN | ON_SPHERICAL);
        const char *where = !conditional                  ? ""
                            : field->flags & OR_MAPPED    ? field->flags & ON_SPHERICAL
                                                                ? " (spherical grids, and grids with a crs)"
                                                                : " (cartesian grids)"
                            : field->flags & ON_SPHERICAL ? " (spherical grids)"
                                                          : " (cartesian grids)";
        char *doc = memory_format("%s%s%s%s%s", field->doc, field->unit ? " [" : "",
                                  field->unit ? field->unit : "", field->unit ? "]" : "", where);
        cJSON *section = section_of(root, field, make_schema_section), *schema = field->kind->schema(field);
        cJSON_AddStringToObject(schema, "description", doc);
        cJSON_AddItemToObject(cJSON_GetObjectItemCaseSensitive(section, "properties"), field_key(field),
                              schema);
        if ((field->flags & REQUIRED) && !conditional) require_path(root, field);
        memory_free(doc);
    }
    return root;
}
