/* SPDX-License-Identifier: Apache-2.0
 *
 * The modules that the program brings.
 */
#ifndef MAEOTIS_KINETICS_BUILT_IN_H
#define MAEOTIS_KINETICS_BUILT_IN_H

#include "kinetics/maeotis_kinetics.h"

/* In the order of on_device.h. */
extern const MaeotisKinetics npzd_kinetics, oxygen_kinetics, azov_kinetics;

#endif
