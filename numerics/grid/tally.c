/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/grid/tally.h"

#include "base/memory.h"
#include "numerics/grid/traffic.h"
#include <math.h>
#include <string.h>

typedef enum Kind { SUM, ADDED, MOST } Kind;

/* Where a number stands among those of its kind, and where the answer goes. */
typedef struct Asked {
    Kind kind;
    int place;
    void *answer;
} Asked;

/* A message: how many words are added, those words, and the largest values. */
struct Tally {
    const Grid *grid;
    Asked *asked;
    uint64_t *word; /* [0]: how many are added */
    double *most;
    int count, words, mosts;
    int room, word_room, most_room;
};

void tally_create(const Grid *grid, Tally **out) {
    Tally *t = *out = ALLOCATE(1, Tally);
    t->grid = grid;
    t->words = 1;
}

void tally_destroy(Tally **tally) {
    if (!*tally) return;
    memory_free((*tally)->asked);
    memory_free((*tally)->word);
    memory_free((*tally)->most);
    memory_free(*tally);
    *tally = NULL;
}

static void make_word_room(Tally *t, int words) {
    if (words <= t->word_room) return;
    t->word_room = 2 * words;
    t->word = ENLARGE(t->word, t->word_room, uint64_t);
}

static void note(Tally *t, Kind kind, int place, void *answer) {
    if (t->count == t->room) t->asked = ENLARGE(t->asked, t->room = 2 * t->room + 16, Asked);
    t->asked[t->count++] = (Asked){kind, place, answer};
}

static void ask_words(Tally *t, Kind kind, const void *own, int words, void *answer) {
    make_word_room(t, t->words + words);
    note(t, kind, t->words, answer);
    memcpy(t->word + t->words, own, (size_t)words * sizeof *t->word);
    t->words += words;
}

void tally_sum(Tally *t, const ExactSum *own, double *answer) {
    ask_words(t, SUM, own->limb, EXACT_SUM_LIMBS, answer);
}

void tally_add(Tally *t, uint64_t own, uint64_t *answer) {
    ask_words(t, ADDED, &own, 1, answer);
}

void tally_most(Tally *t, double own, double *answer) {
    if (t->mosts == t->most_room) t->most = ENLARGE(t->most, t->most_room = 2 * t->most_room + 16, double);
    note(t, MOST, t->mosts, answer);
    t->most[t->mosts++] = own;
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

static void answer(const Tally *t, const Asked *a) {
    ExactSum sum;
    switch (a->kind) {
    case SUM:
        memcpy(sum.limb, t->word + a->place, sizeof sum.limb);
        *(double *)a->answer = exact_sum_value(&sum);
        break;
    case ADDED:
        *(uint64_t *)a->answer = t->word[a->place];
        break;
    case MOST:
        *(double *)a->answer = t->most[a->place];
        break;
    }
}

void tally_answer(Tally *t) {
    const Decomposition *d = &t->grid->decomposition;
    const int words = t->words + t->mosts;
    if (t->count == 0) return;
    traffic.sums++;
    traffic.summed += words;
    if (d->ranks_x * d->ranks_y > 1) {
        const size_t bytes = (size_t)t->mosts * sizeof *t->most;
        make_word_room(t, words);
        t->word[0] = (uint64_t)t->words;
        if (bytes > 0) memcpy(t->word + t->words, t->most, bytes);
        join_ranks(t->word, words, t->grid->comm);
        if (bytes > 0) memcpy(t->most, t->word + t->words, bytes);
    }
    for (int n = 0; n < t->count; n++) answer(t, &t->asked[n]);
    t->count = t->mosts = 0;
    t->words = 1;
}
