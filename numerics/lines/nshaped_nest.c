/* SPDX-License-Identifier: Apache-2.0
 *
 * Nested partitions over ranks (the paper's equation 6): the joints' rows M1 of a line M0 stay spread over ranks and are
 * partitioned again, into M2 and so on, each level with fewer rows on fewer ranks:
 *
 *     RD + JD + RU + JU of M0, of M1, ...;   RS of the last;   SS of the others, up to M0
 *
 * At each level some ranks, the leaders, take the joints of the ranks that follow them, so that each has a block of the next
 * level at least, and solve them as lines of their own. The blocks are those of one rank (blocks.c), and so are the bits.
 */
#include "numerics/lines/nshaped.h"

#include "base/memory.h"
#include "numerics/lines/device_blocks.h"

struct LineNest {
    int leader;           /* who has the own joints */
    int member0, member1; /* of a leader: the ranks whose joints it has; else none */
    LineMail up;          /* own joints to the leader, supports from there */
    /* of a leader */
    LineMail *member; /* joints of each of its ranks, their supports */
    LineLayout *layout;
    LineOperator *op;
    LineFetch *beyond; /* the joints beside its own */
    double *halo[2], *value;
    bool sound;
};

/* The ranks that share the leader of rank p, from the line's first rank on: as few as have a block of the next level. */
static void find_members(const LineLayout *layout, const LinePartition *part, int block, int p, int *first,
                         int *end) {
    const int ranks = layout->ranks, all = part->span.joints;
    for (*first = *end = 0; *end <= p;) {
        *first = *end;
        const int joint0 = part->share[*first].joint0;
        while (*end < ranks && part->share[*end].joint0 < joint0 + block) ++*end;
        if (*end < ranks && all - part->share[*end].joint0 < block) *end = ranks;
    }
}

static ptrdiff_t own_joints(const LineLayout *layout, const LinePartition *part, int rank) {
    const Share s = part->share[rank];
    return (ptrdiff_t)(s.joint1 - s.joint0) * layout->lanes;
}

static ptrdiff_t of_supports(const LineLayout *layout, const LinePartition *part, int rank) {
    return (ptrdiff_t)part->share[rank].supports * layout->lanes;
}

/* The own joints' numbers, which are in `up`, to the leader, there into `value`. */
static void gather(LineNest *nest, const LineLayout *layout, const LinePartition *part, double *value) {
    const int groups = layout->groups, first = nest->member0;
    exec_wait(layout->exec); /* for what leaves, and for who still reads what came before */
    for (int p = first; p < nest->member1; p++)
        line_mail_expect(&nest->member[p - first], layout, p, TAG_JOINTS,
                         groups * own_joints(layout, part, p));
    line_mail_send(&nest->up, layout, nest->leader, TAG_JOINTS,
                   groups * own_joints(layout, part, layout->rank));
    for (int p = first; p < nest->member1; p++) {
        const ptrdiff_t count = own_joints(layout, part, p),
                        skip = (ptrdiff_t)(part->share[p].joint0 - part->share[first].joint0) * layout->lanes;
        line_mail_wait(&nest->member[p - first]);
        lines_copy(layout->exec, (LinesCopy){.from = nest->member[p - first].in,
                                             .to = value + skip,
                                             .from_piece = count,
                                             .to_piece = nest->layout->group,
                                             .count = count,
                                             .pieces = groups});
    }
}

/* Joints w0 <= w < w1 of those that one of its ranks needs, from `from`, whose first joint is `first`. */
static void copy_supports(const LineNest *nest, const LineLayout *layout, Share s, LineMail *mail, int w0,
                          int w1, const double *from, int first, ptrdiff_t piece) {
    const int begin = s.support0 > w0 ? s.support0 : w0,
              end = s.support0 + s.supports < w1 ? s.support0 + s.supports : w1;
    if (begin >= end) return;
    lines_copy(layout->exec, (LinesCopy){.from = from + (ptrdiff_t)(begin - first) * layout->lanes,
                                         .to = mail->out + (ptrdiff_t)(begin - s.support0) * layout->lanes,
                                         .from_piece = piece,
                                         .to_piece = (ptrdiff_t)s.supports * layout->lanes,
                                         .count = (ptrdiff_t)(end - begin) * layout->lanes,
                                         .pieces = nest->layout->groups});
}

/* All joints' numbers are known: tells each of its ranks those that it needs. */
static void spread(LineNest *nest, const LineLayout *layout, const LinePartition *part) {
    const int first = nest->member0, joint0 = nest->layout->first, joint1 = joint0 + nest->layout->n;
    const ptrdiff_t edge = layout->lanes;
    line_fetch(nest->beyond, nest->value, nest->halo);
    for (int p = first; p < nest->member1; p++) {
        LineMail *mail = &nest->member[p - first];
        const Share s = part->share[p];
        line_mail_reuse(mail);
        copy_supports(nest, layout, s, mail, joint0 - 1, joint0, nest->halo[0], joint0 - 1, edge);
        copy_supports(nest, layout, s, mail, joint0, joint1, nest->value, joint0, nest->layout->group);
        copy_supports(nest, layout, s, mail, joint1, joint1 + 1, nest->halo[1], joint1, edge);
    }
    exec_wait(layout->exec);
    for (int p = first; p < nest->member1; p++)
        line_mail_send(&nest->member[p - first], layout, p, TAG_SUPPORTS,
                       layout->groups * of_supports(layout, part, p));
}

double *nest_joints(LineNest *nest) {
    return nest->up.out;
}

void nest_reuse(LineNest *nest) {
    line_mail_reuse(&nest->up);
}

const double *nest_solve(LineNest *nest, const LineLayout *layout, const LinePartition *part) {
    line_mail_expect(&nest->up, layout, nest->leader, TAG_SUPPORTS,
                     layout->groups * of_supports(layout, part, layout->rank));
    gather(nest, layout, part, nest->value);
    if (nest->layout) {
        lines_solve(nest->op, nest->value, nest->value);
        spread(nest, layout, part);
    }
    line_mail_wait(&nest->up);
    return nest->up.in;
}

/* ---- set-up ---- */

/* The joints' rows at the leader. */
static LineMatrix lead_rows(LineNest *nest, const LineLayout *layout, const LinePartition *part,
                            const LineMatrix *joints) {
    LineMatrix all = {0};
    if (nest->layout)
        all = line_matrix_create(true, nest->layout->n, nest->layout->groups, nest->layout->lanes);
    const double *from[] = {joints->a, joints->b, joints->c};
    double *to[] = {all.a, all.b, all.c};
    const ptrdiff_t count = layout->groups * own_joints(layout, part, layout->rank);
    for (int m = 0; m < 3; m++) {
        line_mail_reuse(&nest->up);
        lines_copy(layout->exec,
                   (LinesCopy){.from = from[m], .to = nest->up.out, .count = count, .pieces = 1});
        gather(nest, layout, part, to[m]);
    }
    return all;
}

static void make_mail(LineNest *nest, const LineLayout *layout, const LinePartition *part) {
    const int first = nest->member0, me = layout->rank;
    const ptrdiff_t groups = layout->groups;
    nest->up = line_mail_create(layout->exec, groups * own_joints(layout, part, me),
                                groups * of_supports(layout, part, me));
    nest->member = ALLOCATE(nest->member1 - first + 1, LineMail);
    for (int p = first; p < nest->member1; p++)
        nest->member[p - first] = line_mail_create(layout->exec, groups * of_supports(layout, part, p),
                                                   groups * own_joints(layout, part, p));
}

/* Collective over the leaders. */
static Status make_lines(LineNest *nest, const LineLayout *layout, const LinePartition *part,
                         MPI_Comm leaders) {
    const int joints = part->share[nest->member1 - 1].joint1 - part->share[nest->member0].joint0;
    TRY(line_layout_create(layout->exec, leaders, joints, layout->groups * layout->lanes, layout->periodic,
                           &nest->layout));
    nest->value = lines_allocate(nest->layout);
    int *one = ALLOCATE(nest->layout->ranks, int);
    for (int p = 0; p < nest->layout->ranks; p++) one[p] = 1;
    nest->beyond = line_fetch_create(nest->layout, one, one);
    memory_free(one);
    for (int side = 0; side < 2; side++)
        nest->halo[side] = ALLOCATE((ptrdiff_t)layout->groups * layout->lanes + 1, double);
    return STATUS_OK;
}

LineNest *nest_create(const LineLayout *layout, const LinePartition *part, const LineMatrix *joints,
                      int levels) {
    const int block = line_blocks_best(part->span.joints, levels);
    LineNest *nest = ALLOCATE(1, LineNest);
    int first, end;
    find_members(layout, part, block, layout->rank, &first, &end);
    nest->leader = first;
    if (first == layout->rank) nest->member0 = first, nest->member1 = end;
    make_mail(nest, layout, part);
    MPI_Comm leaders;
    MPI_Comm_split(layout->comm, first == layout->rank ? 0 : MPI_UNDEFINED, layout->rank, &leaders);
    Status status = STATUS_OK;
    if (leaders != MPI_COMM_NULL) {
        status = make_lines(nest, layout, part, leaders);
        MPI_Comm_free(&leaders);
    }
    if (status != STATUS_OK) error_give_up(); /* every leader has joints */
    LineMatrix all = *joints;
    if (joints->per_line) all = lead_rows(nest, layout, part, joints);
    const LineRows rows = {.per_line = joints->per_line, .a = all.a, .b = all.b, .c = all.c};
    const LineChoice choice = {.method = LINES_NSHAPED, .block_rows = block, .levels = levels};
    nest->sound = !nest->layout || line_operator_create(nest->layout, &rows, &choice, &nest->op) == STATUS_OK;
    exec_wait(layout->exec);
    if (joints->per_line) line_matrix_release(&all);
    return nest;
}

void nest_destroy(Exec exec, LineNest **nest) {
    LineNest *n = *nest;
    if (!n) return;
    line_mail_release(exec, &n->up);
    for (int p = n->member0; p < n->member1; p++) line_mail_release(exec, &n->member[p - n->member0]);
    memory_free(n->member);
    line_operator_destroy(&n->op);
    line_fetch_destroy(&n->beyond);
    line_layout_destroy(&n->layout);
    memory_free(n->value);
    for (int side = 0; side < 2; side++) memory_free(n->halo[side]);
    memory_free(n);
    *nest = NULL;
}

bool nest_sound(const LineNest *nest) {
    return nest->sound;
}
