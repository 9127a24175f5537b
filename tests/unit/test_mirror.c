/* SPDX-License-Identifier: Apache-2.0
 *
 * Output reads a copy where kernels compute elsewhere: of every field that it looks at, and none of the originals.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "gpu/device.h"
#include "output/mirror.h"
#include "tests/support/small_sea.h"

static double **field_of(State *s, int n) {
    double **all[] = {&s->depth,       &s->eta,
                      &s->u,           &s->v,
                      &s->flux_w,      &s->stress_u,
                      &s->roughness,   &s->ice,
                      &s->equilibrium, &s->wave_height,
                      &s->wave_stress, &s->horizontal_viscosity,
                      &s->density,     &s->vertical_diffusivity};
    return n < (int)(sizeof all / sizeof *all) ? all[n] : NULL;
}

enum { FIRST_LEVEL = 11 }; /* of these that are three-dimensional */

static void change_all(State *s, double by) {
    for (int n = 0; field_of(s, n); n++) (*field_of(s, n))[AT2(*s->grid, 3, 5)] += by;
}

static void copies_all(void **state) {
    SmallSea sea = small_sea_create(MPI_COMM_SELF, "[]", "unused", false, false);
    State *s = sea.state;
    Mirror *mirror;
    (void)state;
    assert_int_equal(exec_create("emu", 0, 1, &sea.grid->exec), STATUS_OK);
    double *added[20];
    int count = 0;
    for (int n = 0; field_of(s, n); n++)
        if (!*field_of(s, n))
            added[count++] = *field_of(s, n) =
                n < FIRST_LEVEL ? field2_create(sea.grid) : field3_create(sea.grid);
    assert_int_equal(mirror_create(s, &mirror), STATUS_OK);
    State seen = *mirror_state(mirror);
    for (int change = 0; change < 2; change++) {
        const double before = s->roughness[AT2(*sea.grid, 3, 5)];
        change_all(s, 7);
        assert_true(seen.roughness[AT2(*sea.grid, 3, 5)] == before); /* until it is renewed */
        assert_int_equal(mirror_update(mirror, s), STATUS_OK);
        for (int n = 0; field_of(s, n); n++) {
            assert_ptr_not_equal(*field_of(&seen, n), *field_of(s, n));
            assert_true((*field_of(&seen, n))[AT2(*sea.grid, 3, 5)] ==
                        (*field_of(s, n))[AT2(*sea.grid, 3, 5)]);
        }
    }
    mirror_destroy(&mirror);
    for (int n = 0; field_of(s, n); n++)
        for (int m = 0; m < count; m++)
            if (*field_of(s, n) == added[m]) {
                if (n < FIRST_LEVEL)
                    field2_destroy(sea.grid, field_of(s, n));
                else
                    field3_destroy(sea.grid, field_of(s, n));
                added[m] = NULL;
                break;
            }
    exec_destroy(&sea.grid->exec);
    sea.grid->exec = (Exec){.device = DEVICE_CPU};
    small_sea_destroy(&sea);
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    const struct CMUnitTest tests[] = {cmocka_unit_test(copies_all)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    MPI_Finalize();
    return failed;
}
