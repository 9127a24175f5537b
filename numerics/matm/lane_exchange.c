/* SPDX-License-Identifier: Apache-2.0
 *
 * What ranks tell each other about lane arrays: rows and columns at their edges.
 */
#include "numerics/matm/lane_exchange.h"

#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/messages.h"
#include "numerics/grid/traffic.h"
#include "numerics/matm/on_device.h"

/* The cells at the corners travel with the rows: halved grids read them (coarsen.h). */
enum { TAG_X = 11, TAG_Y = 13, MARGIN = 1 };

ptrdiff_t lanes_copy_edge(const LaneLayout *layout, Lanes *x, bool column, int place, int from, int to,
                          Real *message, bool pack) {
    ptrdiff_t count = 0;
    for (int n = from; n < to; n++) {
        Real *cell = lane_cell(layout, x, column ? place : n, column ? n : place);
        for (int k = 0; k < layout->levels; k++, count++) {
            if (pack)
                message[count] = cell[8 * k];
            else
                cell[8 * k] = message[count];
        }
    }
    return count;
}

void lanes_clear_edge(const LaneLayout *layout, Lanes *x, bool column, int place) {
    const int count = column ? layout->n2 : layout->n1;
    if (layout->exec.device != DEVICE_CPU) {
        device_copy_edge(layout, x, column, place, 0, count, NULL, false);
        return;
    }
    for (int n = 0; n < count; n++) {
        Real *cell = lane_cell(layout, x, column ? place : n, column ? n : place);
        for (int k = 0; k < layout->levels; k++) cell[8 * k] = 0;
    }
}

/* ---- who gets what ---- */

/* Appends the piece that is exchanged with a rank; `used`: numbers of the message that are taken. */
static void add_piece(LaneLayout *layout, int direction, int side, const RankBeside *with, ptrdiff_t *used) {
    LanePiece *piece = &layout->piece[direction][layout->pieces[direction]++];
    piece->rank = with->rank;
    piece->side = side;
    for (int end = 0; end < 2; end++) piece->give[end] = with->give[end], piece->take[end] = with->take[end];
    piece->given = *used;
    piece->taken = piece->given + (ptrdiff_t)(with->give[1] - with->give[0]) * layout->levels;
    *used = piece->taken + (ptrdiff_t)(with->take[1] - with->take[0]) * layout->levels;
}

static ptrdiff_t find_along_x(LaneLayout *layout) {
    const Decomposition *d = &layout->grid->decomposition;
    const int rank[2] = {d->west, d->east};
    ptrdiff_t used = 0;
    layout->piece[0] = ALLOCATE(2, LanePiece);
    for (int side = 0; side < 2 && d->ranks_x > 1; side++)
        if (rank[side] != MPI_PROC_NULL)
            add_piece(layout, 0, side, &(RankBeside){rank[side], {0, layout->n2}, {0, layout->n2}}, &used);
    return used;
}

static ptrdiff_t find_along_y(LaneLayout *layout) {
    const Decomposition *d = &layout->grid->decomposition;
    const DecompositionSide *beside[2] = {&d->south, &d->north};
    ptrdiff_t used = 0;
    layout->piece[1] = ALLOCATE(beside[0]->count + beside[1]->count + 1, LanePiece);
    for (int side = 0; side < 2 && d->ranks_y > 1; side++)
        for (int n = 0; n < beside[side]->count; n++) {
            const RankBeside with = decomposition_beside(d, beside[side], n, MARGIN);
            add_piece(layout, 1, side, &with, &used);
        }
    return used;
}

Status lanes_find_pieces(LaneLayout *layout) {
    const int longest = (layout->n1 > layout->n2 ? layout->n1 : layout->n2) + 2 * MARGIN;
    ptrdiff_t used = (ptrdiff_t)longest * layout->levels; /* by an edge that meets itself at a seam */
    const ptrdiff_t along_x = find_along_x(layout), along_y = find_along_y(layout);
    if (along_x > used) used = along_x;
    if (along_y > used) used = along_y;
    const int most = layout->pieces[0] > layout->pieces[1] ? layout->pieces[0] : layout->pieces[1];
    layout->request = ALLOCATE(2 * most + 1, MPI_Request);
    return messages_allocate(layout->exec, (size_t)used * sizeof(Real), (void **)&layout->message);
}

/* ---- exchange ---- */

static void copy_edge(const LaneLayout *layout, Lanes *x, bool column, int place, const int range[2],
                      Real *message, bool pack) {
    if (layout->exec.device != DEVICE_CPU)
        device_copy_edge(layout, x, column, place, range[0], range[1], message, pack);
    else
        (void)lanes_copy_edge(layout, x, column, place, range[0], range[1], message, pack);
}

static int numbers_in(const LaneLayout *layout, const int range[2]) {
    return (range[1] - range[0]) * layout->levels;
}

static void exchange_sides(const LaneLayout *layout, Lanes *x, bool along_x) {
    const int n = along_x ? layout->n1 : layout->n2, tag = along_x ? TAG_X : TAG_Y;
    const int inner[2] = {0, n - 1}, outer[2] = {-1, n};
    const LanePiece *first = layout->piece[along_x ? 0 : 1], *end = first + layout->pieces[along_x ? 0 : 1];
    const MPI_Comm comm = layout->grid->comm;
    int requests = 0;
    for (const LanePiece *p = first; p < end; p++)
        copy_edge(layout, x, along_x, inner[p->side], p->give, layout->message + p->given, true);
    exec_wait(layout->exec); /* also for what still reads the messages before */
    for (const LanePiece *p = first; p < end; p++)
        MPI_Irecv(layout->message + p->taken, numbers_in(layout, p->take), MPI_REAL_OF_LANES, p->rank,
                  tag + 1 - p->side, comm, &layout->request[requests++]);
    for (const LanePiece *p = first; p < end; p++)
        MPI_Isend(layout->message + p->given, numbers_in(layout, p->give), MPI_REAL_OF_LANES, p->rank,
                  tag + p->side, comm, &layout->request[requests++]);
    traffic_wait_all(requests, layout->request);
    for (const LanePiece *p = first; p < end; p++)
        copy_edge(layout, x, along_x, outer[p->side], p->take, layout->message + p->taken, false);
}

static void wrap_alone(const LaneLayout *layout, Lanes *x, bool along_x) {
    const int n = along_x ? layout->n1 : layout->n2;
    const int range[2] = {along_x ? 0 : -MARGIN, along_x ? layout->n2 : layout->n1 + MARGIN};
    copy_edge(layout, x, along_x, 0, range, layout->message, true);
    copy_edge(layout, x, along_x, n, range, layout->message, false);
    copy_edge(layout, x, along_x, n - 1, range, layout->message, true);
    copy_edge(layout, x, along_x, -1, range, layout->message, false);
}

void lanes_exchange(const LaneLayout *layout, Lanes *x) {
    const Grid *grid = layout->grid;
    const Decomposition *d = &grid->decomposition;
    traffic.exchanges++;
    traffic.exchanged += layout->levels * (int)sizeof(Real);
    if (d->ranks_x > 1)
        exchange_sides(layout, x, true);
    else if (grid->axes.periodic_x)
        wrap_alone(layout, x, true);
    if (d->ranks_y > 1)
        exchange_sides(layout, x, false);
    else if (grid->axes.periodic_y)
        wrap_alone(layout, x, false);
}
