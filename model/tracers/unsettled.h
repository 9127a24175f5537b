/* SPDX-License-Identifier: Apache-2.0
 *
 * What water that circulates many times in a step (rings.h) leaves at odds: budgets do not close there.
 */
#ifndef MAEOTIS_MODEL_UNSETTLED_H
#define MAEOTIS_MODEL_UNSETTLED_H

typedef struct Unsettled {
    double change; /* the largest of the last sweep, over the value's size; 0: all values have settled */
    int tracer, i, j, k; /* where: number of the tracer, cell of the whole grid */
} Unsettled;

#endif
