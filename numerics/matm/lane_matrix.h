/* SPDX-License-Identifier: Apache-2.0
 *
 * The arrays of a scaled operator (matrix.h says what they hold), which kernels take by value.
 */
#ifndef MAEOTIS_NUMERICS_MATM_LANE_MATRIX_H
#define MAEOTIS_NUMERICS_MATM_LANE_MATRIX_H

#include "numerics/matm/shape.h"

typedef enum LaneDiagonal { LANE_ONES, LANE_CENTRE, LANE_LINES } LaneDiagonal;

typedef struct LaneMatrix {
    LaneDiagonal diagonal;
    bool both; /* east, north, upper are there */
    Lanes *centre, *west, *south, *lower, *east, *north, *upper;
} LaneMatrix;

#endif
