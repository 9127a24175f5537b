/* SPDX-License-Identifier: Apache-2.0
 *
 * Whole files of the user's. All functions are local; refusals are STATUS_BAD_INPUT and name the path.
 */
#ifndef MAEOTIS_BASE_FILE_H
#define MAEOTIS_BASE_FILE_H

#include "base/error.h"
#include <stddef.h>

/* A file's bytes, mapped; no zero at the end. */
typedef struct FileBytes {
    const char *path; /* not owned */
    const char *bytes;
    size_t size;
} FileBytes;

/* Refuses what is no file (folders, pipes) or empty. */
CHECKED Status file_map(const char *path, FileBytes *out);
void file_unmap(FileBytes *file);

/* The text with a zero at the end, to be freed; pipes will do. Refuses more than `most` bytes (/dev/zero has
 * no end) and files with a zero in them, which are no text. */
CHECKED Status file_read_text(const char *path, size_t most, char **out);

/* The path, or the nearest one above it that exists (which may be no folder); to be freed. */
char *file_nearest_folder(const char *path);

#endif
