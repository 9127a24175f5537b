/* SPDX-License-Identifier: Apache-2.0
 *
 * DistD2-TDS (Akkurt and others): every rank's rows are reduced to their first and last ones, which are
 * coupled to each other (p of the last, q of the first) and to the neighbours' (p of the first, q of the
 * last). Where the diagonal dominates, the coupling across a rank is below round-off, which leaves a system
 * of two rows at each cut:
 *
 *     x_last = z_last + q_last x_first',    x_first' = z_first' + p_first' x_last
 *
 * solved with the neighbour's own coefficients. Further exchanges restore the neglected coupling.
 *
 * Preprocessing (algorithm 5) is line_factor_interface; decoupling with the right-hand side made on the way
 * (algorithm 6) is line_sweep_both; substitution (algorithm 7) is line_substitute.
 */
#include "numerics/lines/operator.h"

#include "base/memory.h"
#include "gpu/device.h"
#include "numerics/lines/device_blocks.h"
#include <float.h>
#include <math.h>

enum { TAG_UP = 21, TAG_DOWN, SLOTS = LINE_SLOTS, MOST_EXCHANGES = 3 };

struct LineInterface {
    Exec exec;
    LineFactors factors;
    int groups, width;                           /* of the tables below: all, or 1 where shared; lanes */
    double *first_p, *first_q, *last_p, *last_q; /* couplings of the first and last own row, [group][lane] */
    double *inverse[2];                          /* 1 / (1 - q p') at the cut before and after */
    LineMail down[SLOTS], up[SLOTS];
    double *end[SLOTS]; /* of the groups of a chunk: z first, z last, x first, x last */
    double *scratch;
};

static void factor_group(const LineMatrix *matrix, int g, LineInterface *to) {
    const LineMatrix m = line_matrix_of(matrix, g);
    const LineFactors k = line_factors_of(&to->factors, g);
    const LineEnds ends = line_factor_interface(&m, &k);
    line_store(to->first_p + g * LINE_LANES, ends.first_p);
    line_store(to->first_q + g * LINE_LANES, ends.first_q);
    line_store(to->last_p + g * LINE_LANES, ends.last_p);
    line_store(to->last_q + g * LINE_LANES, ends.last_q);
}

/* All groups. */
static void factor(const LineLayout *layout, const LineMatrix *matrix, LineInterface *to) {
    if (!lines_on_device(layout->exec) || !matrix->per_line) {
        for (int g = 0; g < to->groups; g++) factor_group(matrix, g, to);
        return;
    }
    if (to->groups == 0) return;
    lines_factor_ends(layout->exec, line_shape(to->groups, 1),
                      (LinesFactorEnds){.matrix = *matrix,
                                        .idle = layout->idle,
                                        .factors = to->factors,
                                        .first_p = to->first_p,
                                        .first_q = to->first_q,
                                        .last_p = to->last_p,
                                        .last_q = to->last_q});
    exec_wait(layout->exec);
}

/* What the rank before (after = false) or after has in its table. Collective. */
static void swap_table(const LineLayout *layout, int count, const double *mine, double *theirs, bool after) {
    MPI_Sendrecv(mine, count, MPI_DOUBLE, after ? layout->before : layout->after, TAG_UP, theirs, count,
                 MPI_DOUBLE, after ? layout->after : layout->before, TAG_UP, layout->comm, MPI_STATUS_IGNORE);
}

static double larger(double a, double b) {
    return a > b ? a : b; /* b where a is not a number */
}

/* Largest |p| + |q| of own rows between the ends, at least 1. */
static double amplification(const LineInterface *face, const LineLayout *layout) {
    const LineFactors *k = &face->factors;
    double most = 1;
    for (int g = 0; g < face->groups; g++)
        for (int j = 1; j < k->n - 1; j++)
            for (int l = 0; l < (k->per_line ? layout->lanes : 1); l++) {
                if (k->per_line && line_is_idle(layout, l, g)) continue;
                const ptrdiff_t m = k->per_line ? LINE_AT(*layout, l, j, g) : j;
                most = larger(fabs(k->p[m]) + fabs(k->q[m]), most);
            }
    return most;
}

/* The inverses of both cuts, and the criterion at the one after. Collective. */
static void match_neighbours(LineInterface *face, const LineLayout *layout, LineCriterion *criterion) {
    const int count = face->groups * face->width;
    double *p = ALLOCATE(count, double), *q = ALLOCATE(count, double), eta = 0;
    swap_table(layout, count, face->last_q, q, false);
    for (int m = 0; m < count; m++) face->inverse[0][m] = 1 / (1 - face->first_p[m] * q[m]);
    for (int m = 0; m < count; m++) p[m] = q[m] = 0;
    swap_table(layout, count, face->first_p, p, true);
    swap_table(layout, count, face->first_q, q, true);
    for (int m = 0; m < count; m++) {
        face->inverse[1][m] = 1 / (1 - face->last_q[m] * p[m]);
        if (face->factors.per_line && line_is_idle(layout, m % face->width, m / face->width)) continue;
        const double off = larger(fabs(face->last_p[m]), fabs(q[m]));
        const double here =
            larger(1 + fabs(face->last_q[m]), 1 + fabs(p[m])) * fabs(face->inverse[1][m]) * off;
        eta = larger(here <= DBL_MAX ? here : HUGE_VAL, eta);
    }
    /* at the cut before, this rank's first row leaves out its last one; the rank before counts it, unless
     * there is none */
    if (layout->before == MPI_PROC_NULL)
        for (int m = 0; m < count; m++)
            if (!(face->factors.per_line && line_is_idle(layout, m % face->width, m / face->width)))
                eta = larger(fabs(face->first_q[m]), eta);
    criterion->eta = eta;
    criterion->kappa = amplification(face, layout);
    memory_free(p);
    memory_free(q);
}

LineInterface *line_interface_create(const LineLayout *layout, const LineMatrix *matrix, int chunk,
                                     LineCriterion *criterion) {
    LineInterface *face = ALLOCATE(1, LineInterface);
    face->exec = layout->exec;
    const int groups = matrix->per_line ? layout->groups : 1, lanes = layout->lanes;
    face->width = matrix->per_line ? lanes : LINE_LANES;
    const int count = groups * face->width;
    double **tables[] = {&face->first_p, &face->first_q,    &face->last_p,
                         &face->last_q,  &face->inverse[0], &face->inverse[1]};
    for (int m = 0; m < 6; m++) *tables[m] = ALLOCATE(count + 1, double);
    face->groups = groups;
    face->factors = line_factors_create(matrix, true);
    face->scratch = ALLOCATE(2 * layout->group, double);
    for (int s = 0; s < SLOTS; s++) {
        face->down[s] = line_mail_create(layout->exec, (ptrdiff_t)chunk * lanes, (ptrdiff_t)chunk * lanes);
        face->up[s] = line_mail_create(layout->exec, (ptrdiff_t)chunk * lanes, (ptrdiff_t)chunk * lanes);
        face->end[s] = ALLOCATE((ptrdiff_t)chunk * 4 * lanes, double);
    }
    int shortest = layout->n;
    for (int p = 0; p < layout->ranks; p++)
        if (layout->cut[p + 1] - layout->cut[p] < shortest) shortest = layout->cut[p + 1] - layout->cut[p];
    *criterion = (LineCriterion){.eta = HUGE_VAL, .kappa = 1, .bound = HUGE_VAL};
    if (shortest < 3) return face;
    factor(layout, matrix, face);
    match_neighbours(face, layout, criterion);
    return face;
}

void line_interface_destroy(LineInterface **interface) {
    LineInterface *face = *interface;
    if (!face) return;
    double *tables[] = {face->first_p, face->first_q,    face->last_p,    face->last_q,
                        face->scratch, face->inverse[0], face->inverse[1]};
    for (int m = 0; m < 7; m++) memory_free(tables[m]);
    line_factors_release(&face->factors);
    for (int s = 0; s < SLOTS; s++) {
        line_mail_release(face->exec, &face->down[s]);
        line_mail_release(face->exec, &face->up[s]);
        memory_free(face->end[s]);
    }
    memory_free(face);
    *interface = NULL;
}

/* ---- stages ---- */

enum { Z_FIRST, Z_LAST, X_FIRST, X_LAST };

static double *end_of(const LineOperator *op, int chunk, int g, int what) {
    const int m = g - chunk * op->chunk;
    return op->interface->end[chunk % SLOTS] + ((ptrdiff_t)m * 4 + what) * LINE_LANES;
}

/* What is in both mails. */
static void exchange(LineOperator *op, int chunk) {
    LineInterface *face = op->interface;
    const LineLayout *layout = op->layout;
    LineMail *down = &face->down[chunk % SLOTS], *up = &face->up[chunk % SLOTS];
    const ptrdiff_t count = (ptrdiff_t)(line_chunk_end(op, chunk) - chunk * op->chunk) * layout->lanes;
    line_mail_expect(down, layout, layout->before, TAG_DOWN, count);
    line_mail_expect(up, layout, layout->after, TAG_UP, count);
    line_mail_send(down, layout, layout->after, TAG_DOWN, count);
    line_mail_send(up, layout, layout->before, TAG_UP, count);
}

static void tell_neighbours(LineOperator *op, int chunk) {
    LineInterface *face = op->interface;
    LineMail *down = &face->down[chunk % SLOTS], *up = &face->up[chunk % SLOTS];
    const int g0 = chunk * op->chunk, g1 = line_chunk_end(op, chunk);
    line_mail_reuse(down);
    line_mail_reuse(up);
    for (int g = g0; g < g1; g++) {
        line_store(down->out + (ptrdiff_t)(g - g0) * LINE_LANES, line_load(end_of(op, chunk, g, Z_LAST)));
        line_store(up->out + (ptrdiff_t)(g - g0) * LINE_LANES, line_load(end_of(op, chunk, g, Z_FIRST)));
    }
    exchange(op, chunk);
}

static void decouple(LineOperator *op, int chunk) {
    const LineLayout *layout = op->layout;
    const int g0 = chunk * op->chunk, g1 = line_chunk_end(op, chunk);
    LineStretch next = {.j1 = layout->n}, last = next;
    for (int g = g0; g <= g1; g++) { /* down one group while the one before goes up */
        if (g < g1) {
            next.factors = line_factors_of(&op->interface->factors, g);
            next.rhs = line_rhs_of(op, g);
            next.y = op->interface->scratch + (g & 1) * layout->group;
            next.z = line_z(op, chunk, g);
        }
        line_sweep_both(g < g1 ? &next : NULL, g > g0 ? &last : NULL);
        last = next;
    }
    for (int g = g0; g < g1; g++) {
        const double *z = line_z(op, chunk, g);
        line_store(end_of(op, chunk, g, Z_FIRST), line_load(z));
        line_store(end_of(op, chunk, g, Z_LAST), line_load(z + (ptrdiff_t)(layout->n - 1) * LINE_LANES));
    }
    tell_neighbours(op, chunk);
}

/* The two rows at each cut. */
static void solve_ends(LineOperator *op, int chunk) {
    LineInterface *face = op->interface;
    LineMail *down = &face->down[chunk % SLOTS], *up = &face->up[chunk % SLOTS];
    line_mail_wait(down);
    line_mail_wait(up);
    for (int g = chunk * op->chunk; g < line_chunk_end(op, chunk); g++) {
        const ptrdiff_t m = (ptrdiff_t)(g - chunk * op->chunk) * LINE_LANES,
                        t = (ptrdiff_t)(face->groups > 1 ? g : 0) * LINE_LANES;
        const LineNumber z = line_load(end_of(op, chunk, g, Z_FIRST)),
                         y = line_load(end_of(op, chunk, g, Z_LAST));
        const LineNumber first = line_fma(line_load(face->first_p + t), line_load(down->in + m), z);
        const LineNumber last = line_fma(line_load(face->last_q + t), line_load(up->in + m), y);
        line_store(end_of(op, chunk, g, X_FIRST), line_mul(first, line_load(face->inverse[0] + t)));
        line_store(end_of(op, chunk, g, X_LAST), line_mul(last, line_load(face->inverse[1] + t)));
    }
}

/* Puts the coupling across the rank back, with what is known by now. */
static void exchange_again(LineOperator *op, int chunk) {
    LineInterface *face = op->interface;
    solve_ends(op, chunk);
    for (int g = chunk * op->chunk; g < line_chunk_end(op, chunk); g++) {
        const ptrdiff_t t = (ptrdiff_t)(face->groups > 1 ? g : 0) * LINE_LANES;
        const double *all = line_z(op, chunk, g);
        const LineNumber z = line_load(all), y = line_load(all + (ptrdiff_t)(op->layout->n - 1) * LINE_LANES);
        const LineNumber x_first = line_load(end_of(op, chunk, g, X_FIRST)),
                         x_last = line_load(end_of(op, chunk, g, X_LAST));
        line_store(end_of(op, chunk, g, Z_FIRST), line_fma(line_load(face->first_q + t), x_last, z));
        line_store(end_of(op, chunk, g, Z_LAST), line_fma(line_load(face->last_p + t), x_first, y));
    }
    tell_neighbours(op, chunk);
}

static void substitute(LineOperator *op, int chunk) {
    const int n = op->layout->n;
    solve_ends(op, chunk);
    for (int g = chunk * op->chunk; g < line_chunk_end(op, chunk); g++) {
        const LineFactors k = line_factors_of(&op->interface->factors, g);
        double *x = op->x + (g - op->from) * op->layout->group;
        const LineNumber first = line_load(end_of(op, chunk, g, X_FIRST)),
                         last = line_load(end_of(op, chunk, g, X_LAST));
        line_substitute(&k, 1, n - 1, first, last, line_z(op, chunk, g), x, op->past);
        line_store(x, first);
        line_store(x + (ptrdiff_t)(n - 1) * LINE_LANES, last);
    }
}

/* ---- the same by kernels, with z in x ---- */

static LinesEnds ends_of(const LineOperator *op, int chunk) {
    const LineInterface *face = op->interface;
    const LineMail *down = &face->down[chunk % SLOTS], *up = &face->up[chunk % SLOTS];
    return (LinesEnds){.per_line = face->factors.per_line,
                       .n = op->layout->n,
                       .first_group = chunk * op->chunk,
                       .first_p = face->first_p,
                       .first_q = face->first_q,
                       .last_p = face->last_p,
                       .last_q = face->last_q,
                       .inverse_before = face->inverse[0],
                       .inverse_after = face->inverse[1],
                       .from_before = down->in,
                       .from_after = up->in,
                       .end = face->end[chunk % SLOTS],
                       .to_before = up->out,
                       .to_after = down->out,
                       .factors = face->factors,
                       .x = op->x};
}

static int groups_of(const LineOperator *op, int chunk) {
    return line_chunk_end(op, chunk) - chunk * op->chunk;
}

static void wait_for_neighbours(const LineOperator *op, int chunk) {
    line_mail_wait(&op->interface->down[chunk % SLOTS]);
    line_mail_wait(&op->interface->up[chunk % SLOTS]);
}

static void decouple_by_kernels(LineOperator *op, int chunk) {
    const LinesEnds ends = ends_of(op, chunk);
    line_mail_reuse(&op->interface->down[chunk % SLOTS]);
    line_mail_reuse(&op->interface->up[chunk % SLOTS]);
    lines_sweep(op->layout->exec, line_shape(groups_of(op, chunk), 1),
                (LinesSweep){.factors = ends.factors,
                             .rhs = line_rhs_of(op, 0),
                             .first_group = ends.first_group,
                             .first_x = ends.first_group,
                             .x = ends.x,
                             .end = ends.end,
                             .to_before = ends.to_before,
                             .to_after = ends.to_after});
    exec_wait(op->layout->exec);
    exchange(op, chunk);
}

static void exchange_again_by_kernels(LineOperator *op, int chunk) {
    wait_for_neighbours(op, chunk);
    line_mail_reuse(&op->interface->down[chunk % SLOTS]);
    line_mail_reuse(&op->interface->up[chunk % SLOTS]);
    lines_ends(op->layout->exec, line_shape(groups_of(op, chunk), 1), ends_of(op, chunk));
    exec_wait(op->layout->exec);
    exchange(op, chunk);
}

static void substitute_by_kernels(LineOperator *op, int chunk) {
    wait_for_neighbours(op, chunk);
    lines_supports(op->layout->exec, line_shape(groups_of(op, chunk), 8), ends_of(op, chunk));
}

int line_interface_stages(const LineOperator *op, LineStage stage[LINE_SLOTS]) {
    const bool kernels = lines_on_device(op->layout->exec);
    const int further = op->criterion.exchanges;
    stage[0] = kernels ? decouple_by_kernels : decouple;
    for (int m = 0; m < further; m++) stage[1 + m] = kernels ? exchange_again_by_kernels : exchange_again;
    stage[1 + further] = kernels ? substitute_by_kernels : substitute;
    return further + 2;
}

void line_interface_solve(LineOperator *op) {
    LineStage stage[LINE_SLOTS];
    const int stages = line_interface_stages(op, stage);
    exec_wait(op->layout->exec); /* for who still reads the mail of the solution before */
    line_stages(op, stage, stages);
}
