/* SPDX-License-Identifier: Apache-2.0
 *
 * The records of a variable around the start of the run, for initial values: linear between two; the first or the last
 * one where it is at most 1.5 usual intervals away; the only one whatever its time. Local.
 */
#ifndef MAEOTIS_MODEL_FORCING_MOMENT_H
#define MAEOTIS_MODEL_FORCING_MOMENT_H

#include "base/netcdf_in.h"
#include "settings/scenario.h"

typedef struct Moment {
    size_t record[2];
    double part;   /* of the way from the first to the second; 0: the first alone */
    char date[32]; /* that the values are of; "": the file has no times */
} Moment;

CHECKED Status moment_find(const NetcdfFile *file, const NetcdfVariable *variable, const Scenario *scenario,
                           Moment *out);

#endif
