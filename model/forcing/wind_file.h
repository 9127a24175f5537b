/* SPDX-License-Identifier: Apache-2.0
 *
 * A CSV series of wind: time with u and v, or with speed and the direction it blows from. Directions are
 * converted to components row by row, before interpolation: half way between 350 and 10 degrees the wind
 * blows from the north.
 */
#ifndef MAEOTIS_MODEL_FORCING_WIND_FILE_H
#define MAEOTIS_MODEL_FORCING_WIND_FILE_H

#include "model/forcing/series.h"

/* The columns are found by their names. Refused: winds outside the range ever observed, invalid directions
 * (999), rows that do not bracket the run, or lack some. `source`, to be freed, describes the file. Local. */
CHECKED Status wind_file_read(const char *path, const Scenario *scenario, Series **u, Series **v,
                              char **source);

#endif
