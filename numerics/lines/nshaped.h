/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside nshaped*.c: what a rank keeps of the partition (nshaped.c), and its messages about joints.
 */
#ifndef MAEOTIS_NUMERICS_LINES_NSHAPED_H
#define MAEOTIS_NUMERICS_LINES_NSHAPED_H

#include "numerics/lines/operator.h"

enum { TAG_DOWN = 31, TAG_UP, TAG_JOINTS, TAG_SUPPORTS, SLOTS = LINE_SLOTS };

/* Rows of one rank, seen from the blocks. */
typedef struct Share {
    int joint0, joint1;     /* own joints: joint0 <= w < joint1 */
    int support0, supports; /* the joints that the own rows need, around the end too */
} Share;

typedef struct LineNest LineNest; /* nshaped_nest.c */

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
    LineNest *nest; /* NULL: the reduced systems are solved by `reduced` */
    int *solved;    /* how many groups this rank solves in all chunks before this one */
    LineMail down[SLOTS], up[SLOTS], *joints[SLOTS], *supports[SLOTS]; /* of the latter one for each rank */
    double *values, *y; /* joints of a chunk; rows of a block */
    bool of_kernels;    /* factors were made and are looked at by kernels alone */
    int64_t *unsound;   /* on a GPU: factors that are no numbers, counted */
};

/* A chunk of groups, whose messages have one of the slots. */
typedef struct Round {
    const LineLayout *layout;
    LinePartition *part;
    int chunk, size, slot;
} Round;

static inline Round nshaped_round(const LineLayout *layout, LinePartition *part, int chunk, int size) {
    return (Round){layout, part, chunk, size, chunk % SLOTS};
}

static inline ptrdiff_t nshaped_lanes(Round r, int rows) {
    return (ptrdiff_t)rows * r.layout->lanes;
}

/* Groups of a chunk whose reduced systems rank p solves. */
static inline void nshaped_solvers(const LineLayout *layout, int chunk, int p, int size, int *g0, int *g1) {
    const int first = chunk * size;
    int count = layout->groups - first;
    if (count > size) count = size;
    *g0 = first + (int)((int64_t)count * p / layout->ranks);
    *g1 = first + (int)((int64_t)count * (p + 1) / layout->ranks);
}

/* Own joints' numbers, [group of the chunk][own joint][lane], to the solvers of the groups; there all joints of the groups solved
 * here, [group][joint][lane], whose number is returned. */
void nshaped_send_joints(Round round, const double *value);
int nshaped_receive_joints(Round round, double *value);

/* Every rank's supports: joints from its first on, and one from the line's begin (0 where it ends) where they go on around it. */
void nshaped_send_supports(Round round, const double *value);
void nshaped_expect_supports(Round round);

/* Reduced systems that stay spread over ranks and are partitioned again, `levels` times (nshaped_nest.c). `joints`: of per_line
 * rows the own joints', else all. nest_create is collective over layout->comm. */
LineNest *nest_create(const LineLayout *layout, const LinePartition *part, const LineMatrix *joints,
                      int levels);
void nest_destroy(Exec exec, LineNest **nest);
bool nest_sound(const LineNest *nest); /* are all factors numbers? */

double *nest_joints(LineNest *nest); /* where the own joints' numbers go, [group][own joint][lane] */
void nest_reuse(LineNest *nest);     /* before they do: waits until those of the solution before have left */

/* The own rows' supports, [group][support][lane], from the joints' numbers. Collective over layout->comm. */
const double *nest_solve(LineNest *nest, const LineLayout *layout, const LinePartition *part);

#endif
