/* SPDX-License-Identifier: Apache-2.0
 *
 * A line from a GeoJSON file: the only LineString in it, or the one that has a name.
 */
#ifndef MAEOTIS_SETTINGS_LINE_FILE_H
#define MAEOTIS_SETTINGS_LINE_FILE_H

#include "base/error.h"
#include <stdbool.h>

struct Projection;

/* Its points, to be freed. On a map (NULL: none) longitudes and latitudes become its metres. Local. */
CHECKED Status line_file_read(const char *path, const char *name, bool spherical,
                              const struct Projection *map, double (**points)[2], int *count);

#endif
