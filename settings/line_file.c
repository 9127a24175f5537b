/* SPDX-License-Identifier: Apache-2.0 */
#include "settings/line_file.h"

#include "base/file.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/projection.h"
#include <string.h>

enum { MOST_BYTES = 64 << 20 };

static bool is_text(const Json *json, const char *text) {
    return json && json->kind == JSON_STRING && strcmp(json->text, text) == 0;
}

/* The coordinates, if the feature (or geometry) is a line; NULL: it is none. */
static const Json *line_of(const Json *feature) {
    const Json *geometry = json_find(feature, "geometry");
    if (!geometry) geometry = feature;
    const Json *at = json_find(geometry, "coordinates");
    return is_text(json_find(geometry, "type"), "LineString") && at && at->kind == JSON_ARRAY ? at : NULL;
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
        const Json *feature = list ? features->items[n] : root, *line = line_of(feature);
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

static Status read_points(const Json *line, double (*points)[2]) {
    for (int n = 0; n < line->n_items; n++) {
        const Json *at = line->items[n];
        CHECK(at->kind == JSON_ARRAY && at->n_items >= 2 && at->items[0]->kind == JSON_NUMBER &&
                  at->items[1]->kind == JSON_NUMBER,
              STATUS_BAD_INPUT, "%s: a point of a line must be [longitude, latitude]", at->place);
        for (int c = 0; c < 2; c++) points[n][c] = at->items[c]->number;
    }
    return STATUS_OK;
}

Status line_file_read(const char *path, const char *name, bool spherical, const Projection *map,
                      double (**points)[2], int *count) {
    Json *root = NULL;
    const Json *line;
    char *content = NULL;
    Status status;
    CHECK(
        spherical || map, STATUS_BAD_INPUT,
        "%s: GeoJSON contains longitudes and latitudes, but the grid is cartesian without \"crs\": give the "
        "points in metres as \"line\"",
        path);
    ATTEMPT(file_read_text(path, MOST_BYTES, &content));
    ATTEMPT(json_parse(path, content, &root));
    ATTEMPT(find_line(path, root, name, &line));
    *points = memory_allocate((size_t)line->n_items, sizeof **points);
    *count = line->n_items;
    ATTEMPT(read_points(line, *points));
    for (int n = 0; map && n < *count; n++)
        projection_to_metres(map, (*points)[n][0], (*points)[n][1], &(*points)[n][0], &(*points)[n][1]);
cleanup:
    json_destroy(&root);
    memory_free(content);
    return status;
}
