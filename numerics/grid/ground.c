/* SPDX-License-Identifier: Apache-2.0
 *
 * Gives every rank its part of the bed, halos included.
 */
#include "base/memory.h"
#include "numerics/grid/grid_parts.h"
#include <math.h>

enum {
    BED,
    WET_AREA,
    GHOST,
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

static size_t west_place(const Axes *a, const GridGround *ground, int i, int j) {
    return (size_t)(j - ground->first) * (a->nx + 1) + i;
}

static size_t south_place(const Axes *a, const GridGround *ground, int i, int j) {
    return (size_t)(j - ground->first) * a->nx + i;
}

/* Is the cell outside of the grid the ghost of an open boundary? Behind a face that is closed, claimed or not, lies
 * land. */
static bool is_ghost(const Axes *a, const GridGround *ground, int i, int j) {
    const bool inside_x = i >= 0 && i < a->nx, inside_y = j >= 0 && j < a->ny;
    const bool west = i == -1, south = j == -1;
    if (inside_y && (west || i == a->nx))
        return claimed(ground, west ? 0 : 1, j) &&
               ground->open_west[west_place(a, ground, west ? 0 : i, j)] > 0;
    if (inside_x && (south || j == a->ny))
        return claimed(ground, south ? 2 : 3, i) &&
               ground->open_south[south_place(a, ground, i, south ? 0 : j)] > 0;
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
    put_face(ground->open_west, ground->shore_west, west_place(a, ground, i, j), out + OPEN_WEST,
             out + BEGINS_WEST);
}

static void south_face(const Axes *a, const GridGround *ground, int i, int j, double *out) {
    if (a->periodic_y) j = axes_wrap(j, a->ny);
    if (j < 0 || j > a->ny || i < 0 || i >= a->nx) return;
    if (!a->periodic_y && j == 0 && !claimed(ground, 2, i)) return;
    if (!a->periodic_y && j == a->ny && !claimed(ground, 3, i)) return;
    put_face(ground->open_south, ground->shore_south, south_place(a, ground, i, j), out + OPEN_SOUTH,
             out + BEGINS_SOUTH);
}

/* Of a ghost beyond an edge, where something else than the bed inside is known. */
static double bed_beyond(const Axes *a, const GridGround *ground, int i, int j, double inside) {
    const int edge = i < 0 ? 0 : i >= a->nx ? 1 : j < 0 ? 2 : 3;
    const double *known = ground->bed_beyond[edge];
    const double bed = known ? known[edge < 2 ? j : i] : NAN;
    return isnan(bed) ? inside : bed;
}

/* The values of one column, wherever (i, j) points around the rows that are known; what is 0 is not written. */
static void ground_at(const Axes *a, const void *source, int i, int j, double *out) {
    const GridGround *ground = source;
    int wrapped_i = a->periodic_x ? axes_wrap(i, a->nx) : i,
        wrapped_j = a->periodic_y ? axes_wrap(j, a->ny) : j;
    int inner_i = clamp(wrapped_i, 0, a->nx - 1), inner_j = clamp(wrapped_j, 0, a->ny - 1);
    size_t n = (size_t)(inner_j - ground->first) * a->nx + inner_i;
    bool real = inner_i == wrapped_i && inner_j == wrapped_j;
    out[BED] = ground->bed[n];
    out[GHOST] = real && ground->ghost && ground->ghost[n];
    const bool beyond = !real && is_ghost(a, ground, wrapped_i, wrapped_j);
    out[WET_AREA] = real || beyond ? ground->wet_area[n] : 0;
    if (beyond) out[BED] = bed_beyond(a, ground, wrapped_i, wrapped_j, out[BED]);
    west_face(a, ground, i, wrapped_j, out);
    south_face(a, ground, wrapped_i, j, out);
}

/* What this rank knows of the whole grid: `fields` values of each column of some rows. */
typedef struct Known {
    int fields, first, rows;
    void (*at)(const Axes *axes, const void *source, int i, int j, double *out);
    const void *source;
} Known;

/* Columns i0 <= i < i1, rows j0 <= j < j1 of the whole grid and around it. */
typedef struct Rectangle {
    int i0, i1, j0, j1;
} Rectangle;

/* Of a rank, with its halo. */
static Rectangle rectangle_of(const Decomposition *d, int rank) {
    const int *x, *y;
    decomposition_rectangle(d, rank, &x, &y);
    return (Rectangle){x[0] - HALO, x[1] + HALO, y[0] - HALO, y[1] + HALO};
}

/* The row of the grid that tells about row j, which may lie around it. */
static int known_by(const Axes *a, int j) {
    return a->periodic_y ? axes_wrap(j, a->ny) : clamp(j, 0, a->ny - 1);
}

/* The end of the rows from j on that one rank tells. */
static int told_until(const Axes *a, const int *owner, int j, int end) {
    const int rank = owner[known_by(a, j)];
    while (j < end && owner[known_by(a, j)] == rank) j++;
    return j;
}

/* The rank that knows each row; to be freed. Collective. */
static int *find_owners(const Grid *g, const Known *known) {
    int ranks, own[2] = {known->first, known->rows};
    MPI_Comm_size(g->comm, &ranks);
    int *all = ALLOCATE(2 * (size_t)ranks, int), *owner = ALLOCATE(g->ny, int);
    MPI_Allgather(own, 2, MPI_INT, all, 2, MPI_INT, g->comm);
    for (int r = 0; r < ranks; r++)
        for (int j = 0; j < all[2 * r + 1]; j++) owner[all[2 * r] + j] = r;
    memory_free(all);
    return owner;
}

/* The rows of a rectangle as MPI counts them: their values may be more than an int. */
static MPI_Datatype row_type(int fields, const Rectangle *r) {
    MPI_Datatype row;
    MPI_Type_contiguous(fields * (r->i1 - r->i0), MPI_DOUBLE, &row);
    MPI_Type_commit(&row);
    return row;
}

/* Rows from <= j < until of the rectangle, which this rank knows. */
static void pack(const Grid *g, const Known *known, const Rectangle *r, int from, int until, double *out) {
    for (int j = from; j < until; j++)
        for (int i = r->i0; i < r->i1; i++, out += known->fields)
            known->at(&g->axes, known->source, i, j, out);
}

/* Tells another rank what this one knows of its rectangle. */
static void tell(const Grid *g, const Known *known, const int *owner, int self, int rank) {
    const Rectangle r = rectangle_of(&g->decomposition, rank);
    MPI_Datatype row = row_type(known->fields, &r);
    for (int j = r.j0, end; j < r.j1; j = end) {
        end = told_until(&g->axes, owner, j, r.j1);
        if (owner[known_by(&g->axes, j)] != self) continue;
        const size_t values = (size_t)known->fields * (size_t)(r.i1 - r.i0) * (size_t)(end - j);
        double *buffer = ALLOCATE(values, double);
        pack(g, known, &r, j, end, buffer);
        MPI_Send(buffer, end - j, row, rank, 0, g->comm);
        memory_free(buffer);
    }
    MPI_Type_free(&row);
}

/* This rank's part, from all that know some of it. Collective; to be freed. */
static double *spread(const Grid *g, const Known *known) {
    const Decomposition *d = &g->decomposition;
    int self, messages = 0, *owner = find_owners(g, known);
    MPI_Comm_rank(g->comm, &self);
    const Rectangle r = rectangle_of(d, self);
    const size_t width = (size_t)known->fields * (size_t)(r.i1 - r.i0);
    double *own = ALLOCATE(width * (size_t)(r.j1 - r.j0), double);
    MPI_Request *requests = ALLOCATE(r.j1 - r.j0, MPI_Request);
    MPI_Datatype row = row_type(known->fields, &r);
    for (int j = r.j0, end; j < r.j1; j = end) {
        end = told_until(&g->axes, owner, j, r.j1);
        double *part = own + width * (size_t)(j - r.j0);
        const int from = owner[known_by(&g->axes, j)];
        if (from == self)
            pack(g, known, &r, j, end, part);
        else
            MPI_Irecv(part, end - j, row, from, 0, g->comm, &requests[messages++]);
    }
    /* those with as many rows begin with different ranks */
    const int ranks = decomposition_ranks(d);
    for (int n = 1; n < ranks && known->rows > 0; n++) tell(g, known, owner, self, (self + n) % ranks);
    MPI_Waitall(messages, requests, MPI_STATUSES_IGNORE);
    MPI_Type_free(&row);
    memory_free(requests);
    memory_free(owner);
    return own;
}

/* ---- a plane ---- */

typedef struct Plane {
    const double *values;
    int first;
} Plane;

static void value_at(const Axes *a, const void *source, int i, int j, double *out) {
    const Plane *plane = source;
    i = a->periodic_x ? axes_wrap(i, a->nx) : clamp(i, 0, a->nx - 1);
    *out = plane->values[(size_t)(known_by(a, j) - plane->first) * a->nx + i];
}

void field2_spread(const Grid *g, const double *values, int first, int rows, double *field) {
    const Plane plane = {values, first};
    const Known known = {1, first, rows, value_at, &plane};
    double *buffer = spread(g, &known), *next = buffer;
    for (int j = -HALO; j < g->n2 + HALO; j++)
        for (int i = -HALO; i < g->n1 + HALO; i++) field[AT2(*g, i, j)] = *next++;
    memory_free(buffer);
}

/* ---- work ---- */

double *ground_weights(MPI_Comm comm, const Axes *axes, const GridGround *ground) {
    const int groups = (axes->nx + BLOCK - 1) / BLOCK, own[2] = {ground->first, ground->rows};
    int ranks, rank, *all = NULL, *first = NULL, *rows = NULL;
    MPI_Comm_size(comm, &ranks);
    MPI_Comm_rank(comm, &rank);
    double *weight = ALLOCATE((size_t)groups * (size_t)(ground->rows + 1), double), *whole = NULL;
    for (int j = 0; j < ground->rows; j++)
        for (int i = 0; i < axes->nx; i++) {
            const size_t n = (size_t)j * axes->nx + i;
            if (ground->wet_area[n] > 0 && !(ground->ghost && ground->ghost[n]))
                weight[(size_t)j * groups + i / BLOCK] +=
                    GRID_SURFACE_WORK + axes->nz - layers_lowest(axes, ground->bed[n]);
        }
    if (rank == 0) {
        all = ALLOCATE(2 * (size_t)ranks, int);
        first = ALLOCATE(ranks, int), rows = ALLOCATE(ranks, int);
        whole = ALLOCATE((size_t)groups * axes->ny, double);
    }
    MPI_Gather(own, 2, MPI_INT, all, 2, MPI_INT, 0, comm);
    for (int r = 0; rank == 0 && r < ranks; r++) first[r] = all[2 * r], rows[r] = all[2 * r + 1];
    MPI_Datatype row;
    MPI_Type_contiguous(groups, MPI_DOUBLE, &row);
    MPI_Type_commit(&row);
    MPI_Gatherv(weight, ground->rows, row, whole, rows, first, row, 0, comm);
    MPI_Type_free(&row);
    memory_free(all), memory_free(first), memory_free(rows);
    memory_free(weight);
    return whole;
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
static void make_room_for_shores(Grid *g, const GridGround *ground) {
    const size_t nx = (size_t)g->nx, rows = (size_t)ground->rows;
    int some = ground->shore_west && ground->shore_south && rows > 0 &&
               (open_in_part(ground->open_west, (nx + 1) * rows) ||
                open_in_part(ground->open_south, nx * (rows + 1)));
    MPI_Allreduce(MPI_IN_PLACE, &some, 1, MPI_INT, MPI_LOR, g->comm);
    for (int n = 0; some && n < 4; n++) *shore_field(g, n) = field2_create(g);
}

/* +1: the ghost lies before the face. On the edges of the grid, open or not, beyond them. */
static double given_face(int global, int last, bool periodic, double width, double before, double behind) {
    if (!periodic && global == 0) return 1;
    if (!periodic && global == last) return -1;
    return width > 0 ? before - behind : 0;
}

static void mark_given(Grid *g, const double *buffer) {
    const int row = g->n1 + 2 * HALO;
    for (int j = -HALO; j < g->n2 + HALO; j++)
        for (int i = -HALO; i < g->n1 + HALO; i++) {
            const ptrdiff_t m = AT2(*g, i, j);
            const double *here = buffer + (ptrdiff_t)GROUND_FIELDS * ((j + HALO) * row + i + HALO);
            const double west = i > -HALO ? here[GHOST - GROUND_FIELDS] : 0,
                         south = j > -HALO ? here[GHOST - GROUND_FIELDS * row] : 0;
            g->given_u[m] =
                given_face(g->i_first + i, g->nx, g->axes.periodic_x, g->width_u[m], west, here[GHOST]);
            g->given_v[m] =
                given_face(g->j_first + j, g->ny, g->axes.periodic_y, g->width_v[m], south, here[GHOST]);
        }
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
            const bool own = i >= 0 && i < g->n1 && j >= 0 && j < g->n2;
            if (own && !(buffer[GHOST] > 0)) g->own_area[m] = g->area[m];
        }
}

Status ground_spread(Grid *g, const GridGround *ground) {
    const Known known = {GROUND_FIELDS, ground->first, ground->rows, ground_at, ground};
    make_room_for_shores(g, ground);
    double *buffer = spread(g, &known);
    unpack(g, buffer);
    mark_given(g, buffer);
    memory_free(buffer);
    return STATUS_OK;
}
