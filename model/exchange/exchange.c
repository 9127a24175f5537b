/* SPDX-License-Identifier: Apache-2.0 */
#include "model/exchange/exchange.h"

#include "base/memory.h"
#include "model/exchange/exchange_kernels.h"
#include "model/forcing/quantity.h"
#include "numerics/grid/sums.h"
#include <string.h>

/* Ranges have room for the rounding of packed files. */
static const FieldNames names[AIR_QUANTITIES] = {
    [AIR_TEMPERATURE] = {"the air temperature", "C", -90, 70, NAMES("t2m", "2t", "T2", "tas"),
                         NAMES("air_temperature"), NAMES("2 metre temperature", "2m_temperature")},
    [AIR_DEW_POINT] = {"the dew point", "C", -100, 50, NAMES("d2m", "2d", "td2m"),
                       NAMES("dew_point_temperature"),
                       NAMES("2 metre dewpoint temperature", "2m_dewpoint_temperature")},
    [AIR_HUMIDITY] = {"the relative humidity", "1", -0.05, 1.2, NAMES("rh", "r2", "hurs"),
                      NAMES("relative_humidity"), NAMES("Relative humidity")},
    [AIR_SHORT_WAVE] = {"the short-wave radiation", "W/m2", -30, 1500,
                        NAMES("ssrd", "msdwswrf", "avg_sdswrf", "rsds"),
                        NAMES("surface_downwelling_shortwave_flux_in_air"),
                        NAMES("Surface solar radiation downwards",
                              "Surface short-wave (solar) radiation downwards")},
    [AIR_LONG_WAVE] = {"the long-wave radiation", "W/m2", 0, 800,
                       NAMES("strd", "msdwlwrf", "avg_sdlwrf", "rlds"),
                       NAMES("surface_downwelling_longwave_flux_in_air"),
                       NAMES("Surface thermal radiation downwards",
                             "Surface long-wave (thermal) radiation downwards")},
    [AIR_CLOUDS] = {"the cloud cover", "1", -0.01, 1.01, NAMES("tcc", "clt"), NAMES("cloud_area_fraction"),
                    NAMES("Total cloud cover")},
    [AIR_NET] = {"the heat flux", "W/m2", -1e4, 1e4, NAMES("qnet", "hfds"),
                 NAMES("surface_downward_heat_flux_in_sea_water"), NAMES("Net surface heat flux")},
    [AIR_RAIN] = {"the rain", "mm/h", -1, 1000, NAMES("tp", "mtpr", "avg_tprate", "pr"),
                  NAMES("precipitation_flux"), NAMES("Total precipitation", "total_precipitation")},
    [AIR_EVAPORATION] = {"the evaporation", "mm/h", -1, 1000, NAMES("evaporation", "evspsbl"),
                         NAMES("water_evapotranspiration_flux"), NAMES("Evaporation")},
};

struct Exchange {
    const Grid *grid;
    const Scenario *scenario;
    Forcing *forcing;      /* not owned */
    const Subgrid *inside; /* NULL: cells are even */
    Exec exec;
    bool has[AIR_QUANTITIES];
    Quantity quantity[AIR_QUANTITIES];
    double *field[AIR_QUANTITIES]; /* NULL where the scenario has none */
    double *wind;
    double *rain, *evaporation, *heat, *light, *added, *brought, *wet; /* of the step */
};

static double **step_planes(Exchange *e, int n) {
    double **all[] = {&e->wind,  &e->rain,  &e->evaporation, &e->heat,
                      &e->light, &e->added, &e->brought,     &e->wet};
    return n < 8 ? all[n] : NULL;
}

/* ---- making ---- */

/* The value of each quantity, or the common file's. */
static Value chosen(const ScenarioAir *air, int n) {
    const Value *own[] = {&air->air_temperature_C, &air->dew_point_C,   &air->humidity,
                          &air->shortwave_W_m2,    &air->longwave_W_m2, &air->cloudiness,
                          &air->net_W_m2,          &air->rain_mm_h,     &air->evaporation_mm_h};
    /* of which a common table has the columns */
    static char keys[AIR_QUANTITIES][36] = {[AIR_TEMPERATURE] = "/forcing/heat/air_temperature_C",
                                            [AIR_DEW_POINT] = "/forcing/heat/dew_point_C",
                                            [AIR_SHORT_WAVE] = "/forcing/heat/shortwave_W_m2",
                                            [AIR_LONG_WAVE] = "/forcing/heat/longwave_W_m2",
                                            [AIR_CLOUDS] = "/forcing/heat/cloudiness",
                                            [AIR_RAIN] = "/forcing/rain/mm_h"};
    const bool clouds = air->cloudiness.kind != VALUE_CONSTANT,
               bulk = air->heat_file || air->air_temperature_C.kind != VALUE_ABSENT;
    bool from_heat =
        air->heat_file && n != AIR_HUMIDITY && n != AIR_NET && n != AIR_RAIN && n != AIR_EVAPORATION;
    if (n == AIR_DEW_POINT && air->humidity.kind != VALUE_ABSENT) from_heat = false;
    if (n == AIR_LONG_WAVE && clouds) from_heat = false;
    if (n == AIR_CLOUDS && (!bulk || chosen(air, AIR_LONG_WAVE).kind != VALUE_ABSENT))
        return (Value){.kind = VALUE_ABSENT};
    if (own[n]->kind != VALUE_ABSENT) return *own[n];
    if (from_heat) return (Value){.kind = VALUE_FILE, .file = air->heat_file, .place = keys[n]};
    if (n == AIR_RAIN && air->rain_file)
        return (Value){.kind = VALUE_FILE, .file = air->rain_file, .place = keys[n]};
    return (Value){.kind = VALUE_ABSENT};
}

static Status advance(Exchange *e, double time) {
    for (int n = 0; n < AIR_QUANTITIES; n++)
        if (e->has[n]) TRY(quantity_fill(&e->quantity[n], time, e->grid->columns, e->field[n]));
    return STATUS_OK;
}

Status exchange_create(const Scenario *scenario, const Grid *grid, const Subgrid *inside, Forcing *forcing,
                       Exec exec, Exchange **out) {
    Exchange *e = ALLOCATE(1, Exchange);
    Status status = STATUS_OK;
    bool any = false;
    *e = (Exchange){.grid = grid, .scenario = scenario, .forcing = forcing, .inside = inside, .exec = exec};
    *out = NULL;
    for (int n = 0; n < AIR_QUANTITIES; n++) {
        const Value value = chosen(&scenario->forcing.air, n);
        if (value.kind == VALUE_ABSENT) continue;
        ATTEMPT(quantity_create(&value, &names[n], grid, scenario, &e->quantity[n]));
        e->has[n] = any = true;
        e->field[n] = field2_create(grid);
    }
    for (int n = 0; step_planes(e, n); n++) *step_planes(e, n) = field2_create(grid);
    ATTEMPT(advance(e, scenario->time.to_s));
    ATTEMPT(advance(e, scenario->time.from_s));
    if (any) *out = e;
cleanup:
    if (status != STATUS_OK || !any) exchange_destroy(&e);
    return status;
}

bool exchange_has(const Exchange *e, AirQuantity n) {
    return e && e->has[n];
}

double *exchange_give(Exchange *e, AirQuantity n) {
    return quantity_give(&e->quantity[n], &names[n], e->grid);
}

const double *exchange_given(const Exchange *e, AirQuantity n) {
    return e->quantity[n].given;
}

void exchange_bounds(AirQuantity n, double bounds[2]) {
    bounds[0] = names[n].least, bounds[1] = names[n].most;
}

void exchange_destroy(Exchange **exchange) {
    Exchange *e = *exchange;
    if (!e) return;
    for (int n = 0; n < AIR_QUANTITIES; n++) {
        if (e->has[n]) quantity_release(&e->quantity[n]);
        field2_destroy(e->grid, &e->field[n]);
    }
    for (int n = 0; step_planes(e, n); n++) field2_destroy(e->grid, step_planes(e, n));
    memory_free(e);
    *exchange = NULL;
}

static const char *without_article(const char *what) {
    return strncmp(what, "the ", 4) == 0 ? what + 4 : what;
}

char *exchange_describe(const Exchange *e) {
    char *text = memory_copy_text("");
    for (int n = 0; n < AIR_QUANTITIES; n++)
        if (e->has[n])
            memory_append(&text, strcmp(names[n].unit, "1") ? "%s%s [%s]: %s" : "%s%s%.0s: %s",
                          *text ? "; " : "", without_article(names[n].what), names[n].unit,
                          e->quantity[n].source);
    if (e->scenario->initial.temperature_C.kind != VALUE_ABSENT)
        memory_append(&text,
                      "; ice stores latent heat, but neither covers the sea, drifts nor rejects brine");
    return text;
}

/* ---- a step ---- */

const double *exchange_wet(const Exchange *e) {
    return e->inside ? e->wet : NULL;
}

static void find_wet(const Exchange *e, const double *depth) {
    const Grid *g = e->grid;
    if (!e->inside) return;
    subgrid_sides(e->inside, e->exec, depth);
    field2_copy(e->exec, g, e->inside->wide + g->n3 * g->plane, e->wet);
}

static void find_fluxes(Exchange *e, double dt, const State *s) {
    const Grid *g = e->grid;
    const ScenarioAir *air = &e->scenario->forcing.air;
    const ptrdiff_t top = (g->n3 - 1) * g->plane;
    air_fluxes(
        e->exec, g->blocks_c,
        (AirFluxes){.g = grid_view(g),
                    .dt = dt,
                    .law = air->bulk,
                    .cool_skin = air->cool_skin,
                    .height = {e->scenario->forcing.wind_height_m, air->air_height_m, air->humidity_height_m},
                    .water_density = e->scenario->physics.water_density_kg_m3,
                    .albedo = air->albedo,
                    .full_depth = e->scenario->physics.full_stress_depth_m,
                    .sky = air->sky,
                    .evaporates = air->evaporation_of_heat,
                    .depth = s->depth,
                    .wet = exchange_wet(e),
                    .surface_temperature = s->temperature < 0 ? NULL : s->tracer[s->temperature].c + top,
                    .surface_salinity = s->salinity < 0 ? NULL : s->tracer[s->salinity].c + top,
                    .constant_salinity = e->scenario->physics.density.reference_salinity,
                    .conservative = e->scenario->physics.density.equation == DENSITY_TEOS10,
                    .air_temperature = e->field[AIR_TEMPERATURE],
                    .dew_point = e->field[AIR_DEW_POINT],
                    .humidity = e->field[AIR_HUMIDITY],
                    .wind = e->wind,
                    .air_pressure = s->air_pressure,
                    .short_wave = e->field[AIR_SHORT_WAVE],
                    .long_wave = e->field[AIR_LONG_WAVE],
                    .clouds = e->field[AIR_CLOUDS],
                    .net = e->field[AIR_NET],
                    .rain_rate = e->field[AIR_RAIN],
                    .evaporation_rate = e->field[AIR_EVAPORATION],
                    .rain = e->rain,
                    .evaporation = e->evaporation,
                    .heat = e->heat,
                    .light = e->light});
}

const double *exchange_rain(const Exchange *e) {
    return e->rain;
}

const double *exchange_light(const Exchange *e) {
    return e->light;
}

Light exchange_water(const ScenarioAir *air) {
    const Light of[] = {
        [WATER_I] = {0.58, 0.35, 23},   [WATER_IA] = {0.62, 0.6, 20},
        [WATER_IB] = {0.67, 1, 17},     [WATER_II] = {0.77, 1.5, 14},
        [WATER_III] = {0.78, 1.4, 7.9}, [WATER_OTHER] = {air->red_part, air->red_m, air->blue_m}};
    return of[air->water_type];
}

static void carry(Exchange *e, const State *s, int tracer) {
    const bool warm = tracer == s->temperature;
    air_carry(e->exec, e->grid->blocks_c,
              (AirCarried){grid_view(e->grid), s->depth, e->rain, e->evaporation, warm,
                           warm ? e->field[AIR_TEMPERATURE] : NULL, 0.0, s->tracer[tracer].c, e->brought});
}

/* In the depth after rain and evaporation; adds to what these brought. */
static void warm(Exchange *e, double dt, State *s) {
    const ScenarioAir *air = &e->scenario->forcing.air;
    air_warm(e->exec, e->grid->blocks_c,
             (AirHeat){.g = grid_view(e->grid),
                       .dt = dt,
                       .heat_capacity = e->scenario->physics.water_density_kg_m3 * air->capacity_J_kg_K,
                       .light_of = exchange_water(air),
                       .shade = s->shade,
                       .depth = s->depth,
                       .sunk = e->inside ? e->inside->sunk : NULL,
                       .wide = e->inside ? e->inside->wide : NULL,
                       .heat = e->heat,
                       .light = e->light,
                       .salinity = s->salinity < 0 ? NULL : s->tracer[s->salinity].c,
                       .constant_salinity = e->scenario->physics.density.reference_salinity,
                       .temperature = s->tracer[s->temperature].c,
                       .ice = s->ice,
                       .brought = e->brought,
                       .flux = s->heat_flux});
}

Status exchange_apply(Exchange *e, double time, double dt, State *s, Tally *tally, ExchangeSums *sums) {
    const Grid *g = e->grid;
    TRY(advance(e, time));
    if (e->has[AIR_TEMPERATURE]) TRY(forcing_wind_speed(e->forcing, e->wind));
    find_wet(e, s->depth);
    find_fluxes(e, dt, s);
    for (int n = 0; n < s->n_tracers; n++) {
        if (n == s->temperature) continue;
        carry(e, s, n);
        sums_ask(tally, g, 1, g->counted_area, e->brought, &sums->tracer[n]);
    }
    if (s->temperature >= 0) carry(e, s, s->temperature);
    air_level(e->exec, g->columns,
              (AirLevel){grid_view(g), e->rain, e->evaporation, s->depth, s->eta, e->added});
    if (s->temperature >= 0) {
        if (e->inside) subgrid_sides(e->inside, e->exec, s->depth);
        warm(e, dt, s);
        sums_ask(tally, g, 1, g->counted_area, e->brought, &sums->tracer[s->temperature]);
    }
    sums_ask(tally, g, 1, g->counted_area, e->added, &sums->volume_m3);
    return STATUS_OK;
}
