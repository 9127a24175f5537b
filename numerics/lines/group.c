/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/lines/group.h"

#include "numerics/lines/operator.h"
#include <string.h>

bool lines_are_whole(const LineOperator *op) {
    return op->blocks != NULL && op->layout->exec.device == DEVICE_CPU;
}

void lines_solve_group(const LineOperator *op, int g, const double *u, double *x) {
    const LineLayout *layout = op->layout;
    const int n = layout->n, reach = op->rhs.reach;
    LineNumber beyond[2][LINE_REACH]; /* rows around the end of a periodic line */
    LineRhs rhs = op->rhs;
    rhs.u = u;
    rhs.before = (const double *)beyond[0];
    rhs.after = (const double *)beyond[1];
    for (int m = 0; m < reach; m++) {
        const int before = ((m - reach) % n + n) % n;
        beyond[0][m] = layout->periodic ? line_load(u + (ptrdiff_t)before * LINE_LANES) : line_of(0);
        beyond[1][m] = layout->periodic ? line_load(u + (ptrdiff_t)(m % n) * LINE_LANES) : line_of(0);
    }
    for (int m = 0; m <= 2 * reach && rhs.per_line; m++) rhs.r[m] += g * layout->group;
    line_blocks_solve(op->blocks, g, g + 1, line_rhs_given, &rhs, x, false);
}
