/* SPDX-License-Identifier: Apache-2.0
 *
 * Dates: proleptic Gregorian, UTC, without leap seconds, as CF's `seconds since` counts. All functions are
 * local.
 */
#ifndef MAEOTIS_BASE_CALENDAR_H
#define MAEOTIS_BASE_CALENDAR_H

#include "base/error.h"
#include <stdint.h>

/* "2014-09-24T18:00:00Z" -> seconds since 1970-01-01T00:00:00Z. Seconds may be left out, and an offset such
 * as +04:00 may replace the Z; a date without either is refused as ambiguous. The text of the refusal goes to
 * `why` (NULL: not wanted), not to the error list: the caller knows the place of the date. */
CHECKED Status calendar_parse(const char *text, double *seconds, char why[160]);

/* The other way, "2014-09-24T18:00:00Z"; fractions of a second are rounded to the nearest second. */
void calendar_format(double seconds, char out[32]);

/* The date `elapsed` seconds after `start`, a whole second, to the microsecond: "2014-09-24T18:00:00.25Z"; a
 * whole second has no fraction. */
void calendar_format_since(double start, double elapsed, char out[32]);

/* "20140924T180000Z" and "20140924T180000_250000Z", for names of files: some file systems take no colons. Sorted
 * by name is by time. */
void calendar_format_compact(double start, double elapsed, char out[32]);

/* Where the day, month or year begins in which a time lies (`ahead` 0), or the next one (1), and what it is called in
 * names of files: "20140924", "201409", "2014". */
typedef enum CalendarPart { PART_WHOLE, PART_DAY, PART_MONTH, PART_YEAR } CalendarPart;
double calendar_part(double seconds, CalendarPart part, int ahead);
void calendar_format_part(double seconds, CalendarPart part, char out[32]);

/* CF time units, "hours since 1900-01-01 00:00:00.0" -> seconds per unit and the reference in seconds since
 * 1970. Also with the calendar attribute (NULL: standard); calendars without leap days are refused. */
CHECKED Status calendar_parse_units(const char *units, const char *calendar, double *seconds_per_unit,
                                    double *reference, char why[160]);

#endif
