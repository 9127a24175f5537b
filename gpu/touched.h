/* SPDX-License-Identifier: Apache-2.0
 *
 * How many bytes of memory a kernel must move: the pages of large blocks that it reads and writes, counted on
 * the emulator by locking all of them and opening each at the first touch. A page that a launch touches twice
 * counts once, as with infinite caches; a page that it writes before reading any of it counts only as
 * written.
 */
#ifndef MAEOTIS_GPU_TOUCHED_H
#define MAEOTIS_GPU_TOUCHED_H

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Touched {
    int64_t read, written; /* [bytes], whole pages */
} Touched;

/* From now on large blocks of emulated memory have pages of their own, and can be counted. Fails where the
 * system cannot tell reads from writes. */
CHECKED Status touched_watch(void);

/* Between them, as seen by queue_watch, a launch runs. */
void touched_begin(void);
Touched touched_end(void);

/* For the emulator's memory (device.c): NULL and false are not watched. */
void *touched_get(size_t bytes);
bool touched_put(void *block);

#ifdef __cplusplus
}
#endif
#endif
