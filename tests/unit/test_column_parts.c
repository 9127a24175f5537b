/* SPDX-License-Identifier: Apache-2.0
 *
 * Mixing of columns in parts (column_parts.h) against that of whole ones: equal to round-off for any number of layers, parts and
 * beds at any height, with settling, beds that take and give, decay; content kept; constants and unmixed columns to the
 * last bit; the same bits on the emulator.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "gpu/device.h"
#include "model/tracers/transport.h"
#include "tests/support/systems.h"

enum { NX = 24, NY = 3, TRACERS = 3 };
static int layers;

static int beds(int i, int j) {
    return i == 5 && j == 1 ? 0 : 1 + (int)(layers * test_number(3, i, j, layers)) % layers;
}

typedef struct Sea {
    TestSystem *system;
    const Grid *grid;
    double *depth, *c[TRACERS], *diffusivity, *stress, *store, *contents[TRACERS][3];
} Sea;

static Sea sea_create(int n, bool constant) {
    layers = n;
    const SystemShape shape = {.nx = NX, .ny = NY, .nz = n, .levels = beds, .seed = 1};
    Sea s = {.system = test_system_create(MPI_COMM_SELF, &shape, 0, 0)};
    const Grid *g = s.grid = s.system->grid;
    double **planes[] = {&s.depth, &s.stress, &s.store};
    for (int m = 0; m < 3; m++) *planes[m] = field2_create(g);
    s.diffusivity = field3_create(g);
    for (int t = 0; t < TRACERS; t++) {
        s.c[t] = field3_create(g);
        for (int m = 0; m < 3; m++) s.contents[t][m] = field2_create(g);
    }
    for (int j = 0; j < g->n2; j++)
        for (int i = 0; i < g->n1; i++) {
            const ptrdiff_t column = AT2(*g, i, j);
            if (!(g->bottom_c[column] < n)) continue;
            s.depth[column] = 1 + 30 * test_number(4, i, j, 0);
            s.stress[column] = 0.3 * test_number(5, i, j, 0);
            s.store[column] = i % 3 ? 1 : 1e-3;
            for (int k = (int)g->bottom_c[column]; k < n; k++) {
                const ptrdiff_t m = AT(*g, i, j, k);
                s.diffusivity[m] = pow(10, 4 * test_number(6, i, j, k) - 4);
                for (int t = 0; t < TRACERS; t++)
                    s.c[t][m] = constant ? 35.1 : 1 + test_number(7 + t, i, j, k);
            }
        }
    return s;
}

static void sea_destroy(Sea *s) {
    double **planes[] = {&s->depth, &s->stress, &s->store};
    for (int m = 0; m < 3; m++) field2_destroy(s->grid, planes[m]);
    field3_destroy(s->grid, &s->diffusivity);
    for (int t = 0; t < TRACERS; t++) {
        field3_destroy(s->grid, &s->c[t]);
        for (int m = 0; m < 3; m++) field2_destroy(s->grid, &s->contents[t][m]);
    }
    test_system_destroy(&s->system);
}

/* The second tracer settles and has a bed, the third decays. `mixed`: else nothing mixes. */
static void mix(Sea *s, Exec exec, int parts, bool mixed, bool plain) {
    Mixing a = {.g = grid_view(s->grid),
                .dt = 600,
                .depth = s->depth,
                .stress = s->stress,
                .count = TRACERS,
                .full_stress_depth = 1};
    if (mixed) a.diffusivity = s->diffusivity;
    for (int t = 0; t < TRACERS; t++) {
        a.c[t] = s->c[t];
        a.contents[t] = (Contents){s->contents[t][0], s->contents[t][1], s->contents[t][2]};
    }
    if (!plain) {
        a.settling[1] = 1e-3;
        a.bed[1] =
            (Bed){.store = s->store, .erosion = 1e-4, .critical_erosion = 0.1, .critical_deposition = 0.2};
        a.decay[2] = 1e-4, a.ageing[2] = 1e-5;
    }
    a.cut = column_cut(s->grid->n3, parts);
    mix_down(exec, s->grid->blocks_c, a);
    exec_wait(exec);
}

/* The largest difference of values, and of contents and beds, over their size. */
static double difference(const Sea *a, const Sea *b) {
    double most = 0;
    const Grid *g = a->grid;
    for (int j = 0; j < g->n2; j++)
        for (int i = 0; i < g->n1; i++) {
            const ptrdiff_t column = AT2(*g, i, j);
            if (!(g->bottom_c[column] < g->n3)) continue;
            most = fmax(most, fabs(a->store[column] - b->store[column]));
            for (int t = 0; t < TRACERS; t++) {
                for (int m = 0; m < 3; m++)
                    most = fmax(most, fabs(a->contents[t][m][column] / b->contents[t][m][column] - 1));
                for (int k = (int)g->bottom_c[column]; k < g->n3; k++)
                    most = fmax(most, fabs(a->c[t][AT(*g, i, j, k)] / b->c[t][AT(*g, i, j, k)] - 1));
            }
        }
    return most;
}

static const Exec cpu = {.device = DEVICE_CPU};
static const int LAYERS[] = {1, 2, 3, 5, 16, 33, 100, 200}, PARTS[] = {1, 2, 3, 8, 16};

static void as_whole_columns(void **state) {
    (void)state;
    double worst = 0;
    for (int m = 0; m < 8; m++)
        for (int p = 0; p < 5; p++) {
            Sea whole = sea_create(LAYERS[m], false), parts = sea_create(LAYERS[m], false);
            for (int turn = 0; turn < 3; turn++)
                mix(&whole, cpu, 0, true, false), mix(&parts, cpu, PARTS[p], true, false);
            const double apart = difference(&parts, &whole);
            if (!(apart < 1e-13)) print_error("%d layers, %d parts: %g\n", LAYERS[m], PARTS[p], apart);
            worst = fmax(worst, apart);
            assert_true(apart < 1e-13);
            sea_destroy(&whole), sea_destroy(&parts);
        }
    print_message("furthest apart: %.1e\n", worst);
    assert_true(worst > 0);
}

/* A constant, and what does not mix, to the last bit. */
static void nothing_changes(void **state) {
    (void)state;
    for (int m = 0; m < 8; m++)
        for (int mixed = 0; mixed < 2; mixed++) {
            Sea before = sea_create(LAYERS[m], mixed), after = sea_create(LAYERS[m], mixed);
            mix(&after, cpu, 8, mixed, true);
            for (int cell = 0; cell < NX * NY * LAYERS[m]; cell++) {
                const ptrdiff_t n = AT(*before.grid, cell % NX, cell / NX % NY, cell / NX / NY);
                for (int t = 0; t < TRACERS; t++) assert_true(before.c[t][n] == after.c[t][n]);
            }
            sea_destroy(&before), sea_destroy(&after);
        }
}

static void on_the_emulator(void **state) {
    (void)state;
    Exec emu;
    assert_int_equal(exec_create("emu", 0, 9, &emu), STATUS_OK);
    for (int m = 0; m < 8; m++)
        for (int p = m % 2; p < 5; p += 2) {
            Sea here = sea_create(LAYERS[m], false), there = sea_create(LAYERS[m], false);
            mix(&here, cpu, PARTS[p], true, false), mix(&there, emu, PARTS[p], true, false);
            assert_true(difference(&there, &here) == 0);
            sea_destroy(&here), sea_destroy(&there);
        }
    exec_destroy(&emu);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(as_whole_columns), cmocka_unit_test(nothing_changes),
                                       cmocka_unit_test(on_the_emulator)};
    MPI_Init(NULL, NULL);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    MPI_Finalize();
    return failed;
}
