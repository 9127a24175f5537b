/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/column_map.h"

#include "base/log.h"
#include "base/memory.h"
#include "bathymetry/raster_map.h"
#include "bathymetry/raster_regrid.h"
#include "model/forcing/formula.h"
#include "model/terrain.h"
#include <limits.h>
#include <math.h>

static int inside(int index, int count, bool periodic) {
    if (periodic) return axes_wrap(index, count);
    return index < 0 ? 0 : index >= count ? count - 1 : index;
}

static Status fill_formula(const Value *value, const char *what, const Grid *g, double *field) {
    const Axes *axes = &g->axes;
    Expression *formula = NULL;
    TRY(formula_create(value, what, axes, &formula));
    for (int j = -HALO; j < g->n2 + HALO; j++)
        for (int i = -HALO; i < g->n1 + HALO; i++) {
            const double x = axes_x(axes, inside(g->i_first + i, g->nx, axes->periodic_x) + 0.5),
                         y = axes_y(axes, inside(g->j_first + j, g->ny, axes->periodic_y) + 0.5);
            field[AT2(*g, i, j)] = expression_at(formula, formula_point(axes, x, y, 0));
        }
    expression_destroy(&formula);
    return STATUS_OK;
}

typedef struct Bands {
    const Axes *axes;
    const Band *band;
} Bands;

static void rows_of_band(const void *context, const Raster *shape, int rows[2]) {
    const Bands *b = context;
    raster_regrid_rows(shape, b->axes, b->band, rows);
}

/* The number that a class stands for; NaN: it has none. */
static double of_class(const Value *value, double found) {
    for (int n = 0; n < value->n_classes; n++)
        if (fabs(found - value->classes[n][0]) < 1e-6) return value->classes[n][1];
    return NAN;
}

static Status classify(const Value *value, const char *what, Raster *r) {
    const size_t all = (size_t)r->nx * (size_t)r->rows;
    for (size_t n = 0; value->classes && n < all; n++) {
        const double found = r->elevation[n];
        if (isnan(found)) continue;
        r->elevation[n] = of_class(value, found);
        CHECK(!isnan(r->elevation[n]), STATUS_BAD_INPUT,
              "%s: \"%s\" has the class %g at (%.10g, %.10g), for which \"classes\" has no number of %s",
              value->place, value->file, found, r->x0 + (double)(n % (size_t)r->nx) * r->dx,
              r->y0 + (r->first_row + (double)(n / (size_t)r->nx)) * r->dy, what);
    }
    return STATUS_OK;
}

Status column_map_raster(const Value *value, const char *what, RasterContent content, const Axes *axes,
                         const Band *band, RasterRows *needed, const void *context, Raster **out) {
    const double window[4] = {axes->west, axes_x(axes, axes->nx), axes->south, axes_y(axes, axes->ny)};
    const RasterOptions options = {
        .variable = value->column, .window = window, .content = content, .nearest = value->classes != NULL};
    TRY(raster_read_for(axes, band, value->file, &options, needed, context, out));
    const Status status = classify(value, what, *out);
    return band->comm == MPI_COMM_NULL ? status : status_agree(band->comm, status);
}

static Status fill_file(const Value *value, const char *what, RasterContent content, const Grid *g,
                        double *field) {
    const Axes *axes = &g->axes;
    const Band band = terrain_band(g->comm, axes);
    const Bands bands = {axes, &band};
    Raster *raster = NULL;
    double *rows = NULL;
    char *name = memory_format("the file of %s, %s,", what, value->file);
    Status status = column_map_raster(value, what, content, axes, &band, rows_of_band, &bands, &raster);
    if (status == STATUS_OK) status = status_agree(g->comm, raster_regrid(raster, name, axes, &band, &rows));
    memory_free(name);
    raster_destroy(&raster);
    if (status == STATUS_OK) field2_spread(g, rows, band.first, band.rows, field);
    memory_free(rows);
    return status;
}

/* ---- is there a value where water may be? ---- */

static Status refuse(const Value *value, const char *what, const Grid *g, int i, int j, double found,
                     long long count) {
    char others[64] = "";
    const double x = g->x_c[i], y = g->y_c[j];
    if (count > 1) snprintf(others, sizeof others, ", and at %lld other%s", count - 1, count > 2 ? "s" : "");
    if (isnan(found) && value->kind == VALUE_FILE)
        return error_raise(STATUS_BAD_INPUT,
                           "%s: \"%s\" has no value of %s at the wet cell at (%.10g, %.10g)%s", value->place,
                           value->file, what, x, y, others);
    char number[32];
    return error_raise(STATUS_BAD_INPUT, "%s: %s is %s at the wet cell at (%.10g, %.10g)%s, but it %s",
                       value->place, what, log_number(found, number), x, y, others, value_limits(value));
}

/* The first refused cell of the whole grid is told, by the rank that has it. Elsewhere nobody looks at the values: they
 * become 0. */
static Status check(const Value *value, const char *what, const Grid *g, double *field) {
    long long first = LLONG_MAX, least, count = 0;
    for (int j = -HALO; j < g->n2 + HALO; j++)
        for (int i = -HALO; i < g->n1 + HALO; i++) {
            const ptrdiff_t m = AT2(*g, i, j);
            if (!(g->area[m] > 0)) field[m] = 0;
        }
    for (int n = 0; n < g->columns.count; n++)
        for (int i = g->columns.run[n].i0, j = g->columns.run[n].j; i < g->columns.run[n].i1; i++) {
            if (value_allows(value, field[AT2(*g, i, j)])) continue;
            const long long number = (long long)(g->j_first + j) * g->nx + g->i_first + i;
            if (number < first) first = number;
            count++;
        }
    MPI_Allreduce(&first, &least, 1, MPI_LONG_LONG, MPI_MIN, g->comm);
    MPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_LONG_LONG, MPI_SUM, g->comm);
    Status status = STATUS_OK;
    if (least < LLONG_MAX && least == first) {
        const int i = (int)(first % g->nx) - g->i_first, j = (int)(first / g->nx) - g->j_first;
        status = refuse(value, what, g, i, j, field[AT2(*g, i, j)], count);
    }
    return status_agree(g->comm, status);
}

Status column_map_fill(const Value *value, const char *what, RasterContent content, const Grid *g,
                       double *field) {
    if (value->kind == VALUE_FILE)
        TRY(fill_file(value, what, content, g, field));
    else if (value->kind == VALUE_EXPRESSION)
        TRY(status_agree(g->comm, fill_formula(value, what, g, field)));
    else
        field2_fill(g, field, value->constant);
    return check(value, what, g, field);
}

/* ---- for people ---- */

MapRange column_map_range(const Grid *g, const double *field) {
    double ends[2] = {-INFINITY, -INFINITY},
           sums[2] = {0, 0}; /* most of -value and value; value times area, area */
    for (int n = 0; n < g->columns.count; n++)
        for (int i = g->columns.run[n].i0, j = g->columns.run[n].j; i < g->columns.run[n].i1; i++) {
            const ptrdiff_t m = AT2(*g, i, j);
            ends[0] = fmax(ends[0], -field[m]);
            ends[1] = fmax(ends[1], field[m]);
            sums[0] += field[m] * g->area[m];
            sums[1] += g->area[m];
        }
    MPI_Allreduce(MPI_IN_PLACE, ends, 2, MPI_DOUBLE, MPI_MAX, g->comm);
    MPI_Allreduce(MPI_IN_PLACE, sums, 2, MPI_DOUBLE, MPI_SUM, g->comm);
    return (MapRange){-ends[0], sums[0] / sums[1], ends[1]};
}

char *column_map_describe(const Value *value, const Grid *g, const double *field) {
    const MapRange range = column_map_range(g, field);
    char *text = memory_format("%.4g to %.4g, mean %.4g, from ", range.least, range.most, range.mean);
    if (value->kind == VALUE_FILE)
        memory_append(&text, "%s%s%s%s", value->file, value->column ? " (" : "",
                      value->column ? value->column : "", value->column ? ")" : "");
    else
        memory_append(&text, "the formula \"%s\"", value->expression);
    return text;
}
