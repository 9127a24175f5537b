/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of lines, for GPUs and the emulator: a thread is one lane of a group, a warp the group, and the
 * warps of a block share a line's blocks where it has some. For the files of this folder; the bits are those
 * of a processor, whose recurrences (recurrence.h, factor.h) these threads follow.
 *
 * Blocks of threads are groups: block n works on group first_group + n. Arrays of lines are whole ones,
 * messages those of the groups of a chunk.
 */
#ifndef MAEOTIS_NUMERICS_LINES_DEVICE_BLOCKS_H
#define MAEOTIS_NUMERICS_LINES_DEVICE_BLOCKS_H

#include "gpu/block.h"
#include "numerics/lines/factor.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
    LINE_WARPS = 16, /* of a group, at most */
    LINE_KEPT = 64,  /* rows of a group that stay in shared memory */
    LINE_LEVELS = 8  /* reductions, nested, and the last one's Thomas */
};

static inline bool lines_on_device(Exec exec) {
    return exec.device != DEVICE_CPU;
}

/* A block of threads for each group, with as many warps as there is work for. */
static inline BlockShape line_shape(int groups, int warps) {
    const int most = warps < LINE_WARPS ? warps : LINE_WARPS;
    const BlockShape shape = {groups, LINE_LANES_GPU * (most > 1 ? most : 1)};
    return shape;
}

/* ---- set-up (factor_blocks.c) ---- */

/* line_factor_blocks, and the rows of the joints joint0 <= w < joint1, which are row w B - origin of the
 * tables. Idle lanes get rows that harm nobody. */
typedef struct LinesFactor {
    LineMatrix matrix;
    const unsigned char *idle; /* NULL: none is */
    LineSpan span;
    bool periodic; /* tables hold whole lines, which continue around the end */
    int joint0, joint1, origin;
    LineFactors factors;
    LineMatrix joints;
    int64_t *unsound; /* is added to: rows without a pivot */
} LinesFactor;
void lines_factor(Exec exec, BlockShape shape, LinesFactor args);

/* line_factor_interface; the couplings of the ends go to tables [group][lane]. One warp. */
typedef struct LinesFactorEnds {
    LineMatrix matrix;
    const unsigned char *idle;
    LineFactors factors;
    double *first_p, *first_q, *last_p, *last_q;
} LinesFactorEnds;
void lines_factor_ends(Exec exec, BlockShape shape, LinesFactorEnds args);

/* ---- whole lines (solve_blocks.c) ---- */

/* Down and up all own rows: Thomas, or DistD2's decoupling, which tells the neighbours z of the ends. One
 * warp. x may be u where reach is -1. */
typedef struct LinesSweep {
    LineFactors factors;
    LineRhs rhs;
    int first_group, first_x; /* of the factors; of x and the right-hand side */
    double *x;
    double *end;                  /* NULL (Thomas), or [group of the chunk][z first, z last][lane] */
    double *to_before, *to_after; /* messages: z first, z last */
} LinesSweep;
void lines_sweep(Exec exec, BlockShape shape, LinesSweep args);

typedef struct LinesLevel {
    LineSpan span;
    LineFactors factors;
} LinesLevel;

/* The N-shaped partition, nested: all stages of one group in one block of threads. */
typedef struct LinesNested {
    LinesLevel level[LINE_LEVELS]; /* two and more, the last one without joints: Thomas */
    int levels;
    bool periodic;
    LineRhs rhs;
    int first_group, first_x; /* of the level's tables; of x and all of the right-hand side */
    double *x;                /* may be u where reach is -1 */
    int joints;               /* rows of all reduced systems together */
    double *scratch;          /* [block][joint][lane], where shared memory is too small for them */
} LinesNested;
void lines_nested(Exec exec, BlockShape shape, LinesNested args);

/* ---- DistD2 over ranks (ends_blocks.c) ---- */

/* Systems of two rows at both cuts; tables [group][lane], or one number where shared. */
typedef struct LinesEnds {
    bool per_line;
    int n, first_group;
    const double *first_p, *first_q, *last_p, *last_q, *inverse_before, *inverse_after;
    const double *from_before, *from_after; /* messages */
    double *end;                            /* as of LinesSweep */
    double *to_before, *to_after;           /* of lines_ends alone */
    LineFactors factors;                    /* of lines_supports alone, like x */
    double *x;
} LinesEnds;
void lines_ends(Exec exec, BlockShape shape, LinesEnds args);     /* a further exchange; one warp */
void lines_supports(Exec exec, BlockShape shape, LinesEnds args); /* the ends, and all rows from them */

/* ---- N-shaped over ranks (partition_blocks.c) ---- */

typedef enum LinesStage { LINES_TAIL, LINES_INSIDE, LINES_HEAD, LINES_FINISH } LinesStage;

/* The work of a rank on its rows, as in nshaped.c; z is in x. */
typedef struct LinesPart {
    LinesStage stage;
    LineSpan span;
    LineFactors factors;
    LineRhs rhs;
    double *x;
    int n, first, first_group;
    int head, tail, whole0, whole1, joint0, joint1;
    bool through;
    const double *from_before, *from_after; /* messages: z of the neighbours' rows */
    double *to_before, *to_after;           /* NULL: nothing is told now */
    double *joints;                         /* [group of the chunk][own joint][lane] */
} LinesPart;
void lines_part(Exec exec, BlockShape shape, LinesPart args);

/* x from z and the supports, [block][support][lane]. */
typedef struct LinesSubstitute {
    LineSpan span;
    LineFactors factors;
    double *x;
    int n, first, first_group, support0, supports;
    const double *support;
} LinesSubstitute;
void lines_substitute(Exec exec, BlockShape shape, LinesSubstitute args);

/* ---- moving numbers (reorder_blocks.c) ---- */

/* `count` neighbouring numbers of each of `groups` pieces; from NULL: zeros. */
typedef struct LinesCopy {
    const double *from;
    double *to;
    ptrdiff_t from_piece, to_piece; /* from one piece to the next [elements] */
    ptrdiff_t count;
    int pieces;
} LinesCopy;
void lines_copy_blocks(Exec exec, BlockShape shape, LinesCopy args);
void lines_copy(Exec exec, LinesCopy args); /* the same on any device (line_exchange.c) */

typedef enum LinesWay { LINES_FROM_FIELD, LINES_TO_FIELD, LINES_ADD_TO_FIELD } LinesWay;

typedef struct LinesReorder {
    LinesWay way;
    LineAxis axis;
    double scale;
    double *field, *lines;
    const LinePlace *place;
    const unsigned char *idle;
    int n; /* own rows of a line */
    ptrdiff_t row, plane;
} LinesReorder;
void lines_reorder(Exec exec, BlockShape shape, LinesReorder args);

/* sum = along carried, or -(along carried + divergence) / 2 unless that is NULL, + viscosity second unless
 * that is NULL. */
typedef struct LinesTerms {
    const double *along, *carried, *divergence, *second;
    double viscosity, *sum;
    ptrdiff_t count;
} LinesTerms;
void lines_terms(Exec exec, BlockShape shape, LinesTerms args);
POINTWISE double lines_term_at(const LinesTerms *a, ptrdiff_t m) {
    const double product = a->along[m] * a->carried[m];
    if (!a->divergence) return product;
    const double sum = -0.5 * (product + a->divergence[m]);
    return a->second ? sum + a->viscosity * a->second[m] : sum;
}

#ifdef __cplusplus
}
#endif
#endif
