/* SPDX-License-Identifier: Apache-2.0
 *
 * How the sweeps of a solver are cut into fragments (numerics/matm/pipeline.h): the one rule for the solver
 * itself and for forecasts of its time.
 */
#ifndef MAEOTIS_NUMERICS_FRAGMENTS_H
#define MAEOTIS_NUMERICS_FRAGMENTS_H

/* What a message costs beside its length, in cells that could have been swept meanwhile. */
enum { MESSAGE_IN_CELLS = 1000 };

/* How many messages a rank passes on in a sweep of `cells` cells of all ranks. Local. */
int sweep_messages(int ranks_x, int ranks_y, double cells);

/* The time of such a sweep, until its last rank is done, in that of a cell. Local. */
double sweep_cost(int ranks_x, int ranks_y, double cells);

/* Into how many stretches of steps such a sweep is cut: 1, where whole rows go east. Local. */
int sweep_stretches(int ranks_x, int ranks_y, int messages);

/* Stretch c of a part of n1 columns and n2 rows lies between the lines i + j = edge(c) and edge(c + 1). */
int stretch_edge(int n1, int n2, int stretches, int c);

#endif
