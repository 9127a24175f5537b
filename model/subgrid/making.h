/* SPDX-License-Identifier: Apache-2.0
 *
 * From the pixels of the ground to tables; shared by the parts of subgrid.c. Local.
 */
#ifndef MAEOTIS_MODEL_MAKING_H
#define MAEOTIS_MODEL_MAKING_H

#include "bathymetry/overlap.h"
#include "model/dikes.h"
#include "model/subgrid/subgrid.h"
#include "model/subgrid/tables.h"

/* Of this rank's cells and one more on each side: how high water must stand to pass between the main water of a cell and the pixels
 * along its sides (ways.h). */
typedef struct Barriers {
    double *pass; /* [cell][side west, east, south, north][pixel along it] */
    int columns, longest;
} Barriers;

enum { MOST_LINES = 5, ENDS_OF_LINE = 2, ENDS_OF_PIXEL = ENDS_OF_LINE * MOST_LINES };

/* Which part of all work is done after the ways through cells, and after the tables of columns, about. */
#define AFTER_BARRIERS 0.25
#define AFTER_COLUMNS  0.97

/* What tables are made from. */
typedef struct Making {
    const Grid *grid;
    const Raster *raster;
    Overlap x, y;
    Barriers barriers;
    const Raster *roughness; /* Manning's n of the ground; NULL: the same everywhere in a face */
    const double *taken;     /* that of columns, by which the drag of faces is made */
    const DikeLength *dikes; /* of this rank's cells and one more on each side, row by row; NULL: none */
    double level;            /* ground below it can be wet [m] */
    double exponent;
    Pixel *pixel; /* of one place: room for the ends of all strips of its pixels */
    double told;  /* when the user heard of the work last [s] */
} Making;

static inline double making_height(const Making *k, int column, int row) {
    return k->raster
        ->elevation[(size_t)(row - k->raster->first_row) * (size_t)k->raster->nx + (size_t)column];
}

/* How much the ground of a pixel rises across it; so faces lie no lower than the pixels beside them (height_between). [m] */
double rise_across(const Making *making, bool along_x, int column, int row);

/* Of large maps the user hears every few seconds which part of the work is done. */
void making_tell(Making *making, double part);

/* Needs raster, overlaps and level; counts cells with two waters, and keeps the worst. */
void barriers_find(Making *making, Subgrid *subgrid);
void barriers_forget(Barriers *barriers);

/* For pixel n of the face in front of cell (i, j) of this rank, to the west or to the south. [m] */
double barriers_pass(const Making *making, bool along_x, int i, int j, int n);

/* Of the way between the middles of two cells over a crest between them: its part that is as high as the crest, and by how much the
 * rest is lower [m]; {1, 0}: there is none. A sill: ground on both sides is lower, by however much on one of them. */
typedef struct Crest {
    double part, rise;
    bool sill;
} Crest;

/* For the face in front of cell (i, j) of this rank, whose lowest ground has this height. */
Crest find_crest(const Making *making, bool along_x, int i, int j, double height);

/* Of shores.h: the leans of a cell, the slant of a face's pixels. */
typedef struct Lean {
    double begin, bend; /* [cells] */
} Lean;

void find_leans(const Making *making, int i, int j, Lean *along_x, Lean *along_y);
double find_slant(const Pixel *pixel, int count);

/* Keeps the largest of these cells, of a rank; of all. Local; collective. */
void divided_note(SubgridDivided worst[DIVIDED_NAMED], SubgridDivided cell);
void divided_share(MPI_Comm comm, SubgridDivided worst[DIVIDED_NAMED]);

void making_tables(Making *making, Subgrid *out);

/* Tables that grow, of all places of one kind. */
typedef struct Table {
    double *first, *last, *node;
    int64_t used, room; /* numbers of nodes */
    int values;
} Table;

/* Begins with the node of even ground. */
void table_begin(const Grid *g, int values, Table *table);

/* Where the nodes of the next place go, up to `most` numbers of them. */
double *table_room(Table *table, int64_t most);

/* So many numbers are there, the node that is not a number included; 0: the ground of column or face m is even. */
void table_take(Table *table, ptrdiff_t m, int64_t numbers);

/* Each place keeps its lowest node at first, ghosts that of even ground. */
Hypsometry table_finish(const Grid *g, Subgrid *subgrid, Table *table);
void table_forget(const Grid *g, Table *table);

/* The faces that are sills, whose marks go; the places of fields that are none of the columns. To be freed. */
RunList take_sills(const Grid *g, const RunList *faces, SubgridWays *ways);
RunList places_beside(const Grid *g);

/* Layers at fixed heights: shares and lowest layers of columns and faces from the tables, halos and work lists. Collective. */
CHECKED Status levels_cut(Subgrid *subgrid, Grid *grid);

#endif
