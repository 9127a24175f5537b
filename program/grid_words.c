/* SPDX-License-Identifier: Apache-2.0 */
#include "program/grid_words.h"

#include "base/memory.h"
#include "base/projection.h"
#include <math.h>

char *grid_box_words(const Axes *axes) {
    const double east = axes_x(axes, axes->nx), north = axes_y(axes, axes->ny);
    return memory_format(axes->spherical ? "%.10g to %.10g E, %.10g to %.10g N"
                                         : "x %.10g to %.10g m, y %.10g to %.10g m",
                         axes->west, east, axes->south, north);
}

char *map_words(const Axes *axes) {
    const double grid[4] = {axes_x(axes, 0), axes_x(axes, axes->nx), axes_y(axes, 0), axes_y(axes, axes->ny)};
    const double x = 0.5 * (grid[0] + grid[1]), y = 0.5 * (grid[2] + grid[3]);
    const double turn = axes_turn(axes, x, y) / RADIANS_PER_DEGREE;
    double low[2], high[2];
    axes_degrees_around(axes, grid, low, high);
    return memory_format("%s: %.4f to %.4f E, %.4f to %.4f N; in the middle its x axis points %.3g degrees "
                         "%s of east",
                         projection_name(axes->map), low[0], high[0], low[1], high[1], fabs(turn),
                         turn < 0 ? "south" : "north");
}
