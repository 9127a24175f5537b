/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json.h"

#include "base/json_scan.h"
#include "base/memory.h"
#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Builder {
    const char *file;
    const JsonPosition *positions;
    size_t next; /* position of the value that is built next: cJSON's values come in the order of the text */
    Status status;
} Builder;

/* "/a/b" and the key "c/d" -> "/a/b/c~1d" (RFC 6901). */
static char *pointer_down(const char *parent, const char *key) {
    size_t length = strlen(parent), extra = 2;
    for (const char *p = key; *p; p++) extra += *p == '~' || *p == '/' ? 2 : 1;
    char *pointer = ALLOCATE(length + extra, char), *to = pointer + length + 1;
    memcpy(pointer, parent, length);
    pointer[length] = '/';
    for (const char *p = key; *p; p++) {
        if (*p == '~' || *p == '/')
            *to++ = '~', *to++ = *p == '~' ? '0' : '1';
        else
            *to++ = *p;
    }
    return pointer;
}

static char *place_at(const char *file, int line, int column, const char *pointer) {
    return memory_format("%s:%d:%d (%s)", file, line, column, *pointer ? pointer : "/");
}

static int by_key(const void *left, const void *right) {
    const Json *const *a = left, *const *b = right;
    return strcmp((*a)->key, (*b)->key);
}

static void refuse_duplicates(Builder *builder, const Json *object) {
    if (object->n_items < 2) return;
    const Json **sorted = ALLOCATE(object->n_items, const Json *);
    memcpy(sorted, object->items, (size_t)object->n_items * sizeof *sorted);
    qsort(sorted, (size_t)object->n_items, sizeof *sorted, by_key);
    for (int n = 1; n < object->n_items; n++)
        if (strcmp(sorted[n - 1]->key, sorted[n]->key) == 0)
            builder->status = error_raise(STATUS_BAD_INPUT,
                                          "%s: the key \"%s\" is given twice, also at %s; keep one of them",
                                          sorted[n]->key_place, sorted[n]->key, sorted[n - 1]->key_place);
    memory_free(sorted);
}

static Json *build(Builder *builder, const cJSON *from, const char *parent, int index, bool in_array);

static void build_items(Builder *builder, const cJSON *from, Json *json) {
    int count = 0;
    const cJSON *item;
    cJSON_ArrayForEach (item, from) count++;
    json->items = ALLOCATE(count, Json *);
    cJSON_ArrayForEach (item, from) {
        json->items[json->n_items] =
            build(builder, item, json->pointer, json->n_items, json->kind == JSON_ARRAY);
        json->n_items++;
    }
    if (json->kind == JSON_OBJECT) refuse_duplicates(builder, json);
}

static void build_number(Builder *builder, const cJSON *from, Json *json) {
    json->kind = JSON_NUMBER;
    json->number = from->valuedouble;
    if (!isfinite(json->number))
        builder->status = error_raise(
            STATUS_BAD_INPUT, "%s: this number is too large (the largest is about 1.8e308)", json->place);
}

static Json *build(Builder *builder, const cJSON *from, const char *parent, int index, bool in_array) {
    Json *json = ALLOCATE(1, Json);
    JsonPosition position = builder->positions[builder->next++];
    char number[16];
    snprintf(number, sizeof number, "%d", index);
    if (!in_array) json->key = memory_copy_text(from->string);
    json->pointer = in_array || from->string ? pointer_down(parent, in_array ? number : from->string)
                                             : memory_copy_text("");
    json->place = place_at(builder->file, position.line, position.column, json->pointer);
    json->key_place = place_at(builder->file, position.key_line, position.key_column, json->pointer);
    if (cJSON_IsNumber(from)) {
        build_number(builder, from, json);
    } else if (cJSON_IsString(from)) {
        json->kind = JSON_STRING;
        json->text = memory_copy_text(from->valuestring);
    } else if (cJSON_IsBool(from)) {
        json->kind = JSON_BOOL;
        json->truth = cJSON_IsTrue(from);
    } else if (cJSON_IsArray(from) || cJSON_IsObject(from)) {
        json->kind = cJSON_IsArray(from) ? JSON_ARRAY : JSON_OBJECT;
        build_items(builder, from, json);
    }
    return json;
}

Status json_parse(const char *file, const char *text, Json **out) {
    JsonScan scan;
    Status status = STATUS_OK;
    *out = NULL;
    json_scan(text, &scan);
    cJSON *parsed = scan.failed ? NULL : cJSON_Parse(scan.text);
    if (scan.failed) {
        status = error_raise(STATUS_BAD_INPUT, "%s:%s", file, scan.message);
    } else if (!parsed) {
        status = error_raise(STATUS_BAD_INPUT, "%s: this is not JSON", file);
    } else {
        Builder builder = {.file = file, .positions = scan.positions};
        *out = build(&builder, parsed, "", 0, false);
        status = builder.status;
    }
    if (status != STATUS_OK) json_destroy(out);
    cJSON_Delete(parsed);
    json_scan_free(&scan);
    return status;
}

void json_destroy(Json **json) {
    Json *gone = *json;
    if (!gone) return;
    for (int n = 0; n < gone->n_items; n++) json_destroy(&gone->items[n]);
    memory_free(gone->items);
    memory_free(gone->text);
    memory_free(gone->key);
    memory_free(gone->pointer);
    memory_free(gone->place);
    memory_free(gone->key_place);
    memory_free(gone);
    *json = NULL;
}

const Json *json_find(const Json *object, const char *key) {
    if (!object || object->kind != JSON_OBJECT) return NULL;
    for (int n = 0; n < object->n_items; n++)
        if (strcmp(object->items[n]->key, key) == 0) return object->items[n];
    return NULL;
}
