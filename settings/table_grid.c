/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of the grid, the bathymetry and the time.
 */
#include "settings/table_rows.h"

#define OWNER ScenarioDike
static const Field dike_fields[] = {
    {"/line", &points_kind, TO(line), COUNT(n_line), .unit = "degrees or m",
     .doc = "Line along which the dike stands, [[x1, y1], [x2, y2], ...]"},
    {"/file", &file_kind, TO(file),
     .doc = "GeoJSON file with any number of lines (LineString, MultiLineString), instead of \"line\". "
            "Longitudes and latitudes; a third coordinate is the height of the crest [m]"},
    {"/property", &text_kind, TO(property), .flags = REFUSED_IDLE, .with = "/file",
     .doc = "Property of the file's features that holds the height of the crest [m], for lines whose points "
            "have none; \"crest_m\" if omitted"},
    {"/crest_m", &value_kind, TO(crest_m), RANGE(LOWEST_CREST_M, HIGHEST_CREST_M), .variables = "xy",
     .unit = "m",
     .doc = "Height of the crest above the datum, a number or formula; of a file's lines, where it has no "
            "height"},
    {"/comment", &anything_kind, .doc = "Remarks; ignored by the program"},
};
#undef OWNER
static const Record dike_record = {ONLY_ROWS(dike_fields), sizeof(ScenarioDike),
                                   offsetof(ScenarioDike, place), "a dike"};

#define OWNER Scenario
static const Field fields[] = {
    {"/grid/kind", &choice_kind, TO(grid.kind), .flags = REQUIRED,
     CHOICES_TO(GRID_SPHERICAL, "cartesian", "spherical"),
     .doc = "cartesian: x and y in metres; spherical: longitude and latitude"},
    {"/grid/crs", &text_kind, TO(grid.crs), .flags = ON_CARTESIAN,
     .doc =
         "Coordinate reference system of x and y: its number, such as \"EPSG:32636\" (UTM zone 36 north), "
         "a PROJ string or WKT; projected, and in metres. The program then knows where the grid lies: data "
         "in longitudes and latitudes are read at its places, vectors are turned, and files carry "
         "longitudes, latitudes and the system. If omitted, x and y lie nowhere on the Earth"},
    {"/grid/x0_m", &number_kind, TO(grid.x0_m), .flags = ON_CARTESIAN | HAS_DEFAULT, .unit = "m",
     .doc = "x of the western edge"},
    {"/grid/y0_m", &number_kind, TO(grid.y0_m), .flags = ON_CARTESIAN | HAS_DEFAULT, .unit = "m",
     .doc = "y of the southern edge"},
    {"/grid/length_x_m", &number_kind, TO(grid.length_x_m), .flags = REQUIRED | ON_CARTESIAN | EXCLUSIVE,
     RANGE(0, 1e8), .unit = "m", .doc = "Length of the grid from west to east, a multiple of dx_m"},
    {"/grid/length_y_m", &number_kind, TO(grid.length_y_m), .flags = REQUIRED | ON_CARTESIAN | EXCLUSIVE,
     RANGE(0, 1e8), .unit = "m", .doc = "Length of the grid from south to north, a multiple of dy_m"},
    {"/grid/west", &number_kind, TO(grid.west), .flags = REQUIRED | ON_SPHERICAL, RANGE(-360, 360),
     .unit = "degrees", .doc = "Longitude of the western edge"},
    {"/grid/east", &number_kind, TO(grid.east), .flags = REQUIRED | ON_SPHERICAL, RANGE(-360, 720),
     .unit = "degrees", .doc = "Longitude of the eastern edge; trimmed to whole cells"},
    {"/grid/south", &number_kind, TO(grid.south), .flags = REQUIRED | ON_SPHERICAL, RANGE(-89, 89),
     .unit = "degrees", .doc = "Latitude of the southern edge"},
    {"/grid/north", &number_kind, TO(grid.north), .flags = REQUIRED | ON_SPHERICAL, RANGE(-89, 89),
     .unit = "degrees", .doc = "Latitude of the northern edge; trimmed to whole cells"},
    {"/grid/dx_m", &number_kind, TO(grid.dx_m), ABOVE(0, 1e7), .unit = "m",
     .doc = "Cell size, west to east; on a sphere at the middle latitude"},
    {"/grid/dy_m", &number_kind, TO(grid.dy_m), ABOVE(0, 1e7), .unit = "m",
     .doc = "Cell size, south to north; dx_m if omitted"},
    {"/grid/dlon_deg", &number_kind, TO(grid.dlon_deg), .flags = ON_SPHERICAL | EXCLUSIVE, RANGE(0, 90),
     .unit = "degrees", .doc = "Cell size in longitude, instead of dx_m"},
    {"/grid/dlat_deg", &number_kind, TO(grid.dlat_deg), .flags = ON_SPHERICAL | EXCLUSIVE, RANGE(0, 90),
     .unit = "degrees", .doc = "Cell size in latitude; dlon_deg if omitted"},
    {"/grid/periodic", &periodic_kind, TO(grid.periodic_x), COUNT(grid.periodic_y),
     .doc = "Directions in which the grid is periodic: [\"x\"], [\"y\"] or [\"x\", \"y\"]"},
    {"/grid/levels/bottom_m", &number_kind, TO(grid.bottom_m), .flags = INPUT_ONLY, RANGE(-12000, -1e-6),
     .unit = "m",
     .doc = "Height of the lowest layer interface: negative, below the datum; deeper water belongs to the "
            "lowest layer"},
    {"/grid/levels/dz_m", &number_kind, TO(grid.dz_m), .flags = INPUT_ONLY | EXCLUSIVE, RANGE(0, 12000),
     .unit = "m", .doc = "Thickness of every layer"},
    {"/grid/levels/kind", &choice_kind, TO(grid.layers), .flags = HAS_DEFAULT,
     .initial_text = "fixed-heights",
     CHOICES_TO(LAYERS_ADAPTIVE, "fixed-heights", "bed-following", "hybrid", "adaptive"),
     .doc =
         "fixed-heights: the bed cuts the layers off, and shallow columns have fewer; bed-following: every "
         "column has all layers, each with the same part of its depth, and the heights given here are those "
         "of a column as deep as the lowest of them; hybrid: at fixed heights above fixed_above_m, along the "
         "bed below; adaptive: as bed-following at first, then layers move to where the density changes"},
    {"/grid/levels/fixed_above_m", &number_kind, TO(grid.fixed_above_m), .flags = EXCLUSIVE, RANGE(-12000, 0),
     .unit = "m", .with = "/grid/levels/kind=hybrid",
     .doc = "Height of a layer interface above which the layers lie at fixed heights; the layers below it "
            "share what is left "
            "of each column"},
    {"/grid/levels/layers", &integer_kind, TO(grid.layers_wanted), .flags = INPUT_ONLY, RANGE(1, 200),
     .doc = "Number of layers down to bottom_m, instead of dz_m"},
    {"/grid/levels/towards_surface", &number_kind, TO(grid.towards_surface), .flags = INPUT_ONLY,
     RANGE(0, 10), .with = "/grid/levels/layers",
     .doc =
         "How much thinner the layers become towards the surface: 0, not at all; 1, a little; 3, strongly"},
    {"/grid/levels/towards_bed", &number_kind, TO(grid.towards_bed), .flags = INPUT_ONLY, RANGE(0, 10),
     .with = "/grid/levels/layers", .doc = "The same towards the bed"},
    {"/grid/levels/thinnest_m", &number_kind, TO(grid.thinnest_m), .flags = HAS_DEFAULT, RANGE(0, 1000),
     .unit = "m", .with = "/grid/levels/kind=bed-following|hybrid|adaptive",
     .doc = "Where the water is so shallow that a layer would be thinner than this at the datum (or when the "
            "water stands at flood_to_m), there are fewer layers, counted from the surface"},
#define ON_ADAPTIVE .with = "/grid/levels/kind=adaptive"
    {"/grid/levels/adapt/density", &number_kind, TO(grid.adapt.density), ON_ADAPTIVE, .flags = HAS_DEFAULT,
     DEFAULT(0.5), RANGE(0, 1),
     .doc = "Part of the layers that lie where the density changes, the same number for each part of the "
            "change"},
    {"/grid/levels/adapt/shear", &number_kind, TO(grid.adapt.shear), ON_ADAPTIVE, .flags = HAS_DEFAULT,
     DEFAULT(0.1), RANGE(0, 1), .doc = "The same where the velocity changes with height"},
    {"/grid/levels/adapt/surface", &number_kind, TO(grid.adapt.surface), ON_ADAPTIVE, .flags = HAS_DEFAULT,
     DEFAULT(0.1), RANGE(0, 1), .doc = "The same near the surface"},
    {"/grid/levels/adapt/bed", &number_kind, TO(grid.adapt.bed), ON_ADAPTIVE, .flags = HAS_DEFAULT,
     RANGE(0, 1),
     .doc =
         "The same near the bed. What these four leave of 1, at least 0.1, is spread evenly over the depth"},
    {"/grid/levels/adapt/zone_m", &number_kind, TO(grid.adapt.zone_m), ON_ADAPTIVE,
     .flags = HAS_DEFAULT | EXCLUSIVE, DEFAULT(5), RANGE(0, 1000), .unit = "m",
     .doc = "Thickness of what counts as near the surface and near the bed"},
    {"/grid/levels/adapt/relaxation_s", &number_kind, TO(grid.adapt.relaxation_s), ON_ADAPTIVE,
     .flags = HAS_DEFAULT | EXCLUSIVE, DEFAULT(10800), RANGE(0, 1e8), .unit = "s",
     .doc = "Time in which layers come to where they are wanted"},
    {"/grid/levels/adapt/every_s", &number_kind, TO(grid.adapt.every_s), ON_ADAPTIVE, .flags = HAS_DEFAULT,
     DEFAULT(600), RANGE(0, 1e6), .unit = "s",
     .doc = "Time between two moves of the layers; 0: they move in every step"},
    {"/grid/levels/adapt/smoothing_cells", &number_kind, TO(grid.adapt.smoothing_cells), ON_ADAPTIVE,
     .flags = HAS_DEFAULT, DEFAULT(2), RANGE(0, 100), .unit = "cells",
     .doc = "Distance over which the heights of layers are smoothed"},
    {"/grid/levels/adapt/thinnest_part", &number_kind, TO(grid.adapt.thinnest_part), ON_ADAPTIVE,
     .flags = HAS_DEFAULT | EXCLUSIVE, DEFAULT(0.1), RANGE(0, 0.9),
     .doc = "Least thickness of a layer, as a part of that of equal layers"},
#undef ON_ADAPTIVE
    {"/grid/levels/interfaces_m", &numbers_kind, TO(grid.interfaces_m), COUNT(grid.n_interfaces), .unit = "m",
     .doc =
         "Heights of the layer interfaces, from the lowest up to 0, instead of bottom_m and dz_m or layers"},
    {"/grid/flood_to_m", &number_kind, TO(grid.flood_to_m), .flags = HAS_DEFAULT, RANGE(0, 1000), .unit = "m",
     .doc = "Land below this height is part of the grid and can flood; 0: land never floods"},

    {"/bathymetry/file", &file_kind, TO(bathymetry.file), CHOICES("azov", "peer_basin"),
     .doc = "Depth map: \"azov\" or \"peer_basin\", which are shipped with the program, or a file (NetCDF, "
            "ESRI ASCII, XYZ)"},
    {"/bathymetry/bed_m", &value_kind, TO(bathymetry.bed_m), RANGE(-12000, 9000), .variables = "xy",
     .unit = "m", .doc = "Elevation of the bed, positive upwards, as a number or formula, instead of a file"},
    {"/bathymetry/variable", &text_kind, TO(bathymetry.variable), .flags = REFUSED_IDLE,
     .with = "/bathymetry/file", .doc = "Name of the variable in the NetCDF file; detected if omitted"},
    {"/bathymetry/positive", &choice_text_kind, TO(bathymetry.positive), CHOICES("up", "down"),
     .flags = REFUSED_IDLE, .with = "/bathymetry/file",
     .doc = "up: the file holds elevations; down: depths; if omitted, as the file's attributes say"},
    {"/bathymetry/datum_offset_m", &number_kind, TO(bathymetry.datum_offset_m), .flags = HAS_DEFAULT,
     RANGE(-1000, 1000), .unit = "m", .with = "/bathymetry/file",
     .doc = "Offset that is added to all elevations"},
    {"/bathymetry/minimum_depth_m", &number_kind, TO(bathymetry.minimum_depth_m), .flags = HAS_DEFAULT,
     RANGE(0, 1000), .unit = "m", .doc = "Sea shallower than this is deepened to it; 0: no change"},
    {"/bathymetry/land_height_m", &number_kind, TO(bathymetry.land_height_m), .flags = HAS_DEFAULT,
     DEFAULT(10), RANGE(0, 9000), .unit = "m", .doc = "Height of land that has no value in the file"},
    {"/bathymetry/land_m", &value_kind, TO(bathymetry.land_m), .flags = TAKES_MAP, RANGE(0, 9000),
     .variables = "xy", .unit = "m",
     .doc = "Height of land that has no value in the file, as a number, formula or map; land_height_m where "
            "the map has none"},
    {"/bathymetry/outside", &choice_bool_kind, TO(bathymetry.land_outside), CHOICES("refused", "land"),
     .doc = "Treatment of grid cells beyond the file's extent: an error, or land"},
    {"/bathymetry/close", &closing_lines_kind, TO(bathymetry.close), COUNT(bathymetry.n_close),
     .doc = "Barriers: lines [[x1, y1], [x2, y2]] in degrees or metres; the cells they cross become land"},
    {"/bathymetry/keep", &choice_bool_kind, TO(bathymetry.keep_all), CHOICES("connected", "all"),
     .doc = "connected: keep only the water body that contains keep_point, or else the largest one; all: "
            "keep every lake"},
    {"/bathymetry/keep_point", &fixed_numbers_kind, TO(bathymetry.keep_point),
     COUNT(bathymetry.has_keep_point), .length = 2, .unit = "degrees or m",
     .doc = "A point in the water body to keep"},
    {"/bathymetry/subgrid", &boolean_kind, TO(bathymetry.subgrid), .flags = HAS_DEFAULT,
     .doc = "Cells coarser than the ground: each cell knows the wet area and the volume of the map's cells "
            "in it at every level, "
            "each face its section"},
    {"/bathymetry/pixels", &integer_kind, TO(bathymetry.pixels), .flags = HAS_DEFAULT, DEFAULT(8),
     RANGE(1, 64), .with = "/bathymetry/subgrid",
     .doc = "Where bed_m stands for a map: the number of points along each side of a cell at which it is "
            "evaluated"},
    {"/bathymetry/dikes", &records_kind, TO(bathymetry.dikes), COUNT(bathymetry.n_dikes),
     .flags = UNWRITTEN_EMPTY | REFUSED_IDLE, .with = "/bathymetry/subgrid", .record = &dike_record,
     .doc = "Dikes and quays as lines: they raise the map's cells that they cross to their crests"},
    {"/bathymetry/fullness", &boolean_kind, TO(bathymetry.fullness), .flags = HAS_DEFAULT, DEFAULT(1),
     .doc = "Partially wet cells: coastal cells take their wet fraction from a finer file; false: each cell "
            "is wet or dry as a whole"},

    {"/time/start", &date_kind, TO(time.start),
     .doc = "Start of the run, such as \"2014-09-23T00:00:00Z\". A run that continues from a restart file "
            "begins at the date of the file: the key may then be omitted, or be that date or the start of "
            "the run that wrote it"},
    {"/time/end", &end_kind, TO(time.end), COUNT(time.duration_s),
     .doc = "End of the run, a whole number of steps after the start"},
    {"/time/duration_s", &duration_kind, TO(time.duration_s), ABOVE(0, 1e11), .unit = "s",
     .doc =
         "Length of the run from its start, instead of the end; a whole number of steps, such as 12.5 s in "
         "steps of "
         "0.005 s"},
    {"/time/step_s", &step_kind, TO(time.step_s), COUNT(time.automatic), .flags = REQUIRED | EXCLUSIVE,
     RANGE(0, 86400), .unit = "s",
     .doc =
         "Time step; \"auto\": the longest that the Courant numbers allow, adjusted to end at output times"},
    {"/time/step_bounds_s", &fixed_numbers_kind, TO(time.step_bounds_s), COUNT(time.has_bounds), .length = 2,
     RANGE(1e-6, 86400), .unit = "s", .flags = REFUSED_IDLE, .with = "/time/step_s=auto",
     .doc = "Shortest and longest step for \"auto\"; [1, 300] if omitted. Only a step that ends at an output "
            "time may be shorter"},
    {"/time/step_courant", &number_kind, TO(time.step_courant), .flags = HAS_DEFAULT | EXCLUSIVE,
     DEFAULT(0.7), RANGE(0, 100), .with = "/time/step_s=auto",
     .doc =
         "Largest Courant number of the flow for \"auto\"; with \"compact6\" at most 0.1, as u and v add up"},
    {"/time/step_wave_courant", &number_kind, TO(time.step_wave_courant), .flags = HAS_DEFAULT, DEFAULT(5),
     RANGE(0, 10000), .with = "/time/step_s=auto",
     .doc = "Largest Courant number of long waves for \"auto\"; 0: no limit"},
};
const Fields rows_of_grid = ROWS(fields);
