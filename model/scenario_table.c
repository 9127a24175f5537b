/* SPDX-License-Identifier: Apache-2.0
 *
 * The table of all keys of a scenario. Rows with the same beginning of their path stand together: they are
 * written in this order.
 */
#include "model/scenario_table.h"
#include "model/boundary/tide.h"
#include "model/output/variables.h"

#define LENGTH(array) (int)(sizeof(array) / sizeof((array)[0]))
#define CHOICES(...)                                                                                         \
    .choices = (const char *const[]) {                                                                       \
        __VA_ARGS__, NULL                                                                                    \
    }
#define RANGE(low, high) .least = (low), .most = (high)
#define ABOVE(low, high) .flags = EXCLUSIVE, RANGE(low, high)
#define DEFAULT(value)   .initial = (value)

/* What a tracer may be. */
#define TEMPERATURE RANGE(-10, 100), .unit = "degrees C"
#define SALINITY    RANGE(0, 400), .unit = "g/kg"

/* ---- tracers ---- */

#define TO(member) .offset = offsetof(ScenarioTracer, member)
static const Field tracer_fields[] = {
    {"/name", &text_kind, TO(name), .flags = REQUIRED, .doc = "Name of the tracer, also in the files"},
    {"/kind", &choice_kind, TO(kind), .flags = HAS_DEFAULT, .initial_text = "dye",
     CHOICES("dye", "age", "suspended"),
     .doc =
         "dye: goes with the water; age: grows by one second per second, and water from rivers is new [s]; "
         "suspended: matter that is laid down on the bed and taken up from it [kg/m3]"},
    {"/units", &text_kind, TO(units), .doc = "Units of its values in the files; 1 if left out"},
    {"/initial", &value_kind, TO(initial), .flags = HAS_DEFAULT, .variables = "xyz",
     .doc = "Its value at the start; z is the height of a cell's middle above the datum"},
    {"/settling_m_s", &number_kind, TO(settling_m_s), .flags = HAS_DEFAULT, RANGE(0, 1), .unit = "m/s",
     .doc = "Speed at which it sinks; it stays in the lowest layer, if it is not \"suspended\""},
    {"/decay_1_s", &number_kind, TO(decay_1_s), .flags = HAS_DEFAULT, RANGE(0, 1), .unit = "1/s",
     .doc = "Part of it that goes in a second; not of what lies on the bed"},
    {"/initial_bed_kg_m2", &value_kind, TO(initial_bed_kg_m2), .flags = HAS_DEFAULT, RANGE(0, 1e6),
     .variables = "xy", .unit = "kg/m2", .doc = "What lies on the bed at the start, for \"suspended\""},
    {"/erosion_kg_m2_s", &number_kind, TO(erosion_kg_m2_s), .flags = HAS_DEFAULT, RANGE(0, 10),
     .unit = "kg/(m2 s)",
     .doc = "What a stress of twice critical_erosion_Pa takes from the bed, for \"suspended\""},
    {"/critical_erosion_Pa", &number_kind, TO(critical_erosion_Pa), .flags = HAS_DEFAULT | EXCLUSIVE,
     DEFAULT(0.1), RANGE(0, 1000), .unit = "Pa", .doc = "Stress at the bed from which on it is taken up"},
    {"/critical_deposition_Pa", &number_kind, TO(critical_deposition_Pa), .flags = HAS_DEFAULT,
     RANGE(0, 1000), .unit = "Pa",
     .doc = "Stress at the bed from which on nothing is laid down; 0: some is at any stress"},
    {"/comment", &anything_kind, .doc = "Free for remarks"},
};
#undef TO
static const Record tracer_record = {tracer_fields, LENGTH(tracer_fields), sizeof(ScenarioTracer),
                                     offsetof(ScenarioTracer, place), "a tracer"};

/* ---- rivers ---- */

#define TO(member) .offset = offsetof(ScenarioRiver, member)
static const Field river_fields[] = {
    {"/name", &text_kind, TO(name), .flags = REQUIRED, .doc = "Name of the river"},
    {"/lon", &number_kind, TO(x), .flags = REQUIRED | ON_SPHERICAL, RANGE(-360, 360), .unit = "degrees",
     .doc = "Longitude of the mouth; moved to the nearest wet cell"},
    {"/lat", &number_kind, TO(y), .flags = REQUIRED | ON_SPHERICAL, RANGE(-90, 90), .unit = "degrees",
     .doc = "Latitude of the mouth"},
    {"/x_m", &number_kind, TO(x), .flags = REQUIRED | ON_CARTESIAN, .unit = "m",
     .doc = "Place of the mouth; moved to the nearest wet cell"},
    {"/y_m", &number_kind, TO(y), .flags = REQUIRED | ON_CARTESIAN, .unit = "m", .doc = "Place of the mouth"},
    {"/discharge_m3_s", &value_kind, TO(discharge_m3_s), .flags = REQUIRED | TAKES_FILE, RANGE(-1e6, 1e6),
     .variables = "t", .unit = "m3/s", .doc = "Water that comes in; negative: is taken out"},
    {"/temperature_C", &value_kind, TO(inflow.temperature_C), .flags = TAKES_FILE, TEMPERATURE,
     .variables = "t", .doc = "Temperature of the river; left out, that of the water at its mouth"},
    {"/salinity", &value_kind, TO(inflow.salinity), .flags = TAKES_FILE, SALINITY, .variables = "t",
     .doc = "Salinity of the river; 0 if left out"},
    {"/tracers", &named_values_kind, TO(inflow.tracers),
     .count_offset = offsetof(ScenarioRiver, inflow.n_tracers), .flags = TAKES_FILE, .variables = "t",
     .doc = "Values of other tracers in the river, {\"name\": value}; 0 if left out"},
    {"/comment", &anything_kind, .doc = "Free for remarks"},
};
#undef TO
static const Record river_record = {river_fields, LENGTH(river_fields), sizeof(ScenarioRiver),
                                    offsetof(ScenarioRiver, place), "a river"};

/* ---- open boundaries ---- */

#define TO(member) .offset = offsetof(ScenarioTide, member)
static const Field tide_fields[] = {
    {"/constituent", &choice_text_kind, TO(constituent), .choices = tide_names,
     .doc = "Name of the constituent; without it the wave has a period_s of its own"},
    {"/period_s", &number_kind, TO(period_s), ABOVE(0, 1e10), .unit = "s",
     .doc = "Period of a wave that is no constituent; its phase counts from the start of the run"},
    {"/amplitude_m", &value_kind, TO(amplitude_m), .flags = HAS_DEFAULT, RANGE(0, 30), .variables = "xy",
     .unit = "m", .doc = "Amplitude of the level outside"},
    {"/phase_deg", &value_kind, TO(phase_deg), .flags = HAS_DEFAULT, RANGE(-720, 720), .variables = "xy",
     .unit = "degrees", .doc = "Its phase lag behind the equilibrium tide at Greenwich"},
    {"/velocity_amplitude_m_s", &value_kind, TO(velocity_amplitude_m_s), .flags = HAS_DEFAULT, RANGE(0, 20),
     .variables = "xy", .unit = "m/s", .doc = "Amplitude of the velocity into the grid"},
    {"/velocity_phase_deg", &value_kind, TO(velocity_phase_deg), .flags = HAS_DEFAULT, RANGE(-720, 720),
     .variables = "xy", .unit = "degrees", .doc = "Its phase lag"},
    {"/comment", &anything_kind, .doc = "Free for remarks"},
};
#undef TO
static const Record tide_record = {tide_fields, LENGTH(tide_fields), sizeof(ScenarioTide),
                                   offsetof(ScenarioTide, place), "a wave of a tide"};

#define TO(member)    .offset = offsetof(ScenarioBoundary, member)
#define COUNT(member) .count_offset = offsetof(ScenarioBoundary, member)
static const Field boundary_fields[] = {
    {"/name", &text_kind, TO(name), .flags = REQUIRED, .doc = "Name of the boundary"},
    {"/edge", &choice_kind, TO(edge), .flags = REQUIRED, CHOICES("west", "east", "south", "north", "all"),
     .doc = "Edge of the grid that is open; all: every edge that is not periodic"},
    {"/range", &fixed_numbers_kind, TO(range), COUNT(has_range), .length = 2, .unit = "degrees or m",
     .doc = "From where to where along the edge it is open; without it the whole edge"},
    {"/box", &fixed_numbers_kind, TO(box), COUNT(has_box), .length = 4, .unit = "degrees or m",
     .doc = "Only where the cells at the edge lie in it, around corners, too: [west, east, south, north]"},
    {"/kind", &choice_kind, TO(kind), .flags = REQUIRED,
     CHOICES("elevation", "flather", "chapman", "radiation", "velocity", "discharge"),
     .doc =
         "elevation: the level is given, such as a tide measured there; flather: level and velocity outside "
         "are given together and waves leave, so a tide without its velocity comes in weaker; chapman, "
         "radiation: levels leave at the speed of long waves, or at that which the sea inside shows; "
         "velocity, discharge: what flows through is given"},
    {"/eta_m", &value_kind, TO(eta_m), .flags = TAKES_FILE, RANGE(-100, 100), .variables = "xyt", .unit = "m",
     .doc = "Level outside; elevation, flather, chapman, radiation"},
    {"/velocity_m_s", &value_kind, TO(velocity_m_s), .flags = TAKES_FILE, RANGE(-20, 20), .variables = "xyt",
     .unit = "m/s",
     .doc = "Velocity, positive into the grid: outside, of flather; at the edge, of velocity; 0 if left out"},
    {"/incoming_wave", &boolean_kind, TO(incoming_wave),
     .doc = "The level outside of flather is that of a wave that comes in: its velocity is added"},
    {"/discharge_m3_s", &value_kind, TO(discharge_m3_s), .flags = TAKES_FILE, RANGE(-1e8, 1e8),
     .variables = "t", .unit = "m3/s", .doc = "Water that comes in through a boundary of the kind discharge"},
    {"/distribution", &choice_bool_kind, TO(by_width), CHOICES("conveyance", "width"),
     .doc = "Of a discharge along the edge: by width times depth to the power of 1.5, or by width"},
    {"/tide", &records_kind, TO(tide), COUNT(n_tide), .record = &tide_record,
     .doc = "Tide, added to eta_m and velocity_m_s"},
    {"/nodal_corrections", &boolean_kind, TO(nodal), .flags = HAS_DEFAULT, DEFAULT(1),
     .doc = "Whether constituents follow the moon's node in 18.6 years"},
    {"/temperature_C", &value_kind, TO(inflow.temperature_C), .flags = TAKES_FILE, TEMPERATURE,
     .variables = "xyt", .doc = "Temperature outside; left out, that of the water inside"},
    {"/salinity", &value_kind, TO(inflow.salinity), .flags = TAKES_FILE, SALINITY, .variables = "xyt",
     .doc = "Salinity outside; left out, that of the water inside"},
    {"/tracers", &named_values_kind, TO(inflow.tracers), COUNT(inflow.n_tracers), .flags = TAKES_FILE,
     .variables = "xyt", .doc = "Values of other tracers outside, {\"name\": value}; left out, those inside"},
    {"/inflow_relaxation_s", &number_kind, TO(inflow_relaxation_s), .flags = HAS_DEFAULT, RANGE(0, 1e9),
     .unit = "s",
     .doc = "How soon water that comes in carries these, after having what left last; 0: at once"},
    {"/relaxation/in_s", &number_kind, TO(relaxation_in_s), .flags = HAS_DEFAULT, RANGE(0, 1e9), .unit = "s",
     .doc = "Of radiation: how soon the level at the edge goes to eta_m while waves come in; 0: never"},
    {"/relaxation/out_s", &number_kind, TO(relaxation_out_s), .flags = HAS_DEFAULT, RANGE(0, 1e9),
     .unit = "s", .doc = "Of chapman and radiation: the same while waves leave"},
    {"/sponge/width_m", &number_kind, TO(sponge_width_m), .flags = HAS_DEFAULT, RANGE(0, 1e7), .unit = "m",
     .doc = "Within this distance the sea is drawn towards the level and velocity outside; 0: no sponge"},
    {"/sponge/time_s", &number_kind, TO(sponge_time_s), .flags = HAS_DEFAULT | EXCLUSIVE, DEFAULT(3600),
     RANGE(0, 1e9), .unit = "s", .doc = "How soon at the edge; inside it takes longer, with the square"},
    {"/comment", &anything_kind, .doc = "Free for remarks"},
};
#undef TO
#undef COUNT
static const Record boundary_record = {boundary_fields, LENGTH(boundary_fields), sizeof(ScenarioBoundary),
                                       offsetof(ScenarioBoundary, place), "a boundary"};

/* ---- output ---- */

#define TO(member)    .offset = offsetof(ScenarioOutput, member)
#define COUNT(member) .count_offset = offsetof(ScenarioOutput, member)
static const Field output_fields[] = {
    {"/file", &text_kind, TO(file),
     .doc = "Name in the output folder; {scenario} and {start} are replaced; left out, it follows from the "
            "scenario's name"},
    {"/every_s", &number_kind, TO(every_s), ABOVE(0, 1e10), .unit = "s",
     .doc = "Time between two records, a whole number of steps; extremes: left out, one record at the end"},
    {"/variables", &variables_kind, TO(names), COUNT(n_names), .choices = output_variable_names,
     .doc = "What is written, names of tracers included; with stations [\"eta\", \"u\", \"v\"] if left out"},
    {"/stations", &stations_kind, TO(stations), COUNT(n_stations),
     .doc = "Points whose time series are written: {\"Name\": [lon, lat]}, or [x, y] in metres on cartesian "
            "grids"},
    {"/extremes", &names_kind, TO(names), COUNT(n_names), .choices = extreme_names,
     .doc = "Extremes of the whole run"},
    {"/mean", &boolean_kind, TO(mean),
     .doc = "Means over the time between two records instead of the instant"},
    {"/box", &fixed_numbers_kind, TO(box), COUNT(has_box), .length = 4, .unit = "degrees or m",
     .doc = "Only this part: [west, east, south, north]"},
    {"/levels", &integers_kind, TO(levels), COUNT(n_levels), RANGE(0, 10000),
     .doc = "Only these layers, counted from the surface, which is 0 (the file has them from the lowest up)"},
    {"/format", &choice_bool_kind, TO(cdf2), CHOICES("cdf5", "cdf2"),
     .doc = "Kind of NetCDF file: cdf5 has no limits, cdf2 is read by very old programs"},
    {"/comment", &anything_kind, .doc = "Free for remarks"},
};
#undef TO
#undef COUNT
static const Record output_record = {output_fields, LENGTH(output_fields), sizeof(ScenarioOutput),
                                     offsetof(ScenarioOutput, place), "an output"};

/* ---- the scenario ---- */

#define TO(member)    .offset = offsetof(Scenario, member)
#define COUNT(member) .count_offset = offsetof(Scenario, member)
static const Field fields[] = {
    {"/$schema", &anything_kind, .doc = "Where the JSON Schema is, for editors"},
    {"/title", &text_kind, TO(title), .doc = "One line that says what this is; goes into the output"},
    {"/comment", &anything_kind, .doc = "Free for remarks"},

    {"/grid/kind", &choice_kind, TO(grid.kind), .flags = REQUIRED, CHOICES("cartesian", "spherical"),
     .doc = "cartesian: x and y in metres; spherical: longitude and latitude"},
    {"/grid/x0_m", &number_kind, TO(grid.x0_m), .flags = ON_CARTESIAN | HAS_DEFAULT, .unit = "m",
     .doc = "x of the western edge"},
    {"/grid/y0_m", &number_kind, TO(grid.y0_m), .flags = ON_CARTESIAN | HAS_DEFAULT, .unit = "m",
     .doc = "y of the southern edge"},
    {"/grid/length_x_m", &number_kind, TO(grid.length_x_m), .flags = REQUIRED | ON_CARTESIAN | EXCLUSIVE,
     RANGE(0, 1e8), .unit = "m", .doc = "Extent to the east, a whole number of dx_m"},
    {"/grid/length_y_m", &number_kind, TO(grid.length_y_m), .flags = REQUIRED | ON_CARTESIAN | EXCLUSIVE,
     RANGE(0, 1e8), .unit = "m", .doc = "Extent to the north, a whole number of dy_m"},
    {"/grid/west", &number_kind, TO(grid.west), .flags = REQUIRED | ON_SPHERICAL, RANGE(-360, 360),
     .unit = "degrees", .doc = "Longitude of the western edge"},
    {"/grid/east", &number_kind, TO(grid.east), .flags = REQUIRED | ON_SPHERICAL, RANGE(-360, 720),
     .unit = "degrees", .doc = "Longitude of the eastern edge; trimmed to whole cells"},
    {"/grid/south", &number_kind, TO(grid.south), .flags = REQUIRED | ON_SPHERICAL, RANGE(-89, 89),
     .unit = "degrees", .doc = "Latitude of the southern edge"},
    {"/grid/north", &number_kind, TO(grid.north), .flags = REQUIRED | ON_SPHERICAL, RANGE(-89, 89),
     .unit = "degrees", .doc = "Latitude of the northern edge; trimmed to whole cells"},
    {"/grid/dx_m", &number_kind, TO(grid.dx_m), ABOVE(0, 1e7), .unit = "m",
     .doc = "Size of a cell to the east; on a sphere at the middle latitude"},
    {"/grid/dy_m", &number_kind, TO(grid.dy_m), ABOVE(0, 1e7), .unit = "m",
     .doc = "Size of a cell to the north; dx_m if left out"},
    {"/grid/dlon_deg", &number_kind, TO(grid.dlon_deg), .flags = ON_SPHERICAL | EXCLUSIVE, RANGE(0, 90),
     .unit = "degrees", .doc = "Size of a cell to the east, instead of dx_m"},
    {"/grid/dlat_deg", &number_kind, TO(grid.dlat_deg), .flags = ON_SPHERICAL | EXCLUSIVE, RANGE(0, 90),
     .unit = "degrees", .doc = "Size of a cell to the north; dlon_deg if left out"},
    {"/grid/periodic", &periodic_kind, TO(grid.periodic_x), COUNT(grid.periodic_y),
     .doc = "Directions in which what leaves comes in on the other side: [\"x\"], [\"y\"] or [\"x\", \"y\"]"},
    {"/grid/levels/bottom_m", &number_kind, TO(grid.bottom_m), .flags = INPUT_ONLY, RANGE(-12000, -1e-6),
     .unit = "m",
     .doc = "Lowest level, below the datum, hence negative; what is deeper belongs to the lowest layer"},
    {"/grid/levels/dz_m", &number_kind, TO(grid.dz_m), .flags = INPUT_ONLY | EXCLUSIVE, RANGE(0, 12000),
     .unit = "m", .doc = "Thickness of every layer"},
    {"/grid/levels/interfaces_m", &numbers_kind, TO(grid.interfaces_m), COUNT(grid.n_interfaces), .unit = "m",
     .doc = "Levels between the layers, from the lowest up to 0, instead of bottom_m and dz_m"},
    {"/grid/flood_to_m", &number_kind, TO(grid.flood_to_m), .flags = HAS_DEFAULT, RANGE(0, 1000), .unit = "m",
     .doc = "Land below this height takes part and can flood; 0: none"},

    {"/bathymetry/file", &file_kind, TO(bathymetry.file), CHOICES("azov", "peer_basin"),
     .doc = "Ground: \"azov\" or \"peer_basin\", which are shipped, or a file (NetCDF, ESRI ASCII, XYZ)"},
    {"/bathymetry/bed_m", &value_kind, TO(bathymetry.bed_m), RANGE(-12000, 9000), .variables = "xy",
     .unit = "m", .doc = "Elevation of the bed, positive up, by number or formula, instead of a file"},
    {"/bathymetry/variable", &text_kind, TO(bathymetry.variable),
     .doc = "Variable of the NetCDF file; found if left out"},
    {"/bathymetry/positive", &choice_text_kind, TO(bathymetry.positive), CHOICES("up", "down"),
     .doc = "up: the file holds elevations; down: depths; left out: as the file says"},
    {"/bathymetry/datum_offset_m", &number_kind, TO(bathymetry.datum_offset_m), .flags = HAS_DEFAULT,
     RANGE(-1000, 1000), .unit = "m", .doc = "Added to the elevations"},
    {"/bathymetry/minimum_depth_m", &number_kind, TO(bathymetry.minimum_depth_m), .flags = HAS_DEFAULT,
     RANGE(0, 1000), .unit = "m", .doc = "Sea that is shallower is deepened to this; 0: as it is"},
    {"/bathymetry/land_height_m", &number_kind, TO(bathymetry.land_height_m), .flags = HAS_DEFAULT,
     DEFAULT(10), RANGE(0, 9000), .unit = "m", .doc = "Height of land whose height the file does not hold"},
    {"/bathymetry/land_m", &value_kind, TO(bathymetry.land_m), RANGE(0, 9000), .variables = "xy", .unit = "m",
     .doc = "The same by number or formula, instead of land_height_m"},
    {"/bathymetry/outside", &choice_bool_kind, TO(bathymetry.land_outside), CHOICES("refused", "land"),
     .doc = "What a grid that reaches beyond the file finds there"},
    {"/bathymetry/close", &closing_lines_kind, TO(bathymetry.close), COUNT(bathymetry.n_close),
     .doc = "Lines [[x1, y1], [x2, y2]] in degrees or metres; cells that they cross become land"},
    {"/bathymetry/keep", &choice_bool_kind, TO(bathymetry.keep_all), CHOICES("connected", "all"),
     .doc = "connected: only the water that is connected with keep_point, or the largest; all: lakes too"},
    {"/bathymetry/keep_point", &fixed_numbers_kind, TO(bathymetry.keep_point),
     COUNT(bathymetry.has_keep_point), .length = 2, .unit = "degrees or m",
     .doc = "A point in the sea that is meant"},
    {"/bathymetry/fullness", &boolean_kind, TO(bathymetry.fullness), .flags = HAS_DEFAULT, DEFAULT(1),
     .doc = "Cells may be wet in part, as a finer file shows; false: whole cells"},

    {"/time/start", &date_kind, TO(time.start), .flags = REQUIRED,
     .doc = "First instant, such as \"2014-09-23T00:00:00Z\""},
    {"/time/end", &date_kind, TO(time.end), .doc = "Last instant, a whole number of steps after the start"},
    {"/time/duration_s", &number_kind, TO(time.duration_s), .flags = INPUT_ONLY | EXCLUSIVE, RANGE(0, 1e11),
     .unit = "s", .doc = "Simulated time, instead of the end"},
    {"/time/step_s", &step_kind, TO(time.step_s), COUNT(time.automatic), .flags = REQUIRED | EXCLUSIVE,
     RANGE(0, 86400), .unit = "s",
     .doc = "Time step; \"auto\": as long as Courant numbers allow, ending where something is written"},
    {"/time/step_bounds_s", &fixed_numbers_kind, TO(time.step_bounds_s), COUNT(time.has_bounds), .length = 2,
     RANGE(1e-6, 86400), .unit = "s",
     .doc = "Shortest and longest step of \"auto\"; [1, 300] if left out. Steps are shorter still where the "
            "next output is nearer"},
    {"/time/step_courant", &number_kind, TO(time.step_courant), .flags = HAS_DEFAULT | EXCLUSIVE,
     DEFAULT(0.7), RANGE(0, 100), .doc = "Cells that the fastest water passes in a step of \"auto\""},
    {"/time/step_wave_courant", &number_kind, TO(time.step_wave_courant), .flags = HAS_DEFAULT, DEFAULT(5),
     RANGE(0, 10000), .doc = "Cells that the fastest long wave passes in a step of \"auto\"; 0: any number"},

    {"/physics/gravity_m_s2", &number_kind, TO(physics.gravity_m_s2), .flags = HAS_DEFAULT | EXCLUSIVE,
     DEFAULT(9.81), RANGE(0, 100), .unit = "m/s2", .doc = "Gravity"},
    {"/physics/water_density_kg_m3", &number_kind, TO(physics.water_density_kg_m3),
     .flags = HAS_DEFAULT | EXCLUSIVE, DEFAULT(1008), RANGE(0, 10000), .unit = "kg/m3",
     .doc = "Density of the water; 1025 in the ocean"},
    {"/physics/density/equation", &choice_kind, TO(physics.density.equation), .flags = HAS_DEFAULT,
     .initial_text = "constant", CHOICES("constant", "linear", "eos80", "teos10"),
     .doc = "How temperature and salinity make the water heavier, which makes it move: not at all; linear; "
            "eos80: "
            "temperature and practical salinity; teos10: conservative temperature and absolute salinity"},
    {"/physics/density/reference_kg_m3", &number_kind, TO(physics.density.reference_kg_m3), ABOVE(0, 10000),
     .unit = "kg/m3",
     .doc = "linear: density at reference_temperature_C and reference_salinity; water_density_kg_m3 if left "
            "out"},
    {"/physics/density/reference_temperature_C", &number_kind, TO(physics.density.reference_temperature_C),
     .flags = HAS_DEFAULT, DEFAULT(10), RANGE(-10, 100), .unit = "degrees C",
     .doc = "For \"linear\"; and the temperature of the water where the scenario has none"},
    {"/physics/density/reference_salinity", &number_kind, TO(physics.density.reference_salinity),
     .flags = HAS_DEFAULT, DEFAULT(10), RANGE(0, 400), .unit = "g/kg",
     .doc = "For \"linear\"; and the salinity of the water where the scenario has none"},
    {"/physics/density/expansion_1_K", &number_kind, TO(physics.density.expansion_1_K), .flags = HAS_DEFAULT,
     DEFAULT(1.5e-4), RANGE(-1, 1), .unit = "1/K",
     .doc = "linear: part by which warming by 1 K makes it lighter"},
    {"/physics/density/contraction_kg_g", &number_kind, TO(physics.density.contraction_kg_g),
     .flags = HAS_DEFAULT, DEFAULT(7.7e-4), RANGE(-1, 1), .unit = "kg/g",
     .doc = "linear: part by which 1 g/kg of salt makes it heavier"},
    {"/physics/pressure", &choice_kind, TO(physics.pressure), .flags = HAS_DEFAULT,
     .initial_text = "hydrostatic", CHOICES("hydrostatic", "nonhydrostatic"),
     .doc = "hydrostatic: the weight of the water above; nonhydrostatic: with vertical accelerations, for "
            "waves shorter than ten depths; needs levels"},
    {"/physics/nonhydrostatic_depth_m", &number_kind, TO(physics.nonhydrostatic_depth_m),
     .flags = HAS_DEFAULT | EXCLUSIVE, DEFAULT(0.01), RANGE(0, 1000), .unit = "m",
     .doc = "Thinner water is hydrostatic all the same"},
    {"/physics/coriolis", &coriolis_kind, TO(physics.coriolis), COUNT(physics.f_s),
     .doc = "\"none\" (cartesian grids, if left out), \"by-latitude\" (spherical grids, if left out), or "
            "{\"f_s\": 1e-4, \"beta_m_s\": 0}, beta about the middle of the grid"},
    {"/physics/momentum/scheme", &choice_kind, TO(physics.scheme), .flags = HAS_DEFAULT,
     .initial_text = "explicit-z", CHOICES("explicit-z", "matm", "split", "prescribed"),
     .doc = "explicit-z: explicit along the levels, implicit down the column; matm: implicit in all three "
            "directions, for long steps; split: horizontal viscosity alone implicit too, line by line; "
            "prescribed: not at all, the flow is that of the stream function"},
    {"/physics/momentum/streamfunction_m3_s", &value_kind, TO(physics.streamfunction_m3_s), .variables = "xy",
     .unit = "m3/s",
     .doc = "Of the flow of \"prescribed\": what flows between two points, from the bed to the surface; u = "
            "-d/dy, v = d/dx"},
    {"/physics/momentum/streamfunction_factor", &value_kind, TO(physics.streamfunction_factor),
     .flags = HAS_DEFAULT, DEFAULT(1), .variables = "t", .doc = "Multiplies the stream function"},
    {"/physics/momentum/advection", &choice_kind, TO(physics.advection), .flags = HAS_DEFAULT,
     .initial_text = "tvd", CHOICES("none", "upwind", "tvd", "compact6"),
     .doc =
         "How momentum is carried along: not at all, smoothly, with sharp fronts, or to sixth order and "
         "without loss of energy where flow is smooth (closed or periodic cartesian seas without flooding)"},
    {"/physics/momentum/filter", &number_kind, TO(physics.filter), .flags = HAS_DEFAULT, DEFAULT(0.1),
     RANGE(0, 1), .doc = "How much compact6 takes of waves of a few cells in a step: 0 nothing, 1 most"},
    {"/physics/momentum/horizontal_viscosity_m2_s", &number_kind, TO(physics.horizontal_viscosity_m2_s),
     .flags = HAS_DEFAULT, RANGE(0, 1e6), .unit = "m2/s", .doc = "Viscosity along the levels"},
    {"/physics/momentum/side_walls", &choice_kind, TO(physics.side_walls), .flags = HAS_DEFAULT,
     .initial_text = "free-slip", CHOICES("free-slip", "no-slip"),
     .doc = "What the coast does to the flow along it: nothing, or hold it"},
    {"/physics/turbulence/closure", &choice_kind, TO(physics.closure), .flags = HAS_DEFAULT,
     .initial_text = "parabolic", CHOICES("constant", "parabolic", "azov", "mixing-length", "k-epsilon"),
     .doc =
         "Viscosity down the column: the same everywhere; growing with the drag of bed and wind; by the "
         "shear and the layers' thickness; by the shear and the distance to bed and surface; two equations "
         "(if left out: k-epsilon with 3 levels or more, else parabolic)"},
    {"/physics/turbulence/viscosity_m2_s", &number_kind, TO(physics.viscosity_m2_s), .flags = HAS_DEFAULT,
     DEFAULT(1e-4), RANGE(0, 1000), .unit = "m2/s",
     .doc = "The constant viscosity, or the least of the others; if left out, 1e-6 with azov, mixing-length "
            "and k-epsilon"},
    {"/physics/turbulence/diffusivity_m2_s", &number_kind, TO(physics.diffusivity_m2_s), RANGE(0, 1000),
     .unit = "m2/s", .doc = "The same for what the water carries; viscosity_m2_s if left out"},
    {"/physics/turbulence/stability", &choice_kind, TO(physics.stability), .flags = HAS_DEFAULT,
     .initial_text = "canuto-a", CHOICES("canuto-a", "cheng"),
     .doc = "Stability functions, for \"k-epsilon\""},
    {"/physics/turbulence/cs", &number_kind, TO(physics.azov_cs), .flags = HAS_DEFAULT | EXCLUSIVE,
     DEFAULT(0.2), RANGE(0, 10), .doc = "Cs of 1/2 Cs^2 dz^2 |u_z|, for \"azov\""},
    {"/physics/drag/law", &choice_kind, TO(physics.drag), .flags = HAS_DEFAULT, .initial_text = "manning",
     CHOICES("none", "constant", "manning", "log", "no-slip"), .doc = "Drag of the bed"},
    {"/physics/drag/n", &number_kind, TO(physics.manning_n), .flags = HAS_DEFAULT, DEFAULT(0.025),
     RANGE(0, 1), .unit = "s/m^(1/3)", .doc = "Manning's n, for \"manning\""},
    {"/physics/drag/cd", &number_kind, TO(physics.drag_coefficient), .flags = HAS_DEFAULT, DEFAULT(2.5e-3),
     RANGE(0, 1), .doc = "Drag coefficient, for \"constant\""},
    {"/physics/drag/z0_m", &number_kind, TO(physics.roughness_m), .flags = HAS_DEFAULT | EXCLUSIVE,
     DEFAULT(1e-3), RANGE(0, 10), .unit = "m", .doc = "Roughness length, for \"log\""},
    {"/physics/tracers/scheme", &choice_kind, TO(physics.tracer_scheme), .flags = HAS_DEFAULT,
     .initial_text = "fct", CHOICES("fct", "upwind", "van-leer"),
     .doc = "How tracers are carried along: of third order, limited so that none leaves its bounds; of first "
            "order, which is cheap and smears; or of second order, which lies between the two"},
    {"/physics/tracers/horizontal_diffusivity_m2_s", &number_kind, TO(physics.tracer_diffusivity_m2_s),
     .flags = HAS_DEFAULT, RANGE(0, 1e6), .unit = "m2/s",
     .doc = "Mixing of tracers along the layers, beside what the transport resolves"},
    {"/physics/free_surface/theta", &number_kind, TO(physics.theta), .flags = HAS_DEFAULT, DEFAULT(0.6),
     RANGE(0.5, 1), .doc = "Share of the new time level: 0.5 keeps waves, 1 damps them"},
    {"/physics/free_surface/full_stress_depth_m", &number_kind, TO(physics.full_stress_depth_m),
     .flags = HAS_DEFAULT, DEFAULT(0.1), RANGE(0, 100), .unit = "m",
     .doc = "Thinner water takes only a part of the wind stress"},

    {"/initial/eta_m", &value_kind, TO(initial.eta_m), .flags = HAS_DEFAULT, RANGE(-12000, 100),
     .variables = "xy", .unit = "m", .doc = "Level at the start"},
    {"/initial/u_m_s", &value_kind, TO(initial.u_m_s), .flags = HAS_DEFAULT, RANGE(-20, 20),
     .variables = "xy", .unit = "m/s", .doc = "Eastward velocity at the start"},
    {"/initial/v_m_s", &value_kind, TO(initial.v_m_s), .flags = HAS_DEFAULT, RANGE(-20, 20),
     .variables = "xy", .unit = "m/s", .doc = "Northward velocity at the start"},
    {"/initial/temperature_C", &value_kind, TO(initial.temperature_C), TEMPERATURE, .variables = "xyz",
     .doc = "Temperature at the start; without it the model has none"},
    {"/initial/salinity", &value_kind, TO(initial.salinity), SALINITY, .variables = "xyz",
     .doc = "Salinity at the start; without it the model has none"},
    {"/tracers", &records_kind, TO(tracers), COUNT(n_tracers), .record = &tracer_record,
     .doc = "What else is in the water"},

    {"/forcing/wind/u_m_s", &value_kind, TO(forcing.wind_u_m_s), RANGE(-150, 150), .variables = "xyt",
     .unit = "m/s", .doc = "Eastward wind at 10 m"},
    {"/forcing/wind/v_m_s", &value_kind, TO(forcing.wind_v_m_s), RANGE(-150, 150), .variables = "xyt",
     .unit = "m/s", .doc = "Northward wind at 10 m"},
    {"/forcing/wind/speed_m_s", &value_kind, TO(forcing.wind_speed_m_s), RANGE(0, 150), .variables = "xyt",
     .unit = "m/s", .doc = "Speed of the wind, with from_deg, instead of u_m_s and v_m_s"},
    {"/forcing/wind/from_deg", &value_kind, TO(forcing.wind_from_deg), RANGE(-360, 360), .variables = "xyt",
     .unit = "degrees", .doc = "Where the wind blows from: 0 north, 90 east"},
    {"/forcing/wind/file", &file_kind, TO(forcing.wind_file),
     .doc = "CSV (time,u,v or time,speed,from) or gridded NetCDF (u10, v10)"},
    {"/forcing/wind/stress_x_Pa", &value_kind, TO(forcing.stress_x_Pa), RANGE(-100, 100), .variables = "xyt",
     .unit = "Pa", .doc = "Eastward stress on the water, instead of a wind"},
    {"/forcing/wind/stress_y_Pa", &value_kind, TO(forcing.stress_y_Pa), RANGE(-100, 100), .variables = "xyt",
     .unit = "Pa", .doc = "Northward stress on the water"},
    {"/forcing/wind/factor", &number_kind, TO(forcing.wind_factor), .flags = HAS_DEFAULT, DEFAULT(1),
     RANGE(0, 100), .doc = "Multiplies the speed"},
    {"/forcing/wind/drag/law", &choice_kind, TO(forcing.drag), .flags = HAS_DEFAULT,
     .initial_text = "large-pond", CHOICES("constant", "large-pond", "smith-banke", "wu", "garratt", "azov"),
     .doc = "Drag of the sea surface: given by cd, or as published (model/forcing/wind_drag.h)"},
    {"/forcing/wind/drag/cd", &number_kind, TO(forcing.drag_constant), .flags = HAS_DEFAULT, DEFAULT(1.3e-3),
     RANGE(0, 0.1), .doc = "Drag coefficient, for \"constant\""},
    {"/forcing/wind/drag/cap_m_s", &number_kind, TO(forcing.drag_cap_m_s), .flags = HAS_DEFAULT | EXCLUSIVE,
     DEFAULT(33), RANGE(0, 200), .unit = "m/s",
     .doc = "The drag coefficient grows no further beyond this wind"},
    {"/forcing/wind/air_density_kg_m3", &number_kind, TO(forcing.air_density_kg_m3),
     .flags = HAS_DEFAULT | EXCLUSIVE, DEFAULT(1.22), RANGE(0, 100), .unit = "kg/m3",
     .doc = "Density of the air"},
    {"/forcing/air_pressure/Pa", &value_kind, TO(forcing.air_pressure_Pa), .flags = TAKES_FILE,
     RANGE(80000, 120000), .variables = "xyt", .unit = "Pa",
     .doc = "Air pressure at the surface (1013 hPa is 101300)"},
    {"/forcing/air_pressure/file", &file_kind, TO(forcing.air_pressure_file),
     .doc = "Gridded NetCDF (msl), instead of Pa"},
    {"/forcing/heat/file", &file_kind, TO(forcing.air.heat_file),
     .doc =
         "Gridded NetCDF with what of air temperature, dew point and radiation is not given (t2m, d2m, ssrd, "
         "strd); amounts in J m-2 become rates"},
    {"/forcing/heat/air_temperature_C", &value_kind, TO(forcing.air.air_temperature_C), .flags = TAKES_FILE,
     RANGE(-80, 80), .variables = "xyt", .unit = "degrees C",
     .doc = "Air temperature at 2 m; with it heat and vapour pass between air and water, by the wind"},
    {"/forcing/heat/dew_point_C", &value_kind, TO(forcing.air.dew_point_C), .flags = TAKES_FILE,
     RANGE(-80, 80), .variables = "xyt", .unit = "degrees C", .doc = "Dew point at 2 m"},
    {"/forcing/heat/humidity", &value_kind, TO(forcing.air.humidity), .flags = TAKES_FILE, RANGE(0, 1),
     .variables = "xyt", .doc = "Relative humidity at 2 m, 0 to 1, instead of the dew point"},
    {"/forcing/heat/shortwave_W_m2", &value_kind, TO(forcing.air.shortwave_W_m2), .flags = TAKES_FILE,
     RANGE(0, 2000), .variables = "xyt", .unit = "W/m2",
     .doc = "Light of sun and sky, downwards, albedo not taken off"},
    {"/forcing/heat/longwave_W_m2", &value_kind, TO(forcing.air.longwave_W_m2), .flags = TAKES_FILE,
     RANGE(0, 1000), .variables = "xyt", .unit = "W/m2",
     .doc = "Heat radiation of the sky, downwards; left out, it follows from air temperature, humidity and "
            "cloudiness"},
    {"/forcing/heat/net_W_m2", &value_kind, TO(forcing.air.net_W_m2), .flags = TAKES_FILE,
     RANGE(-10000, 10000), .variables = "xyt", .unit = "W/m2",
     .doc = "Heat into the surface of the water, beside all others"},
    {"/forcing/heat/cloudiness", &number_kind, TO(forcing.air.cloudiness), .flags = HAS_DEFAULT, DEFAULT(0.5),
     RANGE(0, 1), .doc = "Part of the sky that is clouded, where longwave_W_m2 is not given"},
    {"/forcing/heat/albedo", &number_kind, TO(forcing.air.albedo), .flags = HAS_DEFAULT, DEFAULT(0.06),
     RANGE(0, 1), .doc = "Part of the light that the water throws back"},
    {"/forcing/heat/capacity_J_kg_K", &number_kind, TO(forcing.air.capacity_J_kg_K),
     .flags = HAS_DEFAULT | EXCLUSIVE, DEFAULT(3991.86795711963), RANGE(0, 1e6), .unit = "J/(kg K)",
     .doc = "Heat capacity of the water"},
    {"/forcing/heat/water_type", &choice_kind, TO(forcing.air.water_type), .flags = HAS_DEFAULT,
     .initial_text = "III", CHOICES("I", "IA", "IB", "II", "III", "other"),
     .doc = "Jerlov's type of water, I clearest: how deep the light goes; other: as \"light\" says"},
    {"/forcing/heat/light/red_part", &number_kind, TO(forcing.air.red_part), .flags = HAS_DEFAULT,
     DEFAULT(0.78), RANGE(0, 1), .doc = "Part of the light that ends at a depth of about red_m"},
    {"/forcing/heat/light/red_m", &number_kind, TO(forcing.air.red_m), .flags = HAS_DEFAULT | EXCLUSIVE,
     DEFAULT(1.4), RANGE(0, 1000), .unit = "m", .doc = "Depth in which that part falls to 1/e"},
    {"/forcing/heat/light/blue_m", &number_kind, TO(forcing.air.blue_m), .flags = HAS_DEFAULT | EXCLUSIVE,
     DEFAULT(7.9), RANGE(0, 1000), .unit = "m", .doc = "The same of the rest"},
    {"/forcing/rain/mm_h", &value_kind, TO(forcing.air.rain_mm_h), .flags = TAKES_FILE, RANGE(0, 1000),
     .variables = "xyt", .unit = "mm/h", .doc = "Rain: fresh, as warm as the air, if that is known"},
    {"/forcing/rain/file", &file_kind, TO(forcing.air.rain_file),
     .doc = "Gridded NetCDF (tp), instead of mm_h; amounts in m become rates"},
    {"/forcing/evaporation/mm_h", &value_kind, TO(forcing.air.evaporation_mm_h), .flags = TAKES_FILE,
     RANGE(0, 100), .variables = "xyt", .unit = "mm/h",
     .doc = "Water that leaves to the air, its salt stays; beside that of the latent heat"},
    {"/forcing/evaporation/of_heat", &boolean_kind, TO(forcing.air.evaporation_of_heat), .flags = HAS_DEFAULT,
     DEFAULT(1), .doc = "The water that evaporates with the latent heat leaves; false: its heat alone"},
    {"/forcing/ramp_s", &number_kind, TO(forcing.ramp_s), .flags = HAS_DEFAULT, RANGE(0, 1e10), .unit = "s",
     .doc = "The stress grows from 0 over this time"},

    {"/rivers", &records_kind, TO(rivers), COUNT(n_rivers), .record = &river_record, .doc = "Rivers"},
    {"/boundaries", &records_kind, TO(boundaries), COUNT(n_boundaries), .record = &boundary_record,
     .doc = "Open boundaries; what is not open is a wall"},

    {"/solver/surface/method", &choice_kind, TO(solver.surface_method), .flags = HAS_DEFAULT,
     .initial_text = "matm", CHOICES("matm", "cg"),
     .doc = "Solver of the free surface: matm, alternately triangular; cg: conjugate gradients with the "
            "diagonal"},
    {"/solver/surface/precision", &choice_kind, TO(solver.surface_precision), .flags = HAS_DEFAULT,
     .initial_text = "auto", CHOICES("auto", "double", "single"),
     .doc = "Of the numbers that corrections are computed with; residuals and the solution are double, "
            "whatever it is"},
    {"/solver/surface/tolerance", &number_kind, TO(solver.surface_tolerance),
     .flags = HAS_DEFAULT | EXCLUSIVE, DEFAULT(1e-10), RANGE(0, 0.1),
     .doc = "Relative residual at which the solver of the free surface stops"},
    {"/solver/surface/max_iterations", &integer_kind, TO(solver.surface_max_iterations), .flags = HAS_DEFAULT,
     DEFAULT(2000), RANGE(1, 1000000), .doc = "Iterations after which it gives up"},
    {"/solver/momentum/precision", &choice_kind, TO(solver.momentum_precision), .flags = HAS_DEFAULT,
     .initial_text = "auto", CHOICES("auto", "double", "single"),
     .doc = "Of the numbers that corrections are computed with; residuals and the solution are double, "
            "whatever it is"},
    {"/solver/momentum/tolerance", &number_kind, TO(solver.momentum_tolerance),
     .flags = HAS_DEFAULT | EXCLUSIVE, DEFAULT(1e-8), RANGE(0, 0.1),
     .doc = "Relative residual at which the solver of the implicit momentum equations stops"},
    {"/solver/momentum/max_iterations", &integer_kind, TO(solver.momentum_max_iterations),
     .flags = HAS_DEFAULT, DEFAULT(1000), RANGE(1, 1000000), .doc = "Iterations after which it gives up"},
    {"/solver/pressure/tolerance", &number_kind, TO(solver.pressure_tolerance),
     .flags = HAS_DEFAULT | EXCLUSIVE, DEFAULT(1e-7), RANGE(0, 0.1),
     .doc = "Relative residual at which the solver of the non-hydrostatic pressure stops"},
    {"/solver/pressure/max_iterations", &integer_kind, TO(solver.pressure_max_iterations),
     .flags = HAS_DEFAULT, DEFAULT(1000), RANGE(1, 1000000), .doc = "Iterations after which it gives up"},
    {"/solver/ranks", &fixed_integers_kind, TO(solver.ranks_x), RANGE(0, 1000000), .length = 2,
     .doc = "Processes along x and y; [0, 0]: chosen"},
    {"/solver/device", &choice_text_kind, TO(solver.device), .flags = HAS_DEFAULT, .initial_text = "cpu",
     CHOICES("cpu", "emu"), .doc = "cpu; emu: an emulated GPU that shuffles the order of work to find races"},

    {"/output", &records_kind, TO(outputs), COUNT(n_outputs), .record = &output_record,
     .doc = "Files that are written: fields, stations, extremes"},
    {"/restart/every_s", &number_kind, TO(restart.every_s), .flags = HAS_DEFAULT, RANGE(0, 1e10), .unit = "s",
     .doc = "Time between two restart files; 0: only on request"},
    {"/restart/keep", &integer_kind, TO(restart.keep), .flags = HAS_DEFAULT, DEFAULT(2), RANGE(1, 10000),
     .doc = "How many restart files are kept"},
    {"/restart/at_end", &boolean_kind, TO(restart.at_end), .doc = "Write one at the end of the run"},
    {"/output_folder", &text_kind, TO(output_folder),
     .doc = "Folder for all files, below the current one; \"results/\" and the scenario's name if left out"},
};
const Record scenario_record = {fields, LENGTH(fields), sizeof(Scenario), 0, "the scenario"};
