/* SPDX-License-Identifier: Apache-2.0
 *
 * Columns of water at rest on both sides of open faces, for files (outer_files.h). Local.
 */
#ifndef MAEOTIS_MODEL_OUTER_COLUMNS_H
#define MAEOTIS_MODEL_OUTER_COLUMNS_H

#include "model/boundary/boundaries_internal.h"

/* Middles of the layers, NaN below the bed, and their shares of the depth; `phi` [k * plane], NULL: equal ones. */
void outer_lay(const Grid *grid, double bed, int bottom, const double *phi, double *z, double *weight);

/* Those of a face, or for tracers of the cell inside. */
void outer_lay_face(const Boundaries *all, const OpenFace *face, bool tracer, double *z, double *weight);

/* From the shares of the layers in the depth of face n, those in the depth outside, whose bed ends the layers or deepens
 * the lowest. */
void outer_lay_outside(const Boundaries *all, int n, const double *share, double *out);

/* Is the first of these files of a run with ground inside its cells, whose `bed` is their lowest ground? Collective. */
bool outer_has_ground_inside(MPI_Comm comm, const char *paths);

/* Sets own_depth of these faces of one edge, in its order; `row`: which of the file's faces they share. Collective. */
void outer_share_rows(Boundaries *all, int count, const int *face, const int *row);

/* The depth outside over that of the faces which share it: 0 on land, 1 where its bed is unknown. */
double outer_deeper(const Boundaries *all, int n);

#endif
