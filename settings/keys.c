/* SPDX-License-Identifier: Apache-2.0
 *
 * The JSON Schema as text for people: each key with its allowed values and its purpose.
 */
#include "base/memory.h"
#include "settings/output_variables.h"
#include "settings/table.h"
#include <string.h>

static const cJSON *get(const cJSON *schema, const char *key) {
    return cJSON_GetObjectItemCaseSensitive(schema, key);
}

static void append_json(char **text, const char *before, const cJSON *value) {
    if (!value) return;
    char *printed = cJSON_PrintUnformatted(value);
    memory_append(text, "%s%s", before, printed);
    cJSON_free(printed);
}

/* " above 0 to 1000" */
static void append_limits(char **text, const cJSON *schema) {
    append_json(text, " from ", get(schema, "minimum"));
    append_json(text, " above ", get(schema, "exclusiveMinimum"));
    append_json(text, " to ", get(schema, "maximum"));
}

static void append_content(char **text, const cJSON *schema);

static void append_each(char **text, const cJSON *list, const char *between) {
    const cJSON *item;
    cJSON_ArrayForEach (item, list) {
        if (item != list->child) memory_append(text, "%s", between);
        if (cJSON_IsObject(item))
            append_content(text, item);
        else
            append_json(text, "", item);
    }
}

static void append_members(char **text, const cJSON *properties) {
    const cJSON *item;
    memory_append(text, "{");
    cJSON_ArrayForEach (item, properties)
        memory_append(text, "%s\"%s\": ...", item == properties->child ? "" : ", ", item->string);
    memory_append(text, "}");
}

/* What may stand there: "number from 0 to 1", "\"up\" or \"down\"", "[number, ...]". */
static void append_content(char **text, const cJSON *schema) {
    const char *type = cJSON_GetStringValue(get(schema, "type")),
               *formula = cJSON_GetStringValue(get(schema, "description"));
    if (formula && strncmp(formula, "A formula", 9) != 0) formula = NULL;
    if (get(schema, "enum"))
        append_each(text, get(schema, "enum"), " or ");
    else if (get(schema, "anyOf"))
        append_each(text, get(schema, "anyOf"), ", or ");
    else if (get(get(schema, "items"), "properties"))
        memory_append(text, "[{...}, ...]");
    else if (get(schema, "items")) {
        memory_append(text, "[");
        append_content(text, get(schema, "items"));
        memory_append(text, ", ...]");
    } else if (get(schema, "properties"))
        append_members(text, get(schema, "properties"));
    else if (formula)
        memory_append(text, "a%.*s", (int)strcspn(formula + 1, ";"), formula + 1);
    else
        memory_append(text, "%s", !type ? "anything" : strcmp(type, "string") == 0 ? "text" : type);
    append_limits(text, schema);
}

static bool is_required(const cJSON *section, const char *key) {
    const cJSON *item;
    cJSON_ArrayForEach (item, get(section, "required"))
        if (strcmp(item->valuestring, key) == 0) return true;
    return false;
}

/* Is it the key that is meant, or below it? Items of lists have one number for all: /rivers/3/name is /rivers/0/name. */
static bool is_below(const char *pointer, const char *key) {
    while (*key && *pointer == *key) {
        const bool index = *key == '/' && strspn(key + 1, "0123456789") > 0;
        pointer++, key++;
        if (!index || *pointer != '0') continue;
        pointer++;
        key += strspn(key, "0123456789");
    }
    if (*key == '/' && key[1] == '\0') key++;
    return !*key && (!*pointer || *pointer == '/' || key[-1] == '/');
}

static bool is_wanted(const char *pointer, const char *which) {
    return !which || (*which == '/' ? is_below(pointer, which) : strstr(pointer, which) != NULL);
}

static void append_section(char **text, const char *path, const cJSON *section, const char *which) {
    const cJSON *key;
    cJSON_ArrayForEach (key, get(section, "properties")) {
        char *pointer = memory_format("%s/%s", path, key->string);
        const char *doc = cJSON_GetStringValue(get(key, "description"));
        if (doc && is_wanted(pointer, which)) { /* else a section, of which only the keys are told */
            memory_append(text, "%s   ", pointer);
            append_content(text, key);
            append_json(text, "; default ", get(key, "default"));
            memory_append(text, "%s\n    %s\n", is_required(section, key->string) ? "; required" : "", doc);
        }
        if (!doc) append_section(text, pointer, key, which);
        if (get(get(key, "items"), "properties")) {
            char *first = memory_format("%s/0", pointer);
            append_section(text, first, get(key, "items"), which);
            memory_free(first);
        }
        memory_free(pointer);
    }
}

char *scenario_keys(const char *which) {
    cJSON *schema = record_schema(&scenario_record);
    char *text = memory_copy_text("");
    append_section(&text, "", schema, which);
    if (!which) memory_append(&text, "\nVariables of outputs\n");
    for (int n = 0; !which && output_variable_names[n]; n++) {
        const char *name = output_variable_names[n];
        const OutputVariable *v = output_variable(name, true), *faces = output_variable(name, false);
        memory_append(&text, "    %-24s %s [%s]%s", name, v->long_name, v->units,
                      v->three_d ? ", in every layer" : "");
        if (faces != v) memory_append(&text, "; with \"velocities\": \"faces\" the %s", faces->long_name);
        memory_append(&text, "\n");
    }
    cJSON_Delete(schema);
    return text;
}
