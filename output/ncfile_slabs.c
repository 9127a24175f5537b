/* SPDX-License-Identifier: Apache-2.0 */
#include "output/ncfile_slabs.h"

#include "base/memory.h"

Slab slab_whole(int variable, int n_dims, const MPI_Offset *start, const MPI_Offset *count, MPI_Datatype type,
                void *data) {
    Slab s = {.variable = variable, .n_dims = n_dims, .values = 1, .type = type, .data = data};
    int bytes;
    MPI_Type_size(type, &bytes);
    for (int d = 0; d < n_dims; d++) {
        s.start[d] = start[d];
        s.count[d] = count[d];
        s.values *= count[d];
    }
    s.bytes = s.values * bytes;
    return s;
}

/* The first `length` of the slab along its dimension `d`, of those before which it has length 1: its values
 * lie together in memory. What is left becomes the slab. */
static Slab take_first(Slab *slab, int d, MPI_Offset length) {
    const MPI_Offset bytes = slab->bytes / slab->count[d] * length,
                     values = slab->values / slab->count[d] * length;
    Slab first = *slab;
    first.count[d] = length;
    first.bytes = bytes;
    first.values = values;
    slab->start[d] += length;
    slab->count[d] -= length;
    slab->bytes -= bytes;
    slab->values -= values;
    slab->data += bytes;
    return first;
}

static void append(NcFile *file, const Slab *slab) {
    if (file->n_slabs == file->most_slabs) {
        file->most_slabs = file->most_slabs ? 2 * file->most_slabs : 64;
        file->slab = ENLARGE(file->slab, file->most_slabs, Slab);
    }
    file->slab[file->n_slabs++] = *slab;
}

void slabs_add(NcFile *file, Slab slab) {
    while (slab.bytes > ncfile_round_bytes) {
        int d = 0;
        while (d < slab.n_dims && slab.count[d] == 1) d++;
        if (d == slab.n_dims) break; /* a single value */
        const MPI_Offset fitting = ncfile_round_bytes / (slab.bytes / slab.count[d]);
        Slab first = take_first(&slab, d, fitting > 0 ? fitting : 1);
        if (fitting > 0)
            append(file, &first);
        else
            slabs_add(file, first);
    }
    if (slab.values > 0) append(file, &slab);
}

int slabs_of_round(const NcFile *file, int first) {
    MPI_Offset bytes = 0;
    int n = first;
    for (; n < file->n_slabs; n++) {
        bytes += file->slab[n].bytes;
        if ((bytes > ncfile_round_bytes && n > first) || n - first == MOST_REQUESTS) break;
    }
    return n;
}
