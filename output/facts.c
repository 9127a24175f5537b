/* SPDX-License-Identifier: Apache-2.0
 *
 * Attributes must be the same on every rank, but only rank 0 knows some of the facts (the notes on the
 * bathymetry).
 */
#include "base/memory.h"
#include "output/parts.h"

#include <string.h>

static const char *share(MPI_Comm comm, const char *text) {
    int rank;
    int64_t bytes = text ? (int64_t)strlen(text) + 1 : 0;
    MPI_Comm_rank(comm, &rank);
    MPI_Bcast(&bytes, 1, MPI_INT64_T, 0, comm);
    if (bytes == 0) return NULL;
    char *copy = rank == 0 ? memory_copy_text(text) : ALLOCATE(bytes, char);
    MPI_Bcast(copy, (int)bytes, MPI_CHAR, 0, comm);
    return copy;
}

RunFacts *facts_share(MPI_Comm comm, const RunFacts *facts) {
    static const RunFacts unknown = {0};
    if (!facts) facts = &unknown;
    RunFacts *shared = ALLOCATE(1, RunFacts);
    shared->effective_scenario = share(comm, facts->effective_scenario);
    shared->scenario_text = share(comm, facts->scenario_text);
    shared->ground = share(comm, facts->ground);
    shared->command = share(comm, facts->command);
    shared->inputs = share(comm, facts->inputs);
    shared->chain = share(comm, facts->chain);
    shared->named = facts->named;
    return shared;
}

void facts_release(RunFacts **facts) {
    if (!*facts) return;
    memory_free((void *)(uintptr_t)(*facts)->effective_scenario);
    memory_free((void *)(uintptr_t)(*facts)->scenario_text);
    memory_free((void *)(uintptr_t)(*facts)->ground);
    memory_free((void *)(uintptr_t)(*facts)->command);
    memory_free((void *)(uintptr_t)(*facts)->inputs);
    memory_free((void *)(uintptr_t)(*facts)->chain);
    memory_free(*facts);
    *facts = NULL;
}
