/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/grid/traffic.h"

#include <time.h>

Traffic traffic;

static double read_clock(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double traffic_clock(void) {
    return read_clock(CLOCK_THREAD_CPUTIME_ID);
}

double traffic_now(void) {
    return read_clock(CLOCK_MONOTONIC);
}

void traffic_wait_all(int requests, MPI_Request *request) {
    const double start = traffic_now();
    MPI_Waitall(requests, request, MPI_STATUSES_IGNORE);
    traffic.waited += traffic_now() - start;
}

void traffic_reduce(void *numbers, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    const double start = traffic_now();
    MPI_Allreduce(MPI_IN_PLACE, numbers, count, type, op, comm);
    traffic.waited += traffic_now() - start;
}
