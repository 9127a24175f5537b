/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/lines/line_layout.h"

#include "base/memory.h"

/* Ranks in the order of the rows, and which rows are whose. Collective over layout->comm. */
static Status share_rows(LineLayout *layout) {
    MPI_Comm_rank(layout->comm, &layout->rank);
    MPI_Comm_size(layout->comm, &layout->ranks);
    const int ranks = layout->ranks;
    int *mine = ALLOCATE(2 * ranks, int);
    const int own[2] = {layout->n, layout->lines};
    MPI_Allgather(own, 2, MPI_INT, mine, 2, MPI_INT, layout->comm);
    layout->cut = ALLOCATE(ranks + 1, int);
    bool even = true;
    for (int p = 0; p < ranks; p++) {
        layout->cut[p + 1] = layout->cut[p] + mine[2 * p];
        even = even && mine[2 * p] > 0 && mine[2 * p + 1] == layout->lines;
    }
    memory_free(mine);
    layout->rows = layout->cut[ranks];
    layout->first = layout->cut[layout->rank];
    const bool last = layout->rank == ranks - 1;
    layout->before = layout->rank > 0 ? layout->rank - 1 : layout->periodic ? ranks - 1 : MPI_PROC_NULL;
    layout->after = !last ? layout->rank + 1 : layout->periodic ? 0 : MPI_PROC_NULL;
    CHECK(even, STATUS_FAILED,
          "lines over %d processes: each needs a row, and all need the same number of lines (here %d rows, "
          "%d lines)",
          ranks, layout->n, layout->lines);
    return STATUS_OK;
}

static int lanes_of_device(Exec exec) {
    return exec.device == DEVICE_CPU ? LINE_LANES : LINE_LANES_GPU;
}

static void set_size(LineLayout *layout) {
    layout->groups = (layout->lines + layout->lanes - 1) / layout->lanes;
    layout->group = (ptrdiff_t)layout->n * layout->lanes;
    layout->size = layout->groups * layout->group;
    layout->idle = ALLOCATE(layout->groups * layout->lanes + 1, unsigned char);
    int i, j, k;
    for (int g = 0; g < layout->groups; g++)
        for (int lane = 0; lane < layout->lanes; lane++)
            layout->idle[g * layout->lanes + lane] = layout->place
                                                         ? !line_cell(layout, lane, 0, g, &i, &j, &k)
                                                         : g * layout->lanes + lane >= layout->lines;
}

Status line_layout_create(Exec exec, MPI_Comm comm, int n, int lines, bool periodic, LineLayout **out) {
    LineLayout *layout = *out = ALLOCATE(1, LineLayout);
    *layout = (LineLayout){.exec = exec,
                           .lanes = lanes_of_device(exec),
                           .axis = LINES_PLAIN,
                           .periodic = periodic,
                           .n = n,
                           .lines = lines};
    MPI_Comm_dup(comm, &layout->comm);
    layout->everyone = layout->comm;
    set_size(layout);
    const Status status = share_rows(layout);
    if (status != STATUS_OK) line_layout_destroy(out);
    return status;
}

/* ---- lines of a grid or a box ---- */

/* All places of BLOCK lines of this rank's part, those that are land too, in the order in which a field lies
 * in memory. NULL: counts them. */
static int all_places(const LineLayout *layout, LinePlace *place) {
    const LineCells c = layout->cells;
    const LineAxis axis = layout->axis;
    int count = 0;
    for (int k = 0; k < (axis == LINES_Z ? 1 : c.n3); k++)
        for (int j = 0; j < (axis == LINES_Y ? 1 : c.n2); j += axis == LINES_X ? BLOCK : 1)
            for (int i = 0; i < (axis == LINES_X ? 1 : c.n1); i += BLOCK) {
                if (place) place[count] = (LinePlace){i, j, k};
                count++;
            }
    return count;
}

/* Has one of the BLOCK lines a wet cell here? */
static bool is_wet(const Grid *g, LineAxis axis, LinePlace p) {
    const int i1 = axis == LINES_X ? g->n1 : p.i + BLOCK < g->n1 ? p.i + BLOCK : g->n1;
    const int j1 = axis == LINES_Z       ? p.j + 1
                   : axis == LINES_Y     ? g->n2
                   : p.j + BLOCK < g->n2 ? p.j + BLOCK
                                         : g->n2;
    const double highest = axis == LINES_Z ? g->n3 - 1 : p.k;
    for (int j = p.j; j < j1; j++)
        for (int i = p.i; i < i1; i++)
            if (g->bottom_c[AT2(*g, i, j)] <= highest) return true;
    return false;
}

/* Keeps the places that are wet on one of the ranks of `comm`; all where there is no grid. Collective over it. */
static void choose_places(LineLayout *layout, const Grid *grid) {
    const int all = all_places(layout, NULL);
    LinePlace *place = ALLOCATE(all + layout->lanes / BLOCK, LinePlace);
    unsigned char *wet = ALLOCATE(all + 1, unsigned char);
    all_places(layout, place);
    for (int m = 0; m < all; m++) wet[m] = !grid || is_wet(grid, layout->axis, place[m]);
    MPI_Allreduce(MPI_IN_PLACE, wet, all, MPI_UNSIGNED_CHAR, MPI_MAX, layout->comm);
    int count = 0;
    for (int m = 0; m < all; m++)
        if (wet[m]) place[count++] = place[m];
    layout->lines = BLOCK * count;
    while (count % (layout->lanes / BLOCK)) place[count++] = (LinePlace){-1, -1, -1};
    layout->place = place;
    memory_free(wet);
}

static int rows_of(const LineLayout *layout) {
    const int n[] = {layout->cells.n1, layout->cells.n2, layout->cells.n3};
    return n[layout->axis];
}

/* Kernels have lines of other groups than processors do, and so other messages. Collective. */
static Status check_devices(const Grid *grid) {
    int kinds[2] = {grid->exec.device == DEVICE_CPU, grid->exec.device != DEVICE_CPU};
    MPI_Allreduce(MPI_IN_PLACE, kinds, 2, MPI_INT, MPI_MAX, grid->comm);
    CHECK(!(kinds[0] && kinds[1]), STATUS_BAD_INPUT,
          "systems along lines (compact advection, split viscosity, mixing of tracers along the layers) "
          "cannot be shared by processors and GPUs: use one kind of device for all processes");
    return STATUS_OK;
}

Status line_layout_of_grid(const Grid *grid, LineAxis axis, LineLayout **out) {
    const Decomposition *d = &grid->decomposition;
    *out = NULL;
    TRY(check_devices(grid));
    CHECK(axis != LINES_Y || d->straight, STATUS_BAD_INPUT,
          "systems along lines in y (compact advection, split viscosity, mixing of tracers along the layers) "
          "need straight cuts: set solver.cuts to \"straight\"");
    LineLayout *layout = *out = ALLOCATE(1, LineLayout);
    *layout = (LineLayout){.exec = grid->exec,
                           .lanes = lanes_of_device(grid->exec),
                           .axis = axis,
                           .columns = axis == LINES_Z,
                           .cells = {grid->n1, grid->n2, grid->n3, grid->row, grid->plane},
                           .everyone = grid->comm};
    layout->n = rows_of(layout);
    layout->periodic =
        (axis == LINES_X && grid->axes.periodic_x) || (axis == LINES_Y && grid->axes.periodic_y);
    int rank;
    MPI_Comm_rank(grid->comm, &rank);
    const int colour = axis == LINES_X ? d->rank_y : axis == LINES_Y ? d->rank_x : rank;
    MPI_Comm_split(grid->comm, colour, axis == LINES_X ? d->rank_x : d->rank_y, &layout->comm);
    choose_places(layout, grid);
    set_size(layout);
    return share_rows(layout);
}

static int part_begin(int cells, int parts, int part) {
    return (int)((int64_t)cells * part / parts);
}

Status line_box_create(Exec exec, MPI_Comm comm, const int cells[3], const int parts[3],
                       const bool periodic[3], LineBox **out) {
    int ranks, around[3] = {0}, place[3], own[3];
    *out = NULL;
    MPI_Comm_size(comm, &ranks);
    for (int a = 0; a < 3; a++)
        CHECK(parts[a] >= 1 && parts[a] <= cells[a], STATUS_BAD_INPUT,
              "a box of %d x %d x %d cells cannot be cut into %d x %d x %d parts", cells[0], cells[1],
              cells[2], parts[0], parts[1], parts[2]);
    CHECK((int64_t)parts[0] * parts[1] * parts[2] == ranks, STATUS_BAD_INPUT,
          "a box in %d x %d x %d parts needs as many processes; there are %d", parts[0], parts[1], parts[2],
          ranks);
    LineBox *box = *out = ALLOCATE(1, LineBox);
    box->exec = exec;
    MPI_Cart_create(comm, 3, parts, around, 0, &box->comm);
    int rank;
    MPI_Comm_rank(box->comm, &rank);
    MPI_Cart_coords(box->comm, rank, 3, place);
    for (int a = 0; a < 3; a++) {
        const int kept[3] = {a == 0, a == 1, a == 2};
        MPI_Cart_sub(box->comm, kept, &box->along[a]);
        box->periodic[a] = periodic[a];
        box->cells[a] = cells[a];
        box->first[a] = part_begin(cells[a], parts[a], place[a]);
        own[a] = part_begin(cells[a], parts[a], place[a] + 1) - box->first[a];
    }
    const ptrdiff_t row = (own[0] + BLOCK - 1) / BLOCK * BLOCK;
    box->own = (LineCells){own[0], own[1], own[2], row, row * own[1]};
    return STATUS_OK;
}

void line_box_destroy(LineBox **box) {
    if (!*box) return;
    for (int a = 0; a < 3; a++) MPI_Comm_free(&(*box)->along[a]);
    MPI_Comm_free(&(*box)->comm);
    memory_free(*box);
    *box = NULL;
}

double *line_box_field(const LineBox *box) {
    return ALLOCATE(box->own.plane * box->own.n3, double);
}

Status line_layout_of_box(const LineBox *box, LineAxis axis, LineLayout **out) {
    LineLayout *layout = *out = ALLOCATE(1, LineLayout);
    *layout = (LineLayout){.exec = box->exec,
                           .lanes = lanes_of_device(box->exec),
                           .axis = axis,
                           .cells = box->own,
                           .periodic = box->periodic[axis],
                           .everyone = box->comm};
    layout->n = rows_of(layout);
    MPI_Comm_dup(box->along[axis], &layout->comm);
    choose_places(layout, NULL);
    set_size(layout);
    return share_rows(layout);
}

void line_layout_destroy(LineLayout **layout) {
    if (!*layout) return;
    memory_free((*layout)->cut);
    memory_free((*layout)->place);
    memory_free((*layout)->idle);
    if ((*layout)->comm != MPI_COMM_NULL) MPI_Comm_free(&(*layout)->comm);
    memory_free(*layout);
    *layout = NULL;
}

double *lines_allocate(const LineLayout *layout) {
    return ALLOCATE(layout->size, double);
}
