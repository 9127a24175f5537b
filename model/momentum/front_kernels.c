/* SPDX-License-Identifier: Apache-2.0 */
#include "model/momentum/front.h"

/* What is left of the speed `speed`, positive towards the dry column, after a rise of the level. [m s-1] */
POINTWISE double climbed(double speed, double gravity, double rise) {
    const double left = speed * speed - gravity * max_of(0.0, rise);
    return speed > 0 && left > 0 ? sqrt(left) : 0.0;
}

/* The old velocity of a face in a layer, or in its lowest one if it does not reach down that far. */
POINTWISE double velocity_at(const Front *a, ptrdiff_t m, int k) {
    const double lowest = max_of(k, a->faces.bottom[m]);
    return lowest < a->g.n3 ? a->faces.velocity[m + (ptrdiff_t)lowest * a->g.plane] : 0.0;
}

/* The speed towards the dry column, `back` from the face behind to the one behind that. */
POINTWISE double speed_behind(const Front *a, ptrdiff_t m, ptrdiff_t back, int k) {
    const double direction = back < 0 ? 1.0 : -1.0, speed = direction * velocity_at(a, m + back, k);
    if (!a->faces.uneven || !(a->faces.depth[m + 2 * back] > 0)) return speed;
    const double farther = direction * velocity_at(a, m + 2 * back, k), most = 0.5 * speed;
    return speed > 0 && farther > 0 ? speed + max_of(-most, min_of(most, speed - farther)) : speed;
}

KERNEL_CELLS(front_start, Front) {
    const ptrdiff_t m = AT2(a->g, i, j), along = a->faces.along;
    (void)k;
    if (a->faces.depth[m] > 0 || !(a->depth_new[m] > 0)) return;
    const double rise_ahead = a->eta[m] - a->eta[m - 2 * along],
                 rise_behind = a->eta[m - along] - a->eta[m + along];
    for (int level = (int)a->faces.bottom[m]; level < a->g.n3; level++) {
        const double forwards = climbed(speed_behind(a, m, -along, level), a->gravity, rise_ahead);
        const double backwards = climbed(speed_behind(a, m, along, level), a->gravity, rise_behind);
        a->faces.predicted[m + level * a->g.plane] = forwards - backwards;
    }
}
