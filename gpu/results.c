/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu/results.h"

#include "base/memory.h"
#include "gpu/device.h"

enum { ROOM = 2 * RESULT_MOST, QUESTIONS_MOST = 256, ALIGNMENT = 64 };

typedef struct Question {
    size_t at; /* in the room */
    int count;
    ResultTake *take;
    void *into;
} Question;

struct Results {
    char *room; /* the device's */
    char *found;
    size_t used, soiled; /* soiled: by results that were fetched */
    int count;
    Question question[QUESTIONS_MOST];
};

/* Of an Exec made by hand, whose launches run at once. */
static struct Results *of_host(void) {
    static _Alignas(ALIGNMENT) char room[ROOM];
    static struct Results results = {.room = room, .found = room};
    return &results;
}

static struct Results *of(Exec exec) {
    return exec.results ? exec.results : of_host();
}

Status results_create(Exec exec, struct Results **out) {
    struct Results *r = *out = ALLOCATE(1, struct Results);
    void *room, *found;
    Status status;
    ATTEMPT(device_allocate(exec, ROOM, &room));
    r->room = r->found = (char *)room;
    if (exec.device == DEVICE_CPU) return STATUS_OK;
    ATTEMPT(pinned_allocate(exec, ROOM, &found));
    r->found = (char *)found;
    return STATUS_OK;
cleanup:
    results_destroy(exec, out);
    return status;
}

void results_destroy(Exec exec, struct Results **results) {
    struct Results *r = *results;
    if (!r) return;
    if (r->found != r->room) pinned_free(exec, r->found);
    if (r->room) device_free(exec, r->room);
    memory_free(r);
    *results = NULL;
}

void results_forget(Exec exec) {
    struct Results *r = of(exec);
    if (r->used > r->soiled) r->soiled = r->used;
    r->used = 0;
    r->count = 0;
}

void *results_ask(Exec exec, size_t bytes, int count, ResultTake *take, void *into) {
    struct Results *r = of(exec);
    const size_t room = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    if (r->used + room > ROOM || r->count == QUESTIONS_MOST) results_fetch(exec);
    if (r->used == 0 && r->soiled > 0) {
        exec_clear(exec, r->room, r->soiled);
        r->soiled = 0;
    }
    void *here = r->room + r->used;
    r->question[r->count++] = (Question){r->used, count, take, into};
    r->used += room;
    return here;
}

void results_fetch(Exec exec) {
    struct Results *r = of(exec);
    if (r->count == 0) return;
    const bool here = r->found == r->room;
    const bool good = here || device_fetch(exec, r->found, r->room, r->used) == STATUS_OK;
    for (int n = 0; n < r->count; n++) {
        const Question *q = &r->question[n];
        q->take(good ? r->found + q->at : NULL, q->count, q->into);
    }
    results_forget(exec);
}
