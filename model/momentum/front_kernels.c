/* SPDX-License-Identifier: Apache-2.0 */
#include "model/momentum/front.h"

/* Of the depth of the column behind: less is a film. */
#define FILM 0.1

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

/* With ground inside cells, from two faces behind that were wet before: the velocity goes on as it grows from one to the
 * other, by half of it at most, and not at all where it passes two cells in a step; whether there are two such faces, and both flow
 * towards the dry column. */
POINTWISE bool goes_on(const Front *a, const double *velocity, ptrdiff_t m, ptrdiff_t back, int k,
                       double spacing, double *speed) {
    const double direction = back < 0 ? 1.0 : -1.0;
    const ptrdiff_t near = m + back, far = m + 2 * back, level = k * a->g.plane;
    if (!a->faces.uneven || !(a->faces.depth[near] > 0) || !(a->faces.depth[far] > 0)) return false;
    if (a->faces.bottom[near] > k || a->faces.bottom[far] > k) return false;
    const double behind = direction * velocity[near + level], farther = direction * velocity[far + level];
    const double told = max_of(0.0, min_of(2.0 - behind * a->dt / spacing, 1.0)), most = 0.5 * told * behind;
    if (!(behind > 0) || !(farther > 0)) return false;
    *speed = behind + max_of(-most, min_of(most, behind - farther));
    return true;
}

/* The speed with which the water behind runs onto the face, 0 if it does not; `rise` of the level from there. */
POINTWISE double front_speed(const Front *a, const double *velocity, ptrdiff_t m, ptrdiff_t back, int k,
                             double spacing, double rise) {
    const double direction = back < 0 ? 1.0 : -1.0;
    double speed;
    if (goes_on(a, velocity, m, back, k, spacing, &speed)) return speed;
    return climbed(direction * velocity_at(a, m + back, k), a->gravity, rise);
}

/* From which sides water may run onto a face: 1 or 0. */
typedef struct Sides {
    double forwards, backwards;
} Sides;

/* With ground inside cells a face also opens where a film runs off it, over water that stands below the face. That water stays below. */
POINTWISE Sides sides_of_front(const Front *a, ptrdiff_t m) {
    const double behind = a->eta[m - a->faces.along], here = a->eta[m];
    const bool both = !a->faces.uneven || min_of(behind, here) > a->faces.bed[m];
    const Sides found = {both || behind >= here ? 1.0 : 0.0, both || here >= behind ? 1.0 : 0.0};
    return found;
}

KERNEL_CELLS(front_start, Front) {
    const ptrdiff_t m = AT2(a->g, i, j), along = a->faces.along;
    (void)k;
    if (a->faces.depth[m] > 0 || !(a->depth_new[m] > 0)) return;
    const double rise_ahead = a->eta[m] - a->eta[m - 2 * along],
                 rise_behind = a->eta[m - along] - a->eta[m + along];
    const Sides runs = sides_of_front(a, m);
    const double spacing = a->faces.spacing[j];
    for (int level = (int)a->faces.bottom[m]; level < a->g.n3; level++) {
        const double forwards = front_speed(a, a->faces.predicted, m, -along, level, spacing, rise_ahead);
        const double backwards = front_speed(a, a->faces.predicted, m, along, level, spacing, rise_behind);
        a->faces.predicted[m + level * a->g.plane] = runs.forwards * forwards - runs.backwards * backwards;
    }
}

/* Whether the water of a column rises to the face in this step, while there is only a film on the other side. */
POINTWISE double rises_to(const Front *a, ptrdiff_t m, ptrdiff_t column, ptrdiff_t film) {
    const double bed = a->faces.bed[m], before = a->g.bed[column] + a->height_before[column];
    return a->eta[column] > bed && before <= bed && a->depth[film] < FILM * a->depth[column] ? 1.0 : 0.0;
}

KERNEL_CELLS(front_over_film, Front) {
    const ptrdiff_t m = AT2(a->g, i, j), along = a->faces.along, back = m - along;
    (void)k;
    if (!(a->faces.depth[m] > 0 && a->depth_new[m] > 0) || a->faces.given[m] != 0) return;
    const double forwards = rises_to(a, m, back, m), backwards = rises_to(a, m, m, back);
    if (!(forwards + backwards > 0)) return;
    const double rise_ahead = a->eta[m] - a->eta[back - along],
                 rise_behind = a->eta[back] - a->eta[m + along], spacing = a->faces.spacing[j];
    for (int level = (int)a->faces.bottom[m]; level < a->g.n3; level++) {
        double *film = &a->faces.predicted[m + level * a->g.plane];
        const double from_back = max_of(0.0, velocity_at(a, back, level)),
                     from_ahead = max_of(0.0, -velocity_at(a, m + along, level));
        const double ahead = min_of(from_back,
                                    front_speed(a, a->faces.velocity, m, -along, level, spacing, rise_ahead)),
                     behind = min_of(from_ahead, front_speed(a, a->faces.velocity, m, along, level, spacing,
                                                             rise_behind));
        const double front = forwards * ahead - backwards * behind;
        if (front > max_of(0.0, *film) || front < min_of(0.0, *film)) *film = front;
    }
}
