/* SPDX-License-Identifier: Apache-2.0
 *
 * The Coriolis term does no work: over partial bottom cells, with faces that are open in part, films on land,
 * f that varies, on the plane and on the sphere. At the middle of the step it solves the equation for it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/log.h"
#include "model/momentum/coriolis.h"
#include "model/momentum/rotation.h"
#include "tests/support/ranks.h"
#include "tests/support/small_sea.h"
#include <math.h>

static Faces faces_of(const SmallSea *sea, bool is_u) {
    const Grid *g = sea->grid;
    const State *s = sea->state;
    return (Faces){.along = is_u ? 1 : g->row,
                   .cross = is_u ? g->row : 1,
                   .turn = is_u ? 1 : -1,
                   .f = g->f,
                   .spacing = is_u ? g->dx_c : g->dy_c,
                   .width = is_u ? g->width_u : g->width_v,
                   .given = is_u ? g->given_u : g->given_v,
                   .bottom = is_u ? g->bottom_u : g->bottom_v,
                   .phi = is_u ? g->phi_u : g->phi_v,
                   .depth = is_u ? s->depth_u : s->depth_v,
                   .velocity = is_u ? s->u : s->v};
}

static SmallSea turning_sea(bool spherical, bool periodic) {
    SmallSea sea = small_sea_create(MPI_COMM_WORLD, "[]", ".", spherical, periodic);
    for (int j = -HALO; j < sea.grid->n2 + HALO; j++) sea.grid->f[j] = 1e-4 + 3e-6 * (sea.grid->j_first + j);
    return sea;
}

/* Sums of what the term does to each component, and of its size. */
typedef struct Work {
    double net, gross;
} Work;

static void add_work(const Momentum *a, BlockList blocks, Work *work) {
    const GridView *g = &a->g;
    const Faces *f = &a->faces;
    for (int b = 0; b < blocks.count; b++) {
        const Block block = blocks.block[b];
        const ptrdiff_t first = AT2(*g, block.i0, block.j);
        Turning turning;
        double acceleration[LANES];
        turning_begin(a, first, block.j, &turning);
        for (int k = 0; k < g->n3; k++) {
            const Place at = {.first = first, .layer = first + k * g->plane, .j = block.j, .k = k};
            f_cross_u(a, &at, &turning, acceleration);
            for (int l = 0; l < LANES; l++) {
                const int i = block.i0 + l;
                const ptrdiff_t m = first + l;
                if (i < 0 || i >= g->n1 || block.j >= g->n2) continue;
                const double volume = f->width[m] * f->spacing[block.j] * f->depth[m] * f->phi[at.layer + l];
                const double power = volume * f->velocity[at.layer + l] * acceleration[l];
                work->net += power;
                work->gross += fabs(power);
            }
        }
    }
}

static void check_no_work(bool spherical, bool periodic) {
    SmallSea sea = turning_sea(spherical, periodic);
    const Faces u = faces_of(&sea, true), v = faces_of(&sea, false);
    const GridView view = grid_view(sea.grid);
    Work work = {0, 0};
    add_work(&(Momentum){.g = view, .faces = u, .other = v, .curved = spherical}, sea.grid->blocks_u, &work);
    add_work(&(Momentum){.g = view, .faces = v, .other = u, .curved = spherical}, sea.grid->blocks_v, &work);
    MPI_Allreduce(MPI_IN_PLACE, &work, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    assert_true(work.gross > 0);
    assert_true(fabs(work.net) < 1e-13 * work.gross);
    small_sea_destroy(&sea);
}

static void test_no_work(void **state) {
    (void)state;
    check_no_work(false, false);
    check_no_work(false, true);
    check_no_work(true, false);
}

static void make_result(const Grid *g, Faces *f) {
    f->predicted = field3_create(g);
    f->theta = field2_create(g);
    f->flux_predicted = field2_create(g);
}

static void destroy_result(const Grid *g, Faces *f) {
    field3_destroy(g, &f->predicted);
    field2_destroy(g, &f->theta);
    field2_destroy(g, &f->flux_predicted);
}

/* Squares of x - dt/2 C x - b and of b, by volume; the changes x of both components stand as velocities. */
static void add_residual(const Momentum *a, BlockList blocks, const double *before, double dt,
                         double sums[2]) {
    const GridView *g = &a->g;
    const Faces *f = &a->faces;
    for (int n = 0; n < blocks.count; n++) {
        const Block block = blocks.block[n];
        const ptrdiff_t first = AT2(*g, block.i0, block.j);
        Turning turning;
        double acceleration[LANES];
        turning_begin(a, first, block.j, &turning);
        for (int k = 0; k < g->n3; k++) {
            const Place at = {.first = first, .layer = first + k * g->plane, .j = block.j, .k = k};
            f_cross_u(a, &at, &turning, acceleration);
            for (int l = 0; l < LANES; l++) {
                const int i = block.i0 + l;
                const ptrdiff_t m = first + l, mk = at.layer + l;
                if (i < 0 || i >= g->n1 || block.j >= g->n2) continue;
                const double volume = f->width[m] * f->spacing[block.j] * f->depth[m] * f->phi[mk];
                const double off = f->velocity[mk] - 0.5 * dt * acceleration[l] - before[mk];
                sums[0] += volume * off * off;
                sums[1] += volume * before[mk] * before[mk];
            }
        }
    }
}

/* A change of the velocity that has nothing to do with it. */
static double change_at(double velocity) {
    return sin(1e3 * velocity);
}

static void check_centred(double f_dt, double most) {
    SmallSea sea = turning_sea(false, true);
    const Grid *g = sea.grid;
    const double dt = f_dt / (1e-4 + 3e-6 * (SMALL_SEA_NY - 1));
    Halo *halo = NULL;
    Faces faces[2] = {faces_of(&sea, true), faces_of(&sea, false)};
    double *before[2], sums[2] = {0, 0};
    assert_int_equal(halo_create(g, 4 * g->n3, &halo), STATUS_OK);
    Rotation *rotation = rotation_create(g, dt);
    for (int c = 0; c < 2; c++) {
        make_result(g, &faces[c]);
        before[c] = field3_create(g);
        for (ptrdiff_t m = -g->origin3; m < g->size3 - g->origin3; m++) {
            before[c][m] = change_at(faces[c].velocity[m]);
            faces[c].predicted[m] = faces[c].velocity[m] + before[c][m];
        }
    }
    Momentum u = {.g = grid_view(g), .faces = faces[0], .other = faces[1], .dt = dt},
             v = {.g = grid_view(g), .faces = faces[1], .other = faces[0], .dt = dt};
    rotation_centre(rotation, g->exec, halo, u, v);
    for (int c = 0; c < 2; c++)
        for (ptrdiff_t m = -g->origin3; m < g->size3 - g->origin3; m++)
            faces[c].velocity[m] = faces[c].predicted[m] - faces[c].velocity[m];
    halo_exchange(halo, 0, NULL, 2, (double *[]){faces[0].velocity, faces[1].velocity});
    add_residual(&u, g->blocks_u, before[0], dt, sums);
    add_residual(&v, g->blocks_v, before[1], dt, sums);
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    assert_true(sums[1] > 0);
    assert_true(sqrt(sums[0] / sums[1]) < most);
    for (int c = 0; c < 2; c++) {
        destroy_result(g, &faces[c]);
        field3_destroy(g, &before[c]);
    }
    rotation_destroy(&rotation);
    halo_destroy(&halo);
    small_sea_destroy(&sea);
}

/* (1 - dt/2 C) x = b, with one sweep and with several. */
static void test_centred(void **state) {
    (void)state;
    check_centred(0.02, 1e-4);
    check_centred(0.06, 9e-4);
    check_centred(0.1, 2.5e-4);
    check_centred(1.0, 2.5e-4);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_work), cmocka_unit_test(test_centred)};
    int rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    log_start(rank);
    return ranks_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
