/* SPDX-License-Identifier: Apache-2.0
 *
 * Formulas from the user: muParser with the variables x, y, z [m], lon, lat [degrees], t [s since the start]
 * and the constants pi, Lx, Ly [m]. All functions are local.
 */
#ifndef MAEOTIS_BASE_EXPRESSION_H
#define MAEOTIS_BASE_EXPRESSION_H

#include "base/error.h"
#include <stdbool.h>

typedef struct ExpressionPoint {
    double x, y, z, lon, lat, t;
} ExpressionPoint;

typedef struct Expression Expression;

/* `why` gets muParser's reason when the text is not a formula. */
CHECKED Status expression_create(const char *text, double length_x, double length_y, Expression **out,
                                 char why[160]);
void expression_destroy(Expression **expression);
double expression_at(Expression *expression, ExpressionPoint point); /* NaN where it cannot be evaluated */
bool expression_uses(const Expression *expression, const char *variable);

#endif
