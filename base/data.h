/* SPDX-License-Identifier: Apache-2.0
 *
 * Files that come with the program: depth maps and scenarios.
 */
#ifndef MAEOTIS_BASE_DATA_H
#define MAEOTIS_BASE_DATA_H

#include "base/error.h"

/* The path of a file such as "bathymetry/azov_1km.nc": below $MAEOTIS_DATA, beside the installed program, or in the
 * source tree. To be freed. Local. */
CHECKED Status data_find(const char *file, char **out);

#endif
