/* SPDX-License-Identifier: Apache-2.0 */
#include "program/pairing.h"

#include "base/memory.h"
#include <math.h>

static const double SAME_S = 1e-3; /* times that differ by less are the same */

static bool tells_times(const DataFile *file, const char *dim, const DataVariable **time) {
    double seconds;
    *time = datafile_find(file, dim);
    return *time && (*time)->n_dims == 1 && (*time)->size > 0 && data_seconds(file, *time, 0, &seconds);
}

/* Seconds since 1970, to be freed. */
static Status read_times(const DataFile *file, const DataVariable *time, double **out) {
    Pieces all = {time->lengths[0], 1, 1};
    Datum *data = ALLOCATE(time->size, Datum);
    size_t count;
    *out = ALLOCATE(time->size, double);
    const Status status = data_read(file, time, all, 0, data, &count);
    for (size_t n = 0; n < time->size && status == STATUS_OK; n++)
        (void)data_seconds(file, time, data_number(time, data[n]), &(*out)[n]);
    memory_free(data);
    return status;
}

static bool increases(const double *times, size_t count) {
    for (size_t n = 1; n < count; n++)
        if (!(times[n] > times[n - 1])) return false;
    return true;
}

static void pair_times(double *const times[2], Pairing *out) {
    out->count = 0;
    out->by_time = true;
    for (size_t a = 0, b = 0; a < out->records[0] && b < out->records[1];) {
        const double later = times[0][a] - times[1][b];
        if (fabs(later) < SAME_S) out->of[0][out->count] = a, out->of[1][out->count++] = b;
        a += later < SAME_S;
        b += later > -SAME_S;
    }
}

Status pairing_find(const DataFile files[2], const DataVariable *a, const DataVariable *b, Pairing *out) {
    const DataVariable *time[2];
    double *times[2] = {NULL, NULL};
    Status status = STATUS_OK;
    *out = (Pairing){.records = {a->n_dims ? a->lengths[0] : 1, b->n_dims ? b->lengths[0] : 1}};
    const size_t least = out->records[0] < out->records[1] ? out->records[0] : out->records[1];
    for (int f = 0; f < 2; f++) out->of[f] = ALLOCATE(least + 1, size_t);
    for (; out->count < least; out->count++) out->of[0][out->count] = out->of[1][out->count] = out->count;
    if (a->n_dims == 0 || b->n_dims == 0) return STATUS_OK;
    const bool told = tells_times(&files[0], a->dims[0], &time[0]) &&
                      tells_times(&files[1], b->dims[0], &time[1]) &&
                      time[0]->lengths[0] == out->records[0] && time[1]->lengths[0] == out->records[1];
    if (!told) return STATUS_OK;
    for (int f = 0; f < 2; f++) ATTEMPT(read_times(&files[f], time[f], &times[f]));
    if (increases(times[0], out->records[0]) && increases(times[1], out->records[1])) pair_times(times, out);
cleanup:
    for (int f = 0; f < 2; f++) memory_free(times[f]);
    if (status != STATUS_OK) pairing_release(out);
    return status;
}

void pairing_release(Pairing *pairing) {
    for (int f = 0; f < 2; f++) memory_free(pairing->of[f]);
    *pairing = (Pairing){0};
}

bool pairing_is_plain(const Pairing *p) {
    if (p->count != p->records[0] || p->count != p->records[1]) return false;
    for (size_t n = 0; n < p->count; n++)
        if (p->of[0][n] != n || p->of[1][n] != n) return false;
    return true;
}
