/* SPDX-License-Identifier: Apache-2.0
 *
 * Units of users' files, as CSV headers and NetCDF attributes write them. Local.
 */
#ifndef MAEOTIS_MODEL_FORCING_UNITS_H
#define MAEOTIS_MODEL_FORCING_UNITS_H

#include <stdbool.h>

/* The factor from `unit` to `expected`: "m", "m/s", "m3/s", "Pa", "deg", "C", "W/m2", "mm/h", "1" (a fraction) or
 * "g/kg" (salinity). False: `unit` is something else. NULL for either: unknown, factor 1. */
bool unit_factor(const char *unit, const char *expected, double *factor);

/* Does `unit` say nothing (NULL or blank) where a number could be in several, as metres per second are but angles, fractions
 * and salinities are not? */
bool unit_missing(const char *unit, const char *expected);

/* The offset to add after that: -273.15 for kelvin if degrees Celsius ("C") are expected, else 0. */
double unit_offset(const char *unit, const char *expected);

/* The likely mistake behind a value in `expected` that lies outside [least, most], such as kelvin; NULL: none is
 * known. */
const char *unit_guess(const char *expected, double value, double least, double most);

/* Reanalyses give rates as values accumulated since the last record: "J/m2" for "W/m2", "m" for "mm/h". True
 * if `unit` is one of those; the accumulated value times `factor`, over the seconds between the records, is
 * the rate. */
bool unit_accumulates(const char *unit, const char *expected, double *factor);

/* The unit at the end of a JSON key or a column's name: "discharge_m3_s" -> "m3/s"; NULL: none known. */
const char *unit_of_key(const char *key);

#endif
