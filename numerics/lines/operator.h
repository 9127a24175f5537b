/* SPDX-License-Identifier: Apache-2.0
 *
 * What a LineOperator holds. For the files of this folder.
 */
#ifndef MAEOTIS_NUMERICS_LINES_OPERATOR_H
#define MAEOTIS_NUMERICS_LINES_OPERATOR_H

#include "numerics/lines/blocks.h"
#include "numerics/lines/lines.h"

struct LineOperator {
    const LineLayout *layout;
    LineChoice choice;
    LineMethod method;
    double bound, dominance;   /* of the error of DistD2; eta of the criterion */
    int exchanges;             /* of DistD2's interface */
    LineRhs rhs;               /* tables of all groups */
    double *halo[2], *edge[2]; /* rows of u beyond both ends, and own ones on their way to the neighbours */
    LineBlocks *blocks;        /* whole lines in this rank's memory */
};

/* The right-hand side of one group. */
LineRhs line_rhs_of(const LineOperator *op, int g, const double *u);

#endif
