/* SPDX-License-Identifier: Apache-2.0
 *
 * Skew-symmetric transport of momentum: sixth order on a flow of Taylor's and Green's kind in a box that is
 * periodic along x and closed along y and z, no change of energy for any flow, the same bits on any ranks;
 * compact operators around land give what they give on each segment alone.
 *
 * ctest: ranks 1 2 3 4 6
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "numerics/lines/compact_operator.h"
#include "numerics/lines/momentum_transport.h"
#include "tests/support/dense.h"
#include "tests/support/ranks.h"
#include "tests/support/systems.h"

#define PI        3.14159265358979323846
#define VISCOSITY 0.3

static int depth;
static int basin(int i, int j) {
    (void)i, (void)j;
    return depth;
}

/* A box of 2 pi (periodic), pi and pi with n cells on pi. */
typedef struct Box {
    int n;
    TestSystem *system;
    const Grid *grid;
    MomentumTransport *transport;
    double *velocity[3], *tendency[3];
} Box;

static Box box_create(MPI_Comm comm, int n, double viscosity, double tolerance) {
    depth = n;
    const SystemShape shape = {.nx = 2 * n, .ny = n, .nz = n, .levels = basin, .periodic_x = true, .seed = 1};
    Box b = {.n = n, .system = test_system_create(comm, &shape, 0, 0)};
    const double h = PI / n;
    const MomentumTransportOptions options = {{h, h, h}, viscosity, {.tolerance = tolerance}};
    b.grid = b.system->grid;
    assert_int_equal(momentum_transport_create(b.grid, &options, &b.transport), STATUS_OK);
    for (int i = 0; i < 3; i++) {
        b.velocity[i] = field3_create(b.grid);
        b.tendency[i] = field3_create(b.grid);
    }
    return b;
}

static void box_destroy(Box *b) {
    momentum_transport_destroy(&b->transport);
    for (int i = 0; i < 3; i++) {
        field3_destroy(b->grid, &b->velocity[i]);
        field3_destroy(b->grid, &b->tendency[i]);
    }
    test_system_destroy(&b->system);
}

/* (sin x cos y cos z, cos x sin y cos z, -2 cos x cos y sin z): no divergence, and what the walls mirror;
 * with its transport. */
static void vortices(double x, double y, double z, double flow[3], double transport[3]) {
    const double c[3] = {cos(x), cos(y), cos(z)}, s[3] = {sin(x), sin(y), sin(z)}, strength[3] = {1, 1, -2};
    for (int i = 0; i < 3; i++) {
        flow[i] = strength[i];
        for (int j = 0; j < 3; j++) flow[i] *= i == j ? s[j] : c[j];
    }
    for (int i = 0; i < 3; i++) {
        double advection = 0;
        for (int j = 0; j < 3; j++) {
            double slope = strength[i]; /* of component i along j */
            for (int m = 0; m < 3; m++) slope *= m == j ? (i == j ? c[m] : -s[m]) : (m == i ? s[m] : c[m]);
            advection += flow[j] * slope;
        }
        transport[i] = -advection - 3 * VISCOSITY * flow[i];
    }
}

#define FOR_CELLS(b, i, j, k)                                                                                \
    for (int k = 0; k < (b).grid->n3; k++)                                                                   \
        for (int j = 0; j < (b).grid->n2; j++)                                                               \
            for (int i = 0; i < (b).grid->n1; i++)

/* Largest error of the tendency. */
static double error_of(int n, double tolerance) {
    Box b = box_create(MPI_COMM_WORLD, n, VISCOSITY, tolerance);
    const double h = PI / n;
    double flow[3], exact[3], most = 0;
    for (int pass = 0; pass < 2; pass++) {
        FOR_CELLS (b, i, j, k) {
            vortices((b.grid->i_first + i + 0.5) * h, (b.grid->j_first + j + 0.5) * h, (k + 0.5) * h, flow,
                     exact);
            const ptrdiff_t m = AT(*b.grid, i, j, k);
            for (int c = 0; c < 3; c++) {
                if (pass == 0) b.velocity[c][m] = flow[c];
                most = fmax(most, pass == 0 ? 0 : fabs(b.tendency[c][m] - exact[c]));
            }
        }
        if (pass == 0) momentum_transport_add(b.transport, b.velocity, b.tendency);
    }
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    box_destroy(&b);
    return most;
}

static void sixth_order(void **state) {
    (void)state;
    const double coarse = error_of(12, 0), fine = error_of(24, 0), order = log2(coarse / fine);
    print_message("errors %.3e, %.3e: order %.2f\n", coarse, fine, order);
    assert_true(fabs(order - 6) < 0.2);
    assert_true(fabs(error_of(24, 1e-9) - fine) < 1e-7); /* whatever method the tolerance allows */
}

/* Taylor's and Green's vortices, (sin x cos y, -cos x sin y, 0) exp(-2 nu t), solve the whole equations with
 * the pressure (cos 2x + cos 2y)/4 exp(-4 nu t); `push` is its force. */
static void decaying_vortices(double x, double y, double time, double flow[3], double push[3]) {
    const double left = exp(-2 * VISCOSITY * time);
    flow[0] = left * sin(x) * cos(y);
    flow[1] = -left * cos(x) * sin(y);
    push[0] = 0.5 * left * left * sin(2 * x);
    push[1] = 0.5 * left * left * sin(2 * y);
    flow[2] = push[2] = 0;
}

enum { STAGES = 4 };

/* One stage of the classical Runge-Kutta scheme: `sum` gathers the step, `old` is its beginning. */
static void stage_of(Box *b, int stage, double time, double dt, double *const old[3], double *const sum[3]) {
    static const double share[STAGES + 1] = {0, 0.5, 0.5, 1, 0}, weight[STAGES] = {1, 2, 2, 1};
    const double h = PI / b->n;
    double flow[3], push[3];
    momentum_transport_add(b->transport, b->velocity, b->tendency);
    FOR_CELLS (*b, i, j, k) {
        const ptrdiff_t m = AT(*b->grid, i, j, k);
        decaying_vortices((b->grid->i_first + i + 0.5) * h, (b->grid->j_first + j + 0.5) * h,
                          time + share[stage] * dt, flow, push);
        for (int c = 0; c < 3; c++) {
            const double rate = b->tendency[c][m] + push[c];
            if (stage == 0) old[c][m] = sum[c][m] = b->velocity[c][m];
            sum[c][m] += dt / 6 * weight[stage] * rate;
            b->velocity[c][m] = stage == STAGES - 1 ? sum[c][m] : old[c][m] + dt * share[stage + 1] * rate;
            b->tendency[c][m] = 0;
        }
    }
}

/* Largest error after a time of 1. */
static double decay_error(int n, int steps) {
    Box b = box_create(MPI_COMM_WORLD, n, VISCOSITY, 0);
    const double h = PI / n;
    double *old[3], *sum[3], flow[3], push[3], most = 0;
    for (int c = 0; c < 3; c++) old[c] = field3_create(b.grid), sum[c] = field3_create(b.grid);
    for (int end = 0; end < 2; end++) {
        FOR_CELLS (b, i, j, k) {
            decaying_vortices((b.grid->i_first + i + 0.5) * h, (b.grid->j_first + j + 0.5) * h, end, flow,
                              push);
            for (int c = 0; c < 3; c++) {
                double *velocity = &b.velocity[c][AT(*b.grid, i, j, k)];
                const double error = fabs(*velocity - flow[c]);
                if (end && !(error <= most)) most = error; /* nor if it is not a number */
                if (!end) *velocity = flow[c];
            }
        }
        for (int step = 0; step < steps && !end; step++)
            for (int stage = 0; stage < STAGES; stage++)
                stage_of(&b, stage, (double)step / steps, 1.0 / steps, old, sum);
    }
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    for (int c = 0; c < 3; c++) {
        field3_destroy(b.grid, &old[c]);
        field3_destroy(b.grid, &sum[c]);
    }
    box_destroy(&b);
    return most;
}

static void vortices_decay_with_sixth_order(void **state) {
    (void)state;
    const double coarse = decay_error(9, 80), fine = decay_error(18, 80), order = log2(coarse / fine);
    print_message("after a time of 1: errors %.3e, %.3e: order %.2f\n", coarse, fine, order);
    assert_true(fabs(order - 6) < 0.3);
}

static void set_any_flow(Box *b) {
    FOR_CELLS (*b, i, j, k)
        for (int c = 0; c < 3; c++)
            b->velocity[c][AT(*b->grid, i, j, k)] =
                test_number(3 + (uint64_t)c, b->grid->i_first + i, b->grid->j_first + j, k) - 0.3;
}

/* The flow's power, against the power of its single terms: round-off, however the flow is. */
static void energy_stays(void **state) {
    (void)state;
    Box b = box_create(MPI_COMM_WORLD, 16, 0, 0);
    set_any_flow(&b);
    momentum_transport_add(b.transport, b.velocity, b.tendency);
    double power[2] = {0};
    FOR_CELLS (b, i, j, k)
        for (int c = 0; c < 3; c++) {
            const ptrdiff_t m = AT(*b.grid, i, j, k);
            power[0] += b.velocity[c][m] * b.tendency[c][m];
            power[1] += fabs(b.velocity[c][m] * b.tendency[c][m]);
        }
    MPI_Allreduce(MPI_IN_PLACE, power, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    print_message("power %.1e of %.1e\n", power[0], power[1]);
    assert_true(power[1] > 1000);
    assert_true(fabs(power[0]) < 1e-14 * power[1]);
    box_destroy(&b);
}

static void viscosity_only_takes_energy(void **state) {
    (void)state;
    Box b = box_create(MPI_COMM_WORLD, 16, VISCOSITY, 0);
    set_any_flow(&b);
    momentum_transport_add(b.transport, b.velocity, b.tendency);
    double power = 0;
    FOR_CELLS (b, i, j, k)
        for (int c = 0; c < 3; c++)
            power += b.velocity[c][AT(*b.grid, i, j, k)] * b.tendency[c][AT(*b.grid, i, j, k)];
    MPI_Allreduce(MPI_IN_PLACE, &power, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    assert_true(power < 0);
    box_destroy(&b);
}

static void the_same_bits_on_any_ranks(void **state) {
    (void)state;
    Box b = box_create(MPI_COMM_WORLD, 16, VISCOSITY, 0), alone = box_create(MPI_COMM_SELF, 16, VISCOSITY, 0);
    set_any_flow(&b);
    set_any_flow(&alone);
    momentum_transport_add(b.transport, b.velocity, b.tendency);
    momentum_transport_add(alone.transport, alone.velocity, alone.tendency);
    FOR_CELLS (b, i, j, k)
        for (int c = 0; c < 3; c++)
            assert_true(b.tendency[c][AT(*b.grid, i, j, k)] ==
                        alone.tendency[c][AT(*alone.grid, b.grid->i_first + i, b.grid->j_first + j, k)]);
    box_destroy(&b);
    box_destroy(&alone);
}

/* ---- around land ---- */

enum { NX = 61, NY = 29, NZ = 3 };

static int sea(int i, int j) {
    if (i > 30 && i < 40 && j > 12 && j < 26) return 0;
    return (int)(6 * test_number(9, i / 3, j / 2, 0)) % (NZ + 1);
}

/* What a point of the sea is: some of the water is treated in another way. */
static CompactPoint point_of(int i, int j, int k) {
    if (k < NZ - sea(i, j)) return POINT_LAND;
    return test_number(4, i / 5, j / 5, k) < 0.2 ? POINT_APART : POINT_WET;
}

static double value_of(int i, int j, int k) {
    return test_number(5, i, j, k) - 0.5;
}

/* Along x or y, every kind of operator, against the dense operator of each line. */
static void operators_around_land(bool along_x, const CompactScheme *scheme) {
    const SystemShape shape = {.nx = NX, .ny = NY, .nz = NZ, .levels = sea, .periodic_x = true, .seed = 1};
    static double matrix[NX * NX], f[NX], exact[NX];
    TestSystem *t = test_system_create(MPI_COMM_WORLD, &shape, 0, 0);
    const Grid *g = t->grid;
    LineLayout *layout = NULL;
    LineOperator *op = NULL;
    assert_int_equal(line_layout_of_grid(g, along_x ? LINES_X : LINES_Y, &layout), STATUS_OK);
    double *u = lines_allocate(layout), *x = lines_allocate(layout), *field = field3_create(g);
    unsigned char *points = ALLOCATE(layout->size + 1, unsigned char);
    for (int group = 0; group < layout->groups; group++)
        for (int lane = 0; lane < layout->lanes; lane++)
            for (int row = 0, i, j, k; row < layout->n; row++)
                if (line_cell(layout, lane, row, group, &i, &j, &k)) {
                    const ptrdiff_t m = LINE_AT(*layout, lane, row, group);
                    points[m] = (unsigned char)point_of(g->i_first + i, g->j_first + j, k);
                    u[m] = value_of(g->i_first + i, g->j_first + j, k);
                }
    assert_int_equal(compact_operator_create(layout, scheme, points, &(LineChoice){0}, &op), STATUS_OK);
    lines_solve(op, u, x);
    lines_to_field(layout, x, field);
    const int n = along_x ? NX : NY;
    CompactRow rows[NX];
    unsigned char line[NX];
    for (int k = 0; k < NZ; k++)
        for (int across = 0; across < (along_x ? g->n2 : g->n1); across++) {
            for (int m = 0; m < n; m++) {
                const int i = along_x ? m : g->i_first + across, j = along_x ? g->j_first + across : m;
                line[m] = (unsigned char)point_of(i, j, k);
                f[m] = value_of(i, j, k);
            }
            compact_rows(scheme, n, line, along_x, rows);
            dense_operator(n, rows, matrix);
            dense_apply(n, matrix, f, exact);
            for (int m = 0; m < (along_x ? g->n1 : g->n2); m++) {
                const int i = along_x ? m : across, j = along_x ? across : m;
                const double expected = exact[m + (along_x ? g->i_first : g->j_first)];
                assert_true(fabs(field[AT(*g, i, j, k)] - expected) < 1e-12);
            }
        }
    memory_free(u);
    memory_free(x);
    memory_free(points);
    field3_destroy(g, &field);
    line_operator_destroy(&op);
    line_layout_destroy(&layout);
    test_system_destroy(&t);
}

static void every_operator_around_land(void **state) {
    (void)state;
    for (int along_x = 0; along_x < 2; along_x++)
        for (CompactOperator kind = COMPACT_FIRST; kind <= COMPACT_FILTER; kind++)
            for (CompactEnd end = END_COAST; end <= END_ODD_WALL; end++) {
                if (kind == COMPACT_MIDPOINT && end > END_ODD_HALF) continue;
                operators_around_land(along_x, &(CompactScheme){kind, end, 0.5, 0.4});
            }
}

int main(int argc, char **argv) {
    MPI_Init(&argc, &argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sixth_order),
        cmocka_unit_test(vortices_decay_with_sixth_order),
        cmocka_unit_test(energy_stays),
        cmocka_unit_test(viscosity_only_takes_energy),
        cmocka_unit_test(the_same_bits_on_any_ranks),
        cmocka_unit_test(every_operator_around_land),
    };
    return ranks_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
