/* SPDX-License-Identifier: Apache-2.0
 *
 * Loops over the steps with water of a lane layout.
 */
#ifndef MAEOTIS_NUMERICS_MATM_STEPS_H
#define MAEOTIS_NUMERICS_MATM_STEPS_H

#include "numerics/matm/layout.h"

/* g and s take their turns; m is the vector of their level 0. */
#define FOR_STEPS(layout, g, s, m)                                                                           \
    for (int g = 0; g < (layout)->groups; g++)                                                               \
        for (int run_##s = (layout)->first_run[g]; run_##s < (layout)->first_run[g + 1]; run_##s++)          \
            for (int s = (layout)->run[run_##s].s0, until_##s = (layout)->run[run_##s].s1; s < until_##s;    \
                 s++)                                                                                        \
                for (ptrdiff_t m = lane_at((layout), g, s), once_##s = 1; once_##s; once_##s = 0)

#define FOR_LEVELS(layout, g, s, k)                                                                          \
    for (int k = (layout)->lowest[(g) * (layout)->steps + (s)]; k < (layout)->levels; k++)

#endif
