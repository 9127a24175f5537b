/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/initial_field.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/units.h"
#include "model/forcing/columns.h"
#include "model/forcing/field_names.h"
#include "model/forcing/forcing.h"
#include <math.h>
#include <string.h>

/* A variable at the start, around all cells or faces of one place, own ones and in the halo. */
typedef struct FileField {
    Columns *columns;
    char place;
    int places;
    double *x, *y;    /* of each place */
    double *value[2]; /* the columns of the two records that hold */
    double part;      /* of the way from the first to the second */
} FileField;

static int place_number(const Grid *g, int i, int j) {
    return (j + HALO) * (g->n1 + 2 * HALO) + i + HALO;
}

static void find_places(const Grid *g, FileField *f) {
    const double shift_x = f->place == 'u' ? 0 : 0.5, shift_y = f->place == 'v' ? 0 : 0.5;
    f->places = place_number(g, g->n1 + HALO - 1, g->n2 + HALO - 1) + 1;
    f->x = ALLOCATE(f->places, double);
    f->y = ALLOCATE(f->places, double);
    for (int j = -HALO; j < g->n2 + HALO; j++)
        for (int i = -HALO; i < g->n1 + HALO; i++) {
            const int n = place_number(g, i, j), column = g->i_first + i, row = g->j_first + j;
            f->x[n] = axes_x(&g->axes, (g->axes.periodic_x ? axes_wrap(column, g->nx) : column) + shift_x);
            f->y[n] = axes_y(&g->axes, (g->axes.periodic_y ? axes_wrap(row, g->ny) : row) + shift_y);
        }
}

static void close_file(FileField *f) {
    columns_destroy(&f->columns);
    memory_free(f->x), memory_free(f->y);
    memory_free(f->value[0]), memory_free(f->value[1]);
}

/* Wet columns that the file does not cover are told; if there are no others it is another sea's. */
static Status tell_cover(const FileField *f, const Value *value, const char *what, const Grid *g) {
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
                             value->place, what, count[0], source);
    else if (count[1] > 0 && !value->of_nest) /* half a coarse cell along each coast */
        log_warn("%s: %lld of %lld wet columns lie outside the file or where %s is missing: they get the "
                 "nearest value, from %s",
                 value->place, count[1], count[0], what, source);
    memory_free(source);
    return status;
}

static Status load(FileField *f) {
    int record[2];
    f->part = columns_moment(f->columns, record);
    for (int n = 0; n < 2; n++) {
        if (n > 0 && f->part == 0) break;
        f->value[n] = ALLOCATE(columns_size(f->columns), double);
        TRY(columns_load(f->columns, record[n], f->value[n]));
    }
    return STATUS_OK;
}

static Status open_file(const Value *value, const char *what, const char *standard_name, const Grid *g,
                        char place, const Scenario *scenario, FileField *out) {
    const char *const own[] = {what, NULL};
    ProfileSource source = {.path = value->file,
                            .variable = value->column,
                            .names = field_names_of(what, own),
                            .carried = standard_name,
                            .place = value->place,
                            .beside = "the grid",
                            .initial = true};
    Status status;
    if (source.names.most == 0) source.names.least = value->least, source.names.most = value->most;
    *out = (FileField){.place = place};
    find_places(g, out);
    ATTEMPT(columns_create(&source, out->places, out->x, out->y, g, scenario, &out->columns));
    ATTEMPT(load(out));
    ATTEMPT(tell_cover(out, value, what, g));
cleanup:
    if (status != STATUS_OK) close_file(out);
    return status;
}

static Status take(const FileField *f, const Value *value, const char *what, const Grid *g, int i, int j,
                   double z, double *out) {
    const int n = place_number(g, i, j);
    double at = columns_at(f->columns, f->value[0], n, z);
    if (f->part > 0) at += f->part * (columns_at(f->columns, f->value[1], n, z) - at);
    *out = value_rounded_into(at, value->least, value->most);
    if (value_allows(value, *out)) return STATUS_OK;
    const char *unit = strcmp(what, "temperature") == 0 ? "C" : NULL,
               *guess = unit_guess(unit, *out, value->least, value->most);
    char *source = columns_describe(f->columns);
    (void)error_raise(STATUS_BAD_INPUT, "%s: %s is %g at %.10g, %.10g, %.4g m in %s, but it %s%s%s",
                      value->place, what, *out, f->x[n], f->y[n], z, source, value_limits(value),
                      guess ? ": " : "", guess ? guess : "");
    memory_free(source);
    return STATUS_BAD_INPUT;
}

/* A run that goes on has its values from the restart file: it needs no file of the first day of its chain. */
static bool is_read(const Value *value, const Scenario *scenario) {
    return value->kind == VALUE_FILE && scenario->time.from_s == 0;
}

static Value without_file(const Value *value) {
    return value->kind == VALUE_FILE ? (Value){.kind = VALUE_CONSTANT} : *value;
}

Status initial_fill_2d(const Value *value, const char *what, const Grid *g, char place,
                       const Scenario *scenario, double *field) {
    FileField file;
    Status status = STATUS_OK;
    const Value simple = without_file(value);
    if (!is_read(value, scenario))
        return status_agree(g->comm, value_fill_2d(&simple, what, g, place, field));
    TRY(open_file(value, what, NULL, g, place, scenario, &file));
    for (int j = -HALO; j < g->n2 + HALO; j++)
        for (int i = -HALO; i < g->n1 + HALO; i++)
            ATTEMPT(take(&file, value, what, g, i, j, 0, &field[AT2(*g, i, j)]));
cleanup:
    close_file(&file);
    return status_agree(g->comm, status);
}

/* ---- in every layer ---- */

/* The columns of one place: where their ground is, and their layers. */
typedef struct Water {
    RunList list;
    const double *bed, *bottom, *phi;
    ptrdiff_t back; /* to the cell on the other side of a face; 0: centres */
} Water;

static Water water_of(const Grid *g, char place) {
    if (place == 'u') return (Water){g->faces_u, g->bed_u, g->bottom_u, g->phi_u, 1};
    if (place == 'v') return (Water){g->faces_v, g->bed_v, g->bottom_v, g->phi_v, g->row};
    return (Water){g->columns, g->bed, g->bottom_c, g->phi_c, 0};
}

static Status fill_columns(const FileField *file, const Value *value, const char *what, const Grid *g,
                           const Water *c, const double *depth, double *field) {
    for (int n = 0; n < c->list.count; n++)
        for (int i = c->list.run[n].i0, j = c->list.run[n].j; i < c->list.run[n].i1; i++) {
            const ptrdiff_t m = AT2(*g, i, j), other = m - c->back;
            const double level = 0.5 * (g->bed[m] + depth[m] + g->bed[other] + depth[other]);
            const double water = fmax(0, level - c->bed[m]);
            double below = 0;
            for (int k = (int)c->bottom[m]; k < g->n3; k++) {
                const ptrdiff_t mk = m + k * g->plane;
                TRY(take(file, value, what, g, i, j, c->bed[m] + (below + 0.5 * c->phi[mk]) * water,
                         &field[mk]));
                below += c->phi[mk];
            }
        }
    return STATUS_OK;
}

Status initial_fill_3d(const Value *value, const char *what, const char *standard_name, const Grid *g,
                       char place, const double *depth, const Scenario *scenario, double *field) {
    const Water columns = water_of(g, place);
    const Value simple = without_file(value);
    FileField file;
    if (!is_read(value, scenario))
        return status_agree(g->comm, place == 'c'
                                         ? value_fill_3d(&simple, what, g, depth, field)
                                         : value_fill_faces(&simple, what, g, place == 'u', depth, field));
    TRY(open_file(value, what, standard_name, g, place, scenario, &file));
    const Status status = fill_columns(&file, value, what, g, &columns, depth, field);
    close_file(&file);
    return status_agree(g->comm, status);
}
