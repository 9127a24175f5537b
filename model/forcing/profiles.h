/* SPDX-License-Identifier: Apache-2.0
 *
 * A variable of a gridded NetCDF file at places of the model: open faces, or columns in front of them (columns.h); in
 * time linear between two records, or of third order through four, for levels and currents of tides, of which lines
 * between hourly records cut the crests. Values follow from the time alone: the same after a restart.
 */
#ifndef MAEOTIS_MODEL_FORCING_PROFILES_H
#define MAEOTIS_MODEL_FORCING_PROFILES_H

#include "model/forcing/columns.h"

/* Where values are wanted on this rank; owned by the caller. */
typedef struct ProfilePlaces {
    int count;
    int layers;    /* of each place; 0: one value, of a variable without levels */
    double *x, *y; /* [degrees or m] */
    double *z;     /* [place * layers + layer]: middles of the layers at rest [m]; NaN: no layer */
} ProfilePlaces;

typedef struct Profiles Profiles;

/* NULL comes out where no rank has a place. Collective. */
CHECKED Status profiles_create(const ProfileSource *source, const ProfilePlaces *places, const Grid *grid,
                               const Scenario *scenario, Profiles **out);
void profiles_destroy(Profiles **profiles);

/* See gridded_find. */
CHECKED Status profiles_find(MPI_Comm comm, const char *path, const FieldNames *names, bool *found);

/* Goes to the time since the start [s]. Collective; costs messages only when a new record is needed. */
CHECKED Status profiles_advance(Profiles *profiles, double time);

/* [place * layers + layer] at this time; one value of each place where layers is 0. */
const double *profiles_values(const Profiles *profiles);
bool profiles_have_levels(const Profiles *profiles);
int profiles_row(const Profiles *profiles, int place); /* of a sill: the row of the file that it took */
double profiles_spacing(const Profiles *profiles);     /* of the records, in the mean [s]; 0: there is one */

/* "storm.nc (2014-09-22T00:00Z to 2014-09-27T00:00Z, 121 records)"; to be freed. Local. */
char *profiles_describe(const Profiles *profiles);
const char *profiles_name(const Profiles *profiles); /* of the variable */

#endif
