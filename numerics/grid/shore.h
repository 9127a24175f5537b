/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the water begins and ends on a face, as fractions of its length from its southern or western end; 0,
 * 0: there is none. A face beside a cell that became land because little of it is wet is closed, but keeps
 * the shore of the bathymetry.
 */
#ifndef MAEOTIS_NUMERICS_SHORE_H
#define MAEOTIS_NUMERICS_SHORE_H

typedef struct Shore {
    double begins, ends;
} Shore;

#endif
