/* SPDX-License-Identifier: Apache-2.0
 *
 * Transport of tracers, with exactly the volumes that moved the water. With F = dt times the flux through a
 * side, u its donor, d its receiver, uu the cell upstream of u; V and V' a cell's volume before and after the
 * step, O the outflow and I the inflow, sources included; C = min(1, F/V_u):
 *
 *     low order    cL = c + sum over inflows F (c_u - c) / (V - O + I)
 *     correction   A = F [(2-C)(1-C)/6 (c_d - c_u) + (1-C^2)/6 (c_u - c_uu) + T_u/2]
 *     result       c' = cL + sum over sides of the limited A / V'
 *
 * The low order is a convex combination of neighbours, so that a constant is kept to the last bit; the flux
 * out of a cell equals the flux into the next one, since V - O + I = V'. The correction makes it third order
 * in space and time along the layers; T_u, the part of cL_u - c_u that came into the donor from the other
 * directions, brings the corners (P. Colella, J. Comput. Phys. 87 (1990) 171-200). Down the column, and where
 * the cells uu, u and d lie at different heights, as over partial bottom cells, it goes without c_uu and is of
 * second order: what c_uu adds has the sign of F, would mix a stratification in proportion to |F|, and where that
 * differs along the layers, drive a flow.
 *
 * The correction is limited so that c' stays between the c and cL of the cell and its neighbours (S. T. Zalesak,
 * J. Comput. Phys. 31 (1979) 335-362). At bed and surface, where a stratification has its extremes, internal waves
 * move them: a mean over the last layer comes and goes as water near the end thickens and thins. There c' may reach what
 * the water has at the end itself: at a bed above that of the columns beside it, what those have at its height; in
 * columns of four layers, at the bed of three, what the curve through the three cells next to the last one has there
 * (cells.h), though not beyond the extremes that the sea has had since the start. Neither contains the last cell's own value, so that no bound moves because a value has
 * reached it. Were the last cell limited each time that a wave lifts it, waves over an exponential stratification
 * would grow by e in six days. Cells that lose nearly all of their water in a step take it in substeps: substeps.h.
 *
 * So what is not negative stays not negative, to the last bit: where the terms of a sum cancel to less than their
 * rounding below zero, zero is written. The implicit scheme keeps all this to the tolerance of its solver.
 *
 * Sources are inflows too, given by two numbers per column: `load`, the sum of discharge times value, and
 * `carried`, the sum of those discharges; any further water comes with the value of the cell.
 *
 * The passes pass values on in windows: whole fields, or a few rows that are used again and again, so that
 * they stay in the cache (passes.h). c' takes the place of c in the last pass, which reads no neighbour's c.
 */
#ifndef MAEOTIS_MODEL_TRANSPORT_H
#define MAEOTIS_MODEL_TRANSPORT_H

#include "gpu/emu.h"
#include "model/column_cut.h"
#include "model/tracers/bed.h"
#include "numerics/grid/grid.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { MOST_CARRIED = 4 }; /* tracers in one pass; passes.h says how many are */
enum { ALONG_X, ALONG_Y, ALONG_Z, DIRECTIONS };

/* Cells that lose more than this part of their water, or keep less than the rest, go in small steps. */
#define MOST_LOST 0.95

/* Where the row j lies in fields that passes hand on: the rows come round again after mask + 1 of them; -1:
 * never. */
typedef struct Window {
    ptrdiff_t row, plane;
    int mask;
} Window;
#define IN_WINDOW(w, i, j, k) ((ptrdiff_t)(k) * (w).plane + (ptrdiff_t)((int)(j) & (w).mask) * (w).row + (i))

/* Of one tracer. */
typedef struct Carried {
    double *c; /* before, with halo; after the last pass c' */
    /* in the window */
    double *gain;                   /* cL - c */
    double *most, *least;           /* of c and cL, each where there is water; infinite where there is none */
    double *correction[DIRECTIONS]; /* A/dt through west, south, lower faces, along the axis [value m3 s-1] */
    double *room_above, *room_below; /* how much of the corrections a cell bears, 0..1 */
    /* of columns */
    const double *load;    /* [value m3 s-1] */
    const double *carried; /* [m3 s-1] */
    /* of the sea since the start */
    double least_ever, most_ever;
    /* whole fields, for small steps (substeps.h) */
    double *now, *next, *guess;
    double *left;                      /* mean value of a hot cell's outflow */
    double *summed[DIRECTIONS];        /* corrections of faces between hot and cold cells [value m3] */
    double *small_above, *small_below; /* room in one of the steps */
    double scale; /* of values: smaller ones need be no more exact than this one; 0: all alike */
} Carried;

typedef struct Transport {
    GridView g;
    double dt;
    const double *depth, *depth_new; /* [m] */
    const double *flux_u, *flux_v, *flux_w;
    const double *source, *source_in; /* of columns: all, and the inflowing part [m3 s-1] */
    const double *reach;  /* lowest layer of cells inside the grid; n3 on land and beyond open edges */
    const double *around; /* the lowest of a column's reach and of its four neighbours' */
    /* of columns: from this layer up, a cell and both its neighbours in x, or in y, lie at one height */
    const double *even_x, *even_y;
    int sloping; /* 1 or 0; layers follow the bed (cells.h, bent_value_at_end) */
    int narrows; /* 1 or 0; ground inside cells (cells.h, LEAST_OF_NEXT) */
    double *hot; /* of columns: 1 where a cell needs small steps */
    double *out; /* O; negative where small steps are needed; NULL where none are [m3] */
    Window window;
    double *per_water;  /* in the window: dt/(V - O + I), 0 without water [s m-3] */
    double *per_volume; /* in the window: dt/V [s m-3] */
    double *leaving;    /* in the window: O/dt; NULL where nothing wants it [m3 s-1] */
    int count;
    Carried tracer[MOST_CARRIED];
    double part, begin; /* of small steps: their length and where they begin, as parts of the step */
    double rounding;    /* of small steps: a change of a value that is none, relative */
} Transport;

/* hot, and out where it is wanted, which needs its halo before the rest. */
void transport_outflow(Exec exec, BlockList blocks, Transport args);

/* The largest `hot` of columns. Waits. */
void transport_hottest(Exec exec, RunList columns, Transport args, double *most);

/* gain, most and least, of cells that need no small steps and do not touch one that does; of others something
 * that substeps.h replaces. */
void transport_low(Exec exec, BlockList blocks, Transport args);

/* correction, of faces between cells that need no small steps; of others 0. */
void transport_correction(Exec exec, BlockList blocks, Transport args);

/* room_above and room_below. */
void transport_room(Exec exec, BlockList blocks, Transport args);

/* c' with the corrections, and without. */
void transport_after(Exec exec, BlockList blocks, Transport args);
void transport_after_low(Exec exec, BlockList blocks, Transport args);

/* Adds corrections of second order to `gain` (van_leer_kernels.c). */
void transport_van_leer(Exec exec, BlockList blocks, Transport args);

/* How much of a tracer columns hold, and its bounds there. */
typedef struct Contents {
    double *mean;         /* over the depth, times the depth */
    double *least, *most; /* infinite where there is no water */
} Contents;

typedef struct TracerBounds {
    ptrdiff_t row;
    const double *least, *most; /* of columns */
} TracerBounds;
void tracer_bounds_ask(Exec exec, RunList columns, TracerBounds args,
                       double *most); /* {- the least, the most} */

/* Mixing down the column, implicit: (h c')_t = (K c'_z)_z, no flux through bed and surface. The deviation
 * from the surface's value is solved for, by an elimination without a subtraction: a constant stays as it is,
 * and no film of water is too thin. The exchange with the bed is part of the same system (bed.h). */
typedef struct Mixing {
    GridView g;
    double dt;
    const double *depth;       /* [m] */
    const double *sunk, *wide; /* of subgrid_kernels.h; NULL: cells are even */
    const double *diffusivity; /* through lower faces; NULL: the one below [m2 s-1] */
    double same_diffusivity;   /* [m2 s-1] */
    int count;
    double *c[MOST_CARRIED];
    double settling[MOST_CARRIED]; /* settling velocity; without a bed none leaves the water [m s-1] */
    double ageing[MOST_CARRIED];   /* added everywhere [units s-1] */
    double decay[MOST_CARRIED];    /* [s-1] */
    Bed bed[MOST_CARRIED];
    Contents contents[MOST_CARRIED]; /* told about the new values */
    const double *stress;            /* at the bed [Pa]; NULL where no tracer has a bed */
    double full_stress_depth;        /* thinner water takes up only a part [m] */
    ColumnCut cut;                   /* see column_parts.h */
} Mixing;
void mix_columns(Exec exec, BlockList blocks, Mixing args);

/* The same in parts, which threads of a GPU share; the choice between the ways (mixing.c). */
typedef struct SharedColumns {
    Mixing mixing;
    const Block *block;
} SharedColumns;
void mix_column_parts(Exec exec, BlockList blocks, Mixing args);
void mix_shared_columns(Exec exec, BlockShape shape, SharedColumns args);
void mix_down(Exec exec, BlockList blocks, Mixing args);

/* The exchange of layers above the lowest one with the part of the bed that lies in them. */
void mix_flanks(Exec exec, RunList columns, Mixing args);

/* Only the contents. */
void find_contents(Exec exec, BlockList blocks, Mixing args);

#ifdef __cplusplus
}
#endif
#endif
