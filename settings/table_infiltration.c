/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of rain that soaks away.
 */
#include "settings/table_rows.h"

#define OWNER          Scenario
#define GROUND(member) TO(infiltration.member), .flags = REFUSED_IDLE | TAKES_MAP, .variables = "xy"
static const Field fields[] = {
    {"/infiltration/law", &choice_kind, TO(infiltration.law), .flags = HAS_DEFAULT, .initial_text = "none",
     CHOICES_TO(INFILTRATION_CURVE_NUMBER, "none", "constant", "horton", "green-ampt", "curve-number"),
     .doc = "Infiltration into the ground: constant, at most a rate; horton, a falling rate; green-ampt, by "
            "the suction at the wetting front; curve-number, a part of the rain"},
    {"/infiltration/rate_mm_h", &value_kind, GROUND(rate_mm_h), RANGE(0, 1e4), .unit = "mm/h",
     .with = "/infiltration/law=constant|horton|green-ampt",
     .doc = "Rate of infiltration, for horton the final one, for green-ampt the saturated conductivity: a "
            "number, a formula of place, or a map"},
    {"/infiltration/first_mm_h", &value_kind, GROUND(first_mm_h), RANGE(0, 1e5), .unit = "mm/h",
     .with = "/infiltration/law=horton", .doc = "Initial rate"},
    {"/infiltration/decay_1_h", &value_kind, GROUND(decay_1_h), RANGE(0, 1e4), .unit = "1/h",
     .with = "/infiltration/law=horton", .doc = "Decay constant from the initial to the final rate"},
    {"/infiltration/suction_mm", &value_kind, GROUND(suction_mm), RANGE(0, 1e5), .unit = "mm",
     .with = "/infiltration/law=green-ampt",
     .doc = "Suction at the wetting front: about 50 for sand, 110 for sandy loam, 320 for clay"},
    {"/infiltration/deficit", &value_kind, GROUND(deficit), RANGE(0, 1),
     .with = "/infiltration/law=green-ampt",
     .doc = "Fraction of the ground's volume that water can still fill at the start"},
    {"/infiltration/curve_number", &value_kind, TO(infiltration.curve_number),
     .flags = REFUSED_IDLE | TAKES_MAP | EXCLUSIVE, RANGE(0, 100), .variables = "xy",
     .with = "/infiltration/law=curve-number",
     .doc = "Curve number of the soil and its cover: 98 for streets and roofs, 30 to 90 for fields"},
    {"/infiltration/initial_part", &number_kind, TO(infiltration.initial_part), .flags = HAS_DEFAULT,
     DEFAULT(0.2), RANGE(0, 1), .with = "/infiltration/law=curve-number",
     .doc = "Fraction of the storage that rain fills before any runs off"},
    {"/infiltration/interception_mm", &value_kind, TO(infiltration.interception_mm), .flags = TAKES_MAP,
     RANGE(0, 1e4), .variables = "xy", .unit = "mm", .doc = "Rain that leaves, roofs and hollows keep"},
    {"/infiltration/drains_mm_h", &value_kind, TO(infiltration.drains_mm_h), .flags = TAKES_MAP,
     RANGE(0, 1e4), .variables = "xy", .unit = "mm/h",
     .doc = "Capacity of drains, which take water out of the model"},
    {"/infiltration/above_m", &number_kind, TO(infiltration.above_m), .flags = HAS_DEFAULT,
     RANGE(-12000, 9000), .unit = "m",
     .doc = "Infiltration, interception and drains act where the bed is at or above this height"},
};
const Fields rows_of_infiltration = ROWS(fields);
