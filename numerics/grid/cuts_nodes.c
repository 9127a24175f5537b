/* SPDX-License-Identifier: Apache-2.0
 *
 * Strips of two levels: each device (the cores of a node, or its GPUs: ranks in turn of about one speed) has some strips of
 * its own, so that a node has a subdomain of whole rows. From south to north they follow each other as the ranks do.
 */
#include "numerics/grid/cut_trials.h"

#include <math.h>

/* Ranks of one device are not of exactly one speed where it was measured. */
static const double ALIKE = 2;

/* The end of the device that begins with this rank. */
static int device_end(const CutProblem *p, int from, int ranks, double *speed) {
    const double of_first = cut_speed(p, from);
    int n = from;
    *speed = 0;
    while (n < ranks && machine_link(p->node, from, n) == LINK_INSIDE && cut_speed(p, n) < ALIKE * of_first &&
           ALIKE * cut_speed(p, n) > of_first)
        *speed += cut_speed(p, n++);
    return n;
}

int cuts_device_strips(const CutTable *t, int ranks, double shape, int *first) {
    const CutProblem *p = t->problem;
    const int most_x = t->positions[ALONG_X] / t->least[ALONG_X],
              most_y = t->positions[ALONG_Y] / t->least[ALONG_Y];
    int strips = 0, end;
    for (int from = 0; from < ranks; from = end) {
        double speed;
        end = device_end(p, from, ranks, &speed);
        const int count = end - from, least = (count + most_x - 1) / most_x;
        const double rows = p->ny * speed / t->speeds;
        /* rows / strips = shape * columns * strips / count */
        int parts = (int)lround(sqrt(rows * count / (shape * p->nx)));
        parts = parts < least ? least : parts > count ? count : parts;
        if (strips + parts > most_y) return 0;
        for (int m = 0; m < parts; m++) first[strips++] = from + (int)((int64_t)count * m / parts);
    }
    first[strips] = ranks;
    return strips;
}
