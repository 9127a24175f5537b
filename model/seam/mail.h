/* SPDX-License-Identifier: Apache-2.0
 *
 * Numbers of numbered items from the ranks that know them to those that want them: between the two grids of a zoom, which
 * are shared among the same ranks in different ways. All ranks know the same two answers for each item, so that nobody asks.
 */
#ifndef MAEOTIS_MODEL_SEAM_MAIL_H
#define MAEOTIS_MODEL_SEAM_MAIL_H

#include <mpi.h>
#include <stdbool.h>

/* Who knows item n, and does this rank want it? The same answers on all ranks. */
typedef struct MailPlan {
    int items;
    int (*owner)(const void *context, int item);
    bool (*wants)(const void *context, int item, int rank);
    const void *context;
} MailPlan;

typedef struct Mail {
    MPI_Comm comm;
    int ranks, width;   /* numbers of an item */
    int n_give, *give;  /* items, for one rank after the other */
    bool *again;        /* of give: the item goes to another rank, too, and stands before */
    int n_take, *take;  /* likewise, as they come */
    int *given, *taken; /* how many of them to and from each rank */
    int *counts;        /* for MPI, of both and their places */
    double *out, *in;   /* out[n * width + m] of give[n], in[...] of take[n] */
} Mail;

/* Local. */
void mail_create(MPI_Comm comm, const MailPlan *plan, int width, Mail *out);
void mail_release(Mail *mail);

/* From `out` to `in`. Collective. */
void mail_send(Mail *mail);

#endif
