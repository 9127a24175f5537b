/* SPDX-License-Identifier: Apache-2.0
 *
 * The part of the grid that a file holds, and how it is described there: dimensions, coordinates, SGRID
 * topology and constant fields.
 *
 * Dimensions are named after their coordinates: lon, lat (x, y on a plane) for cell centres, lon_u, lat_v
 * (x_u, y_v) for the faces, which together are the nodes; one face more than cells. `level` counts layers
 * upwards, `level_w` the surfaces between them.
 */
#ifndef MAEOTIS_OUTPUT_LAYOUT_H
#define MAEOTIS_OUTPUT_LAYOUT_H

#include "numerics/grid/grid.h"
#include "output/ncfile.h"
#include "settings/scenario.h"

typedef struct Window {
    int i0, i1, j0, j1; /* cells i0 <= i < i1, j0 <= j < j1 of the whole grid */
    int *levels;        /* k of the layers held, ascending; owned */
    int n_levels;
} Window;

/* This rank's part of a window for one place: own indices i0 <= i < i1, j0 <= j < j1 (the last face of the
 * whole grid counts as own of the last rank), and where they lie in the file. Empty parts have counts of 0.
 */
typedef struct Piece {
    int i0, i1, j0, j1;
    MPI_Offset start_x, start_y, count_x, count_y;
} Piece;

typedef struct Layout {
    const Grid *grid; /* not owned */
    Window window;
    bool three_d;                               /* the file has layers */
    bool faces;                                 /* and variables on the faces of the cells */
    bool with_static;                           /* and what does not change */
    bool walls;                                 /* with sides that are closed between two seas */
    bool with_sigma;                            /* and heights of layers as CF computes them */
    int x, y, x_u, y_v, level, level_w, bounds; /* ids of the dimensions */
} Layout;

Window window_whole(const Grid *grid);

/* Cells whose centres lie in the box [west, east, south, north]; refused if there is none. `levels` from the
 * surface down, NULL: all. `place` begins the messages. Local, the same on every rank. */
CHECKED Status window_create(const Grid *grid, const double *box, const int *levels, int n_levels,
                             const char *place, Window *out);
void window_release(Window *window);

/* For layout_piece alone, of all cells; nothing to be released. */
Layout layout_whole(const Grid *grid);

Piece layout_piece(const Layout *layout, char place);
int64_t piece_size(Piece piece); /* values in one layer of it */

/* CDF2 or CDF5 for a file of this window. */
int layout_format(OutputFormat wanted, const Window *window, bool three_d);

/* Defines dimensions and coordinates; `three_d` with layers, `faces` with SGRID's topology. */
void layout_define(NcFile *file, Layout *layout, const Grid *grid, Window window, bool three_d, bool faces);

/* Defines and puts what does not change: bed, mask, wet fraction, lengths and area of the cells, shares of the
 * layers. The buffers stay until the wait, then they are to be freed. */
enum { STATIC_FIELDS = 14 };
void layout_define_static(NcFile *file, Layout *layout);
void layout_put_static(NcFile *file, const Layout *layout, void *buffers[STATIC_FIELDS]);

/* CF's formula for the heights of layers (layout_heights.c), if there is one: `has_eta`, the file holds the level. What is put
 * stays until the wait. */
bool layout_has_sigma(const Layout *layout);
void layout_define_heights(NcFile *file, Layout *layout, bool has_eta);
void layout_put_heights(NcFile *file, const Layout *layout, double *sigma[2]);

/* Of a grid on a map (layout_map.c): its reference system, and longitudes and latitudes of the cells, [0] and [1] of what is
 * put, which stays until the wait. */
void layout_define_map(NcFile *file, const Layout *layout);
void layout_put_places(NcFile *file, const Layout *layout, double *places[2]);

/* Writes coordinates and, where they are defined, constant fields. Collective. */
CHECKED Status layout_write(NcFile *file, const Layout *layout);

/* The dimensions of a variable at a place: [time,] [level,] y, x -> how many; -1 for `time` leaves it out. */
int layout_dims(const Layout *layout, char place, bool three_d, int time, int dims[4]);

/* CF and SGRID attributes of a variable at a place. */
void layout_attributes(NcFile *file, const Layout *layout, int variable, char place);

#endif
