/* SPDX-License-Identifier: Apache-2.0 */
#include "tests/support/mpi_counts.h"

#include <mpi.h>
#include <stdbool.h>

MpiCounts mpi_counts;

MpiCounts mpi_counts_since(MpiCounts before) {
    const MpiCounts now = mpi_counts;
    return (MpiCounts){.collectives = now.collectives - before.collectives,
                       .gathers = now.gathers - before.gathers,
                       .collected = now.collected - before.collected,
                       .messages = now.messages - before.messages,
                       .bytes = now.bytes - before.bytes};
}

static int64_t bytes_of(int count, MPI_Datatype type) {
    int size = 0;
    if (count > 0) PMPI_Type_size(type, &size);
    return (int64_t)count * size;
}

static void note_collective(MPI_Comm comm, int count, MPI_Datatype type, bool gathers) {
    int ranks;
    PMPI_Comm_size(comm, &ranks);
    if (ranks == 1) return;
    mpi_counts.collectives++;
    mpi_counts.gathers += gathers;
    mpi_counts.collected += bytes_of(count, type);
}

static void note_message(int to, int count, MPI_Datatype type) {
    if (to == MPI_PROC_NULL) return;
    mpi_counts.messages++;
    mpi_counts.bytes += bytes_of(count, type);
}

/* ---- in the place of the library's functions ---- */

int MPI_Allreduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
    note_collective(comm, count, type, false);
    return PMPI_Allreduce(from, to, count, type, op, comm);
}

int MPI_Reduce(const void *from, void *to, int count, MPI_Datatype type, MPI_Op op, int root, MPI_Comm comm) {
    note_collective(comm, count, type, false);
    return PMPI_Reduce(from, to, count, type, op, root, comm);
}

int MPI_Bcast(void *data, int count, MPI_Datatype type, int root, MPI_Comm comm) {
    note_collective(comm, count, type, false);
    return PMPI_Bcast(data, count, type, root, comm);
}

int MPI_Barrier(MPI_Comm comm) {
    note_collective(comm, 0, MPI_BYTE, false);
    return PMPI_Barrier(comm);
}

int MPI_Allgather(const void *from, int count, MPI_Datatype type, void *to, int each, MPI_Datatype their,
                  MPI_Comm comm) {
    note_collective(comm, count, type, true);
    return PMPI_Allgather(from, count, type, to, each, their, comm);
}

int MPI_Allgatherv(const void *from, int count, MPI_Datatype type, void *to, const int counts[],
                   const int places[], MPI_Datatype their, MPI_Comm comm) {
    note_collective(comm, count, type, true);
    return PMPI_Allgatherv(from, count, type, to, counts, places, their, comm);
}

int MPI_Gather(const void *from, int count, MPI_Datatype type, void *to, int each, MPI_Datatype their,
               int root, MPI_Comm comm) {
    note_collective(comm, count, type, true);
    return PMPI_Gather(from, count, type, to, each, their, root, comm);
}

int MPI_Gatherv(const void *from, int count, MPI_Datatype type, void *to, const int counts[],
                const int places[], MPI_Datatype their, int root, MPI_Comm comm) {
    note_collective(comm, count, type, true);
    return PMPI_Gatherv(from, count, type, to, counts, places, their, root, comm);
}

int MPI_Scatterv(const void *from, const int counts[], const int places[], MPI_Datatype their, void *to,
                 int count, MPI_Datatype type, int root, MPI_Comm comm) {
    note_collective(comm, count, type, true);
    return PMPI_Scatterv(from, counts, places, their, to, count, type, root, comm);
}

int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request) {
    note_message(to, count, type);
    return PMPI_Isend(data, count, type, to, tag, comm, request);
}

int MPI_Send(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm) {
    note_message(to, count, type);
    return PMPI_Send(data, count, type, to, tag, comm);
}

int MPI_Sendrecv(const void *data, int count, MPI_Datatype type, int to, int tag, void *in, int in_count,
                 MPI_Datatype in_type, int from, int in_tag, MPI_Comm comm, MPI_Status *status) {
    note_message(to, count, type);
    return PMPI_Sendrecv(data, count, type, to, tag, in, in_count, in_type, from, in_tag, comm, status);
}
