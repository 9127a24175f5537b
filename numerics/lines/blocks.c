/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/lines/blocks.h"

#include "base/memory.h"
#include <math.h>

static double *table(bool per_line, int n, int groups) {
    return ALLOCATE(per_line ? (size_t)n * (size_t)groups * LINE_LANES : (size_t)n + LINE_LANES, double);
}

LineMatrix line_matrix_create(bool per_line, int n, int groups) {
    return (LineMatrix){.per_line = per_line,
                        .n = n,
                        .groups = groups,
                        .a = table(per_line, n, groups),
                        .b = table(per_line, n, groups),
                        .c = table(per_line, n, groups)};
}

void line_matrix_release(LineMatrix *matrix) {
    memory_free(matrix->a);
    memory_free(matrix->b);
    memory_free(matrix->c);
    *matrix = (LineMatrix){0};
}

LineFactors line_factors_create(bool per_line, int n, int groups) {
    return (LineFactors){.per_line = per_line,
                         .n = n,
                         .f = table(per_line, n, groups),
                         .g = table(per_line, n, groups),
                         .w = table(per_line, n, groups),
                         .p = table(per_line, n, groups),
                         .q = table(per_line, n, groups)};
}

void line_factors_release(LineFactors *factors) {
    memory_free(factors->f);
    memory_free(factors->g);
    memory_free(factors->w);
    memory_free(factors->p);
    memory_free(factors->q);
    *factors = (LineFactors){0};
}

/* ---- one row of a table ---- */

typedef struct Row {
    LineNumber a, b, c;
} Row;

static void put(double *at, bool per_line, ptrdiff_t row, LineNumber x) {
    if (per_line)
        line_store(at + row * LINE_LANES, x);
    else
        at[row] = x.block[0][0];
}

static Row row_of(const LineMatrix *m, int g, int j) {
    const ptrdiff_t row = (m->per_line ? (ptrdiff_t)g * m->n : 0) + j;
    return (Row){line_table(m->a, m->per_line, row), line_table(m->b, m->per_line, row),
                 line_table(m->c, m->per_line, row)};
}

static LineRow factors_of(const LineFactors *k, int g, int j) {
    const ptrdiff_t row = (k->per_line ? (ptrdiff_t)g * k->n : 0) + j;
    return (LineRow){line_table(k->f, k->per_line, row), line_table(k->g, k->per_line, row),
                     line_table(k->w, k->per_line, row), line_table(k->p, k->per_line, row),
                     line_table(k->q, k->per_line, row)};
}

static void keep(LineFactors *k, int g, int j, LineRow r) {
    const ptrdiff_t row = (k->per_line ? (ptrdiff_t)g * k->n : 0) + j;
    put(k->f, k->per_line, row, r.f);
    put(k->g, k->per_line, row, r.g);
    put(k->w, k->per_line, row, r.w);
    put(k->p, k->per_line, row, r.p);
    put(k->q, k->per_line, row, r.q);
}

/* ---- factors ---- */

static void factor_stretch(const LineMatrix *m, int g, int j0, int j1, LineFactors *k) {
    LineRow r = {0};
    for (int j = j0; j < j1; j++) {
        const Row row = row_of(m, g, j);
        r = j == j0 ? line_first_row_at(row.a, row.b, row.c) : line_next_row_at(row.a, row.b, row.c, r);
        if (j == j1 - 1) r = line_last_row_at(r);
        keep(k, g, j, r);
    }
    for (int j = j1 - 2; j >= j0; j--) {
        r = line_reduced_row_at(factors_of(k, g, j), r);
        keep(k, g, j, r);
    }
}

void line_blocks_factor(const LineMatrix *matrix, int g, LineSpan span, LineFactors *factors) {
    for (int j = 0; j < matrix->n;) {
        if (span.joints == 0) {
            factor_stretch(matrix, g, 0, matrix->n, factors);
            return;
        }
        const int row = (span.first + j) % span.rows, w = line_block(span, row);
        if (row == w * span.block) {
            const Row joint = row_of(matrix, g, j);
            keep(factors, g, j, (LineRow){joint.a, joint.c, line_of(0), line_of(0), line_of(0)});
            j++;
            continue;
        }
        const int end = j + line_block_end(span, w) - row;
        factor_stretch(matrix, g, j, end < matrix->n ? end : matrix->n, factors);
        j = end;
    }
}

void line_joint_row(const LineMatrix *matrix, const LineFactors *factors, int g, int before, int j, int after,
                    LineMatrix *reduced, int w) {
    const Row row = row_of(matrix, g, j);
    const ptrdiff_t to = (reduced->per_line ? (ptrdiff_t)g * reduced->n : 0) + w;
    LineRow r = {0}, s = {0};
    if (before >= 0) r = factors_of(factors, g, before);
    if (after >= 0) s = factors_of(factors, g, after);
    put(reduced->a, reduced->per_line, to, line_mul(row.a, r.p));
    put(reduced->c, reduced->per_line, to, line_mul(row.c, s.q));
    put(reduced->b, reduced->per_line, to, line_fma(row.c, s.p, line_fma(row.a, r.q, row.b)));
}

/* A periodic line of one row is coupled to itself. */
static void factor_single(const LineMatrix *matrix, bool periodic, int g, LineFactors *factors) {
    Row row = row_of(matrix, g, 0);
    if (periodic) row.b = line_add(line_add(row.a, row.b), row.c);
    keep(factors, g, 0, line_last_row_at(line_first_row_at(line_of(0), row.b, line_of(0))));
}

/* The factors, and the rows of the joints. */
static void factor(LineBlocks *blocks, const LineMatrix *matrix) {
    const LineSpan span = blocks->span;
    const int n = blocks->n, groups = blocks->groups;
    for (int g = 0; g < groups; g++)
        if (n == 1)
            factor_single(matrix, blocks->periodic, g, &blocks->factors);
        else
            line_blocks_factor(matrix, g, span, &blocks->factors);
    for (int g = 0; g < groups; g++)
        for (int w = 0; w < span.joints; w++) {
            const int j = w * span.block, before = j > 0 ? j - 1 : blocks->periodic ? n - 1 : -1;
            line_joint_row(matrix, &blocks->factors, g, before, j, j + 1, &blocks->joints, w);
        }
}

LineBlocks *line_blocks_create(const LineMatrix *matrix, bool periodic, int levels, int block) {
    const int n = matrix->n, groups = matrix->per_line ? matrix->groups : 1;
    LineBlocks *blocks = ALLOCATE(1, LineBlocks);
    if (n == 1 || (levels == 0 && !periodic))
        block = 0;
    else if (levels == 0)
        block = n;
    else if (block == 0)
        block = line_blocks_best(n, levels);
    const LineSpan span = line_span(n, block, 0);
    *blocks = (LineBlocks){.n = n, .groups = groups, .periodic = periodic, .span = span};
    blocks->factors = line_factors_create(matrix->per_line, n, groups);
    const ptrdiff_t rows = span.joints ? n + span.joints + 4 * span.block : 2 * n;
    blocks->scratch = ALLOCATE(rows * LINE_LANES, double);
    if (span.joints > 0) blocks->joints = line_matrix_create(matrix->per_line, span.joints, matrix->groups);
    factor(blocks, matrix);
    if (span.joints > 0)
        blocks->reduced = line_blocks_create(&blocks->joints, periodic, levels > 0 ? levels - 1 : 0, 0);
    return blocks;
}

void line_blocks_renew(LineBlocks *blocks, const LineMatrix *matrix) {
    factor(blocks, matrix);
    if (blocks->reduced) line_blocks_renew(blocks->reduced, &blocks->joints);
}

void line_blocks_destroy(LineBlocks **blocks) {
    if (!*blocks) return;
    line_blocks_destroy(&(*blocks)->reduced);
    line_factors_release(&(*blocks)->factors);
    line_matrix_release(&(*blocks)->joints);
    memory_free((*blocks)->scratch);
    memory_free(*blocks);
    *blocks = NULL;
}

bool line_factors_sound(const LineFactors *k, int groups) {
    const ptrdiff_t count = k->per_line ? (ptrdiff_t)groups * k->n * LINE_LANES : k->n;
    bool sound = true;
    for (ptrdiff_t m = 0; m < count; m++) sound = sound && isfinite(k->f[m]) && isfinite(k->w[m]);
    return sound;
}

bool line_blocks_sound(const LineBlocks *blocks) {
    return line_factors_sound(&blocks->factors, blocks->groups) &&
           (!blocks->reduced || line_blocks_sound(blocks->reduced));
}

/* Blocks as the paper's equation 7 has them, of half the number: a core works fastest on ones of 32 rows and
 * more. In whole vectors, so that cuts of a grid along x, which are multiples of BLOCK, rarely lie inside a
 * block. */
int line_blocks_rows(int n) {
    return (2 * line_blocks_best(n, 1) + BLOCK - 1) / BLOCK * BLOCK;
}

int line_blocks_best(int n, int levels) {
    const int block = (int)ceil(pow(n, 1.0 / (levels + 1)));
    return block > 2 ? block : 2;
}

/* ---- solving ---- */

/* RD and RU of the blocks of one group, each down while the one before goes up. `y`: twice the rows of the
 * longest block. */
void line_blocks_reduce(LineSpan s, int w0, int w1, LineStretch block, double *y) {
    LineStretch last = block;
    const ptrdiff_t half = (ptrdiff_t)2 * s.block * LINE_LANES;
    for (int w = w0; w <= w1; w++) {
        block.j0 = w * s.block + 1 - s.first;
        block.j1 = w < w1 ? line_block_end(s, w) - s.first : 0;
        block.y = y + (w & 1) * half;
        line_sweep_both(w < w1 ? &block : NULL, w > w0 ? &last : NULL);
        last = block;
    }
}

static void thomas(const LineBlocks *blocks, int g0, int g1, LineRhsOf rhs_of, const void *of, double *x,
                   bool past) {
    LineStretch next = {.j1 = blocks->n, .past = past}, last = next;
    for (int g = g0; g <= g1; g++) {
        if (g < g1) {
            next.factors = line_factors_of(&blocks->factors, g);
            next.rhs = rhs_of(of, g);
            next.y = blocks->scratch + (ptrdiff_t)(g & 1) * blocks->n * LINE_LANES;
            next.z = x + (ptrdiff_t)(g - g0) * blocks->n * LINE_LANES;
        }
        line_sweep_both(g < g1 ? &next : NULL, g > g0 ? &last : NULL);
        last = next;
    }
}

/* The supports and what follows from them. */
static void substitute(const LineBlocks *blocks, const LineFactors *k, const double *joint, const double *z,
                       double *x, bool past) {
    const LineSpan s = blocks->span;
    for (int w = 0; w < s.joints; w++) {
        const int j = w * s.block, next = w + 1 < s.joints ? w + 1 : 0;
        const bool open = w + 1 < s.joints || blocks->periodic; /* else the line ends */
        const LineNumber left = line_load(joint + (ptrdiff_t)w * LINE_LANES),
                         right = open ? line_load(joint + (ptrdiff_t)next * LINE_LANES) : line_of(0);
        if (past)
            line_store_past_caches(x + (ptrdiff_t)j * LINE_LANES, left);
        else
            line_store(x + (ptrdiff_t)j * LINE_LANES, left);
        line_substitute(k, j + 1, line_block_end(s, w), left, right, z, x, past);
    }
}

static void n_shaped(const LineBlocks *blocks, int g, const LineRhs *rhs, double *x, bool past) {
    const LineSpan s = blocks->span;
    const int n = blocks->n;
    double *z = blocks->scratch, *joint = z + (ptrdiff_t)n * LINE_LANES,
           *y = joint + (ptrdiff_t)s.joints * LINE_LANES;
    const LineStretch all = {.factors = line_factors_of(&blocks->factors, g), .rhs = *rhs, .z = z};
    line_blocks_reduce(s, 0, s.joints, all, y);
    for (int w = 0; w < s.joints; w++) {
        const int j = w * s.block, before = j > 0 ? j - 1 : n - 1;
        const bool open = j > 0 || blocks->periodic; /* else the line begins */
        const LineNumber left = open ? line_load(z + (ptrdiff_t)before * LINE_LANES) : line_of(0),
                         right = line_load(z + (ptrdiff_t)(j + 1) * LINE_LANES);
        line_store(joint + (ptrdiff_t)w * LINE_LANES,
                   line_joint_at(line_table(all.factors.f, all.factors.per_line, j),
                                 line_table(all.factors.g, all.factors.per_line, j), line_rhs(rhs, j), left,
                                 right));
    }
    const LineRhs reduced = {.reach = -1, .n = s.joints, .u = joint};
    line_blocks_solve(blocks->reduced, g, g + 1, line_rhs_given, &reduced, joint, false);
    substitute(blocks, &all.factors, joint, z, x, past);
}

void line_blocks_solve(const LineBlocks *blocks, int g0, int g1, LineRhsOf rhs_of, const void *of, double *x,
                       bool past) {
    if (blocks->span.joints == 0) {
        thomas(blocks, g0, g1, rhs_of, of, x, past);
        return;
    }
    for (int g = g0; g < g1; g++) {
        const LineRhs rhs = rhs_of(of, g);
        n_shaped(blocks, g, &rhs, x + (ptrdiff_t)(g - g0) * blocks->n * LINE_LANES, past);
    }
}
