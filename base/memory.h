/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory for kernels: 64-byte aligned, zeroed, on huge pages if it is large. Sizes are counted, so that a run
 * can report its use and a check can predict it. Failure ends the program with a message, except in
 * memory_request: nothing is allocated inside the time loop.
 */
#ifndef MAEOTIS_BASE_MEMORY_H
#define MAEOTIS_BASE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

void *memory_allocate(size_t count, size_t size); /* zeroed */
void *memory_request(size_t count, size_t size);  /* the same; NULL if there is none left */
void memory_free(void *pointer);                  /* NULL is fine */
char *memory_copy_text(const char *text);         /* NULL gives NULL */
char *memory_format(const char *format, ...) __attribute__((format(printf, 1, 2), nonnull(1)));
int64_t memory_in_use(void);    /* [bytes] */
int64_t memory_available(void); /* available on this machine [bytes]; INT64_MAX: unknown */

/* A block of the new size with the old one's content, as far as there is room for it, which it frees; an added part is zero.
 * NULL: a new one. */
void *memory_enlarge(void *pointer, size_t count, size_t size);
/* Appends to `*text`, which moves. */
void memory_append(char **text, const char *format, ...) __attribute__((format(printf, 2, 3), nonnull(1)));

/* The source of memory_allocate: a GPU's managed memory (gpu/device.h) in place of the host's own. Memory
 * that was allocated before keeps its source and is freed there. */
typedef struct MemorySource {
    void *(*get)(size_t bytes, bool single); /* zeroed, on a boundary of 64 bytes; NULL: there is none left;
                                                `single`: for one object, which hardly is read by kernels */
    void (*put)(void *block, size_t bytes);
} MemorySource;

/* From now on; NULL: the host's own. Returns the one before. */
const MemorySource *memory_use_source(const MemorySource *source);

#define ALLOCATE(count, Type)         ((Type *)memory_allocate((size_t)(count), sizeof(Type)))
#define ENLARGE(pointer, count, Type) ((Type *)memory_enlarge((pointer), (size_t)(count), sizeof(Type)))

#ifdef __cplusplus
}
#endif
#endif
