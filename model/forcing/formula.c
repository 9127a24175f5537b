/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/formula.h"

#include <math.h>

static Status refuse(const Value *value, const char *what, const char *why, Expression **formula) {
    expression_destroy(formula);
    return error_raise(STATUS_BAD_INPUT, "%s: the formula \"%s\" of %s: %s", value->place, value->expression,
                       what, why);
}

/* A zoom has the formulas of the whole sea. */
static const Axes *whole(const Axes *axes) {
    return axes->around ? axes->around : axes;
}

Status formula_create_3d(const Value *value, const char *what, const Axes *axes, Expression **out) {
    char why[160] = "";
    const Axes *all = whole(axes);
    if (expression_create(value->expression, axes_length_x_m(all), axes_length_y_m(all), out, why) !=
        STATUS_OK)
        return refuse(value, what, why, out);
    if (!axes_on_earth(axes) && (expression_uses(*out, "lon") || expression_uses(*out, "lat")))
        return refuse(value, what, "a plane grid without a crs has no lon and lat; use x and y [m]", out);
    return STATUS_OK;
}

Status formula_create(const Value *value, const char *what, const Axes *axes, Expression **out) {
    TRY(formula_create_3d(value, what, axes, out));
    if (expression_uses(*out, "z"))
        return refuse(value, what, "z has no meaning here; there are x, y, lon, lat and t", out);
    return STATUS_OK;
}

bool formula_varies_in_space(const Expression *formula) {
    return expression_uses(formula, "x") || expression_uses(formula, "y") ||
           expression_uses(formula, "lon") || expression_uses(formula, "lat");
}

ExpressionPoint formula_point(const Axes *axes, double x, double y, double t) {
    if (axes->map) {
        ExpressionPoint at = {x, y, 0, NAN, NAN, t};
        axes_degrees(axes, x, y, &at.lon, &at.lat);
        return at;
    }
    if (!axes->spherical) return (ExpressionPoint){x, y, 0, NAN, NAN, t};
    const Axes *all = whole(axes);
    double east = (x - all->west) / all->step_x * axes_dx_m(all, 0.5 * all->ny);
    double north = (y - all->south) / all->step_y * axes_dy_m(all);
    return (ExpressionPoint){east, north, 0, x, y, t};
}
