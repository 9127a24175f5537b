/* SPDX-License-Identifier: Apache-2.0
 *
 * Tracers on the move, with exactly the volumes that moved the water. With F = dt times the flux through a
 * side, u its donor, d its receiver, uu the cell upstream of u; V and V' a cell's volume before and after the
 * step, O what leaves it and I what enters, sources included; C = min(1, F/V_u):
 *
 *     low order    cL = c + sum over inflows F (c_u - c) / (V - O + I)
 *     correction   A = F [(2-C)(1-C)/6 (c_d - c_u) + (1-C^2)/6 (c_u - c_uu) + T_u/2]
 *     result       c' = cL + sum over sides of the limited A / V'
 *
 * The low order is a convex combination of neighbours, so that a constant stays as it is to the last bit;
 * what leaves a cell is what enters the next one, since V - O + I = V'. The correction makes it third order
 * in space and time along each direction; T_u, the part of cL_u - c_u that came into the donor from the other
 * directions, brings the corners (P. Colella, J. Comput. Phys. 87 (1990) 171-200). It is limited so that c'
 * stays between the c and cL of the cell and its neighbours (S. T. Zalesak, J. Comput. Phys. 31 (1979)
 * 335-362). Cells that lose nearly all of their water in a step go through it in smaller ones: substeps.h.
 *
 * Sources are inflows too. What they bring is told by two numbers per column: `load`, the sum of discharge
 * times value, and `carried`, the sum of those discharges; water beyond that comes with the value that is
 * there already.
 */
#ifndef MAEOTIS_MODEL_TRANSPORT_H
#define MAEOTIS_MODEL_TRANSPORT_H

#include "model/tracers/bed.h"
#include "numerics/grid/grid.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { MOST_CARRIED = 2 }; /* tracers in one pass */
enum { ALONG_X, ALONG_Y, ALONG_Z, DIRECTIONS };

typedef struct Carried {
    const double *before;            /* c, with halo */
    double *low;                     /* cL */
    double *after;                   /* c' */
    double *correction[DIRECTIONS];  /* A through west, south and lower faces, in the direction of the axis */
    double *room_above, *room_below; /* how much of the corrections a cell bears, 0..1 */
    const double *load;              /* [value m3 s-1] */
    const double *carried;           /* [m3 s-1] */
    double *now, *next, *guess;      /* values in small steps (substeps.h) */
    double *left;                    /* mean value of what left a hot cell */
} Carried;

typedef struct Transport {
    Grid g;
    double dt;
    const double *depth, *depth_new; /* [m] */
    const double *flux_u, *flux_v, *flux_w;
    const double *source, *source_in; /* of columns: all, and what comes in [m3 s-1] */
    const double *reach; /* lowest layer of cells inside the grid; n3 on land and beyond open edges */
    double *out;         /* O; negative where small steps are needed [m3] */
    int count;
    Carried tracer[MOST_CARRIED];
    double part, begin; /* of small steps: their length and where they begin, as parts of the step */
} Transport;

/* out; it needs its halo before the rest. */
void transport_outflow(Exec exec, BlockList blocks, Transport args);

/* low, right in all cells that need no small steps and do not touch one that does. */
void transport_low(Exec exec, BlockList blocks, Transport args);

/* correction, from low with halo: of faces between cells that need no small steps; others keep what they
 * have. */
void transport_correction(Exec exec, BlockList blocks, Transport args);

/* room_above and room_below. */
void transport_room(Exec exec, BlockList blocks, Transport args);

/* after, from the room with halo. */
void transport_after(Exec exec, BlockList blocks, Transport args);

/* Adds the corrections of second order to `low` (van_leer_kernels.c); `part` tells whether any cell went in
 * small steps. */
void transport_van_leer(Exec exec, BlockList blocks, Transport args);

/* How much of a tracer a column holds, and its bounds there. */
typedef struct Contents {
    Grid g;
    const double *depth, *c;
    double *mean;         /* over the depth, times the depth */
    double *least, *most; /* infinite where there is no water */
} Contents;
void tracer_contents(Exec exec, BlockList blocks, Contents args);

typedef struct TracerBounds {
    ptrdiff_t row;
    const double *least, *most; /* of columns */
} TracerBounds;
void tracer_bounds(Exec exec, RunList columns, TracerBounds args, double *most); /* {- the least, the most} */

/* Mixing down the column, implicit: (h c')_t = (K c'_z)_z, no flux through bed and surface. The deviation
 * from the surface's value is solved for, by an elimination without a subtraction: a constant stays as it is,
 * and no film of water is too thin. What lies on the bed is exchanged at the same time (bed.h). */
typedef struct Mixing {
    Grid g;
    double dt;
    const double *depth;       /* [m] */
    const double *diffusivity; /* through lower faces [m2 s-1] */
    int count;
    double *c[MOST_CARRIED];
    double settling[MOST_CARRIED]; /* speed downwards, relative to the water; without a bed none leaves
 the water [m s-1] */
    double ageing[MOST_CARRIED];   /* what is added everywhere [units s-1] */
    double decay[MOST_CARRIED];    /* [s-1] */
    Bed bed[MOST_CARRIED];
    const double *stress;     /* at the bed [Pa]; NULL where no tracer has a bed */
    double full_stress_depth; /* thinner water takes up only a part [m] */
} Mixing;
void mix_columns(Exec exec, BlockList blocks, Mixing args);

#ifdef __cplusplus
}
#endif
#endif
