/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/lines/sweep.h"

/* The call with the kinds of coefficients as literals. */
#define WITH_REACH_(per_line, rhs_per_line, CALL)                                                            \
    switch (rhs->reach) {                                                                                    \
    case 0:                                                                                                  \
        CALL(per_line, 0, rhs_per_line);                                                                     \
        break;                                                                                               \
    case 1:                                                                                                  \
        CALL(per_line, 1, rhs_per_line);                                                                     \
        break;                                                                                               \
    case 2:                                                                                                  \
        CALL(per_line, 2, rhs_per_line);                                                                     \
        break;                                                                                               \
    case 3:                                                                                                  \
        CALL(per_line, 3, rhs_per_line);                                                                     \
        break;                                                                                               \
    case 4:                                                                                                  \
        CALL(per_line, 4, rhs_per_line);                                                                     \
        break;                                                                                               \
    default:                                                                                                 \
        CALL(per_line, -1, false);                                                                           \
    }
#define WITH_KINDS(CALL)                                                                                     \
    do {                                                                                                     \
        if (factors->per_line && rhs->per_line) {                                                            \
            WITH_REACH_(true, true, CALL)                                                                    \
        } else if (factors->per_line) {                                                                      \
            WITH_REACH_(true, false, CALL)                                                                   \
        } else if (rhs->per_line) {                                                                          \
            WITH_REACH_(false, true, CALL)                                                                   \
        } else {                                                                                             \
            WITH_REACH_(false, false, CALL)                                                                  \
        }                                                                                                    \
    } while (0)

LineNumber line_sweep_down(const LineFactors *factors, const LineRhs *rhs, int j0, int j1, LineNumber before,
                           double *y) {
    const LineFactors k = *factors;
    const LineRhs r = *rhs;
    LineNumber last = before;
#define DOWN(per_line, reach, rhs_per_line)                                                                  \
    last = line_down(&k, per_line, &r, reach, rhs_per_line, j0, j1, before, y)
    WITH_KINDS(DOWN);
#undef DOWN
    return last;
}

LineNumber line_sweep_up(const LineFactors *factors, int j0, int j1, LineNumber after, const double *y,
                         double *z) {
    const LineFactors k = *factors;
    return k.per_line ? line_up(&k, true, j0, j1, after, y, z) : line_up(&k, false, j0, j1, after, y, z);
}

LineNumber line_sweep(const LineFactors *factors, const LineRhs *rhs, int j0, int j1, double *y, double *z) {
    (void)line_sweep_down(factors, rhs, j0, j1, line_of(0), y);
    return line_sweep_up(factors, j0, j1, line_of(0), y, z);
}

POINTWISE void substitute(const LineFactors *k, bool per_line, int j0, int j1, LineNumber left,
                          LineNumber right, double *x) {
    for (int j = j0; j < j1; j++) {
        double *at = x + (ptrdiff_t)j * LINE_LANES;
        line_store(at, line_support_at(line_table(k->p, per_line, j), line_table(k->q, per_line, j),
                                       line_load(at), left, right));
    }
}

void line_substitute(const LineFactors *factors, int j0, int j1, LineNumber left, LineNumber right,
                     double *x) {
    const LineFactors k = *factors;
    if (k.per_line)
        substitute(&k, true, j0, j1, left, right, x);
    else
        substitute(&k, false, j0, j1, left, right, x);
}

LineNumber line_rhs(const LineRhs *rhs, int j) {
    return line_rhs_at(rhs, rhs->reach, rhs->per_line, j);
}
