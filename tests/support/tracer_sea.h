/* SPDX-License-Identifier: Apache-2.0
 *
 * A small sea of columns of any number of layers and a random flow that obeys continuity, for tests of the transport of
 * one tracer.
 */
#ifndef MAEOTIS_TESTS_SUPPORT_TRACER_SEA_H
#define MAEOTIS_TESTS_SUPPORT_TRACER_SEA_H

#include "model/tracers/passes.h"
#include "tests/support/systems.h"

enum { TRACER_SEA_SIDES = 6 }; /* west, east, south, north, below, above */
#define TRACER_SEA_DT 10.0
#define FAR           1e30 /* the sea's extremes do not help */

typedef struct TracerSea {
    TestSystem *system;
    const Grid *grid;
    double *reach, *depth, *depth_new, *flux[3], *hot;
    double *source, *source_in, *load, *carried; /* of columns, as in Transport */
    double *c, *before, *low;                    /* after and before the last step; the low order */
    double *plane[3];                            /* of contents */
    double least_ever;                           /* of the sea, for the ends of columns */
    bool sources;                                /* a step has sources of water and tracer, some negative */
    Passes *passes;
    int step;
} TracerSea;

/* Columns of any number of layers, at most n3; `shelf`: the western half is even, of n3 layers. */
TracerSea tracer_sea_create(int n3, bool shelf, TransportScheme scheme);
void tracer_sea_destroy(TracerSea *sea);

/* A step of TRACER_SEA_DT with another flow than the last, which takes at most nine tenths of the water out of a cell. */
void tracer_sea_step(TracerSea *sea, bool mixes);

#define FOR_WATER(s, i, j, k)                                                                                \
    for (int j = 0; j < (s)->grid->n2; j++)                                                                  \
        for (int i = 0; i < (s)->grid->n1; i++)                                                              \
            for (int k = tracer_sea_lowest(s, i, j); k < (s)->grid->n3; k++)

/* The lowest layer of a column; the number of layers on land and beyond the grid. */
int tracer_sea_lowest(const TracerSea *sea, int i, int j);
double tracer_sea_volume(const TracerSea *sea, const double *depth, int i, int j, int k);

/* The cell on a side: the step in memory to it, and whether it has water. */
bool tracer_sea_neighbour(const TracerSea *sea, int i, int j, int k, int side, ptrdiff_t *step);

/* Inflow through a side. */
double tracer_sea_inflow(const TracerSea *sea, ptrdiff_t m, int side);

/* All that comes in and goes out, sources included. [m3 s-1] */
void tracer_sea_flows(const TracerSea *sea, int i, int j, int k, double *in, double *out);

typedef struct Bounds {
    double least, most;
} Bounds;

/* What transport.h promises of a cell in the last step. */
Bounds tracer_sea_promised(const TracerSea *sea, int i, int j, int k, TransportScheme scheme);

#endif
