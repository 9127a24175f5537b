/* SPDX-License-Identifier: Apache-2.0
 *
 * A box of cells that is cut along all three axes: lines along each axis, and transport along them. The exact method
 * gives the bits of one process, DistD2 keeps to its tolerance, and three systems that go together give the bits of
 * three solutions one by one, on the emulator too.
 *
 * ctest: ranks 1 4 8
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "bench/transport.h"
#include "gpu/device.h"
#include "numerics/lines/compact_operator.h"
#include "numerics/lines/line_transport.h"
#include "tests/support/ranks.h"
#include "tests/support/systems.h"

enum { X = 29, Y = 26, Z = 28 }; /* so short that DistD2 needs further exchanges, not all operators as many */
static const int CELLS[3] = {X, Y, Z};
static int parts[3];

/* The operators of one axis, and what they find. */
typedef struct Case {
    LineBox *box;
    LineLayout *layout;
    LineOperator *first, *flux, *second;
    double *u, *w, *x, *spare[3];
} Case;

static double value(int which, int i, int j, int k) {
    return sin(0.3 * i + which) + cos(0.2 * j - which) * sin(0.25 * k + 1) + 0.1 * test_number(3, i, j, k);
}

static void fill(const LineBox *box, int which, double *field) {
    for (int k = 0; k < box->own.n3; k++)
        for (int j = 0; j < box->own.n2; j++)
            for (int i = 0; i < box->own.n1; i++)
                field[AT(box->own, i, j, k)] =
                    value(which, box->first[0] + i, box->first[1] + j, box->first[2] + k);
}

static Case begin(Exec exec, MPI_Comm comm, const int cut[3], LineAxis axis, bool periodic,
                  LineChoice choice) {
    const bool around[3] = {periodic, periodic, periodic};
    const CompactEnd end = periodic ? END_COAST : END_EVEN_HALF, other = periodic ? END_COAST : END_ODD_HALF;
    Case c;
    assert_int_equal(line_box_create(exec, comm, CELLS, cut, around, &c.box), STATUS_OK);
    assert_int_equal(line_layout_of_box(c.box, axis, &c.layout), STATUS_OK);
    const CompactScheme schemes[3] = {{COMPACT_FIRST, end, .spacing = 0.7},
                                      {COMPACT_FIRST, other, .spacing = 0.7},
                                      {COMPACT_SECOND, end, .spacing = 0.7}};
    LineOperator **op[3] = {&c.first, &c.flux, &c.second};
    for (int n = 0; n < 3; n++)
        assert_int_equal(compact_operator_create(c.layout, &schemes[n], NULL, &choice, op[n]), STATUS_OK);
    double **arrays[] = {&c.u, &c.w, &c.x, &c.spare[0], &c.spare[1], &c.spare[2]};
    for (int n = 0; n < 6; n++) *arrays[n] = lines_allocate(c.layout);
    double *field = line_box_field(c.box);
    fill(c.box, 0, field);
    lines_from_field(c.layout, field, c.u);
    exec_wait(exec);
    fill(c.box, 1, field);
    lines_from_field(c.layout, field, c.w);
    exec_wait(exec);
    memory_free(field);
    return c;
}

static void finish(Case *c) {
    double *arrays[] = {c->u, c->w, c->x, c->spare[0], c->spare[1], c->spare[2]};
    for (int n = 0; n < 6; n++) memory_free(arrays[n]);
    line_operator_destroy(&c->first);
    line_operator_destroy(&c->flux);
    line_operator_destroy(&c->second);
    line_layout_destroy(&c->layout);
    line_box_destroy(&c->box);
}

/* The field of the transport; its method and whether it was fused. */
static double *transported(Case *c, const double *w, double viscosity, bool *fused) {
    LineTransport *t = line_transport_create(
        c->layout, (LineTransportOf){c->first, c->flux, viscosity > 0 ? c->second : NULL, viscosity});
    double *field = line_box_field(c->box);
    for (int turn = 0; turn < 2; turn++) lines_transport(t, w, c->u, c->x);
    lines_to_field(c->layout, c->x, field);
    exec_wait(c->layout->exec);
    *fused = line_transport_is_fused(t);
    line_transport_destroy(&t);
    return field;
}

/* Largest difference of the own part from that of one process, over the largest number. */
static double difference(const Case *c, const double *field, const Case *one, const double *of_one) {
    double most[2] = {0, 0};
    const LineCells own = c->box->own, all = one->box->own;
    for (int k = 0; k < own.n3; k++)
        for (int j = 0; j < own.n2; j++)
            for (int i = 0; i < own.n1; i++) {
                const double right =
                    of_one[AT(all, c->box->first[0] + i, c->box->first[1] + j, c->box->first[2] + k)];
                most[0] = fmax(most[0], fabs(field[AT(own, i, j, k)] - right));
                most[1] = fmax(most[1], fabs(right));
            }
    MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most[0] / most[1];
}

static void one_process_for_comparison(LineAxis axis, bool periodic, double tolerance, Exec exec) {
    const int whole[3] = {1, 1, 1};
    Case one = begin((Exec){.device = DEVICE_CPU}, MPI_COMM_SELF, whole, axis, periodic, (LineChoice){0});
    Case c = begin(exec, MPI_COMM_WORLD, parts, axis, periodic, (LineChoice){.tolerance = tolerance});
    const bool cpu = exec.device == DEVICE_CPU, cut = parts[axis] > 1;
    for (int turn = 0; turn < 3; turn++) { /* u carries itself; something else; and viscosity */
        bool fused;
        double *right = transported(&one, turn == 0 ? one.u : one.w, turn == 2 ? 0.3 : 0, &fused);
        assert_true(fused);
        double *field = transported(&c, turn == 0 ? c.u : c.w, turn == 2 ? 0.3 : 0, &fused);
        assert_int_equal(fused, cpu && (!cut || tolerance > 0));
        /* a derivative's error is that of the tolerance, by the carrier's size and the spacing */
        const double found = difference(&c, field, &one, right);
        if (tolerance == 0)
            assert_true(found == 0);
        else
            assert_true(found <= 4 * tolerance);
        memory_free(field);
        memory_free(right);
    }
    if (cut && tolerance > 0) assert_int_equal(line_operator_method(c.first), LINES_DISTD2);
    finish(&c);
    finish(&one);
}

static void lines_of_a_box(void **state) {
    (void)state;
    for (LineAxis axis = LINES_X; axis <= LINES_Z; axis++)
        for (int periodic = 0; periodic < 2; periodic++) {
            one_process_for_comparison(axis, periodic, 0, (Exec){.device = DEVICE_CPU});
            one_process_for_comparison(axis, periodic, 1e-11, (Exec){.device = DEVICE_CPU});
        }
}

/* The bits of three solutions one by one. */
static void go_together(Exec exec, double tolerance) {
    Case c = begin(exec, MPI_COMM_WORLD, parts, LINES_Z, true, (LineChoice){.tolerance = tolerance});
    bool fused;
    double *field = transported(&c, c.w, 0.3, &fused), *right = line_box_field(c.box);
    for (ptrdiff_t m = 0; m < c.layout->size; m++) c.spare[0][m] = c.w[m] * c.u[m];
    lines_solve(c.first, c.u, c.x);
    lines_solve(c.flux, c.spare[0], c.spare[1]);
    lines_solve(c.second, c.u, c.spare[2]);
    exec_wait(exec);
    for (ptrdiff_t m = 0; m < c.layout->size; m++)
        c.x[m] = -0.5 * (c.w[m] * c.x[m] + c.spare[1][m]) + 0.3 * c.spare[2][m];
    lines_to_field(c.layout, c.x, right);
    exec_wait(exec);
    for (ptrdiff_t m = 0; m < c.box->own.plane * c.box->own.n3; m++) assert_true(field[m] == right[m]);
    memory_free(field);
    memory_free(right);
    finish(&c);
}

static void solutions_together(void **state) {
    (void)state;
    Exec emulator;
    assert_int_equal(exec_create("emu", 0, 5, &emulator), STATUS_OK);
    for (int n = 0; n < 2; n++) {
        go_together((Exec){.device = DEVICE_CPU}, n == 0 ? 0 : 1e-11);
        go_together(emulator, n == 0 ? 0 : 1e-11);
    }
    one_process_for_comparison(LINES_Y, true, 0, emulator);
    exec_destroy(&emulator);
}

static void refuses_other_cuts(void **state) {
    (void)state;
    const bool around[3] = {false};
    const int too_many[3] = {parts[0] + 1, parts[1], parts[2]};
    LineBox *box = NULL;
    assert_int_equal(
        line_box_create((Exec){.device = DEVICE_CPU}, MPI_COMM_WORLD, CELLS, too_many, around, &box),
        STATUS_BAD_INPUT);
    assert_null(box);
}

/* The whole equation against its exact solution, with lines that are exact and ones that are decoupled. */
static void transport_of_sixth_order(void **state) {
    (void)state;
    static const double tolerance[] = {0, 1e-12};
    const Exec exec = {.device = DEVICE_CPU};
    for (int n = 0; n < 2; n++) {
        TransportBox *coarse, *fine;
        assert_int_equal(transport_create(exec, MPI_COMM_WORLD, 16, parts, tolerance[n], false, &coarse),
                         STATUS_OK);
        assert_int_equal(transport_create(exec, MPI_COMM_WORLD, 24, parts, tolerance[n], n == 1, &fine),
                         STATUS_OK);
        const double errors[] = {transport_error(coarse, 0.5, 5), transport_error(fine, 0.5, 9)};
        const double order = log(errors[0] / errors[1]) / log(1.5);
        assert_true(errors[0] < 3.2e-5);
        assert_true(order > 6 && order < 6.2);
        transport_destroy(&coarse);
        transport_destroy(&fine);
    }
}

int main(int argc, char **argv) {
    int ranks;
    MPI_Init(&argc, &argv);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int a = 2, left = ranks; a >= 0; a--, left /= 2) parts[a] = left > 1 ? 2 : 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_of_a_box),
        cmocka_unit_test(solutions_together),
        cmocka_unit_test(refuses_other_cuts),
        cmocka_unit_test(transport_of_sixth_order),
    };
    return ranks_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
