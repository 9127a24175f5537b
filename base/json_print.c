/* SPDX-License-Identifier: Apache-2.0
 *
 * JSON laid out for people. cJSON prints every list of objects over many lines, and every list of numbers on
 * one, however long.
 */
#include "base/json.h"

#include "base/memory.h"
#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 100, INDENT = 2 };

static void print_leaf(FILE *to, const cJSON *item) {
    char *text = cJSON_PrintUnformatted(item);
    fputs(text ? text : "null", to);
    cJSON_free(text);
}

static void print_key(FILE *to, const char *key) {
    cJSON *name = cJSON_CreateStringReference(key);
    print_leaf(to, name);
    fputs(": ", to);
    cJSON_Delete(name);
}

static void print_compact(FILE *to, const cJSON *item) {
    bool object = cJSON_IsObject(item);
    const cJSON *inner;
    if (!object && !cJSON_IsArray(item)) {
        print_leaf(to, item);
        return;
    }
    fputc(object ? '{' : '[', to);
    cJSON_ArrayForEach (inner, item) {
        if (object) print_key(to, inner->string);
        print_compact(to, inner);
        if (inner->next) fputs(", ", to);
    }
    fputc(object ? '}' : ']', to);
}

static bool holds_containers(const cJSON *item, bool objects_only) {
    const cJSON *inner;
    cJSON_ArrayForEach (inner, item) {
        if (cJSON_IsObject(inner) || (!objects_only && cJSON_IsArray(inner))) return true;
        if (cJSON_IsArray(inner) && holds_containers(inner, objects_only)) return true;
    }
    return false;
}

/* The whole on one line; NULL if it is too long, or has objects in it, which read better below each other. */
static char *one_line(const cJSON *item, int room) {
    char *text = NULL;
    size_t size;
    if (holds_containers(item, true)) return NULL;
    FILE *to = open_memstream(&text, &size);
    if (!to) return NULL;
    print_compact(to, item);
    fclose(to);
    if ((int)size <= room) return text;
    free(text);
    return NULL;
}

static void new_line(FILE *to, int depth) {
    fprintf(to, "\n%*s", depth * INDENT, "");
}

/* A long list of numbers or names: as many on a line as fit. */
static void print_filled(FILE *to, const cJSON *array, int depth) {
    const cJSON *inner;
    int column = WIDTH;
    fputc('[', to);
    cJSON_ArrayForEach (inner, array) {
        char *text = one_line(inner, 1 << 20);
        int length = (text ? (int)strlen(text) : 4) + 2;
        if (column + length > WIDTH)
            new_line(to, depth + 1), column = (depth + 1) * INDENT;
        else
            fputc(' ', to);
        fprintf(to, "%s%s", text ? text : "null", inner->next ? "," : "");
        column += length;
        free(text);
    }
    new_line(to, depth);
    fputc(']', to);
}

static void print_item(FILE *to, const cJSON *item, int depth, int used) {
    bool object = cJSON_IsObject(item);
    char *line = depth > 0 ? one_line(item, WIDTH - used) : NULL;
    const cJSON *inner;
    if (line || (!object && !cJSON_IsArray(item))) {
        if (line)
            fputs(line, to);
        else
            print_leaf(to, item);
    } else if (!object && !holds_containers(item, false)) {
        print_filled(to, item, depth);
    } else {
        fputc(object ? '{' : '[', to);
        cJSON_ArrayForEach (inner, item) {
            new_line(to, depth + 1);
            if (object) print_key(to, inner->string);
            print_item(to, inner, depth + 1,
                       (depth + 1) * INDENT + (object ? (int)strlen(inner->string) + 4 : 0));
            if (inner->next) fputc(',', to);
        }
        new_line(to, depth);
        fputc(object ? '}' : ']', to);
    }
    free(line);
}

char *json_print(const struct cJSON *json) {
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (!to) return memory_copy_text("");
    print_item(to, json, 0, 0);
    fputc('\n', to);
    fclose(to);
    char *copy = memory_copy_text(text);
    free(text);
    return copy;
}
