/* SPDX-License-Identifier: Apache-2.0
 *
 * Keys that have a form of their own: Coriolis, periodic directions, closing lines, stations, values by name.
 */
#include "base/memory.h"
#include "base/projection.h"
#include "settings/station_file.h"
#include "settings/table.h"
#include <string.h>

static cJSON *write_pair(double x, double y) {
    cJSON *pair = cJSON_CreateArray();
    cJSON_AddItemToArray(pair, write_number(x));
    cJSON_AddItemToArray(pair, write_number(y));
    return pair;
}

/* ---- a number | "auto": member double, other bool ---- */

static void step_read(Reader *reader, const Field *field, const Json *json, void *member, void *other) {
    *(bool *)other = json->kind == JSON_STRING && strcmp(json->text, "auto") == 0;
    if (*(bool *)other) return;
    if (json->kind == JSON_NUMBER)
        number_kind.read(reader, field, json, member, NULL);
    else
        reader_refuse_kind(reader, field, json, "a number of seconds or \"auto\"");
}

static cJSON *step_write(const Field *field, const char *folder, const void *member, const void *other) {
    return *(const bool *)other ? cJSON_CreateString("auto") : number_kind.write(field, folder, member, NULL);
}

static cJSON *step_schema(const Field *field) {
    cJSON *schema = cJSON_CreateObject(), *forms = cJSON_AddArrayToObject(schema, "anyOf");
    cJSON_AddItemToArray(forms, number_kind.schema(field));
    cJSON_AddItemToArray(forms, cJSON_Parse("{\"enum\":[\"auto\"]}"));
    return schema;
}

const FieldKind step_kind = {step_read, NULL, step_write, step_schema, NULL};

/* ---- "none" | "by-latitude" | {"f_s": 1e-4, "beta_m_s": 0}: member Coriolis, other double f_s, beta_m_s
 * ---- */

static const char *const coriolis_words[] = {"none", "by-latitude", NULL};

static void coriolis_constants(Reader *reader, const Json *json, double *f_and_beta) {
    static const Field f = {
        .path = "/f_s", .least = -0.1, .most = 0.1, .unit = "1/s", .doc = "Coriolis parameter"};
    static const Field beta = {.path = "/beta_m_s",
                               .least = -1e-6,
                               .most = 1e-6,
                               .unit = "1/(m s)",
                               .doc = "its northward gradient"};
    for (int n = 0; n < json->n_items; n++) {
        const Json *item = json->items[n];
        if (strcmp(item->key, "f_s") == 0)
            read_number(reader, &f, item, &f_and_beta[0]);
        else if (strcmp(item->key, "beta_m_s") == 0)
            read_number(reader, &beta, item, &f_and_beta[1]);
        else
            reader_refuse(reader, item->key_place, item->pointer,
                          "there is no key \"%.60s\" here; there are f_s, beta_m_s", item->key);
    }
    if (!json_find(json, "f_s"))
        reader_refuse(reader, json->place, json->pointer,
                      "\"coriolis\" needs \"f_s\" (Coriolis parameter [1/s])");
}

static void coriolis_read(Reader *reader, const Field *field, const Json *json, void *member, void *other) {
    Field words = *field;
    words.choices = coriolis_words;
    if (json->kind == JSON_OBJECT) {
        *(Coriolis *)member = CORIOLIS_CONSTANT;
        coriolis_constants(reader, json, other);
    } else if (json->kind == JSON_STRING) {
        int choice = read_choice(reader, &words, json);
        if (choice >= 0) *(Coriolis *)member = choice == 0 ? CORIOLIS_NONE : CORIOLIS_BY_LATITUDE;
    } else {
        reader_refuse_kind(reader, field, json,
                           "\"none\", \"by-latitude\" or {\"f_s\": ..., \"beta_m_s\": ...}");
    }
}

static cJSON *coriolis_write(const Field *field, const char *folder, const void *member, const void *other) {
    (void)field, (void)folder;
    Coriolis coriolis = *(const Coriolis *)member;
    const double *f_and_beta = other;
    if (coriolis != CORIOLIS_CONSTANT)
        return cJSON_CreateString(coriolis_words[coriolis == CORIOLIS_BY_LATITUDE]);
    cJSON *object = cJSON_CreateObject();
    cJSON_AddItemToObject(object, "f_s", write_number(f_and_beta[0]));
    cJSON_AddItemToObject(object, "beta_m_s", write_number(f_and_beta[1]));
    return object;
}

static cJSON *coriolis_schema(const Field *field) {
    (void)field;
    return cJSON_Parse(
        "{\"anyOf\":[{\"enum\":[\"none\",\"by-latitude\"]},{\"type\":\"object\",\"properties\":{\"f_s\":{"
        "\"type\":\"number\",\"description\":\"Coriolis parameter "
        "[1/s]\"},\"beta_m_s\":{\"type\":\"number\",\"default\":0,\"description\":\"Its northward gradient "
        "[1/(m s)]\"}},\"required\":[\"f_s\"],\"additionalProperties\":false}]}");
}

const FieldKind coriolis_kind = {coriolis_read, NULL, coriolis_write, coriolis_schema, NULL};

/* ---- ["x", "y"]: member bool, other bool ---- */

static void periodic_read(Reader *reader, const Field *field, const Json *json, void *member, void *other) {
    static const char *const directions[] = {"x", "y", NULL};
    Field words = *field;
    words.choices = directions;
    if (json->kind != JSON_ARRAY) {
        reader_refuse_kind(reader, field, json, "an array such as [\"x\"]");
        return;
    }
    for (int n = 0; n < json->n_items; n++) {
        int choice = read_choice(reader, &words, json->items[n]);
        if (choice == 0) *(bool *)member = true;
        if (choice == 1) *(bool *)other = true;
    }
}

static cJSON *periodic_write(const Field *field, const char *folder, const void *member, const void *other) {
    (void)field, (void)folder;
    cJSON *array = cJSON_CreateArray();
    if (*(const bool *)member) cJSON_AddItemToArray(array, cJSON_CreateString("x"));
    if (*(const bool *)other) cJSON_AddItemToArray(array, cJSON_CreateString("y"));
    return array;
}

static cJSON *periodic_schema(const Field *field) {
    (void)field;
    return cJSON_Parse(
        "{\"type\":\"array\",\"items\":{\"enum\":[\"x\",\"y\"]},\"uniqueItems\":true,\"default\":[]}");
}

const FieldKind periodic_kind = {periodic_read, NULL, periodic_write, periodic_schema, NULL};

/* ---- [[[x1, y1], [x2, y2]], ...]: member ClosingLine *, other int ---- */

static void closing_lines_read(Reader *reader, const Field *field, const Json *json, void *member,
                               void *other) {
    list_destroy(field, member, other);
    if (json->kind != JSON_ARRAY) {
        reader_refuse_kind(reader, field, json, "an array of lines [[x1, y1], [x2, y2]]");
        return;
    }
    if (json->n_items == 0) return;
    ClosingLine *lines = ALLOCATE(json->n_items, ClosingLine);
    for (int n = 0; n < json->n_items; n++) {
        const Json *line = json->items[n];
        if (line->kind != JSON_ARRAY || line->n_items != 2) {
            reader_refuse_kind(reader, field, line, "a line [[x1, y1], [x2, y2]]");
            continue;
        }
        for (int end = 0; end < 2; end++) {
            double point[2] = {0, 0};
            read_numbers(reader, field, line->items[end], 2, point);
            lines[n].x[end] = point[0], lines[n].y[end] = point[1];
        }
    }
    *(ClosingLine **)member = lines;
    *(int *)other = json->n_items;
}

static cJSON *closing_lines_write(const Field *field, const char *folder, const void *member,
                                  const void *other) {
    (void)field, (void)folder;
    const ClosingLine *lines = *(ClosingLine *const *)member;
    cJSON *array = cJSON_CreateArray();
    for (int n = 0; n < *(const int *)other; n++) {
        cJSON *line = cJSON_CreateArray();
        for (int end = 0; end < 2; end++)
            cJSON_AddItemToArray(line, write_pair(lines[n].x[end], lines[n].y[end]));
        cJSON_AddItemToArray(array, line);
    }
    return array;
}

#define PAIR_SCHEMA "{\"type\":\"array\",\"items\":{\"type\":\"number\"},\"minItems\":2,\"maxItems\":2}"

static cJSON *closing_lines_schema(const Field *field) {
    (void)field;
    return cJSON_Parse("{\"type\":\"array\",\"items\":{\"type\":\"array\",\"items\":" PAIR_SCHEMA
                       ",\"minItems\":2,\"maxItems\":2}}");
}

const FieldKind closing_lines_kind = {closing_lines_read, NULL, closing_lines_write, closing_lines_schema,
                                      list_destroy};

/* ---- [[x1, y1], [x2, y2], ...], two points at least: member double (*)[2], other int ---- */

static void points_read(Reader *reader, const Field *field, const Json *json, void *member, void *other) {
    list_destroy(field, member, other);
    if (json->kind != JSON_ARRAY || json->n_items < 2) {
        reader_refuse_kind(reader, field, json, "a line of two points or more, [[x1, y1], [x2, y2], ...]");
        return;
    }
    double(*points)[2] = memory_allocate((size_t)json->n_items, sizeof *points);
    for (int n = 0; n < json->n_items; n++) read_numbers(reader, field, json->items[n], 2, points[n]);
    *(double(**)[2])member = points;
    *(int *)other = json->n_items;
}

static cJSON *points_write(const Field *field, const char *folder, const void *member, const void *other) {
    (void)field, (void)folder;
    double(*const points)[2] = *(double(*const *)[2])member;
    if (!points) return NULL;
    cJSON *array = cJSON_CreateArray();
    for (int n = 0; n < *(const int *)other; n++)
        cJSON_AddItemToArray(array, write_pair(points[n][0], points[n][1]));
    return array;
}

static cJSON *points_schema(const Field *field) {
    (void)field;
    return cJSON_Parse("{\"type\":\"array\",\"items\":" PAIR_SCHEMA ",\"minItems\":2}");
}

const FieldKind points_kind = {points_read, NULL, points_write, points_schema, list_destroy};

/* ---- {"Taganrog": [38.95, 47.17], ..., "file": "more.csv"}: member ScenarioStation *, other int ---- */

static void stations_destroy(const Field *field, void *member, void *other) {
    ScenarioStation *stations = *(ScenarioStation **)member;
    for (int n = 0; n < *(int *)other; n++) memory_free(stations[n].name);
    list_destroy(field, member, other);
}

enum { MOST_STATIONS = 10000 };

/* Two stations of one name could not be told apart in the output. */
static void check_names(Reader *reader, const Json *json, const ScenarioStation *stations, int count) {
    if (count > MOST_STATIONS) {
        reader_refuse(reader, json->place, json->pointer, "%d stations are too many: at most %d", count,
                      MOST_STATIONS);
        return;
    }
    for (int n = 0; n < count; n++) {
        const char *name = stations[n].name;
        if (strlen(name) >= STATION_NAME_BYTES)
            reader_refuse(reader, json->place, json->pointer,
                          "the name \"%.63s...\" has %zu bytes; at most %d", name, strlen(name),
                          STATION_NAME_BYTES - 1);
        for (int m = 0; m < n; m++)
            if (strcmp(stations[m].name, name) == 0)
                reader_refuse(reader, json->place, json->pointer, "two stations are called \"%s\"", name);
    }
}

static void stations_from_file(Reader *reader, const Json *item, ScenarioStation **stations, int *count) {
    char *path = read_path(reader, item);
    /* Ranks that do not look at files get the stations from the one that does: scenario_load. */
    if (reader->look_at_files && reader_sound(reader, item->pointer) &&
        station_file_read(path, reader->grid == GRID_SPHERICAL, reader->map, stations, count) != STATUS_OK)
        reader->status = STATUS_BAD_INPUT; /* the message stands already, with the file's line */
    memory_free(path);
}

/* [x, y]; on a map also {"lon": ..., "lat": ...}. */
static void read_place(Reader *reader, const Field *field, const Json *item, double point[2]) {
    const Json *lon = json_find(item, "lon"), *lat = json_find(item, "lat");
    if (!reader->map || item->kind != JSON_OBJECT) {
        read_numbers(reader, field, item, 2, point);
    } else if (item->n_items != 2 || !lon || !lat || lon->kind != JSON_NUMBER || lat->kind != JSON_NUMBER) {
        reader_refuse(reader, item->place, item->pointer,
                      "a station is [x, y] in metres or {\"lon\": ..., \"lat\": ...} in degrees");
    } else
        projection_to_metres(reader->map, lon->number, lat->number, &point[0], &point[1]);
}

static void stations_read(Reader *reader, const Field *field, const Json *json, void *member, void *other) {
    ScenarioStation **stations = member;
    int *count = other;
    stations_destroy(field, member, other);
    if (json->kind != JSON_OBJECT || json->n_items == 0) {
        reader_refuse_kind(
            reader, field, json,
            "an object of names and points, {\"Name\": [x, y]}, or {\"file\": \"points.csv\"}");
        return;
    }
    for (int n = 0; n < json->n_items; n++) {
        const Json *item = json->items[n];
        double point[2] = {0, 0};
        if (strcmp(item->key, "file") == 0 && item->kind == JSON_STRING && *item->text) {
            stations_from_file(reader, item, stations, count);
            continue;
        }
        if (!*item->key) reader_refuse(reader, item->key_place, item->pointer, "a station needs a name");
        read_place(reader, field, item, point);
        station_append(stations, count, item->key, point[0], point[1]);
    }
    check_names(reader, json, *stations, *count);
}

static cJSON *stations_write(const Field *field, const char *folder, const void *member, const void *other) {
    (void)field, (void)folder;
    const ScenarioStation *stations = *(ScenarioStation *const *)member;
    if (!stations) return NULL;
    cJSON *object = cJSON_CreateObject();
    for (int n = 0; n < *(const int *)other; n++)
        cJSON_AddItemToObject(object, stations[n].name, write_pair(stations[n].x, stations[n].y));
    return object;
}

static cJSON *stations_schema(const Field *field) {
    (void)field;
    return cJSON_Parse(
        "{\"type\":\"object\",\"minProperties\":1,\"properties\":{\"file\":{\"anyOf\":["
        "{\"type\":\"string\"}," PAIR_SCHEMA "]}},\"additionalProperties\":{\"anyOf\":[" PAIR_SCHEMA
        ",{\"type\":\"object\",\"properties\":{\"lon\":{\"type\":\"number\"},\"lat\":{"
        "\"type\":\"number\"}},\"required\":[\"lon\",\"lat\"],\"additionalProperties\":false}]}}");
}

const FieldKind stations_kind = {stations_read, NULL, stations_write, stations_schema, stations_destroy};

/* ---- {"dye": 1.5, ...}: member NamedValue *, other int; each is a value with the limits of the field ----
 */

static void named_values_destroy(const Field *field, void *member, void *other) {
    NamedValue *named = *(NamedValue **)member;
    for (int n = 0; n < *(int *)other; n++) {
        memory_free(named[n].name);
        value_kind.destroy(field, &named[n].value, NULL);
    }
    list_destroy(field, member, other);
}

static void named_values_read(Reader *reader, const Field *field, const Json *json, void *member,
                              void *other) {
    named_values_destroy(field, member, other);
    if (json->kind != JSON_OBJECT) {
        reader_refuse_kind(reader, field, json, "an object of names and values, {\"name\": value}");
        return;
    }
    if (json->n_items == 0) return;
    NamedValue *named = ALLOCATE(json->n_items, NamedValue);
    for (int n = 0; n < json->n_items; n++) {
        named[n].name = memory_copy_text(json->items[n]->key);
        value_kind.read(reader, field, json->items[n], &named[n].value, NULL);
    }
    *(NamedValue **)member = named;
    *(int *)other = json->n_items;
}

static cJSON *named_values_write(const Field *field, const char *folder, const void *member,
                                 const void *other) {
    const NamedValue *named = *(NamedValue *const *)member;
    if (!named) return NULL;
    cJSON *object = cJSON_CreateObject();
    for (int n = 0; n < *(const int *)other; n++)
        cJSON_AddItemToObject(object, named[n].name, value_kind.write(field, folder, &named[n].value, NULL));
    return object;
}

static cJSON *named_values_schema(const Field *field) {
    cJSON *schema = cJSON_CreateObject();
    cJSON_AddStringToObject(schema, "type", "object");
    cJSON_AddItemToObject(schema, "additionalProperties", value_kind.schema(field));
    return schema;
}

const FieldKind named_values_kind = {named_values_read, NULL, named_values_write, named_values_schema,
                                     named_values_destroy};
