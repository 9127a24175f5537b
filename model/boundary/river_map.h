/* SPDX-License-Identifier: Apache-2.0
 *
 * Rivers from a gridded file:
 *
 *     discharge    in each cell of the map, of the river that flows through it (GloFAS, EFAS, CaMa-Flood): a mouth is a cell
 *                  that has more than its eight neighbours on the average of the scenario's time, near the sea
 *     runoff       through each cell's area into the sea (JRA55-do): every cell with water near the sea is a mouth
 *
 * Near is, at most twice the map's own spacing off the nearest wet cell or as close as `grid_locate` calls near. A mouth of
 * less than `least_m3_s` on average gives its water to the nearest of those that have more.
 */
#ifndef MAEOTIS_MODEL_RIVER_MAP_H
#define MAEOTIS_MODEL_RIVER_MAP_H

#include "model/forcing/series.h"
#include "numerics/grid/grid.h"

typedef struct MappedRiver {
    double x, y; /* as the grid's coordinates */
    GridPlace place;
    double mean, near; /* of its own cell [m3 s-1]; within which another mouth may be the same river's [m] */
    Series *discharge; /* with that of smaller ones [m3 s-1] */
    const ScenarioRiverMap *map;
} MappedRiver;

/* Those of all maps of the scenario; `out` is to be freed, the series to be destroyed; NULL: there are none. Says in the log
 * what it found. Collective. */
CHECKED Status river_maps_read(const Grid *grid, const Scenario *scenario, int *count, MappedRiver **out);

#endif
