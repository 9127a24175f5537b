/* SPDX-License-Identifier: Apache-2.0
 *
 * What each scheme of transport promises, in columns of one to six layers and random flows that change with every
 * step: no value leaves the bounds of transport.h, a stratification of few layers does not feed on itself, and what is
 * not negative stays so to the last bit, through the mixing of columns too.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/support/thorough.h"
#include "tests/support/tracer_sea.h"

enum { STEPS = 60 / SANITIZED_TURNS };
#define ROUND_OFF 1e-14 /* of the largest value */

/* Half of the water holds `low` to the last bit. */
static void begin(TracerSea *s, double low, double high, double least_ever) {
    s->least_ever = least_ever;
    FOR_WATER(s, i, j, k) {
        const double any = test_number(7, i, j, k);
        s->c[AT(*s->grid, i, j, k)] = any < 0.5 ? low : low + (high - low) * any;
    }
}

static void keeps_its_bounds(int n3, TransportScheme scheme) {
    TracerSea s = tracer_sea_create(n3, false, scheme);
    double worst = 0;
    int at_end = 0;
    begin(&s, -1, 17, -FAR);
    for (int step = 0; step < STEPS; step++) {
        tracer_sea_step(&s, false);
        FOR_WATER(&s, i, j, k) {
            const Bounds b = tracer_sea_promised(&s, i, j, k, scheme);
            const double c = s.c[AT(*s.grid, i, j, k)];
            worst = fmax(worst, fmax(b.least - c, c - b.most));
            at_end += !(b.least < c && c < b.most);
        }
    }
    print_message("%d layers, scheme %d: %.1e beyond, %d at their bounds\n", n3, (int)scheme, worst, at_end);
    assert_true(worst < ROUND_OFF * 17);
    assert_true(at_end > 0 || scheme != TRANSPORT_FCT);
    tracer_sea_destroy(&s);
}

static const TransportScheme schemes[] = {TRANSPORT_LOW, TRANSPORT_VAN_LEER, TRANSPORT_FCT};

static void bounds_hold(void **state) {
    (void)state;
    for (int n3 = 1; n3 <= 6; n3++)
        for (int n = 0; n < 3; n++) keeps_its_bounds(n3, schemes[n]);
}

/* In columns of one and two layers all bounds are values that are there: the sea's range never grows. */
static void the_range_of_few_layers_never_grows(void **state) {
    (void)state;
    for (int n3 = 1; n3 <= 2; n3++)
        for (int n = 0; n < 3; n++) {
            TracerSea s = tracer_sea_create(n3, false, schemes[n]);
            begin(&s, -1, 17, -FAR);
            for (int step = 0; step < STEPS; step++) tracer_sea_step(&s, step % 2);
            FOR_WATER(&s, i, j, k) {
                const double c = s.c[AT(*s.grid, i, j, k)];
                assert_true(c > -1 - STEPS * ROUND_OFF && c < 17 + STEPS * ROUND_OFF * 17);
            }
            tracer_sea_destroy(&s);
        }
}

static void not_negative_to_the_last_bit(void **state) {
    (void)state;
    for (int n3 = 1; n3 <= 6; n3++)
        for (int n = 0; n < 3; n++)
            for (int mixes = 0; mixes < 2; mixes++) {
                TracerSea s = tracer_sea_create(n3, false, schemes[n]);
                begin(&s, 0, 17, 0);
                for (int step = 0; step < STEPS; step++) {
                    tracer_sea_step(&s, mixes);
                    FOR_WATER(&s, i, j, k) assert_true(s.c[AT(*s.grid, i, j, k)] >= 0);
                }
                tracer_sea_destroy(&s);
            }
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bounds_hold),
        cmocka_unit_test(the_range_of_few_layers_never_grows),
        cmocka_unit_test(not_negative_to_the_last_bit),
    };
    MPI_Init(&argc, &argv);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    MPI_Finalize();
    return failed;
}
