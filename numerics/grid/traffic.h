/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts, of this process, of what a step asks for between ranks: exchanges of halos, sweeps, sums. They are
 * counted on one rank too, where nothing is sent, so that a trial on one rank says what a step of the same
 * scenario will send on many.
 */
#ifndef MAEOTIS_NUMERICS_TRAFFIC_H
#define MAEOTIS_NUMERICS_TRAFFIC_H

#include <mpi.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Traffic {
    int64_t exchanges;                  /* of halos and of lane arrays */
    int64_t exchanged, exchanged_level; /* bytes a column of an edge, on one side; a level of it */
    int64_t sweeps, sweeps_in_patches;  /* all of them, and those that stay within patches */
    int64_t swept;                      /* bytes a column of an edge that passes them on */
    double swept_levels;                /* of all sweeps */
    double sweep_seconds;               /* of this processor; on a device without its kernels */
    int64_t sums;                       /* global sums that wait for each other */
    int64_t summed;                     /* their numbers of 8 bytes */
    double waited;                      /* for what other ranks send [s] */
} Traffic;

/* The processor time of this thread: what else the machine does is not in it. */
double traffic_clock(void);

/* The time that passes [s]. */
double traffic_now(void);

/* MPI_Waitall and, in place, MPI_Allreduce, whose time is waiting. */
void traffic_wait_all(int requests, MPI_Request *request);
void traffic_reduce(void *numbers, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm);

extern Traffic traffic; /* since the start; whoever wants a part of it subtracts */

#ifdef __cplusplus
}
#endif
#endif
