/* SPDX-License-Identifier: Apache-2.0
 *
 * How the sweeps of a solver are cut into fragments (numerics/matm/pipeline.h): the one rule for the solver itself, for
 * forecasts of its time and for the choice of cuts.
 *
 * A sweep that passes R ranks one behind the other in m messages, each rank with the work W, ends after
 *
 *     T(m) = (m - 1) (W/m + a) + R W/m + (R - 1) (a + b V/m),
 *
 * where a message of a part of the edge, V in all, takes a + b V/m (equation 7 of cluster.h's reference). It is least at
 *
 *     m = sqrt(((R - 1) (W + b V)) / a).
 */
#ifndef MAEOTIS_NUMERICS_FRAGMENTS_H
#define MAEOTIS_NUMERICS_FRAGMENTS_H

#include "numerics/cluster/machine.h"
#include "numerics/grid/cuts.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Levels of a tile of a device's sweep of points, on all GPUs alike: their least common multiple is it, too. The last tile of a
 * column may be incomplete. */
enum { TILE_OF_LEVELS = 16 };

/* Times in one unit, whichever it is. */
typedef struct SweepShape {
    int chain[2];   /* R along x and y: the sweep is passed on along the longer one */
    double work;    /* W, of the mean rank */
    double edge;    /* b V, of the mean edge that is passed */
    double message; /* a, of the slowest link that is passed */
} SweepShape;

/* Of a sweep of `cells` cells of all ranks, `bytes` a column of an edge, whose squares are `patch` wide; in the time of a
 * cell. Columns of the cuts stand for `finer` ones of the real grid. Local, as are the others. */
SweepShape sweep_shape(const Cuts *cuts, int patch, const Machine *machine, double cells, double bytes,
                       double finer);

/* The slower link that sweeps pass along x, or along y: between nodes, if some ranks that follow each other lie on two. */
int sweep_link(const Cuts *cuts, const int *node, bool along_x);

/* How many messages a rank passes on in a sweep. */
int sweep_messages(const SweepShape *shape);

/* The time of a sweep until the last rank is done, where ranks stand in a rectangle. */
double sweep_cost(const SweepShape *shape);

/* Into how many stretches of steps such a sweep is cut: 1, where whole rows go east or all goes at once. */
int sweep_stretches(const SweepShape *shape, int messages);

/* Stretch c of a part of n1 columns and n2 rows lies between the lines i + j = edge(c) and edge(c + 1). */
int stretch_edge(int n1, int n2, int stretches, int c);

#ifdef __cplusplus
}
#endif
#endif
