/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/lines/blocks.h"

#include "base/memory.h"
#include "gpu/device.h"
#include "numerics/lines/device_blocks.h"
#include <math.h>

static double *table(bool per_line, int n, int groups, int lanes) {
    return ALLOCATE(per_line ? (size_t)n * (size_t)groups * (size_t)lanes : (size_t)n + LINE_LANES, double);
}

LineMatrix line_matrix_create(bool per_line, int n, int groups, int lanes) {
    return (LineMatrix){.per_line = per_line,
                        .n = n,
                        .groups = groups,
                        .lanes = lanes,
                        .a = table(per_line, n, groups, lanes),
                        .b = table(per_line, n, groups, lanes),
                        .c = table(per_line, n, groups, lanes)};
}

void line_matrix_release(LineMatrix *matrix) {
    memory_free(matrix->a);
    memory_free(matrix->b);
    memory_free(matrix->c);
    *matrix = (LineMatrix){0};
}

LineFactors line_factors_create(const LineMatrix *like, bool supports) {
    LineFactors k = {.per_line = like->per_line, .n = like->n};
    double **tables[] = {&k.f, &k.g, &k.w, &k.p, &k.q};
    for (int m = 0; m < (supports ? 5 : 3); m++)
        *tables[m] = table(like->per_line, like->n, like->groups, like->lanes);
    return k;
}

void line_factors_release(LineFactors *factors) {
    memory_free(factors->f);
    memory_free(factors->g);
    memory_free(factors->w);
    memory_free(factors->p);
    memory_free(factors->q);
    *factors = (LineFactors){0};
}

/* ---- factors ---- */

/* On a GPU, and of each line: no table is touched by the host. */
static bool by_kernels(const LineBlocks *blocks) {
    return lines_on_device(blocks->exec) && blocks->factors.per_line;
}

static void factor_by_kernels(LineBlocks *blocks, const LineMatrix *matrix) {
    const LineSpan span = blocks->span;
    *blocks->unsound = 0;
    if (blocks->groups == 0) return;
    lines_factor(blocks->exec, line_shape(blocks->groups, span.joints),
                 (LinesFactor){.matrix = *matrix,
                               .idle = blocks->idle,
                               .span = span,
                               .periodic = blocks->periodic,
                               .joint1 = span.joints,
                               .factors = blocks->factors,
                               .joints = blocks->joints,
                               .unsound = blocks->unsound});
}

/* The factors, and the rows of the joints. */
static void factor(LineBlocks *blocks, const LineMatrix *matrix) {
    const LineSpan span = blocks->span;
    const int n = blocks->n;
    if (by_kernels(blocks)) {
        factor_by_kernels(blocks, matrix);
        return;
    }
    for (int g = 0; g < blocks->groups; g++) {
        const LineMatrix of = line_matrix_of(matrix, g), reduced = line_matrix_of(&blocks->joints, g);
        const LineFactors k = line_factors_of(&blocks->factors, g);
        if (n == 1)
            line_factor_single(&of, blocks->periodic, &k);
        else
            line_factor_blocks(&of, span, &k, 0, 1);
        for (int w = 0; w < span.joints; w++) {
            const int j = w * span.block, before = j > 0 ? j - 1 : blocks->periodic ? n - 1 : -1;
            line_joint_row(&of, &k, before, j, j + 1, &reduced, w);
        }
    }
}

/* How many levels, and rows of reduced systems, there are in all. */
static int count_levels(const LineBlocks *blocks, int *joints) {
    int levels = 1;
    for (*joints = 0; blocks->reduced; blocks = blocks->reduced, levels++) *joints += blocks->span.joints;
    return levels;
}

LineBlocks *line_blocks_create(Exec exec, const LineMatrix *matrix, const unsigned char *idle, bool periodic,
                               int levels, int block) {
    const int n = matrix->n, groups = matrix->per_line ? matrix->groups : 1;
    LineBlocks *blocks = ALLOCATE(1, LineBlocks);
    if (n == 1 || (levels == 0 && !periodic))
        block = 0;
    else if (levels == 0)
        block = n;
    else if (block == 0)
        block = line_blocks_best(n, levels);
    const LineSpan span = line_span(n, block, 0);
    *blocks = (LineBlocks){
        .exec = exec, .idle = idle, .n = n, .groups = groups, .periodic = periodic, .span = span};
    LineMatrix like = *matrix;
    like.groups = groups;
    blocks->factors = line_factors_create(&like, span.joints > 0);
    blocks->unsound = ALLOCATE(1, int64_t);
    if (!lines_on_device(exec)) {
        const ptrdiff_t rows = span.joints ? n + span.joints + 4 * span.block : 2 * n;
        blocks->scratch = ALLOCATE(rows * LINE_LANES, double);
    }
    if (span.joints > 0)
        blocks->joints = line_matrix_create(matrix->per_line, span.joints, matrix->groups, matrix->lanes);
    factor(blocks, matrix);
    if (span.joints > 0)
        blocks->reduced =
            line_blocks_create(exec, &blocks->joints, NULL, periodic, levels > 0 ? levels - 1 : 0, 0);
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
    memory_free((*blocks)->unsound);
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
    exec_wait(blocks->exec);
    const bool sound =
        by_kernels(blocks) ? *blocks->unsound == 0 : line_factors_sound(&blocks->factors, blocks->groups);
    return sound && (!blocks->reduced || line_blocks_sound(blocks->reduced));
}

/* Blocks as the paper's equation 7 has them, of half the number: a core works fastest on ones of 32 rows and
 * more. In whole vectors, so that cuts of a grid along x, which are multiples of BLOCK, rarely lie inside a
 * block. */
int line_blocks_rows(int n) {
    return (2 * (int)ceil(sqrt(n)) + BLOCK - 1) / BLOCK * BLOCK;
}

/* The rows of the longest block, without its joint. */
static int longest_block(LineSpan s) {
    return s.rows - (s.joints - 1) * s.block - 1;
}

int line_blocks_best(int n, int levels) {
    const double even = pow(n, 1.0 / (levels + 1));
    const int first = even > 2.7 ? (int)(0.75 * even) : 2;
    int best = first;
    double shortest = HUGE_VAL;
    for (int block = first; block <= 1.25 * even + 1; block++) {
        const LineSpan s = line_span(n, block, 0);
        const double chain = longest_block(s) + levels * pow(s.joints, 1.0 / levels);
        if (chain < shortest) shortest = chain, best = block;
    }
    return best;
}

int line_blocks_chain(int n, int levels, int block) {
    int rows = 0;
    for (; levels > 0 && n > 1; levels--, block = 0) {
        const LineSpan s = line_span(n, block ? block : line_blocks_best(n, levels), 0);
        rows += longest_block(s);
        n = s.joints;
    }
    return rows + n;
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

/* ---- on a GPU ---- */

static void solve_nested(LineBlocks *blocks, int g0, int g1, const LineRhs *rhs, double *x, int first_x) {
    int joints;
    LinesNested args = {.levels = count_levels(blocks, &joints),
                        .periodic = blocks->periodic,
                        .rhs = *rhs,
                        .first_group = g0,
                        .first_x = first_x,
                        .x = x,
                        .joints = joints};
    const LineBlocks *level = blocks;
    for (int n = 0; n < args.levels; n++, level = level->reduced)
        args.level[n] = (LinesLevel){level->span, level->factors};
    if (joints > LINE_KEPT && blocks->scratch_groups < g1 - g0) {
        memory_free(blocks->scratch);
        blocks->scratch = ALLOCATE((ptrdiff_t)(g1 - g0) * joints * LINE_LANES_GPU, double);
        blocks->scratch_groups = g1 - g0;
    }
    args.scratch = blocks->scratch;
    lines_nested(blocks->exec, line_shape(g1 - g0, blocks->span.joints), args);
}

void line_blocks_launch(LineBlocks *blocks, int g0, int g1, const LineRhs *rhs, double *x, int first_x) {
    if (g0 == g1) return;
    if (blocks->span.joints > 0) {
        solve_nested(blocks, g0, g1, rhs, x, first_x);
        return;
    }
    lines_sweep(
        blocks->exec, line_shape(g1 - g0, 1),
        (LinesSweep){.factors = blocks->factors, .rhs = *rhs, .first_group = g0, .first_x = first_x, .x = x});
}
