/* SPDX-License-Identifier: Apache-2.0
 *
 * Points of a map that rank 0 has read, to the ranks that want them: each gets those of its own list, in its order.
 */
#ifndef MAEOTIS_MODEL_FORCING_DEAL_H
#define MAEOTIS_MODEL_FORCING_DEAL_H

#include <mpi.h>

typedef struct Deal {
    MPI_Comm comm;
    int count;                     /* of the points that this rank wants */
    int total;                     /* of all ranks, at rank 0, as are the next */
    int *wanted, *counts, *firsts; /* the points, and where each rank's are */
    double *packed;
} Deal;

/* `own`: where in the map. Collective, as is the next. */
void deal_create(MPI_Comm comm, const int *own, int count, Deal *out);

/* `map` counts on rank 0 alone. */
void deal_send(const Deal *deal, const double *map, double *own);
void deal_free(Deal *deal);

#endif
