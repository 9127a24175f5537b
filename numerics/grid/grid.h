/* SPDX-License-Identifier: Apache-2.0
 *
 * One rank's part of the grid: an Arakawa C grid whose layers move with the surface.
 *
 * Places on a cell (i, j, k), with i east, j north, k up:
 *     _c  the centre                        eta, H, tracers
 *     _u  the west face,  between i-1 and i     u
 *     _v  the south face, between j-1 and j     v
 *     _w  the lower face, between k-1 and k     vertical flux
 *
 * A field is a double* to the element of the rank's own first cell (0, 0, 0): element (i, j, k) is
 * field[AT(g, i, j, k)]; i, j may leave the own range by up to HALO cells on each side, k by one level.
 * Two-dimensional fields use the same index with k = 0 (`AT2`). The own cells are 0 <= i < n1, 0 <= j < n2.
 * In memory i is the fastest index, then k, and rows j the slowest (grid.c, set_order); only `row` and `plane` tell.
 *
 * Layers: every column is cut by the reference levels from the datum down to its bed, with a partial bottom
 * cell; the resulting shares phi of the depth are fixed in time: h_k = phi_k H, sum phi_k = 1. The surface
 * layer of every column is k = n3-1; its lowest is `bottom_c`. A face is open in the levels that both of its
 * neighbours have; its own shares phi_u, phi_v sum to 1 too.
 *
 * Kernels visit only wet columns, which the run and block lists name. A column is *active* if it can be wet. Beyond an
 * open face lies a *ghost*: a column that has water and no work; blocks may pass over it.
 */
#ifndef MAEOTIS_NUMERICS_GRID_H
#define MAEOTIS_NUMERICS_GRID_H

#include "base/error.h"
#include "gpu/device.h"
#include "numerics/grid/axes.h"
#include "numerics/grid/decomposition.h"
#include "numerics/grid/shore.h"

#ifdef __cplusplus
extern "C" {
#endif

#define AT(g, i, j, k) ((ptrdiff_t)(k) * (g).plane + (ptrdiff_t)(j) * (g).row + (i))
#define AT2(g, i, j)   ((ptrdiff_t)(j) * (g).row + (i))

#define MAX_LEVELS 200 /* the scratch size of column kernels */

typedef struct FieldStore FieldStore; /* where 2-D fields lie (field_memory.c) */

typedef struct Grid {
    /* shape */
    int n1, n2, n3;             /* own cells */
    int i_first, j_first;       /* global index of the own cell (0, 0) */
    int nx, ny;                 /* cells of the whole grid */
    ptrdiff_t row, plane;       /* distance in memory between j and j+1, k and k+1 */
    ptrdiff_t line;             /* elements of a row on one level, halos included */
    int flat_fields;            /* 2-D fields that share the memory of one 3-D field (field_memory.c) */
    ptrdiff_t size2, size3;     /* elements of what fields of columns and of cells lie in */
    ptrdiff_t origin2, origin3; /* of the own first cell within the allocation */
    bool spherical;

    /* by row; valid for -HALO <= j < n2 + HALO */
    double *dx_c, *dx_v; /* length along x at centres and at south faces [m] */
    double *dy_c;        /* length along y; the same everywhere on today's grids [m] */
    double *f;           /* Coriolis parameter at centres [s-1]; set by the model, 0 at first */
    double *f_c;         /* the same by column (a 2-D field), where rows do not share it; NULL: they do */
    double *turn_cosine,
        *turn_sine; /* on a map: of the turn from east to x at centres (2-D fields), else NULL */
    double *x_c, *x_u, *y_c, *y_v; /* coordinates by i (x) and j (y); one more at the end [degrees or m] */

    /* by column (2-D fields) */
    double *bed;               /* elevation of the bed [m] */
    double *area;              /* of the cell's wet part; 0: land [m2] */
    double *own_area;          /* the same on active own cells; 0 in halos and on ghosts, for sums [m2] */
    double *counted_area;      /* the same, but 0 where a zoom counts in place of this grid [m2] */
    double *width_u, *width_v; /* open width of the faces; 0: closed [m] */
    double *given_u,
        *given_v; /* faces that are a boundary's: +1 where a positive velocity leads inwards, -1 where it
                                  leads outwards; those on the edges of the grid, open or not, among them; others 0 */
    double *begins_u, *ends_u, *begins_v, *ends_v; /* their shores (shore.h); NULL: none is open in part */
    double *bed_u, *bed_v;                         /* the higher of the two beds at a face [m] */
    double *bottom_c;            /* lowest layer of the column (a whole number; n3 on land) */
    double *bottom_u, *bottom_v; /* lowest open layer of the face (n3 where closed) */

    /* by cell (3-D fields) */
    double *phi_c, *phi_u, *phi_v; /* share of the column's / face's depth */

    /* work lists */
    RunList columns;          /* 2-D: active own cells */
    RunList counted_columns;  /* 2-D: the same, but for those under a zoom */
    RunList faces_u, faces_v; /* 2-D: open own faces (with the outermost open boundary's, i = n1 or j = n2) */
    RunList cells;            /* 3-D: own cells with water */
    RunList cells_u, cells_v; /* 3-D: own open face parts */
    BlockList blocks_c, blocks_u, blocks_v; /* column blocks of LANES that hold at least one of the above */

    Axes axes;
    Decomposition decomposition;
    MPI_Comm comm;
    Exec exec; /* where this rank computes: whoever touches fields on the host waits for it first */
    FieldStore *store;
} Grid;

/* The part of a grid that kernels see: shape, strides, metrics and the shape of the ground, all of them constant. Members are
 * those of Grid. */
typedef struct GridView {
    int n1, n2, n3;
    int i_first, j_first;
    int nx, ny;
    bool periodic_x, periodic_y;
    ptrdiff_t row, plane;
    const double *dx_c, *dx_v, *dy_c, *f;
    const double *x_c, *x_u, *y_c, *y_v;
    const double *bed, *area, *own_area, *width_u, *width_v, *given_u, *given_v;
    const double *begins_u, *ends_u, *begins_v, *ends_v;
    const double *bed_u, *bed_v;
    const double *bottom_c, *bottom_u, *bottom_v;
    const double *phi_c, *phi_u, *phi_v;
} GridView;

GridView grid_view(const Grid *grid);

/* The lowest layer of all lanes of a block, of columns or of faces. `bottom`: of its first lane. */
POINTWISE int deepest_layer(const double *bottom, int n3) {
    double least[LANES]; /* by halves: one after the other would wait eight times */
    FOR_LANES (l) least[l] = min_of(bottom[l], (double)n3);
    UNROLLED for (int half = LANES / 2; half > 0; half /= 2) for (int l = 0; l < half; l++) least[l] =
        min_of(least[l], least[l + half]);
    return (int)least[0];
}

/* What the grid is made from: the axes, and on each rank the ground of some rows, in the order of the ranks (see
 * bathymetry/topography.h; arrays as there): of `rows` ones from `first` on, or where rank 0 has no number of them, of
 * all on rank 0. A rank without rows may give NULL for all of it. `open_edge` marks faces on the domain's edge that a
 * boundary condition claims: [0] west, [1] east (ny each), [2] south, [3] north (nx each), the same on all ranks that
 * have rows; NULL: all closed; bed_beyond, likewise, is the bed of the ghosts there (NULL, NaN: as inside) [m].
 * `ghost`, by cell, marks those beyond open faces inside the grid (NULL: none); between two of them no face is open.
 * Without shores all faces are whole or closed. */
typedef struct GridGround {
    const double *bed, *wet_area, *open_west, *open_south;
    const Shore *shore_west, *shore_south;
    const unsigned char *open_edge[4], *ghost;
    const double *bed_beyond[4];
    int first, rows;
} GridGround;

/* Cuts the grid over the ranks of `comm`, weighted by wet cells (NULL: without wishes). A claimed
 * edge face gets a ghost cell beyond it: the bed and area of the cell inside, but no work is done there.
 * Collective. */
CHECKED Status grid_create(MPI_Comm comm, const Axes *axes, const GridGround *ground, const CutWishes *wishes,
                           Grid **out);

/* Work lists again, after other lowest layers have been set. Local. */
void grid_list_again(Grid *grid);

/* The work in a column, for the decomposition: its wet layers, and its two-dimensional part in layers' worth. */
enum { GRID_SURFACE_WORK = 3 };
void grid_destroy(Grid **grid);

/* The grid of one component's faces: the same, but its columns, cells, blocks and lowest layers are those of
 * the faces. For operators on faces; nothing of it is to be freed, and it lives as long as `grid`. Local. */
Grid grid_of_faces(const Grid *grid, bool along_x);

/* Fields: zeroed, with halos; freed with field2_destroy, field3_destroy. What lies two cells beyond an open
 * edge is nobody's (poison.h). Nothing of a 2-D field is next to it in memory: rows lie between. */
double *field2_create(const Grid *grid);
double *field3_create(const Grid *grid);
void field2_destroy(const Grid *grid, double **field);
void field3_destroy(const Grid *grid, double **field);

/* Everywhere, halos and what lies beyond the edges included, by the host. */
void field2_fill(const Grid *grid, double *field, double value);
void field3_fill(const Grid *grid, double *field, double value);

/* Launched copies (device.h); `from` NULL: zeros. */
void field2_copy(Exec exec, const Grid *grid, const double *from, double *to);
void field3_copy(Exec exec, const Grid *grid, const double *from, double *to);

/* Where the rows of a 2-D field lie, for other copies: from `field - origin2` on. */
CopyRows field2_rows(const Grid *grid);

/* Where 2-D fields of this grid lie; a copy of a grid whose fields have memory of another kind has one of its own. To be
 * freed when no field is left. */
FieldStore *field_store_create(void);

/* Fills a 2-D field with its halo from a map of the whole grid, of which each rank has some rows, in the order of the
 * ranks: values[(j - first)*nx + i]; beyond an edge lies what is on it. Collective. */
void field2_spread(const Grid *grid, const double *values, int first, int rows, double *field);

/* Sums over ranks of whole numbers, for messages: wet columns, wet cells. Collective. */
void grid_count(const Grid *grid, int64_t *columns, int64_t *cells);

/* Does this rank own the cell that holds the point? Its own indices then; nearest active cell of the whole
 * grid for points on land. Collective: the answer (owner rank, its i, j, distance in m) is the same on all
 * ranks. */
typedef struct GridPlace {
    int rank, i, j;
    double distance_m; /* 0 if the point's own cell is active */
    bool far;          /* more than a few cells: a mistake in the coordinates */
} GridPlace;
CHECKED Status grid_locate(const Grid *grid, double x, double y, GridPlace *out);

#ifdef __cplusplus
}
#endif
#endif
