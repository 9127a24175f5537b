/* SPDX-License-Identifier: Apache-2.0
 *
 * Maps that rank 0 has read, to the ranks: to each the part that it needs of a large one, to all the whole of a small one.
 */
#ifndef MAEOTIS_MODEL_FORCING_MAP_PARTS_H
#define MAEOTIS_MODEL_FORCING_MAP_PARTS_H

#include "numerics/grid/grid.h"

/* A rectangle of a map's points, along x and y. */
typedef struct MapPart {
    int first[2], count[2];
} MapPart;

/* Of a map with points at these places, ascending: the part around the rank's own cells and their halo; all of a line
 * where the halo goes around. Local. */
MapPart map_part_around(const Grid *grid, const double *const at[2], const int points[2]);

typedef struct MapParts MapParts;

/* For maps of so many points along x and y: each rank wants a part, and gets it or more. Collective, as is the next. */
MapParts *map_parts_create(MPI_Comm comm, const int points[2], MapPart wanted, MapPart *own);
void map_parts_destroy(MapParts **parts);

/* Rows follow rows in `map`, which rank 0 gives; its numbers are `step` apart. Those in `out` are not. */
void map_parts_send(const MapParts *parts, const double *map, ptrdiff_t step, double *out);

static inline size_t map_part_points(const MapPart *part) {
    return (size_t)part->count[0] * (size_t)part->count[1];
}

#endif
