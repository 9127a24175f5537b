/* SPDX-License-Identifier: Apache-2.0 */
#include "output/variables.h"

#include "output/output.h"
#include <math.h>
#include <string.h>

bool output_is_wet(const State *state, char place, int i, int j) {
    const Grid *g = state->grid;
    ptrdiff_t n = AT2(*g, i, j);
    if (place == 'u') return g->width_u[n] > 0 && state->depth_u[n] >= state->dry_depth;
    if (place == 'v') return g->width_v[n] > 0 && state->depth_v[n] >= state->dry_depth;
    const double deepest = state->spots ? state->eta[n] - g->bed[n] : state->depth[n];
    return g->own_area[n] > 0 && deepest >= state->dry_depth;
}

static bool has_water(const State *state, int i, int j, int k) {
    return output_is_wet(state, 'c', i, j) && k >= (int)state->grid->bottom_c[AT2(*state->grid, i, j)];
}

static double eta_at(const Sea *sea, int i, int j, int k) {
    (void)k;
    return output_is_wet(sea->state, 'c', i, j) ? sea->state->eta[AT2(*sea->state->grid, i, j)] : NAN;
}

static double depth_at(const Sea *sea, int i, int j, int k) {
    const Grid *g = sea->state->grid;
    (void)k;
    return g->own_area[AT2(*g, i, j)] > 0 ? sea->state->depth[AT2(*g, i, j)] : NAN;
}

static double thickness_at(const Sea *sea, int i, int j, int k) {
    const Grid *g = sea->state->grid;
    return has_water(sea->state, i, j, k) ? g->phi_c[AT(*g, i, j, k)] * sea->state->depth[AT2(*g, i, j)]
                                          : NAN;
}

/* Of layers that move. */
static double layer_share_at(const Sea *sea, int i, int j, int k) {
    const Grid *g = sea->state->grid;
    const ptrdiff_t n = AT2(*g, i, j);
    return g->own_area[n] > 0 && k >= (int)g->bottom_c[n] ? sea->state->layer_share[AT(*g, i, j, k)] : NAN;
}

/* ---- on the faces ---- */

static double u_at(const Sea *sea, int i, int j, int k) {
    const Grid *g = sea->state->grid;
    bool open = output_is_wet(sea->state, 'u', i, j) && k >= (int)g->bottom_u[AT2(*g, i, j)];
    return open ? sea->state->u[AT(*g, i, j, k)] : NAN;
}

static double v_at(const Sea *sea, int i, int j, int k) {
    const Grid *g = sea->state->grid;
    bool open = output_is_wet(sea->state, 'v', i, j) && k >= (int)g->bottom_v[AT2(*g, i, j)];
    return open ? sea->state->v[AT(*g, i, j, k)] : NAN;
}

/* ---- at the centres, from the two faces ---- */

/* The mean of what the open faces say, by their width; a cell without one is at rest. */
static double mean_of_faces(double first, double first_width, double second, double second_width) {
    bool one = !isnan(first) && first_width > 0, two = !isnan(second) && second_width > 0;
    if (one && two) return (first_width * first + second_width * second) / (first_width + second_width);
    return one ? first : two ? second : 0;
}

static double along_x_at(const Sea *sea, int i, int j, int k) {
    if (!has_water(sea->state, i, j, k)) return NAN;
    const Grid *g = sea->state->grid;
    return mean_of_faces(u_at(sea, i, j, k), g->width_u[AT2(*g, i, j)], u_at(sea, i + 1, j, k),
                         g->width_u[AT2(*g, i + 1, j)]);
}

static double along_y_at(const Sea *sea, int i, int j, int k) {
    if (!has_water(sea->state, i, j, k)) return NAN;
    const Grid *g = sea->state->grid;
    return mean_of_faces(v_at(sea, i, j, k), g->width_v[AT2(*g, i, j)], v_at(sea, i, j + 1, k),
                         g->width_v[AT2(*g, i, j + 1)]);
}

typedef double SeaValue(const Sea *sea, int i, int j, int k);

/* Of a vector along the grid's axes, which on a map are turned against east and north. */
static double eastward(const Sea *sea, SeaValue *x_at, SeaValue *y_at, int i, int j, int k) {
    const Grid *g = sea->state->grid;
    const ptrdiff_t m = AT2(*g, i, j);
    const double x = x_at(sea, i, j, k);
    return g->turn_cosine ? x * g->turn_cosine[m] - y_at(sea, i, j, k) * g->turn_sine[m] : x;
}

static double northward(const Sea *sea, SeaValue *x_at, SeaValue *y_at, int i, int j, int k) {
    const Grid *g = sea->state->grid;
    const ptrdiff_t m = AT2(*g, i, j);
    const double y = y_at(sea, i, j, k);
    return g->turn_cosine ? y * g->turn_cosine[m] + x_at(sea, i, j, k) * g->turn_sine[m] : y;
}

static double u_east_at(const Sea *sea, int i, int j, int k) {
    return eastward(sea, along_x_at, along_y_at, i, j, k);
}

static double v_north_at(const Sea *sea, int i, int j, int k) {
    return northward(sea, along_x_at, along_y_at, i, j, k);
}

static double speed_at(const Sea *sea, int i, int j, int k) {
    double x = along_x_at(sea, i, j, k), y = along_y_at(sea, i, j, k);
    return sqrt(x * x + y * y);
}

static double depth_mean(const Sea *sea, double (*at)(const Sea *, int, int, int), int i, int j) {
    const Grid *g = sea->state->grid;
    if (!output_is_wet(sea->state, 'c', i, j)) return NAN;
    double sum = 0;
    for (int k = (int)g->bottom_c[AT2(*g, i, j)]; k < g->n3; k++)
        sum += g->phi_c[AT(*g, i, j, k)] * at(sea, i, j, k);
    return sum;
}

static double ubar_at(const Sea *sea, int i, int j, int k) {
    (void)k;
    return depth_mean(sea, u_east_at, i, j);
}

static double vbar_at(const Sea *sea, int i, int j, int k) {
    (void)k;
    return depth_mean(sea, v_north_at, i, j);
}

/* ---- vertical ---- */

/* Share of the depth below the middle of layer k; 0 where the column ends above it. */
static double share_below_middle(const Sea *sea, int i, int j, int k) {
    const Grid *g = sea->state->grid;
    const ptrdiff_t n = AT2(*g, i, j);
    const double below = sea->sums ? sea->sums->below[n] : share_below(g, i, j, k);
    return below + (k >= (int)g->bottom_c[n] ? 0.5 * g->phi_c[AT(*g, i, j, k)] : 0);
}

/* Elevation of the middle of layer k of a column; of its bed, where it ends above the layer. */
static double layer_height(const Sea *sea, int i, int j, int k) {
    const ptrdiff_t n = AT2(*sea->state->grid, i, j);
    return sea->state->grid->bed[n] + share_below_middle(sea, i, j, k) * sea->state->depth[n];
}

/* What water that enters or leaves through a face brings: volume flux times height above the cell's middle.
 */
static double lift(const Sea *sea, int i, int j, int k, double flux, double height) {
    return flux == 0 ? 0 : flux * 0.5 * (layer_height(sea, i, j, k) - height);
}

/* The upward velocity of the water in the middle of a cell. Where the pressure is hydrostatic: the rate at
 * which the layer's height changes along the flow, D z / D t = share dH/dt + (flow along the tilted layer) +
 * (flow through the layer), from the fluxes of the last step, so that it agrees with what moved the water.
 * dH/dt is the convergence of the whole column's flow. */
static double w_at(const Sea *sea, int i, int j, int k) {
    const State *s = sea->state;
    const Grid *g = s->grid;
    if (!has_water(s, i, j, k)) return NAN;
    const ptrdiff_t n2 = AT2(*g, i, j), n = AT(*g, i, j, k);
    if (s->w) return 0.5 * (s->w[n] + (k > (int)g->bottom_c[n2] ? s->w[n - g->plane] : 0));
    const double rise = sea->sums ? sea->sums->inflow[n2] : column_inflow(s, i, j);
    const double through = s->flux_w[n] + (k + 1 < g->n3 ? s->flux_w[n + g->plane] : 0);
    const double height = layer_height(sea, i, j, k);
    const double lifted =
        lift(sea, i + 1, j, k, s->flux_u[n + 1], height) - lift(sea, i - 1, j, k, s->flux_u[n], height) +
        lift(sea, i, j + 1, k, s->flux_v[n + g->row], height) - lift(sea, i, j - 1, k, s->flux_v[n], height);
    const double thickness = g->phi_c[n] * s->depth[n2];
    return (share_below_middle(sea, i, j, k) * rise + 0.5 * through + lifted / thickness) / g->own_area[n2];
}

static double nonhydrostatic_pressure_at(const Sea *sea, int i, int j, int k) {
    return has_water(sea->state, i, j, k) ? sea->water_density * sea->state->q[AT(*sea->state->grid, i, j, k)]
                                          : NAN;
}

/* ---- forcing ---- */

static double stress_along_x_at(const Sea *sea, int i, int j, int k) {
    const Grid *g = sea->state->grid;
    ptrdiff_t n = AT2(*g, i, j);
    (void)k;
    if (!(g->own_area[n] > 0)) return NAN;
    return sea->water_density * mean_of_faces(sea->state->stress_u[n], g->width_u[n],
                                              sea->state->stress_u[n + 1], g->width_u[n + 1]);
}

static double stress_along_y_at(const Sea *sea, int i, int j, int k) {
    const Grid *g = sea->state->grid;
    ptrdiff_t n = AT2(*g, i, j), north = AT2(*g, i, j + 1);
    (void)k;
    if (!(g->own_area[n] > 0)) return NAN;
    return sea->water_density * mean_of_faces(sea->state->stress_v[n], g->width_v[n],
                                              sea->state->stress_v[north], g->width_v[north]);
}

static double wind_stress_x_at(const Sea *sea, int i, int j, int k) {
    return eastward(sea, stress_along_x_at, stress_along_y_at, i, j, k);
}

static double wind_stress_y_at(const Sea *sea, int i, int j, int k) {
    return northward(sea, stress_along_x_at, stress_along_y_at, i, j, k);
}

static double intercepted_at(const Sea *sea, int i, int j, int k) {
    (void)k;
    return sea->state->intercepted[AT2(*sea->state->grid, i, j)];
}

static double infiltrated_at(const Sea *sea, int i, int j, int k) {
    (void)k;
    return sea->state->infiltrated[AT2(*sea->state->grid, i, j)];
}

static double drained_at(const Sea *sea, int i, int j, int k) {
    (void)k;
    return sea->state->drained[AT2(*sea->state->grid, i, j)];
}

static double air_pressure_at(const Sea *sea, int i, int j, int k) {
    (void)k;
    return sea->state->air_pressure[AT2(*sea->state->grid, i, j)];
}

static double equilibrium_tide_at(const Sea *sea, int i, int j, int k) {
    const ptrdiff_t n = AT2(*sea->state->grid, i, j);
    (void)k;
    return sea->state->grid->own_area[n] > 0 ? sea->state->equilibrium[n] : NAN;
}

static double bed_roughness_at(const Sea *sea, int i, int j, int k) {
    const ptrdiff_t n = AT2(*sea->state->grid, i, j);
    (void)k;
    return sea->state->grid->own_area[n] > 0 ? sea->state->roughness[n] : NAN;
}

/* ---- waves ---- */

static double in_water(const Sea *sea, const double *field, int i, int j) {
    return output_is_wet(sea->state, 'c', i, j) ? field[AT2(*sea->state->grid, i, j)] : NAN;
}

static double wave_height_at(const Sea *sea, int i, int j, int k) {
    (void)k;
    return in_water(sea, sea->state->wave_height, i, j);
}

static double wave_period_at(const Sea *sea, int i, int j, int k) {
    (void)k;
    return in_water(sea, sea->state->wave_period, i, j);
}

static double wave_along_x_at(const Sea *sea, int i, int j, int k) {
    (void)k;
    return in_water(sea, sea->state->wave_x, i, j);
}

static double wave_along_y_at(const Sea *sea, int i, int j, int k) {
    (void)k;
    return in_water(sea, sea->state->wave_y, i, j);
}

static double wave_from_at(const Sea *sea, int i, int j, int k) {
    const double x = eastward(sea, wave_along_x_at, wave_along_y_at, i, j, k),
                 y = northward(sea, wave_along_x_at, wave_along_y_at, i, j, k);
    const double degrees = atan2(-x, -y) * 57.29577951308232;
    return x == 0 && y == 0 ? NAN : degrees < 0 ? degrees + 360 : degrees;
}

static double wave_stress_at(const Sea *sea, int i, int j, int k) {
    (void)k;
    return sea->water_density * in_water(sea, sea->state->wave_stress, i, j);
}

static double stokes_along_x_at(const Sea *sea, int i, int j, int k) {
    const State *s = sea->state;
    const Grid *g = s->grid;
    const ptrdiff_t m = AT2(*g, i, j);
    if (!has_water(s, i, j, k)) return NAN;
    const double west = isnan(u_at(sea, i, j, k)) ? NAN : s->stokes_u[AT(*g, i, j, k)];
    const double east = isnan(u_at(sea, i + 1, j, k)) ? NAN : s->stokes_u[AT(*g, i + 1, j, k)];
    return mean_of_faces(west, g->width_u[m], east, g->width_u[m + 1]);
}

static double stokes_along_y_at(const Sea *sea, int i, int j, int k) {
    const State *s = sea->state;
    const Grid *g = s->grid;
    const ptrdiff_t m = AT2(*g, i, j);
    if (!has_water(s, i, j, k)) return NAN;
    const double south = isnan(v_at(sea, i, j, k)) ? NAN : s->stokes_v[AT(*g, i, j, k)];
    const double north = isnan(v_at(sea, i, j + 1, k)) ? NAN : s->stokes_v[AT(*g, i, j + 1, k)];
    return mean_of_faces(south, g->width_v[m], north, g->width_v[AT2(*g, i, j + 1)]);
}

static double stokes_east_at(const Sea *sea, int i, int j, int k) {
    return eastward(sea, stokes_along_x_at, stokes_along_y_at, i, j, k);
}

static double stokes_north_at(const Sea *sea, int i, int j, int k) {
    return northward(sea, stokes_along_x_at, stokes_along_y_at, i, j, k);
}

/* ---- tracers ---- */

static double tracer_at(const Sea *sea, int tracer, int i, int j, int k) {
    return has_water(sea->state, i, j, k) ? sea->state->tracer[tracer].c[AT(*sea->state->grid, i, j, k)]
                                          : NAN;
}

static double bed_at(const Sea *sea, int tracer, int i, int j) {
    const ptrdiff_t m = AT2(*sea->state->grid, i, j);
    return sea->state->grid->own_area[m] > 0 ? sea->state->tracer[tracer].bed[m] : NAN;
}

static double diagnostic_at(const Sea *sea, int diagnostic, int i, int j, int k) {
    const TracerSum *sum = &sea->state->diagnostic[diagnostic].sum;
    double value = 0;
    if (!has_water(sea->state, i, j, k)) return NAN;
    for (int t = 0; t < sum->n_terms; t++)
        value += sum->factor[t] * sea->state->tracer[sum->tracer[t]].c[AT(*sea->state->grid, i, j, k)];
    return value;
}

static double duration_at(const Sea *sea, int event, int i, int j) {
    const ptrdiff_t m = AT2(*sea->state->grid, i, j);
    return sea->state->grid->own_area[m] > 0 ? sea->state->event[event].duration[m] : NAN;
}

static double horizontal_viscosity_at(const Sea *sea, int i, int j, int k) {
    const double *field = sea->state->horizontal_viscosity;
    return has_water(sea->state, i, j, k) ? field[AT(*sea->state->grid, i, j, k)] : NAN;
}

static double heat_flux_at(const Sea *sea, int i, int j, int k) {
    (void)k;
    return output_is_wet(sea->state, 'c', i, j) ? sea->state->heat_flux[AT2(*sea->state->grid, i, j)] : NAN;
}

/* Ice of 917 kg m-3, 3.34e5 J kg-1. */
static double ice_thickness_at(const Sea *sea, int i, int j, int k) {
    (void)k;
    return output_is_wet(sea->state, 'c', i, j)
               ? sea->state->ice[AT2(*sea->state->grid, i, j)] / (917.0 * 3.34e5)
               : NAN;
}

static double density_at(const Sea *sea, int i, int j, int k) {
    return has_water(sea->state, i, j, k)
               ? sea->water_density + sea->state->density[AT(*sea->state->grid, i, j, k)]
               : NAN;
}

/* ---- turbulence, which lives between the layers ---- */

/* Mean of what is above and below the layer; at bed and surface there is nothing. */
static double mean_of_interfaces(const Sea *sea, const double *field, int i, int j, int k) {
    const Grid *g = sea->state->grid;
    if (!has_water(sea->state, i, j, k)) return NAN;
    bool below = k > (int)g->bottom_c[AT2(*g, i, j)], above = k + 1 < g->n3;
    double sum = (below ? field[AT(*g, i, j, k)] : 0) + (above ? field[AT(*g, i, j, k + 1)] : 0);
    return below || above ? sum / (below + above) : NAN;
}

static double tke_at(const Sea *sea, int i, int j, int k) {
    return mean_of_interfaces(sea, sea->state->tke, i, j, k);
}

static double dissipation_at(const Sea *sea, int i, int j, int k) {
    return mean_of_interfaces(sea, sea->state->dissipation, i, j, k);
}

static double vertical_viscosity_at(const Sea *sea, int i, int j, int k) {
    return mean_of_interfaces(sea, sea->state->vertical_viscosity, i, j, k);
}

static double vertical_diffusivity_at(const Sea *sea, int i, int j, int k) {
    return mean_of_interfaces(sea, sea->state->vertical_diffusivity, i, j, k);
}

/* ---- the values of the variables that a scenario names ---- */

/* How a value is found, and the field without which there is none. */
typedef struct Source {
    SeaValue *at; /* NULL: tracers of their own name */
    StateFieldId needs;
    bool stored; /* that field holds the values */
} Source;

#define STORED_(name) name##_at
#define MADE_(name)   name##_at
#define TRACER_(name) NULL
enum { TRACER, MADE, STORED };
#define SOURCE(ID, name, place, shape, dry, values, field, ...)                                              \
    {values##_(name), STATE_##field, values == STORED},
static const Source sources[VARIABLES] = {OUTPUT_VARIABLES(SOURCE)};

double output_value(const OutputVariable *variable, const Sea *sea, int i, int j, int k) {
    if (variable->id == VARIABLE_TRACER) return tracer_at(sea, variable->number, i, j, k);
    if (variable->id == VARIABLE_BED) return bed_at(sea, variable->number, i, j);
    if (variable->id == VARIABLE_DIAGNOSTIC) return diagnostic_at(sea, variable->number, i, j, k);
    if (variable->id == VARIABLE_DURATION) return duration_at(sea, variable->number, i, j);
    return sources[variable->id].at(sea, i, j, k);
}

const double *output_field(const OutputVariable *variable, const State *state) {
    if (variable->id == VARIABLE_TRACER) return state->tracer[variable->number].c;
    if (variable->id == VARIABLE_BED) return state->tracer[variable->number].bed;
    if (variable->id >= VARIABLES || !sources[variable->id].stored) return NULL;
    return state_field(state, sources[variable->id].needs);
}

static bool is_missing(VariableId variable, const State *state) {
    return !sources[variable].at || !state_field(state, sources[variable].needs);
}

static bool find_derived(const char *name, const State *state, OutputVariable *out) {
    for (int n = 0; n < state->n_diagnostics; n++) {
        const Diagnostic *d = &state->diagnostic[n];
        if (strcmp(name, d->name) != 0) continue;
        *out = (OutputVariable){.id = VARIABLE_DIAGNOSTIC,
                                .name = d->name,
                                .place = 'c',
                                .three_d = true,
                                .units = d->units,
                                .long_name = d->long_name,
                                .standard_name = d->standard_name,
                                .number = n};
        return true;
    }
    for (int n = 0; n < state->n_events; n++) {
        const StateEvent *e = &state->event[n];
        if (strcmp(name, e->duration_name) != 0) continue;
        *out = (OutputVariable){.id = VARIABLE_DURATION,
                                .name = e->duration_name,
                                .place = 'c',
                                .always = true,
                                .units = "s",
                                .long_name = e->duration_words,
                                .number = n};
        return true;
    }
    return false;
}

bool output_variable_find(const char *name, bool centred, const State *state, OutputVariable *out) {
    for (int n = 0; n < state->n_tracers; n++) {
        const Tracer *t = &state->tracer[n];
        if (t->bed && strcmp(name, t->bed_name) == 0) {
            *out = (OutputVariable){.id = VARIABLE_BED,
                                    .name = t->bed_name,
                                    .place = 'c',
                                    .always = true,
                                    .units = t->bed_units,
                                    .long_name = t->bed_long_name,
                                    .number = n};
            return true;
        }
        if (strcmp(name, t->name) != 0) continue;
        *out = (OutputVariable){.id = VARIABLE_TRACER,
                                .name = t->name,
                                .place = 'c',
                                .three_d = true,
                                .units = t->units,
                                .long_name = t->long_name,
                                .standard_name = t->standard_name,
                                .number = n};
        return true;
    }
    if (find_derived(name, state, out)) return true;
    const OutputVariable *row = output_variable(name, centred);
    if (!row || is_missing(row->id, state)) return false;
    *out = *row;
    out->name = output_variable(name, false)->name;
    if (row->id == VARIABLE_BED_ROUGHNESS)
        out->units = state->roughness_units, out->long_name = state->roughness_what;
    return true;
}

Status output_variable_need(const ScenarioOutput *entry, const char *name, bool centred, const State *state,
                            OutputVariable *out) {
    CHECK(output_variable_find(name, centred, state, out), STATUS_BAD_INPUT,
          "%s: \"%s\" is requested, but the scenario has none", entry->place, name);
    CHECK(!state->grid->axes.uneven || strcmp(name, "w") != 0, STATUS_BAD_INPUT,
          "%s: \"w\" is requested, which is not known with /bathymetry/subgrid: remove it", entry->place);
    return STATUS_OK;
}
