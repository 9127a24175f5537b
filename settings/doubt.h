/* SPDX-License-Identifier: Apache-2.0
 *
 * Doubts: input that is probably a mistake but may be meant. It is refused, unless the scenario lists the doubt at
 * "allow"; then it is a warning. The list is part of the scenario, and so of every output file.
 */
#ifndef MAEOTIS_SETTINGS_DOUBT_H
#define MAEOTIS_SETTINGS_DOUBT_H

#include "settings/scenario.h"

typedef enum Doubt {
    DOUBT_VALUES,       /* beyond the range ever observed, or a code for a missing value */
    DOUBT_GAPS,         /* records are missing */
    DOUBT_ACCUMULATION, /* over which period is a value a sum? */
    DOUBT_UNITS,        /* a file does not say its unit */
    DOUBT_SCALES,       /* levels and speeds beyond the scales of the sea */
    DOUBT_TWICE,        /* the same river from two sources */
    DOUBTS
} Doubt;

/* The words of "allow", in this order, NULL at the end. */
extern const char *const doubt_names[DOUBTS + 1];

/* Local. */
bool doubt_allowed(const Scenario *scenario, Doubt doubt);

/* Raises the message and returns STATUS_BAD_INPUT, or warns and returns STATUS_OK if it is allowed. Local. */
CHECKED Status doubt_raise(const Scenario *scenario, Doubt doubt, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
