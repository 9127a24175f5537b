/* SPDX-License-Identifier: Apache-2.0
 *
 * The eddy viscosity of a face where a closure finds it in columns: for momentum (vertical.h), which feels it, and for
 * the turbulence that gets the energy which it takes (model/turbulence/production.h).
 */
#ifndef MAEOTIS_MODEL_EDDIES_H
#define MAEOTIS_MODEL_EDDIES_H

#include "gpu/kernel.h"

/* Water that turbulence crosses this many times in a step is in balance with its stresses. */
#define CROSSINGS 10.0

/* How much the first of a face's two columns counts; by depths, as a film's eddies are none. */
POINTWISE double eddies_share(double depth, double other) {
    return depth / max_of(depth + other, 1e-300);
}

/* The part of the parabola that is a lower bound on the viscosity of the flow before the step, where the step is too
 * long to wait for the next one: a film that was quiet, with a storm over it, would be blown away in layers. */
POINTWISE double eddies_bound(double friction, double dt, double thick) {
    const double crossed = friction * dt / max_of(thick, 1e-300);
    return max_of(0.0, min_of(1.0, crossed / CROSSINGS - 1.0));
}

#endif
