/* SPDX-License-Identifier: Apache-2.0
 *
 * The common part of restart files and snapshots: fields of the state in float64, cell by cell as they are.
 *
 * Only meaningful elements are kept: columns and faces that can be wet, from their lowest layer up. The
 * others are 0 in the file and are not read back, so values that kernels leave on land never matter.
 */
#ifndef MAEOTIS_OUTPUT_STATE_FILE_H
#define MAEOTIS_OUTPUT_STATE_FILE_H

#include "model/state.h"
#include "output/layout.h"
#include "output/parts.h"

/* Own values of the field as they stand in the file; `outside` where there is nothing. To be freed. */
double *state_field_pack(const Layout *layout, const StateField *field, double outside);

/* The other way: only elements with a meaning are set. */
void state_field_unpack(const Layout *layout, const StateField *field, const double *packed);

/* This rank's share of a sum over all values that depends on every bit and its place, but not on the ranks.
 */
uint64_t state_field_checksum(const Layout *layout, const StateField *field, const double *packed);

/* Puts or gets the packed values; put: until the next ncfile_wait; get: collective. */
void state_field_put(NcFile *file, const Layout *layout, const StateField *field, const double *packed);
double *state_field_get(NcFile *file, const Layout *layout, const StateField *field);

/* A number for the ground of the grid: bed, areas, widths, lowest layers. Collective. */
uint64_t ground_checksum(const Grid *grid);

/* Has the variable the field's type and shape? */
bool state_field_fits(NcFile *file, const Layout *layout, const StateField *field, int variable);

/* Defines the variable of a field; returns its id. */
int state_field_define(NcFile *file, const Layout *layout, const StateField *field);

#endif
