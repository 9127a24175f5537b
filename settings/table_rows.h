/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the table of the scenario: the macros of its rows, and its parts.
 */
#ifndef MAEOTIS_SETTINGS_TABLE_ROWS_H
#define MAEOTIS_SETTINGS_TABLE_ROWS_H

#include "settings/table.h"

#define LENGTH(array) (int)(sizeof(array) / sizeof((array)[0]))
#define CHOICES(...)                                                                                         \
    .choices = (const char *const[]) {                                                                       \
        __VA_ARGS__, NULL                                                                                    \
    }
/* The same for an enum, whose last value is `last`: a name that is missing or too many does not compile. */
#define CHOICES_TO(last, ...)                                                                                \
    CHOICES(__VA_ARGS__),                                                                                    \
        .length = 0 * (int)sizeof(struct {                                                                   \
                      int none;                                                                              \
                      _Static_assert(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *) == (last) + 1,   \
                                     "a name for each value of the enum, in its order");                     \
                  })
#define RANGE(low, high) .least = (low), .most = (high)
#define ABOVE(low, high) .flags = EXCLUSIVE, RANGE(low, high)
#define DEFAULT(value)   .initial = (value)

/* Where a row's value goes: TO and COUNT of the struct that OWNER is. */
#define TO(member)    .offset = offsetof(OWNER, member)
#define COUNT(member) .count_offset = offsetof(OWNER, member)

/* The kinds of tracer. */
#define TEMPERATURE RANGE(-10, 100), .unit = "degrees C"
/* large enough for anything, small enough for sums of its products */
#define ANY_AMOUNT RANGE(-1e30, 1e30)
#define SALINITY   RANGE(0, 400), .unit = "g/kg"

/* The rows of a record that stand in one place, and in several. */
#define ROWS(array)                                                                                          \
    { array, LENGTH(array) }
#define ONLY_ROWS(array)                                                                                     \
    (const Fields *const[]) {                                                                                \
        &(const Fields)ROWS(array), NULL                                                                     \
    }

extern const Fields rows_of_grid, rows_of_physics, rows_of_forcing; /* parts of the scenario */
extern const Record tracer_record, river_record, boundary_record, nudging_record, output_record;

#endif
