/* SPDX-License-Identifier: Apache-2.0 */
#include "model/exchange/exchange_kernels.h"

#include "model/density/equation_of_state.h"
#include "model/exchange/bulk_lanes.h"

/* Less water than this is damp ground, from which nothing evaporates: salt would become infinitely dense. [m]
 */
#define DAMP 0.01

#define STANDARD_PRESSURE 101325.0

/* Of the air over a block of columns; pressures that are given as differences from the mean are small. */
POINTWISE void find_air(const AirFluxes *a, ptrdiff_t m0, AirLanes *air) {
    const double *any = a->air_temperature;
    const double *const saturated = or_any(a->dew_point, any), *const pressure = or_any(a->air_pressure, any);
    const double *const humidity = or_any(a->humidity, any), *const clouds = or_any(a->clouds, any);
    const double *const long_wave = or_any(a->long_wave, any), *const short_wave = or_any(a->short_wave, any);
    const int by_dew_point = a->dew_point != NULL, has_pressure = a->air_pressure != NULL;
    const int has_clouds = a->clouds != NULL, has_long_wave = a->long_wave != NULL;
    const double enters = a->short_wave ? 1.0 - a->albedo : 0.0;
    FOR_LANES (l) {
        const ptrdiff_t m = m0 + l;
        const double given = has_pressure ? pressure[m] : STANDARD_PRESSURE;
        air->temperature[l] = any[m];
        air->vapour[l] = (by_dew_point ? 1.0 : humidity[m]) * vapour_saturation(saturated[m]);
        air->pressure[l] = given < 50000.0 ? STANDARD_PRESSURE + given : given;
        air->wind[l] = a->wind[m];
        air->sun[l] = enters * max_of(0.0, short_wave[m]);
        air->long_wave_down[l] = has_long_wave ? long_wave[m] : -1.0;
        air->cloudiness[l] = has_clouds ? max_of(0.0, min_of(1.0, clouds[m])) : 0.0;
    }
    air->height.wind = a->height.wind, air->height.temperature = a->height.temperature;
    air->height.humidity = a->height.humidity;
    air->sky = a->sky;
}

/* The temperature that the air meets, the potential one, up to 1.3 K below a conservative one in fresh water; and the
 * practical salinity. */
POINTWISE void find_water(const AirFluxes *a, ptrdiff_t m0, double *temperature, double *salinity) {
    const double *const top = or_any(a->surface_salinity, a->surface_temperature);
    const int varies = a->surface_salinity != NULL;
    FOR_LANES (l) salinity[l] = varies ? top[m0 + l] : a->constant_salinity;
    FOR_LANES (l) temperature[l] = a->surface_temperature[m0 + l];
    if (!a->conservative) return;
    FOR_LANES (l) temperature[l] = teos10_potential(temperature[l], salinity[l]);
    FOR_LANES (l) salinity[l] = teos10_practical_salinity(salinity[l]);
}

/* Long waves and what passes between air and water, as far as the air is known. */
POINTWISE void find_flux(const AirFluxes *a, ptrdiff_t m0, const int *wet, BulkLanes *flux) {
    double water[LANES], salinity[LANES];
    FOR_LANES (l) flux->sensible[l] = flux->latent[l] = flux->long_wave[l] = flux->evaporation[l] = 0.0;
    if (!a->air_temperature && !a->long_wave) return;
    find_water(a, m0, water, salinity);
    if (a->air_temperature) {
        AirLanes air;
        find_air(a, m0, &air);
        bulk_lanes(a->law, a->cool_skin, &air, water, salinity, wet, flux);
        return;
    }
    FOR_LANES (l) {
        const double t = water[l] + ZERO_CELSIUS;
        flux->long_wave[l] = WATER_EMISSIVITY * (a->long_wave[m0 + l] - STEFAN_BOLTZMANN * t * t * t * t);
    }
}

KERNEL_COLUMNS(air_fluxes, AirFluxes) {
    const ptrdiff_t m0 = AT2(a->g, i0, j);
    const double *any = a->depth;
    const double *const given_rate = or_any(a->evaporation_rate, any), *const net = or_any(a->net, any);
    const double *const rain_rate = or_any(a->rain_rate, any), *const short_wave = or_any(a->short_wave, any);
    const double *const parts = or_any(a->wet, any);
    const int has_rate = a->evaporation_rate != NULL, has_net = a->net != NULL, rains = a->rain_rate != NULL;
    const int in_part = a->wet != NULL;
    const double enters = a->short_wave ? 1.0 - a->albedo : 0.0;
    BulkLanes flux;
    int wet[LANES];
    for (int l = 0; l < LANES; l++) wet[l] = a->g.bottom_c[m0 + l] < a->g.n3;
    find_flux(a, m0, wet, &flux);
    FOR_LANES (l) {
        const ptrdiff_t m = m0 + l;
        const int is_wet = a->g.bottom_c[m] < a->g.n3;
        const double part = in_part ? parts[m] : 1.0, mean = a->depth[m];
        const double depth = in_part ? mean / max_of(part, 1e-300) : mean;
        const double felt = min_of(1.0, depth / max_of(a->full_depth, 1e-9));
        const double given = has_rate ? a->dt * max_of(0.0, given_rate[m]) / 3.6e6 : 0.0;
        const double volume = a->evaporates * a->dt * flux.evaporation[l] / a->water_density;
        const double evaporation = given + max_of(0.0, volume), dew = max_of(0.0, -volume);
        const double heat =
            (has_net ? net[m] : 0.0) + (flux.sensible[l] + flux.latent[l] + flux.long_wave[l]);
        const double rain = part * (felt * dew) + (rains ? a->dt * max_of(0.0, rain_rate[m]) / 3.6e6 : 0.0);
        const double leaves = depth > DAMP ? part * min_of(felt * evaporation, 0.5 * (depth - DAMP)) : 0.0;
        const double light = part * (felt * felt * (enters * max_of(0.0, short_wave[m])));
        a->rain[m] = is_wet ? rain : a->rain[m];
        a->evaporation[m] = is_wet ? leaves : a->evaporation[m];
        a->heat[m] = is_wet ? part * (felt * felt * heat) : a->heat[m];
        a->light[m] = is_wet ? light : a->light[m];
    }
}

/* The column well mixed: in films, of which the rain is a large part. */
POINTWISE double mixed_value(const AirCarried *a, ptrdiff_t m, double rain_value, double air_value) {
    double mean = 0.0;
    for (int k = (int)a->g.bottom_c[m]; k < a->g.n3; k++)
        mean += a->g.phi_c[m + k * a->g.plane] * a->c[m + k * a->g.plane];
    const double rain = a->rain[m], evaporation = a->evaporation[m];
    const double left = a->depth[m] + rain - evaporation;
    const double inverse = 1.0 / max_of(left, 1e-300);
    /* salt cannot become less than none; a temperature that is that of the rain stays as it is */
    if (a->leaves > 0)
        return mean + (rain * (rain_value - mean) - evaporation * (air_value - mean)) * inverse;
    return (mean * a->depth[m] + rain * rain_value - evaporation * air_value) * inverse;
}

/* What the columns of a block take in; `flows`: 1 where water comes or goes through layers. */
typedef struct Carried {
    double rain[LANES], evaporation[LANES], rain_value[LANES], air_value[LANES], flows[LANES];
} Carried;

POINTWISE int lowest_bottom(GridView g, ptrdiff_t m0) {
    int lowest = g.n3;
    for (int l = 0; l < LANES; l++) lowest = g.bottom_c[m0 + l] < lowest ? (int)g.bottom_c[m0 + l] : lowest;
    return lowest;
}

/* Layer by layer from the surface down, F what goes down through the lower side, upwind:
 *     c' = c + (inflows (c_in - c)) / h' */
POINTWISE void carry_layers(const AirCarried *a, ptrdiff_t m0, const Carried *by) {
    const int top = a->g.n3 - 1, lowest = lowest_bottom(a->g, m0);
    double below[LANES], above_value[LANES] = {0},
                         from_above[LANES] = {0}; /* share of the depth below the layer's upper side */
    FOR_LANES (l) below[l] = 1.0;
    for (int k = top; k >= lowest; k--) {
        double *layer = a->c + m0 + k * a->g.plane;
        const double *under = k > 0 ? layer - a->g.plane : layer, *phi = a->g.phi_c + m0 + k * a->g.plane;
        const double at_top = k == top ? 1.0 : 0.0, level = k;
        PREFETCH(layer + 2 * LANES); /* the block after next: half of the time was spent waiting for it */
        FOR_LANES (l) {
            const double bottom = a->g.bottom_c[m0 + l];
            const double added = by->rain[l] - by->evaporation[l], after = a->depth[m0 + l] + added;
            const double c = layer[l], share = phi[l];
            below[l] = level > bottom ? max_of(0.0, below[l] - share) : 0.0;
            const double down = added * below[l], from_below = max_of(0.0, -down);
            const double c_below = level > bottom ? under[l] : c;
            const double inner = from_above[l] * (above_value[l] - c) + from_below * (c_below - c);
            const double gain =
                inner + (by->rain[l] * (by->rain_value[l] - c) - by->evaporation[l] * (by->air_value[l] - c));
            const double changed = c + (at_top > 0 ? gain : inner) / (share * after);
            const int flows = (level >= bottom) & (by->flows[l] > 0);
            layer[l] = flows ? changed : c;
            above_value[l] = c;
            from_above[l] = max_of(0.0, down);
        }
    }
}

/* Columns in which more passes through a layer than it holds. */
POINTWISE void carry_films(const AirCarried *a, ptrdiff_t m0, const Carried *by) {
    for (int l = 0; l < LANES; l++) {
        const ptrdiff_t m = m0 + l;
        if (a->g.bottom_c[m] >= a->g.n3 || by->flows[l] > 0 || !(by->rain[l] + by->evaporation[l] > 0))
            continue;
        const double value = mixed_value(a, m, by->rain_value[l], by->air_value[l]);
        for (int k = (int)a->g.bottom_c[m]; k < a->g.n3; k++) a->c[m + k * a->g.plane] = value;
    }
}

POINTWISE void find_carried(const AirCarried *a, ptrdiff_t m0, Carried *by) {
    const double *top = a->c + m0 + (a->g.n3 - 1) * a->g.plane, *given = or_any(a->rain_value, a->rain);
    const int has_value = a->rain_value != NULL;
    double under[LANES];    /* share of the depth below a layer's upper side */
    double thinnest[LANES]; /* the least ratio of a layer's share to that */
    FOR_LANES (l) thinnest[l] = 1.0, under[l] = 0.0;
    for (int k = lowest_bottom(a->g, m0); k < a->g.n3; k++) {
        const double level = k;
        PREFETCH(a->g.phi_c + m0 + k * a->g.plane + 2 * LANES);
        FOR_LANES (l) {
            const double share = a->g.phi_c[m0 + l + k * a->g.plane];
            const int inside = level >= a->g.bottom_c[m0 + l];
            under[l] += inside ? share : 0.0;
            thinnest[l] = inside ? min_of(thinnest[l], share / max_of(under[l], 1e-300)) : thinnest[l];
        }
    }
    FOR_LANES (l) {
        const ptrdiff_t m = m0 + l;
        const double rain = a->rain[m], evaporation = a->evaporation[m], own = a->leaves * top[l];
        const double value = has_value ? max_of(a->least_rain_value, given[m]) : own;
        const double rain_value = a->depth[m] > 0 ? value : own, passes = rain + evaporation;
        const double brought = passes > 0 ? rain * rain_value - evaporation * own : 0.0;
        by->rain[l] = rain, by->evaporation[l] = evaporation;
        by->rain_value[l] = rain_value, by->air_value[l] = own;
        const int flows = (passes > 0) & (passes < 0.5 * thinnest[l] * a->depth[m]);
        by->flows[l] = flows ? 1.0 : 0.0;
        a->brought[m] = a->g.bottom_c[m] < a->g.n3 ? brought : a->brought[m];
    }
}

KERNEL_COLUMNS(air_carry, AirCarried) {
    const ptrdiff_t m0 = AT2(a->g, i0, j);
    Carried by;
    int films = 0, layers = 0;
    find_carried(a, m0, &by);
    for (int l = 0; l < LANES; l++) {
        const int wet = a->g.bottom_c[m0 + l] < a->g.n3 && by.rain[l] + by.evaporation[l] > 0;
        films |= wet && !(by.flows[l] > 0), layers |= wet && by.flows[l] > 0;
    }
    if (layers) carry_layers(a, m0, &by);
    if (films) carry_films(a, m0, &by);
}

/* At the surface (Unesco Technical Papers in Marine Science 44 (1983), Millero's formula). [deg C] */
POINTWISE double freezing_point(double salinity) {
    const double s = max_of(0.0, salinity);
    return s * (-0.0575 + 1.710523e-3 * sqrt(s) - 2.154996e-4 * s);
}

/* Water colder than its freezing point freezes in part and is at it; where there is ice, the upper layer melts it with what
 * it has beyond. */
POINTWISE void freeze_and_melt(const AirHeat *a, ptrdiff_t m0, int lowest) {
    const int top = a->g.n3 - 1, varies = a->salinity != NULL;
    double left[LANES];
    FOR_LANES (l) left[l] = a->ice[m0 + l];
    for (int k = lowest; k <= top; k++) {
        const ptrdiff_t mk = m0 + k * a->g.plane;
        const double *salinity = or_any(a->salinity, a->temperature) + mk, *phi = a->g.phi_c + mk;
        const double at_top = k == top ? 1.0 : 0.0, level = k;
        double *temperature = a->temperature + mk;
        PREFETCH(salinity + 2 * LANES);
        FOR_LANES (l) {
            const double depth = a->depth[m0 + l], ice = left[l], now = temperature[l];
            const double freezing = freezing_point(varies ? salinity[l] : a->constant_salinity);
            const double capacity = a->heat_capacity * phi[l] * depth, surplus = capacity * (now - freezing);
            const double melted = surplus > ice ? now - ice / capacity : freezing;
            const double melts = at_top * ice; /* above 0 where there is something to melt */
            const double warmed = melts > 0 ? melted : now,
                         rest = melts > 0 ? max_of(0.0, ice - surplus) : ice;
            const int inside = (level >= a->g.bottom_c[m0 + l]) & (depth > 0);
            temperature[l] = inside ? (surplus < 0 ? freezing : warmed) : now;
            left[l] = inside ? (surplus < 0 ? ice - surplus : rest) : ice;
        }
    }
    FOR_LANES (l) a->ice[m0 + l] = left[l];
}

/* The light that passes the lower side of a layer. */
POINTWISE void let_through(const AirHeat *a, ptrdiff_t m0, ptrdiff_t mk, double level, const double *light,
                           const double *above, const double *shaded, double *leaves) {
    const ptrdiff_t surface = m0 + a->g.n3 * a->g.plane;
    double sunk[LANES], part[LANES];
    FOR_LANES (l) sunk[l] = above[l] * a->depth[m0 + l];
    FOR_LANES (l) part[l] = 1.0;
    if (a->sunk)
        FOR_LANES (l) {
            sunk[l] = a->sunk[mk + l];
            part[l] = a->wide[mk + l] / max_of(a->wide[surface + l], 1e-300);
        }
    FOR_LANES (l) {
        const double through = part[l] * (light[l] * light_at(a->light_of, sunk[l], shaded[l]));
        /* the bed is warmed by what comes so far, and warms the lowest layer */
        const int passes = (level > a->g.bottom_c[m0 + l]) & (light[l] > 0);
        leaves[l] = passes ? through : 0.0;
    }
}

/* What is in a layer, down to its lower side. */
POINTWISE void shade_layer(const AirHeat *a, ptrdiff_t m0, ptrdiff_t mk, double *shaded) {
    const ptrdiff_t upper = mk + a->g.plane;
    if (!a->shade) return;
    if (a->sunk)
        FOR_LANES (l) shaded[l] += (a->sunk[mk + l] - a->sunk[upper + l]) * a->shade[mk + l];
    else
        FOR_LANES (l) shaded[l] += a->shade[mk + l] * (a->g.phi_c[mk + l] * a->depth[m0 + l]);
}

KERNEL_COLUMNS(air_warm, AirHeat) {
    const ptrdiff_t m0 = AT2(a->g, i0, j);
    const int top = a->g.n3 - 1, lowest = lowest_bottom(a->g, m0);
    const double part = a->dt / a->heat_capacity;
    double above[LANES] = {0}, enters[LANES],
           light[LANES];        /* share of the depth; light through the upper side */
    double shaded[LANES] = {0}; /* attenuation by what is in the water, from the surface on */
    double leaves[LANES] = {0};
    int any = 0;
    FOR_LANES (l) enters[l] = light[l] = part * a->light[m0 + l];
    for (int l = 0; l < LANES; l++) any |= light[l] > 0;
    for (int k = top; k >= lowest; k--) {
        const ptrdiff_t mk = m0 + k * a->g.plane;
        const double at_top = k == top ? 1.0 : 0.0, level = k, *phi = a->g.phi_c + mk;
        double *temperature = a->temperature + mk;
        PREFETCH(phi + 2 * LANES);
        PREFETCH(temperature + 2 * LANES);
        FOR_LANES (l) above[l] += phi[l];
        shade_layer(a, m0, mk, shaded);
        if (any) let_through(a, m0, mk, level, light, above, shaded, leaves);
        FOR_LANES (l) {
            const double depth = a->depth[m0 + l], heat = at_top > 0 ? part * a->heat[m0 + l] : 0.0;
            const double warmed = temperature[l] + (enters[l] - leaves[l] + heat) / (phi[l] * depth);
            const int inside = (level >= a->g.bottom_c[m0 + l]) & (depth > 0);
            temperature[l] = inside ? warmed : temperature[l];
            enters[l] = leaves[l];
        }
    }
    freeze_and_melt(a, m0, lowest);
    FOR_LANES (l) {
        const ptrdiff_t m = m0 + l;
        const double comes = part * a->light[m] + part * a->heat[m], depth = a->depth[m];
        const int wet = a->g.bottom_c[m] < a->g.n3, full = wet & (depth > 0);
        a->brought[m] += full ? comes : 0.0;
        a->flux[m] = full ? comes / part : wet ? 0.0 : a->flux[m];
    }
}

KERNEL_CELLS(air_level, AirLevel) {
    const ptrdiff_t m = AT(a->g, i, j, k);
    const double before = a->depth[m], after = before + (a->rain[m] - a->evaporation[m]);
    a->depth[m] = after;
    a->eta[m] = a->g.bed[m] + after;
    a->added[m] = after - before;
}
