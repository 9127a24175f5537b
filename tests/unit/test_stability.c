/* SPDX-License-Identifier: Apache-2.0
 *
 * The stability functions' tables, by what they have to give: in a shear flow without stratification where
 * production is dissipation, nu = cmu0^4 k^2/eps; in a stable one that neither grows nor decays, Ri = 1/4;
 * and bounds beyond which more shear gives no less stress.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "model/turbulence/stability.h"

static const Stability *const all[] = {&stability_canuto_a, &stability_cheng};

static double viscosity(const Stability *c, double n, double s) {
    return (c->n[0] + c->n[1] * n + c->n[2] * s) / stability_denominator(c, n, s);
}

static double diffusivity(const Stability *c, double n, double s) {
    return (c->t[0] + c->t[1] * n + c->t[2] * s) / stability_denominator(c, n, s);
}

/* s where (P + B)/eps = s cmu - n cmu' is `ratio`, at n = richardson s. */
static double equilibrium(const Stability *c, double richardson, double ratio) {
    double low = 0, high = 100;
    for (int turn = 0; turn < 200; turn++) {
        double s = 0.5 * (low + high), n = richardson * s;
        if (s * viscosity(c, n, s) - n * diffusivity(c, n, s) < ratio)
            low = s;
        else
            high = s;
    }
    return low;
}

static void shear_flow_in_balance(void **state) {
    (void)state;
    for (int f = 0; f < 2; f++) {
        double cmu = viscosity(all[f], 0, equilibrium(all[f], 0, 1));
        assert_float_equal(cmu / pow(all[f]->cmu0, 4), 1, 1e-3);
    }
}

/* k and eps both stand still: P + B = eps, c1 P + c3 B = c2 eps. */
static void stationary_richardson_number(void **state) {
    (void)state;
    const double c1 = 1.44, c2 = 1.92, richardson = 0.25;
    for (int f = 0; f < 2; f++) {
        double s = equilibrium(all[f], richardson, 1), n = richardson * s;
        double production = s * viscosity(all[f], n, s), buoyancy = -n * diffusivity(all[f], n, s);
        assert_float_equal((c2 - c1 * production) / buoyancy, all[f]->c3_stable, 2e-2);
    }
}

/* The bound is that of the functions without their small terms n2 and d5. */
static void stress_grows_with_shear(void **state) {
    (void)state;
    for (int f = 0; f < 2; f++)
        for (double n = 0.5 * all[f]->least_alpha_n; n < 7; n += 0.125) {
            double most = stability_bounded_s(all[f], n, 1e9), before = 0;
            assert_true(most > 0);
            assert_float_equal(stability_bounded_s(all[f], n, 0.5 * most), 0.5 * most, 0);
            for (int part = 1; part <= 32; part++) {
                double s = most * part / 32, stress = sqrt(s) * viscosity(all[f], n, s);
                assert_true(stress > 0.9995 * before && diffusivity(all[f], n, s) > 0);
                before = stress;
            }
        }
}

static void convection_is_cut_off(void **state) {
    (void)state;
    for (int f = 0; f < 2; f++) {
        assert_float_equal(stability_bounded_n(all[f], -1e9), 0.5 * all[f]->least_alpha_n, 0);
        assert_float_equal(stability_bounded_n(all[f], 3), 3, 0);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shear_flow_in_balance),
        cmocka_unit_test(stationary_richardson_number),
        cmocka_unit_test(stress_grows_with_shear),
        cmocka_unit_test(convection_is_cut_off),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
