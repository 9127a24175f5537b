/* SPDX-License-Identifier: Apache-2.0
 *
 * The user's formulas on the grid: x, y, lon and lat at a point. On a sphere x and y are metres east
 * and north of the grid's south-west corner, measured at the middle latitude, so that they run from 0 to Lx
 * and Ly; on a plane they are the grid's own coordinates and there is no lon or lat. Local.
 */
#ifndef MAEOTIS_MODEL_FORCING_FORMULA_H
#define MAEOTIS_MODEL_FORCING_FORMULA_H

#include "base/expression.h"
#include "numerics/grid/axes.h"
#include "settings/scenario.h"

/* Compiles the formula of `value`; refuses z, lon and lat on a plane, and text that is not a formula, with
 * `what` and the place in the scenario. */
CHECKED Status formula_create(const Value *value, const char *what, const Axes *axes, Expression **out);

/* The same, z allowed. */
CHECKED Status formula_create_3d(const Value *value, const char *what, const Axes *axes, Expression **out);
bool formula_varies_in_space(const Expression *formula);

/* x, y: [degrees or m] as the grid; t [s since the start]. */
ExpressionPoint formula_point(const Axes *axes, double x, double y, double t);

#endif
