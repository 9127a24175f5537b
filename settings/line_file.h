/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines from GeoJSON files: the only LineString in one, or the one that has a name; or all with their heights.
 */
#ifndef MAEOTIS_SETTINGS_LINE_FILE_H
#define MAEOTIS_SETTINGS_LINE_FILE_H

#include "base/error.h"
#include <stdbool.h>

struct Projection;

/* Its points, to be freed. On a map (NULL: none) longitudes and latitudes become its metres. Local. */
CHECKED Status line_file_read(const char *path, const char *name, bool spherical,
                              const struct Projection *map, double (**points)[2], int *count);

/* Lines with heights: the points of all lie one after the other. */
typedef struct Lines {
    double (*point)[3]; /* x, y, height [m]; NAN: not known */
    int points;
    int *first; /* by line: its first point */
    int count;
} Lines;

void lines_begin(Lines *lines); /* one more line, empty */
void lines_append(Lines *lines, double x, double y, double height);
void lines_release(Lines *lines);

/* Adds all lines of a file. The height of a point is its third coordinate, else the number `property` of the line's feature.
 * Refuses a file without lines. Local. */
CHECKED Status lines_file_read(const char *path, const char *property, bool spherical,
                               const struct Projection *map, Lines *lines);

#endif
