/* SPDX-License-Identifier: Apache-2.0
 *
 * The N-shaped partition (nshaped.c) before its first solution: which rows of which blocks a rank has, their factors, and the
 * reduced systems at the ranks that solve them.
 */
#include "numerics/lines/nshaped.h"

#include "base/memory.h"
#include "numerics/lines/device_blocks.h"

/* ---- who does what ---- */

static Share share_of(const LineLayout *layout, LineSpan span, int rank) {
    const int first = layout->cut[rank], end = layout->cut[rank + 1], B = span.block, m = span.joints;
    Share s = {.joint0 = (first + B - 1) / B, .joint1 = (end + B - 1) / B};
    if (s.joint0 > m) s.joint0 = m;
    if (s.joint1 > m) s.joint1 = m;
    s.support0 = line_block(span, first);
    s.supports = line_block(span, end - 1) - s.support0 + 2;
    return s;
}

static void share_rows(LinePartition *part, const LineLayout *layout) {
    const LineSpan s = part->span;
    const int n = layout->n, first = layout->first, last = first + n - 1;
    const int w = line_block(s, first), v = line_block(s, last);
    const int begins = first - w * s.block; /* 0: with a joint, 1: with a block's first row */
    const bool goes_on = last != v * s.block && line_block_end(s, v) > last + 1;
    part->head = begins <= 1 ? 0 : line_block_end(s, w) - first;
    if (part->head > n) part->head = n;
    part->tail = goes_on ? v * s.block + 1 - first : n;
    part->through = begins > 1 && goes_on && w == v;
    if (part->tail < 0) part->tail = 0;
    part->whole0 = begins <= 1 ? w : w + 1;
    part->whole1 = goes_on || last == v * s.block ? v : v + 1;
    part->share = ALLOCATE(layout->ranks, Share);
    for (int p = 0; p < layout->ranks; p++) part->share[p] = share_of(layout, s, p);
}

/* ---- factors and reduced systems ---- */

/* The rows around the own ones that belong to blocks which touch them or a neighbouring row. */
static void rows_around(const LineLayout *layout, LineSpan s, int *before, int *after) {
    for (int p = 0; p < layout->ranks; p++) {
        const int first = layout->cut[p], end = layout->cut[p + 1];
        before[p] = first > 0          ? first - line_block(s, first - 1) * s.block
                    : layout->periodic ? s.rows - (s.joints - 1) * s.block
                                       : 0;
        after[p] = end < s.rows       ? line_block_end(s, line_block(s, end)) - end
                   : layout->periodic ? line_block_end(s, 0)
                                      : 0;
    }
}

/* Own rows of a matrix per line, with those around them. */
static LineMatrix extended(const LineLayout *layout, const LineMatrix *matrix, LineSpan s, int *around) {
    int *before = ALLOCATE(layout->ranks, int), *after = ALLOCATE(layout->ranks, int);
    rows_around(layout, s, before, after);
    const int b = before[layout->rank], a = after[layout->rank], n = b + layout->n + a;
    LineFetch *fetch = line_fetch_create(layout, before, after);
    LineMatrix all = line_matrix_create(true, n, layout->groups, layout->lanes);
    const ptrdiff_t lanes = layout->lanes, groups = layout->groups;
    double *halo[2] = {ALLOCATE(groups * b * lanes + 1, double), ALLOCATE(groups * a * lanes + 1, double)};
    const double *from[] = {matrix->a, matrix->b, matrix->c};
    double *to[] = {all.a, all.b, all.c};
    for (int m = 0; m < 3; m++) {
        line_fetch(fetch, from[m], halo);
        const double *const part[] = {halo[0], from[m], halo[1]};
        const int rows[] = {b, layout->n, a}, begin[] = {0, b, b + layout->n};
        for (int p = 0; p < 3; p++)
            lines_copy(layout->exec, (LinesCopy){.from = part[p],
                                                 .to = to[m] + begin[p] * lanes,
                                                 .from_piece = rows[p] * lanes,
                                                 .to_piece = n * lanes,
                                                 .count = rows[p] * lanes,
                                                 .pieces = layout->groups});
    }
    memory_free(halo[0]), memory_free(halo[1]), memory_free(before), memory_free(after);
    line_fetch_destroy(&fetch);
    *around = b;
    return all;
}

static void copy_factors(const LineLayout *layout, LineFactors *to, const LineFactors *from, int skip) {
    const double *source[] = {from->f, from->g, from->w, from->p, from->q};
    double *target[] = {to->f, to->g, to->w, to->p, to->q};
    const ptrdiff_t lanes = to->per_line ? layout->lanes : 1;
    for (int m = 0; m < 5; m++)
        lines_copy(layout->exec, (LinesCopy){.from = source[m] + skip * lanes,
                                             .to = target[m],
                                             .from_piece = from->n * lanes,
                                             .to_piece = to->n * lanes,
                                             .count = to->n * lanes,
                                             .pieces = to->per_line ? layout->groups : 1});
}

/* Own joints' rows to the solvers; there all rows of the reduced systems. Collective. */
static LineMatrix gather_reduced(const LineLayout *layout, LinePartition *part, const LineMatrix *own,
                                 int size, int chunks) {
    const Share s = part->share[layout->rank];
    const int joints = part->span.joints, count = s.joint1 - s.joint0, mine = part->solved[chunks];
    LineMatrix all = line_matrix_create(true, joints, mine > 0 ? mine : 1, layout->lanes);
    const double *from[] = {own->a, own->b, own->c};
    double *to[] = {all.a, all.b, all.c};
    for (int chunk = 0; chunk < chunks; chunk++)
        for (int m = 0; m < 3; m++) {
            const Round r = nshaped_round(layout, part, chunk, size);
            nshaped_send_joints(r, from[m] + chunk * size * nshaped_lanes(r, count));
            (void)nshaped_receive_joints(r, to[m] + part->solved[chunk] * nshaped_lanes(r, joints));
        }
    all.groups = mine;
    return all;
}

/* The factors, and the rows of the own joints. Collective. */
static LineMatrix factor_per_line(const LineLayout *layout, LinePartition *part, const LineMatrix *matrix) {
    const Share s = part->share[layout->rank];
    int around;
    LineMatrix all = extended(layout, matrix, part->span, &around);
    LineFactors factors = line_factors_create(&all, true);
    LineMatrix own = line_matrix_create(true, s.joint1 - s.joint0, layout->groups, layout->lanes);
    LineSpan span = part->span;
    span.first = (layout->first - around + span.rows) % span.rows;
    if (lines_on_device(layout->exec) && layout->groups > 0)
        lines_factor(layout->exec, line_shape(layout->groups, LINE_WARPS),
                     (LinesFactor){.matrix = all,
                                   .idle = layout->idle,
                                   .span = span,
                                   .joint0 = s.joint0,
                                   .joint1 = s.joint1,
                                   .origin = layout->first - around,
                                   .factors = factors,
                                   .joints = own,
                                   .unsound = part->unsound});
    for (int g = 0; g < layout->groups && !lines_on_device(layout->exec); g++) {
        const LineMatrix of = line_matrix_of(&all, g), joints = line_matrix_of(&own, g);
        const LineFactors k = line_factors_of(&factors, g);
        line_factor_blocks(&of, span, &k, 0, 1);
        for (int w = s.joint0; w < s.joint1; w++) {
            const int j = around + w * span.block - layout->first;
            line_joint_row(&of, &k, j - 1, j, j + 1, &joints, w - s.joint0);
        }
    }
    copy_factors(layout, &part->factors, &factors, around);
    exec_wait(layout->exec);
    line_matrix_release(&all);
    line_factors_release(&factors);
    return own;
}

/* The same, and the rows of all joints. */
static LineMatrix factor_shared(const LineLayout *layout, LinePartition *part, const LineMatrix *matrix) {
    const LineSpan s = part->span;
    LineFactors factors = line_factors_create(matrix, true);
    LineMatrix reduced = line_matrix_create(false, s.joints, 1, layout->lanes);
    line_factor_blocks(matrix, line_span(s.rows, s.block, 0), &factors, 0, 1);
    for (int w = 0; w < s.joints; w++) {
        const int j = w * s.block;
        const int before = j > 0 ? j - 1 : layout->periodic ? s.rows - 1 : -1;
        line_joint_row(matrix, &factors, before, j, j + 1, &reduced, w);
    }
    copy_factors(layout, &part->factors, &factors, layout->first);
    line_factors_release(&factors);
    return reduced;
}

static void make_mail(const LineLayout *layout, LinePartition *part, int size) {
    const Share mine = part->share[layout->rank];
    const ptrdiff_t edge = (ptrdiff_t)size * layout->lanes; /* of a row of all groups */
    for (int s = 0; s < SLOTS; s++) {
        part->down[s] = line_mail_create(layout->exec, edge, edge);
        part->up[s] = line_mail_create(layout->exec, edge, edge);
        part->joints[s] = ALLOCATE(layout->ranks, LineMail);
        part->supports[s] = ALLOCATE(layout->ranks, LineMail);
        for (int p = 0; p < layout->ranks; p++) {
            const Share theirs = part->share[p];
            part->joints[s][p] = line_mail_create(layout->exec, (mine.joint1 - mine.joint0) * edge,
                                                  (theirs.joint1 - theirs.joint0) * edge);
            part->supports[s][p] =
                line_mail_create(layout->exec, theirs.supports * edge, mine.supports * edge);
        }
    }
    part->values = ALLOCATE((part->span.joints + 1) * edge, double);
    part->y = ALLOCATE((ptrdiff_t)4 * part->span.block * LINE_LANES, double);
    part->unsound = ALLOCATE(1, int64_t);
}

/* Every rank solves the whole reduced systems of its share of the groups. Collective. */
static void solve_by_groups(const LineLayout *layout, LinePartition *part, const LineMatrix *joints, int size,
                            int chunks) {
    LineMatrix all = joints->per_line ? gather_reduced(layout, part, joints, size, chunks) : *joints;
    part->reduced = line_blocks_create(layout->exec, &all, NULL, layout->periodic, 0, 0);
    if (joints->per_line) line_matrix_release(&all);
}

LinePartition *line_partition_create(const LineLayout *layout, const LineMatrix *matrix, LineSpan span,
                                     int levels, int chunk) {
    LinePartition *part = ALLOCATE(1, LinePartition);
    const int chunks = (layout->groups + chunk - 1) / chunk;
    part->exec = layout->exec;
    part->span = span;
    part->ranks = layout->ranks;
    part->groups = layout->groups;
    share_rows(part, layout);
    make_mail(layout, part, chunk);
    part->solved = ALLOCATE(chunks + 1, int);
    for (int c = 0; c < chunks; c++) {
        int g0, g1;
        nshaped_solvers(layout, c, layout->rank, chunk, &g0, &g1);
        part->solved[c + 1] = part->solved[c] + g1 - g0;
    }
    LineMatrix own = *matrix;
    own.n = layout->n;
    part->of_kernels = lines_on_device(layout->exec) && matrix->per_line;
    part->factors = line_factors_create(&own, true);
    LineMatrix joints =
        matrix->per_line ? factor_per_line(layout, part, matrix) : factor_shared(layout, part, matrix);
    if (levels > 1)
        part->nest = nest_create(layout, part, &joints, levels - 1);
    else
        solve_by_groups(layout, part, &joints, chunk, chunks);
    line_matrix_release(&joints);
    return part;
}

void line_partition_destroy(LinePartition **partition) {
    LinePartition *part = *partition;
    if (!part) return;
    const int ranks = part->ranks;
    for (int s = 0; s < SLOTS; s++) {
        line_mail_release(part->exec, &part->down[s]);
        line_mail_release(part->exec, &part->up[s]);
        for (int p = 0; p < ranks; p++) {
            line_mail_release(part->exec, &part->joints[s][p]);
            line_mail_release(part->exec, &part->supports[s][p]);
        }
        memory_free(part->joints[s]);
        memory_free(part->supports[s]);
    }
    line_factors_release(&part->factors);
    if (part->reduced) line_blocks_destroy(&part->reduced);
    nest_destroy(part->exec, &part->nest);
    memory_free(part->share);
    memory_free(part->solved);
    memory_free(part->values);
    memory_free(part->y);
    memory_free(part->unsound);
    memory_free(part);
    *partition = NULL;
}

bool line_partition_nested(const LinePartition *part) {
    return part->nest != NULL;
}

bool line_partition_sound(const LinePartition *part) {
    exec_wait(part->exec);
    const bool reduced = part->nest ? nest_sound(part->nest) : line_blocks_sound(part->reduced);
    return reduced && *part->unsound == 0 &&
           (part->of_kernels || line_factors_sound(&part->factors, part->groups));
}
