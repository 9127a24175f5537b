/* SPDX-License-Identifier: Apache-2.0
 *
 * Choices of a scenario that kernels use as well. Valid C17 and C++17.
 */
#ifndef MAEOTIS_SETTINGS_CHOICES_H
#define MAEOTIS_SETTINGS_CHOICES_H

typedef enum MomentumAdvection {
    ADVECTION_NONE,
    ADVECTION_UPWIND,
    ADVECTION_TVD,
    ADVECTION_COMPACT6
} MomentumAdvection;

typedef enum SideWalls { WALLS_FREE_SLIP, WALLS_NO_SLIP } SideWalls;

typedef enum BulkLaw { BULK_COARE35, BULK_KONDO } BulkLaw;

typedef enum SkyLaw { SKY_BERLIAND, SKY_BIGNAMI, SKY_JOSEY } SkyLaw;

typedef enum WaveGrowth { GROWTH_YOUNG_VERHAGEN, GROWTH_SHORE_PROTECTION } WaveGrowth;

typedef enum DragLaw { DRAG_NONE, DRAG_CONSTANT, DRAG_MANNING, DRAG_CHEZY, DRAG_LOG, DRAG_NO_SLIP } DragLaw;

#endif
