/* SPDX-License-Identifier: Apache-2.0
 *
 * Columns in parts, so that several threads share one: the N-shaped partition (numerics/lines/README.md) of the systems down a
 * column, of tracers (tracers/column_parts.h) and momentum (momentum/shared_columns.h).
 *
 * Joints are the top layer and every so many layers below it; a part is the layers between two joints, and ends with the
 * lower one, or with the column's lowest layer if that is higher. The parts follow from the number of layers and the
 * scenario's choice alone, and so do the bits.
 */
#ifndef MAEOTIS_MODEL_COLUMN_CUT_H
#define MAEOTIS_MODEL_COLUMN_CUT_H

#include "gpu/kernel.h"

/* At most 16 parts of at most 32 layers from joint to joint. */
enum { MOST_COLUMN_PARTS = 16, MOST_PART_LAYERS = 32 };

typedef struct ColumnCut {
    int parts, layers; /* from joint to joint; 0: whole columns */
} ColumnCut;

/* Of columns of so many layers, into about `wanted` parts; 0: whole. */
static inline ColumnCut column_cut(int layers, int wanted) {
    ColumnCut cut = {0, 0};
    if (wanted <= 0) return cut;
    const int between = layers > 1 ? layers - 1 : 1, even = (between + wanted - 1) / wanted;
    cut.layers = even < MOST_PART_LAYERS ? even : MOST_PART_LAYERS;
    cut.parts = (between + cut.layers - 1) / cut.layers;
    return cut;
}

typedef struct ColumnPart {
    int upper, lower; /* layers: the joint above, the end below */
    int first;        /* the layer that row 0 of the part's numbers holds */
} ColumnPart;

/* Part w of columns of n3 layers. */
POINTWISE ColumnPart column_part(ColumnCut cut, int n3, int w, int first) {
    ColumnPart p;
    p.upper = n3 - 1 - w * cut.layers;
    p.lower = p.upper > cut.layers ? p.upper - cut.layers : 0;
    p.first = first;
    return p;
}

/* Does the part of a column whose lowest layer is `bottom` end here? */
POINTWISE bool column_part_ends(ColumnPart p, double bottom, int k) {
    return k == (bottom > p.lower ? bottom : p.lower);
}

/* The joint that a column's lowest layer is. */
POINTWISE int joint_of_bed(ColumnCut cut, int n3, int bottom) {
    return (n3 - 1 - bottom + cut.layers - 1) / cut.layers;
}

#endif
