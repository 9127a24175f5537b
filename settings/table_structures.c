/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of what stands in the water: dams, weirs, gates.
 */
#include "settings/table_rows.h"

#define OWNER       ScenarioStructure
#define COEFFICIENT .flags = HAS_DEFAULT | EXCLUSIVE, DEFAULT(1), RANGE(0, 10), .with = "/kind=weir|gate"
static const Field structure_fields[] = {
    {"/name", &text_kind, TO(name), .flags = REQUIRED, .doc = "Name of the structure, also in its file"},
    {"/kind", &choice_kind, TO(kind), .flags = REQUIRED, CHOICES_TO(STRUCTURE_GATE, "dam", "weir", "gate"),
     .doc = "dam: a thin wall of any height; weir: a wall or levee whose crest water may flow over; gate: a "
            "barrier that opens and closes, on a sill"},
    {"/line", &points_kind, TO(line), COUNT(n_line), .unit = "degrees or m",
     .doc = "Line along which it stands, [[x1, y1], [x2, y2], ...]: it is on the faces between cells whose "
            "centres lie on the two sides of the line. Flow from the left of the line to its right is "
            "positive"},
    {"/file", &file_kind, TO(file), .flags = INPUT_ONLY,
     .doc = "GeoJSON file with the line, instead of \"line\": its only LineString, or the one whose property "
            "\"name\" is that of the structure. Longitudes and latitudes"},
    {"/crest_m", &value_kind, TO(crest_m), .flags = REFUSED_IDLE | TAKES_FILE, RANGE(-12000, 9000),
     .variables = "xyt", .unit = "m", .with = "/kind=weir|gate",
     .doc = "Height of the crest of a weir above the datum, or of the sill of a gate, by default the bed: a "
            "number, a formula of the place along the line and of time, or a CSV file"},
    {"/opening", &value_kind, TO(opening), .flags = REFUSED_IDLE | TAKES_FILE, RANGE(0, 1), .variables = "t",
     .unit = "1", .with = "/kind=gate",
     .doc = "Part of its width that a gate leaves open, from 0 (closed) to 1 (open): a number, a formula of "
            "time or a CSV file"},
    {"/coefficients/free", &number_kind, TO(free_coefficient[0]), COEFFICIENT,
     .doc = "Factor of the discharge over a crest in free (critical) flow, in positive direction"},
    {"/coefficients/free_back", &number_kind, TO(free_coefficient[1]), COEFFICIENT,
     .doc = "The same in negative direction"},
    {"/coefficients/drowned", &number_kind, TO(drowned_coefficient[0]), COEFFICIENT,
     .doc = "Factor of the discharge over a crest in drowned flow, in positive direction"},
    {"/coefficients/drowned_back", &number_kind, TO(drowned_coefficient[1]), COEFFICIENT,
     .doc = "The same in negative direction"},
    {"/comment", &anything_kind, .doc = "Remarks; ignored by the program"},
};
#undef OWNER
const Record structure_record = {ONLY_ROWS(structure_fields), sizeof(ScenarioStructure),
                                 offsetof(ScenarioStructure, place), "a structure"};
