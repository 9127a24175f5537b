/* SPDX-License-Identifier: Apache-2.0
 *
 * The rates of the modules that a GPU has: it cannot call through a pointer of the host's.
 */
#ifndef MAEOTIS_KINETICS_ON_DEVICE_H
#define MAEOTIS_KINETICS_ON_DEVICE_H

#include "kinetics/modules/azov.h"
#include "kinetics/modules/npzd.h"
#include "kinetics/modules/oxygen.h"

/* The numbers of the modules, in the order of built_in_modules (module.c). */
enum { BUILT_IN_NPZD, BUILT_IN_OXYGEN, BUILT_IN_AZOV, BUILT_IN_MODULES };

POINTWISE void kinetics_on_device(int module, int place, const MaeotisEnvironment *e, const double *a,
                                  const double *const *c, double *const *rate) {
    if (module == BUILT_IN_NPZD && place == MAEOTIS_WATER) npzd_water(e, a, c, rate);
    if (module == BUILT_IN_OXYGEN && place == MAEOTIS_WATER) oxygen_water(e, a, c, rate);
    if (module == BUILT_IN_OXYGEN && place == MAEOTIS_SURFACE) oxygen_surface(e, a, c, rate);
    if (module == BUILT_IN_OXYGEN && place == MAEOTIS_BED) oxygen_bed(e, a, c, rate);
    if (module == BUILT_IN_AZOV && place == MAEOTIS_WATER) azov_water(e, a, c, rate);
}

#endif
