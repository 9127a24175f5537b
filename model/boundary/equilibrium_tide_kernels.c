/* SPDX-License-Identifier: Apache-2.0 */
#include "model/boundary/equilibrium_tide.h"

KERNEL_CELLS(equilibrium_fill, EquilibriumFill) {
    double level = 0.0;
    (void)k;
    const ptrdiff_t at = j * a->row + i;
    for (int m = 0; m < 3 && a->map_cosine[0]; m++)
        level += a->cosine[m] * a->map_cosine[m][at] - a->sine[m] * a->map_sine[m][at];
    for (int m = 0; m < 3 && !a->map_cosine[0]; m++)
        level += a->latitude[m][j] * (a->cosine[m] * a->lon_cosine[m][i] - a->sine[m] * a->lon_sine[m][i]);
    a->to[at] = level;
}
