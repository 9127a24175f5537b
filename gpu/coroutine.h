/* SPDX-License-Identifier: Apache-2.0
 *
 * Functions that can be suspended in the middle and resumed later, each on a stack of its own.
 * AddressSanitizer is told of every change of stacks.
 */
#ifndef MAEOTIS_GPU_COROUTINE_H
#define MAEOTIS_GPU_COROUTINE_H

#include <stdbool.h>
#include <stddef.h>
#include <ucontext.h>

typedef struct Coroutine {
    ucontext_t context, caller;
    char *stack;
    size_t stack_size;
    void (*body)(void *argument);
    void *argument;
    bool ended;
    const void *caller_stack; /* from here on for AddressSanitizer */
    size_t caller_stack_size;
    void *fake_stack, *caller_fake_stack;
} Coroutine;

/* Nothing runs yet. The stack is the caller's, and may be used again when the coroutine has ended or will not
 * be resumed. */
void coroutine_begin(Coroutine *coroutine, char *stack, size_t stack_size, void (*body)(void *),
                     void *argument);

/* Resumes it; returns when it leaves or has ended. */
void coroutine_resume(Coroutine *coroutine);

/* From within: back to the caller that resumed it; returns when it is resumed again. */
void coroutine_leave(Coroutine *coroutine);

#endif
