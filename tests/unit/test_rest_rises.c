/* SPDX-License-Identifier: Apache-2.0
 *
 * Heights at which water rests: the search of a block against one that looks at every node, to the last bit.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "model/density/rest_rises.h"
#include <math.h>

enum { COUNT = 121 };
static const double STEP = 0.5;

static RestTable table_of(double (*profile)(double), double density[COUNT], double per_density[COUNT]) {
    for (int n = 0; n < COUNT; n++) density[n] = profile(n * STEP);
    rest_table_fall(density, COUNT, STEP);
    rest_table_slopes(density, COUNT, STEP, per_density);
    return (RestTable){.density = density, .per_density = per_density, .step = STEP, .last = COUNT - 1};
}

static double smooth(double z) {
    return 5 * exp(-z / 15);
}

static double jumps(double z) {
    return (z < 20 ? 3 : 0) + (z < 42 ? 2 : 0) + 1e-6 * (60 - z);
}

static double unstable(double z) {
    return 0.05 * (60 - z) + sin(z);
}

static double plain_height(const RestTable *t, double density) {
    int n = 0;
    while (n < t->last - 1 && t->density[n + 1] > density) n++;
    return n + max_of(0.0, min_of(1.0, (t->density[n] - density) / (t->density[n] - t->density[n + 1])));
}

static double plain_rise(const RestTable *t, int node, double within, double density, double b) {
    const double rise = -b * t->per_density[node];
    if (fabs(rise + (within - 0.5) * STEP) <= 0.5 * STEP) return rise;
    return STEP * (plain_height(t, density) - plain_height(t, density - b));
}

/* Waters from everywhere at all heights; scaled, so that some stay and others go beyond the ends. */
static void rises_are_those_of_a_plain_search(double (*profile)(double)) {
    double density[COUNT], per_density[COUNT];
    const RestTable t = table_of(profile, density, per_density);
    unsigned seed = 1;
    int stay = 0, leave = 0;
    for (int turn = 0; turn < 4000; turn++) {
        ptrdiff_t node[LANES];
        double within[LANES], water[LANES], b[LANES], rise[LANES];
        const double far = pow(10, -(turn % 7)); /* of the profile's range */
        for (int l = 0; l < LANES; l++) {
            seed = seed * 1664525u + 1013904223u;
            node[l] = (seed >> 8) % (COUNT - 1);
            seed = seed * 1664525u + 1013904223u;
            within[l] = turn % 3 == 0 ? 0 : (seed >> 8) / 16777216.0;
            seed = seed * 1664525u + 1013904223u;
            b[l] = far * 6 * ((seed >> 8) / 16777216.0 - 0.5);
            const double here = density[node[l]] + within[l] * (density[node[l] + 1] - density[node[l]]);
            water[l] = turn % 5 == 0 ? density[node[l] / 2] : here + b[l];
            if (turn % 5 == 0) b[l] = water[l] - here;
        }
        rest_rises(&t, node, within, water, b, rise);
        for (int l = 0; l < LANES; l++) {
            assert_true(rise[l] == plain_rise(&t, (int)node[l], within[l], water[l], b[l]));
            const bool inside = rise[l] == -b[l] * per_density[node[l]];
            stay += inside, leave += !inside;
        }
    }
    assert_true(stay > 100 && leave > 2000);
}

static void in_a_smooth_profile(void **state) {
    (void)state;
    rises_are_those_of_a_plain_search(smooth);
}

static void in_one_of_jumps(void **state) {
    (void)state;
    rises_are_those_of_a_plain_search(jumps);
}

static void in_an_unstable_one(void **state) {
    (void)state;
    rises_are_those_of_a_plain_search(unstable);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(in_a_smooth_profile),
                                       cmocka_unit_test(in_one_of_jumps),
                                       cmocka_unit_test(in_an_unstable_one)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
