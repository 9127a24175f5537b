/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/coroutine.h"

#include <stdint.h>

#if defined(__SANITIZE_ADDRESS__)
#define ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ASAN 1
#endif
#endif

#if defined(ASAN)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#define LEAVE_STACK(fake, to, size)   __sanitizer_start_switch_fiber((fake), (to), (size))
#define REACH_STACK(fake, from, size) __sanitizer_finish_switch_fiber((fake), (from), (size))
#define CLEAN_STACK(coroutine)        ASAN_UNPOISON_MEMORY_REGION((coroutine)->stack, (coroutine)->stack_size)
#else
#define LEAVE_STACK(fake, to, size)   (void)0
#define REACH_STACK(fake, from, size) (void)0
#define CLEAN_STACK(coroutine)        (void)0
#endif

/* makecontext passes nothing but ints: the pointer comes in two halves. */
static void start(unsigned high, unsigned low) {
    Coroutine *self = (Coroutine *)((uintptr_t)high << 32 | low);
    REACH_STACK(NULL, &self->caller_stack, &self->caller_stack_size);
    self->body(self->argument);
    self->ended = true;
    LEAVE_STACK(NULL, self->caller_stack, self->caller_stack_size);
    swapcontext(&self->context, &self->caller);
}

void coroutine_begin(Coroutine *coroutine, char *stack, size_t stack_size, void (*body)(void *),
                     void *argument) {
    *coroutine = (Coroutine){.stack = stack, .stack_size = stack_size, .body = body, .argument = argument};
    CLEAN_STACK(coroutine);
    getcontext(&coroutine->context);
    coroutine->context.uc_stack.ss_sp = stack;
    coroutine->context.uc_stack.ss_size = stack_size;
    const uintptr_t pointer = (uintptr_t)coroutine;
    makecontext(&coroutine->context, (void (*)(void))start, 2, (unsigned)(pointer >> 32), (unsigned)pointer);
}

void coroutine_resume(Coroutine *coroutine) {
    LEAVE_STACK(&coroutine->caller_fake_stack, coroutine->stack, coroutine->stack_size);
    swapcontext(&coroutine->caller, &coroutine->context);
    REACH_STACK(coroutine->caller_fake_stack, NULL, NULL);
}

void coroutine_leave(Coroutine *coroutine) {
    LEAVE_STACK(&coroutine->fake_stack, coroutine->caller_stack, coroutine->caller_stack_size);
    swapcontext(&coroutine->context, &coroutine->caller);
    REACH_STACK(coroutine->fake_stack, &coroutine->caller_stack, &coroutine->caller_stack_size);
}
