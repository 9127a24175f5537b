/* SPDX-License-Identifier: Apache-2.0
 *
 * Events at a fixed interval: which is due next.
 *
 * Model time is a sum of steps and may miss a multiple of the interval by rounding, so an event is due up to
 * a microsecond early, or a thousandth of a shorter interval.
 */
#ifndef MAEOTIS_BASE_SCHEDULE_H
#define MAEOTIS_BASE_SCHEDULE_H

#include <stdbool.h>

#define SCHEDULE_EARLY_S 1e-6

typedef struct Schedule {
    double every, next; /* [s since the start] */
} Schedule;
Schedule schedule_after(double every, double last); /* first due after the time `last` */
Schedule schedule_from(double every, double first); /* first due at the multiple that is not before `first` */
bool schedule_due(const Schedule *schedule, double time);
void schedule_advance(Schedule *schedule, double time);

#endif
