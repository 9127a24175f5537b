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

void lanes_clear_edges(const LaneLayout *layout, Lanes *x, bool column, int place, int stride, int places) {
    const int count = column ? layout->n2 : layout->n1;
    if (layout->exec.device != DEVICE_CPU) {
        device_clear_edges(layout, x, column, place, stride, places);
        return;
    }
    for (int turn = 0; turn < places; turn++, place += stride)
        for (int n = 0; n < count; n++) {
            Real *cell = lane_cell(layout, x, column ? place : n, column ? n : place);
            for (int k = 0; k < layout->levels; k++) cell[8 * k] = 0;
        }
}

/* ---- who gets what ---- */

static ptrdiff_t numbers_in(const LaneLayout *layout, const EdgePart *part) {
    return part->end > part->first ? (ptrdiff_t)(part->end - part->first) * layout->levels : 0;
}

/* Places in the message of all pieces along one direction; returns its length. */
static ptrdiff_t find_places(const LaneLayout *layout, int pieces, const EdgePiece *piece, LanePlace *out) {
    ptrdiff_t used = 0;
    for (int n = 0; n < pieces; n++) {
        out[n].given = used;
        out[n].taken = out[n].given + numbers_in(layout, &piece[n].give);
        used = out[n].taken + numbers_in(layout, &piece[n].take);
    }
    return used;
}

Status lanes_find_pieces(LaneLayout *layout) {
    const int longest = (layout->n1 > layout->n2 ? layout->n1 : layout->n2) + 2 * MARGIN;
    ptrdiff_t used = (ptrdiff_t)longest * layout->levels; /* by an edge that meets itself at a seam */
    int most = 0;
    edges_find(layout->grid, MARGIN, (int[]){0, layout->n2}, &layout->edges);
    for (int n = 0; n < 2; n++) {
        const int pieces = layout->edges.pieces[n];
        layout->place[n] = ALLOCATE(pieces + 1, LanePlace);
        const ptrdiff_t length = find_places(layout, pieces, layout->edges.piece[n], layout->place[n]);
        if (length > used) used = length;
        if (pieces > most) most = pieces;
    }
    layout->request = ALLOCATE(2 * most + 1, MPI_Request);
    return status_agree(layout->grid->comm, messages_allocate(layout->exec, (size_t)used * sizeof(Real),
                                                              (void **)&layout->message));
}

/* ---- exchange ---- */

static void copy_edge(const LaneLayout *layout, Lanes *x, bool column, int place, const EdgePart *part,
                      Real *message, bool pack) {
    if (part->first >= part->end) return;
    if (layout->exec.device != DEVICE_CPU)
        device_copy_edge(layout, x, column, place, part->first, part->end, message, pack);
    else
        (void)lanes_copy_edge(layout, x, column, place, part->first, part->end, message, pack);
}

static void exchange_sides(const LaneLayout *layout, Lanes *x, bool along_x) {
    const int n = along_x ? layout->n1 : layout->n2, tag = along_x ? TAG_X : TAG_Y;
    const int inner[2] = {0, n - 1}, outer[2] = {-1, n};
    const int pieces = layout->edges.pieces[!along_x];
    const EdgePiece *piece = layout->edges.piece[!along_x];
    const LanePlace *place = layout->place[!along_x];
    const MPI_Comm comm = layout->grid->comm;
    int requests = 0;
    for (int m = 0; m < pieces; m++)
        copy_edge(layout, x, along_x, inner[piece[m].side], &piece[m].give, layout->message + place[m].given,
                  true);
    exec_wait(layout->exec); /* also for what still reads the messages before */
    for (int m = 0; m < pieces; m++)
        if (numbers_in(layout, &piece[m].take) > 0)
            MPI_Irecv(layout->message + place[m].taken, (int)numbers_in(layout, &piece[m].take),
                      MPI_REAL_OF_LANES, piece[m].rank, tag + 1 - piece[m].side, comm,
                      &layout->request[requests++]);
    for (int m = 0; m < pieces; m++)
        if (numbers_in(layout, &piece[m].give) > 0)
            MPI_Isend(layout->message + place[m].given, (int)numbers_in(layout, &piece[m].give),
                      MPI_REAL_OF_LANES, piece[m].rank, tag + piece[m].side, comm,
                      &layout->request[requests++]);
    traffic_wait_all(requests, layout->request);
    for (int m = 0; m < pieces; m++)
        copy_edge(layout, x, along_x, outer[piece[m].side], &piece[m].take, layout->message + place[m].taken,
                  false);
}

static void wrap_alone(const LaneLayout *layout, Lanes *x, bool along_x) {
    const int n = along_x ? layout->n1 : layout->n2;
    const EdgePart all = {along_x ? 0 : -MARGIN, along_x ? layout->n2 : layout->n1 + MARGIN, 0};
    copy_edge(layout, x, along_x, 0, &all, layout->message, true);
    copy_edge(layout, x, along_x, n, &all, layout->message, false);
    copy_edge(layout, x, along_x, n - 1, &all, layout->message, true);
    copy_edge(layout, x, along_x, -1, &all, layout->message, false);
}

void lanes_exchange(const LaneLayout *layout, Lanes *x) {
    const Grid *grid = layout->grid;
    const Decomposition *d = &grid->decomposition;
    traffic.exchanges++;
    if (layout->levels == 1)
        traffic.exchanged += (int)sizeof(Real);
    else
        traffic.exchanged_level += (int)sizeof(Real);
    if (d->ranks_x > 1)
        exchange_sides(layout, x, true);
    else if (grid->axes.periodic_x)
        wrap_alone(layout, x, true);
    if (d->ranks_y > 1)
        exchange_sides(layout, x, false);
    else if (grid->axes.periodic_y)
        wrap_alone(layout, x, false);
}
