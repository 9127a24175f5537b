/* SPDX-License-Identifier: Apache-2.0
 *
 * Tridiagonal systems along lines that stay where they are, spread over ranks:
 *
 *     a[j] x[j-1] + b[j] x[j] + c[j] x[j+1] = d[j],     d[j] = sum over m of r[m][j] u[j+m],   |m| <= reach
 *
 * The rows are described once (LineRows), and what can be computed from them alone is kept in a LineOperator.
 * lines_solve then takes u and gives x for every line of a layout; the right-hand side is made on the way.
 *
 *     LineOperator *second_derivative;
 *     LineRows rows = {.a = a, .b = b, .c = c, .reach = 2, .r = {r_2, r_1, r0, r1, r2}};
 *     TRY(line_operator_create(layout, &rows, &(LineChoice){.tolerance = 1e-12}, &second_derivative));
 *     lines_from_field(layout, field, u);
 *     lines_solve(second_derivative, u, x);
 *     lines_add_to_field(layout, x, 1.0, tendency);
 *
 * Land breaks lines: a row with a = c = 0, b = 1 and r = 0 (or r[0] = 1) gives 0 (or keeps u), and its
 * neighbours have no coupling to it. Pivots: b must dominate (|b| > |a| + |c|, or nearly), nothing is
 * swapped.
 */
#ifndef MAEOTIS_NUMERICS_LINES_H
#define MAEOTIS_NUMERICS_LINES_H

#include "numerics/lines/line_layout.h"

/* Rows of one system for all lines (per_line false: arrays of layout->rows numbers, the whole line on every
 * rank), or of one for each (per_line true: arrays of the layout, own rows). The same for the right-hand
 * side, r[reach + m] for the neighbour m rows further. On closed lines whatever points beyond the ends must
 * be 0. reach 0 with r[0] NULL: d = u. Arrays are copied. */
typedef struct LineRows {
    bool per_line;
    const double *a, *b, *c;
    bool rhs_per_line;
    int reach;
    const double *r[2 * LINE_REACH + 1];
} LineRows;

typedef enum LineMethod { LINES_AUTO, LINES_THOMAS, LINES_DISTD2, LINES_NSHAPED } LineMethod;

/* LINES_AUTO, tolerance 0: an exact method whose bits are the same for any number of ranks. With a tolerance
 * (error allowed, against the largest |x|): the fastest method whose error is proved to be below it. LINES_DISTD2 with a
 * tolerance: DistD2 where its error is proved to be below that, else N-shaped; without one: whatever its error is. */
typedef struct LineChoice {
    LineMethod method;
    double tolerance;
    int blocks; /* N-shaped: how many blocks a line is cut into, at most half its rows; 0: by block_rows */
    int block_rows; /* N-shaped: rows from one joint line to the next; 0: chosen, from the line's length and levels only */
    int levels;       /* N-shaped: how often a system is reduced, nested; 0: chosen */
    int chunk_groups; /* over ranks: how many groups go through the stages together; 0: chosen */
} LineChoice;

/* Rows from one joint to the next, on lines of so many rows. */
int line_choice_block(const LineChoice *choice, int rows);

typedef struct LineOperator LineOperator;

/* Collective over layout->everyone. The layout must outlive the operator. */
CHECKED Status line_operator_create(const LineLayout *layout, const LineRows *rows, const LineChoice *choice,
                                    LineOperator **out);
void line_operator_destroy(LineOperator **op);

/* New coefficients for an operator of the same layout and choice, or a new one where *op is NULL. Where lines
 * are whole, per line, and the right-hand side is u itself, the memory is used again. Collective over
 * layout->everyone. */
CHECKED Status line_operator_renew(const LineLayout *layout, const LineRows *rows, const LineChoice *choice,
                                   LineOperator **op);

/* x from u, arrays of the layout; x may be u where the right-hand side is u itself (r[0] NULL). Collective
 * over layout->comm. */
void lines_solve(LineOperator *op, const double *u, double *x);

/* For those who measure: told of each stage of lines that processes share when it is over, with the time in it that went
 * by in waiting [s]. NULL: nobody. */
typedef void LineWatch(int stage, int chunk, double begin, double end, double waited);
extern LineWatch *line_watch;

/* What was decided at set-up, and why: method, bound of the error, blocks. One line of text, to be freed with
 * memory_free. Local. */
char *line_operator_describe(const LineOperator *op);

/* The same in the log, where lines may be decoupled (a tolerance is given) or their blocks are chosen, once for each method
 * that is chosen: `told` remembers them and begins as 0. `what`: "viscosity along x". Local. */
void line_operator_tell(const LineOperator *op, const char *what, unsigned *told);

/* The fewest own rows per rank with which DistD2 and `exchanges` further ones keep to the tolerance on lines
 * of the rows (-r, 1 + 2 r, -r), r > 0: mixing in one step, r = step times diffusivity over the spacing
 * squared; a compact scheme that couples neighbours by alpha is r = alpha / (1 - 2 alpha). */
double line_decoupled_rows(double number, double tolerance, int exchanges);

LineMethod line_operator_method(const LineOperator *op);
double line_operator_bound(const LineOperator *op); /* of the truncation, against the largest |x|; 0: none */

#endif
