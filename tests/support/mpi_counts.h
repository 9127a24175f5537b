/* SPDX-License-Identifier: Apache-2.0
 *
 * Counts what this process asks of MPI. A test that uses it links wrappers of the functions below, by MPI's profiling
 * interface, in the place of the library's own.
 */
#ifndef MAEOTIS_TESTS_SUPPORT_MPI_COUNTS_H
#define MAEOTIS_TESTS_SUPPORT_MPI_COUNTS_H

#include <stdint.h>

typedef struct MpiCounts {
    int64_t collectives;     /* for which all ranks of a communicator wait; those of one rank do not count */
    int64_t gathers;         /* of these, those whose messages grow with the ranks */
    int64_t collected;       /* bytes that this rank gives to them */
    int64_t messages, bytes; /* sent from this rank to one other */
} MpiCounts;

extern MpiCounts mpi_counts; /* since the start */

MpiCounts mpi_counts_since(MpiCounts before); /* the difference to now */

#endif
