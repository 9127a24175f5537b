/* SPDX-License-Identifier: Apache-2.0
 *
 * Cuts of a grid into ranks_x x ranks_y rectangles, so that the busiest rank is done as early as can be: its own
 * work at its own speed, and the halos that it sends.
 *
 * A rank that owns the rectangle R takes, in units of work,
 *
 *     t(R) = work(R) / speed + edge of the side * its length, for R's sides that have a neighbour,
 *
 * which grows with R. For given cuts along y, the best cuts along x are therefore found by bisection of the
 * largest t: a value is reached if each part in turn, made as long as the value allows, leaves nothing over.
 *
 * Straight: all cuts of one direction are common to all ranks. A rank has one neighbour on a side, and lines along x
 * or y stay within a row or column of ranks. Cuts along x and along y are improved in turn until neither gets better.
 *
 * In strips: cuts along y, which make strips, are common to all ranks, but each strip has its own cuts along x. A rank
 * has one western and one eastern neighbour, and one or more on its southern and northern sides. These cuts are the
 * best that there are: a value of t is reached if each strip in turn, made as high as the value allows, leaves
 * nothing over. Strips may have different numbers of ranks, which follow each other in all strips: where nodes or devices
 * are unequal, some strips together are the subdomain of a node, of which some are the block of its GPUs and some that of
 * its cores. Their heights follow from the sums of speeds.
 *
 * Local: no rank asks another.
 */
#ifndef MAEOTIS_NUMERICS_CUTS_H
#define MAEOTIS_NUMERICS_CUTS_H

#include "numerics/cluster/machine.h"
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* By speed: straight where all ranks are alike and on one node, else the best. */
typedef enum CutKind { CUTS_BY_SPEED, CUTS_STRAIGHT, CUTS_STRIPS, CUTS_BEST } CutKind;

typedef struct CutProblem {
    int nx, ny;
    /* work in a column, row after row; or in each of the groups that follow each other */
    const double *weight;
    int group; /* columns of one weight, of which the grain is a multiple; 0: 1 */
    bool periodic_x, periodic_y;
    CutKind kind;
    int grain;    /* cuts along x are multiples of it [columns] */
    int thinnest; /* least width and height of a rectangle [columns, rows] */
    int patch;    /* sweeps stay within squares of so many columns and rows; 0: they pass all */
    /* what it costs to copy one column of a western or eastern edge, and of a southern or northern one, in units of work */
    double edge[2];
    double passing
        [LINKS]; /* what the messages of one column of an edge cost in a step, by the link that they pass */
    double meeting[LINKS]; /* what a neighbour costs in a step, whatever the length of the edge */
    double stage[LINKS];   /* what a sweep's message from rank to rank costs, all sweeps of a step together */
    double swept;          /* the part of the work that consists of sweeps (see cuts_find) */
    const double *speed;   /* of each rank, relative; NULL: all alike */
    const int *node;       /* as of Machine */
    const int *strips;     /* `first` of Cuts, for n_strips: these, whatever the kind; NULL: chosen */
    int n_strips;
} CutProblem;

/* Rank (p, q), which is rank first[q] + p, owns x[p] <= i < x[p+1] of its strip's cuts, y[q] <= j < y[q+1]. */
typedef struct Cuts {
    int ranks_x;    /* of the strip that has the most */
    int ranks_y;    /* strips */
    int *first;     /* the first rank of each strip; at the end, the number of ranks */
    int *x, *y;     /* x: strip after strip, see cuts_of_strip */
    bool straight;  /* all strips have the same cuts */
    double busiest; /* the largest t */
} Cuts;

static inline int cuts_ranks(const Cuts *cuts) {
    return cuts->first[cuts->ranks_y];
}

/* The ranks of strip q. */
static inline int cuts_in_strip(const Cuts *cuts, int q) {
    return cuts->first[q + 1] - cuts->first[q];
}

/* The cuts of strip q along x, one more than it has ranks. */
static inline const int *cuts_of_strip(const Cuts *cuts, int q) {
    return cuts->x + cuts->first[q] + q;
}

/* "4 x 2", ranks in a strip and strips; "1-7 x 4", if strips have from 1 to 7. Returns `out`. */
enum { CUTS_SHAPE = 40 };
const char *cuts_shape(const Cuts *cuts, char out[CUTS_SHAPE]);

/* Have all strips as many ranks? */
static inline bool cuts_alike(const int *first, int ranks_y) {
    for (int q = 1; q <= ranks_y; q++)
        if (first[q] != q * first[1]) return false;
    return true;
}

/* The strip of a rank. */
static inline int cuts_strip_of(const int *first, int ranks_y, int rank) {
    int q = 0, beyond = ranks_y;
    while (beyond - q > 1) {
        const int middle = q + (beyond - q) / 2;
        if (first[middle] <= rank)
            q = middle;
        else
            beyond = middle;
    }
    return q;
}

/* The ranks of another strip, with the cuts `x`, that have columns beside from <= i < until: `*count` of them, from
 * the returned one on. */
int cuts_beside(const int *x, int ranks_x, int from, int until, int *count);

/* Does no sweep pass a cut at this column or row? */
static inline bool cuts_on_border(int patch, int place) {
    return patch > 0 && place % patch == 0;
}

/* How many ranks a sweep passes one behind the other at most, along x and y. */
void cuts_chains(const Cuts *cuts, int patch, int chain[2]);

/* Cuts for so many ranks, of the shape ranks_x x ranks_y or, if these are 0, of the best one. A sweep passes
 * ranks along the longer side of the shape one behind the other, but along the shorter side they wait for each
 * other; each waits for all that it reads from, which are more of them where the cuts of its strip are not those of the
 * next, but never across a border of patches: where that is faster, cuts lie on those alone. false: no shape fits. `out`
 * is to be released in either case. */
bool cuts_find(const CutProblem *problem, int ranks, int ranks_x, int ranks_y, Cuts *out);
void cuts_release(Cuts *cuts);

/* The work in columns from <= i < until of row j; both ends are multiples of the group, or the row's. */
double cuts_work(const CutProblem *problem, int j, int from, int until);

/* The work of the busiest rank over that of the mean one, both relative to their speeds; 1: perfect. */
double cuts_imbalance(const CutProblem *problem, const Cuts *cuts);

/* Into how many parts n columns (rows) can be cut at multiples of `grain`, none thinner than `thinnest`. */
int cuts_most_parts(int n, int grain, int thinnest);

#ifdef __cplusplus
}
#endif
#endif
