/* SPDX-License-Identifier: Apache-2.0
 *
 * The registry of variables that a scenario may write to files: each is declared here, once. All that lists them walks over it:
 * their ids, what the schema and `schema --keys` say, what files say of them (output/), and their names in the Basic Model
 * Interface and Python (bmi/). A new variable is a row here and, if its values are MADE, a function NAME_at in output/variables.c.
 *
 *     VARIABLE(ID, name, place, shape, dry, values, field, unit, meaning, CF, CF_cartesian, CSDMS, comment)
 *
 * place     'c', 'u' or 'v' (numerics/grid/grid.h)
 * shape     MAP or LAYERS
 * dry       WET: a value only where there is water; ALWAYS: in dry columns, too
 * values    STORED: those of the field, which callers may look into; MADE: of NAME_at; TRACER: of the tracer of this name
 * field     of the state (model/state_fields.h), without which there is no such variable; depth: there always is
 * CF        standard name on a sphere and, if it differs, on a Cartesian grid; NULL: none
 * CSDMS     standard name for the Basic Model Interface; NULL: made of the name
 *
 * The order is that of the documentation.
 */
#ifndef MAEOTIS_SETTINGS_VARIABLE_ROWS_H
#define MAEOTIS_SETTINGS_VARIABLE_ROWS_H

#define FROM_INTERFACES "mean of the values at the lower and the upper face of the layer"
#define FROM_FACES                                                                                           \
    "mean of the two faces of the cell, weighted by their open width; closed and dry faces do not count"

#define OUTPUT_VARIABLES(VARIABLE)                                                                           \
    VARIABLE(ETA, eta, 'c', MAP, WET, STORED, eta, "m", "elevation of the water surface",                    \
             "sea_surface_height_above_geopotential_datum", NULL, "sea_water_surface__elevation", NULL)      \
    VARIABLE(U, u, 'u', LAYERS, WET, STORED, u, "m s-1", "velocity through the cell's west face, eastwards", \
             "sea_water_x_velocity", NULL, "sea_water_flow__x_component_of_velocity", NULL)                  \
    VARIABLE(V, v, 'v', LAYERS, WET, STORED, v, "m s-1",                                                     \
             "velocity through the cell's south face, northwards", "sea_water_y_velocity", NULL,             \
             "sea_water_flow__y_component_of_velocity", NULL)                                                \
    VARIABLE(W, w, 'c', LAYERS, WET, MADE, depth, "m s-1", "upward velocity at the centre of the cell",      \
             "upward_sea_water_velocity", NULL, "sea_water_flow__up_component_of_velocity",                  \
             "hydrostatic: rate of change of the layer's height along the flow in the last step; otherwise " \
             "the mean of the velocities at the layer's two faces")                                          \
    VARIABLE(DEPTH, depth, 'c', MAP, ALWAYS, STORED, depth, "m", "depth of the water column",                \
             "sea_floor_depth_below_sea_surface", NULL, "sea_water__depth", "0 where the ground is dry")     \
    VARIABLE(SPEED, speed, 'c', LAYERS, WET, MADE, depth, "m s-1", "speed at the centre of the cell",        \
             "sea_water_speed", NULL, "sea_water_flow__speed", FROM_FACES)                                   \
    VARIABLE(U_EAST, u_east, 'c', LAYERS, WET, MADE, depth, "m s-1",                                         \
             "eastward velocity at the centre of the cell", "eastward_sea_water_velocity",                   \
             "sea_water_x_velocity", "sea_water_flow__east_component_of_velocity", FROM_FACES)               \
    VARIABLE(V_NORTH, v_north, 'c', LAYERS, WET, MADE, depth, "m s-1",                                       \
             "northward velocity at the centre of the cell", "northward_sea_water_velocity",                 \
             "sea_water_y_velocity", "sea_water_flow__north_component_of_velocity", FROM_FACES)              \
    VARIABLE(WIND_STRESS_X, wind_stress_x, 'c', MAP, ALWAYS, MADE, depth, "Pa", "eastward wind stress",      \
             "surface_downward_eastward_stress", "surface_downward_x_stress",                                \
             "sea_surface_air_flow__x_component_of_shear_stress", FROM_FACES)                                \
    VARIABLE(WIND_STRESS_Y, wind_stress_y, 'c', MAP, ALWAYS, MADE, depth, "Pa", "northward wind stress",     \
             "surface_downward_northward_stress", "surface_downward_y_stress",                               \
             "sea_surface_air_flow__y_component_of_shear_stress", FROM_FACES)                                \
    VARIABLE(AIR_PRESSURE, air_pressure, 'c', MAP, ALWAYS, STORED, air_pressure, "Pa",                       \
             "air pressure at sea level", "air_pressure_at_mean_sea_level", NULL,                            \
             "sea_surface_air__pressure", NULL)                                                              \
    VARIABLE(BED_ROUGHNESS, bed_roughness, 'c', MAP, ALWAYS, MADE, roughness, "unit of the key",             \
             "parameter of the bed's drag law: n, c, cd or z0_m", NULL, NULL, NULL, NULL)                    \
    VARIABLE(INTERCEPTED, intercepted, 'c', MAP, ALWAYS, STORED, intercepted, "m",                           \
             "rain that leaves, roofs and hollows keep", NULL, NULL, NULL, NULL)                             \
    VARIABLE(INFILTRATED, infiltrated, 'c', MAP, ALWAYS, STORED, infiltrated, "m",                           \
             "water that the ground has taken since the start", NULL, NULL,                                  \
             "soil_water__time_integral_of_infiltration_volume_flux", NULL)                                  \
    VARIABLE(DRAINED, drained, 'c', MAP, ALWAYS, STORED, drained, "m",                                       \
             "water that drains have taken since the start", NULL, NULL, NULL, NULL)                         \
    VARIABLE(EQUILIBRIUM_TIDE, equilibrium_tide, 'c', MAP, ALWAYS, MADE, equilibrium, "m",                   \
             "level of the equilibrium tide over a yielding earth", NULL, NULL, NULL, NULL)                  \
    VARIABLE(WAVE_HEIGHT, wave_height, 'c', MAP, WET, MADE, wave_height, "m",                                \
             "significant height of waves, limited by the depth", "sea_surface_wave_significant_height",     \
             NULL, NULL, NULL)                                                                               \
    VARIABLE(WAVE_PERIOD, wave_period, 'c', MAP, WET, MADE, wave_period, "s",                                \
             "period of the peak of the waves' spectrum",                                                    \
             "sea_surface_wave_period_at_variance_spectral_density_maximum", NULL, NULL, NULL)               \
    VARIABLE(WAVE_FROM, wave_from, 'c', MAP, WET, MADE, wave_x, "degree",                                    \
             "direction waves come from, clockwise from north", "sea_surface_wave_from_direction", NULL,     \
             NULL, NULL)                                                                                     \
    VARIABLE(WAVE_STRESS, wave_stress, 'c', MAP, WET, MADE, wave_stress, "Pa",                               \
             "largest bed stress by wave orbits, without a current", NULL, NULL, NULL, NULL)                 \
    VARIABLE(STOKES_EAST, stokes_east, 'c', LAYERS, WET, MADE, stokes_u, "m s-1",                            \
             "eastward Stokes drift, a part of the velocity", NULL, NULL, NULL, FROM_FACES)                  \
    VARIABLE(STOKES_NORTH, stokes_north, 'c', LAYERS, WET, MADE, stokes_v, "m s-1",                          \
             "northward Stokes drift, a part of the velocity", NULL, NULL, NULL, FROM_FACES)                 \
    VARIABLE(UBAR, ubar, 'c', MAP, WET, MADE, depth, "m s-1", "eastward velocity, mean over the depth",      \
             "barotropic_eastward_sea_water_velocity", "barotropic_sea_water_x_velocity",                    \
             "sea_water_flow__z_mean_of_east_component_of_velocity", FROM_FACES)                             \
    VARIABLE(VBAR, vbar, 'c', MAP, WET, MADE, depth, "m s-1", "northward velocity, mean over the depth",     \
             "barotropic_northward_sea_water_velocity", "barotropic_sea_water_y_velocity",                   \
             "sea_water_flow__z_mean_of_north_component_of_velocity", FROM_FACES)                            \
    VARIABLE(THICKNESS, thickness, 'c', LAYERS, WET, MADE, depth, "m", "thickness of the layer",             \
             "cell_thickness", NULL, "sea_water_layer__thickness", NULL)                                     \
    VARIABLE(LAYER_SHARE, layer_share, 'c', LAYERS, ALWAYS, MADE, layer_share, "1",                          \
             "fraction of the column's depth in the layer", NULL, NULL, NULL, NULL)                          \
    VARIABLE(TEMPERATURE, temperature, 'c', LAYERS, WET, TRACER, depth, "degree_C",                          \
             "temperature of the water", "sea_water_temperature", NULL, "sea_water__temperature", NULL)      \
    VARIABLE(SALINITY, salinity, 'c', LAYERS, WET, TRACER, depth, "1e-3", "salinity of the water",           \
             "sea_water_salinity", NULL, "sea_water__salinity", NULL)                                        \
    VARIABLE(DENSITY, density, 'c', LAYERS, WET, MADE, density, "kg m-3",                                    \
             "density of the water at the pressure of the surface", "sea_water_potential_density", NULL,     \
             "sea_water__mass-per-volume_density", NULL)                                                     \
    VARIABLE(HORIZONTAL_VISCOSITY, horizontal_viscosity, 'c', LAYERS, WET, STORED, horizontal_viscosity,     \
             "m2 s-1", "horizontal viscosity, for the next step", "ocean_momentum_xy_laplacian_diffusivity", \
             NULL, NULL, NULL)                                                                               \
    VARIABLE(HEAT_FLUX, heat_flux, 'c', MAP, WET, STORED, heat_flux, "W m-2",                                \
             "heat from the air into the water, light included", "surface_downward_heat_flux_in_sea_water",  \
             NULL, "sea_surface_water_heat~net__energy_flux", "of the last step")                            \
    VARIABLE(ICE_THICKNESS, ice_thickness, 'c', MAP, WET, MADE, ice, "m",                                    \
             "thickness of ice with the latent heat of the frozen water", "sea_ice_thickness", NULL,         \
             "sea_ice__thickness", NULL)                                                                     \
    VARIABLE(NONHYDROSTATIC_PRESSURE, nonhydrostatic_pressure, 'c', LAYERS, WET, MADE, q, "Pa",              \
             "pressure beyond the weight of the water above", NULL, NULL,                                    \
             "sea_water_flow__dynamic_pressure", NULL)                                                       \
    VARIABLE(TKE, tke, 'c', LAYERS, WET, MADE, tke, "m2 s-2", "turbulent kinetic energy",                    \
             "specific_turbulent_kinetic_energy_of_sea_water", NULL,                                         \
             "sea_water_flow__turbulent_kinetic_energy", FROM_INTERFACES)                                    \
    VARIABLE(DISSIPATION, dissipation, 'c', LAYERS, WET, MADE, dissipation, "m2 s-3",                        \
             "dissipation of turbulent kinetic energy",                                                      \
             "specific_turbulent_kinetic_energy_dissipation_in_sea_water", NULL, NULL, FROM_INTERFACES)      \
    VARIABLE(VERTICAL_VISCOSITY, vertical_viscosity, 'c', LAYERS, WET, MADE, vertical_viscosity, "m2 s-1",   \
             "vertical eddy viscosity", "ocean_vertical_momentum_diffusivity", NULL,                         \
             "sea_water__eddy_viscosity", FROM_INTERFACES)                                                   \
    VARIABLE(VERTICAL_DIFFUSIVITY, vertical_diffusivity, 'c', LAYERS, WET, MADE, vertical_diffusivity,       \
             "m2 s-1", "vertical eddy diffusivity", "ocean_vertical_tracer_diffusivity", NULL, NULL,         \
             FROM_INTERFACES)

#endif
