/* SPDX-License-Identifier: Apache-2.0
 *
 * LAPACK's tridiagonal solver for `maeotis bench lines` (bench/peer_lines.h).
 */
#include "bench/peer_lines.h"

#include <lapacke.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

PeerLines peer_lines;

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

double peer_lines(int n, int lines, const double *a, const double *b, const double *c, double *d) {
    const size_t bytes = (size_t)n * sizeof(double);
    double *lower = malloc(bytes), *centre = malloc(bytes), *upper = malloc(bytes), *second = malloc(bytes);
    lapack_int *pivot = malloc((size_t)n * sizeof *pivot);
    double seconds = -1;
    if (lower && centre && upper && second && pivot) {
        memcpy(lower, a + 1, bytes - sizeof(double));
        memcpy(centre, b, bytes);
        memcpy(upper, c, bytes - sizeof(double));
        if (LAPACKE_dgttrf(n, lower, centre, upper, second, pivot) == 0) {
            const double start = now();
            LAPACKE_dgttrs_work(LAPACK_COL_MAJOR, 'N', n, lines, lower, centre, upper, second, pivot, d, n);
            seconds = now() - start;
        }
    }
    free(lower), free(centre), free(upper), free(second), free(pivot);
    return seconds;
}
