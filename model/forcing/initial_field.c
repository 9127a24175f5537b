/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/initial_field.h"

#include "base/log.h"
#include "base/memory.h"
#include "model/forcing/file_field.h"
#include "model/forcing/forcing.h"
#include "model/forcing/units.h"
#include <math.h>
#include <string.h>

#define NAMES(...)                                                                                           \
    (const char *const[]) {                                                                                  \
        __VA_ARGS__, NULL                                                                                    \
    }

/* How quantities are called in files; other tracers by their own name. */
static const struct {
    const char *what;
    FieldNames names;
} known[] = {
    {"temperature",
     {"temperature", "C", NAMES("temperature", "thetao", "temp", "water_temp", "votemper"),
      NAMES("sea_water_temperature", "sea_water_potential_temperature", "sea_water_conservative_temperature"),
      NAMES("temperature")}},
    {"salinity",
     {"salinity", "g/kg", NAMES("salinity", "so", "salt", "vosaline"),
      NAMES("sea_water_salinity", "sea_water_practical_salinity", "sea_water_absolute_salinity"),
      NAMES("salinity")}},
    {"eta_m",
     {"level", "m", NAMES("eta", "zos", "ssh", "zeta", "sossheig"),
      NAMES("sea_surface_height_above_geoid", "sea_surface_height_above_mean_sea_level"),
      NAMES("sea surface height")}},
    {"u_m_s",
     {"eastward velocity", "m/s", NAMES("u", "uo", "u_east", "vozocrtx"),
      NAMES("eastward_sea_water_velocity", "sea_water_x_velocity"), NAMES("eastward velocity")}},
    {"v_m_s",
     {"northward velocity", "m/s", NAMES("v", "vo", "v_north", "vomecrty"),
      NAMES("northward_sea_water_velocity", "sea_water_y_velocity"), NAMES("northward velocity")}},
};

/* Wet columns that the file does not cover are told; if there are no others it is another sea's. */
static Status tell_cover(const FileField *file, const Value *value, const char *what, const Grid *g) {
    long long count[2] = {0, 0}; /* columns, those without */
    for (int n = 0; n < g->columns.count; n++)
        for (int i = g->columns.run[n].i0, j = g->columns.run[n].j; i < g->columns.run[n].i1; i++) {
            const double x = axes_x(&g->axes, g->i_first + i + 0.5),
                         y = axes_y(&g->axes, g->j_first + j + 0.5);
            count[0]++;
            count[1] += !file_field_covers(file, x, y);
        }
    MPI_Allreduce(MPI_IN_PLACE, count, 2, MPI_LONG_LONG, MPI_SUM, g->comm);
    CHECK(count[1] < count[0], STATUS_BAD_INPUT,
          "%s: the file has no value of %s around any of the %lld wet columns: %s", value->place, what,
          count[0], file_field_describe(file));
    if (count[1] > 0)
        log_warn("%s: %lld of %lld wet columns lie outside the file or where %s is missing: they "
                 "take the nearest value, from %s",
                 value->place, count[1], count[0], what, file_field_describe(file));
    return STATUS_OK;
}

static Status open_file(const Value *value, const char *what, const Grid *g, double start, FileField **out) {
    const char *const own[] = {what, NULL}, *const none[] = {NULL};
    FieldNames names = {what, NULL, own, none, none};
    for (size_t n = 0; n < sizeof known / sizeof *known; n++)
        if (strcmp(known[n].what, what) == 0) names = known[n].names;
    TRY(file_field_create(value->file, value->column, &names, g, start, out));
    Status status = tell_cover(*out, value, what, g);
    if (status != STATUS_OK) file_field_destroy(out);
    return status;
}

/* The names that files may give to what the water carries: its own, and those of nearly the same. */
static bool may_be_called(const char *carried, const char *name) {
    static const char *const rows[][5] = {
        {"sea_water_conservative_temperature"},
        {"sea_water_absolute_salinity", "sea_water_reference_salinity", "sea_water_preformed_salinity"},
        {"sea_water_potential_temperature", "sea_water_temperature"},
        {"sea_water_practical_salinity", "sea_water_salinity"},
    };
    for (size_t n = 0; n < sizeof rows / sizeof *rows; n++) {
        if (strcmp(rows[n][0], carried) != 0) continue;
        for (int i = 0; i < 5 && rows[n][i]; i++)
            if (strcmp(rows[n][i], name) == 0) return true;
        return false;
    }
    return true;
}

static Status check_name(const FileField *file, const Value *value, const char *carried) {
    const char *name = file_field_standard_name(file);
    if (!carried || !*name || may_be_called(carried, name)) return STATUS_OK;
    const bool conservative = strstr(carried, "conservative") || strstr(carried, "absolute");
    return error_raise(
        STATUS_BAD_INPUT,
        "%s: %s holds the %s, but with this equation of state the water carries the %s: choose "
        "/physics/density/equation \"%s\", which takes %s, everywhere in the scenario, or convert "
        "the file (TEOS-10 has CT_from_pt and SA_from_SP, pt_from_CT and SP_from_SA)",
        value->place, file_field_describe(file), name, carried, conservative ? "teos10-practical" : "teos10",
        conservative ? "potential temperature and practical salinity"
                     : "conservative temperature and absolute salinity");
}

static Status take(const FileField *file, const Value *value, const char *what, const Grid *g, double at_i,
                   double at_j, double z, double *out) {
    const double x = axes_x(&g->axes, at_i), y = axes_y(&g->axes, at_j);
    char limits[112];
    *out = file_field_at(file, x, y, z);
    if (value_allows(value, *out)) return STATUS_OK;
    value_limits(value, limits);
    const char *unit = strcmp(what, "temperature") == 0 ? "C" : NULL,
               *guess = unit_guess(unit, *out, value->least, value->most);
    return error_raise(STATUS_BAD_INPUT, "%s: %s is %g at %.10g, %.10g, %.4g m in %s, but it %s%s%s",
                       value->place, what, *out, x, y, z, file_field_describe(file), limits,
                       guess ? ": " : "", guess ? guess : "");
}

/* What lies beyond a periodic seam is what it mirrors. */
static double position(int index, int count, double shift, bool periodic) {
    return (periodic ? axes_wrap(index, count) : index) + shift;
}

Status initial_fill_2d(const Value *value, const char *what, const Grid *g, char place, double start,
                       double *field) {
    const double shift_x = place == 'u' ? 0 : 0.5, shift_y = place == 'v' ? 0 : 0.5;
    FileField *file = NULL;
    Status status = STATUS_OK;
    if (value->kind != VALUE_FILE) return status_agree(g->comm, value_fill_2d(value, what, g, place, field));
    TRY(open_file(value, what, g, start, &file));
    for (int j = -HALO; j < g->n2 + HALO; j++)
        for (int i = -HALO; i < g->n1 + HALO; i++)
            ATTEMPT(take(file, value, what, g, position(g->i_first + i, g->nx, shift_x, g->axes.periodic_x),
                         position(g->j_first + j, g->ny, shift_y, g->axes.periodic_y), 0,
                         &field[AT2(*g, i, j)]));
cleanup:
    file_field_destroy(&file);
    return status_agree(g->comm, status);
}

/* ---- in every layer ---- */

/* The columns of one place: where their ground is, and their layers. */
typedef struct Columns {
    RunList list;
    const double *bed, *bottom, *phi;
    ptrdiff_t back; /* to the cell on the other side of a face; 0: centres */
    double shift_x, shift_y;
} Columns;

static Columns columns_of(const Grid *g, char place) {
    if (place == 'u') return (Columns){g->faces_u, g->bed_u, g->bottom_u, g->phi_u, 1, 0, 0.5};
    if (place == 'v') return (Columns){g->faces_v, g->bed_v, g->bottom_v, g->phi_v, g->row, 0.5, 0};
    return (Columns){g->columns, g->bed, g->bottom_c, g->phi_c, 0, 0.5, 0.5};
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
                TRY(take(file, value, what, g, g->i_first + i + c->shift_x, g->j_first + j + c->shift_y,
                         c->bed[m] + (below + 0.5 * c->phi[mk]) * water, &field[mk]));
                below += c->phi[mk];
            }
        }
    return STATUS_OK;
}

Status initial_fill_3d(const Value *value, const char *what, const char *standard_name, const Grid *g,
                       char place, const double *depth, double start, double *field) {
    const Columns columns = columns_of(g, place);
    FileField *file = NULL;
    if (value->kind != VALUE_FILE)
        return status_agree(g->comm, place == 'c'
                                         ? value_fill_3d(value, what, g, depth, field)
                                         : value_fill_faces(value, what, g, place == 'u', depth, field));
    TRY(open_file(value, what, g, start, &file));
    Status status = check_name(file, value, standard_name);
    if (status == STATUS_OK) status = fill_columns(file, value, what, g, &columns, depth, field);
    file_field_destroy(&file);
    return status_agree(g->comm, status);
}
