/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/wind.h"

#include "base/calendar.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/units.h"
#include "gpu/elementary.h"
#include "model/forcing/column_map.h"
#include "model/forcing/direction.h"
#include "settings/doubt.h"
#include <string.h>

enum { EASTWARD, NORTHWARD, SPEED, FROM, STRESS_X, STRESS_Y };

static const FieldNames names[] = {
    [EASTWARD] = {"the eastward wind", "m/s", -STRONGEST_WIND, STRONGEST_WIND,
                  NAMES("u10", "u10m", "10u", "u_10m", "uwnd", "U10", "U10M"), NAMES("eastward_wind"),
                  NAMES("10 metre U wind component", "10m_u_component_of_wind")},
    [NORTHWARD] = {"the northward wind", "m/s", -STRONGEST_WIND, STRONGEST_WIND,
                   NAMES("v10", "v10m", "10v", "v_10m", "vwnd", "V10", "V10M"), NAMES("northward_wind"),
                   NAMES("10 metre V wind component", "10m_v_component_of_wind")},
    [SPEED] = {"the wind speed", "m/s", 0, STRONGEST_WIND, NAMES("si10", "ws10"), NAMES("wind_speed"),
               NAMES("10 metre wind speed")},
    [FROM] = {"the wind direction", "deg", -360, 360, NAMES("wdir10"), NAMES("wind_from_direction"),
              NAMES("10 metre wind direction")},
    [STRESS_X] = {"the eastward stress", "Pa", -STRONGEST_STRESS, STRONGEST_STRESS, NAMES("taux", "tau_x"),
                  NAMES("surface_downward_eastward_stress"), NAMES(NULL)},
    [STRESS_Y] = {"the northward stress", "Pa", -STRONGEST_STRESS, STRONGEST_STRESS, NAMES("tauy", "tau_y"),
                  NAMES("surface_downward_northward_stress"), NAMES(NULL)},
};

/* The same in tables. */
static const char *const *const columns[] = {
    [EASTWARD] = NAMES("u_m_s", "u10_m_s", "u", "u10", "wind_u_m_s", "eastward_wind"),
    [NORTHWARD] = NAMES("v_m_s", "v10_m_s", "v", "v10", "wind_v_m_s", "northward_wind"),
    [SPEED] = NAMES("speed_m_s", "speed", "wind_speed_m_s", "wind_speed", "wind_speed_10m"),
    [FROM] = NAMES("from_deg", "from", "wind_from_deg", "wind_from_direction", "wind_from_direction_deg")};

/* ---- a table ---- */

static int find(const Csv *csv, int kind) {
    int column = -1;
    for (int n = 0; columns[kind][n] && column < 0; n++) column = csv_column(csv, columns[kind][n]);
    return column;
}

/* `kind`: of the first of two columns: speed and direction where there are not both components. */
static Status choose_columns(const Csv *csv, int column[2], int *kind) {
    for (*kind = EASTWARD; *kind <= SPEED; *kind += SPEED - EASTWARD) {
        column[0] = find(csv, *kind), column[1] = find(csv, *kind + 1);
        if (column[0] >= 0 && column[1] >= 0) return STATUS_OK;
    }
    char *list = csv_column_list(csv);
    Status status = error_raise(STATUS_BAD_INPUT,
                                "%s: no wind found: expected the columns \"time,u_m_s,v_m_s\" or "
                                "\"time,speed_m_s,from_deg\", but there are \"%s\"",
                                csv->path[0], list);
    memory_free(list);
    return status;
}

static Status read_column(const Csv *csv, int column, int kind, const Scenario *scenario, double **values) {
    const char *name = csv->names[column], *unit = names[kind].unit;
    TRY(series_column(csv, column, unit, values));
    if (unit_missing(csv->units[column] ? csv->units[column] : unit_of_key(name), unit))
        TRY(doubt_raise(scenario, DOUBT_UNITS,
                        "%s: the column %s has no unit: call it \"%s [%s]\" if that is right", csv->path[0],
                        name, name, unit));
    return series_check_values(csv, *values, &names[kind], SERIES_OBSERVED, scenario);
}

Status wind_file_read(const char *path, const Scenario *scenario, Series **u, Series **v, char **source) {
    const double start = scenario->time.start;
    Status status = STATUS_OK;
    Csv *csv = NULL;
    double *value[2] = {NULL, NULL};
    char text[2][32];
    int column[2], kind;
    ATTEMPT(csv_read(path, start, &csv));
    ATTEMPT(choose_columns(csv, column, &kind));
    ATTEMPT(series_check_times(csv, "the wind", scenario));
    for (int n = 0; n < 2; n++) ATTEMPT(read_column(csv, column[n], kind + n, scenario, &value[n]));
    for (int row = 0; row < csv->rows && kind == SPEED; row++)
        direction_wind(value[0][row], value[1][row], &value[0][row], &value[1][row]);
    *u = series_from_samples(csv, &value[0], start);
    *v = series_from_samples(csv, &value[1], start);
    calendar_format(csv->time[0], text[0]);
    calendar_format(csv->time[csv->rows - 1], text[1]);
    *source = memory_format("%s (%s to %s, %d records)", path, text[0], text[1], csv->rows);
cleanup:
    memory_free(value[0]);
    memory_free(value[1]);
    csv_destroy(&csv);
    return status;
}

/* ---- all forms ---- */

static bool given(const Value *value) {
    return value->kind != VALUE_ABSENT;
}

static WindForm form_of(const ScenarioForcing *f) {
    if (given(&f->wind_speed_m_s)) return WIND_POLAR;
    if (given(&f->stress_x_Pa) || given(&f->stress_y_Pa)) return WIND_STRESS;
    return given(&f->wind_u_m_s) || given(&f->wind_v_m_s) || f->wind_file ? WIND_COMPONENTS : WIND_NONE;
}

static Status read_series(const Scenario *s, const Grid *grid, Wind *w) {
    Series *u = NULL, *v = NULL;
    Status status = wind_file_read(s->forcing.wind_file, s, &u, &v, &w->source);
    status = status_agree(grid->comm, status);
    if (status == STATUS_OK) {
        quantity_from_series(&u, &names[EASTWARD], grid, &w->a);
        quantity_from_series(&v, &names[NORTHWARD], grid, &w->b);
    }
    series_destroy(&u);
    series_destroy(&v);
    return status;
}

/* A file says its units itself. */
static const char *said_of(const Value *value, const char *words) {
    return value->kind == VALUE_FILE ? "" : words;
}

/* `kind`: of the first. */
static Status create_pair(const Value *a, const Value *b, int kind, const Scenario *s, const Grid *grid,
                          Wind *w) {
    TRY(quantity_create(a, &names[kind], grid, s, &w->a));
    TRY(quantity_create(b, &names[kind + 1], grid, s, &w->b));
    static const char *const words[][3] = {[WIND_POLAR] = {" m/s", " from ", " degrees"},
                                           [WIND_COMPONENTS] = {" m/s eastward", ", ", " m/s northward"},
                                           [WIND_STRESS] = {" Pa along x", ", ", " Pa along y"}};
    const char *const *said = words[w->form];
    w->source = memory_format("%s%s%s%s%s", w->a.source, said_of(a, said[0]), said[1], w->b.source,
                              said_of(b, said[2]));
    return STATUS_OK;
}

static Status create_from_file(const Scenario *s, const Grid *grid, Wind *w) {
    char *path = s->forcing.wind_file;
    if (!gridded_is_netcdf(grid->comm, path)) return read_series(s, grid, w);
    Value value = {.kind = VALUE_FILE, .file = path};
    char name[128]; /* CF: x_wind is along the axes of the file */
    bool found;
    TRY(gridded_find(grid->comm, path, NULL, &names[EASTWARD], &found, name));
    TRY(create_pair(&value, &value, EASTWARD, s, grid, w));
    w->along_grid = strncmp(name, "x_", 2) == 0 && !gridded_in_degrees(w->a.gridded);
    return STATUS_OK;
}

static Status create_drag_factor(const ScenarioForcing *f, const Grid *grid, Wind *w) {
    const Value *value = &f->drag_factor;
    if (value->kind == VALUE_ABSENT) return STATUS_OK;
    if (value->kind == VALUE_CONSTANT) {
        w->stress.density_ratio *= value->constant;
        if (value->constant != 1) w->drag_source = memory_format("%g", value->constant);
        return STATUS_OK;
    }
    w->drag_factor = field2_create(grid);
    TRY(column_map_fill(value, "the factor of the wind's drag", RASTER_NUMBERS, grid, w->drag_factor));
    w->drag_source = column_map_describe(value, grid, w->drag_factor);
    return STATUS_OK;
}

Status wind_create(const Scenario *s, const Grid *grid, Wind *w) {
    const ScenarioForcing *f = &s->forcing;
    double ratio = f->air_density_kg_m3 / s->physics.water_density_kg_m3;
    *w = (Wind){.factor = f->wind_factor,
                .height = f->wind_height_m,
                .water_density = s->physics.water_density_kg_m3,
                .grid = grid};
    w->stress = (WindStress){f->drag, f->drag_constant, f->drag_cap_m_s, ratio,
                             elementary_log(0.1 * f->wind_height_m)};
    w->form = form_of(f);
    Status status = STATUS_OK;
    if (f->wind_file)
        status = create_from_file(s, grid, w);
    else if (w->form == WIND_POLAR)
        status = create_pair(&f->wind_speed_m_s, &f->wind_from_deg, SPEED, s, grid, w);
    else if (w->form == WIND_COMPONENTS)
        status = create_pair(&f->wind_u_m_s, &f->wind_v_m_s, EASTWARD, s, grid, w);
    else if (w->form == WIND_STRESS)
        status = create_pair(&f->stress_x_Pa, &f->stress_y_Pa, STRESS_X, s, grid, w);
    for (int place = 0; place < PLACES; place++) w->turn[place] = turn_create(grid, "cuv"[place]);
    if (status == STATUS_OK && w->form != WIND_NONE) status = create_drag_factor(f, grid, w);
    if (status != STATUS_OK) wind_release(w);
    if (w->form != WIND_NONE && w->form != WIND_STRESS && f->drag == WIND_DRAG_AZOV)
        log_warn("the drag law \"azov\" has the coefficient 0.0088 below 6.6 m/s, as published: about seven "
                 "times the measured values; for weak winds choose another law");
    return status;
}

void wind_release(Wind *wind) {
    quantity_release(&wind->a);
    quantity_release(&wind->b);
    memory_free(wind->source);
    memory_free(wind->drag_source);
    for (int place = 0; place < PLACES; place++) turn_release(wind->grid, &wind->turn[place]);
    if (wind->drag_factor) field2_destroy(wind->grid, &wind->drag_factor);
    *wind = (Wind){0};
}

double *wind_give(Wind *wind, bool east) {
    wind->form = WIND_COMPONENTS;
    return east ? quantity_give(&wind->a, &names[EASTWARD], wind->grid)
                : quantity_give(&wind->b, &names[NORTHWARD], wind->grid);
}

char *wind_describe(const Wind *wind) {
    static const char *const laws[] = {
        [WIND_DRAG_CONSTANT] = "constant",       [WIND_DRAG_LARGE_POND] = "large-pond",
        [WIND_DRAG_SMITH_BANKE] = "smith-banke", [WIND_DRAG_WU] = "wu",
        [WIND_DRAG_GARRATT] = "garratt",         [WIND_DRAG_AZOV] = "azov",
        [WIND_DRAG_COARE35] = "coare35"};
    if (wind->form == WIND_NONE) return memory_copy_text("wind: none");
    if (wind->form == WIND_STRESS) return memory_format("wind stress: %s", wind->source);
    char times[32] = "";
    if (wind->factor != 1) snprintf(times, sizeof times, ", times %g", wind->factor);
    char height[32] = "";
    if (wind->height != 10) snprintf(height, sizeof height, ", at %g m", wind->height);
    return memory_format("wind: %s%s%s, drag law %s capped at %g m/s%s%s", wind->source, times, height,
                         laws[wind->stress.law], wind->stress.cap, wind->drag_source ? ", times " : "",
                         wind->drag_source ? wind->drag_source : "");
}

bool wind_is_uniform(const Wind *wind) {
    return wind->form == WIND_NONE || (quantity_is_uniform(&wind->a) && quantity_is_uniform(&wind->b) &&
                                       !wind->drag_factor && !wind->turn[PLACE_C].cosine);
}

bool wind_is_steady(const Wind *wind) {
    return wind->form == WIND_NONE || (quantity_is_steady(&wind->a) && quantity_is_steady(&wind->b));
}

Status wind_advance(Wind *wind, double time) {
    if (wind->form == WIND_NONE) return STATUS_OK;
    TRY(quantity_advance(&wind->a, time));
    return quantity_advance(&wind->b, time);
}

Status wind_sample(Wind *wind, Place place, RunList points, WindSample *out) {
    *out = (WindSample){.form = wind->form,
                        .stress = wind->stress,
                        .factor = wind->factor,
                        .water_density = wind->water_density,
                        .turn = wind->along_grid && !wind->a.given ? (Turn){0} : wind->turn[place]};
    if (wind->form == WIND_NONE) return STATUS_OK;
    TRY(quantity_sample(&wind->a, place, points, &out->a));
    return quantity_sample(&wind->b, place, points, &out->b);
}

bool wind_is_plain(const WindSample *s) {
    const bool fields = s->a.value && s->b.value && s->a.beside == 0 && s->b.beside == 0;
    return fields && s->form == WIND_COMPONENTS && s->stress.law == WIND_DRAG_COARE35 &&
           s->stress.log_height == 0 && !s->turn.cosine;
}
