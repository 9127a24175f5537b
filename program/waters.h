/* SPDX-License-Identifier: Apache-2.0
 *
 * Which places of a map hang together with places that water certainly reaches: the map is given row by row, twice, so that it
 * need not be in memory. A stretch of places in a row is one number; stretches that touch belong to one water. Local.
 */
#ifndef MAEOTIS_PROGRAM_WATERS_H
#define MAEOTIS_PROGRAM_WATERS_H

#include <stdbool.h>
#include <stdint.h>

typedef struct Stretch {
    int from, to; /* places from <= n < to */
} Stretch;

typedef struct Waters {
    int64_t *first; /* by stretch, in the order of the rows: one before it in the same water, or itself */
    bool *reached;
    int64_t count, room, next; /* stretches so far; in the second reading, the next one */
    Stretch *row;              /* those of the last row, which begin with number `row_first` */
    int in_row, row_room;
    int64_t row_first;
} Waters;

/* The first reading: the next row, of `n` places `under` water, of which those that are `source` are reached. */
void waters_add(Waters *waters, const bool *under, const bool *source, int n);

/* The second: of the next row, what is under water and not reached becomes dry. */
void waters_drain(Waters *waters, bool *under, int n);

void waters_release(Waters *waters);

#endif
