/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/grid/axes.h"

#include <math.h>

double axes_x(const Axes *axes, double i) {
    return axes->west + i * axes->step_x;
}

double axes_y(const Axes *axes, double j) {
    return axes->south + j * axes->step_y;
}

double axes_dx_m(const Axes *axes, double j) {
    if (!axes->spherical) return axes->step_x;
    return EARTH_RADIUS_M * cos(axes_y(axes, j) * RADIANS_PER_DEGREE) * axes->step_x * RADIANS_PER_DEGREE;
}

double axes_dy_m(const Axes *axes) {
    return axes->spherical ? EARTH_RADIUS_M * axes->step_y * RADIANS_PER_DEGREE : axes->step_y;
}

double axes_area_m2(const Axes *axes, double j) {
    return axes_dx_m(axes, j) * axes_dy_m(axes);
}

double axes_length_x_m(const Axes *axes) {
    return axes->nx * axes_dx_m(axes, 0.5 * axes->ny);
}

double axes_length_y_m(const Axes *axes) {
    return axes->ny * axes_dy_m(axes);
}

double axes_distance_m(const Axes *axes, double x1, double y1, double x2, double y2) {
    if (!axes->spherical) return hypot(x2 - x1, y2 - y1);
    const double turn = remainder(x2 - x1, 360); /* the shorter way round */
    return hypot(turn * cos(0.5 * (y1 + y2) * RADIANS_PER_DEGREE), y2 - y1) * METRES_PER_DEGREE;
}
