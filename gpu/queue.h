/* SPDX-License-Identifier: Apache-2.0
 *
 * The emulator's launches, run later in order. A GPU begins a kernel some time after its launch has returned,
 * and the host continues meanwhile. To reveal host code without the necessary wait (exec_wait, device.h) on a
 * machine without a GPU, a launch on the emulator only copies its arguments into a queue. The queue runs when
 * the host waits, never by itself; a host that reads or writes too early gets other numbers than on the
 * processor.
 *
 * If an argument points to the stack or to static data, the program ends with a message: a GPU can access
 * neither.
 */
#ifndef MAEOTIS_GPU_QUEUE_H
#define MAEOTIS_GPU_QUEUE_H

#include "gpu/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct LaunchQueue LaunchQueue;

/* There is one queue, as a GPU has one default stream: the first to open it makes it, the last to close it
 * frees it with its pending launches. */
LaunchQueue *queue_open(void);
void queue_close(void);

/* Runs all that waits, in the order of the launches. */
void queue_run(void);
int queue_length(void);

/* Since the program's start: launches, and the waits of the host that found some to wait for. A GPU is idle from the end of
 * such a wait until the next launch reaches it. */
typedef struct QueueCounts {
    int64_t launches, trips;
} QueueCounts;
QueueCounts queue_counts(void);

/* Where the first pointer to the stack or to static data stands in the arguments [bytes]; -1: there is none.
 */
ptrdiff_t queue_hidden_pointer(const void *args, size_t size);

#ifdef __cplusplus
}
#endif
#endif
