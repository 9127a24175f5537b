/* SPDX-License-Identifier: Apache-2.0
 *
 * Stations from a file of points as spreadsheets and maps export it:
 *
 *     CSV       a line of names, then a row for each station. Its name stands under name, station, id (or the
 *               like), its place under lon and lat, or x and y [m]; other columns are ignored.
 *     GeoJSON   a FeatureCollection of points with a property of these names. Longitudes and latitudes.
 */
#ifndef MAEOTIS_SETTINGS_STATION_FILE_H
#define MAEOTIS_SETTINGS_STATION_FILE_H

#include "settings/scenario.h"

/* Appends the stations of the file. On a map (NULL: none) longitudes and latitudes become its metres. Local. */
CHECKED Status station_file_read(const char *path, bool spherical, const struct Projection *map,
                                 ScenarioStation **stations, int *count);

/* Appends one; the name is copied. */
void station_append(ScenarioStation **stations, int *count, const char *name, double x, double y);

#endif
