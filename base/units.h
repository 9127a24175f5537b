/* SPDX-License-Identifier: Apache-2.0
 *
 * Units of users' files, as CSV headers and NetCDF attributes write them: UDUNITS-2, the library of the CF conventions, and
 * some spellings of people and of reanalyses that it does not know. Its list of units is read when the first unit differs
 * from the one that is wanted (3 ms). Local.
 */
#ifndef MAEOTIS_BASE_UNITS_H
#define MAEOTIS_BASE_UNITS_H

#include "base/netcdf_in.h"

/* wanted = factor * found + offset */
typedef struct UnitChange {
    double factor, offset;
    bool
        accumulated; /* an amount ("J m-2" for "W/m2", "m" for "mm/h"): over the seconds of its interval it is the rate */
} UnitChange;

/* From `unit` to `expected`: "m", "m/s", "m3/s", "Pa", "deg", "C", "W/m2", "mm/h" (of water: also kg m-2 s-1), "1" (a
 * fraction) or "g/kg" (salinity, whose "1" is practical). False: `unit` is something else. NULL for either, or a blank:
 * unknown, as it is. */
bool unit_change(const char *unit, const char *expected, UnitChange *out);

/* Does UDUNITS know it? */
bool unit_known(const char *unit);

/* The same of a variable of a file; another unit is refused. `what` is for the message. */
CHECKED Status unit_of_variable(const NetcdfFile *file, int id, const char *expected, const char *what,
                                UnitChange *out);

/* Does `unit` say nothing (NULL or blank) where a number could be in several, as metres per second are but angles, fractions
 * and salinities are not? */
bool unit_missing(const char *unit, const char *expected);

/* The likely mistake behind a value in `expected` that lies outside [least, most], such as kelvin; NULL: none is
 * known. */
const char *unit_guess(const char *expected, double value, double least, double most);

/* The unit at the end of a JSON key or a column's name: "discharge_m3_s" -> "m3/s"; NULL: none known. */
const char *unit_of_key(const char *key);

#endif
