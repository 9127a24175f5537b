/* SPDX-License-Identifier: Apache-2.0
 *
 * The profile P(z) nearest to the stratification of all columns, by least squares:
 *
 *     sum over neighbouring middles z_1 < z_2 of all columns of  A (P(z_2) - P(z_1) - (rho'_2 - rho'_1))^2  -> least
 *
 * with A the column's area. Differences, not values: where a column ends at its bed and its water is lighter or heavier
 * than that of others, P makes no step. P has the form in which density_columns subtracts it (`profile_at`: a cubic
 * through four nodes), so if the density is a function of height, only what such cubics cannot follow remains, also
 * where a few columns alone have middles between those of the many. Where none has, the third differences of the nodes
 * are least.
 */
#ifndef MAEOTIS_MODEL_MEAN_PROFILE_H
#define MAEOTIS_MODEL_MEAN_PROFILE_H

#include "numerics/grid/grid.h"

typedef struct MeanProfile MeanProfile;

/* `count` + 1 nodes, node n at bottom + (n - 1) step [m]. */
typedef struct ProfileNodes {
    double bottom, step;
    int count;
} ProfileNodes;

/* For columns of this level and depth, and `below` of density_columns.h. Collective. */
MeanProfile *mean_profile_create(const Grid *grid, ProfileNodes nodes, const double *eta, const double *depth,
                                 const double *below);
void mean_profile_destroy(MeanProfile **mean);

/* Adds to `profile`, by node, the profile nearest to b = rho' - P. The same bits on any number of ranks. Collective. */
void mean_profile_add(const MeanProfile *mean, const double *eta, const double *depth, const double *b,
                      double *profile);

/* Adds the mean of b, for differences leave one value open. Likewise. */
void mean_profile_centre(const MeanProfile *mean, const double *depth, const double *b, double *profile);

#endif
