/* SPDX-License-Identifier: Apache-2.0
 *
 * The scales of a sea, and the levels and speeds that its water cannot reach:
 *
 *     R = max(highest ground that can be wet, datum) - min(lowest ground, lowest interface)     [m]
 *     H = max(R, the smaller of 10 m and an eighth of the longer side)                          [m]
 *
 *     levels of the scenario     at most 2 H above the datum
 *     levels of a run            at most 4 H: a dam of 3 H splashes no higher at a wall
 *     speeds                     at most 5 sqrt(g H): the front from a dam of 3 H is 2 sqrt(3 g H) fast; but for
 *                                films of less than H/1000, which carry nothing
 *
 * The second line is for dams on flat ground at the datum, of which R tells nothing. A flume of 5 m has limits of
 * 1.2 m, 2.5 m and 12 m/s, the Azov Sea with its plains of 57 m, 113 m and 83 m/s. Where the scenario allows
 * "scales", levels of a run have no limit and speeds that of any sea.
 */
#ifndef MAEOTIS_MODEL_SCALES_H
#define MAEOTIS_MODEL_SCALES_H

#include "numerics/grid/grid.h"
#include "settings/scenario.h"

typedef struct Scales {
    double lowest, highest_ground;   /* of which R is the difference [m] */
    double level_given, speed_given; /* of initial values and of those outside [m], [m s-1] */
    double level, speed;             /* of a run [m], [m s-1] */
    double film;                     /* thinner water may be faster [m] */
} Scales;

/* Collective. */
Scales scales_of(const Scenario *scenario, const Grid *grid);

/* Refuses an initial or outer level that is too high, and a speed that is too large; `where`, such as "at 36,
 * 46", follows its value in the message. Local. */
CHECKED Status scales_check_level(const Scales *scales, const Scenario *scenario, const char *what,
                                  double level, const char *where);
CHECKED Status scales_check_speed(const Scales *scales, const Scenario *scenario, const char *what,
                                  double speed, const char *where);

#endif
