/* SPDX-License-Identifier: Apache-2.0
 *
 * What the fuzz targets share. An input breaks a target by crashing it, by taking too long or too much
 * memory, or where one of these does not hold.
 */
#ifndef MAEOTIS_TESTS_FUZZ_FUZZ_H
#define MAEOTIS_TESTS_FUZZ_FUZZ_H

#include "base/error.h"
#include "base/memory.h"
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerInitialize(int *argc, char ***argv);

/* The path of a file in memory that holds the bytes, until the next call. */
static inline const char *fuzz_file(const uint8_t *data, size_t size) {
    static char path[64];
    static int file = -1;
    if (file < 0) {
        file = memfd_create("fuzz", 0);
        snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getpid(), file);
    }
    if (ftruncate(file, 0) != 0 || pwrite(file, data, size, 0) != (ssize_t)size) abort();
    return path;
}

/* Refusals have a message, and only they. */
static inline void fuzz_check(Status status) {
    if ((status == STATUS_OK) != (error_count() == 0)) abort();
    error_clear();
}

#endif
