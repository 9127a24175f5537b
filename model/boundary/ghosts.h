/* SPDX-License-Identifier: Apache-2.0
 *
 * What a ghost holds for its faces (open_faces.h). With one face it is that face's value, to the last bit.
 */
#ifndef MAEOTIS_MODEL_GHOSTS_H
#define MAEOTIS_MODEL_GHOSTS_H

#include "model/boundary/open_faces.h"

POINTWISE double ghost_mean(double sum, int count) {
    return count > 1 ? sum / count : sum;
}

/* Does the column inside the face have a say about this layer of the ghost? */
POINTWISE bool ghost_counts(const GridView *g, const Ghost *ghost, const OpenFace *f, int layer) {
    return ghost->count == 1 || g->bottom_c[f->inside] <= layer;
}

/* By which waves travel through a face. [m] */
POINTWISE double water_depth(const Faces *faces, ptrdiff_t m) {
    return faces->thick ? faces->thick[m] : faces->depth[m];
}

/* Pressure outside a face less that inside. [m2 s-2] */
POINTWISE double heavier_outside(const Imposed *a, const OpenFace *f, int k) {
    const ptrdiff_t up = k * a->g.plane;
    return f->heavier ? f->heavier[k] : a->water.pressure[f->ghost + up] - a->water.pressure[f->inside + up];
}

#endif
