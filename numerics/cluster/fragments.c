/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/cluster/fragments.h"

#include <math.h>
#include <stdint.h>

int sweep_link(const Cuts *cuts, const int *node, bool along_x) {
    int link = along_x ? LINK_INSIDE : machine_link(node, 0, cuts_ranks(cuts) - 1);
    for (int q = 0; q < cuts->ranks_y && along_x && link == LINK_INSIDE; q++)
        link = machine_link(node, cuts->first[q], cuts->first[q + 1] - 1);
    return link;
}

SweepShape sweep_shape(const Cuts *cuts, int patch, const Machine *machine, double cells, double bytes,
                       double finer) {
    SweepShape shape = {.work = cells / cuts_ranks(cuts)};
    cuts_chains(cuts, patch, shape.chain);
    const bool along_x = shape.chain[0] >= shape.chain[1];
    const ClusterLink *link = &machine->link[sweep_link(cuts, machine->node, along_x)];
    const double rows = finer * cuts->y[cuts->ranks_y] / cuts->ranks_y,
                 columns = finer * cuts->x[cuts->first[1]] * cuts->ranks_y / cuts_ranks(cuts);
    shape.edge = (along_x ? rows : columns) * bytes * link->ns_per_byte / machine->sweep_ns;
    shape.message = 1e3 * link->latency_us / machine->sweep_ns;
    return shape;
}

static int longest(const SweepShape *s) {
    return s->chain[0] > s->chain[1] ? s->chain[0] : s->chain[1];
}

/* A message of no latency would be as short as can be. */
enum { MOST_MESSAGES = 10000 };

int sweep_messages(const SweepShape *s) {
    const double square = (longest(s) - 1) * (s->work + s->edge) / fmax(s->message, 1e-9);
    return (int)fmax(1, fmin(ceil(sqrt(square + 0.25) - 0.5), MOST_MESSAGES)); /* the best whole number */
}

double sweep_cost(const SweepShape *s) {
    const int messages = sweep_messages(s);
    const double fragment = s->work / messages + (longest(s) > 1 ? s->message : 0);
    return (messages + s->chain[0] + s->chain[1] - 2) * fragment;
}

int sweep_stretches(const SweepShape *s, int messages) {
    return s->chain[1] > s->chain[0] && messages > 1 ? messages + 1 : 1;
}

int stretch_edge(int n1, int n2, int stretches, int c) {
    const int lines = n1 + n2 + 7;
    return c == stretches ? lines + 8 : (int)((int64_t)lines * c / stretches);
}
