/* SPDX-License-Identifier: Apache-2.0
 *
 * A peer's system (bench/peer_solvers.h) as the rows of a sparse matrix: water alone, the ranks one after the
 * other, columns of water in one piece. For plug-ins.
 */
#ifndef MAEOTIS_BENCH_PEERS_ROWS_H
#define MAEOTIS_BENCH_PEERS_ROWS_H

#include "bench/clock.h"
#include "bench/peer_solvers.h"

enum { PEER_ENTRIES = 7 }; /* of a row, at most */

typedef struct PeerRows {
    int first, count; /* own rows */
    int *number;      /* by cell of the box with one cell around it; -1: land or outside */
    int size[3];
    long stride[3];
} PeerRows;

int peer_cells(const PeerSystem *system); /* of the own box */

/* Collective. */
void peer_rows_create(const PeerSystem *system, PeerRows *rows);
void peer_rows_release(PeerRows *rows);

/* The row of the n-th cell of the own box; -1: land. */
int peer_row_of(const PeerRows *rows, int n);
/* Its entries that are not 0, the diagonal first; returns how many. */
int peer_row_entries(const PeerSystem *system, const PeerRows *rows, int n, int column[PEER_ENTRIES],
                     double value[PEER_ENTRIES]);

#endif
