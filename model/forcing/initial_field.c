/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/initial_field.h"

#include "base/log.h"
#include "base/memory.h"
#include "base/units.h"
#include "model/forcing/field_names.h"
#include "model/forcing/file_field.h"
#include "model/forcing/file_places.h"
#include "model/forcing/forcing.h"
#include <math.h>
#include <string.h>

/* Wet columns that the file does not cover are told; if there are no others it is another sea's. */
static Status tell_cover(const FileField *file, const Value *value, const char *what, const Grid *g) {
    long long count[2] = {0, 0}; /* columns, those without */
    for (int n = 0; n < g->columns.count; n++)
        for (int i = g->columns.run[n].i0, j = g->columns.run[n].j; i < g->columns.run[n].i1; i++) {
            count[0]++;
            count[1] += !file_field_covers(file, file_place_number(g, i, j));
        }
    MPI_Allreduce(MPI_IN_PLACE, count, 2, MPI_LONG_LONG, MPI_SUM, g->comm);
    CHECK(count[1] < count[0], STATUS_BAD_INPUT,
          "%s: the file has no value of %s around any of the %lld wet columns: %s", value->place, what,
          count[0], file_field_describe(file));
    if (count[1] > 0 && !value->of_nest) /* half a coarse cell along each coast */
        log_warn("%s: %lld of %lld wet columns lie outside the file or where %s is missing: they get the "
                 "nearest value, from %s",
                 value->place, count[1], count[0], what, file_field_describe(file));
    return STATUS_OK;
}

static Status open_file(const Value *value, const char *what, const Grid *g, char place,
                        const Scenario *scenario, FileField **out) {
    const char *const own[] = {what, NULL};
    const FieldNames names = field_names_of(what, own);
    TRY(file_field_create(value->file, value->column, &names, g, place, scenario, out));
    Status status = tell_cover(*out, value, what, g);
    if (status != STATUS_OK) file_field_destroy(out);
    return status;
}

static Status take(const FileField *file, const Value *value, const char *what, const Grid *g, char place,
                   int i, int j, double z, double *out) {
    double x, y;
    char limits[112];
    *out = value_rounded_into(file_field_at(file, file_place_number(g, i, j), z), value->least, value->most);
    if (value_allows(value, *out)) return STATUS_OK;
    value_limits(value, limits);
    file_place_of(g, place, i, j, &x, &y);
    const char *unit = strcmp(what, "temperature") == 0 ? "C" : NULL,
               *guess = unit_guess(unit, *out, value->least, value->most);
    return error_raise(STATUS_BAD_INPUT, "%s: %s is %g at %.10g, %.10g, %.4g m in %s, but it %s%s%s",
                       value->place, what, *out, x, y, z, file_field_describe(file), limits,
                       guess ? ": " : "", guess ? guess : "");
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
    FileField *file = NULL;
    Status status = STATUS_OK;
    const Value simple = without_file(value);
    if (!is_read(value, scenario))
        return status_agree(g->comm, value_fill_2d(&simple, what, g, place, field));
    TRY(open_file(value, what, g, place, scenario, &file));
    for (int j = -HALO; j < g->n2 + HALO; j++)
        for (int i = -HALO; i < g->n1 + HALO; i++)
            ATTEMPT(take(file, value, what, g, place, i, j, 0, &field[AT2(*g, i, j)]));
cleanup:
    file_field_destroy(&file);
    return status_agree(g->comm, status);
}

/* ---- in every layer ---- */

/* The columns of one place: where their ground is, and their layers. */
typedef struct Columns {
    RunList list;
    const double *bed, *bottom, *phi;
    char place;
    ptrdiff_t back; /* to the cell on the other side of a face; 0: centres */
} Columns;

static Columns columns_of(const Grid *g, char place) {
    if (place == 'u') return (Columns){g->faces_u, g->bed_u, g->bottom_u, g->phi_u, 'u', 1};
    if (place == 'v') return (Columns){g->faces_v, g->bed_v, g->bottom_v, g->phi_v, 'v', g->row};
    return (Columns){g->columns, g->bed, g->bottom_c, g->phi_c, 'c', 0};
}

static Status fill_columns(const FileField *file, const Value *value, const char *what, const Grid *g,
                           const Columns *c, const double *depth, double *field) {
    for (int n = 0; n < c->list.count; n++)
        for (int i = c->list.run[n].i0, j = c->list.run[n].j; i < c->list.run[n].i1; i++) {
            const ptrdiff_t m = AT2(*g, i, j), other = m - c->back;
            const double level = 0.5 * (g->bed[m] + depth[m] + g->bed[other] + depth[other]);
            const double water = fmax(0, level - c->bed[m]);
            double below = 0;
            for (int k = (int)c->bottom[m]; k < g->n3; k++) {
                const ptrdiff_t mk = m + k * g->plane;
                TRY(take(file, value, what, g, c->place, i, j, c->bed[m] + (below + 0.5 * c->phi[mk]) * water,
                         &field[mk]));
                below += c->phi[mk];
            }
        }
    return STATUS_OK;
}

Status initial_fill_3d(const Value *value, const char *what, const char *standard_name, const Grid *g,
                       char place, const double *depth, const Scenario *scenario, double *field) {
    const Columns columns = columns_of(g, place);
    const Value simple = without_file(value);
    FileField *file = NULL;
    if (!is_read(value, scenario))
        return status_agree(g->comm, place == 'c'
                                         ? value_fill_3d(&simple, what, g, depth, field)
                                         : value_fill_faces(&simple, what, g, place == 'u', depth, field));
    TRY(open_file(value, what, g, place, scenario, &file));
    Status status = field_names_check(file_field_standard_name(file), standard_name, value->place,
                                      file_field_describe(file));
    if (status == STATUS_OK) status = fill_columns(file, value, what, g, &columns, depth, field);
    file_field_destroy(&file);
    return status_agree(g->comm, status);
}
