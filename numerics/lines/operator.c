/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/lines/operator.h"

#include "base/memory.h"
#include <string.h>

/* ---- right-hand side ---- */

static double *copy_of(const double *from, ptrdiff_t count) {
    return memcpy(ALLOCATE(count, double), from, (size_t)count * sizeof(double));
}

static void keep_rhs(LineOperator *op, const LineRows *rows) {
    const LineLayout *layout = op->layout;
    op->rhs =
        (LineRhs){.per_line = rows->rhs_per_line, .reach = rows->r[0] ? rows->reach : -1, .n = layout->n};
    if (op->rhs.reach < 0) return;
    for (int m = 0; m <= 2 * rows->reach; m++)
        op->rhs.r[m] = rows->rhs_per_line ? copy_of(rows->r[m], layout->size)
                                          : copy_of(rows->r[m] + layout->first, layout->n);
    for (int side = 0; side < 2; side++) {
        const ptrdiff_t count = (ptrdiff_t)layout->groups * rows->reach * LINE_LANES + 1;
        op->halo[side] = ALLOCATE(count, double);
        op->edge[side] = ALLOCATE(count, double);
    }
}

LineRhs line_rhs_of(const LineOperator *op, int g, const double *u) {
    LineRhs rhs = op->rhs;
    rhs.u = u + g * op->layout->group;
    if (rhs.reach < 0) return rhs;
    const ptrdiff_t skip = (ptrdiff_t)g * rhs.reach * LINE_LANES;
    rhs.before = op->halo[0] + skip;
    rhs.after = op->halo[1] + skip;
    if (rhs.per_line)
        for (int m = 0; m <= 2 * rhs.reach; m++) rhs.r[m] += g * op->layout->group;
    return rhs;
}

/* Which row of the line is m rows beyond an end of the own ones, on a periodic line of one rank. */
static void wrap_edges(LineOperator *op, const double *u) {
    const LineLayout *layout = op->layout;
    const int n = layout->n, reach = op->rhs.reach;
    if (!layout->periodic) return; /* zeros, never written */
    for (int g = 0; g < layout->groups; g++)
        for (int m = 0; m < reach; m++) {
            const int before = ((m - reach) % n + n) % n;
            const ptrdiff_t to = ((ptrdiff_t)g * reach + m) * LINE_LANES;
            memcpy(op->halo[0] + to, u + LINE_AT(*layout, 0, before, g), LINE_LANES * sizeof(double));
            memcpy(op->halo[1] + to, u + LINE_AT(*layout, 0, m % n, g), LINE_LANES * sizeof(double));
        }
}

/* ---- set-up ---- */

/* Rows as they are given, of whole lines: on one rank. */
static LineMatrix given(const LineLayout *layout, const LineRows *rows) {
    return (LineMatrix){.per_line = rows->per_line,
                        .n = rows->per_line ? layout->n : layout->rows,
                        .groups = layout->groups,
                        .a = (double *)rows->a,
                        .b = (double *)rows->b,
                        .c = (double *)rows->c};
}

Status line_operator_create(const LineLayout *layout, const LineRows *rows, const LineChoice *choice,
                            LineOperator **out) {
    LineOperator *op = *out = ALLOCATE(1, LineOperator);
    *op = (LineOperator){.layout = layout, .choice = *choice, .method = LINES_THOMAS};
    CHECK(rows->reach >= 0 && rows->reach <= LINE_REACH, STATUS_FAILED,
          "lines: a right-hand side reaches %d rows; at most %d", rows->reach, LINE_REACH);
    CHECK(layout->ranks == 1, STATUS_FAILED, "lines: Thomas needs whole lines, these are cut over %d ranks",
          layout->ranks);
    keep_rhs(op, rows);
    LineMatrix matrix = given(layout, rows);
    op->blocks = line_blocks_create(&matrix, layout->periodic, 0, 0);
    return STATUS_OK;
}

void line_operator_destroy(LineOperator **op) {
    if (!*op) return;
    for (int m = 0; m <= 2 * LINE_REACH; m++) memory_free((double *)(*op)->rhs.r[m]);
    for (int side = 0; side < 2; side++) {
        memory_free((*op)->halo[side]);
        memory_free((*op)->edge[side]);
    }
    line_blocks_destroy(&(*op)->blocks);
    memory_free(*op);
    *op = NULL;
}

void lines_solve(LineOperator *op, const double *u, double *x) {
    if (op->rhs.reach > 0) wrap_edges(op, u);
    for (int g = 0; g < op->layout->groups; g++) {
        const LineRhs rhs = line_rhs_of(op, g, u);
        line_blocks_solve(op->blocks, g, &rhs, x + g * op->layout->group);
    }
}

LineMethod line_operator_method(const LineOperator *op) {
    return op->method;
}

double line_operator_bound(const LineOperator *op) {
    return op->bound;
}

char *line_operator_describe(const LineOperator *op) {
    (void)op;
    return memory_format("Thomas: whole lines on every rank");
}
