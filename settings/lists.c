/* SPDX-License-Identifier: Apache-2.0
 *
 * The kinds of lists: numbers, names, and objects such as rivers.
 */
#include "base/memory.h"
#include "settings/output_variables.h"
#include "settings/table.h"
#include <string.h>

static cJSON *array_schema(cJSON *items, int length) {
    cJSON *schema = cJSON_CreateObject();
    cJSON_AddStringToObject(schema, "type", "array");
    cJSON_AddItemToObject(schema, "items", items);
    if (length > 0) {
        cJSON_AddNumberToObject(schema, "minItems", length);
        cJSON_AddNumberToObject(schema, "maxItems", length);
    }
    return schema;
}

bool read_numbers(Reader *reader, const Field *field, const Json *json, int count, double *numbers) {
    bool good = true;
    if (json->kind != JSON_ARRAY || json->n_items == 0 || (count > 0 && json->n_items != count)) {
        char needed[64];
        snprintf(needed, sizeof needed, count > 0 ? "an array of %d numbers" : "an array of numbers", count);
        return reader_refuse_kind(reader, field, json, needed), false;
    }
    for (int n = 0; n < json->n_items; n++)
        good = read_number(reader, field, json->items[n], &numbers[n]) && good;
    return good;
}

/* ---- any number of numbers: member double *, other int ---- */

void list_destroy(const Field *field, void *member, void *other) {
    (void)field;
    memory_free(*(void **)member);
    *(void **)member = NULL;
    *(int *)other = 0;
}

static void numbers_read(Reader *reader, const Field *field, const Json *json, void *member, void *other) {
    double *numbers = ALLOCATE(json->n_items, double);
    list_destroy(field, member, other);
    if (read_numbers(reader, field, json, 0, numbers)) {
        *(double **)member = numbers;
        *(int *)other = json->n_items;
    } else {
        memory_free(numbers);
    }
}

static cJSON *numbers_write(const Field *field, const char *folder, const void *member, const void *other) {
    (void)field, (void)folder;
    const double *numbers = *(double *const *)member;
    if (!numbers) return NULL;
    cJSON *array = cJSON_CreateArray();
    for (int n = 0; n < *(const int *)other; n++) cJSON_AddItemToArray(array, write_number(numbers[n]));
    return array;
}

static cJSON *numbers_schema(const Field *field) {
    return array_schema(number_kind.schema(field), field->length);
}

const FieldKind numbers_kind = {numbers_read, NULL, numbers_write, numbers_schema, list_destroy};

/* ---- a given number of them: member double[length], other bool: there are any ---- */

static bool ascends(const double *pairs, int length) {
    for (int n = 0; n + 1 < length; n += 2)
        if (!(pairs[n] < pairs[n + 1])) return false;
    return true;
}

static void fixed_numbers_read(Reader *reader, const Field *field, const Json *json, void *member,
                               void *other) {
    const double *read = member;
    if (!read_numbers(reader, field, json, field->length, member)) return;
    if ((field->flags & ASCENDING) && !ascends(read, field->length))
        reader_refuse(reader, json->place, json->pointer,
                      field->length == 4
                          ? "a box is [west, east, south, north]; west must be less than east and "
                            "south less than north"
                          : "the two numbers must ascend, not %.10g to %.10g",
                      read[0], read[1]);
    else
        *(bool *)other = true;
}

static cJSON *fixed_numbers_write(const Field *field, const char *folder, const void *member,
                                  const void *other) {
    (void)folder;
    if (!*(const bool *)other) return NULL;
    cJSON *array = cJSON_CreateArray();
    for (int n = 0; n < field->length; n++)
        cJSON_AddItemToArray(array, write_number(((const double *)member)[n]));
    return array;
}

const FieldKind fixed_numbers_kind = {fixed_numbers_read, NULL, fixed_numbers_write, numbers_schema, NULL};

/* ---- whole numbers: member int *, other int; or member int[length] ---- */

static bool read_integers(Reader *reader, const Field *field, const Json *json, int *numbers) {
    bool good = true;
    if (json->kind != JSON_ARRAY || json->n_items == 0 ||
        (field->length > 0 && json->n_items != field->length)) {
        char needed[64];
        snprintf(needed, sizeof needed,
                 field->length > 0 ? "an array of %d whole numbers" : "an array of whole numbers",
                 field->length);
        return reader_refuse_kind(reader, field, json, needed), false;
    }
    for (int n = 0; n < json->n_items; n++)
        good = read_integer(reader, field, json->items[n], &numbers[n]) && good;
    return good;
}

static void integers_read(Reader *reader, const Field *field, const Json *json, void *member, void *other) {
    int *numbers = ALLOCATE(json->n_items, int);
    list_destroy(field, member, other);
    if (read_integers(reader, field, json, numbers)) {
        *(int **)member = numbers;
        *(int *)other = json->n_items;
    } else {
        memory_free(numbers);
    }
}

static cJSON *integers_write(const Field *field, const char *folder, const void *member, const void *other) {
    (void)field, (void)folder;
    const int *numbers = *(int *const *)member;
    return numbers ? cJSON_CreateIntArray(numbers, *(const int *)other) : NULL;
}

static cJSON *integers_schema(const Field *field) {
    return array_schema(integer_kind.schema(field), field->length);
}

const FieldKind integers_kind = {integers_read, NULL, integers_write, integers_schema, list_destroy};

static void fixed_integers_read(Reader *reader, const Field *field, const Json *json, void *member,
                                void *other) {
    (void)other;
    read_integers(reader, field, json, member);
}

static cJSON *fixed_integers_write(const Field *field, const char *folder, const void *member,
                                   const void *other) {
    (void)folder, (void)other;
    return cJSON_CreateIntArray(member, field->length);
}

const FieldKind fixed_integers_kind = {fixed_integers_read, NULL, fixed_integers_write, integers_schema,
                                       NULL};

/* ---- names out of the choices: member char **, other int ---- */

static void names_destroy(const Field *field, void *member, void *other) {
    char **names = *(char ***)member;
    for (int n = 0; n < *(int *)other; n++) memory_free(names[n]);
    list_destroy(field, member, other);
}

/* Each of them once; `accepts` refuses what is none. */
static void read_names(Reader *reader, const Field *field, const Json *json, void *member, void *other,
                       bool (*accepts)(Reader *reader, const Field *field, const Json *item)) {
    names_destroy(field, member, other);
    if (json->kind != JSON_ARRAY || json->n_items == 0) {
        reader_refuse_kind(reader, field, json, "an array of names");
        return;
    }
    char **names = ALLOCATE(json->n_items, char *);
    int count = 0;
    for (int n = 0; n < json->n_items; n++) {
        const Json *item = json->items[n];
        if (!accepts(reader, field, item)) continue;
        for (int earlier = 0; earlier < count; earlier++)
            if (strcmp(names[earlier], item->text) == 0)
                reader_refuse(reader, item->place, item->pointer, "\"%s\" is named twice", item->text);
        names[count++] = memory_copy_text(item->text);
    }
    *(char ***)member = names;
    *(int *)other = count;
}

static bool is_choice(Reader *reader, const Field *field, const Json *item) {
    return read_choice(reader, field, item) >= 0;
}

static void names_read(Reader *reader, const Field *field, const Json *json, void *member, void *other) {
    read_names(reader, field, json, member, other, is_choice);
}

/* Two keys share the member: each writes the names that are its own. */
static cJSON *names_write(const Field *field, const char *folder, const void *member, const void *other) {
    (void)folder;
    char *const *names = *(char **const *)member;
    bool own = false;
    for (int n = 0; *(const int *)other > 0 && field->choices[n]; n++)
        own = own || strcmp(field->choices[n], names[0]) == 0;
    return own ? cJSON_CreateStringArray((const char *const *)names, *(const int *)other) : NULL;
}

static cJSON *schema_of_names(cJSON *items) {
    cJSON *schema = array_schema(items, 0);
    cJSON_AddNumberToObject(schema, "minItems", 1);
    cJSON_AddTrueToObject(schema, "uniqueItems");
    return schema;
}

static cJSON *names_schema(const Field *field) {
    return schema_of_names(choice_kind.schema(field));
}

const FieldKind names_kind = {names_read, NULL, names_write, names_schema, names_destroy};

/* ---- files and folders, one or several: member char **, other int ---- */

static void paths_read(Reader *reader, const Field *field, const Json *json, void *member, void *other) {
    const bool one = json->kind == JSON_STRING;
    const int count = one ? 1 : json->kind == JSON_ARRAY ? json->n_items : 0;
    names_destroy(field, member, other);
    if (count == 0) reader_refuse_kind(reader, field, json, "a file or folder, or an array of them");
    for (int n = 0; n < count; n++) {
        const Json *item = one ? json : json->items[n];
        if (item->kind != JSON_STRING || !*item->text) {
            reader_refuse_kind(reader, field, item, "the name of a file or folder");
            continue;
        }
        char ***paths = member;
        *paths = ENLARGE(*paths, *(int *)other + 1, char *);
        (*paths)[(*(int *)other)++] = read_folder_or_file(reader, item);
    }
}

static cJSON *paths_write(const Field *field, const char *folder, const void *member, const void *other) {
    (void)field;
    char *const *paths = *(char **const *)member;
    if (*(const int *)other == 0) return NULL;
    cJSON *array = cJSON_CreateArray();
    for (int n = 0; n < *(const int *)other; n++)
        cJSON_AddItemToArray(array, cJSON_CreateString(path_in_folder(paths[n], folder)));
    return array;
}

static cJSON *paths_schema(const Field *field) {
    (void)field;
    return cJSON_Parse(
        "{\"anyOf\":[{\"type\":\"string\"},{\"type\":\"array\",\"items\":{\"type\":\"string\"},"
        "\"minItems\":1}]}");
}

const FieldKind paths_kind = {paths_read, NULL, paths_write, paths_schema, names_destroy};

/* ---- variables of an output: names that the choices hold, or tracers (rules_of_tracers looks) ---- */

static bool is_name(Reader *reader, const Field *field, const Json *item) {
    const bool name = item->kind == JSON_STRING && *item->text;
    if (!name) reader_refuse_kind(reader, field, item, "an array of names");
    return name;
}

static void variables_read(Reader *reader, const Field *field, const Json *json, void *member, void *other) {
    read_names(reader, field, json, member, other, is_name);
}

/* The member is shared with the extremes. */
static cJSON *variables_write(const Field *field, const char *folder, const void *member, const void *other) {
    (void)field, (void)folder;
    char *const *names = *(char **const *)member;
    if (*(const int *)other == 0) return NULL;
    for (int n = 0; extreme_names[n]; n++)
        if (strcmp(extreme_names[n], names[0]) == 0) return NULL;
    return cJSON_CreateStringArray((const char *const *)names, *(const int *)other);
}

static cJSON *variables_schema(const Field *field) {
    cJSON *items = cJSON_CreateObject(), *forms = cJSON_AddArrayToObject(items, "anyOf");
    cJSON_AddItemToArray(forms, choice_kind.schema(field));
    cJSON_AddItemToArray(
        forms, cJSON_Parse("{\"type\":\"string\",\"description\":\"Name of a tracer of the scenario\"}"));
    return schema_of_names(items);
}

const FieldKind variables_kind = {variables_read, NULL, variables_write, variables_schema, names_destroy};

/* ---- objects: member the array, other int ---- */

static void records_destroy(const Field *field, void *member, void *other) {
    char *records = *(char **)member;
    for (int n = 0; n < *(int *)other; n++) {
        char *one = records + (size_t)n * field->record->size;
        record_destroy(field->record, one);
        memory_free(*(char **)(one + field->record->place_offset));
    }
    list_destroy(field, member, other);
}

static void records_read(Reader *reader, const Field *field, const Json *json, void *member, void *other) {
    records_destroy(field, member, other);
    if (json->kind != JSON_ARRAY) {
        reader_refuse_kind(reader, field, json, "an array of objects");
        return;
    }
    if (json->n_items == 0) return;
    char *records = memory_allocate((size_t)json->n_items, field->record->size);
    for (int n = 0; n < json->n_items; n++) {
        char *one = records + (size_t)n * field->record->size;
        record_read(reader, field->record, json->items[n], one);
        *(char **)(one + field->record->place_offset) = memory_copy_text(json->items[n]->place);
    }
    *(char **)member = records;
    *(int *)other = json->n_items;
}

static cJSON *records_schema(const Field *field) {
    return array_schema(record_schema(field->record), 0);
}

/* record_write needs the grid, which a field does not know: see there. */
const FieldKind records_kind = {records_read, NULL, NULL, records_schema, records_destroy};
