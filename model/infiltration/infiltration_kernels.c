/* SPDX-License-Identifier: Apache-2.0 */
#include "model/infiltration/infiltration_kernels.h"

#include "model/infiltration/ground.h"

/* From a column's depth or from a height above its lowest ground. */
POINTWISE Section under_depth(const Soak *a, ptrdiff_t m, double depth) {
    if (a->ground.node) return hypsometry_at_depth(&a->ground, m, depth);
    return (Section){depth, depth, depth > 0 ? 1.0 : 0.0};
}

POINTWISE Section under_height(const Soak *a, ptrdiff_t m, double height) {
    if (a->ground.node) return hypsometry_at_height(&a->ground, m, height);
    return (Section){height, max_of(0.0, height), height > 0 ? 1.0 : 0.0};
}

/* The water that stands on land [m] and the share of the column's area under it. */
typedef struct OnLand {
    double water, wet;
} OnLand;

POINTWISE OnLand on_land(const Soak *a, ptrdiff_t m, Section s) {
    const double foot = a->above - LAND_SLACK - a->g.bed[m];
    if (a->g.bed[m] >= a->above) return (OnLand){s.depth, s.share};
    if (!(s.height > foot)) return (OnLand){0.0, 0.0};
    const Section sea = under_height(a, m, foot);
    return (OnLand){s.depth - sea.depth - sea.share * (s.height - foot), s.share - sea.share};
}

/* What land takes where water stands so deep and so much rain reaches it, if it has enough. [m] */
POINTWISE double ground_takes(const Soak *a, ptrdiff_t m, double depth, double rain) {
    const double taken = a->total[LOSS_INFILTRATED][m] / a->land[m];
    if (a->law == INFILTRATION_CONSTANT) return a->rate[m] * a->dt;
    if (a->law == INFILTRATION_HORTON)
        return horton_takes(a->rate[m], a->second[m], a->third[m], taken, a->dt);
    if (a->law == INFILTRATION_GREEN_AMPT)
        return green_ampt_takes(a->rate[m], (a->second[m] + depth) * a->third[m], taken, a->dt);
    if (a->law == INFILTRATION_CURVE_NUMBER) return curve_number_takes(a->rate[m], a->second[m], taken, rain);
    return 0.0;
}

/* Each line of the ledger is what the depth loses, to the last bit. */
POINTWISE double leave(const Soak *a, GroundLoss way, ptrdiff_t m, double water, double left) {
    a->lost[way][m] += water - left;
    a->total[way][m] += water - left;
    return left;
}

/* Takes at most so much. */
POINTWISE double take(const Soak *a, GroundLoss way, ptrdiff_t m, double water, double most) {
    return leave(a, way, m, water, most < water ? water - max_of(0.0, most) : 0.0);
}

POINTWISE double dry_land(const Soak *a, ptrdiff_t m, double water) {
    return a->land[m] - on_land(a, m, under_depth(a, m, water)).wet;
}

/* Takes at most so much of the water above each point of wet land: the level falls by it. */
POINTWISE double take_from_wet(const Soak *a, GroundLoss way, ptrdiff_t m, double water, double most) {
    const Section now = under_depth(a, m, water);
    const OnLand before = on_land(a, m, now),
                 after = on_land(a, m, under_height(a, m, now.height - max_of(0.0, most)));
    return leave(a, way, m, water, max_of(0.0, water - before.water + after.water));
}

/* What the ground takes; `rain` that reaches it becomes what is left of it on dry land, from where it runs to the water. */
POINTWISE double infiltrate(const Soak *a, ptrdiff_t m, double water, double *rain) {
    const double fell = *rain, dry = dry_land(a, m, water);
    const bool everywhere = a->law == INFILTRATION_CURVE_NUMBER;
    if (everywhere || dry > 0) {
        const double takes = ground_takes(a, m, fell, fell);
        *rain = max_of(0.0, fell - takes);
        water =
            take(a, LOSS_INFILTRATED, m, water, everywhere ? a->land[m] * takes : dry * min_of(fell, takes));
    }
    const OnLand stands = on_land(a, m, under_depth(a, m, water));
    if (everywhere || !(stands.wet > 0)) return water;
    return take_from_wet(a, LOSS_INFILTRATED, m, water, ground_takes(a, m, stands.water / stands.wet, 0.0));
}

KERNEL_CELLS(ground_soak, Soak) {
    const ptrdiff_t m = AT(a->g, i, j, k);
    const double before = a->depth[m], land = a->land[m], fell = a->rain ? min_of(a->rain[m], before) : 0.0;
    double water = before, reaches = fell;
    for (int way = 0; way < GROUND_LOSSES; way++) a->lost[way][m] = 0.0;
    a->lost_water[m] = 0.0;
    if (!(land > 0) || !(before > 0)) return;
    if (a->canopy) {
        const double room = a->canopy[m] - a->total[LOSS_INTERCEPTED][m] / land;
        water = take(a, LOSS_INTERCEPTED, m, water, land * min_of(fell, room));
        reaches = max_of(0.0, fell - (before - water) / land);
    }
    if (a->law != INFILTRATION_NONE) water = infiltrate(a, m, water, &reaches);
    if (a->drains) {
        const double most = a->drains[m] * a->dt;
        water = take(a, LOSS_DRAINED, m, water, dry_land(a, m, water) * min_of(reaches, most));
        water = take_from_wet(a, LOSS_DRAINED, m, water, most);
    }
    a->depth[m] = water;
    a->eta[m] = a->g.bed[m] + water;
    a->lost_water[m] = before - water;
}

KERNEL_CELLS(ground_carry, SoakCarried) {
    const ptrdiff_t m = AT(a->g, i, j, k);
    double mean = 0.0;
    for (int n = (int)a->g.bottom_c[m]; n < a->g.n3; n++)
        mean += a->g.phi_c[m + n * a->g.plane] * a->c[m + n * a->g.plane];
    a->brought[m] = -a->lost_water[m] * mean;
}
