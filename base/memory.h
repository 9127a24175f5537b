/* SPDX-License-Identifier: Apache-2.0
 *
 * Memory that kernels like: 64-byte aligned, zeroed, on huge pages where it is large. Sizes are counted, so a
 * run can say what it uses and a check can say what a run would use. Failure ends the program with a message:
 * nothing here is asked for inside the time loop.
 */
#ifndef MAEOTIS_BASE_MEMORY_H
#define MAEOTIS_BASE_MEMORY_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

void *memory_allocate(size_t count, size_t size); /* zeroed */
void memory_free(void *pointer);                  /* NULL is fine */
char *memory_copy_text(const char *text);         /* NULL gives NULL */
char *memory_format(const char *format, ...) __attribute__((format(printf, 1, 2), nonnull(1)));
int64_t memory_in_use(void);    /* [bytes] */
int64_t memory_available(void); /* what this machine could still give [bytes]; INT64_MAX: it does not tell */

/* A block of the new size with the old one's content, which it frees; what is added is zero. NULL begins. */
void *memory_enlarge(void *pointer, size_t count, size_t size);
/* Puts more behind `*text`, which moves. */
void memory_append(char **text, const char *format, ...) __attribute__((format(printf, 2, 3), nonnull(1)));

#define ALLOCATE(count, Type)         ((Type *)memory_allocate((size_t)(count), sizeof(Type)))
#define ENLARGE(pointer, count, Type) ((Type *)memory_enlarge((pointer), (size_t)(count), sizeof(Type)))

#ifdef __cplusplus
}
#endif
#endif
