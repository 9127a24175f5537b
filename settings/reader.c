/* SPDX-License-Identifier: Apache-2.0
 *
 * Walks the JSON along the table: known keys are read; unknown and missing ones are refused, with the key
 * that was probably meant.
 */
#include "base/memory.h"
#include "settings/table.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_KEYS = 64 }; /* of one object */

void reader_refuse(Reader *reader, const char *place, const char *pointer, const char *format, ...) {
    char text[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    reader->status = error_raise(STATUS_BAD_INPUT, "%s: %s", place, text);
    reader->faulty = ENLARGE(reader->faulty, reader->n_faulty + 1, char *);
    reader->faulty[reader->n_faulty++] = memory_copy_text(pointer);
}

/* Of an explanation the first sentence, as the precision of %.*s. */
static int sentence(const char *doc) {
    const char *end = strstr(doc, ". ");
    return (int)(end ? end - doc : (ptrdiff_t)strlen(doc));
}

void reader_refuse_kind(Reader *reader, const Field *field, const Json *json, const char *needed) {
    char found[80];
    json_describe(json, found);
    reader_refuse(reader, json->place, json->pointer, "found %s, but \"%s\" must be %s (%.*s)", found,
                  field_key(field), needed, sentence(field->doc), field->doc);
}

/* `inner` is `outer` or lies below it. */
static bool lies_in(const char *inner, const char *outer) {
    size_t length = strlen(outer);
    return strncmp(inner, outer, length) == 0 && (inner[length] == '\0' || inner[length] == '/');
}

bool reader_sound(const Reader *reader, const char *pointer) {
    for (int n = 0; n < reader->n_faulty; n++)
        if (lies_in(pointer, reader->faulty[n]) || lies_in(reader->faulty[n], pointer)) return false;
    return true;
}

const char *field_key(const Field *field) {
    return strrchr(field->path, '/') + 1;
}

bool field_applies(const Field *field, GridKind grid, bool mapped) {
    if (mapped && (field->flags & OR_MAPPED)) return true;
    if (field->flags & ON_CARTESIAN) return grid == GRID_CARTESIAN;
    if (field->flags & ON_SPHERICAL) return grid == GRID_SPHERICAL;
    return true;
}

/* The part of a pointer as a key of an object or an index of an array. */
static const Json *child(const Json *json, const char *part) {
    if (json->kind != JSON_ARRAY) return json_find(json, part);
    long index = strtol(part, NULL, 10);
    return index >= 0 && index < json->n_items ? json->items[index] : NULL;
}

const Json *json_at(const Json *root, const char *pointer) {
    char part[64];
    while (root && *pointer == '/') {
        size_t length = strcspn(++pointer, "/");
        snprintf(part, sizeof part, "%.*s", (int)length, pointer);
        root = child(root, part);
        pointer += length;
    }
    return root;
}

const Field *record_field(const Record *record, int n) {
    for (const Fields *const *part = record->parts; *part; n -= (*part)->count, part++)
        if (n < (*part)->count) return &(*part)->field[n];
    return NULL;
}

const Field *record_find(const Record *record, const char *path) {
    const Field *field;
    for (int n = 0; (field = record_field(record, n)); n++)
        if (strcmp(field->path, path) == 0) return field;
    return NULL;
}

/* Keys are looked up below `path`, such as "/physics/drag"; the part of the key ends before the next slash.
 */
static bool is_section(const Record *record, const char *path) {
    size_t length = strlen(path);
    const Field *field;
    for (int n = 0; (field = record_field(record, n)); n++)
        if (strncmp(field->path, path, length) == 0 && field->path[length] == '/') return true;
    return false;
}

typedef struct Keys {
    char text[MOST_KEYS][40];
    const char *list[MOST_KEYS];
    int count;
} Keys;

static void collect_keys(const Reader *reader, const Record *record, const char *path, Keys *keys) {
    size_t length = strlen(path);
    keys->count = 0;
    const Field *field;
    for (int n = 0; (field = record_field(record, n)) && keys->count < MOST_KEYS; n++) {
        if (strncmp(field->path, path, length) != 0 || field->path[length] != '/') continue;
        if (reader->grid_known && !field_applies(field, reader->grid, reader->map != NULL)) continue;
        const char *key = field->path + length + 1;
        char *copy = keys->text[keys->count];
        snprintf(copy, sizeof keys->text[0], "%.*s", (int)strcspn(key, "/"), key);
        if (keys->count && strcmp(keys->list[keys->count - 1], copy) == 0)
            continue; /* same section as before */
        keys->list[keys->count++] = copy;
    }
}

/* "step_min" -> 4: without its unit. The longer ending comes before the one it ends with. */
static size_t length_without_unit(const char *key) {
    static const char *const units[] = {"_m_s2", "_kg_m3",   "_m2_s",  "_m3_s",    "_cm_s",  "_km_h", "_m_s",
                                        "_ms",   "_kmh",     "_knots", "_kn",      "_hours", "_hour", "_days",
                                        "_day",  "_minutes", "_min",   "_seconds", "_sec",   "_hPa",  "_kPa",
                                        "_mbar", "_Pa",      "_deg",   "_degrees", "_rad",   "_km",   "_cm",
                                        "_mm",   "_m",       "_h",     "_d",       "_s"};
    size_t length = strlen(key);
    for (size_t n = 0; n < sizeof units / sizeof units[0]; n++) {
        size_t unit = strlen(units[n]);
        if (length > unit && strcmp(key + length - unit, units[n]) == 0) return length - unit;
    }
    return length;
}

static const char *same_with_other_unit(const Keys *keys, const char *key) {
    size_t length = length_without_unit(key);
    for (int n = 0; n < keys->count; n++)
        if (length_without_unit(keys->list[n]) == length && strncmp(keys->list[n], key, length) == 0 &&
            (keys->list[n][length] == '_' || key[length] == '_'))
            return keys->list[n];
    return NULL;
}

/* The pointer of a key or section of this name in another place, or "". */
static void same_elsewhere(const Record *record, const char *key, char out[96]) {
    const Field *field;
    const size_t length = strlen(key);
    *out = '\0';
    for (int n = 0; !*out && (field = record_field(record, n)); n++)
        for (const char *part = field->path; !*out && (part = strchr(part, '/')); part++)
            if (strncmp(part + 1, key, length) == 0 && strchr("/", part[1 + length]))
                snprintf(out, 96, "%.*s", (int)(part + 1 + length - field->path), field->path);
    if (strcmp(out, "/comment") == 0) *out = '\0';
}

static void refuse_unknown(Reader *reader, const Record *record, const Json *item, const char *parent) {
    Keys keys;
    char list[600] = "";
    collect_keys(reader, record, parent, &keys);
    char elsewhere[96];
    same_elsewhere(record, item->key, elsewhere);
    const char *unit = same_with_other_unit(&keys, item->key);
    const char *near = json_nearest(item->key, keys.list, keys.count);
    if (unit) {
        reader_refuse(reader, item->key_place, item->pointer,
                      "there is no key \"%.60s\"; with its unit it is \"%s\"", item->key, unit);
    } else if (*elsewhere) {
        reader_refuse(reader, item->key_place, item->pointer,
                      "there is no key \"%.60s\" here; it belongs at %s", item->key, elsewhere);
    } else if (near) {
        reader_refuse(reader, item->key_place, item->pointer,
                      "there is no key \"%.60s\"; did you mean \"%s\"?", item->key, near);
    } else {
        for (int n = 0, used = 0; n < keys.count && used < (int)sizeof list - 50; n++)
            used += snprintf(list + used, sizeof list - (size_t)used, "%s%s", n ? ", " : "", keys.list[n]);
        reader_refuse(reader, item->key_place, item->pointer, "there is no key \"%.60s\" here; there are %s",
                      item->key, list);
    }
}

static void read_field(Reader *reader, const Field *field, const Json *item, char *target) {
    if (reader->grid_known && !field_applies(field, reader->grid, reader->map != NULL)) {
        bool spherical = reader->grid == GRID_SPHERICAL;
        reader_refuse(reader, item->key_place, item->pointer, "\"%s\" is for %s grids, but this one is %s%s",
                      item->key, spherical ? "cartesian" : "spherical", spherical ? "spherical" : "cartesian",
                      field->flags & OR_MAPPED && !spherical ? " and has no \"crs\"" : "");
        return;
    }
    field->kind->read(reader, field, item, target + field->offset, target + field->count_offset);
}

static void read_object(Reader *reader, const Record *record, const Json *object, const char *parent,
                        char *target) {
    for (int n = 0; n < object->n_items; n++) {
        const Json *item = object->items[n];
        char *path = memory_format("%s/%s", parent, item->key);
        const Field *field = record_find(record, path);
        bool plain = !strchr(item->key, '/'); /* the key "drag/n" is not the section drag */
        if (field && plain) {
            read_field(reader, field, item, target);
        } else if (!plain || !*item->key || !is_section(record, path)) {
            refuse_unknown(reader, record, item, parent);
        } else if (item->kind != JSON_OBJECT) {
            char found[80];
            json_describe(item, found);
            reader_refuse(reader, item->place, item->pointer, "found %s, but \"%s\" must be an object {...}",
                          found, item->key);
        } else {
            read_object(reader, record, item, path, target);
        }
        memory_free(path);
    }
}

/* Said where the nearest thing around it stands. */
static void refuse_missing(Reader *reader, const Record *record, const Field *field, const Json *json) {
    char *parent = memory_copy_text(field->path);
    const Json *around = NULL;
    for (char *slash; !around && (slash = strrchr(parent, '/'));) {
        *slash = '\0';
        around = json_at(json, parent);
    }
    if (!around) around = json;
    if (around->kind == JSON_OBJECT) { /* else that was refused already */
        char *pointer = memory_format("%s%s", json->pointer, field->path);
        reader_refuse(reader, around->place, pointer, "%s needs \"%s\" (%.*s), at %s", record->what,
                      field_key(field), sentence(field->doc), field->doc, pointer);
        memory_free(pointer);
    }
    memory_free(parent);
}

void record_read(Reader *reader, const Record *record, const Json *json, void *target) {
    char *base = target;
    const Field *field;
    for (int n = 0; (field = record_field(record, n)); n++) {
        if ((field->flags & HAS_DEFAULT) && field->kind->set_default &&
            field_applies(field, reader->grid, reader->map != NULL))
            field->kind->set_default(field, base + field->offset, base + field->count_offset);
    }
    if (json->kind != JSON_OBJECT) {
        char found[80];
        json_describe(json, found);
        reader_refuse(reader, json->place, json->pointer, "found %s, but %s must be an object {...}", found,
                      record->what);
        return;
    }
    read_object(reader, record, json, "", base);
    for (int n = 0; (field = record_field(record, n)); n++) {
        bool conditional = field->flags & (ON_CARTESIAN | ON_SPHERICAL);
        if (!(field->flags & REQUIRED) ||
            (conditional && !(reader->grid_known && field_applies(field, reader->grid, false))) ||
            (reader->map && (field->flags & OR_MAPPED)))
            continue;
        if (!json_at(json, field->path)) refuse_missing(reader, record, field, json);
    }
}

void record_destroy(const Record *record, void *target) {
    char *base = target;
    const Field *field;
    for (int n = 0; (field = record_field(record, n)); n++) {
        if (field->kind->destroy)
            field->kind->destroy(field, base + field->offset, base + field->count_offset);
    }
}
