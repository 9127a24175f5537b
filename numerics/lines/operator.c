/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/lines/operator.h"

#include "base/log.h"
#include "base/memory.h"
#include "gpu/device.h"
#include "numerics/lines/device_blocks.h"
#include <math.h>
#include <string.h>

enum { CHUNK_BYTES = 128 << 10, LARGE = 4 << 20, MOST_EXCHANGES = 3 };

/* ---- right-hand side ---- */

static double *copy_of(const double *from, ptrdiff_t count) {
    return memcpy(ALLOCATE(count + 1, double), from, (size_t)count * sizeof(double));
}

static void keep_rhs(LineOperator *op, const LineRows *rows) {
    const LineLayout *layout = op->layout;
    op->rhs =
        (LineRhs){.per_line = rows->rhs_per_line, .reach = rows->r[0] ? rows->reach : -1, .n = layout->n};
    if (op->rhs.reach < 0) return;
    for (int m = 0; m <= 2 * rows->reach; m++)
        op->rhs.r[m] = rows->rhs_per_line ? copy_of(rows->r[m], layout->size)
                                          : copy_of(rows->r[m] + layout->first, layout->n);
    int *wish = ALLOCATE(layout->ranks, int);
    for (int p = 0; p < layout->ranks; p++) wish[p] = rows->reach;
    op->fetch = line_fetch_create(layout, wish, wish);
    memory_free(wish);
    for (int side = 0; side < 2; side++)
        op->halo[side] = ALLOCATE((ptrdiff_t)layout->groups * rows->reach * layout->lanes + 1, double);
}

LineRhs line_rhs_of(const LineOperator *op, ptrdiff_t g) {
    LineRhs rhs = op->rhs;
    rhs.u = op->u + (g - op->from) * op->layout->group;
    if (rhs.reach < 0) return rhs;
    rhs.before = op->halo[0] + g * rhs.reach * op->layout->lanes;
    rhs.after = op->halo[1] + g * rhs.reach * op->layout->lanes;
    if (rhs.per_line)
        for (int m = 0; m <= 2 * rhs.reach; m++) rhs.r[m] += g * op->layout->group;
    return rhs;
}

/* ---- set-up ---- */

/* A copy of the rows, those of idle lanes made harmless. */
static void copy_matrix(const LineLayout *layout, const LineRows *rows, LineMatrix m) {
    const int n = m.n, groups = m.groups;
    const size_t bytes = (rows->per_line ? (size_t)layout->size : (size_t)n) * sizeof(double);
    memcpy(m.a, rows->a, bytes), memcpy(m.b, rows->b, bytes), memcpy(m.c, rows->c, bytes);
    for (int g = 0; g < groups && rows->per_line; g++)
        for (int l = 0; l < layout->lanes; l++)
            for (int j = 0; j < n && line_is_idle(layout, l, g); j++) {
                const ptrdiff_t at = LINE_AT(*layout, l, j, g);
                m.a[at] = m.c[at] = 0, m.b[at] = 1;
            }
}

/* The tables of a caller, which kernels read where they are. */
static LineMatrix lent_matrix(const LineLayout *layout, const LineRows *rows) {
    return (LineMatrix){.per_line = true,
                        .n = layout->n,
                        .groups = layout->groups,
                        .lanes = layout->lanes,
                        .a = (double *)rows->a,
                        .b = (double *)rows->b,
                        .c = (double *)rows->c};
}

static bool is_lent(const LineLayout *layout, const LineRows *rows) {
    return lines_on_device(layout->exec) && rows->per_line;
}

static LineMatrix keep_matrix(const LineLayout *layout, const LineRows *rows) {
    if (is_lent(layout, rows)) return lent_matrix(layout, rows);
    const int n = rows->per_line ? layout->n : layout->rows, groups = rows->per_line ? layout->groups : 1;
    const LineMatrix m = line_matrix_create(rows->per_line, n, groups, layout->lanes);
    copy_matrix(layout, rows, m);
    return m;
}

/* The matrix's own rows: what DistD2 looks at. */
static LineMatrix own_rows(const LineLayout *layout, const LineMatrix *matrix) {
    LineMatrix own = *matrix;
    own.n = layout->n;
    if (!matrix->per_line) own.a += layout->first, own.b += layout->first, own.c += layout->first;
    return own;
}

/* Groups of a chunk: so many that all chunks under way fit in a core's cache, that every rank has reduced
 * systems to solve, and that the first group's way down and the last one's way up, which go alone, count
 * little. */
static int chunk_size(const LineLayout *layout) {
    if (lines_on_device(layout->exec)) return layout->groups > 1 ? layout->groups : 1; /* nothing is cached */
    int longest = 1; /* of all ranks: they cut the groups alike */
    for (int p = 0; p < layout->ranks; p++)
        if (layout->cut[p + 1] - layout->cut[p] > longest) longest = layout->cut[p + 1] - layout->cut[p];
    const ptrdiff_t bytes = (ptrdiff_t)longest * layout->lanes * (ptrdiff_t)sizeof(double);
    ptrdiff_t size = (CHUNK_BYTES + bytes - 1) / bytes;
    if (size < layout->ranks) size = layout->ranks;
    size = size < layout->groups ? size : layout->groups;
    return size > 1 ? (int)size : 1;
}

/* How many exchanges bring the error of DistD2 below the tolerance; -1: not even the most. Collective. */
static int exchanges_for(const LineLayout *layout, LineCriterion *c, double tolerance) {
    double both[2] = {c->eta, c->kappa};
    MPI_Allreduce(MPI_IN_PLACE, both, 2, MPI_DOUBLE, MPI_MAX, layout->everyone);
    c->eta = both[0], c->kappa = both[1];
    for (c->exchanges = 0; c->exchanges <= MOST_EXCHANGES; c->exchanges++) {
        c->bound = c->kappa * pow(c->eta, c->exchanges + 1);
        if (c->bound <= tolerance) return c->exchanges;
    }
    c->exchanges = 0;
    c->bound = c->kappa * c->eta;
    return -1;
}

/* Collective over everyone. */
static Status check_pivots(const LineOperator *op) {
    const bool sound =
        op->partition ? line_partition_sound(op->partition) : (!op->blocks || line_blocks_sound(op->blocks));
    return status_agree(
        op->layout->everyone,
        sound ? STATUS_OK
              : error_raise(
                    STATUS_FAILED,
                    "lines: a row without a pivot: b must dominate a and c. Mixing this strong in one step "
                    "exceeds the range of numbers: shorten the step, or lower the viscosity or diffusivity"));
}

int line_choice_block(const LineChoice *choice, int rows) {
    if (choice->block_rows > 0) return choice->block_rows;
    if (choice->blocks > 0) return rows / choice->blocks > 2 ? rows / choice->blocks : 2;
    return choice->levels > 1 ? line_blocks_best(rows, choice->levels) : line_blocks_rows(rows);
}

/* Decides, and makes what the method needs. Collective over everyone. */
static Status set_up(LineOperator *op, const LineMatrix *matrix) {
    const LineLayout *layout = op->layout;
    const LineChoice *choice = &op->choice;
    const bool exact = choice->tolerance <= 0;
    int most = layout->ranks; /* lines of one direction are cut alike */
    MPI_Allreduce(MPI_IN_PLACE, &most, 1, MPI_INT, MPI_MAX, layout->everyone);
    const int block = line_choice_block(choice, layout->rows);
    const int levels = choice->levels > 0 ? choice->levels : 1;
    if (op->method == LINES_AUTO && most == 1)
        op->method = exact && !layout->columns ? LINES_NSHAPED : LINES_THOMAS;
    CHECK(op->method != LINES_THOMAS || most == 1, STATUS_FAILED,
          "lines: Thomas needs whole lines, but these are shared by %d processes", most);
    if (op->method == LINES_DISTD2 || (op->method == LINES_AUTO && !exact)) {
        const LineMatrix own = own_rows(layout, matrix);
        op->interface = line_interface_create(layout, &own, op->chunk, &op->criterion);
        const int exchanges = exchanges_for(layout, &op->criterion, choice->tolerance);
        if (!exact && exchanges < 0) { /* also where DistD2 is asked for: line_operator_tell says so */
            line_interface_destroy(&op->interface);
            op->method = LINES_NSHAPED;
        } else
            op->method = LINES_DISTD2;
        CHECK(op->method == LINES_NSHAPED || op->criterion.eta < HUGE_VAL, STATUS_FAILED,
              "lines: DistD2 cannot solve these: a process has fewer than 3 rows, or a pivot is 0");
    } else if (op->method == LINES_AUTO)
        op->method = LINES_NSHAPED;
    if (op->method == LINES_THOMAS || (op->method == LINES_NSHAPED && most == 1))
        op->blocks = line_blocks_create(layout->exec, matrix, layout->idle, layout->periodic,
                                        op->method == LINES_THOMAS ? 0 : levels, block);
    else if (op->method == LINES_NSHAPED)
        op->partition = line_partition_create(layout, matrix, line_span(layout->rows, block, layout->first),
                                              levels, op->chunk);
    op->slots = op->interface ? op->criterion.exchanges + 2 : LINE_SLOTS - 1;
    if (op->partition && line_partition_nested(op->partition)) op->slots = op->chunks + 1;
    if ((op->interface || op->partition) && !lines_on_device(layout->exec))
        op->z = ALLOCATE((ptrdiff_t)op->slots * op->chunk * layout->group, double);
    return check_pivots(op);
}

Status line_operator_create(const LineLayout *layout, const LineRows *rows, const LineChoice *choice,
                            LineOperator **out) {
    CHECK(rows->reach >= 0 && rows->reach <= LINE_REACH, STATUS_FAILED,
          "lines: a right-hand side reaches %d rows; at most %d", rows->reach, LINE_REACH);
    CHECK(choice->block_rows == 0 || choice->block_rows > 1, STATUS_FAILED,
          "lines: joint rows every %d rows; at least 2", choice->block_rows);
    CHECK(choice->levels <= LINE_LEVELS - 2, STATUS_FAILED,
          "lines: reduced systems nested %d times; at most %d", choice->levels, LINE_LEVELS - 2);
    LineOperator *op = *out = ALLOCATE(1, LineOperator);
    exec_wait(layout->exec); /* the host looks at rows */
    *op = (LineOperator){.layout = layout, .choice = *choice, .method = choice->method};
    op->chunk = choice->chunk_groups > 0 ? choice->chunk_groups : chunk_size(layout);
    op->chunks = (layout->groups + op->chunk - 1) / op->chunk;
    keep_rhs(op, rows);
    LineMatrix matrix = keep_matrix(layout, rows);
    const Status status = set_up(op, &matrix);
    if (!is_lent(layout, rows)) line_matrix_release(&matrix);
    if (status != STATUS_OK) line_operator_destroy(out);
    return status;
}

Status line_operator_renew(const LineLayout *layout, const LineRows *rows, const LineChoice *choice,
                           LineOperator **out) {
    LineOperator *op = *out;
    if (!op || !op->blocks || !op->blocks->factors.per_line || !rows->per_line || rows->r[0] ||
        op->rhs.reach >= 0) {
        line_operator_destroy(out);
        return line_operator_create(layout, rows, choice, out);
    }
    if (is_lent(layout, rows)) {
        const LineMatrix matrix = lent_matrix(layout, rows);
        line_blocks_renew(op->blocks, &matrix);
        return check_pivots(op);
    }
    if (op->matrix.n == 0) op->matrix = line_matrix_create(true, layout->n, layout->groups, layout->lanes);
    copy_matrix(layout, rows, op->matrix);
    line_blocks_renew(op->blocks, &op->matrix);
    return check_pivots(op);
}

void line_operator_destroy(LineOperator **op) {
    if (!*op) return;
    line_matrix_release(&(*op)->matrix);
    for (int m = 0; m <= 2 * LINE_REACH; m++) memory_free((double *)(*op)->rhs.r[m]);
    for (int side = 0; side < 2; side++) memory_free((*op)->halo[side]);
    memory_free((*op)->z);
    line_fetch_destroy(&(*op)->fetch);
    line_blocks_destroy(&(*op)->blocks);
    line_interface_destroy(&(*op)->interface);
    line_partition_destroy(&(*op)->partition);
    memory_free(*op);
    *op = NULL;
}

/* ---- solving ---- */

LineWatch *line_watch;

static void do_stage(LineOperator *op, const LineStage *stage, int s, int chunk) {
    const double begin = line_watch ? traffic_now() : 0, waited = traffic.waited;
    stage[s](op, chunk);
    if (line_watch) line_watch(s, chunk, begin, traffic_now(), traffic.waited - waited);
}

void line_stages(LineOperator *op, const LineStage *stage, int stages) {
    for (int turn = 0; turn < op->chunks + stages - 1; turn++)
        for (int s = stages - 1; s >= 0; s--)
            if (turn - s >= 0 && turn - s < op->chunks) do_stage(op, stage, s, turn - s);
}

static LineRhs rhs_of(const void *op, ptrdiff_t g) {
    return line_rhs_of(op, g);
}

void lines_solve(LineOperator *op, const double *u, double *x) {
    op->u = u;
    op->x = x;
    if (op->rhs.reach > 0) line_fetch(op->fetch, u, op->halo);
    op->past = op->layout->size * (ptrdiff_t)sizeof(double) > LARGE;
    if (op->interface) {
        line_interface_solve(op);
    } else if (op->partition) {
        line_partition_solve(op);
    } else if (lines_on_device(op->layout->exec)) {
        const LineRhs rhs = line_rhs_of(op, 0);
        line_blocks_launch(op->blocks, 0, op->layout->groups, &rhs, x, 0);
    } else
        line_blocks_solve(op->blocks, 0, op->layout->groups, rhs_of, op, x, op->past);
}

/* ---- what is said ---- */

LineMethod line_operator_method(const LineOperator *op) {
    return op->method;
}

double line_operator_bound(const LineOperator *op) {
    return op->method == LINES_DISTD2 ? op->criterion.bound : 0;
}

char *line_operator_describe(const LineOperator *op) {
    const LineCriterion *c = &op->criterion;
    const int rows = op->layout->rows, ranks = op->layout->ranks;
    if (op->method == LINES_THOMAS) return memory_format("Thomas: %d rows, whole on every process", rows);
    if (op->method == LINES_DISTD2)
        return memory_format("DistD2: %d rows over %d processes, %d further exchange%s; coupling across a "
                             "process %.2g, error at most %.2g of the largest value",
                             rows, ranks, c->exchanges, c->exchanges == 1 ? "" : "s", c->eta, c->bound);
    char *text = memory_format("N-shaped: %d rows over %d process%s, a joint every %d rows, ", rows, ranks,
                               ranks == 1 ? "" : "es", line_choice_block(&op->choice, rows));
    if (op->choice.levels > 1) memory_append(&text, "nested %d times, ", op->choice.levels - 1);
    memory_append(&text, "exact");
    if (c->eta > 0)
        memory_append(&text, " (DistD2 would lose %.2g across a process, more than the tolerance of %.2g)",
                      c->bound, op->choice.tolerance);
    return text;
}

void line_operator_tell(const LineOperator *op, const char *what, unsigned *told) {
    const unsigned method = 1U << op->method;
    const bool chosen = op->choice.tolerance > 0 || op->choice.blocks > 0 || op->choice.levels > 0;
    if (!chosen || (*told & method)) return;
    char *text = line_operator_describe(op);
    log_info("  lines    %s: %s", what, text);
    memory_free(text);
    *told |= method;
}

/* With cosh(t) = 1 + 1 / (2 r), rows decay as exp(-t), and the criterion's eta is cosh(t/2) / cosh((n - 1/2)
 * t); kappa is 1. */
double line_decoupled_rows(double number, double tolerance, int exchanges) {
    const double t = 2 * asinh(0.5 / sqrt(number)), eta = pow(tolerance, 1.0 / (exchanges + 1));
    return fmax(3, ceil(0.5 + acosh(cosh(0.5 * t) / eta) / t));
}
