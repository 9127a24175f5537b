/* SPDX-License-Identifier: Apache-2.0
 *
 * The records of a variable around the start of the run, for initial values: linear between two, also of two files; the
 * first or the last one where it is at most 1.5 usual intervals away; the only one whatever its time. Local.
 */
#ifndef MAEOTIS_MODEL_FORCING_MOMENT_H
#define MAEOTIS_MODEL_FORCING_MOMENT_H

#include "model/forcing/gridded_source.h"

struct Moment {
    int record[2]; /* among those of all files */
    double part;   /* of the way from the first to the second; 0: the first alone */
    char date[32]; /* that the values are of; "": the file has no times */
};

/* Of a source that parts_open has opened. */
CHECKED Status moment_find(GriddedSource *source, Moment *out);

#endif
