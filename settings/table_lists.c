/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of the lists in a scenario: tracers, rivers, open boundaries, outputs.
 */
#include "settings/output_variables.h"
#include "settings/table_rows.h"

/* ---- tracers ---- */

#define OWNER ScenarioTracer
static const Field tracer_fields[] = {
    {"/name", &text_kind, TO(name), .flags = REQUIRED, .doc = "Name of the tracer, also in the output files"},
    {"/kind", &choice_kind, TO(kind), .flags = HAS_DEFAULT, .initial_text = "dye",
     CHOICES_TO(TRACER_SUSPENDED, "dye", "age", "suspended"),
     .doc = "dye: passive; age: grows by one second per second, and is 0 in river water [s]; suspended: "
            "matter that is deposited on the bed and eroded from it [kg/m3]"},
    {"/units", &text_kind, TO(units), .with = "/kind=dye",
     .doc = "Units in the output files, into which those of input files are converted; 1 if omitted"},
    {"/initial", &value_kind, TO(initial), .flags = HAS_DEFAULT | TAKES_FILE, ANY_AMOUNT, .variables = "xyz",
     .doc = "Initial value; z is the height of the cell's middle above the datum"},
    {"/settling_m_s", &number_kind, TO(settling_m_s), .flags = HAS_DEFAULT, RANGE(0, 1), .unit = "m/s",
     .doc = "Settling velocity; tracers other than \"suspended\" stay in the lowest layer"},
    {"/decay_1_s", &number_kind, TO(decay_1_s), .flags = HAS_DEFAULT, RANGE(0, 1), .unit = "1/s",
     .doc = "Rate of exponential decay in the water; matter on the bed does not decay"},
    {"/initial_bed_kg_m2", &value_kind, TO(initial_bed_kg_m2),
     .flags = REFUSED_IDLE | HAS_DEFAULT | TAKES_FILE, RANGE(0, 1e6), .variables = "xy", .unit = "kg/m2",
     .with = "/kind=suspended", .doc = "Initial mass on the bed, for \"suspended\""},
    {"/erosion_kg_m2_s", &number_kind, TO(erosion_kg_m2_s), .flags = REFUSED_IDLE | HAS_DEFAULT, RANGE(0, 10),
     .unit = "kg/(m2 s)", .with = "/kind=suspended",
     .doc = "Erosion rate at twice critical_erosion_Pa, for \"suspended\""},
    {"/critical_erosion_Pa", &number_kind, TO(critical_erosion_Pa), .flags = HAS_DEFAULT | EXCLUSIVE,
     DEFAULT(0.1), RANGE(0, 1000), .unit = "Pa", .with = "/kind=suspended",
     .doc = "Bed stress above which matter is eroded"},
    {"/critical_deposition_Pa", &number_kind, TO(critical_deposition_Pa), .flags = REFUSED_IDLE | HAS_DEFAULT,
     RANGE(0, 1000), .unit = "Pa", .with = "/kind=suspended",
     .doc = "Bed stress above which nothing is deposited; 0: deposition at any stress"},
    {"/comment", &anything_kind, .doc = "Remarks; ignored by the program"},
};
#undef OWNER
const Record tracer_record = {ONLY_ROWS(tracer_fields), sizeof(ScenarioTracer),
                              offsetof(ScenarioTracer, place), "a tracer"};

/* ---- events ---- */

#define OWNER ScenarioEvent
static const Field event_fields[] = {
    {"/name", &text_kind, TO(name), .flags = REQUIRED,
     .doc = "Name of the event; the names of its variables in the files begin with it"},
    {"/variable", &text_kind, TO(variable), .flags = REQUIRED,
     .doc = "Variable to compare: temperature, salinity, a tracer, or a diagnostic of the kinetics module"},
    {"/when", &choice_kind, TO(when), .flags = HAS_DEFAULT, .initial_text = "below",
     CHOICES_TO(EVENT_ABOVE, "below", "above"),
     .doc = "Whether the event occurs below or above the threshold"},
    {"/threshold", &number_kind, TO(threshold), .flags = REQUIRED, ANY_AMOUNT,
     .unit = "units of the variable", .doc = "Threshold of the variable"},
    {"/at", &choice_kind, TO(at), .flags = HAS_DEFAULT, .initial_text = "bed",
     CHOICES_TO(EVENT_AT_SURFACE, "bed", "surface"),
     .doc = "Layer whose area and duration are counted: the lowest or the uppermost one. The volume includes "
            "all layers"},
    {"/comment", &anything_kind, .doc = "Remarks; ignored by the program"},
};
#undef OWNER
const Record event_record = {ONLY_ROWS(event_fields), sizeof(ScenarioEvent), offsetof(ScenarioEvent, place),
                             "an event"};

/* ---- rivers ---- */

#define RIVER_WATER_ROWS                                                                                     \
    {"/temperature_C",                                                                                       \
     &value_kind,                                                                                            \
     TO(inflow.temperature_C),                                                                               \
     .flags = TAKES_FILE,                                                                                    \
     TEMPERATURE,                                                                                            \
     .variables = "t",                                                                                       \
     .doc = "Temperature of the river water; if omitted, the temperature of the sea at the mouth"},          \
        {"/salinity",                                                                                        \
         &value_kind,                                                                                        \
         TO(inflow.salinity),                                                                                \
         .flags = TAKES_FILE,                                                                                \
         SALINITY,                                                                                           \
         .variables = "t",                                                                                   \
         .doc = "Salinity of the river water; 0 if omitted"},                                                \
    {                                                                                                        \
        "/tracers", &named_values_kind, TO(inflow.tracers), ANY_AMOUNT,                                      \
            .count_offset = offsetof(OWNER, inflow.n_tracers), .flags = TAKES_FILE, .variables = "t",        \
            .doc = "Tracers in the river water, {\"name\": value}; 0 if omitted"                             \
    }

#define OWNER ScenarioRiver
static const Field river_fields[] = {
    {"/name", &text_kind, TO(name), .flags = REQUIRED, .doc = "Name of the river"},
    {"/lon", &number_kind, TO(x), .flags = REQUIRED | ON_SPHERICAL | OR_MAPPED, RANGE(-360, 360),
     .unit = "degrees", .doc = "Longitude of the river mouth, which moves to the nearest wet cell"},
    {"/lat", &number_kind, TO(y), .flags = REQUIRED | ON_SPHERICAL | OR_MAPPED, RANGE(-90, 90),
     .unit = "degrees", .doc = "Latitude of the river mouth"},
    {"/x_m", &number_kind, TO(x), .flags = REQUIRED | ON_CARTESIAN | OR_MAPPED, .unit = "m",
     .doc = "x of the river mouth, which moves to the nearest wet cell"},
    {"/y_m", &number_kind, TO(y), .flags = REQUIRED | ON_CARTESIAN | OR_MAPPED, .unit = "m",
     .doc = "y of the river mouth"},
    {"/discharge_m3_s", &value_kind, TO(discharge_m3_s), .flags = REQUIRED | TAKES_FILE, RANGE(-1e6, 1e6),
     .variables = "t", .unit = "m3/s", .doc = "Discharge into the sea; negative: withdrawal"},
    RIVER_WATER_ROWS,
    {"/comment", &anything_kind, .doc = "Remarks; ignored by the program"},
};
#undef OWNER
const Record river_record = {ONLY_ROWS(river_fields), sizeof(ScenarioRiver), offsetof(ScenarioRiver, place),
                             "a river"};

#define OWNER ScenarioRiverMap
static const Field river_map_fields[] = {
    {"/name", &text_kind, TO(name), .flags = REQUIRED, .doc = "Name of the map, for messages"},
    {"/file", &files_kind, TO(file), .flags = REQUIRED,
     .doc = "NetCDF file with x, y (longitude, latitude on a sphere) and time: GloFAS, EFAS, CaMa-Flood, "
            "JRA55-do (friver). The axes are rows and columns: \"maeotis new --rivers\" puts NEMO's curved "
            "ones on longitudes and latitudes. Means of a day (dis24) or of six hours (dis06), stamped with "
            "their end, apply at their middle"},
    {"/variable", &text_kind, TO(variable), .doc = "Name of the variable in the file; detected if omitted"},
    {"/quantity", &choice_kind, TO(quantity), .flags = HAS_DEFAULT, .initial_text = "discharge",
     CHOICES_TO(RIVERS_RUNOFF, "discharge", "runoff"),
     .doc = "discharge [m3/s]: that of the river in each cell of the map, whose mouth is the cell near the "
            "sea with the largest mean of the nine around it; runoff [kg m-2 s-1]: the supply to the sea per "
            "area of each cell"},
    {"/least_m3_s", &number_kind, TO(least_m3_s), .flags = HAS_DEFAULT, DEFAULT(1), RANGE(0, 1e6),
     .unit = "m3/s", .doc = "Mouths with less on average give their water to the nearest larger one"},
    RIVER_WATER_ROWS,
    {"/comment", &anything_kind, .doc = "Remarks; ignored by the program"},
};
#undef OWNER
const Record river_map_record = {ONLY_ROWS(river_map_fields), sizeof(ScenarioRiverMap),
                                 offsetof(ScenarioRiverMap, place), "a river map"};

/* ---- open boundaries ---- */

#define OWNER ScenarioTide
const char *const tide_names[TIDES + 1] = {
    "M2",   "S2",  "N2",  "K2",      "K1",  "O1",   "P1",   "Q1",  "M4",  "MS4", "Mf",   "Mm",
    "2N2",  "mu2", "nu2", "T2",      "2Q1", "J1",   "OO1",  "MSf", "Ssa", "MN4", "S4",   "M6",
    "2MS6", "M8",  "L2",  "lambda2", "R2",  "eps2", "MKS2", "MK3", "N4",  "Mtm", "MSqm", NULL};

static const Field tide_fields[] = {
    {"/constituent", &choice_text_kind, TO(constituent), .choices = tide_names,
     .doc = "Name of the constituent; omit it for a wave with its own period_s"},
    {"/period_s", &number_kind, TO(period_s), ABOVE(0, 1e10), .unit = "s",
     .doc = "Period of a wave that is not a constituent; its phase is relative to the start of the run"},
    {"/amplitude_m", &value_kind, TO(amplitude_m), .flags = HAS_DEFAULT, RANGE(0, 30), .variables = "xy",
     .unit = "m", .doc = "Amplitude of the outer level"},
    {"/phase_deg", &value_kind, TO(phase_deg), .flags = HAS_DEFAULT, RANGE(-720, 720), .variables = "xy",
     .unit = "degrees", .doc = "Phase lag of the level behind the equilibrium tide at Greenwich"},
    {"/velocity_amplitude_m_s", &value_kind, TO(velocity_amplitude_m_s), .flags = HAS_DEFAULT, RANGE(0, 20),
     .variables = "xy", .unit = "m/s", .doc = "Amplitude of the velocity into the grid"},
    {"/velocity_phase_deg", &value_kind, TO(velocity_phase_deg), .flags = HAS_DEFAULT, RANGE(-720, 720),
     .variables = "xy", .unit = "degrees", .doc = "Phase lag of the velocity"},
    {"/comment", &anything_kind, .doc = "Remarks; ignored by the program"},
};
#undef OWNER
static const Record tide_record = {ONLY_ROWS(tide_fields), sizeof(ScenarioTide),
                                   offsetof(ScenarioTide, place), "a wave of a tide"};

#define OWNER ScenarioBoundary
static const Field boundary_fields[] = {
    {"/name", &text_kind, TO(name), .flags = REQUIRED, .doc = "Name of the boundary"},
    {"/edge", &choice_kind, TO(edge), .flags = REQUIRED,
     CHOICES_TO(EDGE_LINE, "west", "east", "south", "north", "all", "rest", "line"),
     .doc = "Open edge of the grid; all: every edge that is not periodic; rest: all edge parts that no other "
            "boundary opens; line: a line inside the grid"},
    {"/line", &points_kind, TO(line), COUNT(n_line), .flags = REFUSED_IDLE, .unit = "degrees or m",
     .with = "/edge=line",
     .doc = "Line across the water at which the sea ends, [[x1, y1], [x2, y2], ...]. Both ends must lie on "
            "land, an edge of the grid or another line. The side with /bathymetry/keep_point stays, or else "
            "the larger side; the other side becomes land"},
    {"/range", &fixed_numbers_kind, TO(range), COUNT(has_range), .length = 2, .flags = ASCENDING,
     .unit = "degrees or m", .doc = "Open part of the edge, [from, to]; the whole edge if omitted"},
    {"/box", &fixed_numbers_kind, TO(box), COUNT(has_box), .length = 4, .flags = ASCENDING,
     .unit = "degrees or m",
     .doc = "Only the edge cells inside this box are open, also around corners: [west, east, south, north]"},
    {"/kind", &choice_kind, TO(kind), .flags = REQUIRED,
     CHOICES_TO(BOUNDARY_DISCHARGE, "elevation", "flather", "chapman", "radiation", "velocity", "discharge"),
     .doc = "elevation: prescribed level, such as a measured tide; flather: prescribed outer level and "
            "velocity, and outgoing waves leave (a tide without its velocity enters weakened); chapman: "
            "disturbances of the level leave at the speed of long waves; radiation: they leave at the phase "
            "speed diagnosed inside; velocity, discharge: prescribed inflow"},
    {"/file", &files_kind, TO(file),
     .doc = "NetCDF file of the sea outside, such as the output of a coarser run: it supplies level, "
            "velocities, temperature, salinity and tracers unless a key here does"},
    {"/time_interpolation", &choice_bool_kind, TO(cubic), CHOICES("linear", "cubic"),
     .doc = "Interpolation of levels and velocities between the records of a NetCDF file: linear; cubic: "
            "third order through four records, for tides in hourly records. Other variables are linear"},
    {"/eta_m", &value_kind, TO(eta_m), .flags = REFUSED_IDLE | TAKES_FILE, RANGE(-100, 100),
     .variables = "xyt", .unit = "m", .with = "/kind=elevation|flather|chapman|radiation",
     .doc = "Outer water level, for elevation, flather, chapman and radiation; files: CSV or NetCDF"},
    {"/velocity_m_s", &value_kind, TO(velocity_m_s), .flags = REFUSED_IDLE | TAKES_FILE, RANGE(-20, 20),
     .variables = "xyt", .unit = "m/s", .with = "/kind=flather|velocity",
     .doc =
         "Velocity, positive into the grid: outside the edge for flather, at the edge for velocity; 0 if "
         "omitted. A NetCDF file must have eastward and northward velocities, depth-averaged or by level; "
         "column: the names of both, \"uo, vo\". Inflowing water also brings their component along the edge"},
    {"/incoming_wave", &boolean_kind, TO(incoming_wave), .flags = REFUSED_IDLE, .with = "/kind=flather",
     .doc = "Whether the outer level of flather is that of an incoming wave, whose velocity the program "
            "adds. Tidal currents are then ignored; velocity_m_s may add a mean current"},
    {"/discharge_m3_s", &value_kind, TO(discharge_m3_s), .flags = REFUSED_IDLE | TAKES_FILE, RANGE(-1e8, 1e8),
     .variables = "t", .unit = "m3/s", .with = "/kind=discharge",
     .doc = "Inflow through a boundary of kind discharge"},
    {"/distribution", &choice_bool_kind, TO(by_width), CHOICES("conveyance", "width"), .flags = REFUSED_IDLE,
     .with = "/kind=discharge",
     .doc = "Distribution of a discharge along the edge: by conveyance, that is width times depth to the "
            "power 1.5 below the mean level of the edge; or by width"},
    {"/tide", &records_kind, TO(tide), COUNT(n_tide), .record = &tide_record, .flags = REFUSED_IDLE,
     .with = "/kind=elevation|flather|chapman|radiation|velocity",
     .doc = "Tidal constituents, added to eta_m and velocity_m_s"},
    {"/tide_atlas/files", &paths_kind, TO(atlas), COUNT(n_atlas),
     .flags = REFUSED_IDLE | ON_SPHERICAL | OR_MAPPED,
     .with = "/kind=elevation|flather|chapman|radiation|velocity",
     .doc = "Files or folders of a tidal atlas in the NetCDF layouts of TPXO or FES, whose constituents are "
            "added to eta_m and velocity_m_s; transports (TPXO) also need the atlas's grid file"},
    {"/tide_atlas/constituents", &names_kind, TO(atlas_tides), COUNT(n_atlas_tides), .choices = tide_names,
     .flags = ON_SPHERICAL | OR_MAPPED, .with = "/tide_atlas/files",
     .doc = "Constituents to take from the atlas; if omitted, all of its constituents that are not in tide"},
    {"/nodal_corrections", &boolean_kind, TO(nodal), .flags = HAS_DEFAULT, DEFAULT(1),
     .with = "/tide|/tide_atlas/files", .doc = "Whether the constituents follow the 18.6-year nodal cycle"},
    {"/tide_ramp_s", &number_kind, TO(tide_ramp_s), .flags = HAS_DEFAULT, DEFAULT(43200), RANGE(0, 1e10),
     .unit = "s", .with = "/tide|/tide_atlas/files",
     .doc = "Time over which the tide grows smoothly from zero after the start of the run; 0: full from the "
            "start"},
    {"/temperature_C", &value_kind, TO(inflow.temperature_C), .flags = TAKES_FILE, TEMPERATURE,
     .variables = "xyt", .doc = "Outer temperature; if omitted, the temperature inside"},
    {"/salinity", &value_kind, TO(inflow.salinity), .flags = TAKES_FILE, SALINITY, .variables = "xyt",
     .doc = "Outer salinity; if omitted, the salinity inside"},
    {"/tracers", &named_values_kind, TO(inflow.tracers), ANY_AMOUNT, COUNT(inflow.n_tracers),
     .flags = TAKES_FILE, .variables = "xyt",
     .doc = "Outer values of tracers, {\"name\": value}; if omitted, the values inside"},
    {"/inflow_relaxation_s", &number_kind, TO(inflow_relaxation_s), .flags = HAS_DEFAULT, RANGE(0, 1e9),
     .unit = "s",
     .doc = "Time over which inflow changes from the values of the last outflow to the outer values; 0: "
            "immediately"},
    {"/relaxation/in_s", &number_kind, TO(relaxation_in_s), .flags = REFUSED_IDLE | HAS_DEFAULT,
     RANGE(0, 1e9), .unit = "s", .with = "/kind=chapman|radiation",
     .doc =
         "radiation: relaxation time of the edge's level towards eta_m while waves enter; 0: no relaxation"},
    {"/relaxation/out_s", &number_kind, TO(relaxation_out_s), .flags = REFUSED_IDLE | HAS_DEFAULT,
     RANGE(0, 1e9), .unit = "s", .with = "/kind=chapman|radiation",
     .doc = "chapman, radiation: relaxation time while waves leave; 0: no relaxation, and the mean level "
            "drifts unless another boundary fixes it. A day hardly affects waves"},
    {"/sponge/width_m", &number_kind, TO(sponge_width_m), .flags = REFUSED_IDLE | HAS_DEFAULT, RANGE(0, 1e7),
     .unit = "m", .with = "/kind=elevation|flather|chapman|radiation",
     .doc = "Width of the sponge, in which the sea is relaxed towards the outer level and velocity; 0: no "
            "sponge"},
    {"/sponge/time_s", &number_kind, TO(sponge_time_s), .flags = HAS_DEFAULT | EXCLUSIVE, DEFAULT(3600),
     RANGE(0, 1e9), .unit = "s", .with = "/sponge/width_m",
     .doc = "Relaxation time at the edge; the rate falls off with the square of the distance"},
    {"/relaxation_zone/cells", &integer_kind, TO(zone_cells), .flags = HAS_DEFAULT, RANGE(0, 1000),
     .unit = "cells",
     .doc =
         "Width of a zone in front of the edge in which temperature, salinity, tracers and, from a NetCDF "
         "file with records at most two hours apart, velocities are relaxed layer by layer towards the "
         "values outside: the flow relaxation scheme (FRS, rim) of NEMO, the nudging layer of ROMS; 0: none"},
    {"/relaxation_zone/time_s", &number_kind, TO(zone_time_s), .flags = HAS_DEFAULT, RANGE(0, 1e9),
     .unit = "s", .with = "/relaxation_zone/cells",
     .doc = "Relaxation time at the edge; the rate falls off with the square of the distance. 0: a third of "
            "the time "
            "between the records of a NetCDF file, at least 1200 s, and 3600 s without a file"},
    {"/comment", &anything_kind, .doc = "Remarks; ignored by the program"},
};
#undef OWNER
const Record boundary_record = {ONLY_ROWS(boundary_fields), sizeof(ScenarioBoundary),
                                offsetof(ScenarioBoundary, place), "a boundary"};

/* ---- nudging ---- */

#define OWNER ScenarioNudging
static const Field nudging_fields[] = {
    {"/variable", &text_kind, TO(variable), .flags = REQUIRED,
     .doc = "Variable to relax: temperature, salinity, the name of a tracer, u (eastward velocity) or v "
            "(northward)"},
    {"/to", &value_kind, TO(to), .flags = REQUIRED | TAKES_FILE, ANY_AMOUNT, .variables = "xyzt",
     .doc = "Target value: a number, a formula (z is the height above the datum of the layer at rest) or a "
            "NetCDF file"},
    {"/time_s", &value_kind, TO(time_s), .flags = REQUIRED | EXCLUSIVE | TAKES_FILE, RANGE(0, 1e12),
     .variables = "xyz", .unit = "s",
     .doc = "Time scale of the relaxation; a file must be NetCDF, with the variable time_s or \"column\", in "
            "seconds"},
    {"/width_m", &number_kind, TO(width_m), .flags = HAS_DEFAULT, RANGE(0, 1e7), .unit = "m",
     .doc = "Width of a zone in front of the open edges; the rate falls off with the square of the distance; "
            "0: the "
            "whole sea"},
    {"/box", &fixed_numbers_kind, TO(box), COUNT(has_box), .length = 4, .flags = ASCENDING,
     .unit = "degrees or m",
     .doc = "Restricts the relaxation to this part of the sea: [west, east, south, north]"},
    {"/comment", &anything_kind, .doc = "Remarks; ignored by the program"},
};
#undef OWNER
const Record nudging_record = {ONLY_ROWS(nudging_fields), sizeof(ScenarioNudging),
                               offsetof(ScenarioNudging, place), "a nudging"};

/* ---- output ---- */

#define OWNER ScenarioOutput
static const Field output_fields[] = {
    {"/file", &text_kind, TO(file),
     .doc = "File name in the output folder; {scenario} and {start} are replaced; if omitted, made from the "
            "scenario's name"},
    {"/every_s", &number_kind, TO(every_s), ABOVE(0, 1e10), .unit = "s",
     .doc = "Interval between records, a whole number of steps; not needed for extremes and harmonics, which "
            "have one record"},
    {"/variables", &variables_kind, TO(names), COUNT(n_names), .choices = output_variable_names,
     .doc = "Variables to write, including tracers by name; for stations [\"eta\", \"u\", \"v\"] if omitted"},
    {"/stations", &stations_kind, TO(stations), COUNT(n_stations),
     .doc =
         "Points of time series: {\"Name\": [lon, lat]}, or [x, y] in metres on cartesian grids, with a crs "
         "also {\"lon\": ..., \"lat\": ...}; "
         "{\"file\": \"points.csv\"} reads them from a CSV file with the columns name, lon, lat (or x_m, "
         "y_m), or from GeoJSON"},
    {"/structures", &boolean_kind, TO(structures),
     .doc =
         "Series of all /structures as a file of their own: discharge, the levels on both sides, opening and "
         "crest; places are the middles of their lines"},
    {"/extremes", &names_kind, TO(names), COUNT(n_names), .choices = extreme_names,
     .doc = "Extremes of the run, or of each part of \"cut\"; the lowest level only where there was always "
            "water"},
    {"/harmonics", &names_kind, TO(harmonics), COUNT(n_harmonics), .choices = tide_names,
     .doc = "Tidal constituents to analyse by least squares over all steps of the run: maps of the level's "
            "amplitudes and phases, of the ellipses of the depth-mean current, of mean level and residual "
            "current"},
    {"/from_s", &number_kind, TO(from_s), .flags = HAS_DEFAULT | REFUSED_IDLE, RANGE(0, 1e10), .unit = "s",
     .with = "/harmonics",
     .doc = "Start of the harmonic analysis, after the start of the run; 0: after tide_ramp_s of the "
            "boundaries"},
    {"/mean", &boolean_kind, TO(mean),
     .doc = "Averages over the interval between records, instead of snapshots"},
    {"/box", &fixed_numbers_kind, TO(box), COUNT(has_box), .length = 4, .flags = ASCENDING,
     .unit = "degrees or m",
     .doc = "Restricts the output to this part of the grid: [west, east, south, north]"},
    {"/levels", &integers_kind, TO(levels), COUNT(n_levels), RANGE(0, 10000),
     .doc = "Restricts the output to these layers, counted from 0 at the surface (the file stores them from "
            "the lowest up)"},
    {"/format", &choice_kind, TO(format), .flags = HAS_DEFAULT, .initial_text = "auto",
     CHOICES_TO(FORMAT_CDF5, "auto", "cdf2", "cdf5"),
     .doc = "NetCDF format: cdf2 opens in every program; cdf5 allows variables of 4 GiB and more in one "
            "record; auto: cdf2 if it suffices"},
    {"/cut", &choice_kind, TO(cut), .flags = HAS_DEFAULT | REFUSED_IDLE, .initial_text = "none",
     CHOICES_TO(PART_YEAR, "none", "day", "month", "year"),
     .with = "/variables|/stations|/structures|/extremes",
     .doc = "Splits the output into a file for each day, month or year (UTC), with its date added to the "
            "name. A record at the beginning of a day belongs to that day, a mean to the day in which it "
            "begins, and extremes are those of the day"},
    {"/since", &choice_kind, TO(since), .flags = HAS_DEFAULT | REFUSED_IDLE, .initial_text = "start",
     CHOICES_TO(SINCE_CHAIN, "start", "chain"), .with = "/extremes",
     .doc = "Start of the extremes in a run that continues from a restart file: start: at /time/start, so "
            "that each forecast has its own extremes; chain: at the start of the first run of the chain"},
    {"/velocities", &choice_kind, TO(velocities), .flags = HAS_DEFAULT, .initial_text = "centres",
     CHOICES_TO(VELOCITIES_FACES, "centres", "faces"),
     .doc = "Position of the variables u and v in maps: centres: at the centres of the cells, eastward and "
            "northward, like u_east and v_north; faces: on the west and south faces, as in the model"},
    {"/comment", &anything_kind, .doc = "Remarks; ignored by the program"},
};
#undef OWNER
const Record output_record = {ONLY_ROWS(output_fields), sizeof(ScenarioOutput),
                              offsetof(ScenarioOutput, place), "an output"};
