/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/profiles.h"

#include "base/memory.h"
#include "model/forcing/series.h"
#include <math.h>

enum { RECORDS = 4 }; /* held at once */

struct Profiles {
    Columns *columns;
    bool cubic;
    int layers, values;      /* of a place, 1 at least; of all places */
    double *z;               /* of each value, NaN where no layer is; NULL: places have no layers */
    double *received;        /* the columns of a record */
    double *record[RECORDS]; /* values, of the records `held` */
    int held[RECORDS];
    double *now;
};

static Status load(Profiles *p, int record) {
    const int slot = record % RECORDS;
    if (p->held[slot] == record) return STATUS_OK;
    TRY(columns_load(p->columns, record, p->received));
    for (int m = 0; m < p->values; m++) {
        const double z = p->z ? p->z[m] : 0;
        p->record[slot][m] = isfinite(z) ? columns_at(p->columns, p->received, m / p->layers, z) : 0;
    }
    p->held[slot] = record;
    return STATUS_OK;
}

/* Weights of `count` records from `first` on. */
static void weigh(const double *at, int first, int count, double time, double *weight) {
    for (int n = 0; n < count; n++) {
        weight[n] = 1;
        for (int m = 0; m < count; m++)
            if (m != n) weight[n] *= (time - at[first + m]) / (at[first + n] - at[first + m]);
    }
}

Status profiles_advance(Profiles *p, double time) {
    const double *at;
    const int records = columns_records(p->columns, &at);
    int first = records > 1 ? series_before(at, records, time) : 0, count = records > 1 ? 2 : 1;
    double weight[RECORDS];
    if (p->cubic && records > 2) {
        count = records < RECORDS ? records : RECORDS;
        first = first > 0 ? first - 1 : 0;
        if (first > records - count) first = records - count;
    }
    for (int n = 0; n < count; n++) TRY(load(p, first + n));
    if (count > 1) /* the bracket was checked; rounding and the closing step */
        weigh(at, first, count, fmin(fmax(time, at[0]), at[records - 1]), weight);
    const double *a = p->record[first % RECORDS], *b = p->record[(first + 1) % RECORDS];
    /* where nothing follows: the record's own values, as in a file that goes on */
    const bool last = count == 2 && weight[1] == 1;
    for (int m = 0; m < p->values; m++)
        p->now[m] = count == 1 ? a[m] : last ? b[m] : weight[1] > 0 ? a[m] + weight[1] * (b[m] - a[m]) : a[m];
    for (int m = 0; m < p->values && count > 2; m++) {
        p->now[m] = 0;
        for (int n = 0; n < count; n++) p->now[m] += weight[n] * p->record[(first + n) % RECORDS][m];
    }
    return STATUS_OK;
}

Status profiles_create(const ProfileSource *what, const ProfilePlaces *places, const Grid *g,
                       const Scenario *scenario, Profiles **out) {
    ProfileSource source = *what;
    Columns *columns = NULL;
    const int layers = places->layers > 0 ? places->layers : 1;
    *out = NULL;
    source.flat = places->layers == 0;
    TRY(columns_create(&source, places->count, places->x, places->y, g, scenario, &columns));
    if (!columns) return STATUS_OK;
    Profiles *p = *out = ALLOCATE(1, Profiles);
    *p = (Profiles){
        .columns = columns, .cubic = what->cubic, .layers = layers, .values = places->count * layers};
    if (places->layers > 0) p->z = ALLOCATE(p->values + 1, double);
    for (int m = 0; m < p->values && p->z; m++) p->z[m] = places->z[m];
    p->received = ALLOCATE(columns_size(columns), double);
    for (int n = 0; n < RECORDS; n++) p->record[n] = ALLOCATE(p->values + 1, double), p->held[n] = -1;
    p->now = ALLOCATE(p->values + 1, double);
    return STATUS_OK;
}

void profiles_destroy(Profiles **profiles) {
    Profiles *p = *profiles;
    if (!p) return;
    columns_destroy(&p->columns);
    memory_free(p->z), memory_free(p->received), memory_free(p->now);
    for (int n = 0; n < RECORDS; n++) memory_free(p->record[n]);
    memory_free(p);
    *profiles = NULL;
}

/* ---- for others ---- */

Status profiles_find(MPI_Comm comm, const char *path, const FieldNames *names, bool *found) {
    return gridded_find(comm, path, NULL, names, found, NULL);
}

const double *profiles_values(const Profiles *p) {
    return p->now;
}

int profiles_row(const Profiles *p, int place) {
    return columns_row(p->columns, place);
}

double profiles_spacing(const Profiles *p) {
    const double *time;
    const int records = columns_records(p->columns, &time);
    return records > 1 ? (time[records - 1] - time[0]) / (records - 1) : 0;
}

bool profiles_have_levels(const Profiles *p) {
    return columns_levels(p->columns) > 1;
}

char *profiles_describe(const Profiles *p) {
    return columns_describe(p->columns);
}

const char *profiles_name(const Profiles *p) {
    return columns_name(p->columns);
}
