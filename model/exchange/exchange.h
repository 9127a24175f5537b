/* SPDX-License-Identifier: Apache-2.0
 *
 * The exchange with the air: heat, light, rain, evaporation; applied before each step, for its length.
 *
 *     heat    h T_t = (Q + light's) / (rho_0 c)      Q and the formulae: bulk.h
 *     water   H_t = P - E                            rain P, evaporation E [m s-1]
 *     salt    (H S)_t = 0, and the same for the user's tracers; rain has the temperature of the air, but is not
 *             colder than 0 C (snow counts as water of 0 C), evaporating water that of the surface
 *
 * Light that reaches the bed warms the lowest layer.
 *
 * With ground inside cells (model/subgrid) heat, light and evaporation act on the wet part A of a cell's area, rain on all of it,
 * from where it runs to the water. Light reaches the depths of layers by the hypsometry, I(d) A(d) passes their sides, and the rest
 * stays in the layer above: what has met its bed warms it.
 *
 * Films, water of depth h thinner than D = full_stress_depth_m, lie on ground that shares their heat: (h/D)^2 of heat
 * and light acts on the water, h/D of the evaporation. So a film of 1 mm keeps the temperature that it had as it became
 * one, where one alone would follow the sun by the minute. What the ground takes counts as not received: the budget holds
 * what the water got.
 *
 * Ice is an account, not a cover: heat that would cool water below its freezing point at the surface, F(S), adds to a
 * stock I of latent heat in its column [J m-2], which the upper layer melts before it warms beyond:
 *
 *     rho_0 c h (T - F) < 0:   I' = I - rho_0 c h (T - F),   T' = F        in every layer
 *     I > 0 and T > F:         the smaller one of rho_0 c h (T - F) and I passes from the upper layer to I
 *
 * S is /physics/density/reference_salinity where the scenario carries none, as it is for evaporation. So a winter's heat
 * comes back in spring, and water and ice together have what came from the air. The stock does not move, shield the water
 * from air or light, or take water or salt out of it.
 */
#ifndef MAEOTIS_MODEL_EXCHANGE_H
#define MAEOTIS_MODEL_EXCHANGE_H

#include "model/exchange/bulk.h"
#include "model/forcing/forcing.h"
#include "model/state.h"
#include "model/subgrid/subgrid.h"
#include "numerics/grid/tally.h"

/* What drives it; a scenario has some of them. */
typedef enum AirQuantity {
    AIR_TEMPERATURE,
    AIR_DEW_POINT,
    AIR_HUMIDITY,
    AIR_SHORT_WAVE,
    AIR_LONG_WAVE,
    AIR_CLOUDS,
    AIR_NET,
    AIR_RAIN,
    AIR_EVAPORATION,
    AIR_QUANTITIES
} AirQuantity;

typedef struct Exchange Exchange;

/* NULL where the scenario has nothing of it. Files are opened and looked at, formulas tried at the start and
 * the end. Collective. */
CHECKED Status exchange_create(const Scenario *scenario, const Grid *grid, const Subgrid *inside,
                               Forcing *forcing, Exec exec, Exchange **out);
void exchange_destroy(Exchange **exchange);

/* Does the scenario drive the exchange, which may be NULL, by this? Local. */
bool exchange_has(const Exchange *exchange, AirQuantity quantity);

/* See quantity_give; of what the scenario has. `given`: NULL if none was. Local. */
double *exchange_give(Exchange *exchange, AirQuantity quantity);
const double *exchange_given(const Exchange *exchange, AirQuantity quantity);

/* Least and most ever observed. */
void exchange_bounds(AirQuantity quantity, double bounds[2]);

/* The gains of a step, for the budgets: volume [m3] and the tracers' contents [value m3]; of the temperature
 * both with the water and as heat. `tracer` has one number per tracer of the state. Known when the tally is
 * answered. */
typedef struct ExchangeSums {
    double volume_m3;
    double *tracer;
} ExchangeSums;

/* Changes depth, eta and the tracers of own cells, for the forcing at `time`; halos are to be exchanged.
 * Fails where a formula has no value or a file cannot be read. Collective. */
CHECKED Status exchange_apply(Exchange *exchange, double time, double dt, State *state, Tally *tally,
                              ExchangeSums *sums);

/* The rain of the last step, of columns [m]. */
const double *exchange_rain(const Exchange *exchange);

/* Light of the sun below the surface in the last step, of columns [W m-2], and how the water absorbs it. */
const double *exchange_light(const Exchange *exchange);
/* The wet part of columns that it fell on; NULL: all of them. */
const double *exchange_wet(const Exchange *exchange);
Light exchange_water(const ScenarioAir *air);

/* "shortwave 200; rain storm.nc (...)", for `check`; to be freed. */
char *exchange_describe(const Exchange *exchange);

#endif
