/* SPDX-License-Identifier: Apache-2.0
 *
 * The emulator's launches, one after the other, later: a GPU begins a kernel when it likes, after its launch
 * has returned, and the host goes on meanwhile. So that host code that does not wait for it (exec_wait,
 * device.h) shows without a GPU, a launch on the emulator only takes a copy of its arguments and stands in a
 * queue. The queue runs when somebody waits, and never by itself; a host that reads or writes too early gets
 * other numbers than on the processor.
 *
 * A launch is refused, with a message and the end of the program, where an argument points to the stack or to
 * static data: a GPU sees neither.
 */
#ifndef MAEOTIS_GPU_QUEUE_H
#define MAEOTIS_GPU_QUEUE_H

#include "gpu/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct LaunchQueue LaunchQueue;

/* There is one queue, as a GPU has one default stream: the first to open it makes it, the last to close it
 * lets it go, and what still waits. */
LaunchQueue *queue_open(void);
void queue_close(void);

/* Runs all that waits, in the order of the launches. */
void queue_run(void);
int queue_length(void);

/* Called with a launch's name before and after it runs. */
typedef struct QueueWatch {
    void (*before)(const char *name), (*after)(const char *name);
} QueueWatch;
void queue_watch(QueueWatch watch);

/* Where the first pointer to the stack or to static data stands in the arguments [bytes]; -1: there is none.
 */
ptrdiff_t queue_hidden_pointer(const void *args, size_t size);

#ifdef __cplusplus
}
#endif
#endif
