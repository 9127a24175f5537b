/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/emu.h"

#include "base/memory.h"
#include "gpu/coroutine.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { STACK = 256 << 10, SHARED_MOST = 48 << 10, SHARED_ARRAYS_MOST = 16 };

typedef enum State { ENDED, READY, AT_BARRIER, IN_WARP, AT_FLAG } State;

typedef struct Team Team; /* a block of threads that is alive */

typedef struct Thread {
    Coroutine coroutine;
    char *stack;
    Team *team;
    int number;
    State state;
    uint64_t wake;     /* asleep until this turn; 0: awake */
    const char *place; /* where it waits */
    const int *flag;
    int flag_value;
} Thread;

struct Team {
    Thread *thread;
    int block, waiting, of_warp, ended; /* of_warp: of those that wait in the warp */
    const char *barrier, *warp;         /* at which some wait */
    int arrays;
    size_t shared_bytes;
    struct {
        const char *place;
        void *memory;
    } shared[SHARED_ARRAYS_MOST];
};

typedef struct Emulator {
    EmuThread *body;
    const void *args;
    BlockShape shape;
    int resident, begun, ended; /* blocks */
    uint64_t seed, random, turn;
    Team *team;
    Thread *thread, *current;
    char *stacks, *message;
} Emulator;

/* The one emulation that runs. A coroutine cannot be handed it: block.h's words have no argument for it. */
static Emulator *emulator;

/* --- the scheduler ------------------------------------------------------------------------------------- */

static bool can_go_on(const Thread *thread) {
    return thread->state == READY || (thread->state == AT_FLAG && *thread->flag >= thread->flag_value);
}

static uint64_t draw(uint64_t below) {
    emulator->random = emulator->random * 6364136223846793005u + 1442695040888963407u;
    return (emulator->random >> 33) % below;
}

/* The first thread from a random one on that is awake and can go on; if all such sleep, the one to wake
 * first. */
static Thread *draw_thread(void) {
    const int count = emulator->resident * emulator->shape.threads;
    const int first = (int)draw((uint64_t)count);
    Thread *next = NULL;
    for (int n = 0; n < count; n++) {
        Thread *thread = &emulator->thread[(first + n) % count];
        if (!can_go_on(thread) || (next && next->wake <= thread->wake)) continue;
        next = thread;
        if (next->wake <= emulator->turn) break;
    }
    return next;
}

/* Where a barrier is missing, some thread must fall far behind before it shows. So a thread that is drawn may
 * fall asleep instead, for anything up to a thousand turns. */
static Thread *next_thread(void) {
    emulator->turn++;
    for (;;) {
        Thread *thread = draw_thread();
        if (!thread) return NULL;
        if (thread->wake == 0 && draw(8) == 0) {
            thread->wake = emulator->turn + (1u << draw(11));
        } else {
            thread->wake = 0;
            return thread;
        }
    }
}

/* --- blocks -------------------------------------------------------------------------------------------- */

static void thread_body(void *argument) {
    const Thread *thread = (const Thread *)argument;
    const BlockPlace at = {thread->number, emulator->shape.threads, thread->team->block,
                           emulator->shape.blocks};
    emulator->body(emulator->args, at);
}

static void team_begin(Team *team) {
    team->block = (int)shuffled(emulator->begun++, emulator->shape.blocks, emulator->seed);
    team->waiting = team->of_warp = team->ended = 0;
    for (int n = 0; n < emulator->shape.threads; n++) {
        Thread *thread = &team->thread[n];
        thread->state = READY;
        thread->wake = 0;
        coroutine_begin(&thread->coroutine, thread->stack, STACK, thread_body, thread);
    }
}

static void team_free_shared(Team *team) {
    for (int n = 0; n < team->arrays; n++) free(team->shared[n].memory);
    team->arrays = 0;
    team->shared_bytes = 0;
}

static void team_end(Team *team) {
    team_free_shared(team);
    emulator->ended++;
    if (emulator->begun < emulator->shape.blocks) team_begin(team);
}

__attribute__((format(printf, 1, 2))) static void say(const char *format, ...) {
    const size_t used = strlen(emulator->message);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(emulator->message + used, EMU_MESSAGE - used, format, arguments);
    va_end(arguments);
}

/* One line for neighbouring threads that wait for the same. */
static void say_who_waits(void) {
    const int count = emulator->resident * emulator->shape.threads;
    for (int n = 0, last; n < count; n = last + 1) {
        const Thread *thread = &emulator->thread[n];
        for (last = n; last + 1 < count; last++) {
            const Thread *next = &emulator->thread[last + 1];
            if (next->team != thread->team || next->state != thread->state || next->place != thread->place)
                break;
        }
        if (!thread->team || thread->team->ended == emulator->shape.threads) continue;
        const int last_number = emulator->thread[last].number;
        say("\n  block %d, thread", thread->team->block);
        say(last > n ? "s %d to %d" : " %d", thread->number, last_number);
        if (thread->state == ENDED) say(": at its end");
        if (thread->state == AT_BARRIER) say(": at the barrier %s", thread->place);
        if (thread->state == IN_WARP) say(": waits for its warp at %s", thread->place);
        if (thread->state == AT_FLAG)
            say(": at %s for a flag to be %d, which is %d", thread->place, thread->flag_value, *thread->flag);
    }
}

static void run_to_the_end(void) {
    for (int n = 0; n < emulator->resident; n++) team_begin(&emulator->team[n]);
    while (emulator->ended < emulator->shape.blocks) {
        Thread *thread = next_thread();
        if (!thread) {
            say("deadlock after %d of %d blocks (seed %llu):", emulator->ended, emulator->shape.blocks,
                (unsigned long long)emulator->seed);
            say_who_waits();
            return;
        }
        emulator->current = thread;
        coroutine_resume(&thread->coroutine);
        if (emulator->message[0]) return;
        if (!thread->coroutine.ended) continue;
        thread->state = ENDED;
        if (++thread->team->ended == emulator->shape.threads) team_end(thread->team);
    }
}

/* Stacks for so many threads, or NULL: kept from launch to launch, as a fresh page costs more than most
 * threads do. */
static struct Stacks {
    char *memory;
    size_t bytes;
} stacks;

static void free_stacks(void) {
    if (stacks.memory) munmap(stacks.memory, stacks.bytes);
    stacks = (struct Stacks){NULL, 0};
}

static char *stacks_for(size_t threads) {
    if (stacks.bytes >= threads * STACK) return stacks.memory;
    free_stacks();
    void *memory = mmap(NULL, threads * STACK, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return NULL;
    stacks = (struct Stacks){memory, threads * STACK};
    return stacks.memory;
}

bool emu_run(EmuThread *body, const void *args, BlockShape shape, int resident, uint64_t seed,
             char message[EMU_MESSAGE]) {
    if (resident > shape.blocks) resident = shape.blocks;
    message[0] = 0;
    if (resident <= 0 || shape.threads <= 0) return true;
    const size_t threads = (size_t)resident * (size_t)shape.threads;
    Emulator mine = {.body = body, .args = args, .shape = shape, .resident = resident};
    mine.seed = mine.random = seed;
    mine.message = message;
    mine.team = ALLOCATE(resident, Team);
    mine.thread = ALLOCATE(threads, Thread);
    mine.stacks = stacks_for(threads);
    if (!mine.stacks) snprintf(message, EMU_MESSAGE, "no memory for %zu stacks", threads);
    for (int n = 0; n < resident; n++) mine.team[n].thread = mine.thread + (ptrdiff_t)n * shape.threads;
    for (size_t n = 0; n < threads; n++) {
        mine.thread[n].stack = mine.stacks + n * STACK;
        mine.thread[n].team = &mine.team[n / (size_t)shape.threads];
        mine.thread[n].number = (int)(n % (size_t)shape.threads);
    }

    emulator = &mine;
    if (!message[0]) run_to_the_end();
    emulator = NULL;

    for (int n = 0; n < resident; n++) team_free_shared(&mine.team[n]);
    if (message[0]) free_stacks(); /* threads that never ended have left something on them */
    memory_free(mine.thread);
    memory_free(mine.team);
    return message[0] == 0;
}

void emu_run_launch(EmuThread *body, const Launch *launch) {
    char message[EMU_MESSAGE];
    const BlockShape shape = {launch->count, launch->threads};
    const int resident = 1 + (int)(launch->seed >> 33) % 4;
    if (emu_run(body, launch->args, shape, resident, launch->seed, message)) return;
    fprintf(stderr, "error: the block kernel %s cannot go on: %s\n", launch->name, message);
    abort();
}

/* --- block.h's words ----------------------------------------------------------------------------------- */

static void wait_in(State state, const char *place) {
    Thread *thread = emulator->current;
    thread->state = state;
    thread->place = place;
    coroutine_leave(&thread->coroutine);
    thread->state = READY;
}

void *emu_shared(const char *place, size_t bytes) {
    Team *team = emulator->current->team;
    for (int n = 0; n < team->arrays; n++)
        if (strcmp(team->shared[n].place, place) == 0) return team->shared[n].memory;
    team->shared_bytes += bytes;
    if (team->arrays == SHARED_ARRAYS_MOST || team->shared_bytes > SHARED_MOST) {
        say("%s: more than %d KiB in shared arrays, or more than %d of them", place, SHARED_MOST >> 10,
            SHARED_ARRAYS_MOST);
        wait_in(READY, place);
    }
    void *memory = malloc(bytes); /* each in a piece of its own, so that AddressSanitizer sees its ends */
    if (!memory) abort();
    memset(memory, 0xff, bytes);
    team->shared[team->arrays].place = place;
    team->shared[team->arrays++].memory = memory;
    return memory;
}

void emu_barrier(const char *place) {
    Team *team = emulator->current->team;
    if (team->waiting == 0) team->barrier = place;
    if (strcmp(team->barrier, place) != 0)
        say("block %d: thread %d is at the barrier %s, others at %s", team->block, emulator->current->number,
            place, team->barrier);
    if (++team->waiting == emulator->shape.threads) {
        team->waiting = 0;
        for (int n = 0; n < emulator->shape.threads; n++) team->thread[n].state = READY;
        wait_in(READY, place);
    } else {
        wait_in(AT_BARRIER, place);
    }
}

/* Until the first `count` threads are here. */
static void meet_in_warp(const char *place, int count) {
    Team *team = emulator->current->team;
    if (team->of_warp == 0) team->warp = place;
    if (strcmp(team->warp, place) != 0)
        say("block %d: thread %d meets its warp at %s, others at %s", team->block, emulator->current->number,
            place, team->warp);
    if (++team->of_warp < count) {
        wait_in(IN_WARP, place);
        return;
    }
    team->of_warp = 0;
    for (int n = 0; n < count; n++) team->thread[n].state = READY;
    wait_in(READY, place);
}

/* Two arrays in turn, so that a thread that is fast does not write what a slow one has not read. */
double emu_before(const char *place, double x, int turn, int count) {
    const int thread = emulator->current->number;
    double *all = (double *)emu_shared(place, 2 * WARP_THREADS * sizeof x) + (turn & 1) * WARP_THREADS;
    if (count > WARP_THREADS || thread >= count) {
        say("%s: thread %d is not among the first %d of a warp", place, thread, count);
        wait_in(READY, place);
    }
    all[thread] = x;
    meet_in_warp(place, count);
    return all[thread > 0 ? thread - 1 : 0];
}

void emu_flag_post(int *flag, int value) {
    *flag = value;
    wait_in(READY, "");
}

void emu_flag_wait(const int *flag, int value, const char *place) {
    emulator->current->flag = flag;
    emulator->current->flag_value = value;
    wait_in(AT_FLAG, place);
}

void emu_letter_post(Letter *letter, int bits, int number) {
    letter->bits = bits;
    emu_flag_post(&letter->number, number);
}

int emu_letter_wait(const Letter *letter, int number, const char *place) {
    emu_flag_wait(&letter->number, number, place);
    if (letter->number != number) { /* a GPU would wait for ever */
        say("%s: letter %d was replaced by %d before it was read", place, number, letter->number);
        wait_in(READY, place);
    }
    return letter->bits;
}
