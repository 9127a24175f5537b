/* SPDX-License-Identifier: Apache-2.0
 *
 * Reads whole files from the user. All functions are local; refusals are STATUS_BAD_INPUT and name the path.
 */
#ifndef MAEOTIS_BASE_FILE_H
#define MAEOTIS_BASE_FILE_H

#include "base/error.h"
#include <stddef.h>
#include <stdint.h>

/* A file's bytes, mapped; no zero at the end. */
typedef struct FileBytes {
    const char *path; /* not owned */
    const char *bytes;
    size_t size;
} FileBytes;

/* Refuses anything that is not a regular file (folders, pipes), and empty files. */
CHECKED Status file_map(const char *path, FileBytes *out);
void file_unmap(FileBytes *file);

/* hash_bytes (hash.h) of a file that is not empty. Local. */
CHECKED Status file_hash(const char *path, uint64_t *hash);

/* The text with a zero at the end, to be freed; pipes will do. Refuses more than `most` bytes (/dev/zero has
 * no end) and files with a zero in them, which are not text. */
CHECKED Status file_read_text(const char *path, size_t most, char **out);

/* A file itself; of a folder all files whose names have this ending, in it and in its folders, by their names. To be
 * freed with file_list_free. */
CHECKED Status file_list(const char *path, const char *ending, char ***names, int *count);
void file_list_free(char ***names, int *count);

/* The path, or the nearest one above it that exists (which need not be a folder); to be freed. */
char *file_nearest_folder(const char *path);

#endif
