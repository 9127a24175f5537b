/* SPDX-License-Identifier: Apache-2.0
 *
 * The graph of a sweep's fragments: figure 3 of the method's authors (cluster.h). A fragment is a piece of a rank's part of the
 * grid; an edge of the graph is a message, by which a fragment gets the last cells of the one before it in another rank. It is
 * made once, and walked by the sweeps themselves (numerics/matm/pipeline.h: a launch for each fragment on a device), by their
 * forecast (forecast.h) and by the picture of `maeotis plan`.
 *
 * A part of n1 x n2 cells is cut into bundles of whole groups of eight rows, each of which goes east when it is done; or, where
 * more ranks stand along y than along x, into stretches between two lines of equal i + j, whose pieces of rows go north
 * (fragments.h: how many). Fragment k follows fragment k - 1 of its rank. Along the direction of the longer chain fragment k of
 * rank p can run in stage s = k + p, together with all of that number: the authors' s = k i + j, with columns that are whole.
 * Where ranks wait for each other in the other direction, too, stages are the longest ways through the graph. Sweeps back run
 * through it the other way, by messages of their own.
 *
 * Fragments without water are left out, as are messages over borders where no water meets water; others carry what lies
 * between the first and the last such place.
 */
#ifndef MAEOTIS_NUMERICS_GRAPH_H
#define MAEOTIS_NUMERICS_GRAPH_H

#include "numerics/grid/cuts.h"
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum GraphWay { GRAPH_FORWARD, GRAPH_BACKWARD, GRAPH_WAYS } GraphWay;

/* The part of a rank, and how it is cut. */
typedef struct GraphPart {
    int rank, p, q;
    int first[2], n1, n2;  /* its first column and row in the whole grid; its columns and rows */
    int fragments;         /* with those that have no water */
    int bundle, stretches; /* rows of a bundle; 1: it is cut into bundles */
} GraphPart;

/* The cells of fragment k lie in rows[0] <= j < rows[1] and lines[0] <= i + j < lines[1] of the part; the outermost lines leave
 * room for the unused lanes beyond it. */
typedef struct FragmentPlace {
    int rows[2], lines[2];
} FragmentPlace;

typedef struct Fragment {
    int rank, k;  /* its calculator is that of the rank */
    double cells; /* to be swept */
} Fragment;

/* Rows (along_x) or columns from <= n < until of the whole grid, from or to fragment k of another rank. */
typedef struct GraphMessage {
    int rank, k;
    int from, until;
    bool along_x, on_border; /* on_border: of patches */
} GraphMessage;

/* Messages, in the order in which they travel, of each fragment. */
typedef struct GraphMessages {
    GraphMessage *message;
    int *first; /* of fragment n; at the end, their number */
} GraphMessages;

typedef struct Graph {
    int fragments;
    Fragment *fragment; /* rank after rank, in the order of sweeps forward */
    GraphMessages awaited[GRAPH_WAYS], given[GRAPH_WAYS];
    int64_t dry; /* fragments that are left out */
} Graph;

/* The graph of the ranks first_rank <= n < end_rank. */
typedef struct GraphProblem {
    const Cuts *cuts;
    int finer;               /* a column of the cuts stands for finer x finer ones of the grid */
    int messages, stretches; /* of a sweep (fragments.h) */
    int patch;
    bool in_patches; /* no message crosses a border of patches */
    /* What is to be swept in a column of the cuts, of those ranks and of all around them; 0: land. */
    double (*cells)(const void *context, int i, int j);
    const void *context;
    int first_rank, end_rank;
    bool giving; /* with the messages that they give, not only those that they await */
} GraphProblem;

/* Local, as are the others. */
Graph graph_create(const GraphProblem *problem);
void graph_release(Graph *graph);

GraphPart graph_part(const GraphProblem *problem, int rank);
FragmentPlace fragment_place(const GraphPart *part, int k);

/* The fragment that holds the cell (i, j) of the part. */
int fragment_at(const GraphPart *part, int i, int j);

#ifdef __cplusplus
}
#endif
#endif
