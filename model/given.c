/* SPDX-License-Identifier: Apache-2.0 */
#include "model/given.h"

#include "base/memory.h"
#include "gpu/device.h"
#include "model/forcing/wind.h"
#include <math.h>
#include <string.h>

static const GivenName names[GIVEN_COUNT] = {
    [FORCING_WIND_U] = {"wind_u", "m s-1", "sea_surface_air_flow__east_component_of_velocity"},
    [FORCING_WIND_V] = {"wind_v", "m s-1", "sea_surface_air_flow__north_component_of_velocity"},
    [FORCING_STRESS_X] = {"wind_stress_x", "Pa", "sea_surface_air_flow__x_component_of_shear_stress"},
    [FORCING_STRESS_Y] = {"wind_stress_y", "Pa", "sea_surface_air_flow__y_component_of_shear_stress"},
    [FORCING_AIR_PRESSURE] = {"air_pressure", "Pa", "sea_surface_air__pressure"},
    [GIVEN_AIR + AIR_TEMPERATURE] = {"air_temperature", "degC", "sea_surface_air__temperature"},
    [GIVEN_AIR + AIR_DEW_POINT] = {"dew_point", "degC", "sea_surface_air__dew_point_temperature"},
    [GIVEN_AIR + AIR_HUMIDITY] = {"humidity", "1", "sea_surface_air_water~vapor__relative_saturation"},
    [GIVEN_AIR +
        AIR_SHORT_WAVE] = {"shortwave", "W m-2", "sea_surface_radiation~incoming~shortwave__energy_flux"},
    [GIVEN_AIR +
        AIR_LONG_WAVE] = {"longwave", "W m-2", "sea_surface_radiation~incoming~longwave__energy_flux"},
    [GIVEN_AIR + AIR_CLOUDS] = {"cloudiness", "1", "atmosphere_clouds__area_fraction"},
    [GIVEN_AIR + AIR_NET] = {"net_heat", "W m-2", "sea_surface_water_heat~incoming__energy_flux"},
    [GIVEN_AIR + AIR_RAIN] = {"rain", "mm h-1", "atmosphere_water__rainfall_volume_flux"},
    [GIVEN_AIR + AIR_EVAPORATION] = {"evaporation", "mm h-1", "sea_surface_water__evaporation_volume_flux"},
    [GIVEN_DISCHARGE] = {"river_discharge", "m3 s-1", "channel_exit_water__volume_flow_rate"}};

const GivenName *given_name(int which) {
    return &names[which];
}

bool given_possible(const Simulation *sim, int which) {
    if (which == GIVEN_DISCHARGE) return sim->scenario->n_rivers > 0;
    if (which >= GIVEN_AIR) return exchange_has(sim->exchange, (AirQuantity)(which - GIVEN_AIR));
    return which != FORCING_AIR_PRESSURE || forcing_has_air_pressure(sim->forcing);
}

const double *given_values(const Simulation *sim, int which) {
    if (which == GIVEN_DISCHARGE) return rivers_given(sim->rivers);
    if (which >= GIVEN_AIR)
        return sim->exchange ? exchange_given(sim->exchange, (AirQuantity)(which - GIVEN_AIR)) : NULL;
    return forcing_given(sim->forcing, (ForcingField)which);
}

/* Beyond all that was ever observed; a pressure may be a deviation from the mean. Both 0: any number. */
static void bounds_of(const Simulation *sim, int which, double bounds[2]) {
    bounds[0] = bounds[1] = 0;
    if (which == FORCING_WIND_U || which == FORCING_WIND_V) bounds[1] = STRONGEST_WIND;
    if (which == FORCING_STRESS_X || which == FORCING_STRESS_Y) bounds[1] = STRONGEST_STRESS;
    bounds[0] = -bounds[1];
    if (which == GIVEN_DISCHARGE) {
        const Value *said = &sim->scenario->rivers[0].discharge_m3_s;
        bounds[0] = said->least, bounds[1] = said->most;
    }
    if (which == FORCING_AIR_PRESSURE) forcing_pressure_bounds(sim->forcing, bounds);
    if (which >= GIVEN_AIR && which < GIVEN_FIELDS) exchange_bounds((AirQuantity)(which - GIVEN_AIR), bounds);
}

Status given_check(const Simulation *sim, int which, const double *values) {
    const Grid *g = sim->grid;
    const bool rivers = which == GIVEN_DISCHARGE, first = !rivers && !given_values(sim, which);
    const int64_t count = rivers ? sim->scenario->n_rivers : (int64_t)g->n1 * g->n2;
    double bounds[2];
    bounds_of(sim, which, bounds);
    for (int64_t n = 0; n < count; n++) {
        const double value = values[n];
        const bool water = rivers || g->own_area[AT2(*g, (int)(n % g->n1), (int)(n / g->n1))] > 0;
        CHECK(!isnan(value) || !water || !first, STATUS_BAD_INPUT,
              "%s: value %lld is not a number, but its cell can be wet: the first values must cover all such "
              "cells",
              names[which].name, (long long)n);
        if (isnan(value) || !water) continue;
        CHECK(isfinite(value) && (bounds[0] == bounds[1] || (value >= bounds[0] && value <= bounds[1])),
              STATUS_BAD_INPUT, "%s: value %lld is %g %s, outside the range ever observed, %g to %g",
              names[which].name, (long long)n, value, names[which].units, bounds[0], bounds[1]);
    }
    return STATUS_OK;
}

static double *field_of(Simulation *sim, int which) {
    return which >= GIVEN_AIR ? exchange_give(sim->exchange, (AirQuantity)(which - GIVEN_AIR))
                              : forcing_give(sim->forcing, (ForcingField)which);
}

/* Beyond the edges of the grid the air is that over the nearest cell. */
static void fill_edges(const Grid *g, double *field) {
    for (int j = 0; j < g->n2; j++) {
        field[AT2(*g, -1, j)] = field[AT2(*g, 0, j)];
        field[AT2(*g, g->n1, j)] = field[AT2(*g, g->n1 - 1, j)];
    }
    for (int i = -1; i <= g->n1; i++) {
        field[AT2(*g, i, -1)] = field[AT2(*g, i, 0)];
        field[AT2(*g, i, g->n2)] = field[AT2(*g, i, g->n2 - 1)];
    }
}

static void take_field(Simulation *sim, int which, const double *values) {
    const Grid *g = sim->grid;
    exec_wait(sim->exec); /* the scenario's own may still be read */
    double *field = field_of(sim, which);
    for (int j = 0; values && j < g->n2; j++)
        for (int i = 0; i < g->n1; i++) {
            const double value = values[(int64_t)j * g->n1 + i];
            if (g->own_area[AT2(*g, i, j)] > 0 && !isnan(value)) field[AT2(*g, i, j)] = value;
        }
    fill_edges(g, field);
    halo_exchange(sim->halo, 1, &field, 0, NULL);
}

/* The same bits from every rank: the largest is the least. */
static Status agree(const Simulation *sim, const double *values) {
    const int count = sim->scenario->n_rivers;
    int64_t *ends = ALLOCATE(2 * count, int64_t);
    bool same = true;
    for (int n = 0; n < count; n++) {
        int64_t bits = INT64_C(0x7ff8000000000000); /* of every NaN */
        const double value = values ? values[n] : NAN;
        if (!isnan(value)) memcpy(&bits, &value, sizeof bits);
        ends[n] = bits, ends[count + n] = ~bits;
    }
    MPI_Allreduce(MPI_IN_PLACE, ends, 2 * count, MPI_INT64_T, MPI_MAX, sim->grid->comm);
    for (int n = 0; n < count; n++) same = same && ends[n] == ~ends[count + n];
    memory_free(ends);
    CHECK(same, STATUS_BAD_INPUT,
          "%s: the processes set different values; each must set the same ones, for all rivers",
          names[GIVEN_DISCHARGE].name);
    return STATUS_OK;
}

Status given_take(Simulation *sim, int which, const double *values) {
    if (which == GIVEN_DISCHARGE) {
        TRY(agree(sim, values));
        rivers_give(sim->rivers, values);
    } else
        take_field(sim, which, values);
    sim->given = (double)((uint64_t)sim->given | UINT64_C(1) << which);
    sim->awaited &= ~(UINT64_C(1) << which);
    return STATUS_OK;
}

Status given_complete(const Simulation *sim) {
    for (int n = 0; n < GIVEN_COUNT; n++)
        CHECK(!(sim->awaited >> n & 1), STATUS_BAD_INPUT,
              "a program that drove the run set %s, and the restart file does not contain such forcing: "
              "continue with that program and let it set %s before the next step",
              names[n].name, names[n].name);
    for (int n = FORCING_WIND_U; n <= FORCING_STRESS_X; n += 2)
        CHECK(!given_values(sim, n) == !given_values(sim, n + 1), STATUS_BAD_INPUT,
              "only one of %s and %s was set: set both before the next step", names[n].name,
              names[n + 1].name);
    return STATUS_OK;
}
