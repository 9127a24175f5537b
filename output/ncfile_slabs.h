/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside ncfile.c: requests cut into slabs of at most ncfile_round_bytes.
 */
#ifndef MAEOTIS_OUTPUT_NCFILE_SLABS_H
#define MAEOTIS_OUTPUT_NCFILE_SLABS_H

#include "output/ncfile.h"

enum { MOST_DIMS = 8 };       /* PnetCDF's own limit is too large for an array */
enum { MOST_REQUESTS = 256 }; /* of a round: PnetCDF's time grows with their square */

typedef struct Slab {
    int variable, n_dims;
    MPI_Offset start[MOST_DIMS], count[MOST_DIMS];
    MPI_Offset values, bytes;
    MPI_Datatype type;
    char *data; /* not owned */
} Slab;

Slab slab_whole(int variable, int n_dims, const MPI_Offset *start, const MPI_Offset *count, MPI_Datatype type,
                void *data);

/* Adds the slab to the file's, cut into as many as need be. Local. */
void slabs_add(NcFile *file, Slab slab);

/* The slabs from `first` on that fit into one round end before this one. Local. */
int slabs_of_round(const NcFile *file, int first);

#endif
