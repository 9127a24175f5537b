/* SPDX-License-Identifier: Apache-2.0
 *
 * Where water begins and ends on a face, in its lengths from its southern or western end; 0, 0: there is
 * none. A face beside a cell that became land because little of it is wet is closed, but its shore is where
 * the ground has it.
 */
#ifndef MAEOTIS_NUMERICS_SHORE_H
#define MAEOTIS_NUMERICS_SHORE_H

typedef struct Shore {
    double begins, ends;
} Shore;

#endif
