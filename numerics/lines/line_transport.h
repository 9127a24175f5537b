/* SPDX-License-Identifier: Apache-2.0
 *
 * Transport of momentum along lines, in the skew-symmetric form (equation 5 of the paper on DistD2):
 *
 *     result = - 1/2 (w d u + d (w u)) + viscosity d2 u
 *
 * with w what carries [m s-1], u what is carried, d and d2 compact derivatives. The three systems of a few groups
 * of lines are solved together: u and w are read once, the product and the derivatives stay in a core's caches, and
 * the result is written once. Where lines are cut and DistD2 solves them, all three go through its stages side by
 * side. The bits are those of the three solutions one by one, and where lines cannot go together (N-shaped lines that
 * are cut, GPUs) that is what is done.
 *
 *     TRY(line_transport_create(layout, (LineTransportOf){.first = d, .first_flux = e}, &transport));
 *     lines_transport(transport, w, u, result);
 */
#ifndef MAEOTIS_NUMERICS_LINE_TRANSPORT_H
#define MAEOTIS_NUMERICS_LINE_TRANSPORT_H

#include "numerics/lines/lines.h"

/* Operators of one layout, three different ones: of u, of the product, and second derivatives, or NULL. They stay
 * the caller's and outlive the transport. */
typedef struct LineTransportOf {
    LineOperator *first, *first_flux, *second;
    double viscosity; /* [m2 s-1] */
} LineTransportOf;

typedef struct LineTransport LineTransport;

/* Local. */
LineTransport *line_transport_create(const LineLayout *layout, LineTransportOf of);
void line_transport_destroy(LineTransport **transport);

/* Arrays of the layout; w may be u, result neither of them. Collective over layout->comm. */
void lines_transport(LineTransport *transport, const double *w, const double *u, double *result);

/* Do the three solutions go together? Local. */
bool line_transport_is_fused(const LineTransport *transport);

#endif
