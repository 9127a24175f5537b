/* SPDX-License-Identifier: Apache-2.0
 *
 * Values where a file has none: in a column those above or, at its lowest levels, below; elsewhere those of the nearest column.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "model/forcing/nearest.h"
#include <math.h>

enum { NX = 4, NY = 2, LEVELS = 3 };

/* From the lowest level up; columns 1, 2 and 5 to 7 are without values. */
static void fill(double value[LEVELS][NY * NX]) {
    for (int k = 0; k < LEVELS; k++)
        for (int m = 0; m < NY * NX; m++) value[k][m] = NAN;
    value[1][0] = 5, value[2][0] = 6; /* a sill below */
    value[0][3] = 1, value[2][3] = 3; /* a gap within */
    value[0][4] = 7;
}

static void columns_are_filled_from_their_own_levels(void **state) {
    (void)state;
    double value[LEVELS][NY * NX];
    unsigned char has[NY * NX];
    fill(value);
    assert_true(nearest_fill((const int[]){NX, NY, LEVELS}, value[0], has));
    const double expected[][LEVELS] = {{5, 5, 6}, {1, 1, 3}, {7, 7, 7}};
    const int column[] = {0, 3, 4};
    for (int n = 0; n < 3; n++)
        for (int k = 0; k < LEVELS; k++) assert_true(value[k][column[n]] == expected[n][k]);
    for (int m = 0; m < NY * NX; m++) assert_true(has[m] == (m == 0 || m == 3 || m == 4));
}

static void others_are_those_of_the_nearest_column(void **state) {
    (void)state;
    double value[LEVELS][NY * NX];
    unsigned char has[NY * NX];
    const int nearest[NY * NX] = {0, 0, 3, 3, 4, 4, -1, 3};
    fill(value);
    assert_true(nearest_fill((const int[]){NX, NY, LEVELS}, value[0], has));
    for (int m = 0; m < NY * NX; m++)
        for (int k = 0; k < LEVELS && nearest[m] >= 0; k++) assert_true(value[k][m] == value[k][nearest[m]]);
    for (int k = 0; k < LEVELS; k++)
        for (int m = 0; m < NY * NX; m++) value[k][m] = NAN;
    assert_false(nearest_fill((const int[]){NX, NY, LEVELS}, value[0], has));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_are_filled_from_their_own_levels),
        cmocka_unit_test(others_are_those_of_the_nearest_column),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
