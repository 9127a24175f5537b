/* SPDX-License-Identifier: Apache-2.0 */
#include "model/seam/mail.h"

#include "base/memory.h"

/* The items that go from one rank to the other; `list`: NULL only counts. */
static int items_between(const MailPlan *plan, int from, int to, int *list) {
    int count = 0;
    for (int n = 0; n < plan->items; n++) {
        if (plan->owner(plan->context, n) != from || !plan->wants(plan->context, n, to)) continue;
        if (list) list[count] = n;
        count++;
    }
    return count;
}

/* Lists and their lengths by rank: of what goes out, or of what comes in. */
static int *list_items(const MailPlan *plan, int rank, int ranks, bool out, int *length, int *total) {
    *total = 0;
    for (int r = 0; r < ranks; r++)
        *total += length[r] = items_between(plan, out ? rank : r, out ? r : rank, NULL);
    int *list = ALLOCATE(*total + 1, int), *next = list;
    for (int r = 0; r < ranks; r++) next += items_between(plan, out ? rank : r, out ? r : rank, next);
    return list;
}

void mail_create(MPI_Comm comm, const MailPlan *plan, int width, Mail *m) {
    int rank;
    *m = (Mail){.comm = comm, .width = width};
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &m->ranks);
    m->given = ALLOCATE(m->ranks, int);
    m->taken = ALLOCATE(m->ranks, int);
    m->counts = ALLOCATE(4 * m->ranks, int);
    m->give = list_items(plan, rank, m->ranks, true, m->given, &m->n_give);
    m->again = ALLOCATE(m->n_give + 1, bool);
    int last = 0;
    for (int n = 0; n < m->n_give; n++) last = m->give[n] > last ? m->give[n] : last;
    bool *seen = ALLOCATE(last + 1, bool);
    for (int n = 0; n < m->n_give; n++) m->again[n] = seen[m->give[n]], seen[m->give[n]] = true;
    memory_free(seen);
    m->take = list_items(plan, rank, m->ranks, false, m->taken, &m->n_take);
    int *sent = m->counts, *from = sent + m->ranks, *got = from + m->ranks, *to = got + m->ranks;
    for (int r = 0; r < m->ranks; r++) {
        sent[r] = width * m->given[r], got[r] = width * m->taken[r];
        from[r] = r > 0 ? from[r - 1] + sent[r - 1] : 0;
        to[r] = r > 0 ? to[r - 1] + got[r - 1] : 0;
    }
    m->out = ALLOCATE((size_t)m->n_give * (size_t)width + 1, double);
    m->in = ALLOCATE((size_t)m->n_take * (size_t)width + 1, double);
}

void mail_release(Mail *m) {
    memory_free(m->give), memory_free(m->again), memory_free(m->take), memory_free(m->given),
        memory_free(m->taken);
    memory_free(m->counts), memory_free(m->out), memory_free(m->in);
    *m = (Mail){0};
}

void mail_send(Mail *m) {
    const int *sent = m->counts, *from = sent + m->ranks, *got = from + m->ranks, *to = got + m->ranks;
    MPI_Alltoallv(m->out, sent, from, MPI_DOUBLE, m->in, got, to, MPI_DOUBLE, m->comm);
}
