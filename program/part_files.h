/* SPDX-License-Identifier: Apache-2.0
 *
 * Outputs that are cut by day, month or year, for the commands that inspect files: the name of the output stands for all
 * of its files.
 */
#ifndef MAEOTIS_PROGRAM_PART_FILES_H
#define MAEOTIS_PROGRAM_PART_FILES_H

#include "base/error.h"

typedef struct PartFiles {
    char **path; /* in the order of time */
    int count;
} PartFiles;

/* The files of the output, or `path` itself if it is a file or there are none. To be released. */
PartFiles part_files_find(const char *path);
void part_files_release(PartFiles *files);

/* What is added to the output's name, with the ending: "_20140923.nc"; ".nc" where `of` is the file itself. */
const char *part_files_label(const char *of, const char *file);

/* Does something with each file, up to the first that fails. */
CHECKED Status part_files_each(const char *path, Status (*use)(const char *path, void *with), void *with);

#endif
