/* SPDX-License-Identifier: Apache-2.0 */
#include "program/pace.h"

#include <math.h>

/* A step that took very long, because the machine slept, counts as time lost, but does not wipe out what was known. */
static void remember(PaceMemory *m, double took, double made, double memory_s) {
    const double usual = m->made > 0 ? m->took / m->made * made : took;
    const double fade = exp(-fmin(took, 2 * usual) / memory_s);
    m->took = fade * m->took + fmin(took, fmax(memory_s, 2 * usual));
    m->made = fade * m->made + made;
}

void pace_note(Pace *pace, double took_s, double made_s) {
    const double took = fmax(took_s, 1e-9);
    pace->elapsed += fmin(took, 60);
    if (!(made_s > 0)) return;
    if (pace->steps++ == 1) pace->usual = pace->recent = (PaceMemory){0, 0};
    remember(&pace->usual, took, made_s, fmax(60, pace->elapsed / 2));
    remember(&pace->recent, took, made_s, fmax(3, pace->elapsed / 20));
}

void pace_left(const Pace *pace, double model_s, double left[2]) {
    const double differ = 1.25;
    const PaceMemory *u = &pace->usual, *r = &pace->recent;
    left[0] = left[1] = u->made > 0 ? u->took / u->made * model_s : 0;
    if (!(r->made > 0)) return;
    const double recently = r->took / r->made * model_s, least = fmin(left[0], recently),
                 most = fmax(left[0], recently);
    if (most <= differ * least) return;
    left[0] = least;
    left[1] = most;
}
