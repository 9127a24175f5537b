/* SPDX-License-Identifier: Apache-2.0
 *
 * Two runs that write into one folder would ruin each other's files: the first one holds a lock on
 * FOLDER/.maeotis.lock, which names it. The lock belongs to the process, and ends with it however it ends.
 * Local.
 */
#ifndef MAEOTIS_OUTPUT_FOLDER_LOCK_H
#define MAEOTIS_OUTPUT_FOLDER_LOCK_H

#include "base/error.h"

typedef struct FolderLock {
    int file;
    char *path; /* NULL: nothing is held */
} FolderLock;

/* Makes the folder, too. Refused: another run has it. Where the disk knows no locks, that is said. */
CHECKED Status folder_lock(const char *folder, FolderLock *out);

/* Refused: a run writes into the folder of this file. Leaves nothing there. */
CHECKED Status folder_check_free(const char *path);

void folder_unlock(FolderLock *lock);

#endif
