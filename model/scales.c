/* SPDX-License-Identifier: Apache-2.0 */
#include "model/scales.h"

#include "model/momentum/momentum.h"
#include "settings/doubt.h"
#include <math.h>

static const double MOST_GIVEN = 2, MOST_LEVEL = 4, MOST_SPEED = 5, HIGH_DAM = 10,
                    FILM = 1e-3; /* see the header */

Scales scales_of(const Scenario *scenario, const Grid *g) {
    double most[2] = {-g->axes.interfaces[0], 0}; /* -lowest, highest */
    for (int n = 0; n < g->columns.count; n++)
        for (int i = g->columns.run[n].i0, j = g->columns.run[n].j; i < g->columns.run[n].i1; i++) {
            most[0] = fmax(most[0], -g->bed[AT2(*g, i, j)]);
            most[1] = fmax(most[1], g->bed[AT2(*g, i, j)]);
        }
    MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_DOUBLE, MPI_MAX, g->comm);
    const double side = fmax(axes_length_x_m(&g->axes), axes_length_y_m(&g->axes));
    const double height = fmax(most[0] + most[1], fmin(HIGH_DAM, side / 8));
    const double speed = fmin(IMPOSSIBLE_SPEED, MOST_SPEED * sqrt(scenario->physics.gravity_m_s2 * height));
    const bool any = doubt_allowed(scenario, DOUBT_SCALES);
    return (Scales){.lowest = -most[0],
                    .highest_ground = most[1],
                    .film = FILM * height,
                    .level_given = MOST_GIVEN * height,
                    .level = any ? INFINITY : MOST_LEVEL * height,
                    .speed_given = speed,
                    .speed = any ? IMPOSSIBLE_SPEED : speed};
}

Status scales_check_level(const Scales *s, const Scenario *scenario, const char *what, double level,
                          const char *where) {
    if (!(level > s->level_given)) return STATUS_OK;
    return doubt_raise(scenario, DOUBT_SCALES,
                       "%s is %g m %s; the ground of this sea lies between %g m and %g m, so levels above %g "
                       "m are implausible",
                       what, level, where, s->lowest, s->highest_ground, s->level_given);
}

Status scales_check_speed(const Scales *s, const Scenario *scenario, const char *what, double speed,
                          const char *where) {
    if (!(fabs(speed) > s->speed_given)) return STATUS_OK;
    return doubt_raise(scenario, DOUBT_SCALES,
                       "%s is %g m/s %s; the ground of this sea lies between %g m and %g m, so speeds above "
                       "%.3g m/s are implausible",
                       what, speed, where, s->lowest, s->highest_ground, s->speed_given);
}
