/* SPDX-License-Identifier: Apache-2.0
 *
 * What flows through a box of width b and height D between two places, by the level h1 on the higher side and h2 on the other,
 * both above the higher one of its two inverts. The smaller one of two discharges rules, of its inlet and of its length L:
 *
 *     inlet     b z sqrt(2g (h1 - z)),   z = 2/3 h1 below the crown (critical depth), and D Cc under it, as under a leaf (weir.h)
 *     barrel    b y sqrt(2g (h1 - max(h2, y))/(1 + k + 2 g n^2 L/R^(4/3))),   y = min(D, max(h2, 2/3 h1))
 *
 * with the loss k of the inlet, Manning's n and the hydraulic radius R of the wetted section: a full pipe between two waters is
 * that of the textbooks. [m], [m3 s-1]
 *
 * J. D. Schall et al., Hydraulic Design of Highway Culverts, FHWA HDS 5 (2012).
 */
#ifndef MAEOTIS_MODEL_STRUCTURES_CULVERT_H
#define MAEOTIS_MODEL_STRUCTURES_CULVERT_H

#include "settings/scenario.h"

/* From the higher level to the lower one; the inverts in that order. */
double culvert_discharge(const ScenarioStructure *culvert, const double invert[2], double length, double high,
                         double low, double gravity);

#endif
