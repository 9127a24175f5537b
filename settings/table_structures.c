/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of structures: dams, weirs, gates, culverts, pumps.
 */
#include "settings/table_rows.h"

#define OWNER       ScenarioStructure
#define COEFFICIENT .flags = HAS_DEFAULT | EXCLUSIVE, DEFAULT(1), RANGE(0, 10), .with = "/kind=weir|gate"
static const Field structure_fields[] = {
    {"/name", &text_kind, TO(name), .flags = REQUIRED, .doc = "Name of the structure, also in its file"},
    {"/kind", &choice_kind, TO(kind), .flags = REQUIRED,
     CHOICES_TO(STRUCTURE_PUMP, "dam", "weir", "gate", "culvert", "pump"),
     .doc = "dam: a thin wall of any height; weir: a wall or levee whose crest water may flow over; gate: a "
            "barrier that opens and closes, on a sill; culvert, pump: they take water from the cell at the "
            "first point of the line to the one at the last"},
    {"/line", &points_kind, TO(line), COUNT(n_line), .unit = "degrees or m",
     .doc =
         "Line along which it stands, [[x1, y1], [x2, y2], ...]: it is on the faces between cells whose "
         "centres lie on opposite sides of the line. Flow from its left to its right, as seen from the first "
         "point towards the last, is positive"},
    {"/file", &file_kind, TO(file), .flags = INPUT_ONLY,
     .doc = "GeoJSON file with the line, instead of \"line\": its only LineString, or the one whose property "
            "\"name\" is that of the structure. Longitudes and latitudes"},
    {"/crest_m", &value_kind, TO(crest_m), .flags = REFUSED_IDLE | TAKES_FILE, RANGE(-12000, 9000),
     .variables = "xyt", .unit = "m", .with = "/kind=weir|gate",
     .doc = "Height of the crest of a weir above the datum, or of the sill of a gate, by default the bed: a "
            "number, a formula of the place along the line and of time, or a CSV file"},
    {"/opening", &value_kind, TO(opening), .flags = REFUSED_IDLE | TAKES_FILE, RANGE(0, 1), .variables = "t",
     .with = "/kind=gate",
     .doc = "Part of its width that a gate leaves open, from 0 (closed) to 1 (open): a number, a formula of "
            "time or a CSV file"},
    {"/leaf_m", &number_kind, TO(leaf_m), .flags = EXCLUSIVE | REFUSED_IDLE, RANGE(0, 1000), .unit = "m",
     .with = "/kind=gate",
     .doc =
         "The gate opens from below: its leaf lifts by opening times this, from the sill up, and water flows "
         "under it; if omitted, a part of the width opens, over the whole depth"},
    {"/rule/station", &fixed_numbers_kind, TO(station), COUNT(has_rule), .length = 2, .flags = REFUSED_IDLE,
     .unit = "degrees or m", .with = "/kind=gate",
     .doc = "Point whose level moves the gate, instead of \"opening\": the gate is open at the start, and "
            "continues to close or open until the other level is reached"},
    {"/rule/close_above_m", &number_kind, TO(close_above_m), .flags = HAS_DEFAULT, RANGE(-100, 100),
     .unit = "m", .with = "/rule/station",
     .doc = "The gate begins to close when the station's level is above this"},
    {"/rule/open_below_m", &number_kind, TO(open_below_m), .flags = HAS_DEFAULT, RANGE(-100, 100),
     .unit = "m", .with = "/rule/station",
     .doc = "The gate begins to open when the station's level is below this"},
    {"/rule/close_s", &number_kind, TO(close_s), .flags = HAS_DEFAULT | EXCLUSIVE, DEFAULT(1800),
     RANGE(0, 1e7), .unit = "s", .with = "/rule/station", .doc = "Time from open to closed"},
    {"/rule/open_s", &number_kind, TO(open_s), .flags = HAS_DEFAULT | EXCLUSIVE, DEFAULT(1800), RANGE(0, 1e7),
     .unit = "s", .with = "/rule/station", .doc = "Time from closed to open"},
    {"/breach/at", &fixed_numbers_kind, TO(breach_at), COUNT(has_breach), .length = 2, .flags = REFUSED_IDLE,
     .unit = "degrees or m", .with = "/kind=weir", .doc = "Middle of a breach in the weir"},
    {"/breach/width_m", &number_kind, TO(breach_width_m), .flags = HAS_DEFAULT, RANGE(0, 1e6), .unit = "m",
     .with = "/breach/at", .doc = "Width of the breach: the faces within half of it from its middle"},
    {"/breach/lowest_m", &number_kind, TO(breach_lowest_m), .flags = HAS_DEFAULT, RANGE(-12000, 9000),
     .unit = "m", .with = "/breach/at", .doc = "Height to which the crest sinks there"},
    {"/breach/growth_s", &number_kind, TO(breach_growth_s), .flags = HAS_DEFAULT | EXCLUSIVE, DEFAULT(3600),
     RANGE(0, 1e9), .unit = "s", .with = "/breach/at", .doc = "Time in which it sinks, at a constant rate"},
    {"/breach/start_s", &number_kind, TO(breach_start_s), .flags = HAS_DEFAULT, DEFAULT(1e10), RANGE(0, 1e10),
     .unit = "s", .with = "/breach/at", .doc = "Time after the start of the run at which the breach begins"},
    {"/breach/above_m", &number_kind, TO(breach_above_m), .flags = HAS_DEFAULT, DEFAULT(9000),
     RANGE(-12000, 9000), .unit = "m", .with = "/breach/at",
     .doc = "The breach begins when the level on either side is above this, if that is earlier"},
    {"/coefficients/free", &number_kind, TO(free_coefficient[0]), COEFFICIENT,
     .doc = "Factor of the discharge over a crest in free (critical) flow, in positive direction"},
    {"/coefficients/free_back", &number_kind, TO(free_coefficient[1]), COEFFICIENT,
     .doc = "The same in negative direction"},
    {"/coefficients/drowned", &number_kind, TO(drowned_coefficient[0]), COEFFICIENT,
     .doc = "Factor of the discharge over a crest in drowned flow, in positive direction"},
    {"/coefficients/drowned_back", &number_kind, TO(drowned_coefficient[1]), COEFFICIENT,
     .doc = "The same in negative direction"},
    {"/culvert/size_m", &fixed_numbers_kind, TO(culvert_m), COUNT(has_size), .length = 2,
     .flags = REFUSED_IDLE | EXCLUSIVE, RANGE(0, 1000), .unit = "m", .with = "/kind=culvert",
     .doc = "Width and height of the culvert's box; for a pipe of diameter d, give 0.886 d for both"},
    {"/culvert/barrels", &integer_kind, TO(barrels), .flags = HAS_DEFAULT, DEFAULT(1), RANGE(1, 1000),
     .with = "/kind=culvert", .doc = "Number of boxes side by side"},
    {"/culvert/invert_m", &fixed_numbers_kind, TO(invert_m), COUNT(has_inverts), .length = 2,
     .flags = REFUSED_IDLE, RANGE(-12000, 9000), .unit = "m", .with = "/kind=culvert",
     .doc = "Heights of its floor at the inlet and at the outlet; if omitted, the beds"},
    {"/culvert/n", &number_kind, TO(culvert_n), .flags = HAS_DEFAULT, DEFAULT(0.013), RANGE(0, 1),
     .unit = "s/m^(1/3)", .with = "/kind=culvert", .doc = "Manning's n of its walls"},
    {"/culvert/inlet_loss", &number_kind, TO(inlet_loss), .flags = HAS_DEFAULT, DEFAULT(0.5), RANGE(0, 10),
     .with = "/kind=culvert", .doc = "Loss at the inlet in velocity heads"},
    {"/culvert/flap", &boolean_kind, TO(flap), .flags = REFUSED_IDLE, .with = "/kind=culvert",
     .doc = "true: a flap at the outlet prevents backflow"},
    {"/pump/capacity_m3_s", &value_kind, TO(capacity_m3_s), .flags = REFUSED_IDLE | TAKES_FILE, RANGE(0, 1e6),
     .variables = "t", .unit = "m3/s", .with = "/kind=pump",
     .doc = "Flow of the pump: a number, a formula of time or a CSV file; limited by the available water"},
    {"/pump/start_above_m", &number_kind, TO(start_above_m), .flags = HAS_DEFAULT, DEFAULT(PUMP_ALWAYS),
     RANGE(-12000, 9000), .unit = "m", .with = "/kind=pump",
     .doc = "The pump starts when the level at its inlet is above this; if omitted, it always runs"},
    {"/pump/stop_below_m", &number_kind, TO(stop_below_m), .flags = HAS_DEFAULT, DEFAULT(PUMP_ALWAYS),
     RANGE(-12000, 9000), .unit = "m", .with = "/kind=pump",
     .doc = "The pump stops when that level is below this"},
    {"/comment", &anything_kind, .doc = "Remarks; ignored by the program"},
};
#undef OWNER
const Record structure_record = {ONLY_ROWS(structure_fields), sizeof(ScenarioStructure),
                                 offsetof(ScenarioStructure, place), "a structure"};
