/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/queue.h"

#include "base/float_control.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A step has some hundred; where nobody waits for so many, memory must not grow without end. */
enum { LENGTH_MOST = 10000, ALIGNMENT = 16, STACK_MOST = 64 << 20, SMALL_NUMBER = 1 << 16 };

/* With AddressSanitizer the padding between arguments holds what lay on the stack before, pointers too. */
#if defined(__SANITIZE_ADDRESS__)
enum { CHECKS_POINTERS = false };
#else
enum { CHECKS_POINTERS = true };
#endif

/* Not of memory_allocate: to free such memory waits for this queue. */
struct LaunchQueue {
    Launch *launch; /* the arguments of which are found at `args_at` of `args` */
    size_t *args_at;
    unsigned *control; /* of small numbers, at the launch */
    char *args;
    size_t args_used, args_room;
    int count, users;
    bool running;
};

static LaunchQueue *queue;
static QueueCounts counts;

QueueCounts queue_counts(void) {
    return counts;
}

static void give_up(const char *kernel, const char *why) {
    fprintf(stderr, "error: kernel %s: %s\n", kernel, why);
    abort();
}

static void *room_for(void *before, size_t count, size_t size) {
    void *room = realloc(before, count * size);
    if (!room) give_up("of any name", "no memory for the emulator's queue");
    return room;
}

LaunchQueue *queue_open(void) {
    if (!queue) {
        queue = room_for(NULL, 1, sizeof *queue);
        *queue = (LaunchQueue){.launch = room_for(NULL, LENGTH_MOST, sizeof *queue->launch),
                               .args_at = room_for(NULL, LENGTH_MOST, sizeof *queue->args_at),
                               .control = room_for(NULL, LENGTH_MOST, sizeof *queue->control)};
    }
    queue->users++;
    return queue;
}

void queue_close(void) {
    if (--queue->users > 0) return;
    free(queue->launch);
    free(queue->args_at);
    free(queue->control);
    free(queue->args);
    free(queue);
    queue = NULL;
}

int queue_length(void) {
    return queue ? queue->count : 0;
}

void queue_run(void) {
    if (!queue || queue->running) return; /* running: the emulator frees what it made for a kernel */
    const unsigned before = float_control();
    queue->running = true;
    counts.trips += queue->count > 0;
    counts.launches += queue->count;
    for (int n = 0; n < queue->count; n++) {
        Launch launch = queue->launch[n];
        launch.args = queue->args + queue->args_at[n];
        float_set_control(queue->control[n]);
        launch.body(&launch);
    }
    float_set_control(before);
    queue->count = 0;
    queue->args_used = 0;
    queue->running = false;
}

typedef struct Stretch {
    uintptr_t first, end;
} Stretch;

static Stretch stack_in_use(void) {
    pthread_attr_t attributes;
    void *lowest = NULL;
    size_t size = 0;
    if (pthread_getattr_np(pthread_self(), &attributes) == 0) {
        (void)pthread_attr_getstack(&attributes, &lowest, &size);
        (void)pthread_attr_destroy(&attributes);
    }
    const uintptr_t top = (uintptr_t)lowest + size;
    return (Stretch){size > STACK_MOST ? top - STACK_MOST : top - size, top};
}

/* Of the program or library itself, as the linker names it: constants and what begins with a value. What begins as zero
 * is left out: there the linker puts copies of what belongs to shared libraries, the communicators of MPI
 * too. */
extern const char __ehdr_start __attribute__((visibility("hidden")));
extern const char edata __attribute__((visibility("hidden")));

ptrdiff_t queue_hidden_pointer(const void *args, size_t size) {
    static Stretch stack; /* the main thread's: there is no other */
    if (!stack.end) stack = stack_in_use();
    const Stretch program = {(uintptr_t)&__ehdr_start, (uintptr_t)&edata};
    for (size_t at = 0; at + sizeof(uintptr_t) <= size; at += sizeof(uintptr_t)) {
        uintptr_t word;
        memcpy(&word, (const char *)args + at, sizeof word);
        /* padding behind a small number may hold half of a pointer from elsewhere */
        if ((uint32_t)word < SMALL_NUMBER) continue;
        if ((word >= stack.first && word < stack.end) || (word >= program.first && word < program.end))
            return (ptrdiff_t)at;
    }
    return -1;
}

static void copy_args(const void *args, size_t size) {
    const size_t room = (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (queue->args_used + room > queue->args_room) {
        queue->args_room = 2 * queue->args_room + room;
        queue->args = room_for(queue->args, queue->args_room, 1);
    }
    queue->args_at[queue->count] = queue->args_used;
    memcpy(queue->args + queue->args_used, args, size);
    queue->args_used += room;
}

void launch_later(Exec exec, Launch launch, size_t args_size) {
    launch.seed = exec_next_seed(exec);
    if (!exec.queue) {
        launch.body(&launch);
        return;
    }
    if (CHECKS_POINTERS && (queue_hidden_pointer(launch.args, args_size) >= 0 ||
                            queue_hidden_pointer(&launch.list, sizeof launch.list) >= 0))
        give_up(launch.name, "an argument points to the stack or to static data, which a GPU cannot see: use "
                             "memory_allocate, or pass the numbers by value");
    if (queue->count == LENGTH_MOST) queue_run();
    copy_args(launch.args, args_size);
    queue->control[queue->count] = float_control();
    queue->launch[queue->count++] = launch;
}
