/* SPDX-License-Identifier: Apache-2.0
 *
 * Physical constants that no scenario changes and more than one part needs.
 */
#ifndef MAEOTIS_MODEL_CONSTANTS_H
#define MAEOTIS_MODEL_CONSTANTS_H

#define KARMAN           0.4     /* kappa, von Karman's constant */
#define ZERO_CELSIUS     273.15  /* [K] */
#define STANDARD_GRAVITY 9.80665 /* [m s-2], where no scenario's own is meant: waves that the wind makes */

#endif
