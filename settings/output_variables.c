/* SPDX-License-Identifier: Apache-2.0 */
#include "settings/output_variables.h"

#include <stddef.h>
#include <string.h>

#define FROM_INTERFACES "mean of the values at the lower and the upper face of the layer"

#define FROM_FACES                                                                                           \
    "mean of the two faces of the cell, weighted by their open width; closed and dry faces do not count"

static const OutputVariable table[VARIABLES] = {
    [VARIABLE_ETA] = {VARIABLE_ETA, "eta", 'c', false, false, "m", "elevation of the water surface",
                      "sea_surface_height_above_geopotential_datum", NULL, NULL, 0},
    [VARIABLE_DEPTH] = {VARIABLE_DEPTH, "depth", 'c', false, true, "m", "depth of the water column",
                        "sea_floor_depth_below_sea_surface", NULL, "0 where the ground is dry", 0},
    [VARIABLE_U] = {VARIABLE_U, "u", 'u', true, false, "m s-1",
                    "velocity through the cell's west face, eastwards", "sea_water_x_velocity", NULL, NULL,
                    0},
    [VARIABLE_V] = {VARIABLE_V, "v", 'v', true, false, "m s-1",
                    "velocity through the cell's south face, northwards", "sea_water_y_velocity", NULL, NULL,
                    0},
    [VARIABLE_W] = {VARIABLE_W, "w", 'c', true, false, "m s-1", "upward velocity at the centre of the cell",
                    "upward_sea_water_velocity", NULL,
                    "hydrostatic: rate of change of the layer's height along the flow of the last step; else "
                    "the mean of "
                    "the "
                    "velocities at the layer's two faces",
                    0},
    [VARIABLE_NONHYDROSTATIC_PRESSURE] = {VARIABLE_NONHYDROSTATIC_PRESSURE, "nonhydrostatic_pressure", 'c',
                                          true, false, "Pa", "pressure beyond the weight of the water above",
                                          NULL, NULL, NULL, 0},
    [VARIABLE_U_EAST] = {VARIABLE_U_EAST, "u_east", 'c', true, false, "m s-1",
                         "eastward velocity at the centre of the cell", "eastward_sea_water_velocity",
                         "sea_water_x_velocity", FROM_FACES, 0},
    [VARIABLE_V_NORTH] = {VARIABLE_V_NORTH, "v_north", 'c', true, false, "m s-1",
                          "northward velocity at the centre of the cell", "northward_sea_water_velocity",
                          "sea_water_y_velocity", FROM_FACES, 0},
    [VARIABLE_SPEED] = {VARIABLE_SPEED, "speed", 'c', true, false, "m s-1", "speed at the centre of the cell",
                        "sea_water_speed", NULL, FROM_FACES, 0},
    [VARIABLE_UBAR] = {VARIABLE_UBAR, "ubar", 'c', false, false, "m s-1",
                       "eastward velocity, mean over the depth", "barotropic_eastward_sea_water_velocity",
                       "barotropic_sea_water_x_velocity", FROM_FACES, 0},
    [VARIABLE_VBAR] = {VARIABLE_VBAR, "vbar", 'c', false, false, "m s-1",
                       "northward velocity, mean over the depth", "barotropic_northward_sea_water_velocity",
                       "barotropic_sea_water_y_velocity", FROM_FACES, 0},
    [VARIABLE_THICKNESS] = {VARIABLE_THICKNESS, "thickness", 'c', true, false, "m", "thickness of the layer",
                            "cell_thickness", NULL, NULL, 0},
    [VARIABLE_WIND_STRESS_X] = {VARIABLE_WIND_STRESS_X, "wind_stress_x", 'c', false, true, "Pa",
                                "eastward wind stress", "surface_downward_eastward_stress",
                                "surface_downward_x_stress", FROM_FACES, 0},
    [VARIABLE_WIND_STRESS_Y] = {VARIABLE_WIND_STRESS_Y, "wind_stress_y", 'c', false, true, "Pa",
                                "northward wind stress", "surface_downward_northward_stress",
                                "surface_downward_y_stress", FROM_FACES, 0},
    [VARIABLE_AIR_PRESSURE] = {VARIABLE_AIR_PRESSURE, "air_pressure", 'c', false, true, "Pa",
                               "air pressure at sea level", "air_pressure_at_mean_sea_level", NULL, NULL, 0},
    [VARIABLE_BED_ROUGHNESS] = {VARIABLE_BED_ROUGHNESS, "bed_roughness", 'c', false, true, "unit of the key",
                                "parameter of the bed's drag law: n, c, cd or z0_m", NULL, NULL, NULL, 0},
    [VARIABLE_EQUILIBRIUM_TIDE] = {VARIABLE_EQUILIBRIUM_TIDE, "equilibrium_tide", 'c', false, true, "m",
                                   "level of the equilibrium tide over a yielding earth", NULL, NULL, NULL,
                                   0},
    [VARIABLE_WAVE_HEIGHT] = {VARIABLE_WAVE_HEIGHT, "wave_height", 'c', false, false, "m",
                              "significant height of waves, as far as the depth bears it",
                              "sea_surface_wave_significant_height", NULL, NULL, 0},
    [VARIABLE_WAVE_PERIOD] = {VARIABLE_WAVE_PERIOD, "wave_period", 'c', false, false, "s",
                              "period of the peak of the waves' spectrum",
                              "sea_surface_wave_period_at_variance_spectral_density_maximum", NULL, NULL, 0},
    [VARIABLE_WAVE_FROM] = {VARIABLE_WAVE_FROM, "wave_from", 'c', false, false, "degree",
                            "direction that waves come from, clockwise from north",
                            "sea_surface_wave_from_direction", NULL, NULL, 0},
    [VARIABLE_WAVE_STRESS] = {VARIABLE_WAVE_STRESS, "wave_stress", 'c', false, false, "Pa",
                              "largest stress at the bed by the orbits of waves, without a current", NULL,
                              NULL, NULL, 0},
    [VARIABLE_STOKES_EAST] = {VARIABLE_STOKES_EAST, "stokes_east", 'c', true, false, "m s-1",
                              "eastward Stokes drift, a part of the velocity", NULL, NULL, FROM_FACES, 0},
    [VARIABLE_STOKES_NORTH] = {VARIABLE_STOKES_NORTH, "stokes_north", 'c', true, false, "m s-1",
                               "northward Stokes drift, a part of the velocity", NULL, NULL, FROM_FACES, 0},
    [VARIABLE_TEMPERATURE] = {VARIABLE_TEMPERATURE, "temperature", 'c', true, false, "degree_C",
                              "temperature of the water", "sea_water_temperature", NULL, NULL, 0},
    [VARIABLE_SALINITY] = {VARIABLE_SALINITY, "salinity", 'c', true, false, "1e-3", "salinity of the water",
                           "sea_water_salinity", NULL, NULL, 0},
    [VARIABLE_DENSITY] = {VARIABLE_DENSITY, "density", 'c', true, false, "kg m-3",
                          "density of the water at the pressure of the surface",
                          "sea_water_potential_density", NULL, NULL, 0},
    [VARIABLE_HORIZONTAL_VISCOSITY] = {VARIABLE_HORIZONTAL_VISCOSITY, "horizontal_viscosity", 'c', true,
                                       false, "m2 s-1", "viscosity along the layers, for the next step",
                                       "ocean_momentum_xy_laplacian_diffusivity", NULL, NULL, 0},
    [VARIABLE_HEAT_FLUX] = {VARIABLE_HEAT_FLUX, "heat_flux", 'c', false, false, "W m-2",
                            "heat from the air into the water, light included",
                            "surface_downward_heat_flux_in_sea_water", NULL, "of the last step", 0},
    [VARIABLE_TKE] = {VARIABLE_TKE, "tke", 'c', true, false, "m2 s-2", "turbulent kinetic energy",
                      "specific_turbulent_kinetic_energy_of_sea_water", NULL, FROM_INTERFACES, 0},
    [VARIABLE_DISSIPATION] = {VARIABLE_DISSIPATION, "dissipation", 'c', true, false, "m2 s-3",
                              "dissipation of turbulent kinetic energy",
                              "specific_turbulent_kinetic_energy_dissipation_in_sea_water", NULL,
                              FROM_INTERFACES, 0},
    [VARIABLE_VERTICAL_VISCOSITY] = {VARIABLE_VERTICAL_VISCOSITY, "vertical_viscosity", 'c', true, false,
                                     "m2 s-1", "eddy viscosity down the column",
                                     "ocean_vertical_momentum_diffusivity", NULL, FROM_INTERFACES, 0},
    [VARIABLE_VERTICAL_DIFFUSIVITY] = {VARIABLE_VERTICAL_DIFFUSIVITY, "vertical_diffusivity", 'c', true,
                                       false, "m2 s-1", "eddy diffusivity down the column",
                                       "ocean_vertical_tracer_diffusivity", NULL, FROM_INTERFACES, 0},
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
                                             "bed_roughness",
                                             "equilibrium_tide",
                                             "wave_height",
                                             "wave_period",
                                             "wave_from",
                                             "wave_stress",
                                             "stokes_east",
                                             "stokes_north",
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
_Static_assert(sizeof output_variable_names / sizeof *output_variable_names == VARIABLES + 1,
               "a name for each variable");

const char *const extreme_names[EXTREMES + 1] = {
    "max_eta",   "min_eta",           "time_of_max_eta", "time_of_min_eta",
    "max_speed", "time_of_max_speed", "max_depth",       "inundation_duration",
    NULL};

const OutputVariable *output_variable(const char *name, bool centred) {
    if (centred && strcmp(name, "u") == 0) name = "u_east";
    if (centred && strcmp(name, "v") == 0) name = "v_north";
    for (size_t n = 0; n < sizeof table / sizeof *table; n++)
        if (strcmp(name, table[n].name) == 0) return &table[n];
    return NULL;
}
