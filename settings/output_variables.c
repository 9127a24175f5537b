/* SPDX-License-Identifier: Apache-2.0 */
#include "settings/output_variables.h"

#include <stddef.h>
#include <string.h>

enum { MAP, LAYERS, WET = 0, ALWAYS };

#define ROW(ID, name, place, shape, dry, values, field, ...)                                                 \
    {VARIABLE_##ID, #name, place, shape == LAYERS, dry == ALWAYS, __VA_ARGS__, 0},
static const OutputVariable table[VARIABLES] = {OUTPUT_VARIABLES(ROW)};

#define NAME(ID, name, ...) #name,
const char *const output_variable_names[] = {OUTPUT_VARIABLES(NAME) NULL};

const char *const extreme_names[EXTREMES + 1] = {
    "max_eta",   "min_eta",           "time_of_max_eta", "time_of_min_eta",
    "max_speed", "time_of_max_speed", "max_depth",       "inundation_duration",
    NULL};

const OutputVariable *output_variable(const char *name, bool centred) {
    if (centred && strcmp(name, "u") == 0) name = "u_east";
    if (centred && strcmp(name, "v") == 0) name = "v_north";
    for (size_t n = 0; n < sizeof table / sizeof *table; n++)
        if (strcmp(name, table[n].name) == 0) return &table[n];
    return NULL;
}
