/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/line_systems.h"

#include "base/memory.h"
#include "gpu/device.h"
#include "tests/support/systems.h"
#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

static int wrap(const LineShape *s, int row) {
    return s->periodic ? ((row % s->rows) + s->rows) % s->rows : row;
}

static bool is_row(const LineShape *s, int row) {
    return s->periodic || (row >= 0 && row < s->rows);
}

static bool is_land(const LineShape *s, int line, int row) {
    return s->land && s->per_line && test_number(s->seed + 7, wrap(s, row) / 4, line, 0) < 0.33;
}

/* Of all lines the same where the rows are shared. */
static double number(const LineShape *s, bool per_line, int what, int line, int row) {
    return 2 * test_number(s->seed + 100, wrap(s, row), per_line ? line : -1, what) - 1;
}

/* What row `row` of a line holds: a, b, c, and r[-reach .. reach] from r[0] on. */
typedef struct Row {
    double a, b, c, r[2 * LINE_REACH + 1];
} Row;

static Row row_of(const LineShape *s, int line, int row) {
    Row x = {0};
    const bool land = is_land(s, line, row);
    for (int m = -s->reach; m <= s->reach; m++)
        if (is_row(s, row + m)) x.r[m + s->reach] = land ? m == 0 : number(s, s->per_line, 10 + m, line, row);
    x.b = 1;
    if (land) return x;
    if (is_row(s, row - 1) && !is_land(s, line, row - 1))
        x.a = copysign(pow(10, 2 * fabs(number(s, s->per_line, 0, line, row)) - 1),
                       number(s, s->per_line, 1, line, row));
    if (is_row(s, row + 1) && !is_land(s, line, row + 1))
        x.c = copysign(pow(10, 2 * fabs(number(s, s->per_line, 2, line, row)) - 1),
                       number(s, s->per_line, 3, line, row));
    if (s->even) x.a = x.a != 0 ? -1 : 0, x.c = x.c != 0 ? -1 : 0;
    const double couplings = fabs(x.a) + fabs(x.c);
    if (couplings > 0)
        x.b = copysign(couplings * (1 + s->dominance), s->even ? 1 : number(s, s->per_line, 4, line, row));
    return x;
}

double line_system_u(const LineShape *s, int line, int row) {
    return number(s, true, 30, line, row);
}

/* One line, by LAPACK; around the end by the formula of Sherman and Morrison. */
static void reference(const LineShape *s, int line, double *x) {
    const int n = s->rows;
    double *a = ALLOCATE(n + 1, double), *b = ALLOCATE(n, double), *c = ALLOCATE(n + 1, double),
           *d = ALLOCATE(2 * n, double), first = 0, last = 0, corner = 1;
    for (int j = 0; j < n; j++) {
        const Row row = row_of(s, line, j);
        a[j] = row.a, b[j] = row.b, c[j] = row.c;
        if (s->reach < 0) d[j] = line_system_u(s, line, j);
        for (int m = -s->reach; m <= s->reach; m++)
            if (is_row(s, j + m)) d[j] += row.r[m + s->reach] * line_system_u(s, line, wrap(s, j + m));
    }
    if (s->periodic && n == 1) b[0] += a[0] + c[0];
    if (s->periodic && n == 2) c[0] += a[0], a[1] += c[1];
    const bool around = s->periodic && n > 2 && (a[0] != 0 || c[n - 1] != 0);
    if (around) {
        corner = -b[0], first = a[0], last = c[n - 1];
        b[0] -= corner;
        b[n - 1] -= first * last / corner;
        d[n] = corner, d[2 * n - 1] = last;
    }
    const int failed = LAPACKE_dgtsv(LAPACK_COL_MAJOR, n, around ? 2 : 1, a + 1, b, c, d, n);
    if (failed) fprintf(stderr, "dgtsv: %d\n", failed);
    double factor = 0;
    if (around) factor = (d[0] + first * d[n - 1] / corner) / (1 + d[n] + first * d[2 * n - 1] / corner);
    for (int j = 0; j < n; j++) x[j] = failed ? NAN : d[j] - (around ? factor * d[n + j] : 0);
    memory_free(a), memory_free(b), memory_free(c), memory_free(d);
}

int line_system_own_rows(MPI_Comm comm, const LineShape *s) {
    int rank, ranks;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &ranks);
    return s->parts ? s->parts[rank] : (rank + 1) * s->rows / ranks - rank * s->rows / ranks;
}

typedef struct Tables {
    double *a, *b, *c, *r[2 * LINE_REACH + 1];
} Tables;

static LineRows fill(const LineLayout *layout, const LineShape *s, Tables *t) {
    const int rows = s->per_line ? layout->n : s->rows, first = s->per_line ? layout->first : 0;
    const ptrdiff_t size = s->per_line ? layout->size : rows;
    LineRows lines = {
        .per_line = s->per_line, .rhs_per_line = s->per_line, .reach = s->reach < 0 ? 0 : s->reach};
    lines.a = t->a = ALLOCATE(size, double);
    lines.b = t->b = ALLOCATE(size, double);
    lines.c = t->c = ALLOCATE(size, double);
    for (int m = 0; m <= 2 * s->reach; m++) lines.r[m] = t->r[m] = ALLOCATE(size, double);
    for (int line = 0; line < (s->per_line ? layout->groups * layout->lanes : 1); line++)
        for (int j = 0; j < rows; j++) {
            const ptrdiff_t at =
                s->per_line ? LINE_AT(*layout, line % layout->lanes, j, line / layout->lanes) : j;
            const Row row = row_of(s, line, first + j);
            t->a[at] = row.a, t->b[at] = row.b, t->c[at] = row.c;
            for (int m = 0; m <= 2 * s->reach; m++) t->r[m][at] = row.r[m];
        }
    return lines;
}

static double compare(const LineLayout *layout, const LineShape *s, const double *x) {
    double *expected = ALLOCATE(s->rows, double), worst = 0;
    for (int line = 0; line < s->lines; line++) {
        double most = DBL_MIN, off = 0;
        reference(s, line, expected);
        for (int j = 0; j < s->rows; j++) most = fmax(most, fabs(expected[j]));
        for (int j = 0; j < layout->n; j++) {
            const double error = fabs(x[LINE_AT(*layout, line % layout->lanes, j, line / layout->lanes)] -
                                      expected[layout->first + j]);
            if (error > off || isnan(error)) off = error;
        }
        if (off / most > worst || isnan(off)) worst = off / most;
    }
    memory_free(expected);
    return worst;
}

static void release(Tables *t) {
    memory_free(t->a), memory_free(t->b), memory_free(t->c);
    for (int m = 0; m <= 2 * LINE_REACH; m++) memory_free(t->r[m]);
}

/* An operator made for another system, then for this one: the same bits, or x becomes NAN. */
static Status renew(const LineLayout *layout, const LineShape *s, const LineChoice *choice, const double *u,
                    double *x) {
    LineShape other = *s;
    other.seed += 1000;
    double *again = lines_allocate(layout);
    LineOperator *op = NULL;
    Status status = STATUS_OK;
    for (int turn = 0; turn < 3 && status == STATUS_OK; turn++) {
        Tables t = {0};
        const LineRows rows = fill(layout, turn < 2 ? &other : s, &t);
        status = line_operator_renew(layout, &rows, choice, &op);
        if (status == STATUS_OK) lines_solve(op, u, again);
        exec_wait(layout->exec);
        release(&t);
    }
    line_operator_destroy(&op);
    for (int line = 0; line < s->lines && status == STATUS_OK; line++)
        for (int j = 0; j < layout->n; j++) {
            const ptrdiff_t m = LINE_AT(*layout, line % layout->lanes, j, line / layout->lanes);
            if (again[m] != x[m]) x[m] = NAN;
        }
    memory_free(again);
    return status;
}

/* The solution in `x`, of the layout that is given back with it. */
static Status solve(MPI_Comm comm, const LineShape *s, const LineChoice *choice, LineLayout **layout,
                    LineOperator **op, double **x) {
    Tables t = {0};
    Status status =
        line_layout_create(s->exec, comm, line_system_own_rows(comm, s), s->lines, s->periodic, layout);
    if (status == STATUS_OK) {
        const LineRows rows = fill(*layout, s, &t);
        status = line_operator_create(*layout, &rows, choice, op);
    }
    if (status == STATUS_OK) {
        double *u = lines_allocate(*layout);
        *x = lines_allocate(*layout);
        for (int line = 0; line < s->lines; line++)
            for (int j = 0; j < (*layout)->n; j++)
                u[LINE_AT(**layout, line % (*layout)->lanes, j, line / (*layout)->lanes)] =
                    line_system_u(s, line, (*layout)->first + j);
        for (int turn = 0; turn < 2; turn++) lines_solve(*op, u, *x); /* the second finds the buffers used */
        exec_wait(s->exec);
        if (s->rows <= 128) status = renew(*layout, s, choice, u, *x);
        if (s->reach < 0 && status == STATUS_OK) { /* in place */
            lines_solve(*op, u, u);
            exec_wait(s->exec);
            for (ptrdiff_t m = 0; m < (*layout)->size; m++)
                if (u[m] != (*x)[m]) (*x)[m] = NAN;
        }
        memory_free(u);
    }
    release(&t);
    return status;
}

double line_error(MPI_Comm comm, const LineShape *s, const LineChoice *choice, LineInspect inspect) {
    LineLayout *layout = NULL;
    LineOperator *op = NULL;
    double *x = NULL, worst = -1;
    if (solve(comm, s, choice, &layout, &op, &x) == STATUS_OK) {
        worst = compare(layout, s, x);
        MPI_Allreduce(MPI_IN_PLACE, &worst, 1, MPI_DOUBLE, MPI_MAX, comm);
        if (inspect) inspect(op, layout, x);
    }
    memory_free(x);
    line_operator_destroy(&op);
    line_layout_destroy(&layout);
    return worst;
}

/* Are the numbers of the first ones' own rows those that the others found, to the last bit? Collective. */
static bool same_bits(MPI_Comm comm[2], const LineShape s[2], const LineChoice *choice) {
    LineLayout *layout[2] = {NULL};
    LineOperator *op[2] = {NULL};
    double *x[2] = {NULL};
    const bool solved = solve(comm[0], &s[0], choice, &layout[0], &op[0], &x[0]) == STATUS_OK,
               others = solve(comm[1], &s[1], choice, &layout[1], &op[1], &x[1]) == STATUS_OK;
    int same = solved == others;
    for (int line = 0; line < s[0].lines && same && solved; line++)
        for (int j = 0; j < layout[0]->n; j++) {
            const int row = layout[0]->first + j - layout[1]->first;
            same =
                same && x[0][LINE_AT(*layout[0], line % layout[0]->lanes, j, line / layout[0]->lanes)] ==
                            x[1][LINE_AT(*layout[1], line % layout[1]->lanes, row, line / layout[1]->lanes)];
        }
    MPI_Allreduce(MPI_IN_PLACE, &same, 1, MPI_INT, MPI_LAND, comm[0]);
    for (int m = 0; m < 2; m++) {
        memory_free(x[m]);
        line_operator_destroy(&op[m]);
        line_layout_destroy(&layout[m]);
    }
    return same;
}

bool line_same_bits(MPI_Comm comm, const LineShape *s, const LineChoice *choice) {
    LineShape shapes[2] = {*s, *s};
    MPI_Comm comms[2] = {comm, MPI_COMM_SELF};
    shapes[1].parts = NULL;
    shapes[1].exec = (Exec){.device = DEVICE_CPU};
    return same_bits(comms, shapes, choice);
}

bool line_same_as_processor(MPI_Comm comm, const LineShape *s, const LineChoice *choice) {
    LineShape shapes[2] = {*s, *s};
    MPI_Comm comms[2] = {comm, comm};
    shapes[1].exec = (Exec){.device = DEVICE_CPU};
    return same_bits(comms, shapes, choice);
}

double line_round_off(const LineShape *s) {
    return DBL_EPSILON * (1 + 1 / s->dominance);
}
