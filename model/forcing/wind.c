/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/wind.h"

#include "base/log.h"
#include "base/memory.h"
#include "gpu/elementary.h"
#include "model/forcing/column_map.h"
#include "model/forcing/wind_file.h"
#include <math.h>
#include <string.h>

enum { EASTWARD, NORTHWARD, SPEED, FROM, STRESS_X, STRESS_Y };

static const FieldNames names[] = {
    [EASTWARD] = {"the eastward wind", "m/s", 0, 0,
                  NAMES("u10", "u10m", "10u", "u_10m", "uwnd", "U10", "U10M"), NAMES("eastward_wind"),
                  NAMES("10 metre U wind component", "10m_u_component_of_wind")},
    [NORTHWARD] = {"the northward wind", "m/s", 0, 0,
                   NAMES("v10", "v10m", "10v", "v_10m", "vwnd", "V10", "V10M"), NAMES("northward_wind"),
                   NAMES("10 metre V wind component", "10m_v_component_of_wind")},
    [SPEED] = {"the wind speed", "m/s", 0, 0, NAMES("si10", "ws10"), NAMES("wind_speed"),
               NAMES("10 metre wind speed")},
    [FROM] = {"the wind direction", "deg", 0, 0, NAMES("wdir10"), NAMES("wind_from_direction"),
              NAMES("10 metre wind direction")},
    [STRESS_X] = {"the eastward stress", "Pa", 0, 0, NAMES("taux", "tau_x"),
                  NAMES("surface_downward_eastward_stress"), NAMES(NULL)},
    [STRESS_Y] = {"the northward stress", "Pa", 0, 0, NAMES("tauy", "tau_y"),
                  NAMES("surface_downward_northward_stress"), NAMES(NULL)},
};

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

static Status create_pair(const Value *a, const Value *b, const FieldNames *name_a, const FieldNames *name_b,
                          const Scenario *s, const Grid *grid, Wind *w) {
    TRY(quantity_create(a, name_a, grid, s, &w->a));
    TRY(quantity_create(b, name_b, grid, s, &w->b));
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
    TRY(create_pair(&value, &value, &names[EASTWARD], &names[NORTHWARD], s, grid, w));
    TRY(quantity_limit(&w->a, s, -STRONGEST_WIND, STRONGEST_WIND));
    return quantity_limit(&w->b, s, -STRONGEST_WIND, STRONGEST_WIND);
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
        status = create_pair(&f->wind_speed_m_s, &f->wind_from_deg, &names[SPEED], &names[FROM], s, grid, w);
    else if (w->form == WIND_COMPONENTS)
        status = create_pair(&f->wind_u_m_s, &f->wind_v_m_s, &names[EASTWARD], &names[NORTHWARD], s, grid, w);
    else if (w->form == WIND_STRESS)
        status =
            create_pair(&f->stress_x_Pa, &f->stress_y_Pa, &names[STRESS_X], &names[STRESS_Y], s, grid, w);
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
    return wind->form == WIND_NONE ||
           (quantity_is_uniform(&wind->a) && quantity_is_uniform(&wind->b) && !wind->drag_factor);
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
                        .water_density = wind->water_density};
    if (wind->form == WIND_NONE) return STATUS_OK;
    TRY(quantity_sample(&wind->a, place, points, &out->a));
    return quantity_sample(&wind->b, place, points, &out->b);
}
