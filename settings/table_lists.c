/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of what a scenario has lists of: tracers, rivers, open boundaries, outputs.
 */
#include "settings/output_variables.h"
#include "settings/table_rows.h"

/* ---- tracers ---- */

#define OWNER ScenarioTracer
static const Field tracer_fields[] = {
    {"/name", &text_kind, TO(name), .flags = REQUIRED, .doc = "Name of the tracer, also in the files"},
    {"/kind", &choice_kind, TO(kind), .flags = HAS_DEFAULT, .initial_text = "dye",
     CHOICES("dye", "age", "suspended"),
     .doc =
         "dye: goes with the water; age: grows by one second per second, and water from rivers is new [s]; "
         "suspended: matter that is laid down on the bed and taken up from it [kg/m3]"},
    {"/units", &text_kind, TO(units), .with = "/kind=dye",
     .doc = "Units of its values in the files; 1 if left out"},
    {"/initial", &value_kind, TO(initial), .flags = HAS_DEFAULT | TAKES_FILE, ANY_AMOUNT, .variables = "xyz",
     .doc = "Its value at the start; z is the height of a cell's middle above the datum"},
    {"/settling_m_s", &number_kind, TO(settling_m_s), .flags = HAS_DEFAULT, RANGE(0, 1), .unit = "m/s",
     .doc = "Speed at which it sinks; it stays in the lowest layer, if it is not \"suspended\""},
    {"/decay_1_s", &number_kind, TO(decay_1_s), .flags = HAS_DEFAULT, RANGE(0, 1), .unit = "1/s",
     .doc = "Part of it that goes in a second; not of what lies on the bed"},
    {"/initial_bed_kg_m2", &value_kind, TO(initial_bed_kg_m2),
     .flags = REFUSED_IDLE | HAS_DEFAULT | TAKES_FILE, RANGE(0, 1e6), .variables = "xy", .unit = "kg/m2",
     .with = "/kind=suspended", .doc = "What lies on the bed at the start, for \"suspended\""},
    {"/erosion_kg_m2_s", &number_kind, TO(erosion_kg_m2_s), .flags = REFUSED_IDLE | HAS_DEFAULT, RANGE(0, 10),
     .unit = "kg/(m2 s)", .with = "/kind=suspended",
     .doc = "What a stress of twice critical_erosion_Pa takes from the bed, for \"suspended\""},
    {"/critical_erosion_Pa", &number_kind, TO(critical_erosion_Pa), .flags = HAS_DEFAULT | EXCLUSIVE,
     DEFAULT(0.1), RANGE(0, 1000), .unit = "Pa", .with = "/kind=suspended",
     .doc = "Stress at the bed from which on it is taken up"},
    {"/critical_deposition_Pa", &number_kind, TO(critical_deposition_Pa), .flags = REFUSED_IDLE | HAS_DEFAULT,
     RANGE(0, 1000), .unit = "Pa", .with = "/kind=suspended",
     .doc = "Stress at the bed from which on nothing is laid down; 0: some is at any stress"},
    {"/comment", &anything_kind, .doc = "Free for remarks"},
};
#undef OWNER
const Record tracer_record = {ONLY_ROWS(tracer_fields), sizeof(ScenarioTracer),
                              offsetof(ScenarioTracer, place), "a tracer"};

/* ---- rivers ---- */

#define OWNER ScenarioRiver
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
    {"/tracers", &named_values_kind, TO(inflow.tracers), ANY_AMOUNT,
     .count_offset = offsetof(ScenarioRiver, inflow.n_tracers), .flags = TAKES_FILE, .variables = "t",
     .doc = "Values of other tracers in the river, {\"name\": value}; 0 if left out"},
    {"/comment", &anything_kind, .doc = "Free for remarks"},
};
#undef OWNER
const Record river_record = {ONLY_ROWS(river_fields), sizeof(ScenarioRiver), offsetof(ScenarioRiver, place),
                             "a river"};

/* ---- open boundaries ---- */

#define OWNER ScenarioTide
const char *const tide_names[TIDES + 1] = {"M2",  "S2",  "N2",  "K2",  "K1",  "O1",  "P1",   "Q1",  "M4",
                                           "MS4", "Mf",  "Mm",  "2N2", "mu2", "nu2", "T2",   "2Q1", "J1",
                                           "OO1", "MSf", "Ssa", "MN4", "S4",  "M6",  "2MS6", "M8",  NULL};

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
#undef OWNER
static const Record tide_record = {ONLY_ROWS(tide_fields), sizeof(ScenarioTide),
                                   offsetof(ScenarioTide, place), "a wave of a tide"};

#define OWNER ScenarioBoundary
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
    {"/eta_m", &value_kind, TO(eta_m), .flags = REFUSED_IDLE | TAKES_FILE, RANGE(-100, 100),
     .variables = "xyt", .unit = "m", .with = "/kind=elevation|flather|chapman|radiation",
     .doc = "Level outside; elevation, flather, chapman, radiation"},
    {"/velocity_m_s", &value_kind, TO(velocity_m_s), .flags = REFUSED_IDLE | TAKES_FILE, RANGE(-20, 20),
     .variables = "xyt", .unit = "m/s", .with = "/kind=flather|velocity",
     .doc = "Velocity, positive into the grid: outside, of flather; at the edge, of velocity; 0 if left out"},
    {"/incoming_wave", &boolean_kind, TO(incoming_wave), .flags = REFUSED_IDLE, .with = "/kind=flather",
     .doc = "The level outside of flather is that of a wave that comes in: its velocity is added"},
    {"/discharge_m3_s", &value_kind, TO(discharge_m3_s), .flags = REFUSED_IDLE | TAKES_FILE, RANGE(-1e8, 1e8),
     .variables = "t", .unit = "m3/s", .with = "/kind=discharge",
     .doc = "Water that comes in through a boundary of the kind discharge"},
    {"/distribution", &choice_bool_kind, TO(by_width), CHOICES("conveyance", "width"), .flags = REFUSED_IDLE,
     .with = "/kind=discharge",
     .doc = "Of a discharge along the edge: by width times depth to the power of 1.5, or by width"},
    {"/tide", &records_kind, TO(tide), COUNT(n_tide), .record = &tide_record, .flags = REFUSED_IDLE,
     .with = "/kind=elevation|flather|chapman|radiation|velocity",
     .doc = "Tide, added to eta_m and velocity_m_s"},
    {"/nodal_corrections", &boolean_kind, TO(nodal), .flags = HAS_DEFAULT, DEFAULT(1), .with = "/tide",
     .doc = "Whether constituents follow the moon's node in 18.6 years"},
    {"/temperature_C", &value_kind, TO(inflow.temperature_C), .flags = TAKES_FILE, TEMPERATURE,
     .variables = "xyt", .doc = "Temperature outside; left out, that of the water inside"},
    {"/salinity", &value_kind, TO(inflow.salinity), .flags = TAKES_FILE, SALINITY, .variables = "xyt",
     .doc = "Salinity outside; left out, that of the water inside"},
    {"/tracers", &named_values_kind, TO(inflow.tracers), ANY_AMOUNT, COUNT(inflow.n_tracers),
     .flags = TAKES_FILE, .variables = "xyt",
     .doc = "Values of other tracers outside, {\"name\": value}; left out, those inside"},
    {"/inflow_relaxation_s", &number_kind, TO(inflow_relaxation_s), .flags = HAS_DEFAULT, RANGE(0, 1e9),
     .unit = "s",
     .doc = "How soon water that comes in carries these, after having what left last; 0: at once"},
    {"/relaxation/in_s", &number_kind, TO(relaxation_in_s), .flags = REFUSED_IDLE | HAS_DEFAULT,
     RANGE(0, 1e9), .unit = "s", .with = "/kind=chapman|radiation",
     .doc = "Of radiation: how soon the level at the edge goes to eta_m while waves come in; 0: never"},
    {"/relaxation/out_s", &number_kind, TO(relaxation_out_s), .flags = REFUSED_IDLE | HAS_DEFAULT,
     RANGE(0, 1e9), .unit = "s", .with = "/kind=chapman|radiation",
     .doc = "Of chapman and radiation: the same while waves leave"},
    {"/sponge/width_m", &number_kind, TO(sponge_width_m), .flags = REFUSED_IDLE | HAS_DEFAULT, RANGE(0, 1e7),
     .unit = "m", .with = "/kind=elevation|flather|chapman|radiation",
     .doc = "Within this distance the sea is drawn towards the level and velocity outside; 0: no sponge"},
    {"/sponge/time_s", &number_kind, TO(sponge_time_s), .flags = HAS_DEFAULT | EXCLUSIVE, DEFAULT(3600),
     RANGE(0, 1e9), .unit = "s", .with = "/sponge/width_m",
     .doc = "How soon at the edge; inside it takes longer, with the square"},
    {"/comment", &anything_kind, .doc = "Free for remarks"},
};
#undef OWNER
const Record boundary_record = {ONLY_ROWS(boundary_fields), sizeof(ScenarioBoundary),
                                offsetof(ScenarioBoundary, place), "a boundary"};

/* ---- output ---- */

#define OWNER ScenarioOutput
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
#undef OWNER
const Record output_record = {ONLY_ROWS(output_fields), sizeof(ScenarioOutput),
                              offsetof(ScenarioOutput, place), "an output"};
