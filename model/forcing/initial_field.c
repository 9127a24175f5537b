/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/initial_field.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/units.h"
#include "model/forcing/columns.h"
#include "model/forcing/field_names.h"
#include "model/forcing/formula.h"
#include "numerics/grid/layers.h"
#include <math.h>
#include <string.h>

/* A quantity at the start, around all cells or faces of one place, own ones and in the halo. */
typedef struct Initial {
    const Value *value;
    const char *what;
    const Grid *grid;
    char place;
    double *x, *y; /* of each place */
    Expression *formula;
    Columns *columns; /* of a file */
    double *read[2];  /* the columns of the two records that hold */
    double part;      /* of the way from the first to the second */
    double constant;  /* where there is neither */
} Initial;

static int place_number(const Grid *g, int i, int j) {
    return (j + HALO) * (g->n1 + 2 * HALO) + i + HALO;
}

/* Positions come from the global index, so that an element has the same value on every decomposition; across a periodic seam
 * the halo equals the cells that it repeats. */
static void find_places(Initial *f, int places) {
    const Grid *g = f->grid;
    const double shift_x = f->place == 'u' ? 0 : 0.5, shift_y = f->place == 'v' ? 0 : 0.5;
    f->x = ALLOCATE(places, double);
    f->y = ALLOCATE(places, double);
    for (int j = -HALO; j < g->n2 + HALO; j++)
        for (int i = -HALO; i < g->n1 + HALO; i++) {
            const int n = place_number(g, i, j), column = g->i_first + i, row = g->j_first + j;
            f->x[n] = axes_x(&g->axes, (g->axes.periodic_x ? axes_wrap(column, g->nx) : column) + shift_x);
            f->y[n] = axes_y(&g->axes, (g->axes.periodic_y ? axes_wrap(row, g->ny) : row) + shift_y);
        }
}

/* ---- files ---- */

/* Wet columns that the file does not cover are told; if there are no others it is another sea's. */
static Status tell_cover(const Initial *f) {
    const Grid *g = f->grid;
    long long count[2] = {0, 0}; /* columns, those without */
    for (int n = 0; n < g->columns.count; n++)
        for (int i = g->columns.run[n].i0, j = g->columns.run[n].j; i < g->columns.run[n].i1; i++) {
            count[0]++;
            count[1] += !columns_cover(f->columns, place_number(g, i, j));
        }
    MPI_Allreduce(MPI_IN_PLACE, count, 2, MPI_LONG_LONG, MPI_SUM, g->comm);
    char *source = columns_describe(f->columns);
    Status status = STATUS_OK;
    if (count[1] == count[0])
        status = error_raise(STATUS_BAD_INPUT,
                             "%s: the file has no value of %s around any of the %lld wet columns: %s",
                             f->value->place, f->what, count[0], source);
    else if (count[1] > 0 && !f->value->of_nest) /* half a coarse cell along each coast */
        log_warn("%s: %lld of %lld wet columns lie outside the file or where %s is missing: they get the "
                 "nearest value, from %s",
                 f->value->place, count[1], count[0], f->what, source);
    memory_free(source);
    return status;
}

static Status open_file(Initial *f, int places, const char *standard_name, const Scenario *scenario) {
    const char *const own[] = {f->what, NULL};
    const Value *value = f->value;
    const FieldNames across = field_names_of(f->place == 'u' ? "v_m_s" : "u_m_s", own);
    ProfileSource source = {.path = value->file,
                            .variable = value->column,
                            .names = field_names_of(f->what, own),
                            .carried = standard_name,
                            .place = value->place,
                            .beside = "the grid",
                            .across = f->place == 'c' ? NULL : &across,
                            .along_y = f->place == 'v',
                            .initial = true};
    int record[2];
    if (source.names.most == 0) source.names.least = value->least, source.names.most = value->most;
    TRY(columns_create(&source, places, f->x, f->y, f->grid, scenario, &f->columns));
    f->part = columns_moment(f->columns, record);
    for (int n = 0; n < 2 && (n == 0 || f->part > 0); n++) {
        f->read[n] = ALLOCATE(columns_size(f->columns), double);
        TRY(columns_load(f->columns, record[n], f->read[n]));
    }
    return tell_cover(f);
}

static Status from_file(const Initial *f, int place, double z, double *out) {
    const Value *value = f->value;
    double at = columns_at(f->columns, f->read[0], place, z);
    if (f->part > 0) at += f->part * (columns_at(f->columns, f->read[1], place, z) - at);
    *out = value_rounded_into(at, value->least, value->most);
    if (value_allows(value, *out)) return STATUS_OK;
    const char *unit = strcmp(f->what, "temperature") == 0 ? "C" : NULL,
               *guess = unit_guess(unit, *out, value->least, value->most);
    char *source = columns_describe(f->columns);
    (void)error_raise(STATUS_BAD_INPUT, "%s: %s is %g at %.10g, %.10g, %.4g m in %s, but it %s%s%s",
                      value->place, f->what, *out, f->x[place], f->y[place], z, source, value_limits(value),
                      guess ? ": " : "", guess ? guess : "");
    memory_free(source);
    return STATUS_BAD_INPUT;
}

/* ---- formulas ---- */

static bool is_wet(const Initial *f, int i, int j) {
    const Grid *g = f->grid;
    const double *open = f->place == 'u' ? g->width_u : f->place == 'v' ? g->width_v : g->area;
    return open[AT2(*g, i, j)] > 0;
}

static double within(double position, double a, double b) {
    return fmin(fmax(position, fmin(a, b)), fmax(a, b));
}

static double formula_at(const Initial *f, double x, double y, double z) {
    ExpressionPoint point = formula_point(&f->grid->axes, x, y, 0);
    point.z = z;
    return expression_at(f->formula, point);
}

static Status from_formula(const Initial *f, int i, int j, double z, double *out) {
    const Axes *axes = &f->grid->axes;
    const int n = place_number(f->grid, i, j);
    const double x = f->x[n], y = f->y[n], x_in = within(x, axes_x(axes, 0), axes_x(axes, axes->nx)),
                 y_in = within(y, axes_y(axes, 0), axes_y(axes, axes->ny));
    *out = formula_at(f, x, y, z);
    /* beyond a closed edge it may have no value (sqrt(x) west of 0): the edge's own stands in */
    if (!isfinite(*out) && (x != x_in || y != y_in)) *out = formula_at(f, x_in, y_in, z);
    /* on land only a number is asked for: nobody looks at it */
    if (is_wet(f, i, j) ? value_allows(f->value, *out) : isfinite(*out)) return STATUS_OK;
    char number[32];
    return error_raise(
        STATUS_BAD_INPUT, "%s: the formula \"%s\" of %s gives %s at %s %.10g, %s %.10g, but it %s",
        f->value->place, f->value->expression, f->what, log_number(*out, number),
        axes->spherical ? "lon" : "x", x_in, axes->spherical ? "lat" : "y", y_in, value_limits(f->value));
}

/* ---- any of them ---- */

/* A run that goes on has its values from the restart file: it needs no file of the first day of its chain. */
static bool is_read(const Value *value, const Scenario *scenario) {
    return value->kind == VALUE_FILE && scenario->time.from_s == 0;
}

static void close_origin(Initial *f) {
    columns_destroy(&f->columns);
    expression_destroy(&f->formula);
    memory_free(f->x), memory_free(f->y);
    memory_free(f->read[0]), memory_free(f->read[1]);
}

/* Collective. */
static Status open_origin(const Value *value, const char *what, const char *standard_name, const Grid *g,
                          char place, bool layered, const Scenario *scenario, Initial *out) {
    const int places = place_number(g, g->n1 + HALO - 1, g->n2 + HALO - 1) + 1;
    Status status = STATUS_OK;
    *out = (Initial){.value = value, .what = what, .grid = g, .place = place};
    if (value->kind == VALUE_CONSTANT) out->constant = value->constant;
    find_places(out, places);
    if (is_read(value, scenario))
        status = open_file(out, places, standard_name, scenario);
    else if (value->kind == VALUE_EXPRESSION)
        status = (layered ? formula_create_3d : formula_create)(value, what, &g->axes, &out->formula);
    status = status_agree(g->comm, status);
    if (status != STATUS_OK) close_origin(out);
    return status;
}

static Status take(const Initial *f, int i, int j, double z, double *out) {
    if (f->columns) return from_file(f, place_number(f->grid, i, j), z, out);
    if (f->formula) return from_formula(f, i, j, z, out);
    *out = f->constant;
    return STATUS_OK;
}

Status initial_fill_2d(const Value *value, const char *what, const Grid *g, char place,
                       const Scenario *scenario, double *field) {
    Initial from;
    Status status = STATUS_OK;
    TRY(open_origin(value, what, NULL, g, place, false, scenario, &from));
    for (int j = -HALO; j < g->n2 + HALO; j++)
        for (int i = -HALO; i < g->n1 + HALO; i++) ATTEMPT(take(&from, i, j, 0, &field[AT2(*g, i, j)]));
cleanup:
    close_origin(&from);
    return status_agree(g->comm, status);
}

/* ---- in every layer ---- */

/* The ground and the layers of the columns of one place. */
typedef struct Water {
    const double *bed, *phi, *bottom;
    const double *eta,
        *below; /* with ground inside cells: level, and how far middles of layers lie below it; else NULL [m] */
    int back_x, back_y; /* to the cell on the other side of a face */
} Water;

static Water water_of(const Grid *g, char place) {
    if (place == 'u') return (Water){g->bed_u, g->phi_u, g->bottom_u, NULL, NULL, 1, 0};
    if (place == 'v') return (Water){g->bed_v, g->phi_v, g->bottom_v, NULL, NULL, 0, 1};
    return (Water){g->bed, g->phi_c, g->bottom_c, NULL, NULL, 0, 0};
}

/* A face reaches from the higher bed to the higher level of its two columns; the outermost ones of the halo, of which one
 * column is there, have the level of that. */
static Status fill_column(const Initial *from, const Water *w, const double *depth, int i, int j,
                          double *field) {
    const Grid *g = from->grid;
    const ptrdiff_t m = AT2(*g, i, j);
    const bool alone = i - w->back_x < -HALO || j - w->back_y < -HALO;
    const ptrdiff_t other = alone ? m : AT2(*g, i - w->back_x, j - w->back_y);
    const double level = fmax(g->bed[m] + depth[m], g->bed[other] + depth[other]),
                 water = from->place == 'c' ? depth[m] : fmax(0, level - w->bed[m]);
    double part[MAX_LEVELS];
    layers_parts_of_height(g, w->bed[m], (int)w->bottom[m], w->phi + m, part);
    double below = 0, above = w->bed[m]; /* of the layer: in shares of the water, and as a height */
    for (int k = 0; k < g->n3; k++) {
        const ptrdiff_t mk = m + k * g->plane;
        const double share = part[k], thickness = share * water,
                     z = w->below             ? w->eta[m] - w->below[mk]
                         : from->place == 'c' ? w->bed[m] + (below + 0.5 * share) * water
                                              : above + 0.5 * thickness; /* each rounded as it always was */
        if (share > 0) TRY(take(from, i, j, z, &field[mk]));
        below += share;
        above += thickness;
    }
    return STATUS_OK;
}

Status initial_fill_3d(const Value *value, const char *what, const char *standard_name, const Grid *g,
                       char place, const double *depth, const double *eta, const double *below,
                       const Scenario *scenario, double *field) {
    Water water = water_of(g, place);
    Initial from;
    water.eta = eta, water.below = below;
    Status status = STATUS_OK;
    TRY(open_origin(value, what, standard_name, g, place, true, scenario, &from));
    for (int n = 0; n < g->columns.count && place == 'c'; n++)
        for (int i = g->columns.run[n].i0; i < g->columns.run[n].i1; i++)
            ATTEMPT(fill_column(&from, &water, depth, i, g->columns.run[n].j, field));
    for (int j = -HALO; j < g->n2 + HALO && place != 'c'; j++)
        for (int i = -HALO; i < g->n1 + HALO; i++) ATTEMPT(fill_column(&from, &water, depth, i, j, field));
cleanup:
    close_origin(&from);
    return status_agree(g->comm, status);
}
