/* SPDX-License-Identifier: Apache-2.0
 *
 * Transport of momentum in its skew-symmetric form, on velocities that all lie at the centres of cells:
 *
 *     tendency of u_i  =  - 1/2 sum over j of (u_j d_j u_i + d_j (u_j u_i))  +  nu sum over j of d_jj u_i
 *
 * with the compact derivatives of sixth order along x, y and z (equation 4 of S. Akkurt, S. Lemaire, P.
 * Bartholomew, S. Laizet, DistD2-TDS). Without viscosity it changes no energy: d_j is skew-symmetric on
 * periodic lines, and on closed ones, whose walls lie half a spacing beyond the outermost centres and mirror
 * the flow: what goes along a wall is even, what goes through it odd (free slip).
 */
#ifndef MAEOTIS_NUMERICS_MOMENTUM_TRANSPORT_H
#define MAEOTIS_NUMERICS_MOMENTUM_TRANSPORT_H

#include "numerics/lines/lines.h"

typedef struct MomentumTransportOptions {
    double spacing[3]; /* [m] */
    double viscosity;  /* nu [m2 s-1] */
    LineChoice choice; /* of the solver of lines */
} MomentumTransportOptions;

typedef struct MomentumTransport MomentumTransport;

/* On a grid without land. Collective. */
CHECKED Status momentum_transport_create(const Grid *grid, const MomentumTransportOptions *options,
                                         MomentumTransport **out);
void momentum_transport_destroy(MomentumTransport **transport);

/* Adds the tendency of own cells [m s-2]. Collective. */
void momentum_transport_add(MomentumTransport *transport, double *const velocity[3],
                            double *const tendency[3]);

/* The parts of it that are no lines' solutions, on `count` numbers of arrays of a layout: what is carried,
 * and from the derivatives of what carries it and of that product
 *
 *     sum = -(along carried + divergence) / 2 + viscosity curvature
 *
 * where it is computed, see lines_from_field. Local. */
typedef struct MomentumTransportSum {
    const double *along, *carried, *divergence, *curvature; /* curvature NULL: none */
    double viscosity;
} MomentumTransportSum;
void momentum_transport_product(const LineLayout *layout, ptrdiff_t count, const double *along,
                                const double *carrying, double *product);
void momentum_transport_sum(const LineLayout *layout, ptrdiff_t count, MomentumTransportSum of, double *sum);

#endif
