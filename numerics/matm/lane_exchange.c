/* SPDX-License-Identifier: Apache-2.0
 *
 * What ranks tell each other about lane arrays: rows and columns at their edges.
 */
#include "numerics/matm/lane_exchange.h"

#include "gpu/device.h"
#include "numerics/grid/traffic.h"
#include "numerics/matm/on_device.h"

enum { TAG_X = 11, TAG_Y = 13 };

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

static void copy_side(const LaneLayout *layout, Lanes *x, bool along_x, int place, Real *message, bool pack) {
    const int length = along_x ? layout->n2 : layout->n1;
    if (layout->exec.device != DEVICE_CPU)
        device_copy_edge(layout, x, along_x, place, 0, length, message, pack);
    else
        (void)lanes_copy_edge(layout, x, along_x, place, 0, length, message, pack);
}

static void exchange_sides(const LaneLayout *layout, Lanes *x, bool along_x, const int neighbour[2]) {
    const int n = along_x ? layout->n1 : layout->n2, tag = along_x ? TAG_X : TAG_Y;
    const int inner[2] = {0, n - 1}, outer[2] = {-1, n};
    const int count = (along_x ? layout->n2 : layout->n1) * layout->levels;
    MPI_Request request[4];
    int requests = 0;
    for (int side = 0; side < 2; side++)
        if (neighbour[side] != MPI_PROC_NULL)
            copy_side(layout, x, along_x, inner[side], layout->message + (2 + side) * layout->message_size,
                      true);
    exec_wait(layout->exec); /* also for what still reads the messages before */
    for (int side = 0; side < 2; side++)
        if (neighbour[side] != MPI_PROC_NULL)
            MPI_Irecv(layout->message + side * layout->message_size, count, MPI_REAL_OF_LANES,
                      neighbour[side], tag + 1 - side, layout->grid->comm, &request[requests++]);
    for (int side = 0; side < 2; side++) {
        if (neighbour[side] == MPI_PROC_NULL) continue;
        Real *message = layout->message + (2 + side) * layout->message_size;
        MPI_Isend(message, count, MPI_REAL_OF_LANES, neighbour[side], tag + side, layout->grid->comm,
                  &request[requests++]);
    }
    MPI_Waitall(requests, request, MPI_STATUSES_IGNORE);
    for (int side = 0; side < 2; side++)
        if (neighbour[side] != MPI_PROC_NULL)
            copy_side(layout, x, along_x, outer[side], layout->message + side * layout->message_size, false);
}

static void wrap_alone(const LaneLayout *layout, Lanes *x, bool along_x) {
    const int n = along_x ? layout->n1 : layout->n2;
    copy_side(layout, x, along_x, 0, layout->message, true);
    copy_side(layout, x, along_x, n, layout->message, false);
    copy_side(layout, x, along_x, n - 1, layout->message, true);
    copy_side(layout, x, along_x, -1, layout->message, false);
}

void lanes_exchange(const LaneLayout *layout, Lanes *x) {
    const Grid *grid = layout->grid;
    const Decomposition *d = &grid->decomposition;
    traffic.exchanges++;
    traffic.exchanged += layout->levels * (int)sizeof(Real);
    if (d->ranks_x > 1)
        exchange_sides(layout, x, true, (int[2]){d->west, d->east});
    else if (grid->axes.periodic_x)
        wrap_alone(layout, x, true);
    if (d->ranks_y > 1)
        exchange_sides(layout, x, false, (int[2]){d->south, d->north});
    else if (grid->axes.periodic_y)
        wrap_alone(layout, x, false);
}
