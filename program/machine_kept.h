/* SPDX-License-Identifier: Apache-2.0
 *
 * The calibration that a machine keeps for runs and plans without --cluster: a cluster file in the user's folder for
 * caches ($XDG_CACHE_HOME or ~/.cache), named after host and processor. Written by `calibrate`; whether it is there or not
 * changes no result. All functions are local.
 */
#ifndef MAEOTIS_PROGRAM_MACHINE_KEPT_H
#define MAEOTIS_PROGRAM_MACHINE_KEPT_H

#include "numerics/cluster/machine.h"
#include <mpi.h>
#include <stdbool.h>

/* NULL: no folder is known; to be freed. */
char *machine_kept_path(void);

/* Returns its path, to be freed; NULL: it could not be written, which matters to nobody. */
char *machine_keep(const Cluster *cluster);

/* What this machine has kept, for so many ranks on it; false: nothing that can be read. */
bool machine_recall(int ranks, Machine *out);

/* For a run on these processes, whose first one decides for all: false on others. */
bool machine_recall_first(MPI_Comm comm, Machine *out);

#endif
