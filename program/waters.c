/* SPDX-License-Identifier: Apache-2.0 */
#include "program/waters.h"

#include "base/memory.h"

/* The next stretch of a row from place `at` on; false: there is none. */
static bool next_stretch(const bool *under, int n, int at, Stretch *out) {
    while (at < n && !under[at]) at++;
    out->from = out->to = at;
    while (out->to < n && under[out->to]) out->to++;
    return out->to > out->from;
}

static int64_t root_of(Waters *w, int64_t stretch) {
    while (w->first[stretch] != stretch) {
        w->first[stretch] = w->first[w->first[stretch]];
        stretch = w->first[stretch];
    }
    return stretch;
}

static void join(Waters *w, int64_t one, int64_t other) {
    one = root_of(w, one), other = root_of(w, other);
    const int64_t low = one < other ? one : other, high = one < other ? other : one;
    w->first[high] = low;
    w->reached[low] |= w->reached[high];
}

static bool has_source(const bool *source, Stretch s) {
    for (int n = s.from; n < s.to; n++)
        if (source[n]) return true;
    return false;
}

static void make_room(Waters *w, int n) {
    if (w->count + n > w->room) {
        w->room = 2 * w->room + n;
        w->first = ENLARGE(w->first, w->room, int64_t);
        w->reached = ENLARGE(w->reached, w->room, bool);
    }
    if (n > w->row_room) w->row = ENLARGE(w->row, 2 * n, Stretch), w->row_room = n;
}

void waters_add(Waters *w, const bool *under, const bool *source, int n) {
    make_room(w, n / 2 + 1);
    Stretch *own = w->row + w->row_room, s = {0, 0};
    const int64_t begin = w->count;
    int below = 0, found = 0;
    for (; next_stretch(under, n, s.to, &s); found++) {
        const int64_t number = w->count++;
        own[found] = s;
        w->first[number] = number;
        w->reached[number] = has_source(source, s);
        while (below < w->in_row && w->row[below].to <= s.from) below++;
        for (int b = below; b < w->in_row && w->row[b].from < s.to; b++) join(w, w->row_first + b, number);
    }
    for (int m = 0; m < found; m++) w->row[m] = own[m];
    w->in_row = found, w->row_first = begin;
}

void waters_drain(Waters *w, bool *under, int n) {
    Stretch s = {0, 0};
    while (next_stretch(under, n, s.to, &s)) {
        if (w->reached[root_of(w, w->next++)]) continue;
        for (int m = s.from; m < s.to; m++) under[m] = false;
    }
}

void waters_release(Waters *w) {
    memory_free(w->first), memory_free(w->reached), memory_free(w->row);
    *w = (Waters){0};
}
