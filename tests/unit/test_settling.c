/* SPDX-License-Identifier: Apache-2.0
 *
 * Settling against mixing down a column (mixing_kernels.c): exact profiles at any cell Peclet number where the mixing is
 * the same everywhere, Rouse's where it is a parabola, the old upwind steps to the last bit without mixing.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "model/tracers/transport.h"
#include "tests/support/systems.h"

#define STEP  1e6  /* so long that a few of them reach the balance [s] */
#define DEPTH 10.0 /* [m] */
#define FAST  0.01 /* [m s-1] */

static const Exec exec = {.device = DEVICE_CPU};
static int layers;

static int full_columns(int i, int j) {
    (void)i, (void)j;
    return layers;
}

typedef struct Column {
    TestSystem *system;
    const Grid *grid;
    double *depth, *c, *diffusivity, *plane[3];
} Column;

static Column column_create(int n) {
    layers = n;
    const SystemShape shape = {.nx = 8, .ny = 3, .nz = n, .levels = full_columns, .seed = 1};
    Column s = {.system = test_system_create(MPI_COMM_SELF, &shape, 0, 0)};
    const Grid *g = s.grid = s.system->grid;
    s.depth = field2_create(g), s.c = field3_create(g), s.diffusivity = field3_create(g);
    for (int n2 = 0; n2 < 3; n2++) s.plane[n2] = field2_create(g);
    for (int j = 0; j < g->n2; j++)
        for (int i = 0; i < g->n1; i++) {
            s.depth[AT2(*g, i, j)] = DEPTH;
            for (int k = 0; k < n; k++) s.c[AT(*g, i, j, k)] = 1;
        }
    return s;
}

static void column_destroy(Column *s) {
    field2_destroy(s->grid, &s->depth), field3_destroy(s->grid, &s->c);
    field3_destroy(s->grid, &s->diffusivity);
    for (int n = 0; n < 3; n++) field2_destroy(s->grid, &s->plane[n]);
    test_system_destroy(&s->system);
}

static double value(const Column *s, int k) {
    return s->c[AT(*s->grid, 3, 1, k)];
}

static void mix(Column *s, double dt, double settling, double diffusivity, const double *field, int steps) {
    for (int n = 0; n < steps; n++)
        mix_columns(exec, s->grid->blocks_c,
                    (Mixing){.g = grid_view(s->grid),
                             .dt = dt,
                             .depth = s->depth,
                             .diffusivity = field,
                             .same_diffusivity = diffusivity,
                             .count = 1,
                             .c = {s->c},
                             .settling = {settling},
                             .contents = {{s->plane[0], s->plane[1], s->plane[2]}}});
}

static double content(const Column *s) {
    double sum = 0;
    for (int k = 0; k < layers; k++) sum += value(s, k) / layers;
    return sum;
}

/* Neighbours differ by exp(P), from P = 1e-9 to 30, sinking and rising. */
static void balance_with_constant_mixing(void **state) {
    (void)state;
    for (double peclet = 1e-9; peclet < 31; peclet *= 4)
        for (int sign = -1; sign <= 1; sign += 2) {
            Column s = column_create(8);
            const double dz = DEPTH / 8;
            mix(&s, STEP, sign * FAST, FAST * dz / peclet, NULL, 40);
            for (int k = 1; k < 8; k++)
                assert_true(fabs(value(&s, k) / value(&s, k - 1) * exp(sign * peclet) - 1) < 2e-13);
            assert_true(fabs(content(&s) - 1) < 1e-13);
            column_destroy(&s);
        }
}

/* K = kappa u z (1 - z/H) and w = kappa u: c ~ (H - z)/z, whose exponent is fitted where z/H lies between 0.1 and 0.9. */
static double fitted_rouse_number(int n) {
    Column s = column_create(n);
    const Grid *g = s.grid;
    double xx = 0, xy = 0, x_sum = 0, y_sum = 0, count = 0;
    for (int j = 0; j < g->n2; j++)
        for (int i = 0; i < g->n1; i++)
            for (int k = 1; k < n; k++)
                s.diffusivity[AT(*g, i, j, k)] = FAST * DEPTH * k / n * (1 - (double)k / n);
    mix(&s, STEP, FAST, 0, s.diffusivity, 40);
    for (int k = 0; k < n; k++) {
        const double z = (k + 0.5) / n, x = log((1 - z) / z), y = log(value(&s, k));
        if (z < 0.1 || z > 0.9) continue;
        xx += x * x, xy += x * y, x_sum += x, y_sum += y, count++;
    }
    column_destroy(&s);
    return (xy - x_sum * y_sum / count) / (xx - x_sum * x_sum / count);
}

static void rouse_profiles(void **state) {
    (void)state;
    const double found[] = {fitted_rouse_number(10), fitted_rouse_number(20), fitted_rouse_number(40)};
    print_message("Rouse number 1 with 10, 20, 40 layers: %.4f %.4f %.4f\n", found[0], found[1], found[2]);
    assert_true(found[0] > 0.991 && found[1] > 0.997 && found[2] > 0.999 && found[2] < 1);
}

/* c' h = c h + dt w (c' of the layer above - c'), from the surface down; the bed takes nothing. */
static void without_mixing_upwind(void **state) {
    (void)state;
    Column s = column_create(8);
    double expected = 0;
    mix(&s, 60, FAST, 0, NULL, 1);
    for (int k = 7; k >= 0; k--) {
        const double h = DEPTH / 8, out = k > 0 ? 60 * FAST : 0;
        expected = (h + 60 * FAST * expected) / (h + out);
        assert_true(fabs(value(&s, k) / expected - 1) < 4e-16);
    }
    column_destroy(&s);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(balance_with_constant_mixing),
        cmocka_unit_test(rouse_profiles),
        cmocka_unit_test(without_mixing_upwind),
    };
    MPI_Init(&argc, &argv);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    MPI_Finalize();
    return failed;
}
