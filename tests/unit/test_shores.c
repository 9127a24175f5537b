/* SPDX-License-Identifier: Apache-2.0
 *
 * The slope of a plane surface from the levels of cells that are wet in part (model/subgrid/shores.h).
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "model/subgrid/shores.h"

enum { N = 8, POINTS = 40 };

static double share[N * N], middle_x[N * N], middle_y[N * N], eta[N * N], sill[N * N];
static const Shores along_x = {share, middle_x, middle_y, NULL, sill, N},
                    along_y = {share, middle_y, middle_x, NULL, sill, 1};

/* Wet where x cos + y sin < reach; the level of a cell is that of the plane surface in the middle of its wet area. */
static void fill(double angle, double reach, double slope_x, double slope_y) {
    for (int m = 0; m < N * N; m++) {
        int wet = 0;
        double x = 0, y = 0;
        for (int p = 0; p < POINTS * POINTS; p++) {
            const double px = (p % POINTS + 0.5) / POINTS - 0.5, py = (p / POINTS + 0.5) / POINTS - 0.5;
            if ((m % N - 3.5 + px) * cos(angle) + (m / N - 3.5 + py) * sin(angle) >= reach) continue;
            wet++, x += px, y += py;
        }
        share[m] = (double)wet / (POINTS * POINTS);
        middle_x[m] = x / fmax(1, wet), middle_y[m] = y / fmax(1, wet);
        eta[m] = slope_x * (m % N + middle_x[m]) + slope_y * (m / N + middle_y[m]);
        sill[m] = -100;
    }
}

/* Faces inside with a whole wet neighbour across; returns how many were looked at. */
static int check(const Shores *s, ptrdiff_t along, double slope) {
    int seen = 0;
    for (int j = 2; j < N - 2; j++)
        for (int i = 2; i < N - 2; i++) {
            const ptrdiff_t m = j * N + i, back = m - along, inner = share[m] > share[back] ? m : back;
            const double across = fmax(share[inner - s->cross], share[inner + s->cross]);
            if (!(fmin(share[m], share[back]) > 0) || across < 1 || shore_weight(s, eta, back, m) < 1)
                continue;
            const double known = fmin(share[inner - s->cross], share[inner + s->cross]);
            if (known > 0.75 && known < 1) continue; /* its middle counts for nothing there */
            const ShoreWay way = shore_way(s, eta, back, m);
            const double found = (eta[m] - eta[back] - way.lift) / way.distance;
            assert_true(fabs(found - slope) < 1e-12);
            seen += fmin(share[m], share[back]) < 1;
        }
    return seen;
}

static void plane_surfaces(void **state) {
    (void)state;
    int seen = 0;
    for (int n = 0; n < 24; n++)
        for (double reach = -1; reach < 1; reach += 0.13) {
            fill(n * 0.2618 + 0.01, reach, 0.3, -0.2);
            seen += check(&along_x, 1, 0.3) + check(&along_y, N, -0.2);
        }
    assert_true(seen > 1000);
}

/* Two waters that touch beside a face, in a creek along it whose mouth is whole wet. */
static void touching_waters(void **state) {
    (void)state;
    fill(0, -100, 0, 0);
    const int back = 3 * N + 3, m = back + 1;
    share[back] = share[m] = 0.01, share[back - N] = share[m - N] = share[m + 1] = 1;
    middle_x[back] = 0.5, middle_x[m] = -0.5;
    for (int c = 0; c < N * N; c++) eta[c] = 0.1 * c;
    const ShoreWay way = shore_way(&along_x, eta, back, m);
    assert_true(way.distance == 0.25 && way.lift == 0);
}

/* Behind a dike a lake does not make a shore of a channel. */
static void channel_beside_a_lake(void **state) {
    (void)state;
    fill(0, -100, 0, 0);
    const int back = 3 * N + 3, m = back + 1;
    share[back] = share[m] = 0.5, share[m + 1] = share[m + N] = 1, middle_x[m] = 0.2;
    assert_true(shore_way(&along_x, eta, back, m).distance == 1.2);
    sill[m + N] = 1;
    assert_true(shore_way(&along_x, eta, back, m).distance == 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(plane_surfaces), cmocka_unit_test(touching_waters),
                                       cmocka_unit_test(channel_beside_a_lake)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
