/* SPDX-License-Identifier: Apache-2.0
 *
 * Which rank owns which cells: every cell has one owner, cuts along x are multiples of BLOCK, no part is
 * thinner than a halo, neighbours know each other, work is even, and what cannot be cut is refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/log.h"
#include "base/memory.h"
#include "gpu/kernel.h"
#include "numerics/grid/decomposition.h"
#include "tests/support/messages.h"
#include "tests/support/ranks.h"
#include <math.h>

enum { NX = 67, NY = 45, DEEPEST = 10 };

static int rank, ranks;

typedef double Weight(int i, int j);

static Status cut(int nx, int ny, Weight *weight, bool periodic, int ranks_x, int ranks_y, Decomposition *d) {
    double *work = ALLOCATE((size_t)nx * (size_t)ny, double);
    for (int j = 0; j < ny; j++)
        for (int i = 0; i < nx; i++) work[j * nx + i] = weight(i, j);
    const CutWishes wishes = {.ranks_x = ranks_x, .ranks_y = ranks_y};
    CutProblem problem = decomposition_problem(nx, ny, DEEPEST, work, &wishes);
    problem.periodic_x = problem.periodic_y = periodic;
    const Status status = decomposition_create(MPI_COMM_WORLD, &problem, &wishes, d);
    memory_free(work);
    return status;
}

static double even(int i, int j) {
    (void)i, (void)j;
    return 10;
}

/* A sea in the north-east, land elsewhere. */
static double corner(int i, int j) {
    return i > 33 && j > 20 ? 10 : 0;
}

static void check_cuts(int nx, Weight *weight, int ranks_x, int ranks_y) {
    Decomposition d;
    assert_int_equal(cut(nx, NY, weight, false, ranks_x, ranks_y, &d), STATUS_OK);
    assert_int_equal(decomposition_ranks(&d), ranks);
    assert_int_equal(d.first[d.rank_y] + d.rank_x, rank);
    const int *cut_x = decomposition_cut_x(&d, d.rank_y);
    assert_true(cut_x[0] == 0 && cut_x[d.ranks_x] == nx);
    assert_true(d.cut_y[0] == 0 && d.cut_y[d.ranks_y] == NY);
    for (int p = 0; p < d.ranks_x; p++) {
        assert_int_equal(cut_x[p] % BLOCK, 0);
        assert_true(cut_x[p + 1] - cut_x[p] >= HALO);
    }
    for (int q = 0; q < d.ranks_y; q++) assert_true(d.cut_y[q + 1] - d.cut_y[q] >= HALO);
    decomposition_release(&d);
}

static void every_cell_has_one_owner(void **state) {
    (void)state;
    check_cuts(NX, corner, 0, 0);
    for (int nx = 40; nx < 80; nx++) {
        check_cuts(nx, even, ranks, 1);
        check_cuts(nx, even, 1, ranks);
    }
}

static double work_of(const Decomposition *d, Weight *weight) {
    const int *x = decomposition_cut_x(d, d->rank_y) + d->rank_x;
    double sum = 0;
    for (int j = d->cut_y[d->rank_y]; j < d->cut_y[d->rank_y + 1]; j++)
        for (int i = x[0]; i < x[1]; i++) sum += weight(i, j);
    return sum;
}

/* The busiest rank has at most a fifth more than its share, though most of the grid is land: cuts are whole
 * blocks of 8 of the 33 columns. */
static void work_is_even_where_the_water_is(void **state) {
    (void)state;
    Weight *seas[] = {even, corner};
    for (int n = 0; n < 2; n++) {
        Decomposition d;
        assert_int_equal(cut(NX, NY, seas[n], false, 0, 0, &d), STATUS_OK);
        double own = work_of(&d, seas[n]), busiest, all;
        MPI_Allreduce(&own, &busiest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        MPI_Allreduce(&own, &all, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
        assert_true(all == (n == 0 ? 10.0 * NX * NY : 10.0 * 33 * 24));
        assert_true(busiest <= 1.2 * all / ranks);
        decomposition_release(&d);
    }
}

/* What a rank calls its eastern neighbour calls it its western one, and likewise along y. */
static void neighbours_know_each_other(void **state) {
    (void)state;
    for (int periodic = 0; periodic < 2; periodic++) {
        Decomposition d;
        assert_int_equal(cut(NX, NY, even, periodic, 0, 0, &d), STATUS_OK);
        const int opposite[4] = {1, 0, 3, 2};
        const int mine[4] = {d.west, d.east, d.south.count > 0 ? d.south.first : MPI_PROC_NULL,
                             d.north.count > 0 ? d.north.first : MPI_PROC_NULL};
        assert_true(d.straight && d.south.count <= 1 && d.north.count <= 1);
        int *all = ALLOCATE(4 * ranks, int);
        MPI_Allgather(mine, 4, MPI_INT, all, 4, MPI_INT, MPI_COMM_WORLD);
        for (int side = 0; side < 4; side++) {
            if (mine[side] == MPI_PROC_NULL) continue;
            assert_int_equal(all[4 * mine[side] + opposite[side]], rank);
        }
        assert_true((d.west == MPI_PROC_NULL) == (!periodic && d.rank_x == 0));
        assert_true((d.east == MPI_PROC_NULL) == (!periodic && d.rank_x == d.ranks_x - 1));
        assert_true((d.south.count == 0) == (!periodic && d.rank_y == 0));
        assert_true((d.north.count == 0) == (!periodic && d.rank_y == d.ranks_y - 1));
        memory_free(all);
        decomposition_release(&d);
    }
}

/* The first rank is twice as fast as each of the others: it gets two shares of a sea that is even. */
static void fast_ranks_get_more(void **state) {
    (void)state;
    enum { ROWS = 120 };
    double *work = ALLOCATE(NX * ROWS, double), speed[8] = {2, 1, 1, 1, 1, 1, 1, 1};
    for (int n = 0; n < NX * ROWS; n++) work[n] = 10;
    const CutWishes wishes = {.ranks_x = 1, .ranks_y = ranks, .speed = speed};
    CutProblem problem = decomposition_problem(NX, ROWS, 0, work, &wishes);
    Decomposition d;
    assert_int_equal(decomposition_create(MPI_COMM_WORLD, &problem, &wishes, &d), STATUS_OK);
    const double share = speed[rank] / (ranks + 1), own = work_of(&d, even) / (10.0 * NX * ROWS);
    assert_true(fabs(own - share) <= 1.0 / ROWS + 1e-3);
    decomposition_release(&d);
    memory_free(work);
}

static void a_shape_that_is_asked_for_is_made(void **state) {
    (void)state;
    for (int along_x = 0; along_x < 2; along_x++) {
        Decomposition d;
        assert_int_equal(cut(NX, NY, even, false, along_x ? ranks : 1, along_x ? 1 : ranks, &d), STATUS_OK);
        assert_true(d.ranks_x == (along_x ? ranks : 1) && d.ranks_y == (along_x ? 1 : ranks));
        decomposition_release(&d);
    }
}

static void what_cannot_be_cut_is_refused(void **state) {
    (void)state;
    Decomposition d;
    assert_int_equal(cut(NX, NY, even, false, ranks + 1, 1, &d), STATUS_BAD_INPUT);
    messages_expect("/solver/processes requests");
    const Status status = cut(5, HALO, even, false, 0, 0, &d); /* room for one rank */
    assert_int_equal(status, ranks == 1 ? STATUS_OK : STATUS_BAD_INPUT);
    if (ranks == 1)
        decomposition_release(&d);
    else
        messages_expect("use -n 1");
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_cell_has_one_owner),      cmocka_unit_test(work_is_even_where_the_water_is),
        cmocka_unit_test(neighbours_know_each_other),    cmocka_unit_test(a_shape_that_is_asked_for_is_made),
        cmocka_unit_test(what_cannot_be_cut_is_refused), cmocka_unit_test(fast_ranks_get_more),
    };
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    log_start(rank);
    return ranks_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
