/* SPDX-License-Identifier: Apache-2.0
 *
 * `--set /physics/drag/n=0.03`: settings from the command line, put into the tree before it is checked, so
 * that they are checked as if they were in the file.
 */
#include "base/json.h"

#include "base/json_scan.h"
#include "base/memory.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The name for messages: "--set /physics/drag/n"; parts of the value also with their pointer. */
static void rename_places(Json *json, const char *setting, const char *pointer) {
    memory_free(json->pointer), memory_free(json->place), memory_free(json->key_place);
    json->pointer = memory_copy_text(pointer);
    bool whole = strcmp(setting, pointer) == 0;
    json->place =
        whole ? memory_format("--set %s", setting) : memory_format("--set %s (%s)", setting, pointer);
    json->key_place = memory_copy_text(json->place);
    for (int n = 0; n < json->n_items; n++) {
        const char *own = strrchr(json->items[n]->pointer, '/');
        char *inner = memory_format("%s%s", pointer, own);
        rename_places(json->items[n], setting, inner);
        memory_free(inner);
    }
}

/* The pointers of a value that keeps its place in the file; of a section that had none, too. */
static void rename_pointers(Json *json, const char *setting, const char *pointer) {
    memory_free(json->pointer);
    json->pointer = memory_copy_text(pointer);
    if (!*json->place) rename_places(json, setting, pointer);
    for (int n = 0; n < json->n_items; n++) {
        char *inner = memory_format("%s%s", pointer, strrchr(json->items[n]->pointer, '/'));
        rename_pointers(json->items[n], setting, inner);
        memory_free(inner);
    }
}

static Json *make(JsonKind kind, const char *text) {
    Json *json = ALLOCATE(1, Json);
    json->kind = kind;
    json->text = memory_copy_text(text);
    json->pointer = memory_copy_text("");
    json->place = memory_copy_text(""), json->key_place = memory_copy_text("");
    return json;
}

/* What is no JSON is a text, so that shells need no second pair of quotes; but broken brackets are a mistake.
 */
static Status parse_value(const char *setting, const char *value, Json **out) {
    JsonScan scan;
    json_scan(value, &scan);
    bool failed = scan.failed;
    json_scan_free(&scan);
    bool meant_as_json = value[0] && strchr("{[\"", value[strspn(value, " ")]);
    if (failed && !meant_as_json) {
        *out = make(JSON_STRING, value);
        return STATUS_OK;
    }
    char *name = memory_format("--set %s", setting);
    Status status = json_parse(name, value, out);
    memory_free(name);
    return status;
}

static void put(Json *parent, int at, char *key, Json *value) {
    if (at == parent->n_items) { parent->items = ENLARGE(parent->items, ++parent->n_items, Json *); }
    json_destroy(&parent->items[at]);
    memory_free(value->key);
    value->key = key;
    parent->items[at] = value;
}

/* "drag/n" -> "drag" with ~1 and ~0 put back, `*at` behind the slash; NULL when nothing is left. */
static char *next_part(const char **at) {
    if (!*at) return NULL;
    size_t length = strcspn(*at, "/");
    char *part = ALLOCATE(length + 1, char), *to = part;
    for (const char *p = *at; p < *at + length; p++) {
        bool escape = *p == '~' && (p[1] == '0' || p[1] == '1');
        *to++ = escape ? (p[1] == '0' ? '~' : '/') : *p;
        p += escape;
    }
    *at = (*at)[length] ? *at + length + 1 : NULL;
    return part;
}

/* The index of `part` in `parent`; one after the last if it must be made; -1 with a message. */
static int find_part(const Json *parent, const char *part, const char *setting) {
    if (parent->kind == JSON_OBJECT) {
        int n = 0;
        while (n < parent->n_items && strcmp(parent->items[n]->key, part) != 0) n++;
        return n;
    }
    char *end;
    long index = strcmp(part, "-") == 0 ? parent->n_items : strtol(part, &end, 10);
    bool number = strcmp(part, "-") == 0 || (isdigit((unsigned char)*part) && *end == '\0');
    if (parent->kind == JSON_ARRAY && number && index <= parent->n_items) return (int)index;
    if (parent->kind == JSON_ARRAY)
        error_raise(STATUS_BAD_INPUT,
                    "--set %s: \"%s\" is not a place in the array %s of %d (0 to %d; %d or - adds one)",
                    setting, part, parent->pointer, parent->n_items, parent->n_items - 1, parent->n_items);
    else
        error_raise(STATUS_BAD_INPUT, "--set %s: %s is %s and has no members", setting,
                    *parent->pointer ? parent->pointer : "the scenario", json_kind_name(parent->kind));
    return -1;
}

typedef void Naming(Json *json, const char *setting, const char *pointer);

static Status place_value(Json *root, const char *pointer, Json *value, Naming *name) {
    const char *rest = pointer + 1;
    for (Json *parent = root; rest;) {
        const char *raw = rest;
        char *part = next_part(&rest);
        int at = find_part(parent, part, pointer);
        bool in_object = parent->kind == JSON_OBJECT, last = !rest;
        if (at >= 0 && (last || at == parent->n_items)) {
            Json *item = last ? value : make(JSON_OBJECT, NULL);
            char *own = in_object ? memory_format("%s/%.*s", parent->pointer, (int)strcspn(raw, "/"), raw)
                                  : memory_format("%s/%d", parent->pointer, at);
            name(item, pointer, own);
            put(parent, at, in_object ? memory_copy_text(part) : NULL, item);
            memory_free(own);
        }
        memory_free(part);
        if (at < 0) return json_destroy(&value), STATUS_BAD_INPUT;
        parent = parent->items[at];
    }
    return STATUS_OK;
}

Status json_override(Json *root, const char *setting) {
    const char *equals = strchr(setting, '=');
    CHECK(setting[0] == '/' && equals && equals > setting + 1, STATUS_BAD_INPUT,
          "--set %s: write the place in the scenario, = and the value, such as --set /physics/drag/n=0.03",
          setting);
    char *pointer = memory_format("%.*s", (int)(equals - setting), setting);
    Json *value = NULL;
    Status status = parse_value(pointer, equals + 1, &value);
    if (status == STATUS_OK) status = place_value(root, pointer, value, rename_places);
    memory_free(pointer);
    return status;
}

Json *json_detach(Json *root, const char *pointer) {
    Json *parent = NULL, *value = root;
    int at = -1;
    for (const char *rest = pointer + 1; rest;) {
        char *part = next_part(&rest);
        parent = value;
        at = find_part(parent, part, pointer);
        memory_free(part);
        if (at < 0 || at >= parent->n_items) return NULL;
        value = parent->items[at];
    }
    const int left = --parent->n_items - at;
    memmove(parent->items + at, parent->items + at + 1, (size_t)left * sizeof(Json *));
    parent->items[parent->n_items] = NULL;
    return value;
}

Status json_attach(Json *root, const char *pointer, Json *value) {
    return place_value(root, pointer, value, rename_pointers);
}
