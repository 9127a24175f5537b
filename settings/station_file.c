/* SPDX-License-Identifier: Apache-2.0 */
#include "settings/station_file.h"

#include "base/csv_text.h"
#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/projection.h"
#include <string.h>
#include <strings.h>

enum { MOST_BYTES = 64 << 20, MOST_NAMES = 8 };

/* What may be called by each of these names, the likeliest first. */
static const char *const name_words[MOST_NAMES] = {"name", "station", "station_name", "title", "id"};
static const char *const place_words[2][2][MOST_NAMES] = {
    {{"x", "x_m", "easting"}, {"y", "y_m", "northing"}},
    {{"lon", "longitude", "long", "lon_deg"}, {"lat", "latitude", "lat_deg"}}};

void station_append(ScenarioStation **stations, int *count, const char *name, double x, double y) {
    *stations = ENLARGE(*stations, *count + 1, ScenarioStation);
    (*stations)[(*count)++] = (ScenarioStation){memory_copy_text(name), x, y};
}

/* ---- CSV ---- */

enum { NAME, X, Y, COLUMNS };

/* The rank of the word among those of a column, from 0; -1: none of them. */
static int rank_of(const char *const words[MOST_NAMES], const char *word) {
    for (int n = 0; n < MOST_NAMES && words[n]; n++)
        if (strcasecmp(words[n], word) == 0) return n;
    return -1;
}

/* Numbers of the columns in the line of names. `*degrees`: places may be longitudes and latitudes instead; are they? */
static Status read_names(const char *path, const CsvText *text, char *line, bool spherical, bool *degrees,
                         int column[COLUMNS]) {
    int best[2][COLUMNS], at[2][COLUMNS] = {{0}}, n = 0;
    for (int c = 0; c < 2 * COLUMNS; c++) best[c / COLUMNS][c % COLUMNS] = MOST_NAMES;
    for (char *field; (field = csv_text_field(text, &line)); n++) {
        field[strcspn(field, "[(")] = '\0'; /* a unit */
        field = csv_text_trim(field);
        for (int c = 0; c < 2 * COLUMNS; c++) {
            const int kind = c / COLUMNS, is = c % COLUMNS;
            const int rank = rank_of(is == NAME ? name_words : place_words[kind][is - X], field);
            if (rank >= 0 && rank < best[kind][is]) best[kind][is] = rank, at[kind][is] = n;
        }
    }
    *degrees = *degrees && best[1][X] < MOST_NAMES && best[1][Y] < MOST_NAMES;
    const bool sphere = spherical || *degrees;
    const int *is = best[sphere];
    memcpy(column, at[sphere], sizeof at[0]);
    CHECK(is[NAME] < MOST_NAMES && is[X] < MOST_NAMES && is[Y] < MOST_NAMES, STATUS_BAD_INPUT,
          "%s:%d: the first line must name the columns, such as \"%s\": there is no column %s", path,
          text->line, sphere ? "name,lon,lat" : "name,x_m,y_m",
          is[NAME] == MOST_NAMES ? "name"
          : is[X] == MOST_NAMES  ? (sphere ? "lon" : "x_m")
                                 : (sphere ? "lat" : "y_m"));
    return STATUS_OK;
}

/* UTF-8 without control characters: what files and terminals can show. */
static bool is_text(const char *name) {
    for (const unsigned char *c = (const unsigned char *)name; *c; c++) {
        const int more = *c < 0x80                 ? 0
                         : *c >= 0xC2 && *c < 0xE0 ? 1
                         : (*c & 0xF0) == 0xE0     ? 2
                         : *c >= 0xF0 && *c < 0xF5 ? 3
                                                   : -1;
        if (more < 0 || *c < ' ' || *c == 0x7F) return false;
        for (int n = 0; n < more; n++)
            if ((*++c & 0xC0) != 0x80) return false;
    }
    return true;
}

static Status read_row(const char *path, const CsvText *text, char *line, locale_t c,
                       const int column[COLUMNS], ScenarioStation **stations, int *count) {
    const char *fields[COLUMNS] = {NULL};
    int n = 0;
    for (char *field; (field = csv_text_field(text, &line)); n++)
        for (int m = 0; m < COLUMNS; m++)
            if (column[m] == n) fields[m] = field;
    double at[2] = {0, 0};
    CHECK(fields[NAME] && *fields[NAME], STATUS_BAD_INPUT, "%s:%d: the station has no name", path,
          text->line);
    CHECK(is_text(fields[NAME]), STATUS_BAD_INPUT,
          "%s:%d: the station's name is not UTF-8, or contains control characters: save the file as UTF-8",
          path, text->line);
    for (int m = X; m <= Y; m++)
        CHECK(fields[m] && csv_text_number(fields[m], c, &at[m - X]), STATUS_BAD_INPUT,
              "%s:%d: the %s place \"%.40s\" of the station \"%.60s\" is not a number", path, text->line,
              m == X ? "first" : "second", fields[m] ? fields[m] : "", fields[NAME]);
    station_append(stations, count, fields[NAME], at[0], at[1]);
    return STATUS_OK;
}

static Status read_csv(const char *path, char *content, bool spherical, bool *degrees,
                       ScenarioStation **stations, int *count) {
    Status status = STATUS_OK;
    CsvText text = csv_text(content);
    int column[COLUMNS];
    locale_t c = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    char *line = csv_text_line(&text);
    if (line) ATTEMPT(read_names(path, &text, line, spherical, degrees, column));
    while (line && (line = csv_text_line(&text)))
        ATTEMPT(read_row(path, &text, line, c, column, stations, count));
cleanup:
    freelocale(c);
    return status;
}

/* ---- GeoJSON ---- */

/* The text of the property that serves as the name, or of the feature's own id; NULL if there is none. */
static const char *name_of(const Json *feature, char number[32]) {
    const Json *properties = json_find(feature, "properties"), *found = NULL;
    for (int word = 0; !found && name_words[word]; word++)
        for (int n = 0; !found && properties && properties->kind == JSON_OBJECT && n < properties->n_items;
             n++)
            if (strcasecmp(properties->items[n]->key, name_words[word]) == 0 &&
                properties->items[n]->kind != JSON_NULL)
                found = properties->items[n];
    if (!found) found = json_find(feature, "id");
    if (!found) return NULL;
    if (found->kind == JSON_NUMBER) return json_format_number(found->number, number), number;
    return found->kind == JSON_STRING && *found->text ? found->text : NULL;
}

static Status read_feature(const Json *feature, ScenarioStation **stations, int *count) {
    char number[32];
    const Json *geometry = json_find(feature, "geometry"), *kind = json_find(geometry, "type"),
               *at = json_find(geometry, "coordinates");
    CHECK(kind && kind->kind == JSON_STRING && strcmp(kind->text, "Point") == 0 && at &&
              at->kind == JSON_ARRAY && at->n_items >= 2 && at->items[0]->kind == JSON_NUMBER &&
              at->items[1]->kind == JSON_NUMBER,
          STATUS_BAD_INPUT,
          "%s: a station must be a feature with \"geometry\": {\"type\": \"Point\", \"coordinates\": [lon, "
          "lat]}",
          feature->place);
    const char *name = name_of(feature, number);
    CHECK(name, STATUS_BAD_INPUT, "%s: the station has no name: give it a property \"name\"", feature->place);
    station_append(stations, count, name, at->items[0]->number, at->items[1]->number);
    return STATUS_OK;
}

static Status read_geojson(const char *path, const char *content, bool spherical, ScenarioStation **stations,
                           int *count) {
    Json *root = NULL;
    Status status = STATUS_OK;
    CHECK(spherical, STATUS_BAD_INPUT,
          "%s: GeoJSON contains longitudes and latitudes, but the grid is cartesian without \"crs\": give x "
          "and y in a CSV file",
          path);
    ATTEMPT(json_parse(path, content, &root));
    const Json *features = json_find(root, "features");
    if (!features || features->kind != JSON_ARRAY)
        status = error_raise(STATUS_BAD_INPUT, "%s: there is no list of \"features\", which GeoJSON requires",
                             path);
    for (int n = 0; status == STATUS_OK && n < features->n_items; n++)
        ATTEMPT(read_feature(features->items[n], stations, count));
cleanup:
    json_destroy(&root);
    return status;
}

/* ---- either ---- */

Status station_file_read(const char *path, bool spherical, const Projection *map, ScenarioStation **stations,
                         int *count) {
    char *content = NULL;
    bool degrees = map != NULL;
    const int before = *count;
    TRY(file_read_text(path, MOST_BYTES, &content));
    const char *first = content + strspn(content, "\xEF\xBB\xBF \t\r\n");
    Status status = *first == '{' ? read_geojson(path, content, spherical || map, stations, count)
                                  : read_csv(path, content, spherical, &degrees, stations, count);
    for (int n = before; status == STATUS_OK && degrees && n < *count; n++) {
        ScenarioStation *s = &(*stations)[n];
        projection_to_metres(map, s->x, s->y, &s->x, &s->y);
    }
    if (status == STATUS_OK && *count == before)
        status = error_raise(STATUS_BAD_INPUT,
                             "%s: the file contains no station: it needs a row or a feature for each", path);
    memory_free(content);
    return status;
}
