/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/grid/traffic.h"

#include <time.h>

Traffic traffic;

double traffic_clock(void) {
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}
