/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/touched.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { PAGE = 4096, LEAST = 4 * PAGE, BLOCKS_MOST = 4096, HANDLER_STACK = 64 << 10 };

enum { UNTOUCHED, READ, WRITTEN, BOTH };

typedef struct Watched {
    char *start;
    size_t pages;
    unsigned char *state; /* of its pages; NULL: it came while a launch ran */
} Watched;

static Watched block[BLOCKS_MOST];
static int blocks;
static bool watching, running;

static void set_access(const Watched *w, int access) {
    (void)mprotect(w->start, w->pages * PAGE, access);
}

void *touched_get(size_t bytes) {
    if (!watching || bytes < LEAST || blocks == BLOCKS_MOST) return NULL;
    const size_t pages = (bytes + PAGE - 1) / PAGE;
    void *start = mmap(NULL, pages * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED) return NULL;
    block[blocks++] = (Watched){(char *)start, pages, running ? NULL : calloc(pages, 1)};
    return start;
}

bool touched_put(void *start) {
    for (int n = 0; n < blocks; n++)
        if (block[n].start == (char *)start) {
            (void)munmap(start, block[n].pages * PAGE);
            free(block[n].state);
            block[n] = block[--blocks];
            return true;
        }
    return false;
}

void touched_begin(void) {
    for (int n = 0; n < blocks; n++)
        if (block[n].state) {
            memset(block[n].state, UNTOUCHED, block[n].pages);
            set_access(&block[n], PROT_NONE);
        }
    running = true;
}

Touched touched_end(void) {
    Touched touched = {0, 0};
    running = false;
    for (int n = 0; n < blocks; n++) {
        Watched *w = &block[n];
        for (size_t page = 0; w->state && page < w->pages; page++) {
            touched.read += w->state[page] & READ ? PAGE : 0;
            touched.written += w->state[page] & WRITTEN ? PAGE : 0;
        }
        if (w->state) set_access(w, PROT_READ | PROT_WRITE);
        if (!w->state) w->state = calloc(w->pages, 1);
    }
    return touched;
}

#if defined(__x86_64__) && defined(__linux__)

/* Opens the page for what is being done to it. Elsewhere a fault is what it would have been. */
static void open_page(int signal_number, siginfo_t *info, void *context) {
    const bool writes = ((ucontext_t *)context)->uc_mcontext.gregs[REG_ERR] & 2;
    char *at = info->si_addr;
    for (int n = 0; n < blocks; n++) {
        Watched *w = &block[n];
        if (at < w->start || at >= w->start + w->pages * PAGE || !w->state) continue;
        const size_t page = (size_t)(at - w->start) / PAGE;
        w->state[page] |= writes ? WRITTEN : READ;
        (void)mprotect(w->start + page * PAGE, PAGE, writes ? PROT_READ | PROT_WRITE : PROT_READ);
        return;
    }
    (void)signal(signal_number, SIG_DFL);
}

Status touched_watch(void) {
    static char stack[HANDLER_STACK]; /* what runs may stand on a stack that is locked */
    const stack_t place = {.ss_sp = stack, .ss_size = sizeof stack};
    struct sigaction action = {.sa_sigaction = open_page, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    CHECK(sigaltstack(&place, NULL) == 0 && sigaction(SIGSEGV, &action, NULL) == 0, STATUS_FAILED,
          "this system does not report which memory is touched");
    watching = true;
    return STATUS_OK;
}

#else

Status touched_watch(void) {
    return error_raise(STATUS_BAD_INPUT, "bytes are counted only on Linux on x86-64 processors");
}

#endif
