/* SPDX-License-Identifier: Apache-2.0
 *
 * The kinds of plain values: numbers, texts, choices, dates, files.
 */
#include "base/calendar.h"
#include "base/log.h"
#include "base/memory.h"
#include "settings/table.h"
#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool has_limits(const Field *field) {
    return field->least != 0 || field->most != 0;
}

/* "above 0 and at most 86400 s", "" without limits. */
static void format_limits(const Field *field, char out[128]) {
    char least[32], most[32];
    out[0] = '\0';
    if (!has_limits(field)) return;
    json_format_number(field->least, least), json_format_number(field->most, most);
    snprintf(out, 128, "%s %s and at most %s%s%s", field->flags & EXCLUSIVE ? "above" : "at least", least,
             most, field->unit ? " " : "", field->unit ? field->unit : "");
}

/* ---- numbers ---- */

bool read_number(Reader *reader, const Field *field, const Json *json, double *number) {
    char limits[128], found[80], needed[160];
    format_limits(field, limits);
    if (json->kind != JSON_NUMBER) {
        snprintf(needed, sizeof needed, "a number%s%s", *limits ? " " : "", limits);
        return reader_refuse_kind(reader, field, json, needed), false;
    }
    bool low = field->flags & EXCLUSIVE ? json->number <= field->least : json->number < field->least;
    if (has_limits(field) && (low || json->number > field->most)) {
        json_describe(json, found);
        reader_refuse(reader, json->place, json->pointer, "found %s, but \"%s\" must be %s (%s)", found,
                      field_key(field), limits, field->doc);
        return false;
    }
    *number = json->number;
    return true;
}

static void number_read(Reader *reader, const Field *field, const Json *json, void *member, void *other) {
    (void)other;
    read_number(reader, field, json, member);
}

static void number_default(const Field *field, void *member, void *other) {
    (void)other;
    *(double *)member = field->initial;
}

cJSON *write_number(double number) {
    char text[32];
    json_format_number(number, text);
    return cJSON_CreateRaw(text); /* cJSON's own numbers may be off in the last bit */
}

static cJSON *number_write(const Field *field, const char *folder, const void *member, const void *other) {
    (void)folder, (void)other;
    double number = *(const double *)member;
    bool absent = !(field->flags & (HAS_DEFAULT | REQUIRED)) && number == 0 && (field->flags & EXCLUSIVE);
    return absent ? NULL : write_number(number);
}

static cJSON *number_schema(const Field *field) {
    cJSON *schema = cJSON_CreateObject();
    cJSON_AddStringToObject(schema, "type", "number");
    if (has_limits(field)) {
        cJSON_AddItemToObject(schema, field->flags & EXCLUSIVE ? "exclusiveMinimum" : "minimum",
                              write_number(field->least));
        cJSON_AddItemToObject(schema, "maximum", write_number(field->most));
    }
    if (field->flags & HAS_DEFAULT) cJSON_AddItemToObject(schema, "default", write_number(field->initial));
    return schema;
}

const FieldKind number_kind = {number_read, number_default, number_write, number_schema, NULL};

bool read_integer(Reader *reader, const Field *field, const Json *json, int *number) {
    double value;
    if (!read_number(reader, field, json, &value)) return false;
    if (value != floor(value) || fabs(value) > 2e9)
        return reader_refuse_kind(reader, field, json, "a whole number"), false;
    *number = (int)value;
    return true;
}

static void integer_read(Reader *reader, const Field *field, const Json *json, void *member, void *other) {
    (void)other;
    read_integer(reader, field, json, member);
}

static void integer_default(const Field *field, void *member, void *other) {
    (void)other;
    *(int *)member = (int)field->initial;
}

static cJSON *integer_write(const Field *field, const char *folder, const void *member, const void *other) {
    (void)field, (void)folder, (void)other;
    return write_number(*(const int *)member);
}

static cJSON *integer_schema(const Field *field) {
    cJSON *schema = number_schema(field);
    cJSON_ReplaceItemInObjectCaseSensitive(schema, "type", cJSON_CreateString("integer"));
    return schema;
}

const FieldKind integer_kind = {integer_read, integer_default, integer_write, integer_schema, NULL};

/* ---- true or false ---- */

static void boolean_read(Reader *reader, const Field *field, const Json *json, void *member, void *other) {
    (void)other;
    if (json->kind == JSON_BOOL)
        *(bool *)member = json->truth;
    else
        reader_refuse_kind(reader, field, json, "true or false");
}

static void boolean_default(const Field *field, void *member, void *other) {
    (void)other;
    *(bool *)member = field->initial != 0;
}

static cJSON *boolean_write(const Field *field, const char *folder, const void *member, const void *other) {
    (void)field, (void)folder, (void)other;
    return cJSON_CreateBool(*(const bool *)member);
}

static cJSON *boolean_schema(const Field *field) {
    cJSON *schema = cJSON_CreateObject();
    cJSON_AddStringToObject(schema, "type", "boolean");
    cJSON_AddBoolToObject(schema, "default", field->initial != 0);
    return schema;
}

const FieldKind boolean_kind = {boolean_read, boolean_default, boolean_write, boolean_schema, NULL};

/* ---- texts ---- */

bool text_is_readable(const char *text) {
    for (const char *c = text; *c; c++)
        if (log_is_control(c)) return false;
    return *text != 0;
}

static void text_read(Reader *reader, const Field *field, const Json *json, void *member, void *other) {
    (void)other;
    if (json->kind != JSON_STRING || !*json->text) {
        reader_refuse_kind(reader, field, json, "a non-empty text");
        return;
    }
    for (const char *c = json->text; *c; c++)
        if (log_is_control(c)) {
            reader_refuse(reader, json->place, json->pointer,
                          "\"%.60s\" contains a control character (code %d at position %d): remove it",
                          json->text, (unsigned char)*c, (int)(c - json->text) + 1);
            return;
        }
    memory_free(*(char **)member);
    *(char **)member = memory_copy_text(json->text);
}

static void text_default(const Field *field, void *member, void *other) {
    (void)other;
    *(char **)member = memory_copy_text(field->initial_text);
}

static cJSON *text_write(const Field *field, const char *folder, const void *member, const void *other) {
    (void)field, (void)folder, (void)other;
    const char *text = *(char *const *)member;
    return text ? cJSON_CreateString(text) : NULL;
}

static cJSON *text_schema(const Field *field) {
    cJSON *schema = cJSON_CreateObject();
    cJSON_AddStringToObject(schema, "type", "string");
    if (field->initial_text) cJSON_AddStringToObject(schema, "default", field->initial_text);
    return schema;
}

static void text_destroy(const Field *field, void *member, void *other) {
    (void)field, (void)other;
    memory_free(*(char **)member);
    *(char **)member = NULL;
}

const FieldKind text_kind = {text_read, text_default, text_write, text_schema, text_destroy};

/* One of the choices, kept as text. */
static void choice_text_read(Reader *reader, const Field *field, const Json *json, void *member,
                             void *other) {
    if (read_choice(reader, field, json) >= 0) text_read(reader, field, json, member, other);
}

static cJSON *choice_text_schema(const Field *field) {
    return choice_kind.schema(field);
}

const FieldKind choice_text_kind = {choice_text_read, text_default, text_write, choice_text_schema,
                                    text_destroy};

/* ---- dates ---- */

static void date_read(Reader *reader, const Field *field, const Json *json, void *member, void *other) {
    (void)other;
    char why[160];
    double seconds;
    if (json->kind != JSON_STRING)
        reader_refuse_kind(reader, field, json, "a date such as \"2014-09-24T18:00:00Z\"");
    else if (calendar_parse(json->text, &seconds, why) != STATUS_OK)
        reader_refuse(reader, json->place, json->pointer, "found \"%.60s\": %s", json->text, why);
    else if (seconds != floor(seconds))
        reader_refuse(reader, json->place, json->pointer,
                      "found \"%.60s\": dates have whole seconds; \"duration_s\" may have a fraction",
                      json->text);
    else
        *(double *)member = seconds;
}

static cJSON *date_write(const Field *field, const char *folder, const void *member, const void *other) {
    (void)field, (void)folder, (void)other;
    char text[32];
    calendar_format(*(const double *)member, text);
    return cJSON_CreateString(text);
}

static cJSON *date_schema(const Field *field) {
    cJSON *schema = text_schema(field);
    cJSON_AddStringToObject(schema, "format", "date-time");
    return schema;
}

const FieldKind date_kind = {date_read, NULL, date_write, date_schema, NULL};

/* The end and the duration of the run say the same; the effective scenario holds the end if it is a whole second.
 * The other member of the end is the duration. */
static cJSON *end_write(const Field *field, const char *folder, const void *member, const void *other) {
    const double duration = *(const double *)other;
    return duration == floor(duration) ? date_write(field, folder, member, other) : NULL;
}

static cJSON *duration_write(const Field *field, const char *folder, const void *member, const void *other) {
    const double duration = *(const double *)member;
    (void)field, (void)folder, (void)other;
    return duration == floor(duration) ? NULL : write_number(duration);
}

const FieldKind end_kind = {date_read, NULL, end_write, date_schema, NULL};
const FieldKind duration_kind = {number_read, number_default, duration_write, number_schema, NULL};

/* ---- files ---- */

static char *read_place(Reader *reader, const Json *json, bool folder_will_do) {
    char *path = memory_format("%s%s", json->text[0] == '/' ? "" : reader->folder, json->text);
    struct stat facts;
    if (!reader->look_at_files) return path;
    if (stat(path, &facts) != 0)
        reader_refuse(reader, json->place, json->pointer,
                      "the file \"%s\" cannot be found (looked for as \"%s\": %s)", json->text, path,
                      strerror(errno));
    else if (S_ISDIR(facts.st_mode) && !folder_will_do)
        reader_refuse(reader, json->place, json->pointer,
                      "\"%s\" is a folder, not a file (looked for as \"%s\")", json->text, path);
    else if (access(path, R_OK) != 0)
        reader_refuse(reader, json->place, json->pointer,
                      "the file \"%s\" cannot be read (looked for as \"%s\": %s)", json->text, path,
                      strerror(errno));
    return path;
}

char *read_path(Reader *reader, const Json *json) {
    return read_place(reader, json, false);
}

char *read_folder_or_file(Reader *reader, const Json *json) {
    return read_place(reader, json, true);
}

const char *path_in_folder(const char *path, const char *folder) {
    size_t length = strlen(folder);
    return length && strncmp(path, folder, length) == 0 && path[length] && path[length] != '/' ? path + length
                                                                                               : path;
}

/* A name among the choices is one of the files that are shipped. */
static bool is_shipped(const Field *field, const char *name) {
    for (int n = 0; field->choices && field->choices[n]; n++)
        if (strcmp(field->choices[n], name) == 0) return true;
    return false;
}

static void file_read(Reader *reader, const Field *field, const Json *json, void *member, void *other) {
    (void)other;
    if (json->kind != JSON_STRING || !*json->text) {
        reader_refuse_kind(reader, field, json, "the name of a file");
        return;
    }
    memory_free(*(char **)member);
    *(char **)member = is_shipped(field, json->text) ? memory_copy_text(json->text) : read_path(reader, json);
}

static cJSON *file_write(const Field *field, const char *folder, const void *member, const void *other) {
    (void)other;
    const char *path = *(char *const *)member;
    if (!path) return NULL;
    const char *inside = path_in_folder(path, folder);
    return cJSON_CreateString(is_shipped(field, inside) ? path : inside);
}

const FieldKind file_kind = {file_read, NULL, file_write, text_schema, text_destroy};

/* ---- whatever it is: remarks ---- */

static void anything_read(Reader *reader, const Field *field, const Json *json, void *member, void *other) {
    (void)reader, (void)field, (void)json, (void)member, (void)other;
}

static cJSON *anything_write(const Field *field, const char *folder, const void *member, const void *other) {
    (void)field, (void)folder, (void)member, (void)other;
    return NULL;
}

static cJSON *anything_schema(const Field *field) {
    (void)field;
    return cJSON_CreateObject();
}

const FieldKind anything_kind = {anything_read, NULL, anything_write, anything_schema, NULL};
