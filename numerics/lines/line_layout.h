/* SPDX-License-Identifier: Apache-2.0
 *
 * Where lines are kept: `lanes` lines side by side, row after row, group after group.
 *
 *     array[((ptrdiff_t)group * n + row) * lanes + lane]          (LINE_AT)
 *
 * so that one vector, or the threads of a warp, hold the same row of neighbouring lines, and a sweep along
 * the lines reads memory in order. A processor takes LINE_LANES lanes, a GPU and the emulator LINE_LANES_GPU;
 * the layout decides it, from the device that its lines are for. A layout says which lines those are, which
 * rows of them this rank owns, and which ranks own the rest. All arrays of lines have layout->size elements
 * and come from lines_allocate (64-byte aligned, huge pages); lanes beyond the last line are idle: they hold
 * numbers (0 at first) that are never used.
 *
 * Of a grid or a box, lines along x are rows of cells, along y and z rows and columns of BLOCK cells side by
 * side, which are vectors in a field already. Lines that are land from end to end are left out.
 */
#ifndef MAEOTIS_NUMERICS_LINE_LAYOUT_H
#define MAEOTIS_NUMERICS_LINE_LAYOUT_H

#include "numerics/grid/grid.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Multiples of BLOCK. LINE_LANES is what the code around it works on: 8 (or 16) lanes on processors; in files
 * of block kernels, which define LINE_ONE_LANE, those of a GPU. */
#define LINE_LANES_GPU 32
#if defined(LINE_ONE_LANE)
#define LINE_LANES LINE_LANES_GPU
#elif !defined(LINE_LANES)
#define LINE_LANES 8
#endif
#define LINE_BLOCKS (LINE_LANES / BLOCK) /* vectors of BLOCK lines in a group */
#define LINE_REACH  4                    /* the widest right-hand side: nine points */

/* Own cells of a field, and how far apart rows and levels are in memory [numbers]. */
typedef struct LineCells {
    int n1, n2, n3; /* 0: plain lines */
    ptrdiff_t row, plane;
} LineCells;

typedef enum LineAxis { LINES_X, LINES_Y, LINES_Z, LINES_PLAIN } LineAxis;

/* Where BLOCK lines lie among the cells. Along x: lane l is row j + l of level k; along y: column i + l of level
 * k; along z: column (i + l, j). The coordinate along the line is 0. */
typedef struct LinePlace {
    int i, j, k;
} LinePlace;

typedef struct LineLayout {
    Exec exec;
    int lanes; /* of a group */
    LineAxis axis;
    bool periodic;
    bool columns;          /* of a grid, which no process ever cuts */
    int n;                 /* own rows of each line, at least 1 */
    int rows, first;       /* rows of the whole line; which of them is the own first */
    int lines, groups;     /* lines, and groups of `lanes` of them; the same on all ranks of `comm` */
    ptrdiff_t group, size; /* elements of a group, and of an array */
    MPI_Comm comm;         /* the ranks that share these lines, in the order of the rows */
    MPI_Comm everyone;     /* ranks that decide together: those of the grid */
    int rank, ranks, *cut; /* in comm: rank p owns the rows cut[p] <= row < cut[p + 1] */
    int before, after;     /* neighbours in comm along the line; MPI_PROC_NULL beyond a closed end */
    LineCells cells;       /* of the fields that the lines come from */
    LinePlace *place;      /* in a field: groups * lanes / BLOCK; j < 0: idle */
    unsigned char *idle;   /* [group][lane] 1: the lane holds no line */
} LineLayout;

#define LINE_AT(layout, lane, row, g)                                                                        \
    ((ptrdiff_t)(g) * (layout).group + (ptrdiff_t)(row) * (layout).lanes + (lane))

/* `lines` lines of which this rank owns n rows; the ranks of `comm` own theirs in the order of the ranks.
 * They are solved on the device of `exec`. Collective. */
CHECKED Status line_layout_create(Exec exec, MPI_Comm comm, int n, int lines, bool periodic,
                                  LineLayout **out);

/* The lines of a grid's cells along one axis that have a wet column in them, solved where the grid computes.
 * Collective over the grid. */
CHECKED Status line_layout_of_grid(const Grid *grid, LineAxis axis, LineLayout **out);

/* A box of cells without land, cut along all three axes: each process has a part of it. Fields have no halo. */
typedef struct LineBox {
    Exec exec;
    bool periodic[3];
    MPI_Comm comm,
        along[3]; /* all processes; those of the own row of parts along each axis, in their order */
    int cells[3]; /* of the whole box */
    int first[3]; /* own ones */
    LineCells own;
} LineBox;

/* `parts`: how many along each axis; their product is the number of processes. Collective. */
CHECKED Status line_box_create(Exec exec, MPI_Comm comm, const int cells[3], const int parts[3],
                               const bool periodic[3], LineBox **out);
void line_box_destroy(LineBox **box);
double *line_box_field(const LineBox *box); /* zeroed; memory_free */
CHECKED Status line_layout_of_box(const LineBox *box, LineAxis axis, LineLayout **out); /* collective */
void line_layout_destroy(LineLayout **layout);

double *lines_allocate(const LineLayout *layout); /* zeroed; memory_free */

/* Between a field (own cells) and lines: lines = field; field = lines; field += scale lines. What
 * is not in the layout is left as it is. On a GPU these are launches, as all that solves lines there:
 * exec_wait before the host looks. Local. */
void lines_from_field(const LineLayout *layout, const double *field, double *lines);
void lines_to_field(const LineLayout *layout, const double *lines, double *field);
void lines_add_to_field(const LineLayout *layout, const double *lines, double scale, double *field);

/* Which cell a line's row is. False: the lane is idle. */
static inline bool line_cell(const LineLayout *layout, int lane, int row, int g, int *i, int *j, int *k) {
    const LinePlace p = layout->place[(g * layout->lanes + lane) / BLOCK];
    const int l = lane % BLOCK;
    *i = layout->axis == LINES_X ? row : p.i + l;
    *j = layout->axis == LINES_Y ? row : layout->axis == LINES_X ? p.j + l : p.j;
    *k = layout->axis == LINES_Z ? row : p.k;
    return p.j >= 0 && *i < layout->cells.n1 && *j < layout->cells.n2;
}

/* Does a lane of a group hold no line? */
static inline bool line_is_idle(const LineLayout *layout, int lane, int g) {
    return layout->idle[g * layout->lanes + lane];
}

#ifdef __cplusplus
}
#endif
#endif
