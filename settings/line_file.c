/* SPDX-License-Identifier: Apache-2.0 */
#include "settings/line_file.h"

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/projection.h"
#include <math.h>
#include <string.h>

enum { MOST_BYTES = 64 << 20 };

static bool is_text(const Json *json, const char *text) {
    return json && json->kind == JSON_STRING && strcmp(json->text, text) == 0;
}

/* The coordinates, if the feature (or geometry) is of this type; NULL: it is not. */
static const Json *line_of(const Json *feature, const char *type) {
    const Json *geometry = json_find(feature, "geometry");
    if (!geometry) geometry = feature;
    const Json *at = json_find(geometry, "coordinates");
    return is_text(json_find(geometry, "type"), type) && at && at->kind == JSON_ARRAY ? at : NULL;
}

static bool is_called(const Json *feature, const char *name) {
    const Json *properties = json_find(feature, "properties");
    return properties && properties->kind == JSON_OBJECT && is_text(json_find(properties, "name"), name);
}

static Status find_line(const char *path, const Json *root, const char *name, const Json **out) {
    const Json *features = json_find(root, "features");
    const bool list = features && features->kind == JSON_ARRAY;
    int lines = 0, called = 0;
    const Json *only = NULL, *own = NULL;
    for (int n = 0; n < (list ? features->n_items : 1); n++) {
        const Json *feature = list ? features->items[n] : root, *line = line_of(feature, "LineString");
        if (!line) continue;
        lines++, only = line;
        if (is_called(feature, name)) called++, own = line;
    }
    *out = called == 1 ? own : only;
    CHECK(
        called == 1 || lines == 1, STATUS_BAD_INPUT,
        "%s: the file has %d lines (LineString), %d of them with the property \"name\": \"%s\": it needs one",
        path, lines, called, name);
    CHECK((*out)->n_items >= 2, STATUS_BAD_INPUT, "%s: the line needs two points or more", (*out)->place);
    return STATUS_OK;
}

static Status read_point(const Json *at, double point[2]) {
    CHECK(at->kind == JSON_ARRAY && at->n_items >= 2 && at->items[0]->kind == JSON_NUMBER &&
              at->items[1]->kind == JSON_NUMBER,
          STATUS_BAD_INPUT, "%s: a point of a line must be [longitude, latitude]", at->place);
    for (int c = 0; c < 2; c++) point[c] = at->items[c]->number;
    return STATUS_OK;
}

static Status check_degrees(const char *path, bool spherical, const Projection *map) {
    CHECK(
        spherical || map, STATUS_BAD_INPUT,
        "%s: GeoJSON contains longitudes and latitudes, but the grid is cartesian without \"crs\": give the "
        "points in metres as \"line\"",
        path);
    return STATUS_OK;
}

Status line_file_read(const char *path, const char *name, bool spherical, const Projection *map,
                      double (**points)[2], int *count) {
    Json *root = NULL;
    const Json *line;
    char *content = NULL;
    Status status;
    TRY(check_degrees(path, spherical, map));
    ATTEMPT(file_read_text(path, MOST_BYTES, &content));
    ATTEMPT(json_parse(path, content, &root));
    ATTEMPT(find_line(path, root, name, &line));
    *points = memory_allocate((size_t)line->n_items, sizeof **points);
    *count = line->n_items;
    for (int n = 0; n < *count; n++) ATTEMPT(read_point(line->items[n], (*points)[n]));
    for (int n = 0; map && n < *count; n++)
        projection_to_metres(map, (*points)[n][0], (*points)[n][1], &(*points)[n][0], &(*points)[n][1]);
cleanup:
    json_destroy(&root);
    memory_free(content);
    return status;
}

/* ---- all lines, with heights ---- */

void lines_begin(Lines *lines) {
    lines->first = ENLARGE(lines->first, lines->count + 1, int);
    lines->first[lines->count++] = lines->points;
}

void lines_append(Lines *lines, double x, double y, double height) {
    /* doubled each time it is full: at 1, 2, 4 ... points */
    if ((lines->points & (lines->points - 1)) == 0)
        lines->point = memory_enlarge(lines->point, 2 * (size_t)lines->points + 1, sizeof *lines->point);
    memcpy(lines->point[lines->points++], (double[3]){x, y, height}, sizeof *lines->point);
}

void lines_release(Lines *lines) {
    memory_free(lines->point), memory_free(lines->first);
    *lines = (Lines){0};
}

static Status check_place(const Json *point, const double at[2]) {
    CHECK(fabs(at[0]) <= 360 && fabs(at[1]) <= 90, STATUS_BAD_INPUT,
          "%s: the point (%.10g, %.10g) is not [longitude, latitude] in degrees: convert the file to WGS 84",
          point->place, at[0], at[1]);
    return STATUS_OK;
}

static Status add_line(const Json *line, double height, const Projection *map, Lines *out) {
    CHECK(line->n_items != 1, STATUS_BAD_INPUT, "%s: the line needs two points or more", line->place);
    lines_begin(out);
    for (int n = 0; n < line->n_items; n++) {
        double at[2];
        const Json *point = line->items[n];
        TRY(read_point(point, at));
        TRY(check_place(point, at));
        const bool high = point->n_items > 2 && point->items[2]->kind == JSON_NUMBER;
        if (map) projection_to_metres(map, at[0], at[1], &at[0], &at[1]);
        lines_append(out, at[0], at[1], high ? point->items[2]->number : height);
    }
    return STATUS_OK;
}

/* Those of a feature, or of a geometry without one. */
static Status add_feature(const Json *feature, const char *property, const Projection *map, Lines *out) {
    const Json *line = line_of(feature, "LineString"), *several = line_of(feature, "MultiLineString");
    const Json *properties = json_find(feature, "properties"),
               *height = properties ? json_find(properties, property) : NULL;
    const double known = height && height->kind == JSON_NUMBER ? height->number : NAN;
    if (line) TRY(add_line(line, known, map, out));
    for (int n = 0; several && n < several->n_items; n++) {
        CHECK(several->items[n]->kind == JSON_ARRAY, STATUS_BAD_INPUT,
              "%s: a MultiLineString is an array of lines", several->items[n]->place);
        TRY(add_line(several->items[n], known, map, out));
    }
    return STATUS_OK;
}

Status lines_file_read(const char *path, const char *property, bool spherical, const Projection *map,
                       Lines *out) {
    Json *root = NULL;
    char *content = NULL;
    const int before = out->count;
    Status status;
    TRY(check_degrees(path, spherical, map));
    ATTEMPT(file_read_text(path, MOST_BYTES, &content));
    ATTEMPT(json_parse(path, content, &root));
    const Json *features = json_find(root, "features");
    const bool list = features && features->kind == JSON_ARRAY;
    for (int n = 0; n < (list ? features->n_items : 1); n++)
        ATTEMPT(add_feature(list ? features->items[n] : root, property, map, out));
    if (out->count == before)
        status = error_raise(STATUS_BAD_INPUT,
                             "%s: the file has no lines: a dike is a LineString or MultiLineString", path);
cleanup:
    json_destroy(&root);
    memory_free(content);
    return status;
}
