/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/cluster/fragments.h"

#include <math.h>
#include <stdint.h>

int sweep_messages(int ranks_x, int ranks_y, double cells) {
    const int most = ranks_x > ranks_y ? ranks_x : ranks_y;
    const double work = cells / ((double)ranks_x * ranks_y);
    return 1 + (int)sqrt((most - 1) * work / MESSAGE_IN_CELLS); /* least (m + ranks - 1) / m */
}

double sweep_cost(int ranks_x, int ranks_y, double cells) {
    const int ranks = ranks_x * ranks_y, messages = sweep_messages(ranks_x, ranks_y, cells);
    const double fragment = cells / ((double)ranks * messages) + (ranks > 1 ? MESSAGE_IN_CELLS : 0);
    return (messages + ranks_x + ranks_y - 2) * fragment;
}

int sweep_stretches(int ranks_x, int ranks_y, int messages) {
    return ranks_y > ranks_x ? messages + 1 : 1;
}

int stretch_edge(int n1, int n2, int stretches, int c) {
    const int lines = n1 + n2 + 7;
    return c == stretches ? lines + 8 : (int)((int64_t)lines * c / stretches);
}
