/* SPDX-License-Identifier: Apache-2.0
 *
 * Compact finite differences along a line: the rows of
 *
 *     lower f'(i-1) + centre f'(i) + upper f'(i+1) = sum over m of weight(m) f(i+m)
 *
 * for derivatives, means at midpoints and a filter, on points of equal spacing, segment by segment where land
 * breaks the line. compact_operator.h turns the rows into an operator.
 *
 * Inside:
 *     first derivative    1/3   sixth order       [1]
 *     second derivative   2/11  sixth order       [1]
 *     the same            1/10  fourth order: three points on both sides of the equation [1]
 *     mean at a midpoint  3/10  sixth order; row i stands for the place between the points i and i+1 [1]
 *     filter              A f' = A f - (1 - 2a)/64 T'T f, with A = (a, 1, a) and T the third difference:
 *                         sixth order inside [2], and on every segment its eigenvalues are real and between
 *                         0 and 1, since (A x, x) >= (1 - 2a)/64 |T x|^2 on the line extended by zeros.
 *
 * Ends of a segment:
 *     END_COAST   from the points of the segment alone. Third order: the derivative of the first point
 *                 is coupled to the second one's by 2, the second point's row is the fourth-order
 *                 (1/4, 1, 1/4); second derivative and mean are those of a polynomial through five or four
 *                 points; the filter leaves quadratic polynomials as they are. Up to four points: the
 *                 polynomial through all of them, for the filter up to three: as they are.
 *     END_EVEN_NODE, END_ODD_NODE   mirrored about the outermost point, with the same or the other sign
 *     END_EVEN_HALF, END_ODD_HALF   mirrored half a spacing beyond it
 *     END_COAST_WALL, END_EVEN_WALL, END_ODD_WALL   a wall one spacing beyond it holds 0; from there on as
 *                 END_COAST, END_EVEN_NODE and END_ODD_NODE. The midpoints beside the walls have rows too.
 * The mirrored ones keep every order for fields with that symmetry, and they keep the inner operator's
 * properties: the first derivative of what is odd at nodes stays skew-symmetric to that of what is even.
 *
 * [1] S. K. Lele, J. Comput. Phys. 103 (1992) 16-42.
 * [2] D. V. Gaitonde, M. R. Visbal, AIAA Journal 38 (2000) 2103-2112.
 */
#ifndef MAEOTIS_NUMERICS_LINES_COMPACT_H
#define MAEOTIS_NUMERICS_LINES_COMPACT_H

#include <stdbool.h>

#define COMPACT_REACH 4 /* points that a row reaches to either side */

typedef enum CompactOperator {
    COMPACT_FIRST,
    COMPACT_SECOND,
    COMPACT_SECOND_FOURTH_ORDER,
    COMPACT_MIDPOINT,
    COMPACT_FILTER,
} CompactOperator;

typedef enum CompactEnd {
    END_COAST,
    END_EVEN_NODE,
    END_ODD_NODE,
    END_EVEN_HALF,
    END_ODD_HALF,
    END_COAST_WALL,
    END_EVEN_WALL,
    END_ODD_WALL
} CompactEnd;

typedef struct CompactScheme {
    CompactOperator kind;
    CompactEnd end; /* of segments, at land and where the line ends */
    double spacing; /* of the points */
    double filter;  /* a of the filter, between -1/2 and 1/2; near 1/2 it takes little */
} CompactScheme;

/* A point that takes no part and is no land ends segments too, always as END_COAST. */
typedef enum CompactPoint { POINT_LAND, POINT_WET, POINT_APART } CompactPoint;

typedef struct CompactRow {
    double lower, centre, upper;
    double weight[2 * COMPACT_REACH + 1]; /* of the point i + m: weight[COMPACT_REACH + m] */
} CompactRow;

/* The rows of a line of n points. `points` says which take part (a CompactPoint each), NULL: all; one that
 * does not, and a midpoint that is not between two wet points or a wet one and a wall, gets the row f' = 0.
 * In a periodic line neighbours are counted modulo n. */
void compact_rows(const CompactScheme *scheme, int n, const unsigned char *points, bool periodic,
                  CompactRow *rows);

/* A row far from every end. */
CompactRow compact_inner_row(const CompactScheme *scheme);

#endif
