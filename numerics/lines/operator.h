/* SPDX-License-Identifier: Apache-2.0
 *
 * The content of a LineOperator. For the files of this folder.
 *
 * Lines that are cut over ranks are solved chunk by chunk of groups, in stages: while the messages of one
 * chunk travel, the next ones are worked on, and a chunk's numbers are still in the cache when their turn
 * comes again.
 */
#ifndef MAEOTIS_NUMERICS_LINES_OPERATOR_H
#define MAEOTIS_NUMERICS_LINES_OPERATOR_H

#include "numerics/lines/blocks.h"
#include "numerics/lines/line_exchange.h"
#include "numerics/lines/lines.h"

typedef struct LineInterface LineInterface; /* distd2.c */
typedef struct LinePartition LinePartition; /* nshaped.h */

typedef struct LineCriterion {
    double eta, kappa; /* largest of all ranks */
    double bound;      /* kappa eta^(exchanges + 1) */
    int exchanges;     /* further ones */
} LineCriterion;

struct LineOperator {
    const LineLayout *layout;
    LineChoice choice;
    LineMethod method;
    LineCriterion criterion;
    LineRhs rhs;      /* tables of all groups */
    LineFetch *fetch; /* of u */
    double *halo[2];
    int chunk, chunks; /* groups in a chunk */
    const double *u;   /* of the solution under way */
    double *x;
    int from; /* the group that u and x begin with: 0 unless they hold some groups alone (line_transport.c) */
    bool past;                /* x is too large for caches */
    double *z;                /* of the groups of chunks under way */
    int slots;                /* how many chunks these are: as many as there are stages */
    LineMatrix matrix;        /* kept from the first renewal on */
    LineBlocks *blocks;       /* whole lines in this rank's memory; or */
    LineInterface *interface; /* or */
    LinePartition *partition;
};

enum { LINE_SLOTS = 6 }; /* chunks under way at once: as many as the longest way has stages, and one */

/* z of a group while its chunk is under way. */
static inline double *line_z(const LineOperator *op, int chunk, int g) {
    return op->z + ((ptrdiff_t)(chunk % op->slots) * op->chunk + g - chunk * op->chunk) * op->layout->group;
}

/* The right-hand side of one group. */
LineRhs line_rhs_of(const LineOperator *op, ptrdiff_t g);

/* Groups g0 <= g < g1 of a chunk. */
static inline int line_chunk_end(const LineOperator *op, int chunk) {
    const int end = (chunk + 1) * op->chunk;
    return end < op->layout->groups ? end : op->layout->groups;
}

/* Stage s of chunk c is worked on s turns after the first stage of it. */
typedef void (*LineStage)(LineOperator *op, int chunk);
void line_stages(LineOperator *op, const LineStage *stage, int stages);

/* DistD2. `matrix`: own rows. interface_create is collective over layout->comm; its criterion is that of this
 * line's ranks, with a bound that is infinite where DistD2 cannot be used. */
LineInterface *line_interface_create(const LineLayout *layout, const LineMatrix *matrix, int chunk,
                                     LineCriterion *criterion);
void line_interface_destroy(LineInterface **interface);
void line_interface_solve(LineOperator *op);
int line_interface_stages(const LineOperator *op, LineStage stage[LINE_SLOTS]); /* their number */

/* N-shaped. `matrix`: own rows, or where shared all rows of the line. Collective over layout->comm. */
LinePartition *line_partition_create(const LineLayout *layout, const LineMatrix *matrix, LineSpan span,
                                     int levels, int chunk);
void line_partition_destroy(LinePartition **partition);
void line_partition_solve(LineOperator *op);
bool line_partition_sound(const LinePartition *partition);  /* are all factors numbers? */
bool line_partition_nested(const LinePartition *partition); /* then z of all groups is under way */

#endif
