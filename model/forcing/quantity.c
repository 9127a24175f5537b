/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/quantity.h"

#include "base/memory.h"
#include "model/forcing/forcing_kernels.h"
#include "model/forcing/formula.h"
#include "settings/doubt.h"
#include <math.h>

static Status from_formula(const Value *value, const char *what, const Grid *grid, const Scenario *scenario,
                           Quantity *out) {
    TRY(formula_create(value, what, &grid->axes, &out->formula));
    out->source = memory_format("\"%s\"", value->expression);
    if (formula_varies_in_space(out->formula)) return STATUS_OK;
    expression_destroy(&out->formula);
    return series_create(value, what, &grid->axes, 0, 0, scenario, &out->series);
}

static Status from_file(const Value *value, const FieldNames *names, const Grid *grid,
                        const Scenario *scenario, Quantity *out) {
    if (gridded_is_netcdf(grid->comm, value->file)) {
        TRY(gridded_create(value->file, value->column, names, grid, scenario, &out->gridded));
        out->source = gridded_describe(out->gridded);
        return STATUS_OK;
    }
    Status status = series_create(value, names->what, &grid->axes, 0, 0, scenario, &out->series);
    out->source =
        memory_format("%s%s%s", value->file, value->column ? ", " : "", value->column ? value->column : "");
    return status_agree(grid->comm, status);
}

Status quantity_create(const Value *value, const FieldNames *names, const Grid *grid,
                       const Scenario *scenario, Quantity *out) {
    *out = (Quantity){.grid = grid, .names = names, .limits = {.least = value->least, .most = value->most}};
    Status status = STATUS_OK;
    if (value->kind == VALUE_FILE) {
        status = from_file(value, names, grid, scenario, out);
    } else if (value->kind == VALUE_EXPRESSION) {
        status = status_agree(grid->comm, from_formula(value, names->what, grid, scenario, out));
    } else {
        status = series_create(value, names->what, &grid->axes, 0, 0, scenario, &out->series);
        out->source = memory_format("%g", series_at(out->series, 0));
    }
    if (status == STATUS_OK) status = quantity_limit(out, scenario, names->least, names->most);
    if (status != STATUS_OK) quantity_release(out);
    return status;
}

void quantity_from_series(Series **series, const FieldNames *names, const Grid *grid, Quantity *out) {
    *out = (Quantity){.grid = grid, .names = names, .series = *series};
    *series = NULL;
}

double *quantity_give(Quantity *quantity, const FieldNames *names, const Grid *grid) {
    if (quantity->given) return quantity->given;
    quantity_release(quantity);
    *quantity = (Quantity){.grid = grid,
                           .names = names,
                           .given = field2_create(grid),
                           .source = memory_copy_text("set by the caller")};
    return quantity->given;
}

Status quantity_limit(Quantity *quantity, const Scenario *scenario, double least, double most) {
    FieldNames is = *quantity->names;
    is.least = least, is.most = most;
    if (least == 0 && most == 0) return STATUS_OK;
    if (quantity->gridded) gridded_limit(quantity->gridded, least, most);
    if (quantity->gridded || !doubt_allowed(scenario, DOUBT_VALUES))
        quantity->least = least, quantity->most = most;
    if (!quantity->series) return STATUS_OK;
    return status_agree(quantity->grid->comm,
                        series_check_range(quantity->series, &is, SERIES_OBSERVED, scenario));
}

void quantity_release(Quantity *quantity) {
    series_destroy(&quantity->series);
    expression_destroy(&quantity->formula);
    gridded_destroy(&quantity->gridded);
    if (quantity->given) field2_destroy(quantity->grid, &quantity->given);
    for (int place = 0; place < PLACES; place++) {
        Evaluated *at = &quantity->at[place];
        if (!at->value) continue;
        staging_release(&at->staging);
        field2_destroy(quantity->grid, &at->value);
    }
    memory_free(quantity->source);
    *quantity = (Quantity){0};
}

bool quantity_is_uniform(const Quantity *quantity) {
    return quantity->series != NULL;
}

bool quantity_is_steady(const Quantity *quantity) {
    if (quantity->series) return series_is_steady(quantity->series);
    if (quantity->gridded) return gridded_is_steady(quantity->gridded);
    if (quantity->given) return false;
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

/* `where`: "at 36, 46, " or nothing. */
static Status check(const Quantity *q, double value, const char *where) {
    const char *source = q->source ? q->source : "a series";
    const bool limited = q->least != 0 || q->most != 0;
    CHECK(isfinite(value), STATUS_BAD_INPUT, "%s (%s), %s%g s after the start, %s", q->names->what, source,
          where, q->time, value_limits(&q->limits));
    CHECK(!limited || (value >= q->least && value <= q->most), STATUS_BAD_INPUT,
          "%s (%s) is %g %s %s%g s after the start: this is outside the range ever observed", q->names->what,
          source, value, q->names->unit, where, q->time);
    return STATUS_OK;
}

static Status evaluate_point(const Quantity *q, Place place, int i, int j, double *out) {
    const Axes *axes = &q->grid->axes;
    int west = q->grid->i_first + i, south = q->grid->j_first + j;
    if (axes->periodic_x) west = axes_wrap(west, axes->nx);
    if (axes->periodic_y) south = axes_wrap(south, axes->ny);
    const double x = axes_x(axes, west + (place == PLACE_U ? 0.0 : 0.5));
    const double y = axes_y(axes, south + (place == PLACE_V ? 0.0 : 0.5));
    const double value = expression_at(q->formula, formula_point(axes, x, y, q->time));
    *out = value_allows(&q->limits, value) ? value : NAN;
    if (isfinite(*out) && q->least == 0 && q->most == 0) return STATUS_OK;
    char where[64];
    snprintf(where, sizeof where, "at %g, %g, ", x, y);
    return check(q, *out, where);
}

static Status evaluate(const Quantity *q, Place place, RunList points, double *values) {
    for (int n = 0; n < points.count; n++)
        for (int i = points.run[n].i0, j = points.run[n].j; i < points.run[n].i1; i++)
            TRY(evaluate_point(q, place, i, j, &values[j * q->grid->line + i]));
    return STATUS_OK;
}

/* What does not vary in time is evaluated once. */
static Status evaluate_where_due(Quantity *q, Place place, RunList points) {
    const Grid *g = q->grid;
    Evaluated *at = &q->at[place];
    if (at->known && (at->time == q->time || quantity_is_steady(q))) return STATUS_OK;
    CopyRows rows = field2_rows(g);
    rows.from = rows.bytes; /* one behind the other */
    if (!at->value) {
        at->value = field2_create(g);
        TRY(status_agree(g->comm, staging_create(g->exec, rows.bytes * (size_t)rows.count, &at->staging)));
    }
    at->known = false;
    double *values = staging_fill(&at->staging);
    TRY(status_agree(g->comm, evaluate(q, place, points, values + g->origin2 - HALO * (g->row - g->line))));
    staging_send_rows(&at->staging, at->value - g->origin2, rows);
    at->time = q->time;
    at->known = true;
    return STATUS_OK;
}

/* Once for all who ask for them in a step. */
static const double *gridded_values(Quantity *q, Place place, RunList points) {
    Evaluated *at = &q->at[place];
    if (!at->value) at->value = field2_create(q->grid);
    if (!at->known || (at->time != q->time && !quantity_is_steady(q)))
        gridded_fill(q->gridded, place, points, at->value);
    at->time = q->time;
    at->known = true;
    return at->value;
}

Status quantity_sample(Quantity *q, Place place, RunList points, Sample *out) {
    *out = (Sample){.uniform = q->uniform};
    if (q->series) return check(q, q->uniform, "");
    if (q->gridded) {
        out->value = gridded_values(q, place, points);
        return STATUS_OK;
    }
    if (q->given) {
        *out = (Sample){.value = q->given,
                        .beside = place == PLACE_U   ? 1
                                  : place == PLACE_V ? q->grid->row
                                                     : 0};
        return STATUS_OK;
    }
    TRY(evaluate_where_due(q, place, points));
    out->value = q->at[place].value;
    return STATUS_OK;
}

Status quantity_fill(Quantity *q, double time, RunList points, double *field) {
    Sample sample;
    if (q->filled) return STATUS_OK;
    TRY(quantity_advance(q, time));
    if (q->gridded) {
        gridded_fill(q->gridded, PLACE_C, points, field);
    } else {
        TRY(quantity_sample(q, PLACE_C, points, &sample));
        sample_fill(q->grid->exec, points, (SampleFill){q->grid->row, sample, field});
    }
    q->filled = quantity_is_steady(q);
    return STATUS_OK;
}
