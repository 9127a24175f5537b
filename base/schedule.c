/* SPDX-License-Identifier: Apache-2.0 */
#include "base/schedule.h"

#include <math.h>

/* Far less than the interval, however short that is. */
static double early(double every) {
    return every > 0 ? fmin(SCHEDULE_EARLY_S, 1e-3 * every) : SCHEDULE_EARLY_S;
}

Schedule schedule_after(double every, double last) {
    if (!(every > 0)) return (Schedule){0, last + 2 * SCHEDULE_EARLY_S};
    return (Schedule){every, every * (floor((last + early(every)) / every) + 1)};
}

Schedule schedule_from(double every, double first) {
    if (!(every > 0)) return (Schedule){0, first};
    return (Schedule){every, every * ceil((first - early(every)) / every)};
}

bool schedule_due(const Schedule *schedule, double time) {
    return time >= schedule->next - early(schedule->every);
}

void schedule_advance(Schedule *schedule, double time) {
    *schedule = schedule_after(schedule->every, time);
}
