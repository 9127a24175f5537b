/* SPDX-License-Identifier: Apache-2.0 */
#include "model/boundary/equilibrium_tide.h"

KERNEL_CELLS(equilibrium_fill, EquilibriumFill) {
    double level = 0.0;
    (void)k;
    for (int m = 0; m < 3; m++)
        level += a->latitude[m][j] * (a->cosine[m] * a->lon_cosine[m][i] - a->sine[m] * a->lon_sine[m][i]);
    a->to[j * a->row + i] = level;
}
