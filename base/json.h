/* SPDX-License-Identifier: Apache-2.0
 *
 * JSON as people write it: every value knows its place in the file. The text may hold comments and a
 * byte-order mark; keys are case-sensitive; a key given twice, text after the end and an extra comma are
 * refused. cJSON turns the text into values, but it gives no positions, is lenient and does not know
 * comments, so json_scan.c scans the text first. All functions are local.
 */
#ifndef MAEOTIS_BASE_JSON_H
#define MAEOTIS_BASE_JSON_H

#include "base/error.h"
#include <stdbool.h>

typedef enum JsonKind { JSON_NULL, JSON_BOOL, JSON_NUMBER, JSON_STRING, JSON_ARRAY, JSON_OBJECT } JsonKind;

typedef struct Json Json;
struct Json {
    JsonKind kind;
    bool truth;    /* JSON_BOOL */
    double number; /* JSON_NUMBER, finite */
    char *text;    /* JSON_STRING */
    Json **items;  /* of an array or object, in the order of the file */
    int n_items;
    char *key;       /* inside an object, else NULL */
    char *pointer;   /* "/physics/drag/n"; "" for the whole */
    char *place;     /* "storm.json:12:7 (/physics/drag/n)", of the value */
    char *key_place; /* the same, of the key; the value's where there is no key */
};

/* Raises the first mistake of syntax, or each key that is given twice: file:line:column, what was found and
 * what was expected. `file` is for the messages. */
CHECKED Status json_parse(const char *file, const char *text, Json **out);
void json_destroy(Json **json);

/* NULL: no such key, or not an object. */
const Json *json_find(const Json *object, const char *key);

/* "/physics/drag/n=0.03": replaces the value there; missing keys are made, an index may be the one after an
 * array's end. The value is JSON; text that is not JSON is a string. Its place is "--set /physics/drag/n". */
CHECKED Status json_override(Json *root, const char *setting);

/* Takes the value at a pointer out of the tree, and puts it in at another; its place in the file stays. Missing sections
 * are made. */
Json *json_detach(Json *root, const char *pointer);
CHECKED Status json_attach(Json *root, const char *pointer, Json *value);

/* "a number", "an object" ...; and the value itself as it would be quoted in a message: 3, "text", an array
 * of 4. */
const char *json_kind_name(JsonKind kind);
void json_describe(const Json *json, char out[80]);

/* The one of `count` names that was probably meant by `text`, or NULL if none is near. */
const char *json_nearest(const char *text, const char *const *names, int count);

/* Text for people: two spaces per level, values that fit on a line on one line. To be freed with
 * memory_free. */
struct cJSON;
char *json_print(const struct cJSON *json);

/* The shortest decimal that reads back as the same double, with a point in every locale. */
void json_format_number(double number, char out[32]);

#endif
