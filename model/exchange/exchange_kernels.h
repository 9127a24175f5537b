/* SPDX-License-Identifier: Apache-2.0
 *
 * The kernels of the exchange with the air, column by column: see exchange.h.
 */
#ifndef MAEOTIS_MODEL_EXCHANGE_KERNELS_H
#define MAEOTIS_MODEL_EXCHANGE_KERNELS_H

#include "model/exchange/bulk.h"
#include "numerics/grid/grid.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The fluxes between air and water in this step. Inputs that are not given are NULL. */
typedef struct AirFluxes {
    GridView g;
    double dt, water_density, albedo, full_depth;
    double evaporates; /* 1: the water of the latent heat leaves */
    AirHeights height; /* of the air's values */
    BulkLaw law;
    SkyLaw sky;
    int cool_skin;
    const double *depth;
    const double *wet;                 /* part of the area, where the water is so much deeper; NULL: all */
    const double *surface_temperature; /* of the upper layer [deg C] */
    const double *surface_salinity;    /* NULL: constant_salinity */
    double constant_salinity;
    int conservative;                                     /* 1: the temperature is conservative, of TEOS-10 */
    const double *air_temperature, *dew_point, *humidity; /* [deg C], [deg C], relative 0..1 */
    const double *wind, *air_pressure;                    /* [m s-1], [Pa] */
    const double *clouds;                                 /* 0..1 */
    const double *short_wave, *long_wave, *net;           /* downwards [W m-2] */
    const double *rain_rate, *evaporation_rate;           /* [mm h-1] */
    double *rain, *evaporation;                           /* in the step [m] */
    double *heat, *light;                                 /* at the surface, and into the depth [W m-2] */
} AirFluxes;
void air_fluxes(Exec exec, BlockList blocks, AirFluxes args);

/* One tracer in columns that rain and evaporation fill and empty from above: the layers keep their shares
 * of the depth, so that water moves down or up through all of them and carries the values of the donor
 * layers. */
typedef struct AirCarried {
    GridView g;
    const double *depth, *rain, *evaporation;
    double leaves;            /* 1: water that evaporates takes it along, as it does heat; 0: as salt */
    const double *rain_value; /* NULL: rain is as the water's surface where it is taken along, else 0 */
    double least_rain_value;  /* where the rain has a value of its own */
    double *c;
    double *brought; /* value times depth [m] */
} AirCarried;
void air_carry(Exec exec, BlockList blocks, AirCarried args);

typedef struct AirHeat {
    GridView g;
    double dt, heat_capacity; /* of a volume [J m-3 K-1] */
    Light light_of;
    const double *shade;                /* attenuation by what is in the water [m-1]; NULL: none */
    const double *depth, *heat, *light; /* after rain and evaporation; [W m-2] */
    const double *sunk, *wide;          /* of subgrid_kernels.h; NULL: cells are even */
    const double *salinity;             /* NULL: constant_salinity */
    double constant_salinity;
    double *temperature;
    double *ice;     /* the latent heat that frozen water has given away [J m-2] */
    double *brought; /* to water and ice [K m] */
    double *flux;    /* into water and ice [W m-2] */
} AirHeat;
void air_warm(Exec exec, BlockList blocks, AirHeat args);

/* depth and eta after rain and evaporation; `added` is the difference [m]. */
typedef struct AirLevel {
    GridView g;
    const double *rain, *evaporation;
    double *depth, *eta, *added;
} AirLevel;
void air_level(Exec exec, RunList columns, AirLevel args);

#ifdef __cplusplus
}
#endif
#endif
