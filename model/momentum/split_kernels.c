/* SPDX-License-Identifier: Apache-2.0 */
#include "model/momentum/split.h"

#include "gpu/measure.h"
#include "model/momentum/viscosity.h"

/* What ties a face to the next one on a side: its part of the diagonal, and the coupling, which is 0 where
 * there is no water. Faces on open boundaries exchange nothing. */
POINTWISE void tie(const Momentum *a, const Neighbours *n, int i0, int j, int k, int side, double *diagonal,
                   double *coupling) {
    const bool x = n->step[side] == 1 || n->step[side] == -1;
    const int ahead = n->step[side] > 0 ? 1 : -1;
    double weight[LANES], gain[LANES];
    viscous_weights(a, n, AT2(a->g, i0, j), j, k, side, weight, gain);
    FOR_LANES (l) {
        const bool given = on_boundary(a, i0 + l + (x ? ahead : 0), j + (x ? 0 : ahead));
        const double part = given || on_boundary(a, i0 + l, j) || n->lowest[l] > k ? 0.0 : weight[l];
        diagonal[l] += part;
        coupling[l] = gain[l] > 0 ? -(gain[l] * part) : 0.0;
    }
}

KERNEL_COLUMNS(split_rows, SplitRows) {
    const Momentum *m = &a->momentum;
    const ptrdiff_t first = AT2(m->g, i0, j);
    Neighbours n;
    neighbours_find(m, first, &n);
    for (int k = 0; k < m->g.n3; k++) {
        const ptrdiff_t layer = first + k * m->g.plane;
        double diagonal[LANES], before[LANES], after[LANES];
        FOR_LANES (l) diagonal[l] = 1.0;
        tie(m, &n, i0, j, k, a->down, diagonal, before);
        tie(m, &n, i0, j, k, a->up, diagonal, after);
        FOR_LANES (l) {
            a->a[layer + l] = before[l];
            a->b[layer + l] = diagonal[l];
            a->c[layer + l] = after[l];
        }
    }
}

COUNT_CELLS(split_wet_changes, SplitWet, 1) {
    const ptrdiff_t m = j * a->row + i;
    const double wet = a->depth[m] > 0 ? 1.0 : 0.0;
    (void)k;
    count[0] += a->wet[m] != wet;
    a->wet[m] = wet;
}
