/* SPDX-License-Identifier: Apache-2.0
 *
 * Which GPU this rank computes on, for measurements.
 */
#ifndef MAEOTIS_GPU_CARD_H
#define MAEOTIS_GPU_CARD_H

#include "gpu/kernel.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Card {
    char name[400];
    double peak; /* of its memory, by clock and width; 0: not known [bytes s-1] */
    int facts;   /* how many of `fact` there are */
    struct {
        const char *name;
        int value;
    } fact[8];
} Card;

/* Of the emulator and of processors: a name alone. Local. */
Card card_of(Exec exec);

#ifdef __cplusplus
}
#endif
#endif
