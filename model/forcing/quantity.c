/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/quantity.h"

#include "base/memory.h"
#include "model/forcing/formula.h"
#include <math.h>

static Status from_formula(const Value *value, const char *what, const Grid *grid, Quantity *out) {
    Status status = formula_create(value, what, &grid->axes, &out->formula);
    if (status == STATUS_OK && !formula_varies_in_space(out->formula))
        out->series = series_from_formula(&out->formula, formula_point(&grid->axes, 0, 0, 0));
    out->source = memory_format("\"%s\"", value->expression);
    return status_agree(grid->comm, status);
}

static Status from_file(const Value *value, const FieldNames *names, const Grid *grid, double start,
                        double end, Quantity *out) {
    if (gridded_is_netcdf(grid->comm, value->file)) {
        TRY(gridded_create(value->file, value->column, names, grid, start, end, &out->gridded));
        out->source = gridded_describe(out->gridded);
        return STATUS_OK;
    }
    Status status = series_create(value, names->what, &grid->axes, 0, 0, start, end, &out->series);
    out->source =
        memory_format("%s%s%s", value->file, value->column ? ", " : "", value->column ? value->column : "");
    return status_agree(grid->comm, status);
}

Status quantity_create(const Value *value, const FieldNames *names, const Grid *grid, double start,
                       double end, Quantity *out) {
    *out = (Quantity){.grid = grid, .limits = {.least = value->least, .most = value->most}};
    Status status = STATUS_OK;
    if (value->kind == VALUE_EXPRESSION) {
        status = from_formula(value, names->what, grid, out);
    } else if (value->kind == VALUE_FILE) {
        status = from_file(value, names, grid, start, end, out);
    } else {
        double constant = value->kind == VALUE_CONSTANT ? value->constant : 0;
        out->series = series_from_constant(constant);
        out->source = memory_format("%g", constant);
    }
    if (status != STATUS_OK) quantity_release(out);
    return status;
}

void quantity_from_series(Series **series, const Grid *grid, Quantity *out) {
    *out = (Quantity){.grid = grid, .series = *series};
    *series = NULL;
}

void quantity_release(Quantity *quantity) {
    series_destroy(&quantity->series);
    expression_destroy(&quantity->formula);
    gridded_destroy(&quantity->gridded);
    memory_free(quantity->source);
    *quantity = (Quantity){0};
}

bool quantity_is_uniform(const Quantity *quantity) {
    return quantity->series != NULL;
}

bool quantity_is_steady(const Quantity *quantity) {
    if (quantity->series) return series_is_steady(quantity->series);
    if (quantity->gridded) return gridded_is_steady(quantity->gridded);
    return !expression_uses(quantity->formula, "t");
}

Status quantity_advance(Quantity *quantity, double time) {
    quantity->time = time;
    if (quantity->series) {
        double value = series_at(quantity->series, time);
        quantity->uniform = value_allows(&quantity->limits, value) ? value : NAN;
    }
    if (quantity->gridded) return gridded_advance(quantity->gridded, time);
    return STATUS_OK;
}

static double formula_value(const Quantity *q, Place place, int i, int j) {
    const Axes *axes = &q->grid->axes;
    int west = q->grid->i_first + i, south = q->grid->j_first + j;
    if (axes->periodic_x) west = axes_wrap(west, axes->nx);
    if (axes->periodic_y) south = axes_wrap(south, axes->ny);
    double x = axes_x(axes, west + (place == PLACE_U ? 0.0 : 0.5));
    double y = axes_y(axes, south + (place == PLACE_V ? 0.0 : 0.5));
    double value = expression_at(q->formula, formula_point(axes, x, y, q->time));
    return value_allows(&q->limits, value) ? value : NAN;
}

double quantity_at(const Quantity *quantity, Place place, int i, int j) {
    if (quantity->series) return quantity->uniform;
    return quantity->gridded ? gridded_at(quantity->gridded, place, i, j)
                             : formula_value(quantity, place, i, j);
}
