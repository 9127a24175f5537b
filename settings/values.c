/* SPDX-License-Identifier: Apache-2.0
 *
 * Kinds of values: one of several words, and numbers that may vary (constants, formulas, files).
 */
#include "base/expression.h"
#include "base/memory.h"
#include "settings/constants.h"
#include "settings/table.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- one of several words ---- */

static int count_choices(const Field *field) {
    int count = 0;
    while (field->choices[count]) count++;
    return count;
}

static void list_choices(const Field *field, char *out, size_t size) {
    size_t used = 0;
    *out = '\0';
    for (int n = 0; field->choices[n] && used < size; n++) {
        int wrote = snprintf(out + used, size - used, "%s\"%s\"", n ? ", " : "", field->choices[n]);
        used += (size_t)wrote;
    }
}

int read_choice(Reader *reader, const Field *field, const Json *json) {
    char list[400], needed[500];
    list_choices(field, list, sizeof list);
    if (json->kind != JSON_STRING) {
        snprintf(needed, sizeof needed, field->choices[1] ? "one of %s" : "%s", list);
        reader_refuse_kind(reader, field, json, needed);
        return -1;
    }
    for (int n = 0; field->choices[n]; n++)
        if (strcmp(json->text, field->choices[n]) == 0) return n;
    const char *near = json_nearest(json->text, field->choices, count_choices(field));
    char meant[100] = "";
    if (near) snprintf(meant, sizeof meant, "; did you mean \"%s\"?", near);
    reader_refuse(reader, json->place, json->pointer, "found \"%.60s\"%s %s \"%s\" there %s %s", json->text,
                  near ? meant : ", but", near ? "In" : "in", field_key(field),
                  field->choices[1] ? "are" : "is only", list);
    return -1;
}

static void choice_read(Reader *reader, const Field *field, const Json *json, void *member, void *other) {
    (void)other;
    int choice = read_choice(reader, field, json);
    if (choice >= 0) *(int *)member = choice;
}

static void choice_default(const Field *field, void *member, void *other) {
    (void)other;
    for (int n = 0; field->choices[n]; n++)
        if (strcmp(field->choices[n], field->initial_text) == 0) *(int *)member = n;
}

static cJSON *choice_write(const Field *field, const char *folder, const void *member, const void *other) {
    (void)folder, (void)other;
    return cJSON_CreateString(field->choices[*(const int *)member]);
}

static cJSON *choice_schema(const Field *field) {
    cJSON *schema = cJSON_CreateObject();
    cJSON_AddItemToObject(schema, "enum", cJSON_CreateStringArray(field->choices, count_choices(field)));
    if (field->initial_text) cJSON_AddStringToObject(schema, "default", field->initial_text);
    return schema;
}

const FieldKind choice_kind = {choice_read, choice_default, choice_write, choice_schema, NULL};

/* Two words for false and true. */
static void choice_bool_read(Reader *reader, const Field *field, const Json *json, void *member,
                             void *other) {
    (void)other;
    int choice = read_choice(reader, field, json);
    if (choice >= 0) *(bool *)member = choice == 1;
}

static cJSON *choice_bool_write(const Field *field, const char *folder, const void *member,
                                const void *other) {
    (void)folder, (void)other;
    return cJSON_CreateString(field->choices[*(const bool *)member ? 1 : 0]);
}

static cJSON *choice_bool_schema(const Field *field) {
    cJSON *schema = choice_schema(field);
    cJSON_AddStringToObject(schema, "default", field->choices[0]);
    return schema;
}

const FieldKind choice_bool_kind = {choice_bool_read, NULL, choice_bool_write, choice_bool_schema, NULL};

/* ---- numbers that may vary ---- */

static void value_destroy(const Field *field, void *member, void *other) {
    (void)field, (void)other;
    Value *value = member;
    memory_free(value->expression), memory_free(value->file), memory_free(value->column),
        memory_free(value->classes), memory_free(value->place);
    *value = (Value){0};
}

static bool may_use(const Reader *reader, const Field *field, const char *variable) {
    if (strncmp(variable, "lon", 3) == 0 || strncmp(variable, "lat", 3) == 0)
        return strchr(field->variables, 'x') &&
               (!reader->grid_known || reader->grid == GRID_SPHERICAL || reader->map);
    return strchr(field->variables, variable[0]);
}

/* The number that the formula is if no variable is in it has to lie within the limits, too. */
static void check_formula(Reader *reader, const Field *field, const Json *json, Expression *expression) {
    static const char *const names[] = {"x", "y", "z", "lon", "lat", "t"};
    bool varies = false;
    for (int n = 0; n < 6; n++) {
        if (!expression_uses(expression, names[n])) continue;
        varies = true;
        if (!may_use(reader, field, names[n]))
            reader_refuse(reader, json->place, json->pointer,
                          "the formula \"%.60s\" uses %s, which has no meaning %s", json->text, names[n],
                          names[n][0] == 'l' && strchr(field->variables, 'x')
                              ? "on a cartesian grid without \"crs\""
                              : "here");
    }
    if (varies || expression_uses(expression, "Lx") || expression_uses(expression, "Ly")) return;
    double constant = expression_at(expression, (ExpressionPoint){0});
    Json number = {.kind = JSON_NUMBER, .number = constant, .place = json->place, .pointer = json->pointer};
    if (!isfinite(constant))
        reader_refuse(reader, json->place, json->pointer,
                      "the formula \"%.60s\" does not give a finite number", json->text);
    else
        read_number(reader, field, &number, &constant);
}

static void read_formula(Reader *reader, const Field *field, const Json *json, Value *value) {
    Expression *expression;
    char why[160];
    char *formula = constants_replace(reader->constants, json->text);
    if (expression_create(formula, 1, 1, &expression, why) != STATUS_OK) {
        reader_refuse(reader, json->place, json->pointer, "\"%.60s\" is not a formula: %s", json->text, why);
        memory_free(formula);
        return;
    }
    check_formula(reader, field, json, expression);
    expression_destroy(&expression);
    value->kind = VALUE_EXPRESSION;
    value->expression = formula;
}

/* {"1": 0.02, "2": 0.04}: the number that each class of a map stands for. */
static void read_classes(Reader *reader, const Field *field, const Json *json, Value *value) {
    if (json->kind != JSON_OBJECT || json->n_items == 0) {
        reader_refuse(
            reader, json->place, json->pointer,
            "\"classes\" must give a number for each class of the map, such as {\"1\": 0.02, \"2\": 0.04}");
        return;
    }
    memory_free(value->classes);
    value->classes = (double(*)[2])ALLOCATE(2 * json->n_items, double);
    value->n_classes = 0;
    for (int n = 0; n < json->n_items; n++) {
        const Json *item = json->items[n];
        char *end;
        double *row = value->classes[value->n_classes++];
        row[0] = strtod(item->key, &end);
        if (end == item->key || *end || !isfinite(row[0]))
            reader_refuse(reader, item->key_place, item->pointer,
                          "\"%.60s\" is not a class: classes of a map are numbers", item->key);
        for (int before = 0; before < n; before++)
            if (value->classes[before][0] == row[0])
                reader_refuse(reader, item->key_place, item->pointer, "the class %g is given twice", row[0]);
        read_number(reader, field, item, &row[1]);
    }
}

static void read_file_value(Reader *reader, const Field *field, const Json *json, Value *value) {
    const Json *file = json_find(json, "file"), *column = json_find(json, "column"),
               *classes = field->flags & TAKES_MAP ? json_find(json, "classes") : NULL;
    if (!(field->flags & (TAKES_FILE | TAKES_MAP))) {
        reader_refuse_kind(reader, field, json, "a number or a formula");
        return;
    }
    for (int n = 0; n < json->n_items; n++)
        if (json->items[n] != file && json->items[n] != column && json->items[n] != classes)
            reader_refuse(reader, json->items[n]->key_place, json->items[n]->pointer,
                          "there is no key \"%.60s\" here; there are file, column%s", json->items[n]->key,
                          field->flags & TAKES_MAP ? ", classes" : "");
    if (!file)
        reader_refuse(reader, json->place, json->pointer, "\"file\" is missing in \"%s\"", field_key(field));
    else if (field->flags & TAKES_FILE)
        value->file = read_file_set(reader, file);
    else if (file->kind != JSON_STRING || !*file->text)
        reader_refuse(reader, file->place, file->pointer, "\"file\" must be the name of a file");
    else
        value->file = read_path(reader, file);
    if (column && (column->kind != JSON_STRING || !*column->text))
        reader_refuse(reader, column->place, column->pointer,
                      "\"column\" must be the name of a column or variable");
    else if (column)
        value->column = memory_copy_text(column->text);
    if (classes) read_classes(reader, field, classes, value);
    if (value->file) value->kind = VALUE_FILE;
}

static void value_read(Reader *reader, const Field *field, const Json *json, void *member, void *other) {
    Value *value = member;
    value_destroy(field, member, other);
    value->place = memory_copy_text(json->place);
    value->least = field->least, value->most = field->most, value->above = field->flags & EXCLUSIVE;
    if (json->kind == JSON_NUMBER) {
        value->kind = VALUE_CONSTANT;
        read_number(reader, field, json, &value->constant);
    } else if (json->kind == JSON_STRING) {
        read_formula(reader, field, json, value);
    } else if (json->kind == JSON_OBJECT) {
        read_file_value(reader, field, json, value);
    } else {
        reader_refuse_kind(reader, field, json,
                           field->flags & (TAKES_FILE | TAKES_MAP) ? "a number, a formula or {\"file\": ...}"
                                                                   : "a number or a formula");
    }
}

double value_rounded_into(double number, double least, double most) {
    /* of the range: that of single precision, in which most files are; of a wide one, of what is usual in it */
    static const double ROUND_OFF = 1e-7, WIDE = 1000;
    const double room = ROUND_OFF * fmin(most - least, WIDE);
    if (number < least && number >= least - room) return least;
    return number > most && number <= most + room ? most : number;
}

bool value_allows(const Value *value, double number) {
    bool limited = value->least != 0 || value->most != 0;
    const bool low = value->above ? number <= value->least : number < value->least;
    return isfinite(number) && (!limited || !(low || number > value->most));
}

const char *value_limits(const Value *value) {
    static char text[112];
    char least[32], most[32];
    json_format_number(value->least, least), json_format_number(value->most, most);
    bool limited = value->least != 0 || value->most != 0;
    snprintf(text, sizeof text, "must be a finite number%s%s%s%s",
             !limited       ? ""
             : value->above ? " above "
                            : " from ",
             limited ? least : "",
             !limited       ? ""
             : value->above ? " and at most "
                            : " to ",
             limited ? most : "");
    return text;
}

static void value_default(const Field *field, void *member, void *other) {
    value_destroy(field, member, other);
    *(Value *)member = (Value){.kind = VALUE_CONSTANT,
                               .constant = field->initial,
                               .least = field->least,
                               .most = field->most,
                               .above = field->flags & EXCLUSIVE,
                               .place = memory_format("the default of %s", field->path)};
}

static cJSON *value_write(const Field *field, const char *folder, const void *member, const void *other) {
    (void)field, (void)other;
    const Value *value = member;
    if (value->kind == VALUE_ABSENT) return NULL;
    if (value->kind == VALUE_CONSTANT) return write_number(value->constant);
    if (value->kind == VALUE_EXPRESSION) return cJSON_CreateString(value->expression);
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToObject(object, "file", write_file_set(value->file, folder));
    if (value->column) cJSON_AddStringToObject(object, "column", value->column);
    if (value->classes) {
        cJSON *classes = cJSON_AddObjectToObject(object, "classes");
        for (int n = 0; n < value->n_classes; n++) {
            char key[32];
            json_format_number(value->classes[n][0], key);
            cJSON_AddItemToObject(classes, key, write_number(value->classes[n][1]));
        }
    }
    return object;
}

static cJSON *value_schema(const Field *field) {
    cJSON *schema = cJSON_CreateObject(), *forms = cJSON_AddArrayToObject(schema, "anyOf");
    cJSON *number = number_kind.schema(field), *formula = cJSON_CreateObject();
    cJSON_DeleteItemFromObjectCaseSensitive(number, "default");
    cJSON_AddItemToArray(forms, number);
    cJSON_AddStringToObject(formula, "type", "string");
    bool of_place = strchr(field->variables, 'x'), of_time = strchr(field->variables, 't'),
         of_height = strchr(field->variables, 'z');
    char *description =
        memory_format("A formula of %s%s%s%s; Lx, Ly [m] are the extents of the grid, pi is 3.14159...",
                      of_place ? "x, y [m], lon, lat [degrees]" : "", of_height ? ", z [m]" : "",
                      of_place && of_time ? ", " : "", of_time ? "t [s since the start]" : "");
    cJSON_AddStringToObject(formula, "description", description);
    memory_free(description);
    cJSON_AddItemToArray(forms, formula);
    if (field->flags & HAS_DEFAULT) cJSON_AddItemToObject(schema, "default", write_number(field->initial));
    if (!(field->flags & (TAKES_FILE | TAKES_MAP))) return schema;
    char *form = memory_format(
        "{\"type\":\"object\",\"properties\":{\"file\":{%s,\"description\":\"%s\"},\"column\":{\"type\":"
        "\"string\",\"description\":\"%s; detected if "
        "omitted\"}%s},\"required\":[\"file\"],\"additionalProperties\":false}",
        field->flags & TAKES_FILE ? FILE_SET_FORMS : "\"type\":\"string\"",
        field->flags & TAKES_MAP
            ? "Map: NetCDF, ESRI ASCII or XYZ"
            : "CSV or NetCDF, a pattern such as days/*.nc, or a list of these in the order of time",
        field->flags & TAKES_MAP ? "Variable" : "Column or variable",
        field->flags & TAKES_MAP
            ? ",\"classes\":{\"type\":\"object\",\"additionalProperties\":{\"type\":\"number\"},"
              "\"description\":\"Of a map of classes, such as land use: the number of each, "
              "{\\\"1\\\": 0.02, \\\"2\\\": 0.04}\"}"
            : "");
    cJSON_AddItemToArray(forms, cJSON_Parse(form));
    memory_free(form);
    return schema;
}

const FieldKind value_kind = {value_read, value_default, value_write, value_schema, value_destroy};
