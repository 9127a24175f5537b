/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/lines/line_sweep.h"

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
                         double *z, bool past) {
    const LineFactors k = *factors;
    if (k.per_line)
        return past ? line_up(&k, true, true, j0, j1, after, y, z)
                    : line_up(&k, true, false, j0, j1, after, y, z);
    return past ? line_up(&k, false, true, j0, j1, after, y, z)
                : line_up(&k, false, false, j0, j1, after, y, z);
}

/* Rows of both stretches as long as both have some; then the rest of each. */
POINTWISE void both(const LineStretch *d, const LineStretch *u, bool per_line, int reach, bool rhs_per_line) {
    const int rows = d->j1 - d->j0, others = u->j1 - u->j0, together = rows < others ? rows : others;
    const double *w = u->factors.w, *from = u->y;
    double *to = u->z, *y = d->y;
    const bool past = u->past;
    LineNumber before = line_of(0), after = line_of(0);
    for (int t = 0; t < together; t++) {
        const int j = d->j0 + t, m = u->j1 - 1 - t;
        const LineNumber rhs = line_rhs_at(&d->rhs, reach, rhs_per_line, j);
        before = line_down_at(line_table(d->factors.f, per_line, j), line_table(d->factors.g, per_line, j),
                              rhs, before);
        after = line_up_at(line_table(w, per_line, m), line_load(from + (ptrdiff_t)(m - u->j0) * LINE_LANES),
                           after);
        line_store(y + (ptrdiff_t)t * LINE_LANES, before);
        if (past)
            line_store_past_caches(to + (ptrdiff_t)m * LINE_LANES, after);
        else
            line_store(to + (ptrdiff_t)m * LINE_LANES, after);
    }
    if (together < rows)
        (void)line_sweep_down(&d->factors, &d->rhs, d->j0 + together, d->j1, before,
                              y + (ptrdiff_t)together * LINE_LANES);
    if (together < others) (void)line_sweep_up(&u->factors, u->j0, u->j1 - together, after, from, to, past);
}

void line_sweep_both(const LineStretch *down, const LineStretch *up) {
    if (!down) {
        if (up) (void)line_sweep_up(&up->factors, up->j0, up->j1, line_of(0), up->y, up->z, up->past);
        return;
    }
    if (!up) {
        (void)line_sweep_down(&down->factors, &down->rhs, down->j0, down->j1, line_of(0), down->y);
        return;
    }
    const LineStretch d = *down, u = *up;
    const LineFactors *factors = &d.factors;
    const LineRhs *rhs = &d.rhs;
#define BOTH(per_line, reach, rhs_per_line) both(&d, &u, per_line, reach, rhs_per_line)
    WITH_KINDS(BOTH);
#undef BOTH
}

POINTWISE void substitute(const LineFactors *k, bool per_line, bool past, int j0, int j1, LineNumber left,
                          LineNumber right, const double *z, double *x) {
    for (int j = j0; j < j1; j++) {
        const ptrdiff_t at = (ptrdiff_t)j * LINE_LANES;
        const LineNumber is = line_support_at(line_table(k->p, per_line, j), line_table(k->q, per_line, j),
                                              line_load(z + at), left, right);
        if (past)
            line_store_past_caches(x + at, is);
        else
            line_store(x + at, is);
    }
}

void line_substitute(const LineFactors *factors, int j0, int j1, LineNumber left, LineNumber right,
                     const double *z, double *x, bool past) {
    const LineFactors k = *factors;
    if (k.per_line && past)
        substitute(&k, true, true, j0, j1, left, right, z, x);
    else if (k.per_line)
        substitute(&k, true, false, j0, j1, left, right, z, x);
    else if (past)
        substitute(&k, false, true, j0, j1, left, right, z, x);
    else
        substitute(&k, false, false, j0, j1, left, right, z, x);
}

LineNumber line_rhs(const LineRhs *rhs, int j) {
    return line_rhs_at(rhs, rhs->reach, rhs->per_line, j);
}
