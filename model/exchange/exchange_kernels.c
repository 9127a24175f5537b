/* SPDX-License-Identifier: Apache-2.0 */
#include "model/exchange/exchange_kernels.h"

#include "model/density/equation_of_state.h"
#include "model/exchange/bulk_lanes.h"

/* Less water than this is damp ground, from which nothing evaporates: salt would become infinitely dense. [m]
 */
#define DAMP 0.01

#define STANDARD_PRESSURE 101325.0

/* Of the air over a column; pressures that are given as differences from the mean are small. */
POINTWISE Air air_over(const AirFluxes *a, ptrdiff_t m, double sun) {
    const double given = a->air_pressure ? a->air_pressure[m] : STANDARD_PRESSURE;
    Air air;
    air.temperature = a->air_temperature[m];
    air.vapour = a->dew_point ? vapour_saturation(a->dew_point[m])
                              : a->humidity[m] * vapour_saturation(air.temperature);
    air.pressure = given < 50000.0 ? STANDARD_PRESSURE + given : given;
    air.wind = a->wind[m];
    air.height = a->height;
    air.sun = sun;
    air.long_wave_down = a->long_wave ? a->long_wave[m] : -1.0;
    air.sky = a->sky;
    air.cloudiness = a->clouds ? max_of(0.0, min_of(1.0, a->clouds[m])) : 0.0;
    return air;
}

POINTWISE double water_salinity(const AirFluxes *a, ptrdiff_t m) {
    return a->surface_salinity ? a->surface_salinity[m] : a->constant_salinity;
}

POINTWISE double practical_salinity(const AirFluxes *a, ptrdiff_t m) {
    const double salinity = water_salinity(a, m);
    return a->conservative ? teos10_practical_salinity(salinity) : salinity;
}

/* The temperature that the air meets: the potential one, up to 1.3 K below a conservative one in fresh water. */
POINTWISE double water_temperature(const AirFluxes *a, ptrdiff_t m) {
    return a->conservative ? teos10_potential(a->surface_temperature[m], water_salinity(a, m))
                           : a->surface_temperature[m];
}

POINTWISE double light_entering(const AirFluxes *a, ptrdiff_t m) {
    return a->short_wave ? (1.0 - a->albedo) * max_of(0.0, a->short_wave[m]) : 0.0;
}

/* Long waves and what passes between air and water, where the air is known. */
POINTWISE void fluxes_of_air(const AirFluxes *a, ptrdiff_t m0, const int *wet, BulkFlux *flux) {
    Air air[LANES];
    double water[LANES], salinity[LANES];
    for (int l = 0; l < LANES; l++) {
        air[l] = air_over(a, m0 + l, light_entering(a, m0 + l));
        water[l] = water_temperature(a, m0 + l);
        salinity[l] = practical_salinity(a, m0 + l);
    }
    bulk_lanes(a->law, a->cool_skin, air, water, salinity, wet, flux);
}

POINTWISE BulkFlux flux_without_air(const AirFluxes *a, ptrdiff_t m) {
    BulkFlux flux = {0, 0, 0, 0};
    if (!a->long_wave) return flux;
    const double t = water_temperature(a, m) + ZERO_CELSIUS;
    flux.long_wave = WATER_EMISSIVITY * (a->long_wave[m] - STEFAN_BOLTZMANN * t * t * t * t);
    return flux;
}

KERNEL_COLUMNS(air_fluxes, AirFluxes) {
    const ptrdiff_t m0 = AT2(a->g, i0, j);
    BulkFlux flux[LANES];
    int wet[LANES];
    for (int l = 0; l < LANES; l++) wet[l] = a->g.bottom_c[m0 + l] < a->g.n3;
    if (a->air_temperature)
        fluxes_of_air(a, m0, wet, flux);
    else
        for (int l = 0; l < LANES; l++) flux[l] = flux_without_air(a, m0 + l);
    for (int l = 0; l < LANES; l++) {
        const ptrdiff_t m = m0 + l;
        if (!wet[l]) continue;
        const double depth = a->depth[m], felt = min_of(1.0, depth / max_of(a->full_depth, 1e-9));
        const double given = a->evaporation_rate ? a->dt * max_of(0.0, a->evaporation_rate[m]) / 3.6e6 : 0.0;
        const double volume = a->evaporates * a->dt * flux[l].evaporation / a->water_density;
        const double evaporation = given + max_of(0.0, volume), dew = max_of(0.0, -volume);
        const double heat =
            (a->net ? a->net[m] : 0.0) + (flux[l].sensible + flux[l].latent + flux[l].long_wave);
        a->rain[m] = felt * dew + (a->rain_rate ? a->dt * max_of(0.0, a->rain_rate[m]) / 3.6e6 : 0.0);
        a->evaporation[m] = depth > DAMP ? min_of(felt * evaporation, 0.5 * (depth - DAMP)) : 0.0;
        a->heat[m] = felt * felt * heat;
        a->light[m] = felt * felt * light_entering(a, m);
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

/* Layer by layer from the surface down, F what goes down through the lower side, upwind:
 *     c' = c + (inflows (c_in - c)) / h' */
POINTWISE void carry_layers(const AirCarried *a, ptrdiff_t m, double rain_value, double air_value) {
    const int top = a->g.n3 - 1, bottom = (int)a->g.bottom_c[m];
    const double added = a->rain[m] - a->evaporation[m], after = a->depth[m] + added;
    double below = 1.0, above_value = 0.0,
           from_above = 0.0; /* share of the depth below the layer's upper side */
    for (int k = top; k >= bottom; k--) {
        const ptrdiff_t mk = m + k * a->g.plane;
        const double c = a->c[mk], share = a->g.phi_c[mk];
        below = k > bottom ? max_of(0.0, below - share) : 0.0;
        const double down = added * below, from_below = max_of(0.0, -down);
        const double c_below = k > bottom ? a->c[mk - a->g.plane] : c;
        double gain = from_above * (above_value - c) + from_below * (c_below - c);
        if (k == top) gain += a->rain[m] * (rain_value - c) - a->evaporation[m] * (air_value - c);
        a->c[mk] = c + gain / (share * after);
        above_value = c;
        from_above = max_of(0.0, down);
    }
}

KERNEL_COLUMNS(air_carry, AirCarried) {
    const int top = a->g.n3 - 1;
    for (int l = 0; l < LANES; l++) {
        const ptrdiff_t m = AT2(a->g, i0, j) + l, m_top = m + top * a->g.plane;
        const double rain = a->rain[m], evaporation = a->evaporation[m];
        if (a->g.bottom_c[m] > top) continue;
        a->brought[m] = 0.0;
        if (!(rain + evaporation > 0)) continue;
        const double own = a->leaves * a->c[m_top], air_value = own;
        const double given = a->rain_value ? max_of(a->least_rain_value, a->rain_value[m]) : own;
        const double rain_value = a->depth[m] > 0 ? given : own;
        a->brought[m] = rain * rain_value - evaporation * air_value;
        double thinnest = 1.0;
        for (int k = (int)a->g.bottom_c[m]; k <= top; k++)
            thinnest = min_of(thinnest, a->g.phi_c[m + k * a->g.plane]);
        if (rain + evaporation < 0.5 * thinnest * a->depth[m]) {
            carry_layers(a, m, rain_value, air_value);
        } else {
            const double value = mixed_value(a, m, rain_value, air_value);
            for (int k = (int)a->g.bottom_c[m]; k <= top; k++) a->c[m + k * a->g.plane] = value;
        }
    }
}

/* At the surface (Unesco Technical Papers in Marine Science 44 (1983), Millero's formula). [deg C] */
POINTWISE double freezing_point(double salinity) {
    const double s = max_of(0.0, salinity);
    return s * (-0.0575 + 1.710523e-3 * sqrt(s) - 2.154996e-4 * s);
}

/* Water colder than its freezing point freezes in part and is at it; where there is ice, the upper layer melts it with what
 * it has beyond. */
POINTWISE void freeze_and_melt(const AirHeat *a, ptrdiff_t m, double depth) {
    const int top = a->g.n3 - 1;
    double ice = a->ice[m];
    for (int k = (int)a->g.bottom_c[m]; k <= top; k++) {
        const ptrdiff_t mk = m + k * a->g.plane;
        const double freezing = freezing_point(a->salinity ? a->salinity[mk] : a->constant_salinity);
        const double capacity = a->heat_capacity * a->g.phi_c[mk] * depth;
        const double surplus = capacity * (a->temperature[mk] - freezing);
        if (surplus < 0) {
            ice -= surplus;
            a->temperature[mk] = freezing;
        } else if (k == top && ice > 0) {
            a->temperature[mk] = surplus > ice ? a->temperature[mk] - ice / capacity : freezing;
            ice = max_of(0.0, ice - surplus);
        }
    }
    a->ice[m] = ice;
}

KERNEL_COLUMNS(air_warm, AirHeat) {
    const int top = a->g.n3 - 1;
    for (int l = 0; l < LANES; l++) {
        const ptrdiff_t m = AT2(a->g, i0, j) + l;
        const double depth = a->depth[m], part = a->dt / a->heat_capacity;
        if (a->g.bottom_c[m] > top) continue;
        a->flux[m] = 0.0;
        if (!(depth > 0)) continue;
        const double light = part * a->light[m], heat = part * a->heat[m];
        double above = 0.0, enters = light; /* share of the depth; light through the upper side */
        double shaded = 0.0;                /* attenuation by what is in the water, from the surface on */
        for (int k = top; k >= (int)a->g.bottom_c[m]; k--) {
            const ptrdiff_t mk = m + k * a->g.plane;
            const double thickness = a->g.phi_c[mk] * depth;
            above += a->g.phi_c[mk];
            if (a->shade) shaded += a->shade[mk] * thickness;
            /* the bed is warmed by what comes so far, and warms the lowest layer */
            const double leaves = k > (int)a->g.bottom_c[m] && light > 0
                                      ? light * light_at(a->light_of, above * depth, shaded)
                                      : 0.0;
            a->temperature[mk] += (enters - leaves + (k == top ? heat : 0.0)) / thickness;
            enters = leaves;
        }
        freeze_and_melt(a, m, depth);
        a->brought[m] += light + heat;
        a->flux[m] = (light + heat) / part;
    }
}

KERNEL_CELLS(air_level, AirLevel) {
    const ptrdiff_t m = AT(a->g, i, j, k);
    const double before = a->depth[m], after = before + (a->rain[m] - a->evaporation[m]);
    a->depth[m] = after;
    a->eta[m] = a->g.bed[m] + after;
    a->added[m] = after - before;
}
