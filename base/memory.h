/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that kernels like: 64-byte aligned, zeroed, on huge pages where it is large. Sizes are counted, so a
 * run can say what it uses and a check can say what a run would use. Failure ends the program with a message,
 * except in memory_request: nothing here is asked for inside the time loop.
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
void *memory_request(size_t count, size_t size);  /* the same; NULL where there is none left */
void memory_free(void *pointer);                  /* NULL is fine */
char *memory_copy_text(const char *text);         /* NULL gives NULL */
char *memory_format(const char *format, ...) __attribute__((format(printf, 1, 2), nonnull(1)));
int64_t memory_in_use(void);    /* [bytes] */
int64_t memory_available(void); /* what this machine could still give [bytes]; INT64_MAX: it does not tell */

/* A block of the new size with the old one's content, which it frees; what is added is zero. NULL begins. */
void *memory_enlarge(void *pointer, size_t count, size_t size);
/* Puts more behind `*text`, which moves. */
void memory_append(char **text, const char *format, ...) __attribute__((format(printf, 2, 3), nonnull(1)));

/* Where memory_allocate gets its memory from: a GPU's managed memory (gpu/device.h) in place of the host's
 * own. What was got stays what it is, and goes back to where it came from. */
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
