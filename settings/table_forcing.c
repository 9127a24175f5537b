/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of the forcing.
 */
#include "settings/table_rows.h"

/* Those of model/boundary/equilibrium_tide.c. */
static const char *const potential_names[] = {"M2", "S2", "N2", "K2", "K1",  "O1",
                                              "P1", "Q1", "Mf", "Mm", "Ssa", NULL};

#define OWNER Scenario
static const Field fields[] = {
    {"/forcing/wind/u_m_s", &value_kind, TO(forcing.wind_u_m_s), RANGE(-150, 150), .variables = "xyt",
     .unit = "m/s", .doc = "Eastward wind at height_m"},
    {"/forcing/wind/v_m_s", &value_kind, TO(forcing.wind_v_m_s), RANGE(-150, 150), .variables = "xyt",
     .unit = "m/s", .doc = "Northward wind at height_m"},
    {"/forcing/wind/speed_m_s", &value_kind, TO(forcing.wind_speed_m_s), RANGE(0, 150), .variables = "xyt",
     .unit = "m/s", .flags = REFUSED_IDLE, .with = "/forcing/wind/from_deg",
     .doc = "Wind speed at height_m, with from_deg, instead of u_m_s and v_m_s"},
    {"/forcing/wind/from_deg", &value_kind, TO(forcing.wind_from_deg), RANGE(-360, 360), .variables = "xyt",
     .unit = "degrees", .flags = REFUSED_IDLE, .with = "/forcing/wind/speed_m_s",
     .doc = "Direction the wind blows from: 0 north, 90 east"},
    {"/forcing/wind/file", &files_kind, TO(forcing.wind_file),
     .doc = "CSV (time,u_m_s,v_m_s or time,speed_m_s,from_deg) or gridded NetCDF (u10, v10). Like every file "
            "of what varies in time: one name, a pattern such as era5_*.nc, or a list of these in the order "
            "of time, of which a later one holds from its first record on"},
    {"/forcing/wind/stress_x_Pa", &value_kind, TO(forcing.stress_x_Pa), RANGE(-100, 100), .variables = "xyt",
     .unit = "Pa", .doc = "Eastward wind stress, instead of a wind"},
    {"/forcing/wind/stress_y_Pa", &value_kind, TO(forcing.stress_y_Pa), RANGE(-100, 100), .variables = "xyt",
     .unit = "Pa", .doc = "Northward wind stress"},
    {"/forcing/wind/factor", &number_kind, TO(forcing.wind_factor), .flags = HAS_DEFAULT, DEFAULT(1),
     RANGE(0, 100), .doc = "Factor of the wind speed"},
    {"/forcing/wind/height_m", &number_kind, TO(forcing.wind_height_m), .flags = HAS_DEFAULT, DEFAULT(10),
     RANGE(0.5, 200), .unit = "m",
     .doc = "Height at which the wind is given; the drag law takes it to 10 m on the profile of neutral air"},
    {"/forcing/wind/drag/law", &choice_kind, TO(forcing.drag), .flags = HAS_DEFAULT,
     .initial_text = "coare35",
     CHOICES_TO(WIND_DRAG_COARE35, "constant", "large-pond", "smith-banke", "wu", "garratt", "azov",
                "coare35"),
     .doc = "Drag law of the sea surface in neutral air: the constant cd, or a published law "
            "(model/forcing/wind_drag.h)"},
    {"/forcing/wind/drag/cd", &number_kind, TO(forcing.drag_constant), .flags = HAS_DEFAULT, DEFAULT(1.3e-3),
     RANGE(0, 0.1), .with = "/forcing/wind/drag/law=constant", .doc = "Drag coefficient, for \"constant\""},
    {"/forcing/wind/drag/cap_m_s", &number_kind, TO(forcing.drag_cap_m_s), .flags = HAS_DEFAULT | EXCLUSIVE,
     DEFAULT(33), RANGE(0, 200), .unit = "m/s",
     .doc = "Wind speed above which the drag coefficient grows no further"},
    {"/forcing/wind/drag/factor", &value_kind, TO(forcing.drag_factor), .flags = HAS_DEFAULT | TAKES_MAP,
     DEFAULT(1), RANGE(0, 10), .variables = "xy",
     .doc = "Factor of the drag coefficient, such as less than 1 in the lee of land or among reeds, 0 under "
            "ice"},
    {"/forcing/wind/air_density_kg_m3", &number_kind, TO(forcing.air_density_kg_m3),
     .flags = HAS_DEFAULT | EXCLUSIVE, DEFAULT(1.22), RANGE(0, 100), .unit = "kg/m3",
     .doc = "Density of the air"},
    {"/forcing/air_pressure/Pa", &value_kind, TO(forcing.air_pressure_Pa), .flags = TAKES_FILE,
     RANGE(80000, 120000), .variables = "xyt", .unit = "Pa",
     .doc = "Air pressure at sea level (1013 hPa is 101300)"},
    {"/forcing/air_pressure/file", &files_kind, TO(forcing.air_pressure_file),
     .doc = "Gridded NetCDF (msl), instead of Pa"},
    {"/forcing/heat/file", &files_kind, TO(forcing.air.heat_file),
     .doc = "Gridded NetCDF with those of air temperature, dew point and radiation that are not given here "
            "(t2m, d2m, ssrd, strd); accumulated J m-2 are converted to rates"},
    {"/forcing/heat/air_temperature_C", &value_kind, TO(forcing.air.air_temperature_C), .flags = TAKES_FILE,
     RANGE(-80, 80), .variables = "xyt", .unit = "degrees C",
     .doc = "Air temperature; enables the turbulent fluxes of heat and vapour, which depend on the wind"},
    {"/forcing/heat/dew_point_C", &value_kind, TO(forcing.air.dew_point_C), .flags = TAKES_FILE,
     RANGE(-80, 80), .variables = "xyt", .unit = "degrees C", .doc = "Dew point"},
    {"/forcing/heat/humidity", &value_kind, TO(forcing.air.humidity), .flags = TAKES_FILE, RANGE(0, 1),
     .variables = "xyt", .doc = "Relative humidity, 0 to 1, instead of the dew point"},
    {"/forcing/heat/air_height_m", &number_kind, TO(forcing.air.air_height_m), .flags = HAS_DEFAULT,
     DEFAULT(2), RANGE(0.5, 200), .unit = "m", .doc = "Height at which the air temperature is given"},
    {"/forcing/heat/humidity_height_m", &number_kind, TO(forcing.air.humidity_height_m), .flags = HAS_DEFAULT,
     DEFAULT(2), RANGE(0.5, 200), .unit = "m",
     .doc = "Height at which the dew point or the humidity is given"},
    {"/forcing/heat/bulk", &choice_kind, TO(forcing.air.bulk), .flags = HAS_DEFAULT,
     .initial_text = "coare35", CHOICES_TO(BULK_KONDO, "coare35", "kondo"),
     .doc = "Formulae of the turbulent fluxes: COARE 3.5, or those of Kondo 1975"},
    {"/forcing/heat/cool_skin", &boolean_kind, TO(forcing.air.cool_skin), .flags = HAS_DEFAULT, DEFAULT(1),
     .with = "/forcing/heat/bulk=coare35",
     .doc =
         "Whether the water's skin is colder than its upper layer by the heat that it gives off; false: the "
         "air meets the upper layer"},
    {"/forcing/heat/shortwave_W_m2", &value_kind, TO(forcing.air.shortwave_W_m2), .flags = TAKES_FILE,
     RANGE(0, 2000), .variables = "xyt", .unit = "W/m2",
     .doc = "Downward short-wave radiation, before reflection"},
    {"/forcing/heat/longwave_W_m2", &value_kind, TO(forcing.air.longwave_W_m2), .flags = TAKES_FILE,
     RANGE(0, 1000), .variables = "xyt", .unit = "W/m2",
     .doc =
         "Downward long-wave radiation; if omitted, computed from air temperature, humidity and cloudiness"},
    {"/forcing/heat/net_W_m2", &value_kind, TO(forcing.air.net_W_m2), .flags = TAKES_FILE,
     RANGE(-10000, 10000), .variables = "xyt", .unit = "W/m2",
     .doc = "Additional heat flux into the water surface"},
    {"/forcing/heat/cloudiness", &value_kind, TO(forcing.air.cloudiness), .flags = HAS_DEFAULT | TAKES_FILE,
     DEFAULT(0.5), RANGE(0, 1), .variables = "xyt",
     .doc =
         "Cloud cover from 0 to 1, of which longwave_law makes the long-wave radiation if longwave_W_m2 is "
         "not given; files may hold fractions, percent or oktas (tcc). A formula or a file here also "
         "replaces the radiation of \"file\""},
    {"/forcing/heat/longwave_law", &choice_kind, TO(forcing.air.sky), .flags = HAS_DEFAULT,
     .initial_text = "berliand", CHOICES_TO(SKY_JOSEY, "berliand", "bignami", "josey"),
     .doc = "Long-wave radiation from air temperature, humidity and cloudiness: of 1952; of 1995, from the "
            "Mediterranean; of 2003, from the Atlantic (model/exchange/long_wave.h)"},
    {"/forcing/heat/albedo", &number_kind, TO(forcing.air.albedo), .flags = HAS_DEFAULT, DEFAULT(0.06),
     RANGE(0, 1), .doc = "Albedo of the water for short-wave radiation"},
    {"/forcing/heat/capacity_J_kg_K", &number_kind, TO(forcing.air.capacity_J_kg_K),
     .flags = HAS_DEFAULT | EXCLUSIVE, DEFAULT(3991.86795711963), RANGE(0, 1e6), .unit = "J/(kg K)",
     .doc = "Specific heat capacity of the water"},
    {"/forcing/heat/water_type", &choice_kind, TO(forcing.air.water_type), .flags = HAS_DEFAULT,
     .initial_text = "III", CHOICES_TO(WATER_OTHER, "I", "IA", "IB", "II", "III", "other"),
     .doc = "Jerlov water type, which sets the penetration of light (I is the clearest); other: as given by "
            "\"light\""},
    {"/forcing/heat/light/red_part", &number_kind, TO(forcing.air.red_part), .flags = HAS_DEFAULT,
     DEFAULT(0.78), RANGE(0, 1), .with = "/forcing/heat/water_type=other",
     .doc = "Fraction of the light in the red band"},
    {"/forcing/heat/light/red_m", &number_kind, TO(forcing.air.red_m), .flags = HAS_DEFAULT | EXCLUSIVE,
     DEFAULT(1.4), RANGE(0, 1000), .unit = "m", .with = "/forcing/heat/water_type=other",
     .doc = "Depth at which the red band falls to 1/e"},
    {"/forcing/heat/light/blue_m", &number_kind, TO(forcing.air.blue_m), .flags = HAS_DEFAULT | EXCLUSIVE,
     DEFAULT(7.9), RANGE(0, 1000), .unit = "m", .with = "/forcing/heat/water_type=other",
     .doc = "Depth at which the rest of the light falls to 1/e"},
    {"/forcing/rain/mm_h", &value_kind, TO(forcing.air.rain_mm_h), .flags = TAKES_FILE, RANGE(0, 1000),
     .variables = "xyt", .unit = "mm/h", .doc = "Rain: fresh water at air temperature, if that is given"},
    {"/forcing/rain/file", &files_kind, TO(forcing.air.rain_file),
     .doc = "Gridded NetCDF (tp), instead of mm_h; accumulated metres are converted to rates"},
    {"/forcing/evaporation/mm_h", &value_kind, TO(forcing.air.evaporation_mm_h), .flags = TAKES_FILE,
     RANGE(0, 100), .variables = "xyt", .unit = "mm/h",
     .doc = "Evaporation, which leaves the salt behind; added to that of the latent heat flux"},
    {"/forcing/evaporation/of_heat", &boolean_kind, TO(forcing.air.evaporation_of_heat), .flags = HAS_DEFAULT,
     DEFAULT(1), .doc = "Whether the latent heat flux removes water too; false: only heat"},
    {"/forcing/waves/file", &files_kind, TO(forcing.waves.file),
     .doc = "Gridded NetCDF with those of height, period and direction of the waves that are not given here, "
            "as of ERA5 "
            "(swh, pp1d or mwp, mwd), SWAN or WAVEWATCH III; land may be without values"},
    {"/forcing/waves/height_m", &value_kind, TO(forcing.waves.height_m), .flags = TAKES_FILE, RANGE(0, 30),
     .variables = "xyt", .unit = "m",
     .doc = "Significant height of the waves that the wind makes: they raise the stress at the bed"},
    {"/forcing/waves/peak_period_s", &value_kind, TO(forcing.waves.peak_period_s),
     .flags = TAKES_FILE | REFUSED_IDLE | EXCLUSIVE, RANGE(0, 40), .variables = "xyt", .unit = "s",
     .with = "/forcing/waves/height_m|/forcing/waves/file",
     .doc = "Period of the peak of their spectrum; where a file or a formula has 0, there are no waves"},
    {"/forcing/waves/mean_period_s", &value_kind, TO(forcing.waves.mean_period_s),
     .flags = TAKES_FILE | REFUSED_IDLE | EXCLUSIVE, RANGE(0, 40), .variables = "xyt", .unit = "s",
     .with = "/forcing/waves/height_m|/forcing/waves/file",
     .doc = "Mean period between zero crossings (Tm02), instead of the peak's"},
    {"/forcing/waves/from_deg", &value_kind, TO(forcing.waves.from_deg), .flags = TAKES_FILE | REFUSED_IDLE,
     RANGE(-360, 360), .variables = "xyt", .unit = "degrees",
     .with = "/forcing/waves/height_m|/forcing/waves/file",
     .doc = "Direction the waves come from: 0 north, 90 east"},
    {"/forcing/waves/from_wind", &boolean_kind, TO(forcing.waves.from_wind), .flags = HAS_DEFAULT,
     .doc = "Instead of a file: waves as a steady wind has made them over its fetch, from land or the edge "
            "of the grid, in "
            "water of the local depth; for enclosed seas"},
    {"/forcing/waves/growth", &choice_kind, TO(forcing.waves.growth), .flags = HAS_DEFAULT,
     .initial_text = "young-verhagen",
     CHOICES_TO(GROWTH_SHORE_PROTECTION, "young-verhagen", "shore-protection"),
     .with = "/forcing/waves/from_wind",
     .doc = "Law of from_wind: Young and Verhagen 1996, measured in water of 2 m, which becomes JONSWAP in "
            "deep water; or the "
            "Shore Protection Manual of 1984, whose waves are up to half as high again"},
    {"/forcing/waves/stokes_drift", &boolean_kind, TO(forcing.waves.stokes_drift), .flags = HAS_DEFAULT,
     DEFAULT(1),
     .doc = "Whether the Stokes drift of the waves moves the water and all that it carries; velocities then "
            "are those of the "
            "water itself, drift included (outputs stokes_east, stokes_north)"},
    {"/forcing/waves/surface_roughness", &number_kind, TO(forcing.waves.surface_roughness),
     .flags = HAS_DEFAULT, DEFAULT(0.5), RANGE(0, 2), .with = "/physics/turbulence/closure=k-epsilon",
     .doc = "Roughness length of the sea's surface, from below, as a part of the significant height: eddies "
            "below waves are "
            "that much larger; 0: a smooth surface"},
    {"/forcing/waves/breaking_flux", &number_kind, TO(forcing.waves.breaking_flux), .flags = HAS_DEFAULT,
     DEFAULT(100), RANGE(0, 1000), .with = "/physics/turbulence/closure=k-epsilon",
     .doc =
         "Energy that breaking waves give to turbulence at the surface, per area and time, over density and "
         "u*^3, with the friction velocity u* of the wind in the water (Craig and Banner 1994); it needs a "
         "surface_roughness above 0; 0: none"},
    {"/forcing/waves/bed_roughness_m", &number_kind, TO(forcing.waves.bed_roughness_m),
     .flags = HAS_DEFAULT | EXCLUSIVE, DEFAULT(1e-3), RANGE(0, 1), .unit = "m",
     .with = "/physics/drag/law!=log",
     .doc = "Roughness length of the bed that waves feel; the drag law \"log\" has its own, z0_m"},
    {"/forcing/waves/most_of_depth", &number_kind, TO(forcing.waves.most_of_depth),
     .flags = HAS_DEFAULT | EXCLUSIVE, DEFAULT(0.55), RANGE(0, 2),
     .doc = "The largest significant height that breaking leaves, as a part of the depth in shallow water; "
            "in deep water "
            "as a part of the length of the waves over 2 pi (Miche)"},
    {"/forcing/tidal_potential/constituents", &names_kind, TO(forcing.potential.constituents),
     COUNT(forcing.potential.n_constituents), .choices = potential_names, .flags = ON_SPHERICAL,
     .doc = "Tidal constituents whose equilibrium tide pulls at all of the sea, beside the tides of open "
            "boundaries"},
    {"/forcing/tidal_potential/self_attraction", &number_kind, TO(forcing.potential.self_attraction),
     .flags = HAS_DEFAULT, RANGE(0, 0.5),
     .doc = "Self-attraction and loading as a part of the level, about 0.09 in tides of oceans, less in "
            "small seas; it "
            "weakens the slope of the surface everywhere"},
    {"/forcing/tidal_potential/nodal_corrections", &boolean_kind, TO(forcing.potential.nodal_corrections),
     .flags = HAS_DEFAULT, DEFAULT(1), .with = "/forcing/tidal_potential/constituents",
     .doc = "Whether the constituents follow the 18.6-year nodal cycle"},
    {"/forcing/tidal_potential/ramp_s", &number_kind, TO(forcing.potential.ramp_s), .flags = HAS_DEFAULT,
     DEFAULT(43200), RANGE(0, 1e10), .unit = "s", .with = "/forcing/tidal_potential/constituents",
     .doc =
         "Time over which the potential grows smoothly from nothing after the start of the run; 0: at once"},
    {"/forcing/ramp_s", &number_kind, TO(forcing.ramp_s), .flags = HAS_DEFAULT, RANGE(0, 1e10), .unit = "s",
     .doc = "The wind stress grows linearly from 0 during this time"},
};
const Fields rows_of_forcing = ROWS(fields);
