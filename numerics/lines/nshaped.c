/* SPDX-License-Identifier: Apache-2.0
 *
 * The N-shaped partition over ranks. Blocks begin where they begin on one rank (blocks.h), so a cut may lie
 * inside one: the reduction then continues with the number that the other rank passes on, and every row sees
 * the same operations for any number of ranks.
 *
 *     stage 1   RD of the block that goes on after the own rows (the tail); its last number goes down (JD's
 *               message leaves before the blocks inside are touched); RD and RU of these
 *     stage 2   RD and RU of what began before the own rows (the head), with the number from there; the first
 *               number goes up
 *     stage 3   RU of the tail; JD and JU: right-hand sides of the own joints go to the rank that solves
 *     stage 4   RS: every rank solves the reduced systems of its share of the groups, and returns the joints
 *     stage 5   SS
 */
#include "numerics/lines/operator.h"

#include "base/memory.h"
#include "gpu/device.h"
#include "numerics/lines/device_blocks.h"

enum { TAG_DOWN = 31, TAG_UP, TAG_JOINTS, TAG_SUPPORTS, STAGES = 5, SLOTS = LINE_SLOTS };

/* Rows of one rank, seen from the blocks. */
typedef struct Share {
    int joint0, joint1;     /* own joints: joint0 <= w < joint1 */
    int support0, supports; /* the joints that the own rows need, around the end too */
} Share;

struct LinePartition {
    Exec exec;
    LineSpan span;
    int ranks, groups;
    int head;           /* own rows of a block that began before them, from the second on */
    int tail;           /* where the block begins that goes on after the own rows; n: none */
    int whole0, whole1; /* blocks whose rows, without the joint, are all own ones */
    bool through;       /* the own rows lie inside one block that begins before and ends after them */
    Share *share;       /* of all ranks */
    LineFactors factors;
    LineBlocks *reduced;
    int *solved; /* how many groups this rank solves in all chunks before this one */
    LineMail down[SLOTS], up[SLOTS], *joints[SLOTS], *supports[SLOTS]; /* of the latter one for each rank */
    double *values, *y; /* joints of a chunk; rows of a block */
    bool of_kernels;    /* factors were made and are looked at by kernels alone */
    int64_t *unsound;   /* on a GPU: factors that are no numbers, counted */
};

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

/* Groups of a chunk whose reduced systems rank p solves. */
static void solver_groups(const LineLayout *layout, int chunk, int p, int size, int *g0, int *g1) {
    const int first = chunk * size;
    int count = layout->groups - first;
    if (count > size) count = size;
    *g0 = first + (int)((int64_t)count * p / layout->ranks);
    *g1 = first + (int)((int64_t)count * (p + 1) / layout->ranks);
}

/* ---- joints to their solvers and back ---- */

typedef struct Round {
    const LineLayout *layout;
    LinePartition *part;
    int chunk, size, slot;
} Round;

static Round round_of(const LineLayout *layout, LinePartition *part, int chunk, int size) {
    return (Round){layout, part, chunk, size, chunk % SLOTS};
}

static ptrdiff_t row_lanes(Round r, int rows) {
    return (ptrdiff_t)rows * r.layout->lanes;
}

/* Waits where kernels made what leaves, or read what comes anew. */
static void settle(Round r) {
    exec_wait(r.layout->exec);
}

/* Sends own joints' numbers, [group of the chunk][own joint][lane], to the solvers of the groups. */
static void send_joints(Round r, const double *value) {
    const Share mine = r.part->share[r.layout->rank];
    const ptrdiff_t own = row_lanes(r, mine.joint1 - mine.joint0);
    int a, b, g0, g1;
    solver_groups(r.layout, r.chunk, r.layout->rank, r.size, &a, &b);
    for (int p = 0; p < r.layout->ranks; p++) {
        LineMail *mail = &r.part->joints[r.slot][p];
        line_mail_reuse(mail);
        solver_groups(r.layout, r.chunk, p, r.size, &g0, &g1);
        lines_copy(r.layout->exec, (LinesCopy){.from = value + (ptrdiff_t)(g0 - r.chunk * r.size) * own,
                                               .to = mail->out,
                                               .from_piece = own,
                                               .to_piece = own,
                                               .count = own,
                                               .pieces = g1 - g0});
    }
    settle(r);
    for (int p = 0; p < r.layout->ranks; p++) {
        LineMail *mail = &r.part->joints[r.slot][p];
        const Share theirs = r.part->share[p];
        line_mail_expect(mail, r.layout, p, TAG_JOINTS,
                         (b - a) * row_lanes(r, theirs.joint1 - theirs.joint0));
        solver_groups(r.layout, r.chunk, p, r.size, &g0, &g1);
        line_mail_send(mail, r.layout, p, TAG_JOINTS, (g1 - g0) * own);
    }
}

/* All joints of the groups solved here: [group][joint][lane]. */
static int receive_joints(Round r, double *value) {
    const int joints = r.part->span.joints;
    int a, b;
    solver_groups(r.layout, r.chunk, r.layout->rank, r.size, &a, &b);
    for (int p = 0; p < r.layout->ranks; p++) {
        const Share s = r.part->share[p];
        const ptrdiff_t theirs = row_lanes(r, s.joint1 - s.joint0);
        line_mail_wait(&r.part->joints[r.slot][p]);
        lines_copy(r.layout->exec, (LinesCopy){.from = r.part->joints[r.slot][p].in,
                                               .to = value + row_lanes(r, s.joint0),
                                               .from_piece = theirs,
                                               .to_piece = row_lanes(r, joints),
                                               .count = theirs,
                                               .pieces = b - a});
    }
    return b - a;
}

/* Every rank's supports: joints from its first on, and one from the line's begin (0 where it ends) where they
 * go on around it. */
static void send_supports(Round r, const double *value) {
    const int joints = r.part->span.joints;
    int a, b;
    solver_groups(r.layout, r.chunk, r.layout->rank, r.size, &a, &b);
    for (int p = 0; p < r.layout->ranks; p++) {
        LineMail *mail = &r.part->supports[r.slot][p];
        const Share s = r.part->share[p];
        const int straight = s.supports < joints - s.support0 ? s.supports : joints - s.support0;
        line_mail_reuse(mail);
        LinesCopy copy = {.from = value + row_lanes(r, s.support0),
                          .to = mail->out,
                          .from_piece = row_lanes(r, joints),
                          .to_piece = row_lanes(r, s.supports),
                          .count = row_lanes(r, straight),
                          .pieces = b - a};
        lines_copy(r.layout->exec, copy);
        copy.from = r.layout->periodic ? value : NULL;
        copy.to = mail->out + row_lanes(r, straight);
        copy.count = row_lanes(r, s.supports - straight);
        lines_copy(r.layout->exec, copy);
    }
    settle(r);
    for (int p = 0; p < r.layout->ranks; p++)
        line_mail_send(&r.part->supports[r.slot][p], r.layout, p, TAG_SUPPORTS,
                       (b - a) * row_lanes(r, r.part->share[p].supports));
}

static void expect_supports(Round r) {
    const Share mine = r.part->share[r.layout->rank];
    for (int p = 0; p < r.layout->ranks; p++) {
        int g0, g1;
        solver_groups(r.layout, r.chunk, p, r.size, &g0, &g1);
        line_mail_expect(&r.part->supports[r.slot][p], r.layout, p, TAG_SUPPORTS,
                         (g1 - g0) * row_lanes(r, mine.supports));
    }
}

/* ---- set-up ---- */

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
            const Round r = round_of(layout, part, chunk, size);
            send_joints(r, from[m] + chunk * size * row_lanes(r, count));
            (void)receive_joints(r, to[m] + part->solved[chunk] * row_lanes(r, joints));
        }
    all.groups = mine;
    return all;
}

static LineMatrix reduced_per_line(const LineLayout *layout, LinePartition *part, const LineMatrix *matrix,
                                   int size, int chunks) {
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
    LineMatrix reduced = gather_reduced(layout, part, &own, size, chunks);
    line_matrix_release(&own);
    line_matrix_release(&all);
    line_factors_release(&factors);
    return reduced;
}

static LineMatrix reduced_shared(const LineLayout *layout, LinePartition *part, const LineMatrix *matrix) {
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
        solver_groups(layout, c, layout->rank, chunk, &g0, &g1);
        part->solved[c + 1] = part->solved[c] + g1 - g0;
    }
    LineMatrix own = *matrix;
    own.n = layout->n;
    part->of_kernels = lines_on_device(layout->exec) && matrix->per_line;
    part->factors = line_factors_create(&own, true);
    LineMatrix reduced = matrix->per_line ? reduced_per_line(layout, part, matrix, chunk, chunks)
                                          : reduced_shared(layout, part, matrix);
    part->reduced = line_blocks_create(layout->exec, &reduced, NULL, layout->periodic, levels - 1, 0);
    line_matrix_release(&reduced);
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
    line_blocks_destroy(&part->reduced);
    memory_free(part->share);
    memory_free(part->solved);
    memory_free(part->values);
    memory_free(part->y);
    memory_free(part->unsound);
    memory_free(part);
    *partition = NULL;
}

bool line_partition_sound(const LinePartition *part) {
    const bool reduced = line_blocks_sound(part->reduced); /* waits */
    return reduced && *part->unsound == 0 &&
           (part->of_kernels || line_factors_sound(&part->factors, part->groups));
}

/* ---- stages ---- */

static LineMail *down_of(LineOperator *op, int chunk) {
    return &op->partition->down[chunk % SLOTS];
}
static LineMail *up_of(LineOperator *op, int chunk) {
    return &op->partition->up[chunk % SLOTS];
}

/* What one group's rows need. */
typedef struct Group {
    LineFactors factors;
    LineRhs rhs;
    double *z, *x;
    ptrdiff_t in_chunk; /* where its vector is in messages of one row */
} Group;

static Group group_of(const LineOperator *op, int chunk, int g) {
    return (Group){line_factors_of(&op->partition->factors, g), line_rhs_of(op, g), line_z(op, chunk, g),
                   op->x + g * op->layout->group, (ptrdiff_t)(g - chunk * op->chunk) * LINE_LANES};
}

#define FOR_GROUPS(op, chunk, g) for (int g = (chunk) * (op)->chunk; g < line_chunk_end(op, chunk); g++)

static ptrdiff_t edge_count(const LineOperator *op, int chunk) {
    return (ptrdiff_t)(line_chunk_end(op, chunk) - chunk * op->chunk) * op->layout->lanes;
}

/* ---- the same by kernels, with z in x ---- */

static bool by_kernels(const LineOperator *op) {
    return lines_on_device(op->layout->exec);
}

/* A stage's launch, for all groups of a chunk. What it tells is in the mails when it has been waited for. */
static void launch(LineOperator *op, int chunk, LinesStage stage, bool tell_before, bool tell_after) {
    const LinePartition *part = op->partition;
    const LineLayout *layout = op->layout;
    const Share s = part->share[layout->rank];
    const LineMail *down = down_of(op, chunk), *up = up_of(op, chunk);
    const int most = stage == LINES_INSIDE ? part->whole1 - part->whole0 : s.joint1 - s.joint0;
    const int groups = line_chunk_end(op, chunk) - chunk * op->chunk;
    lines_part(layout->exec, line_shape(groups, stage == LINES_TAIL || stage == LINES_HEAD ? 1 : most),
               (LinesPart){.stage = stage,
                           .span = part->span,
                           .factors = part->factors,
                           .rhs = line_rhs_of(op, 0),
                           .x = op->x,
                           .n = layout->n,
                           .first = layout->first,
                           .first_group = chunk * op->chunk,
                           .head = part->head,
                           .tail = part->tail,
                           .whole0 = part->whole0,
                           .whole1 = part->whole1,
                           .joint0 = s.joint0,
                           .joint1 = s.joint1,
                           .through = part->through,
                           .from_before = down->in,
                           .from_after = up->in,
                           .to_before = tell_before ? up->out : NULL,
                           .to_after = tell_after ? down->out : NULL,
                           .joints = part->values});
}

/* The supports that came from one rank, which are those of the groups g0 <= g < g1. */
static void launch_substitute(LineOperator *op, const double *support, int g0, int g1) {
    const LinePartition *part = op->partition;
    const Share s = part->share[op->layout->rank];
    if (g0 < g1)
        lines_substitute(op->layout->exec, line_shape(g1 - g0, s.supports - 1),
                         (LinesSubstitute){.span = part->span,
                                           .factors = part->factors,
                                           .x = op->x,
                                           .n = op->layout->n,
                                           .first = op->layout->first,
                                           .first_group = g0,
                                           .support0 = s.support0,
                                           .supports = s.supports,
                                           .support = support});
}

/* ---- stages ---- */

/* Own last rows down, or own first rows up, as they are in z: by kernels they are in the mail already. */
static void send_last(LineOperator *op, int chunk) {
    LineMail *mail = down_of(op, chunk);
    exec_wait(op->layout->exec);
    if (!by_kernels(op))
        FOR_GROUPS (op, chunk, g) {
            const Group of = group_of(op, chunk, g);
            line_store(mail->out + of.in_chunk,
                       line_load(of.z + (ptrdiff_t)(op->layout->n - 1) * LINE_LANES));
        }
    line_mail_send(mail, op->layout, op->layout->after, TAG_DOWN, edge_count(op, chunk));
}

static void send_first(LineOperator *op, int chunk) {
    LineMail *mail = up_of(op, chunk);
    exec_wait(op->layout->exec);
    if (!by_kernels(op))
        FOR_GROUPS (op, chunk, g) {
            const Group of = group_of(op, chunk, g);
            line_store(mail->out + of.in_chunk, line_load(of.z));
        }
    line_mail_send(mail, op->layout, op->layout->before, TAG_UP, edge_count(op, chunk));
}

/* RD and RU of the blocks that lie inside: from the first own joint to the one that begins the tail. */
static void reduce_blocks(const LinePartition *part, const Group *of) {
    const LineStretch all = {.factors = of->factors, .rhs = of->rhs, .z = of->z};
    const int w0 = part->whole0, w1 = part->whole1;
    if (w0 < w1) line_blocks_reduce(part->span, w0, w1, all, part->y);
}

static void reduce_inside(LineOperator *op, int chunk) {
    LinePartition *part = op->partition;
    const LineLayout *layout = op->layout;
    const int n = layout->n;
    line_mail_reuse(down_of(op, chunk));
    line_mail_reuse(up_of(op, chunk));
    line_mail_expect(down_of(op, chunk), layout, layout->before, TAG_DOWN, edge_count(op, chunk));
    line_mail_expect(up_of(op, chunk), layout, layout->after, TAG_UP, edge_count(op, chunk));
    expect_supports(round_of(layout, part, chunk, op->chunk));
    const bool last_now = part->tail == n && part->head < n, first_now = part->head == 0 && part->tail > 0;
    if (part->tail < n && !part->through) {
        if (by_kernels(op))
            launch(op, chunk, LINES_TAIL, false, true);
        else
            FOR_GROUPS (op, chunk, g) {
                const Group of = group_of(op, chunk, g);
                (void)line_sweep_down(&of.factors, &of.rhs, part->tail, n, line_of(0),
                                      of.z + (ptrdiff_t)part->tail * LINE_LANES);
            }
        send_last(op, chunk);
    }
    if (by_kernels(op))
        launch(op, chunk, LINES_INSIDE, first_now, last_now);
    else
        FOR_GROUPS (op, chunk, g) {
            const Group of = group_of(op, chunk, g);
            reduce_blocks(part, &of);
        }
    if (last_now) send_last(op, chunk);
    if (first_now) send_first(op, chunk);
}

static void reduce_head(LineOperator *op, int chunk) {
    LinePartition *part = op->partition;
    const double *before = down_of(op, chunk)->in;
    line_mail_wait(down_of(op, chunk));
    if (part->head == 0) return;
    if (by_kernels(op)) {
        launch(op, chunk, LINES_HEAD, !part->through, part->head == op->layout->n);
        if (part->head == op->layout->n) send_last(op, chunk);
        if (!part->through) send_first(op, chunk);
        return;
    }
    FOR_GROUPS (op, chunk, g) {
        const Group of = group_of(op, chunk, g);
        (void)line_sweep_down(&of.factors, &of.rhs, 0, part->head, line_load(before + of.in_chunk), of.z);
    }
    if (part->head == op->layout->n) send_last(op, chunk);
    if (part->through) return;
    FOR_GROUPS (op, chunk, g) {
        const Group of = group_of(op, chunk, g);
        (void)line_sweep_up(&of.factors, 0, part->head, line_of(0), of.z, of.z, false);
    }
    send_first(op, chunk);
}

/* JD and JU. */
static void join(LineOperator *op, int chunk) {
    LinePartition *part = op->partition;
    const LineLayout *layout = op->layout;
    const Share s = part->share[layout->rank];
    const double *before = down_of(op, chunk)->in, *after = up_of(op, chunk)->in;
    double *value = part->values;
    FOR_GROUPS (op, chunk, g) {
        const Group of = group_of(op, chunk, g);
        for (int w = s.joint0; w < s.joint1; w++, value += LINE_LANES) {
            const int j = w * part->span.block - layout->first;
            const double *at = of.z + (ptrdiff_t)j * LINE_LANES;
            const LineNumber left = line_load(j > 0 ? at - LINE_LANES : before + of.in_chunk);
            const LineNumber right = line_load(j < layout->n - 1 ? at + LINE_LANES : after + of.in_chunk);
            const bool per_line = of.factors.per_line;
            line_store(value, line_joint_at(line_table(of.factors.f, per_line, j),
                                            line_table(of.factors.g, per_line, j), line_rhs(&of.rhs, j), left,
                                            right));
        }
    }
    send_joints(round_of(layout, part, chunk, op->chunk), part->values);
}

static void finish_tail(LineOperator *op, int chunk) {
    LinePartition *part = op->partition;
    const double *after = up_of(op, chunk)->in;
    line_mail_wait(up_of(op, chunk));
    if (by_kernels(op)) {
        launch(op, chunk, LINES_FINISH, part->tail == 0, false);
        if (part->tail == 0) send_first(op, chunk);
        send_joints(round_of(op->layout, part, chunk, op->chunk), part->values);
        return;
    }
    if (part->tail < op->layout->n)
        FOR_GROUPS (op, chunk, g) {
            const Group of = group_of(op, chunk, g);
            (void)line_sweep_up(&of.factors, part->tail, op->layout->n, line_load(after + of.in_chunk),
                                of.z + (ptrdiff_t)part->tail * LINE_LANES, of.z, false);
        }
    if (part->tail == 0) send_first(op, chunk);
    join(op, chunk);
}

/* Right-hand sides of the reduced systems of a chunk. */
typedef struct Joints {
    LineRhs first;
    int g0;
} Joints;

static LineRhs joints_of(const void *of, ptrdiff_t g) {
    const Joints *joints = of;
    LineRhs rhs = joints->first;
    rhs.u += (g - joints->g0) * rhs.n * LINE_LANES;
    return rhs;
}

static void solve_joints(LineOperator *op, int chunk) {
    LinePartition *part = op->partition;
    const Round r = round_of(op->layout, part, chunk, op->chunk);
    const int groups = receive_joints(r, part->values), joints = part->span.joints;
    const LineRhs first = {.reach = -1, .n = joints, .u = part->values};
    if (by_kernels(op))
        line_blocks_launch(part->reduced, part->solved[chunk], part->solved[chunk] + groups, &first,
                           part->values, 0);
    else
        line_blocks_solve(part->reduced, part->solved[chunk], part->solved[chunk] + groups, joints_of,
                          &(Joints){first, part->solved[chunk]}, part->values, false);
    send_supports(r, part->values);
}

static void substitute(LineOperator *op, int chunk) {
    LinePartition *part = op->partition;
    const LineLayout *layout = op->layout;
    const Share s = part->share[layout->rank];
    for (int p = 0; p < layout->ranks; p++) {
        int g0, g1;
        const double *support = part->supports[chunk % SLOTS][p].in;
        solver_groups(layout, chunk, p, op->chunk, &g0, &g1);
        line_mail_wait(&part->supports[chunk % SLOTS][p]);
        if (by_kernels(op)) {
            launch_substitute(op, support, g0, g1);
            continue;
        }
        for (int g = g0; g < g1; g++, support += (ptrdiff_t)s.supports * LINE_LANES) {
            const Group of = group_of(op, chunk, g);
            for (int j = 0; j < layout->n;) {
                const int w = line_block(part->span, layout->first + j);
                const double *at = support + (ptrdiff_t)(w - s.support0) * LINE_LANES;
                if (w * part->span.block == layout->first + j)
                    line_store(of.x + (ptrdiff_t)j++ * LINE_LANES, line_load(at));
                const int end = line_block_end(part->span, w) - layout->first;
                const int last = end < layout->n ? end : layout->n;
                line_substitute(&of.factors, j, last, line_load(at), line_load(at + LINE_LANES), of.z, of.x,
                                op->past);
                j = last;
            }
        }
    }
}

void line_partition_solve(LineOperator *op) {
    exec_wait(op->layout->exec); /* for who still reads the mail of the solution before */
    static const LineStage stage[STAGES] = {reduce_inside, reduce_head, finish_tail, solve_joints,
                                            substitute};
    line_stages(op, stage, STAGES);
}
