/* SPDX-License-Identifier: Apache-2.0
 *
 * A box of well-mixed water over a bed, in which a module reacts: the model without a sea. Matter that sinks
 * leaves the box where it has a bed, by c_t = -w c / h, implicit; else it stays.
 */
#ifndef MAEOTIS_KINETICS_BOX_H
#define MAEOTIS_KINETICS_BOX_H

#include "kinetics/integrate.h"

typedef struct KineticsBox {
    const KineticsPlan *plan;
    KineticsOptions options;
    double depth;       /* [m] */
    double attenuation; /* of the water itself [m-1] */
    double temperature, salinity, density;
    double surface_light; /* photosynthetically active, just below the surface [W m-2] */
    double wind, bed_stress, time;
    double input[MAEOTIS_MOST_INPUTS];
} KineticsBox;

/* Light in the middle of a layer of thickness h [m] with attenuation k [m-1], as the mean over the layer, for light
 * 1 at its top. */
POINTWISE double mean_light(double k, double h) {
    const double x = k * h;
    return x > 1e-4 ? (1.0 - elementary_exp(-x)) / x : 1.0 - 0.5 * x;
}

/* Changes states[MOST_STATES] over dt, and adds to amounts[process] what the processes did [units m, over the
 * depth]. Returns the substeps. Local. */
int kinetics_box_step(const KineticsBox *box, double dt, double *states, double *amounts);

/* The rates of all processes; at the surface and the bed [units m s-1]. Local. */
void kinetics_box_rates(const KineticsBox *box, const double *states, double *rates);

/* How much of an element the box holds over its depth, the bed's included. [mmol m-2] */
double kinetics_box_element(const KineticsBox *box, const MaeotisKinetics *module, const double *states,
                            int element);

#endif
