/* SPDX-License-Identifier: Apache-2.0 */
#include "base/schedule.h"

#include <math.h>

Schedule schedule_after(double every, double last) {
    if (!(every > 0)) return (Schedule){0, last + 2 * SCHEDULE_EARLY_S};
    return (Schedule){every, every * (floor((last + SCHEDULE_EARLY_S) / every) + 1)};
}

Schedule schedule_from(double every, double first) {
    if (!(every > 0)) return (Schedule){0, first};
    return (Schedule){every, every * ceil((first - SCHEDULE_EARLY_S) / every)};
}

bool schedule_due(const Schedule *schedule, double time) {
    return time >= schedule->next - SCHEDULE_EARLY_S;
}

void schedule_advance(Schedule *schedule, double time) {
    *schedule = schedule_after(schedule->every, time);
}
