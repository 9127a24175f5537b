/* SPDX-License-Identifier: Apache-2.0
 *
 * A variable of a NetCDF file at one time, at any point: bilinear in space and, where it has levels, linear
 * in height, for initial values. Levels are heights above the datum, or depths below it ("positive": "down",
 * or no number below 0). Below the lowest value of a column of the file, and above the highest, that value
 * holds; a column without values, or beyond the file's area, takes those of the nearest column with values. Places are
 * axes, or two-dimensional variables (curvilinear.h).
 */
#ifndef MAEOTIS_MODEL_FORCING_FILE_FIELD_H
#define MAEOTIS_MODEL_FORCING_FILE_FIELD_H

#include "model/forcing/gridded.h"

typedef struct FileField FileField;

/* `variable`: its name in the file, NULL: found. At the start of the scenario's run (moment.h). `place`: 'c', 'u' or 'v',
 * where values are wanted. Rank 0 reads what lies around the grid, level by level; each rank keeps what lies around its
 * own cells. Collective. */
CHECKED Status file_field_create(const char *path, const char *variable, const FieldNames *names,
                                 const Grid *grid, char place, const Scenario *scenario, FileField **out);
void file_field_destroy(FileField **field);

/* At this cell or face (file_place_number), with the halo; z above the datum [m]. Local. */
double file_field_at(const FileField *field, ptrdiff_t number, double z);

/* Does the file itself have values around it? Local. */
bool file_field_covers(const FileField *field, ptrdiff_t number);

/* "storm.nc (salt, 2014-09-22T00:00:00Z, 40 levels)". Local. */
const char *file_field_describe(const FileField *field);
const char *file_field_standard_name(const FileField *field); /* of its variable; "": none */

#endif
