/* SPDX-License-Identifier: Apache-2.0
 *
 * Valid C17 and C++17: nvcc compiles it in the CUDA build.
 */
#include "gpu/managed.h"

#include <string.h>

#if defined(__CUDACC__)

/* What is SMALL shares chunks with its like, in classes of sizes that double; what is larger has memory of its
 * own and stays on the GPU. Every array has pages of its own: one that the host reads in every step would drag
 * its neighbours away from kernels, each of which then waited 0.2 ms for them (H100). Single objects (the host's own,
 * mostly) have chunks apart from arrays. */
enum { LINE = 64, PAGE = 4096, SMALL = 8 << 10, CLASSES = 8, CHUNK = 2 << 20 };

typedef struct Free {
    struct Free *next;
} Free;

typedef struct Pool {
    Free *unused[CLASSES];
    char *rest, *end; /* of the newest chunk */
} Pool;

/* Stands in the line before a block; large ones know each other. */
typedef struct Note {
    struct Note *before, *after;
    size_t bytes;
    bool large, single;
} Note;

static Pool pools[2];
static Note *large_blocks;
static int device;

static bool done(cudaError_t error) {
    if (error != cudaSuccess) (void)cudaGetLastError(); /* else the next call would report it again */
    return error == cudaSuccess;
}

static cudaError_t advise(void *block, size_t bytes, int where) {
#if CUDART_VERSION >= 13000
    cudaMemLocation place = {};
    place.type = where < 0 ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
    place.id = where < 0 ? 0 : where;
    return cudaMemAdvise(block, bytes, cudaMemAdviseSetPreferredLocation, place);
#else
    return cudaMemAdvise(block, bytes, cudaMemAdviseSetPreferredLocation,
                         where < 0 ? cudaCpuDeviceId : where);
#endif
}

static cudaError_t prefetch(void *block, size_t bytes) {
#if CUDART_VERSION >= 13000
    cudaMemLocation place = {};
    place.type = cudaMemLocationTypeDevice;
    place.id = device;
    return cudaMemPrefetchAsync(block, bytes, place, 0, 0);
#else
    return cudaMemPrefetchAsync(block, bytes, device, 0);
#endif
}

static void *get_large(size_t bytes) {
    void *base = NULL;
    if (!done(cudaMallocManaged(&base, bytes, cudaMemAttachGlobal))) return NULL;
    (void)done(advise(base, bytes, device)); /* a wish */
    if (!done(cudaMemset(base, 0, bytes)) || !done(cudaDeviceSynchronize())) return NULL;
    Note *note = (Note *)base;
    note->after = large_blocks;
    if (large_blocks) large_blocks->before = note;
    large_blocks = note;
    return base;
}

static int class_of(size_t bytes, bool single) {
    const size_t room = single || bytes > PAGE ? bytes : (size_t)PAGE;
    int n = 0;
    while (((size_t)LINE << n) < room) n++;
    return n;
}

static void *get_small(size_t bytes, bool single) {
    Pool *pool = &pools[single];
    const int n = class_of(bytes, single);
    const size_t room = (size_t)LINE << n;
    void *base = pool->unused[n];
    if (base) {
        pool->unused[n] = pool->unused[n]->next;
        return memset(base, 0, room);
    }
    if ((size_t)(pool->end - pool->rest) < room) {
        void *chunk = NULL; /* what is left of the old one is lost: less than SMALL */
        if (!done(cudaMallocManaged(&chunk, CHUNK, cudaMemAttachGlobal))) return NULL;
        if (single) (void)done(advise(chunk, CHUNK, -1));
        memset(chunk, 0, CHUNK);
        pool->rest = (char *)chunk;
        pool->end = pool->rest + CHUNK;
    }
    base = pool->rest;
    pool->rest += room;
    return base;
}

static void *managed_get(size_t bytes, bool single) {
    const size_t whole = bytes + LINE;
    const bool large = whole > SMALL;
    Note *note = (Note *)(large ? get_large(whole) : get_small(whole, single));
    if (!note) return NULL;
    note->bytes = whole;
    note->large = large;
    note->single = single;
    return (char *)note + LINE;
}

static void managed_put(void *block, size_t bytes) {
    (void)bytes;
    Note *note = (Note *)((char *)block - LINE);
    (void)done(cudaDeviceSynchronize()); /* a kernel may still use it */
    if (note->large) {
        if (note->before) note->before->after = note->after;
        if (note->after) note->after->before = note->before;
        if (large_blocks == note) large_blocks = note->after;
        (void)done(cudaFree(note));
        return;
    }
    Pool *pool = &pools[note->single];
    const int n = class_of(note->bytes, note->single);
    Free *place = (Free *)note;
    place->next = pool->unused[n];
    pool->unused[n] = place;
}

const MemorySource *managed_source(void) {
    static const MemorySource source = {managed_get, managed_put};
    (void)done(cudaGetDevice(&device));
    return &source;
}

void managed_settle(void) {
    for (Note *note = large_blocks, *next; note; note = next) {
        next = note->after; /* before its page goes */
        (void)done(prefetch(note, note->bytes));
    }
    (void)done(cudaDeviceSynchronize());
}

#else

const MemorySource *managed_source(void) {
    return NULL;
}

void managed_settle(void) {}

#endif
