/* SPDX-License-Identifier: Apache-2.0 */
#include "kinetics/guard.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A signal handler finds nothing but what is global. */
static struct {
    const MaeotisKinetics *module;
    volatile sig_atomic_t inside;
    volatile sig_atomic_t calls; /* so far */
    char name[200];
} guard;

static void say(const char *text) {
    if (write(STDERR_FILENO, text, strlen(text)) < 0) return;
}

static void report(int signal_number) {
    if (!guard.inside) { /* not ours */
        signal(signal_number, SIG_DFL);
        raise(signal_number);
        return;
    }
    say("error: the kinetics module ");
    say(guard.name);
    say(signal_number == SIGFPE    ? " crashed (arithmetic)"
        : signal_number == SIGABRT ? " crashed (abort)"
                                   : " crashed (wrong memory access)");
    say(": the files written so far are intact. `maeotis kinetics check` tries the module by itself\n");
    _exit(1);
}

int guard_call(void) {
    return guard.inside ? guard.calls : -1;
}

void guard_give_up(void) {
    say("error: the kinetics module ");
    say(guard.name);
    say(" does not return, and the run was asked to stop: it ends without a restart file; the files written "
        "so far are intact\n");
    _exit(1);
}

/* A module that ends the process must not look like a run that succeeded. */
void guard_refuse_exit(void) {
    if (!guard.inside) return;
    guard.inside = 0;
    say("error: the kinetics module ");
    say(guard.name);
    say(" ended the program: the files written so far are intact. A module must not call exit; for FABM, "
        "look at its file\n");
    _exit(1);
}

static void watch(void) {
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    static bool watched;
    if (!watched) atexit(guard_refuse_exit);
    watched = true;
    struct sigaction action = {.sa_handler = report};
    sigemptyset(&action.sa_mask);
    for (size_t n = 0; n < sizeof signals / sizeof *signals; n++) sigaction(signals[n], &action, NULL);
}

static void enter(void) {
    guard.calls = (guard.calls + 1) & 0x3fffffff;
    guard.inside = 1;
}

void guard_begin(const char *name) {
    strncpy(guard.name, name, sizeof guard.name - 1);
    watch();
    enter();
}

void guard_end(void) {
    guard.inside = 0;
}

void guard_rates(const MaeotisKinetics *module) {
    guard.module = module;
}

void guarded_water(const MaeotisEnvironment *e, const double *a, const double *const *c,
                   double *const *rate) {
    enter();
    guard.module->water(e, a, c, rate);
    guard.inside = 0;
}

void guarded_surface(const MaeotisEnvironment *e, const double *a, const double *const *c,
                     double *const *rate) {
    enter();
    guard.module->surface(e, a, c, rate);
    guard.inside = 0;
}

void guarded_bed(const MaeotisEnvironment *e, const double *a, const double *const *c, double *const *rate) {
    enter();
    guard.module->bed(e, a, c, rate);
    guard.inside = 0;
}
