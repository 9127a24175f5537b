/* SPDX-License-Identifier: Apache-2.0
 *
 * Gives every rank its part of the bed, halos included.
 */
#include "base/memory.h"
#include "numerics/grid/grid_parts.h"

enum {
    BED,
    WET_AREA,
    OPEN_WEST,
    OPEN_SOUTH,
    BEGINS_WEST,
    ENDS_WEST,
    BEGINS_SOUTH,
    ENDS_SOUTH,
    GROUND_FIELDS
};

static int clamp(int value, int low, int high) {
    return value < low ? low : value > high ? high : value;
}

static bool claimed(const GridGround *ground, int edge, int position) {
    return ground->open_edge[edge] && ground->open_edge[edge][position];
}

/* Is the cell outside of the grid the ghost of an open boundary? */
static bool is_ghost(const Axes *a, const GridGround *ground, int i, int j) {
    bool inside_x = i >= 0 && i < a->nx, inside_y = j >= 0 && j < a->ny;
    if (inside_y && i == -1) return claimed(ground, 0, j);
    if (inside_y && i == a->nx) return claimed(ground, 1, j);
    if (inside_x && j == -1) return claimed(ground, 2, i);
    if (inside_x && j == a->ny) return claimed(ground, 3, i);
    return false;
}

static void put_face(const double *open, const Shore *shore, size_t n, double *share, double ends[2]) {
    *share = open[n];
    if (!shore) return;
    ends[0] = shore[n].begins;
    ends[1] = shore[n].ends;
}

static void west_face(const Axes *a, const GridGround *ground, int i, int j, double *out) {
    if (a->periodic_x) i = axes_wrap(i, a->nx);
    if (i < 0 || i > a->nx || j < 0 || j >= a->ny) return;
    if (!a->periodic_x && i == 0 && !claimed(ground, 0, j)) return;
    if (!a->periodic_x && i == a->nx && !claimed(ground, 1, j)) return;
    put_face(ground->open_west, ground->shore_west, (size_t)j * (a->nx + 1) + i, out + OPEN_WEST,
             out + BEGINS_WEST);
}

static void south_face(const Axes *a, const GridGround *ground, int i, int j, double *out) {
    if (a->periodic_y) j = axes_wrap(j, a->ny);
    if (j < 0 || j > a->ny || i < 0 || i >= a->nx) return;
    if (!a->periodic_y && j == 0 && !claimed(ground, 2, i)) return;
    if (!a->periodic_y && j == a->ny && !claimed(ground, 3, i)) return;
    put_face(ground->open_south, ground->shore_south, (size_t)j * a->nx + i, out + OPEN_SOUTH,
             out + BEGINS_SOUTH);
}

/* The values of one column of the whole grid, wherever (i, j) points; what is 0 is not written. */
static void ground_at(const Axes *a, const void *source, int i, int j, double *out) {
    const GridGround *ground = source;
    int wrapped_i = a->periodic_x ? axes_wrap(i, a->nx) : i,
        wrapped_j = a->periodic_y ? axes_wrap(j, a->ny) : j;
    int inner_i = clamp(wrapped_i, 0, a->nx - 1), inner_j = clamp(wrapped_j, 0, a->ny - 1);
    size_t n = (size_t)inner_j * a->nx + inner_i;
    bool real = inner_i == wrapped_i && inner_j == wrapped_j;
    out[BED] = ground->bed[n];
    out[WET_AREA] = real || is_ghost(a, ground, wrapped_i, wrapped_j) ? ground->wet_area[n] : 0;
    west_face(a, ground, i, wrapped_j, out);
    south_face(a, ground, wrapped_i, j, out);
}

/* What rank 0 knows of the whole grid: `fields` values of each column. */
typedef struct Whole {
    int fields;
    void (*at)(const Axes *axes, const void *source, int i, int j, double *out);
    const void *source;
} Whole;

/* The rows of a rank's rectangle with its halo as MPI counts them: their values may be more than an int. */
static MPI_Datatype row_type(int fields, int columns) {
    MPI_Datatype row;
    MPI_Type_contiguous(fields * columns, MPI_DOUBLE, &row);
    MPI_Type_commit(&row);
    return row;
}

static void send_rows(const double *buffer, int fields, int columns, int rows, int rank, MPI_Comm comm) {
    MPI_Datatype row = row_type(fields, columns);
    MPI_Send(buffer, rows, row, rank, 0, comm);
    MPI_Type_free(&row);
}

static double *receive_rows(int fields, int columns, int rows, MPI_Comm comm) {
    double *buffer = ALLOCATE((size_t)fields * (size_t)columns * (size_t)rows, double);
    MPI_Datatype row = row_type(fields, columns);
    MPI_Recv(buffer, rows, row, 0, 0, comm, MPI_STATUS_IGNORE);
    MPI_Type_free(&row);
    return buffer;
}

/* All columns of a rank's rectangle and its halo, in one buffer. */
static double *pack(const Axes *a, const Whole *whole, const Decomposition *d, int rank_x, int rank_y,
                    int *columns, int *rows) {
    const int *cut_x = decomposition_cut_x(d, rank_y) + rank_x;
    int i0 = cut_x[0] - HALO, i1 = cut_x[1] + HALO;
    int j0 = d->cut_y[rank_y] - HALO, j1 = d->cut_y[rank_y + 1] + HALO;
    *columns = i1 - i0, *rows = j1 - j0;
    double *buffer = ALLOCATE((size_t)whole->fields * (size_t)*columns * (size_t)*rows, double),
           *next = buffer;
    for (int j = j0; j < j1; j++)
        for (int i = i0; i < i1; i++, next += whole->fields) whole->at(a, whole->source, i, j, next);
    return buffer;
}

/* This rank's part. Collective; to be freed. */
static double *spread(const Grid *g, const Whole *whole) {
    const Decomposition *d = &g->decomposition;
    double *own = NULL;
    int rank, columns, rows;
    MPI_Comm_rank(g->comm, &rank);
    if (rank != 0) return receive_rows(whole->fields, g->n1 + 2 * HALO, g->n2 + 2 * HALO, g->comm);
    for (int r = d->ranks_x * d->ranks_y - 1; r >= 0; r--) {
        own = pack(&g->axes, whole, d, r % d->ranks_x, r / d->ranks_x, &columns, &rows);
        if (r == 0) break;
        send_rows(own, whole->fields, columns, rows, r, g->comm);
        memory_free(own);
    }
    return own;
}

/* ---- a plane ---- */

static void value_at(const Axes *a, const void *source, int i, int j, double *out) {
    const double *values = source;
    i = a->periodic_x ? axes_wrap(i, a->nx) : clamp(i, 0, a->nx - 1);
    j = a->periodic_y ? axes_wrap(j, a->ny) : clamp(j, 0, a->ny - 1);
    *out = values[(size_t)j * a->nx + i];
}

void field2_spread(const Grid *g, const double *whole, double *field) {
    const Whole plane = {1, value_at, whole};
    double *buffer = spread(g, &plane), *next = buffer;
    for (int j = -HALO; j < g->n2 + HALO; j++)
        for (int i = -HALO; i < g->n1 + HALO; i++) field[AT2(*g, i, j)] = *next++;
    memory_free(buffer);
}

/* ---- the ground ---- */

static double **shore_field(Grid *g, int n) {
    double **all[] = {&g->begins_u, &g->ends_u, &g->begins_v, &g->ends_v};
    return all[n];
}

static bool open_in_part(const double *open, size_t count) {
    for (size_t n = 0; n < count; n++)
        if (open[n] > 0 && open[n] < 1) return true;
    return false;
}

/* Fields for the shores, where faces are open in part. Collective. */
static void make_room_for_shores(Grid *g, const GridGround *ground, int rank) {
    const size_t nx = (size_t)g->nx, ny = (size_t)g->ny;
    int some = 0;
    if (rank == 0 && ground->shore_west && ground->shore_south)
        some =
            open_in_part(ground->open_west, (nx + 1) * ny) || open_in_part(ground->open_south, nx * (ny + 1));
    MPI_Bcast(&some, 1, MPI_INT, 0, g->comm);
    for (int n = 0; some && n < 4; n++) *shore_field(g, n) = field2_create(g);
}

static void unpack(Grid *g, const double *buffer) {
    for (int j = -HALO; j < g->n2 + HALO; j++)
        for (int i = -HALO; i < g->n1 + HALO; i++, buffer += GROUND_FIELDS) {
            ptrdiff_t m = AT2(*g, i, j);
            g->bed[m] = buffer[BED];
            g->area[m] = buffer[WET_AREA] * g->dx_c[j] * g->dy_c[j];
            g->width_u[m] = buffer[OPEN_WEST] * g->dy_c[j];
            g->width_v[m] = buffer[OPEN_SOUTH] * g->dx_v[j];
            for (int n = 0; n < 4 && *shore_field(g, n); n++)
                (*shore_field(g, n))[m] = buffer[BEGINS_WEST + n];
            if (i >= 0 && i < g->n1 && j >= 0 && j < g->n2) g->own_area[m] = g->area[m];
        }
}

Status ground_spread(Grid *g, const GridGround *ground) {
    const Whole whole = {GROUND_FIELDS, ground_at, ground};
    int rank;
    MPI_Comm_rank(g->comm, &rank);
    make_room_for_shores(g, ground, rank);
    double *buffer = spread(g, &whole);
    unpack(g, buffer);
    memory_free(buffer);
    return STATUS_OK;
}
