/* SPDX-License-Identifier: Apache-2.0 */
#include "settings/constants.h"

#include "base/memory.h"
#include "settings/table.h"
#include <ctype.h>
#include <string.h>

static bool is_of_word(char c) {
    return isalnum((unsigned char)c) || c == '_';
}

/* How long the word or number is that begins here; 1 for anything else. */
static int token_length(const char *text) {
    const bool number = isdigit((unsigned char)text[0]) || text[0] == '.';
    int n = 1;
    if (!number && !is_of_word(text[0])) return 1;
    while (is_of_word(text[n]) || (number && text[n] == '.') ||
           (number && strchr("eE", text[n - 1]) && text[n] && strchr("+-", text[n])))
        n++;
    return n;
}

static const Json *find_constant(const Json *constants, const char *word, int length) {
    for (int n = 0; n < constants->n_items; n++) {
        const Json *constant = constants->items[n];
        if (constant->kind == JSON_NUMBER && strlen(constant->key) == (size_t)length &&
            strncmp(constant->key, word, (size_t)length) == 0)
            return constant;
    }
    return NULL;
}

char *constants_replace(const Json *constants, const char *formula) {
    char *text = memory_copy_text("");
    for (int length; *formula; formula += length) {
        length = token_length(formula);
        const Json *constant = constants ? find_constant(constants, formula, length) : NULL;
        if (constant) {
            char number[32];
            json_format_number(constant->number, number);
            memory_append(&text, "(%s)", number);
        } else
            memory_append(&text, "%.*s", length, formula);
    }
    return text;
}

/* ---- the key ---- */

static bool is_name(const char *key) {
    static const char *const taken[] = {"x", "y", "z", "lon", "lat", "t", "pi", "Lx", "Ly"};
    for (size_t n = 0; n < sizeof taken / sizeof *taken; n++)
        if (strcmp(key, taken[n]) == 0) return false;
    return !isdigit((unsigned char)key[0]) && *key && (size_t)token_length(key) == strlen(key);
}

static void constants_read(Reader *reader, const Field *field, const Json *json, void *member, void *other) {
    (void)field, (void)member, (void)other;
    if (json->kind != JSON_OBJECT) {
        reader_refuse_kind(reader, field, json, "an object {\"name\": number, ...}");
        return;
    }
    for (int n = 0; n < json->n_items; n++) {
        const Json *constant = json->items[n];
        if (!is_name(constant->key))
            reader_refuse(reader, constant->key_place, constant->pointer,
                          "\"%.60s\" cannot name a constant: use letters, digits and _, beginning with a "
                          "letter, and none of "
                          "the names x, y, z, lon, lat, t, pi, Lx and Ly",
                          constant->key);
        else if (constant->kind != JSON_NUMBER)
            reader_refuse(reader, constant->place, constant->pointer,
                          "the constant \"%.60s\" must be a number", constant->key);
    }
}

static cJSON *constants_write(const Field *field, const char *folder, const void *member, const void *other) {
    (void)field, (void)folder, (void)member, (void)other;
    return NULL; /* formulas hold their values */
}

static cJSON *constants_schema(const Field *field) {
    cJSON *schema = cJSON_CreateObject(), *number = cJSON_CreateObject();
    (void)field;
    cJSON_AddStringToObject(schema, "type", "object");
    cJSON_AddStringToObject(number, "type", "number");
    cJSON_AddItemToObject(schema, "additionalProperties", number);
    return schema;
}

const FieldKind constants_kind = {constants_read, NULL, constants_write, constants_schema, NULL};
