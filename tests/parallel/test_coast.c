/* SPDX-License-Identifier: Apache-2.0
 *
 * Viscosity beside walls that cut faces: beside a straight wall, at any angle, the distance from it has no
 * curvature; nothing counts more than once; whole faces are as they are without; the same bits on
 * every decomposition.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "base/log.h"
#include "base/memory.h"
#include "model/momentum/coast.h"
#include "model/momentum/neighbours.h"
#include "tests/support/ranks.h"
#include <math.h>

enum { NX = 40, NY = 30 };

static int rank;

/* ---- ground from heights at the corners of cells: water where they are below 0 ---- */

typedef double (*Height)(double x, double y);

typedef struct Ground {
    double bed[NY * NX], wet[NY * NX], west[NY * (NX + 1)], south[(NY + 1) * NX];
    Shore shore_west[NY * (NX + 1)], shore_south[(NY + 1) * NX];
} Ground;

static Shore shore_between(double first, double second) {
    if (first >= 0 && second >= 0) return (Shore){0, 0};
    if (first < 0 && second < 0) return (Shore){0, 1};
    const double zero = first / (first - second);
    return first < 0 ? (Shore){0, zero} : (Shore){zero, 1};
}

/* Area of the water in a cell whose heights at the corners are these, counter-clockwise. */
static double wet_share(const double height[4]) {
    static const double at[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    double x[8], y[8], area = 0;
    int n = 0;
    for (int c = 0; c < 4; c++) {
        const int d = (c + 1) % 4;
        if (height[c] < 0) x[n] = at[c][0], y[n++] = at[c][1];
        if ((height[c] < 0) == (height[d] < 0)) continue;
        const double part = height[c] / (height[c] - height[d]);
        x[n] = at[c][0] + part * (at[d][0] - at[c][0]);
        y[n++] = at[c][1] + part * (at[d][1] - at[c][1]);
    }
    for (int a = 0; a < n; a++) area += 0.5 * (x[a] * y[(a + 1) % n] - x[(a + 1) % n] * y[a]);
    return area;
}

static Ground *make_ground(Height height) {
    Ground *g = ALLOCATE(1, Ground);
    for (int j = 0; j < NY; j++)
        for (int i = 0; i < NX; i++) {
            const double corner[4] = {height(i, j), height(i + 1, j), height(i + 1, j + 1), height(i, j + 1)};
            const double share = wet_share(corner);
            g->wet[j * NX + i] = share < 0.05 ? 0 : share;
            g->bed[j * NX + i] = share < 0.05 ? 10 : -10;
        }
    for (int j = 0; j <= NY; j++)
        for (int i = 0; i <= NX; i++) {
            const Shore up = shore_between(height(i, j), height(i, j + 1)),
                        right = shore_between(height(i, j), height(i + 1, j));
            const bool inside_x = i > 0 && i < NX && j<NY, inside_y = j> 0 && j < NY && i < NX;
            if (j < NY) {
                const bool wet = inside_x && g->wet[j * NX + i] > 0 && g->wet[j * NX + i - 1] > 0;
                g->shore_west[j * (NX + 1) + i] = up;
                g->west[j * (NX + 1) + i] = wet ? up.ends - up.begins : 0;
            }
            if (i < NX) {
                const bool wet = inside_y && g->wet[j * NX + i] > 0 && g->wet[(j - 1) * NX + i] > 0;
                g->shore_south[j * NX + i] = right;
                g->south[j * NX + i] = wet ? right.ends - right.begins : 0;
            }
        }
    return g;
}

static Grid *make_grid(MPI_Comm comm, Height height, double length) {
    static double interfaces[] = {-10, 0};
    const Axes axes = {.nx = NX, .ny = NY, .nz = 1, .step_x = length, .step_y = 1, .interfaces = interfaces};
    Ground *g = make_ground(height);
    const GridGround ground = {g->bed, g->wet, g->west, g->south, g->shore_west, g->shore_south, {NULL}};
    Grid *grid = NULL;
    assert_int_equal(grid_create(comm, &axes, &ground, NULL, &grid), STATUS_OK);
    memory_free(g);
    return grid;
}

/* ---- heights ---- */

static double angle, offset;

static double straight_wall(double x, double y) {
    return (x - 0.5 * NX) * cos(angle) + (y - 0.5 * NY) * sin(angle) - offset;
}

static double rugged(double x, double y) {
    return 0.3 + sin(0.9 * x + 0.4 * y + angle) * sin(0.7 * y - 0.35 * x) +
           0.8 * sin(1.9 * x - 0.3 * y + offset) - 0.5 * cos(1.3 * y + angle);
}

static double all_water(double x, double y) {
    (void)x, (void)y;
    return -1;
}

/* ---- what a velocity loses and gains ---- */

typedef struct FacesOf {
    const Grid *grid;
    double **coast;
    const double *begins, *ends;
    ptrdiff_t along, cross;
    RunList runs;
    bool along_x;
} FacesOf;

static FacesOf faces_of(const Grid *g, bool along_x, double **coast) {
    return along_x ? (FacesOf){g, coast, g->begins_u, g->ends_u, 1, g->row, g->faces_u, true}
                   : (FacesOf){g, coast, g->begins_v, g->ends_v, g->row, 1, g->faces_v, false};
}

static double share_of(const FacesOf *f, ptrdiff_t m, int side) {
    return f->coast[2 * side][m];
}

static double gain_of(const FacesOf *f, ptrdiff_t m, int side) {
    return f->coast[2 * side + 1][m];
}

static double height_in_the_middle(const FacesOf *f, ptrdiff_t m, int i, int j) {
    const double middle = 0.5 * (f->begins[m] + f->ends[m]);
    return f->along_x ? straight_wall(i, j + middle) : straight_wall(i + middle, j);
}

/* Over the squares of the spacings ahead and alongside. */
static double scale_of(const FacesOf *f, int side, double length) {
    return f->along_x == (side < LEFT) ? 1 / (length * length) : 1;
}

static double curvature(const FacesOf *f, int i, int j, double length) {
    const int step[SIDES][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
    const ptrdiff_t m = AT2(*f->grid, i, j);
    const double here = height_in_the_middle(f, m, i, j);
    double sum = 0;
    for (int side = 0; side < SIDES; side++) {
        const int i2 = i + step[side][f->along_x ? 0 : 1], j2 = j + step[side][f->along_x ? 1 : 0];
        const double gain = gain_of(f, m, side),
                     next = gain > 0 ? height_in_the_middle(f, AT2(*f->grid, i2, j2), i2, j2) : 0;
        sum += scale_of(f, side, length) * share_of(f, m, side) * (gain * next - here);
    }
    return sum;
}

/* Steep walls that a face's own line meets more than four faces away are not seen there. */
static void beside_a_straight_wall_the_distance_has_no_curvature(void **state) {
    (void)state;
    int faces = 0, off = 0;
    for (int n = 0; n < 96; n++) {
        const double length = n % 2 ? 1.0 : 0.7;
        angle = 0.065 * n;
        offset = 0.37 * sin(5.1 * n + 1);
        Grid *g = make_grid(MPI_COMM_SELF, straight_wall, length);
        for (int c = 0; c < 2; c++) {
            double **coast = coast_create(g, c == 0);
            const FacesOf f = faces_of(g, c == 0, coast);
            for (int r = 0; r < f.runs.count; r++)
                for (int i = f.runs.run[r].i0; i < f.runs.run[r].i1; i++) {
                    const int j = f.runs.run[r].j;
                    if (i < 4 || i > NX - 4 || j < 4 || j > NY - 4) continue;
                    const ptrdiff_t m = AT2(*g, i, j);
                    const double found = fabs(curvature(&f, i, j, length));
                    if (f.ends[m] - f.begins[m] < 0.05) continue;
                    assert_true(found < 0.3);
                    faces++;
                    off += found > 1e-8;
                }
            coast_destroy(g, &coast);
        }
        grid_destroy(&g);
    }
    assert_true(faces > 70000 && off < 0.001 * faces);
}

static void nothing_counts_more_than_once(void **state) {
    (void)state;
    for (int n = 0; n < 40; n++) {
        angle = 0.7 * n;
        offset = 1.3 * n;
        Grid *g = make_grid(MPI_COMM_SELF, rugged, (const double[]){1, 0.2, 5}[n % 3]);
        for (int c = 0; c < 2; c++) {
            double **coast = coast_create(g, c == 0);
            const FacesOf f = faces_of(g, c == 0, coast);
            for (int r = 0; r < f.runs.count; r++)
                for (int i = f.runs.run[r].i0; i < f.runs.run[r].i1; i++)
                    for (int s = 0; s < SIDES; s++) {
                        const ptrdiff_t m = AT2(*g, i, f.runs.run[r].j);
                        const double share = share_of(&f, m, s), gain = gain_of(&f, m, s);
                        assert_true(share >= 0 && share <= 800.001 && gain >= 0 && gain <= 1);
                        assert_true(s < LEFT || n % 3 != 0 || share > 0.1);
                    }
            coast_destroy(g, &coast);
        }
        grid_destroy(&g);
    }
}

static void ranks_agree(void **state) {
    (void)state;
    angle = 0.3, offset = 0.1;
    Grid *all = make_grid(MPI_COMM_SELF, rugged, 1), *g = make_grid(MPI_COMM_WORLD, rugged, 1);
    for (int c = 0; c < 2; c++) {
        double **whole = coast_create(all, c == 0), **part = coast_create(g, c == 0);
        const RunList runs = c == 0 ? g->faces_u : g->faces_v;
        for (int r = 0; r < runs.count; r++)
            for (int i = runs.run[r].i0; i < runs.run[r].i1; i++)
                for (int p = 0; p < 2 * SIDES; p++)
                    assert_true(part[p][AT2(*g, i, runs.run[r].j)] ==
                                whole[p][AT2(*all, g->i_first + i, g->j_first + runs.run[r].j)]);
        coast_destroy(all, &whole);
        coast_destroy(g, &part);
    }
    grid_destroy(&all);
    grid_destroy(&g);
}

static void whole_faces_need_none(void **state) {
    (void)state;
    Grid *g = make_grid(MPI_COMM_SELF, all_water, 1);
    assert_null(coast_create(g, true));
    grid_destroy(&g);
    angle = 0, offset = 0.3;
    g = make_grid(MPI_COMM_SELF, straight_wall, 1);
    double **coast = coast_create(g, true);
    const FacesOf f = faces_of(g, true, coast);
    for (int s = 0; s < SIDES; s++) {
        const ptrdiff_t m = AT2(*g, 8, 8), corner = AT2(*g, 1, NY - 1);
        assert_true(share_of(&f, m, s) == 1 && gain_of(&f, m, s) == 1);
        assert_true(share_of(&f, corner, s) == (s == LEFT ? 2 : 1));
        assert_true(gain_of(&f, corner, s) == (s == LEFT || s == BEHIND ? 0 : 1));
    }
    coast_destroy(g, &coast);
    grid_destroy(&g);
}

int main(int argc, char **argv) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(beside_a_straight_wall_the_distance_has_no_curvature),
        cmocka_unit_test(nothing_counts_more_than_once),
        cmocka_unit_test(ranks_agree),
        cmocka_unit_test(whole_faces_need_none),
    };
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    log_start(rank);
    return ranks_finish(cmocka_run_group_tests(tests, NULL, NULL));
}
