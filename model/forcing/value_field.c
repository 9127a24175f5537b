/* SPDX-License-Identifier: Apache-2.0
 *
 * Fields from constants and formulas, at every own and halo element. Positions come from the global index, so
 * that the same element has the same value on every decomposition; across a periodic seam the halo equals the
 * cells that it repeats.
 */
#include "model/forcing/forcing.h"
#include "model/forcing/formula.h"
#include <math.h>

/* The position along one axis: `shift` is 0.5 at centres and 0 at faces. */
static double position(int index, int count, double shift, bool periodic) {
    if (periodic) index = axes_wrap(index, count);
    return index + shift;
}

static Status refuse(const Value *value, const char *what, const Axes *axes, double x, double y,
                     double result) {
    return error_raise(STATUS_BAD_INPUT,
                       "%s: the formula \"%s\" of %s gives %g at %s %.10g, %s %.10g, but it %s", value->place,
                       value->expression, what, result, axes->spherical ? "lon" : "x", x,
                       axes->spherical ? "lat" : "y", y, value_limits(value));
}

/* Beyond a closed edge a formula may have no value (sqrt(x) west of 0): the edge's own value stands in. */
static double inside(double position, double count) {
    return position < 0 ? 0 : position > count ? count : position;
}

static bool is_wet(const Grid *grid, char place, int i, int j) {
    const double *open = place == 'u' ? grid->width_u : place == 'v' ? grid->width_v : grid->area;
    return open[AT2(*grid, i, j)] > 0;
}

static double formula_value(Expression *formula, const Axes *axes, double x, double y, double z) {
    ExpressionPoint point = formula_point(axes, x, y, 0);
    point.z = z;
    return expression_at(formula, point);
}

/* `height`: z of each element; NULL: the formula has none. */
static Status fill_formula(const Value *value, const char *what, const Grid *grid, char place,
                           const double *height, Expression *formula, double *field) {
    const Axes *axes = &grid->axes;
    double shift_x = place == 'u' ? 0 : 0.5, shift_y = place == 'v' ? 0 : 0.5;
    for (int j = -HALO; j < grid->n2 + HALO; j++)
        for (int i = -HALO; i < grid->n1 + HALO; i++) {
            double at_i = position(grid->i_first + i, grid->nx, shift_x, axes->periodic_x);
            double at_j = position(grid->j_first + j, grid->ny, shift_y, axes->periodic_y);
            double x = axes_x(axes, at_i), y = axes_y(axes, at_j), z = height ? height[AT2(*grid, i, j)] : 0;
            double result = formula_value(formula, axes, x, y, z);
            bool beyond = at_i < 0 || at_i > grid->nx || at_j < 0 || at_j > grid->ny;
            if (!isfinite(result) && beyond) {
                x = axes_x(axes, inside(at_i, grid->nx)), y = axes_y(axes, inside(at_j, grid->ny));
                result = formula_value(formula, axes, x, y, z);
            }
            /* on land only a number is asked for: nobody looks at it */
            bool fine = is_wet(grid, place, i, j) ? value_allows(value, result) : isfinite(result);
            if (!fine) return refuse(value, what, axes, x, y, result);
            field[AT2(*grid, i, j)] = result;
        }
    return STATUS_OK;
}

static void fill_constant(const Grid *grid, double constant, double *field) {
    for (int j = -HALO; j < grid->n2 + HALO; j++)
        for (int i = -HALO; i < grid->n1 + HALO; i++) field[AT2(*grid, i, j)] = constant;
}

Status value_fill_2d(const Value *value, const char *what, const Grid *grid, char place, double *field) {
    CHECK(place == 'c' || place == 'u' || place == 'v', STATUS_FAILED, "%s: there is no place '%c'", what,
          place);
    if (value->kind == VALUE_FILE)
        return error_raise(STATUS_BAD_INPUT, "%s: %s cannot be read from a file; give a number or a formula",
                           value->place, what);
    if (value->kind != VALUE_EXPRESSION) {
        fill_constant(grid, value->kind == VALUE_CONSTANT ? value->constant : 0, field);
        return STATUS_OK;
    }
    Expression *formula = NULL;
    TRY(formula_create(value, what, &grid->axes, &formula));
    Status status = fill_formula(value, what, grid, place, NULL, formula, field);
    expression_destroy(&formula);
    return status;
}

/* ---- in every layer ---- */

/* Height of the middle of layer k at faces; `above` is that of its lower side on entry, of its upper side on
 * return. A face reaches from the higher bed to the higher level of its two columns; the outermost ones of
 * the halo, of which one column is there, have the level of that. [m] */
static void face_heights(const Grid *g, bool along_x, int k, const double *depth, double *above,
                         double *middle) {
    const double *phi = along_x ? g->phi_u : g->phi_v, *bed = along_x ? g->bed_u : g->bed_v;
    const ptrdiff_t back = along_x ? -1 : -g->row;
    for (int j = -HALO; j < g->n2 + HALO; j++)
        for (int i = -HALO; i < g->n1 + HALO; i++) {
            const ptrdiff_t m = AT2(*g, i, j), b = (along_x ? i : j) > -HALO ? m + back : m;
            const double level = fmax(g->bed[m] + depth[m], g->bed[b] + depth[b]);
            const double thickness = phi[AT(*g, i, j, k)] * fmax(0, level - bed[m]);
            if (k == 0) above[m] = bed[m];
            middle[m] = above[m] + 0.5 * thickness;
            above[m] += thickness;
        }
}

Status value_fill_faces(const Value *value, const char *what, const Grid *g, bool along_x,
                        const double *depth, double *field) {
    const double *phi = along_x ? g->phi_u : g->phi_v;
    const char place = along_x ? 'u' : 'v';
    double *plane = field2_create(g), *above = field2_create(g), *middle = field2_create(g);
    Expression *formula = NULL;
    Status status = STATUS_OK;
    if (value->kind == VALUE_EXPRESSION)
        ATTEMPT(formula_create_3d(value, what, &g->axes, &formula));
    else
        ATTEMPT(value_fill_2d(value, what, g, place, plane));
    for (int k = 0; k < g->n3; k++) {
        if (formula) {
            face_heights(g, along_x, k, depth, above, middle);
            ATTEMPT(fill_formula(value, what, g, place, middle, formula, plane));
        }
        for (int j = -HALO; j < g->n2 + HALO; j++)
            for (int i = -HALO; i < g->n1 + HALO; i++)
                if (phi[AT(*g, i, j, k)] > 0) field[AT(*g, i, j, k)] = plane[AT2(*g, i, j)];
    }
cleanup:
    expression_destroy(&formula);
    field2_destroy(g, &plane);
    field2_destroy(g, &above);
    field2_destroy(g, &middle);
    return status;
}

static Status fill_column(const Value *value, const char *what, const Grid *g, double depth, int i, int j,
                          Expression *formula, double *field) {
    const Axes *axes = &g->axes;
    double x = axes_x(axes, g->i_first + i + 0.5), y = axes_y(axes, g->j_first + j + 0.5), below = 0;
    ExpressionPoint point = formula_point(axes, x, y, 0);
    for (int k = (int)g->bottom_c[AT2(*g, i, j)]; k < g->n3; k++) {
        double share = g->phi_c[AT(*g, i, j, k)];
        point.z = g->bed[AT2(*g, i, j)] + (below + 0.5 * share) * depth;
        below += share;
        double result = formula ? expression_at(formula, point) : value->constant;
        if (formula && !value_allows(value, result)) return refuse(value, what, axes, x, y, result);
        field[AT(*g, i, j, k)] = result;
    }
    return STATUS_OK;
}

Status value_fill_3d(const Value *value, const char *what, const Grid *g, const double *depth,
                     double *field) {
    Expression *formula = NULL;
    Status status = STATUS_OK;
    if (value->kind == VALUE_FILE)
        return error_raise(STATUS_BAD_INPUT, "%s: %s cannot be read from a file; give a number or a formula",
                           value->place, what);
    if (value->kind == VALUE_EXPRESSION) TRY(formula_create_3d(value, what, &g->axes, &formula));
    for (int n = 0; n < g->columns.count; n++)
        for (int i = g->columns.run[n].i0, j = g->columns.run[n].j; i < g->columns.run[n].i1; i++)
            ATTEMPT(fill_column(value, what, g, depth[AT2(*g, i, j)], i, j, formula, field));
cleanup:
    expression_destroy(&formula);
    return status;
}
