/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/systems.h"

#include "base/memory.h"
#include <math.h>
#include <stdlib.h>

static void must(Status status) {
    if (status == STATUS_OK) return;
    error_report(MPI_COMM_WORLD);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

double test_number(uint64_t seed, int i, int j, int k) {
    uint64_t x = seed * 0x9E3779B97F4A7C15u + ((uint64_t)(i + 1) << 42) + ((uint64_t)(j + 1) << 21) +
                 (uint64_t)(k + 1);
    for (int n = 0; n < 3; n++) {
        x ^= x >> 31;
        x *= 0xBF58476D1CE4E5B9u;
        x ^= x >> 29;
    }
    return (double)(x >> 11) * 0x1p-53;
}

static int wrapped(const SystemShape *s, int i) {
    return s->periodic_x ? (i + s->nx) % s->nx : i;
}

static bool wet(const SystemShape *s, int i, int j, int k) {
    if (i < 0 || i >= s->nx || j < 0 || j >= s->ny || k < 0 || k >= s->nz) return false;
    return k >= s->nz - s->levels(i, j);
}

/* The coupling in the equation of cell (i, j, k) towards direction d: west, south, lower, east, north, upper.
 */
static double coupling(const SystemShape *s, int i, int j, int k, int d) {
    static const int step[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const int axis = d % 3, sign = d < 3 ? -1 : 1;
    const int i2 = wrapped(s, i + sign * step[axis][0]), j2 = j + sign * step[axis][1],
              k2 = k + sign * step[axis][2];
    if (!wet(s, i, j, k) || !wet(s, i2, j2, k2)) return 0;
    /* the face is named by its upper cell */
    const int fi = d < 3 ? i : i2, fj = d < 3 ? j : j2, fk = d < 3 ? k : k2;
    double c = s->even ? 1 : 0.1 + test_number(s->seed + (uint64_t)axis, fi, fj, fk);
    if (axis == 2) c *= s->vertical > 0 ? s->vertical : 1;
    if (s->two_ways) {
        const double flow = s->flow * (2 * test_number(s->seed + 7 + (uint64_t)axis, fi, fj, fk) - 1);
        c += fmax(0, d < 3 ? flow : -flow); /* upwind */
    }
    return c;
}

static double against(const SystemShape *s, int i, int j, int k, int d) {
    static const int step[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const int axis = d % 3, sign = d < 3 ? -1 : 1;
    return coupling(s, wrapped(s, i + sign * step[axis][0]), j + sign * step[axis][1],
                    k + sign * step[axis][2], (d + 3) % 6);
}

static void fill(TestSystem *t) {
    const Grid *g = t->grid;
    const SystemShape *s = &t->shape;
    for (int k = 0; k < (s->flat ? 1 : g->n3); k++)
        for (int j = 0; j < g->n2 + 1; j++)
            for (int i = 0; i < g->n1 + 1; i++) {
                const int gi = wrapped(s, g->i_first + i), gj = g->j_first + j, gk = s->flat ? s->nz - 1 : k;
                const ptrdiff_t m = AT(*g, i, j, k);
                double row = 0, column = 0;
                for (int d = 0; d < 6; d++) {
                    if (s->flat && d % 3 == 2) continue;
                    const double c = coupling(s, gi, gj, gk, d);
                    if (t->side[d]) t->side[d][m] = c;
                    row += c;
                    column += against(s, gi, gj, gk, d);
                }
                if (i == g->n1 || j == g->n2 || !wet(s, gi, gj, gk)) continue;
                t->centre[m] = fmax(row, column) +
                               s->excess * (s->even ? 1 : 0.5 + test_number(s->seed + 20, gi, gj, gk));
                t->rhs[m] = test_number(s->seed + 21, gi, gj, gk) - 0.5;
            }
}

double *test_field_create(const TestSystem *t) {
    return t->shape.flat ? field2_create(t->grid) : field3_create(t->grid);
}

void test_field_destroy(const TestSystem *t, double **field) {
    if (t->shape.flat)
        field2_destroy(t->grid, field);
    else
        field3_destroy(t->grid, field);
}

static Grid *make_grid(MPI_Comm comm, const SystemShape *s, int ranks_x, int ranks_y) {
    const size_t cells = (size_t)s->nx * s->ny;
    double *bed = ALLOCATE(cells, double), *area = ALLOCATE(cells, double);
    double *west = ALLOCATE((s->nx + 1) * s->ny, double), *south = ALLOCATE(s->nx * (s->ny + 1), double);
    double *interfaces = ALLOCATE(s->nz + 1, double);
    for (int k = 0; k <= s->nz; k++) interfaces[k] = k - s->nz;
    for (int j = 0; j < s->ny; j++)
        for (int i = 0; i < s->nx; i++) {
            const int levels = s->levels(i, j);
            bed[j * s->nx + i] = levels > 0 ? -levels : 10;
            area[j * s->nx + i] = levels > 0;
        }
    for (int j = 0; j < s->ny; j++)
        for (int i = 0; i <= s->nx; i++) {
            const int a = wrapped(s, i - 1), b = wrapped(s, i);
            west[j * (s->nx + 1) + i] = a >= 0 && b < s->nx && s->levels(a, j) > 0 && s->levels(b, j) > 0;
        }
    for (int j = 1; j < s->ny; j++)
        for (int i = 0; i < s->nx; i++) south[j * s->nx + i] = s->levels(i, j) > 0 && s->levels(i, j - 1) > 0;
    const Axes axes = {.nx = s->nx,
                       .ny = s->ny,
                       .nz = s->nz,
                       .step_x = 1,
                       .step_y = 1,
                       .periodic_x = s->periodic_x,
                       .interfaces = interfaces};
    const GridGround ground = {.bed = bed, .wet_area = area, .open_west = west, .open_south = south};
    const CutWishes wishes = {.ranks_x = ranks_x,
                              .ranks_y = ranks_y,
                              .kind = s->cuts,
                              .patch = s->patch,
                              .speed = s->speed,
                              .strips = s->strips,
                              .n_strips = s->n_strips};
    Grid *grid = NULL;
    must(grid_create(comm, &axes, &ground, &wishes, &grid));
    memory_free(bed);
    memory_free(area);
    memory_free(west);
    memory_free(south);
    memory_free(interfaces);
    return grid;
}

TestSystem *test_system_create(MPI_Comm comm, const SystemShape *shape, int ranks_x, int ranks_y) {
    TestSystem *t = ALLOCATE(1, TestSystem);
    t->shape = *shape;
    t->grid = make_grid(comm, shape, ranks_x, ranks_y);
    t->centre = test_field_create(t);
    t->rhs = test_field_create(t);
    t->x = test_field_create(t);
    for (int d = 0; d < (shape->two_ways ? 6 : 3); d++)
        if (!shape->flat || d % 3 != 2) t->side[d] = test_field_create(t);
    fill(t);
    t->stencil = (Stencil){grid_view(t->grid), t->centre,  t->side[0], t->side[1],
                           t->side[2],         t->side[3], t->side[4], t->side[5]};
    return t;
}

void test_system_destroy(TestSystem **system) {
    TestSystem *t = *system;
    test_field_destroy(t, &t->centre);
    test_field_destroy(t, &t->rhs);
    test_field_destroy(t, &t->x);
    for (int d = 0; d < 6; d++) test_field_destroy(t, &t->side[d]);
    grid_destroy(&t->grid);
    memory_free(t);
    *system = NULL;
}

/* ---- by elimination ---- */

static RunList runs_of(const TestSystem *t) {
    return t->shape.flat ? t->grid->columns : t->grid->cells;
}

static void eliminate(int n, double *a, double *b) {
    for (int c = 0; c < n; c++) {
        int pivot = c;
        for (int r = c + 1; r < n; r++)
            if (fabs(a[r * n + c]) > fabs(a[pivot * n + c])) pivot = r;
        for (int d = 0; d < n; d++) {
            const double keep = a[c * n + d];
            a[c * n + d] = a[pivot * n + d];
            a[pivot * n + d] = keep;
        }
        const double keep = b[c];
        b[c] = b[pivot];
        b[pivot] = keep;
        for (int r = c + 1; r < n; r++) {
            const double factor = a[r * n + c] / a[c * n + c];
            if (factor == 0) continue;
            for (int d = c; d < n; d++) a[r * n + d] -= factor * a[c * n + d];
            b[r] -= factor * b[c];
        }
    }
    for (int c = n - 1; c >= 0; c--) {
        for (int d = c + 1; d < n; d++) b[c] -= a[c * n + d] * b[d];
        b[c] /= a[c * n + c];
    }
}

int test_system_matrix(const TestSystem *t, double **matrix, double **rhs, double **number) {
    const Grid *g = t->grid;
    const RunList runs = runs_of(t);
    const int n = (int)runs.elements;
    double *a = ALLOCATE((size_t)n * n, double), *b = ALLOCATE(n, double);
    int count = 0;
    *number = test_field_create(t);
    for (int r = 0; r < runs.count; r++)
        for (int i = runs.run[r].i0; i < runs.run[r].i1; i++)
            (*number)[AT(*g, i, runs.run[r].j, runs.run[r].k)] = count++;
    for (int r = 0; r < runs.count; r++)
        for (int i = runs.run[r].i0; i < runs.run[r].i1; i++) {
            const int j = runs.run[r].j, k = runs.run[r].k, gk = t->shape.flat ? t->shape.nz - 1 : k;
            const ptrdiff_t m = AT(*g, i, j, k);
            const int row = (int)(*number)[m];
            a[(size_t)row * n + row] = t->centre[m];
            b[row] = t->rhs[m];
            for (int d = 0; d < 6; d++) {
                const double c = t->shape.flat && d % 3 == 2 ? 0 : coupling(&t->shape, i, j, gk, d);
                if (c == 0) continue;
                const int along = d < 3 ? -1 : 1;
                const int i2 = wrapped(&t->shape, i + (d % 3 == 0) * along);
                const ptrdiff_t m2 = AT(*g, i2, j + (d % 3 == 1) * along, k + (d % 3 == 2) * along);
                a[(size_t)row * n + (int)(*number)[m2]] -= c;
            }
        }
    *matrix = a;
    *rhs = b;
    return n;
}

double *test_system_solution(const TestSystem *t) {
    double *a, *b, *number, *solution = test_field_create(t);
    const int n = test_system_matrix(t, &a, &b, &number);
    const RunList runs = runs_of(t);
    eliminate(n, a, b);
    for (int r = 0; r < runs.count; r++)
        for (int i = runs.run[r].i0; i < runs.run[r].i1; i++) {
            const ptrdiff_t m = AT(*t->grid, i, runs.run[r].j, runs.run[r].k);
            solution[m] = b[(int)number[m]];
        }
    test_field_destroy(t, &number);
    memory_free(a);
    memory_free(b);
    return solution;
}

double test_difference(const TestSystem *t, const double *a, const double *b) {
    const RunList runs = runs_of(t);
    double most = 0, scale = 0;
    for (int r = 0; r < runs.count; r++)
        for (int i = runs.run[r].i0; i < runs.run[r].i1; i++) {
            const ptrdiff_t m = AT(*t->grid, i, runs.run[r].j, runs.run[r].k);
            most = fmax(most, fabs(a[m] - b[m]));
            if (!isfinite(a[m])) return INFINITY;
            scale = fmax(scale, fabs(b[m]));
        }
    return most / scale;
}
