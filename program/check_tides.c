/* SPDX-License-Identifier: Apache-2.0 */
#include "program/check_tides.h"

#include "base/log.h"
#include "model/boundary/tide.h"
#include <math.h>
#include <stdio.h>

/* In a period: below, constant viscosity takes 2 % and more of a tide near resonance over a bed without slip. With a closure
 * that follows the flow 50 steps change it by 0.3 % and a degree. */
enum { FEW_STEPS = 100 };

typedef struct Shortest {
    const char *name;
    double period; /* [s] */
} Shortest;

static void take(Shortest *s, const char *name, double period) {
    if (period >= s->period) return;
    *s = (Shortest){name, period};
}

static void take_constituent(Shortest *s, const char *name) {
    const int constituent = tide_find(name);
    const double moment = 900;
    const double turned = tide_argument(constituent, moment) - tide_argument(constituent, 0);
    const double degrees = remainder(turned, 360);
    if (degrees > 0) take(s, name, moment * 360 / degrees);
}

/* An atlas of which all is taken is assumed to hold M2; its overtides are small. */
static void take_boundary(Shortest *s, const ScenarioBoundary *b) {
    for (int n = 0; n < b->n_tide; n++) {
        const ScenarioTide *tide = &b->tide[n];
        if (tide->constituent)
            take_constituent(s, tide->constituent);
        else
            take(s, "a boundary's wave", tide->period_s);
    }
    for (int n = 0; n < b->n_atlas_tides; n++) take_constituent(s, b->atlas_tides[n]);
    if (b->n_atlas > 0 && b->n_atlas_tides == 0) take_constituent(s, "M2");
}

void check_tides(const Scenario *scenario) {
    const ScenarioTime *time = &scenario->time;
    const ScenarioTidalPotential *potential = &scenario->forcing.potential;
    Shortest s = {NULL, INFINITY};
    for (int n = 0; n < scenario->n_boundaries; n++) take_boundary(&s, &scenario->boundaries[n]);
    for (int n = 0; n < potential->n_constituents; n++) take_constituent(&s, potential->constituents[n]);
    if (!s.name) return;
    const double steps = s.period / time->step_s;
    printf("tide       the shortest constituent, %s of %.4g h, has %s%.0f steps per period\n", s.name,
           s.period / 3600, time->automatic ? "at least " : "", steps);
    const ScenarioPhysics *physics = &scenario->physics;
    const bool viscous = physics->closure == CLOSURE_CONSTANT && physics->viscosity_m2_s > 0;
    if (steps < FEW_STEPS - 0.5 && scenario->grid.n_levels > 1 && viscous)
        log_warn("the shortest tide has %.0f steps per period: constant vertical viscosity is of first order "
                 "in the step and made a tide near resonance over a no-slip bed 2 %% too low with 100 steps "
                 "per period, 4 to 5 %% with 50; steps of %.10g s give 100",
                 steps, log_rounded(s.period / FEW_STEPS, 3));
}
