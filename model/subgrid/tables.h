/* SPDX-License-Identifier: Apache-2.0
 *
 * From pixels to the nodes of hypsometry.h. Local.
 */
#ifndef MAEOTIS_MODEL_TABLES_H
#define MAEOTIS_MODEL_TABLES_H

#include "model/subgrid/hypsometry.h"

enum { MOST_NODES = 16 }; /* beside the one that is not a number */

typedef struct Pixel {
    double height, weight; /* of any datum and unit: a step, whose weight is wet from this height on */
    double rough;          /* of faces: what the conveyance is divided by, such as Manning's n; of any unit */
    double
        slope; /* of columns: an end of a line, by how much more weight is wet with each metre above it [m-1] */
    double place; /* of faces: how far along them, from their middle [cells] */
} Pixel;

/* Sorts the pixels; writes up to MOST_NODES nodes of `values` numbers each, and the one behind them, and returns how many: 0 if all
 * heights are the same, for the node of even ground.
 * Nodes are added until no level is off by more than 1 mm and half a thousandth of the range of heights, while a twentieth or more is
 * wet; with less, no depth by more than a twentieth of that. `exponent`: of the depth in
 * the conveyance of faces, 5/3 by Manning's law. */
int table_make(Pixel *pixel, int count, int values, double exponent, double *node);

#endif
