/* SPDX-License-Identifier: Apache-2.0 */
#include "model/output/variables.h"

#include "model/output/output.h"
#include <math.h>
#include <string.h>

bool output_is_wet(const State *state, char place, int i, int j) {
    const Grid *g = state->grid;
    ptrdiff_t n = AT2(*g, i, j);
    if (place == 'u') return g->width_u[n] > 0 && state->depth_u[n] >= OUTPUT_DRY_DEPTH_M;
    if (place == 'v') return g->width_v[n] > 0 && state->depth_v[n] >= OUTPUT_DRY_DEPTH_M;
    return g->area[n] > 0 && state->depth[n] >= OUTPUT_DRY_DEPTH_M;
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
    return g->area[AT2(*g, i, j)] > 0 ? sea->state->depth[AT2(*g, i, j)] : NAN;
}

static double thickness_at(const Sea *sea, int i, int j, int k) {
    const Grid *g = sea->state->grid;
    return has_water(sea->state, i, j, k) ? g->phi_c[AT(*g, i, j, k)] * sea->state->depth[AT2(*g, i, j)]
                                          : NAN;
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

static double u_east_at(const Sea *sea, int i, int j, int k) {
    if (!has_water(sea->state, i, j, k)) return NAN;
    const Grid *g = sea->state->grid;
    return mean_of_faces(u_at(sea, i, j, k), g->width_u[AT2(*g, i, j)], u_at(sea, i + 1, j, k),
                         g->width_u[AT2(*g, i + 1, j)]);
}

static double v_north_at(const Sea *sea, int i, int j, int k) {
    if (!has_water(sea->state, i, j, k)) return NAN;
    const Grid *g = sea->state->grid;
    return mean_of_faces(v_at(sea, i, j, k), g->width_v[AT2(*g, i, j)], v_at(sea, i, j + 1, k),
                         g->width_v[AT2(*g, i, j + 1)]);
}

static double speed_at(const Sea *sea, int i, int j, int k) {
    double east = u_east_at(sea, i, j, k), north = v_north_at(sea, i, j, k);
    return sqrt(east * east + north * north);
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

/* Elevation of the middle of layer k of a column; of the nearest layer it has, where it is shallower. */
static double layer_height(const State *state, int i, int j, int k) {
    const Grid *g = state->grid;
    double share = 0; /* of the depth that lies below */
    int bottom = (int)g->bottom_c[AT2(*g, i, j)];
    for (int below = bottom; below < k; below++) share += g->phi_c[AT(*g, i, j, below)];
    if (k >= bottom) share += 0.5 * g->phi_c[AT(*g, i, j, k)];
    return g->bed[AT2(*g, i, j)] + share * state->depth[AT2(*g, i, j)];
}

/* What water that enters or leaves through a face brings: volume flux times height above the cell's middle.
 */
static double lift(const State *state, int i, int j, int k, int side_i, int side_j, double flux,
                   double height) {
    return flux == 0 ? 0 : flux * 0.5 * (layer_height(state, i + side_i, j + side_j, k) - height);
}

/* The upward velocity of the water in the middle of a cell. Where the pressure is hydrostatic: the rate at
 * which the layer's height changes along the flow, D z / D t = share dH/dt + (flow along the tilted layer) +
 * (flow through the layer), from the fluxes of the last step, so that it agrees with what moved the water.
 * dH/dt is the convergence of the whole column's flow. */
static double w_at(const Sea *sea, int i, int j, int k) {
    const State *s = sea->state;
    const Grid *g = s->grid;
    if (!has_water(s, i, j, k)) return NAN;
    ptrdiff_t n2 = AT2(*g, i, j);
    if (s->w)
        return 0.5 * (s->w[AT(*g, i, j, k)] + (k > (int)g->bottom_c[n2] ? s->w[AT(*g, i, j, k - 1)] : 0));
    double rise = 0, share = -0.5 * g->phi_c[AT(*g, i, j, k)];
    for (int l = (int)g->bottom_c[n2]; l < g->n3; l++) {
        rise += s->flux_u[AT(*g, i, j, l)] - s->flux_u[AT(*g, i + 1, j, l)] + s->flux_v[AT(*g, i, j, l)] -
                s->flux_v[AT(*g, i, j + 1, l)];
        if (l <= k) share += g->phi_c[AT(*g, i, j, l)];
    }
    double through = s->flux_w[AT(*g, i, j, k)] + (k + 1 < g->n3 ? s->flux_w[AT(*g, i, j, k + 1)] : 0);
    double height = layer_height(s, i, j, k);
    double lifted = lift(s, i, j, k, 1, 0, s->flux_u[AT(*g, i + 1, j, k)], height) -
                    lift(s, i, j, k, -1, 0, s->flux_u[AT(*g, i, j, k)], height) +
                    lift(s, i, j, k, 0, 1, s->flux_v[AT(*g, i, j + 1, k)], height) -
                    lift(s, i, j, k, 0, -1, s->flux_v[AT(*g, i, j, k)], height);
    double thickness = g->phi_c[AT(*g, i, j, k)] * s->depth[n2];
    return (share * rise + 0.5 * through + lifted / thickness) / g->area[n2];
}

static double nonhydrostatic_pressure_at(const Sea *sea, int i, int j, int k) {
    return has_water(sea->state, i, j, k) ? sea->water_density * sea->state->q[AT(*sea->state->grid, i, j, k)]
                                          : NAN;
}

/* ---- forcing ---- */

static double wind_stress_x_at(const Sea *sea, int i, int j, int k) {
    const Grid *g = sea->state->grid;
    ptrdiff_t n = AT2(*g, i, j);
    (void)k;
    if (!(g->area[n] > 0)) return NAN;
    return sea->water_density * mean_of_faces(sea->state->stress_u[n], g->width_u[n],
                                              sea->state->stress_u[n + 1], g->width_u[n + 1]);
}

static double wind_stress_y_at(const Sea *sea, int i, int j, int k) {
    const Grid *g = sea->state->grid;
    ptrdiff_t n = AT2(*g, i, j), north = AT2(*g, i, j + 1);
    (void)k;
    if (!(g->area[n] > 0)) return NAN;
    return sea->water_density * mean_of_faces(sea->state->stress_v[n], g->width_v[n],
                                              sea->state->stress_v[north], g->width_v[north]);
}

static double air_pressure_at(const Sea *sea, int i, int j, int k) {
    (void)k;
    return sea->state->air_pressure[AT2(*sea->state->grid, i, j)];
}

/* ---- tracers ---- */

static double tracer_at(const Sea *sea, int tracer, int i, int j, int k) {
    return has_water(sea->state, i, j, k) ? sea->state->tracer[tracer].c[AT(*sea->state->grid, i, j, k)]
                                          : NAN;
}

static double bed_at(const Sea *sea, int tracer, int i, int j) {
    const ptrdiff_t m = AT2(*sea->state->grid, i, j);
    return sea->state->grid->area[m] > 0 ? sea->state->tracer[tracer].bed[m] : NAN;
}

double output_value(const OutputVariable *variable, const Sea *sea, int i, int j, int k) {
    if (variable->at) return variable->at(sea, i, j, k);
    return variable->three_d ? tracer_at(sea, variable->tracer, i, j, k)
                             : bed_at(sea, variable->tracer, i, j);
}

static double horizontal_viscosity_at(const Sea *sea, int i, int j, int k) {
    const double *field = sea->state->horizontal_viscosity;
    return has_water(sea->state, i, j, k) ? field[AT(*sea->state->grid, i, j, k)] : NAN;
}

static double heat_flux_at(const Sea *sea, int i, int j, int k) {
    (void)k;
    return output_is_wet(sea->state, 'c', i, j) ? sea->state->heat_flux[AT2(*sea->state->grid, i, j)] : NAN;
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

/* ---- the table ---- */

#define FROM_INTERFACES "mean of the values at the lower and the upper face of the layer"

#define FROM_FACES                                                                                           \
    "mean of the two faces of the cell, weighted by their open width; closed and dry faces do not count"

static const OutputVariable table[] = {
    {"eta", 'c', false, false, "m", "elevation of the water surface",
     "sea_surface_height_above_geopotential_datum", NULL, NULL, eta_at, 0},
    {"depth", 'c', false, true, "m", "depth of the water column", "sea_floor_depth_below_sea_surface", NULL,
     "0 where the ground is dry", depth_at, 0},
    {"u", 'u', true, false, "m s-1", "velocity through the cell's west face, eastwards",
     "sea_water_x_velocity", NULL, NULL, u_at, 0},
    {"v", 'v', true, false, "m s-1", "velocity through the cell's south face, northwards",
     "sea_water_y_velocity", NULL, NULL, v_at, 0},
    {"w", 'c', true, false, "m s-1", "upward velocity at the centre of the cell", "upward_sea_water_velocity",
     NULL,
     "hydrostatic: rate of change of the layer's height along the flow of the last step; else the mean of "
     "the "
     "velocities at the layer's two faces",
     w_at, 0},
    {"nonhydrostatic_pressure", 'c', true, false, "Pa", "pressure beyond the weight of the water above", NULL,
     NULL, NULL, nonhydrostatic_pressure_at, 0},
    {"u_east", 'c', true, false, "m s-1", "eastward velocity at the centre of the cell",
     "eastward_sea_water_velocity", "sea_water_x_velocity", FROM_FACES, u_east_at, 0},
    {"v_north", 'c', true, false, "m s-1", "northward velocity at the centre of the cell",
     "northward_sea_water_velocity", "sea_water_y_velocity", FROM_FACES, v_north_at, 0},
    {"speed", 'c', true, false, "m s-1", "speed at the centre of the cell", "sea_water_speed", NULL,
     FROM_FACES, speed_at, 0},
    {"ubar", 'c', false, false, "m s-1", "eastward velocity, mean over the depth",
     "barotropic_eastward_sea_water_velocity", "barotropic_sea_water_x_velocity", FROM_FACES, ubar_at, 0},
    {"vbar", 'c', false, false, "m s-1", "northward velocity, mean over the depth",
     "barotropic_northward_sea_water_velocity", "barotropic_sea_water_y_velocity", FROM_FACES, vbar_at, 0},
    {"thickness", 'c', true, false, "m", "thickness of the layer", "cell_thickness", NULL, NULL, thickness_at,
     0},
    {"wind_stress_x", 'c', false, true, "Pa", "eastward wind stress", "surface_downward_eastward_stress",
     "surface_downward_x_stress", FROM_FACES, wind_stress_x_at, 0},
    {"wind_stress_y", 'c', false, true, "Pa", "northward wind stress", "surface_downward_northward_stress",
     "surface_downward_y_stress", FROM_FACES, wind_stress_y_at, 0},
    {"air_pressure", 'c', false, true, "Pa", "air pressure at sea level", "air_pressure_at_mean_sea_level",
     NULL, NULL, air_pressure_at, 0},
    {"temperature", 'c', true, false, "degree_C", "temperature of the water", "sea_water_temperature", NULL,
     NULL, NULL, 0},
    {"salinity", 'c', true, false, "1e-3", "salinity of the water", "sea_water_salinity", NULL, NULL, NULL,
     0},
    {"density", 'c', true, false, "kg m-3", "density of the water at the pressure of the surface",
     "sea_water_potential_density", NULL, NULL, density_at, 0},
    {"horizontal_viscosity", 'c', true, false, "m2 s-1", "viscosity along the layers, for the next step",
     "ocean_momentum_xy_laplacian_diffusivity", NULL, NULL, horizontal_viscosity_at, 0},
    {"heat_flux", 'c', false, false, "W m-2", "heat from the air into the water, light included",
     "surface_downward_heat_flux_in_sea_water", NULL, "of the last step", heat_flux_at, 0},
    {"tke", 'c', true, false, "m2 s-2", "turbulent kinetic energy",
     "specific_turbulent_kinetic_energy_of_sea_water", NULL, FROM_INTERFACES, tke_at, 0},
    {"dissipation", 'c', true, false, "m2 s-3", "dissipation of turbulent kinetic energy",
     "specific_turbulent_kinetic_energy_dissipation_in_sea_water", NULL, FROM_INTERFACES, dissipation_at, 0},
    {"vertical_viscosity", 'c', true, false, "m2 s-1", "eddy viscosity down the column",
     "ocean_vertical_momentum_diffusivity", NULL, FROM_INTERFACES, vertical_viscosity_at, 0},
    {"vertical_diffusivity", 'c', true, false, "m2 s-1", "eddy diffusivity down the column",
     "ocean_vertical_tracer_diffusivity", NULL, FROM_INTERFACES, vertical_diffusivity_at, 0},
};

const char *const output_variable_names[] = {"eta",
                                             "u",
                                             "v",
                                             "w",
                                             "depth",
                                             "speed",
                                             "u_east",
                                             "v_north",
                                             "wind_stress_x",
                                             "wind_stress_y",
                                             "air_pressure",
                                             "ubar",
                                             "vbar",
                                             "thickness",
                                             "temperature",
                                             "salinity",
                                             "density",
                                             "horizontal_viscosity",
                                             "heat_flux",
                                             "nonhydrostatic_pressure",
                                             "tke",
                                             "dissipation",
                                             "vertical_viscosity",
                                             "vertical_diffusivity",
                                             NULL};

const OutputVariable *output_variable(const char *name, bool at_station) {
    if (at_station && strcmp(name, "u") == 0) name = "u_east";
    if (at_station && strcmp(name, "v") == 0) name = "v_north";
    for (size_t n = 0; n < sizeof table / sizeof *table; n++)
        if (strcmp(name, table[n].name) == 0) return &table[n];
    return NULL;
}

/* A row of the table that this state has nothing for? */
static bool is_missing(const OutputVariable *variable, const State *state) {
    if (variable->at == air_pressure_at) return !state->air_pressure;
    if (variable->at == horizontal_viscosity_at) return !state->horizontal_viscosity;
    if (variable->at == heat_flux_at) return !state->heat_flux;
    if (variable->at == tke_at || variable->at == dissipation_at) return !state->tke;
    if (variable->at == density_at) return !state->density;
    if (variable->at == nonhydrostatic_pressure_at) return !state->q;
    return !variable->at;
}

bool output_variable_find(const char *name, bool at_station, const State *state, OutputVariable *out) {
    for (int n = 0; n < state->n_tracers; n++) {
        const Tracer *t = &state->tracer[n];
        if (t->bed && strcmp(name, t->bed_name) == 0) {
            *out = (OutputVariable){.name = t->bed_name,
                                    .place = 'c',
                                    .always = true,
                                    .units = "kg m-2",
                                    .long_name = "suspended matter that lies on the bed",
                                    .tracer = n};
            return true;
        }
        if (strcmp(name, t->name) != 0) continue;
        *out = (OutputVariable){.name = t->name,
                                .place = 'c',
                                .three_d = true,
                                .units = t->units,
                                .long_name = t->long_name,
                                .standard_name = t->standard_name,
                                .tracer = n};
        return true;
    }
    const OutputVariable *row = output_variable(name, at_station);
    if (!row || is_missing(row, state)) return false;
    *out = *row;
    return true;
}
