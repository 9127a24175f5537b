/* SPDX-License-Identifier: Apache-2.0
 *
 * Part of ncfile.c: rounds of slabs, and whether the file holds what was written. Open MPI's own MPI-IO may return
 * success for a write that failed. So the data are read back, and the first rank looks at the header, the file's
 * length and the room that is left.
 */
#ifndef MAEOTIS_OUTPUT_NCFILE_DISK_H
#define MAEOTIS_OUTPUT_NCFILE_DISK_H

#include "output/ncfile.h"

/* Writes the file's slabs and forgets them; every rank takes part in every round. Collective. */
void slabs_write(NcFile *file);

/* Notes a failure if the file lacks something. Collective. */
void disk_check(NcFile *file);

/* Every rank brings to the disk what it has written. Collective. */
void disk_flush(NcFile *file);

/* Refuses a file whose header is damaged or that ends before its first record. Local. */
CHECKED Status disk_check_cut(const char *path);

#endif
