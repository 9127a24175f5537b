/* SPDX-License-Identifier: Apache-2.0
 *
 * How fast a run computes, and the time that is left.
 */
#ifndef MAEOTIS_PROGRAM_PACE_H
#define MAEOTIS_PROGRAM_PACE_H

/* Seconds of the clock and of the model, the latest steps with the most weight. */
typedef struct PaceMemory {
    double took, made;
} PaceMemory;

typedef struct Pace {
    PaceMemory usual, recent; /* of the last minute or more, and of the last seconds */
    double elapsed;           /* by the clock, of each step at most a minute [s] */
    int steps;
} Pace;

/* A step that took so long by the clock and advanced the model by so much. The first step, which touches memory and
 * chooses the variants of solvers, counts until there is a second. Local. */
void pace_note(Pace *pace, double took_s, double made_s);

/* The time left by the clock for so much of the model's: by the usual pace, both equal; where the recent pace is another
 * one, because the sea changes or others use the processors, from the faster to the slower of the two. 0 before the
 * first step. Local. */
void pace_left(const Pace *pace, double model_s, double left[2]);

#endif
