/* SPDX-License-Identifier: Apache-2.0
 *
 * The N-shaped partition of a line (Lutsyshyn, Navarrete, Bauer): joint rows 0, B, 2B, ... and the blocks of
 * rows between them. The rows of a block are reduced to their two joints (RD, RU), the joints to a
 * tridiagonal system of their own (JD, JU), which is solved by any method (RS) and gives the other rows (SS).
 * The beginning of a block follows from its place in the whole line alone, so the operations are the same for
 * any number of ranks.
 *
 * In the paper the last row is a joint too. Here a closed line ends inside a block, whose last row has no
 * coupling: the same as a last joint of coupling 0, with one unknown less. The last block takes the rest of
 * the line, so that it has B to 2 B - 1 rows.
 *
 * A LineBlocks solves whole lines in one rank's memory. The reduced system may be reduced again several times
 * (the paper's nesting); Thomas, which is the partition without joints, solves the last one.
 */
#ifndef MAEOTIS_NUMERICS_LINES_BLOCKS_H
#define MAEOTIS_NUMERICS_LINES_BLOCKS_H

#include "numerics/lines/factor.h"

LineMatrix line_matrix_create(bool per_line, int n, int groups, int lanes);
void line_matrix_release(LineMatrix *matrix);
/* As large as a matrix; with p and q where rows follow from supports. */
LineFactors line_factors_create(const LineMatrix *like, bool supports);
void line_factors_release(LineFactors *factors);

typedef struct LineBlocks {
    Exec exec;
    const unsigned char *idle; /* lanes [group][lane], not owned; NULL: none is */
    int n, groups;             /* rows of the line; groups of the tables */
    bool periodic;
    LineSpan span;       /* no joints: Thomas */
    LineFactors factors; /* of all rows; of joints f = a, g = c as they were */
    LineMatrix joints;   /* the reduced system */
    struct LineBlocks *reduced;
    double *scratch; /* of a group: y, z, the joints' numbers; on a GPU of scratch_groups: the latter */
    int scratch_groups;
    int64_t *unsound; /* on a GPU: factors that are no numbers, counted */
} LineBlocks;

/* `levels`: how often to reduce; 0: Thomas. block: joint to joint of the first level; 0: chosen for all. */
LineBlocks *line_blocks_create(Exec exec, const LineMatrix *matrix, const unsigned char *idle, bool periodic,
                               int levels, int block);
void line_blocks_destroy(LineBlocks **blocks);
void line_blocks_renew(LineBlocks *blocks, const LineMatrix *matrix); /* of the same shape */

bool line_blocks_sound(const LineBlocks *blocks); /* are all factors numbers? */

/* On a GPU: groups g0 <= g < g1 of the tables, which are groups from first_x on of the right-hand side and of
 * x. A launch. */
void line_blocks_launch(LineBlocks *blocks, int g0, int g1, const LineRhs *rhs, double *x, int first_x);

/* Groups g0 <= g < g1: x (of the first of them) from the right-hand sides, past the caches or not. */
typedef LineRhs (*LineRhsOf)(const void *of, ptrdiff_t g);
static inline LineRhs line_rhs_given(const void *rhs, ptrdiff_t g) { /* of a single group */
    (void)g;
    return *(const LineRhs *)rhs;
}
void line_blocks_solve(const LineBlocks *blocks, int g0, int g1, LineRhsOf rhs_of, const void *of, double *x,
                       bool past);

/* RD and RU of blocks w0 <= w < w1 of one group, all of whose rows are there, into `block`'s z; y: scratch of
 * four blocks' rows. */
void line_blocks_reduce(LineSpan span, int w0, int w1, LineStretch block, double *y);

/* Are all factors numbers? `groups`: of the tables. */
bool line_factors_sound(const LineFactors *factors, int groups);

/* Rows from joint to joint of lines of n rows where nothing else is asked for. */
int line_blocks_rows(int n);

/* Rows from joint to joint that make the longest chain of operations shortest where every block has a processor: about
 * n^(1 / (levels + 1)), as the paper's equations 7 and 8 say, and such that little is left for the last block, whose rows all
 * others wait for at every level. */
int line_blocks_best(int n, int levels);

/* The rows of that chain: of the longest block of every level, and of the last reduced system. block 0: chosen. By equation 9 it
 * is (levels + 1) n^(1 / (levels + 1)). */
int line_blocks_chain(int n, int levels, int block);

#endif
