/* SPDX-License-Identifier: Apache-2.0
 *
 * Two waters that meet at a side of a cell, or within it near a side, with nothing in between: a jump from layer to
 * layer. With c_U and c_L the values above and below the cell, the upper water fills the part 1 - g of it,
 *
 *     g = (c - c_U) / (c_L - c_U),     J = 2 - (c_LL - c_UU) / (c_L - c_U)
 *
 * and J, from five cells, is 1 for two waters and 0 for a straight line (A. Harten, J. Comput. Phys. 83 (1989)
 * 148-184, puts jumps into cells likewise). With no other water beside the jump, a flow through the two sides of the
 * cell changes c by its parts g and 1 - g, not by half of each difference, and the pressure of the cell has to
 * follow, or internal waves feel a force that does not fit what they move, and grow. It is that of the mean over the
 * cell, less than the trapezoid rule has at the middle, by (g/rho_0) h/2 times
 *
 *     m = (c_L - c_U) integral of s(n) d(g (1 - g)),     s(n) = min(1, 2 - n)+,   n = g (1 - g) / NEAR
 *
 * as far as J is near 1 and c is the same along the layer. A jump near the middle of a cell, and a smooth profile, are
 * left to the trapezoid rule and the centred flux, which fit each other.
 */
#ifndef MAEOTIS_NUMERICS_INTERFACE_H
#define MAEOTIS_NUMERICS_INTERFACE_H

#include "gpu/kernel.h"

#define JUMP_NONE  0.9  /* J of a profile without a jump */
#define JUMP_WHOLE 0.97 /* J of two waters */
#define NEAR       0.05 /* g (1 - g) up to which a jump lies at a side; twice that: no more */
#define LEVEL      0.25 /* part of the jump by which neighbours along the layer may differ at most */

/* m of a block's cells in layer k, in units of c. `c` is the block's place in that layer, `lowest` holds the lowest
 * layers of its columns. */
POINTWISE void interface_moved(const double *c, const double *lowest, ptrdiff_t row, ptrdiff_t plane, int k,
                               int top, double *moved) {
    const ptrdiff_t beside[4] = {-1, 1, -row, row};
    FOR_LANES (l) moved[l] = 0.0;
    if (k < 1 || k >= top) return;
    const double *up = c + plane, *up_2 = k + 2 <= top ? up + plane : up;
    const double *down = c - plane, *down_2 = k >= 2 ? down - plane : down;
    double most[LANES];
    FOR_LANES (l) most[l] = 0.0;
    UNROLLED for (int s = 0; s < 4; s++) FOR_LANES (l) {
        const double there = c[l + beside[s]], from = lowest[l + beside[s]];
        const double differs = fabs(there - c[l]);
        most[l] = max_of(most[l], from <= k ? differs : 0.0);
    }
    FOR_LANES (l) {
        const double here = c[l], above = up[l], below = down[l], far = down_2[l];
        const double beyond = lowest[l] <= k - 2 ? far : below;
        const double whole = below - above, size = whole * whole;
        const double jump = (2.0 * whole - (beyond - up_2[l])) * whole;
        const double sharp = (jump - JUMP_NONE * size) / max_of((JUMP_WHOLE - JUMP_NONE) * size, 1e-300);
        const double level = 1.0 - most[l] / max_of(LEVEL * fabs(whole), 1e-150);
        const double parts = (here - above) * (below - here); /* of the two waters, times the jump squared */
        const double mixed = parts / max_of(NEAR * size, 1e-300),
                     most_mixed = max_of(0.0, min_of(2.0, mixed));
        const double jumps = max_of(0.0, min_of(1.0, sharp)) * max_of(0.0, level);
        const double half_way = 2.0 * most_mixed - 0.5 * (most_mixed * most_mixed + 1.0);
        const bool inside = (lowest[l] < k) & (parts >= 0.0);
        moved[l] = inside ? jumps * whole * NEAR * (most_mixed < 1.0 ? most_mixed : half_way) : 0.0;
    }
}

#endif
