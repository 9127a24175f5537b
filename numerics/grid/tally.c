/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/grid/tally.h"

#include "base/memory.h"
#include "numerics/grid/traffic.h"
#include <math.h>
#include <string.h>

typedef enum Kind { SUM, ADDED, MOST } Kind;

/* This rank's numbers, and where the answers go. */
typedef struct Asked {
    Kind kind;
    int count;
    void *own, *answer;
} Asked;

/* Room for numbers that stay where they are. */
enum { SHEET = 64 << 10, ALIGNMENT = 16 };

/* A message: how many words are added, those words, and the largest values. */
struct Tally {
    const Grid *grid;
    Asked *asked;
    char **sheet;
    uint64_t *message;
    int count, room;
    int sheets, sheet_of_next; /* of which so much is in use: */
    size_t used;
    int words[MOST + 1]; /* by kind */
    int message_room;
};

void tally_create(const Grid *grid, Tally **out) {
    Tally *t = *out = ALLOCATE(1, Tally);
    t->grid = grid;
}

void tally_destroy(Tally **tally) {
    Tally *t = *tally;
    if (!t) return;
    results_forget(t->grid->exec);
    for (int n = 0; n < t->sheets; n++) memory_free(t->sheet[n]);
    memory_free(t->sheet);
    memory_free(t->asked);
    memory_free(t->message);
    memory_free(t);
    *tally = NULL;
}

static void *own_room(Tally *t, size_t bytes) {
    const size_t room = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (t->sheets > 0 && t->used + room > SHEET) t->sheet_of_next++, t->used = 0;
    if (t->sheet_of_next == t->sheets) {
        t->sheet = ENLARGE(t->sheet, t->sheets + 1, char *);
        t->sheet[t->sheets++] = ALLOCATE(SHEET, char);
    }
    void *here = t->sheet[t->sheet_of_next] + t->used;
    t->used += room;
    return here;
}

static size_t size_of(Kind kind) {
    return kind == SUM ? sizeof(ExactSum) : sizeof(uint64_t);
}

static void *ask(Tally *t, Kind kind, int count, void *answer) {
    const size_t bytes = (size_t)count * size_of(kind);
    if (t->count == t->room) t->asked = ENLARGE(t->asked, t->room = 2 * t->room + 16, Asked);
    void *own = memset(own_room(t, bytes), 0, bytes);
    t->asked[t->count++] = (Asked){kind, count, own, answer};
    t->words[kind] += (int)(bytes / sizeof(uint64_t));
    return own;
}

ExactSum *tally_ask_sums(Tally *t, int count, double *answer) {
    return ask(t, SUM, count, answer);
}

uint64_t *tally_ask_counts(Tally *t, int count, uint64_t *answer) {
    return ask(t, ADDED, count, answer);
}

double *tally_ask_mosts(Tally *t, int count, double *answer) {
    double *own = ask(t, MOST, count, answer);
    for (int n = 0; n < count; n++) own[n] = -INFINITY;
    return own;
}

void tally_most(Tally *t, double own, double *answer) {
    *tally_ask_mosts(t, 1, answer) = own;
}

/* ---- the message ---- */

/* One element of `type` is a whole message. */
static void join(void *from, void *to, int *count, MPI_Datatype *type) {
    const uint64_t *theirs = from;
    uint64_t *ours = to;
    int bytes;
    MPI_Type_size(*type, &bytes);
    const size_t words = (size_t)bytes / sizeof *ours;
    for (int n = 0; n < *count; n++, theirs += words, ours += words) {
        const size_t added = (size_t)ours[0];
        for (size_t m = 1; m < added; m++) ours[m] += theirs[m];
        for (size_t m = added; m < words; m++) {
            double mine, other;
            memcpy(&mine, &ours[m], sizeof mine);
            memcpy(&other, &theirs[m], sizeof other);
            if (!(other <= mine) && !isnan(mine)) ours[m] = theirs[m];
        }
    }
}

static void join_ranks(uint64_t *message, int words, MPI_Comm comm) {
    MPI_Datatype type;
    MPI_Op op;
    MPI_Type_contiguous(words, MPI_UINT64_T, &type);
    MPI_Type_commit(&type);
    MPI_Op_create(join, 1, &op);
    traffic_reduce(message, 1, type, op, comm);
    MPI_Op_free(&op);
    MPI_Type_free(&type);
}

/* Copies all own numbers to the message, or back: those that are added, then the largest values. */
static void pack(const Tally *t, uint64_t *message, bool back) {
    uint64_t *at[] = {[false] = message + 1, [true] = message + 1 + t->words[SUM] + t->words[ADDED]};
    for (int n = 0; n < t->count; n++) {
        const Asked *a = &t->asked[n];
        const size_t bytes = (size_t)a->count * size_of(a->kind);
        uint64_t **here = &at[a->kind == MOST];
        memcpy(back ? a->own : *here, back ? *here : a->own, bytes);
        *here += bytes / sizeof **here;
    }
}

static void answer(const Asked *a) {
    if (a->kind == SUM)
        for (int n = 0; n < a->count; n++) ((double *)a->answer)[n] = exact_sum_value((ExactSum *)a->own + n);
    else
        memcpy(a->answer, a->own, (size_t)a->count * size_of(a->kind));
}

void tally_answer(Tally *t) {
    const Decomposition *d = &t->grid->decomposition;
    const int added = 1 + t->words[SUM] + t->words[ADDED], words = added + t->words[MOST];
    if (t->count == 0) return;
    results_fetch(t->grid->exec);
    traffic.sums++;
    traffic.summed += words;
    if (decomposition_ranks(d) > 1) {
        if (words > t->message_room) t->message = ENLARGE(t->message, t->message_room = 2 * words, uint64_t);
        t->message[0] = (uint64_t)added;
        pack(t, t->message, false);
        join_ranks(t->message, words, t->grid->comm);
        pack(t, t->message, true);
    }
    for (int n = 0; n < t->count; n++) answer(&t->asked[n]);
    t->count = t->sheet_of_next = 0;
    t->used = 0;
    memset(t->words, 0, sizeof t->words);
}
