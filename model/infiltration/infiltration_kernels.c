/* SPDX-License-Identifier: Apache-2.0 */
#include "model/infiltration/infiltration_kernels.h"

#include "model/infiltration/ground.h"

POINTWISE double ground_takes(const Soak *a, ptrdiff_t m, double water, double rain) {
    const double taken = a->total[LOSS_INFILTRATED][m];
    if (a->law == INFILTRATION_CONSTANT) return a->rate[m] * a->dt;
    if (a->law == INFILTRATION_HORTON)
        return horton_takes(a->rate[m], a->second[m], a->third[m], taken, a->dt);
    if (a->law == INFILTRATION_GREEN_AMPT)
        return green_ampt_takes(a->rate[m], (a->second[m] + water) * a->third[m], taken, a->dt);
    if (a->law == INFILTRATION_CURVE_NUMBER) return curve_number_takes(a->rate[m], a->second[m], taken, rain);
    return 0.0;
}

/* Takes at most so much; each line of the ledger is what the depth loses, to the last bit. */
POINTWISE double take(const Soak *a, GroundLoss way, ptrdiff_t m, double water, double most) {
    const double left = most < water ? water - max_of(0.0, most) : 0.0;
    a->lost[way][m] = water - left;
    a->total[way][m] += water - left;
    return left;
}

KERNEL_CELLS(ground_soak, Soak) {
    const ptrdiff_t m = AT(a->g, i, j, k);
    const double before = a->depth[m], fell = a->rain ? min_of(a->rain[m], before) : 0.0;
    const int drinks = a->g.bed[m] >= a->land && before > 0;
    double water = before;
    for (int way = 0; way < GROUND_LOSSES; way++) a->lost[way][m] = 0.0;
    a->lost_water[m] = 0.0;
    if (!drinks) return;
    if (a->canopy)
        water =
            take(a, LOSS_INTERCEPTED, m, water, min_of(fell, a->canopy[m] - a->total[LOSS_INTERCEPTED][m]));
    const double reaches = max_of(0.0, fell - (before - water));
    if (a->law != INFILTRATION_NONE)
        water = take(a, LOSS_INFILTRATED, m, water, ground_takes(a, m, water, reaches));
    if (a->drains) water = take(a, LOSS_DRAINED, m, water, a->drains[m] * a->dt);
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
