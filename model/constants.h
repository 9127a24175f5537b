/* SPDX-License-Identifier: Apache-2.0
 *
 * Physical constants that no scenario changes and more than one part needs.
 */
#ifndef MAEOTIS_MODEL_CONSTANTS_H
#define MAEOTIS_MODEL_CONSTANTS_H

#define KARMAN       0.4    /* kappa, von Karman's constant */
#define ZERO_CELSIUS 273.15 /* [K] */

#endif
