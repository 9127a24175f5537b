/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"

#include "base/error.h"
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { LINE = 64, HUGE_PAGE = 2 << 20, LARGE = 4 << 20, MIDDLE = 128 << 10, COLOURS = 61 };
static const uint64_t LIVE = 0x6d61656f74697321u, FREED = 0x6672656564212121u;

/* Stands in the cache line before the block. */
typedef struct Header {
    uint64_t mark; /* tells a block of ours from a foreign or a freed pointer */
    void *base;
    size_t bytes, whole; /* `whole` from `base` on */
    const MemorySource *source;
} Header;

static atomic_llong in_use;
static atomic_uint coloured_blocks;

static void give_up(const char *what, size_t count, size_t size) {
    fprintf(stderr, "error: %s (%zu x %zu bytes requested, %lld MiB in use)\n", what, count, size,
            (long long)(memory_in_use() >> 20));
    error_give_up();
}

/* A large block comes from calloc untouched, so that the system clears each page when it is first used, and
 * never those of land. Before the block stands where calloc began. */
static void *large_get(size_t bytes) {
    char *start = (char *)calloc(1, bytes + HUGE_PAGE + sizeof(void *));
    if (!start) return NULL;
    char *base = start + sizeof(void *);
    base += (HUGE_PAGE - (uintptr_t)base % HUGE_PAGE) % HUGE_PAGE;
    (void)madvise(base, bytes, MADV_HUGEPAGE); /* a wish: without huge pages it only is slower */
    ((void **)base)[-1] = start;
    return base;
}

static void *host_get(size_t bytes, bool single) {
    (void)single;
    if (bytes >= LARGE) return large_get(bytes);
    void *base = aligned_alloc(LINE, (bytes + LINE - 1) / LINE * LINE);
    return base ? memset(base, 0, bytes) : NULL;
}

static void host_put(void *block, size_t bytes) {
    free(bytes >= LARGE ? ((void **)block)[-1] : block);
}

static const MemorySource HOST = {host_get, host_put};
static const MemorySource *source_in_use = &HOST;

const MemorySource *memory_use_source(const MemorySource *source) {
    const MemorySource *before = source_in_use;
    source_in_use = source ? source : &HOST;
    return before;
}

/* NULL: `source` has none left. */
static void *request(const MemorySource *source, size_t count, size_t size) {
    size_t bytes, lines = 1;
    if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 2)
        give_up("a size too large to count", count, size);
    /* Fields that all begin at the same place of a page fight for the same cache sets, and malloc, too, begins blocks
     * from MIDDLE on with a page: each begins a few lines later than the one before. */
    if (bytes >= MIDDLE) lines += 5 * (atomic_fetch_add(&coloured_blocks, 1) % COLOURS);
    char *base = source->get(lines * LINE + bytes, count == 1);
    if (!base) return NULL;
    char *block = base + lines * LINE;
    *(Header *)(block - LINE) = (Header){LIVE, base, bytes, lines * LINE + bytes, source};
    atomic_fetch_add(&in_use, (long long)bytes);
    return block;
}

static void *allocate(const MemorySource *source, size_t count, size_t size) {
    void *block = request(source, count, size);
    if (!block) give_up("out of memory", count, size);
    return block;
}

void *memory_allocate(size_t count, size_t size) {
    return allocate(source_in_use, count, size);
}

void *memory_request(size_t count, size_t size) {
    return request(source_in_use, count, size);
}

static Header *header_of(void *pointer) {
    Header *header = (Header *)((char *)pointer - LINE);
    if (header->mark != LIVE) {
        fputs("error: memory was freed twice, or did not come from memory_allocate\n", stderr);
        abort();
    }
    return header;
}

void *memory_enlarge(void *pointer, size_t count, size_t size) {
    void *other = memory_allocate(count, size);
    if (pointer) {
        const size_t before = header_of(pointer)->bytes, now = header_of(other)->bytes;
        memcpy(other, pointer, before < now ? before : now);
    }
    memory_free(pointer);
    return other;
}

void memory_free(void *pointer) {
    if (!pointer) return;
    Header *header = header_of(pointer);
    header->mark = FREED;
    atomic_fetch_sub(&in_use, (long long)header->bytes);
    header->source->put(header->base, header->whole);
}

char *memory_copy_text(const char *text) {
    if (!text) return NULL;
    size_t bytes = strlen(text) + 1;
    return memcpy(allocate(&HOST, bytes, 1), text, bytes);
}

/* `before` (NULL: nothing) and the formatted text behind it. */
static char *format_behind(const char *before, const char *format, va_list arguments) {
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, again);
    va_end(again);
    if (length < 0) give_up("a text that cannot be formatted", 1, 0);
    size_t start = before ? strlen(before) : 0;
    char *text = (char *)allocate(&HOST, start + (size_t)length + 1, 1); /* kernels read no text */
    if (start) memcpy(text, before, start);
    vsnprintf(text + start, (size_t)length + 1, format, arguments);
    return text;
}

char *memory_format(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *text = format_behind(NULL, format, arguments);
    va_end(arguments);
    return text;
}

void memory_append(char **text, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    char *longer = format_behind(*text, format, arguments); /* before `*text` goes: it may be an argument */
    va_end(arguments);
    memory_free(*text);
    *text = longer;
}

int64_t memory_in_use(void) {
    return (int64_t)atomic_load(&in_use);
}

/* The number in a file behind `key`, in units of `scale`; INT64_MAX if there is none. */
static int64_t number_in(const char *path, const char *key, int64_t scale) {
    char line[256];
    long long number = 0, found = INT64_MAX;
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (strncmp(line, key, strlen(key)) == 0 && sscanf(line + strlen(key), "%lld", &number) == 1)
            found = number;
    if (file) fclose(file);
    return found > INT64_MAX / scale ? INT64_MAX : found * scale;
}

int64_t memory_available(void) {
    int64_t machine = number_in("/proc/meminfo", "MemAvailable:", 1024);
    /* a container may be allowed less than the machine has */
    int64_t most = number_in("/sys/fs/cgroup/memory.max", "", 1);
    int64_t used = number_in("/sys/fs/cgroup/memory.current", "", 1);
    int64_t cache = number_in("/sys/fs/cgroup/memory.stat", "inactive_file ", 1);
    if (most == INT64_MAX || used == INT64_MAX) return machine;
    int64_t allowed = most - used + (cache == INT64_MAX ? 0 : cache);
    return allowed < machine ? allowed : machine;
}
