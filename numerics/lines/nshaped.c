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
#include "numerics/lines/nshaped.h"

#include "numerics/lines/device_blocks.h"

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

/* Where the own joints' numbers of a chunk go: nested, those of all groups together. */
static double *joints_of(const LineOperator *op, int chunk) {
    LinePartition *part = op->partition;
    const Share s = part->share[op->layout->rank];
    const ptrdiff_t groups = (ptrdiff_t)chunk * op->chunk, own = s.joint1 - s.joint0;
    return part->nest ? nest_joints(part->nest) + groups * own * op->layout->lanes : part->values;
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
                           .joints = joints_of(op, chunk)});
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
    if (!part->nest) nshaped_expect_supports(nshaped_round(layout, part, chunk, op->chunk));
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
    double *value = joints_of(op, chunk);
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
}

static void finish_tail(LineOperator *op, int chunk) {
    LinePartition *part = op->partition;
    const double *after = up_of(op, chunk)->in;
    line_mail_wait(up_of(op, chunk));
    if (by_kernels(op)) {
        launch(op, chunk, LINES_FINISH, part->tail == 0, false);
        if (part->tail == 0) send_first(op, chunk);
    } else {
        if (part->tail < op->layout->n)
            FOR_GROUPS (op, chunk, g) {
                const Group of = group_of(op, chunk, g);
                (void)line_sweep_up(&of.factors, part->tail, op->layout->n, line_load(after + of.in_chunk),
                                    of.z + (ptrdiff_t)part->tail * LINE_LANES, of.z, false);
            }
        if (part->tail == 0) send_first(op, chunk);
        join(op, chunk);
    }
    if (!part->nest) nshaped_send_joints(nshaped_round(op->layout, part, chunk, op->chunk), part->values);
}

/* Right-hand sides of the reduced systems of a chunk. */
typedef struct Joints {
    LineRhs first;
    int g0;
} Joints;

static LineRhs joints_rhs(const void *of, ptrdiff_t g) {
    const Joints *joints = of;
    LineRhs rhs = joints->first;
    rhs.u += (g - joints->g0) * rhs.n * LINE_LANES;
    return rhs;
}

static void solve_joints(LineOperator *op, int chunk) {
    LinePartition *part = op->partition;
    const Round r = nshaped_round(op->layout, part, chunk, op->chunk);
    const int groups = nshaped_receive_joints(r, part->values), joints = part->span.joints;
    const LineRhs first = {.reach = -1, .n = joints, .u = part->values};
    if (by_kernels(op))
        line_blocks_launch(part->reduced, part->solved[chunk], part->solved[chunk] + groups, &first,
                           part->values, 0);
    else
        line_blocks_solve(part->reduced, part->solved[chunk], part->solved[chunk] + groups, joints_rhs,
                          &(Joints){first, part->solved[chunk]}, part->values, false);
    nshaped_send_supports(r, part->values);
}

/* The rows of the groups g0 <= g < g1 of a chunk from their supports. */
static void substitute_groups(LineOperator *op, int chunk, int g0, int g1, const double *support) {
    const LinePartition *part = op->partition;
    const LineLayout *layout = op->layout;
    const Share s = part->share[layout->rank];
    if (by_kernels(op)) {
        launch_substitute(op, support, g0, g1);
        return;
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

static void substitute(LineOperator *op, int chunk) {
    LineMail *mail = op->partition->supports[chunk % SLOTS];
    for (int p = 0; p < op->layout->ranks; p++) {
        int g0, g1;
        nshaped_solvers(op->layout, chunk, p, op->chunk, &g0, &g1);
        line_mail_wait(&mail[p]);
        substitute_groups(op, chunk, g0, g1, mail[p].in);
    }
}

/* All joints first, then the next level, then all rows. */
static void solve_nested(LineOperator *op) {
    LinePartition *part = op->partition;
    const LineLayout *layout = op->layout;
    const ptrdiff_t count = (ptrdiff_t)part->share[layout->rank].supports * layout->lanes;
    static const LineStage stage[] = {reduce_inside, reduce_head, finish_tail};
    nest_reuse(part->nest);
    line_stages(op, stage, sizeof stage / sizeof *stage);
    const double *support = nest_solve(part->nest, layout, part);
    for (int chunk = 0; chunk < op->chunks; chunk++) {
        const int g0 = chunk * op->chunk;
        substitute_groups(op, chunk, g0, line_chunk_end(op, chunk), support + g0 * count);
    }
}

void line_partition_solve(LineOperator *op) {
    exec_wait(op->layout->exec); /* for who still reads the mail of the solution before */
    static const LineStage stage[] = {reduce_inside, reduce_head, finish_tail, solve_joints, substitute};
    if (op->partition->nest)
        solve_nested(op);
    else
        line_stages(op, stage, sizeof stage / sizeof *stage);
}
