/* SPDX-License-Identifier: Apache-2.0 */
#include "program/datafile.h"

#include "base/calendar.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/netcdf_in.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const size_t PIECE = 1 << 20; /* values */

static int by_name(const void *a, const void *b) {
    return strcmp(((const DataVariable *)a)->name, ((const DataVariable *)b)->name);
}

static bool find_variable(int file, int id, DataVariable *v) {
    int dims[NC_MAX_VAR_DIMS], unlimited = -1;
    if (nc_inq_var(file, id, v->name, &v->type, &v->n_dims, NULL, NULL) != NC_NOERR) return false;
    if (v->n_dims > DATA_DIMS || v->type == NC_STRING || v->type > NC_MAX_ATOMIC_TYPE) return false;
    if (nc_inq_vardimid(file, id, dims) != NC_NOERR) return false;
    (void)nc_inq_unlimdim(file, &unlimited);
    v->id = id;
    v->size = 1;
    v->by_record = v->n_dims > 0 && dims[0] == unlimited;
    for (int d = 0; d < v->n_dims; d++) {
        if (nc_inq_dim(file, dims[d], v->dims[d], &v->lengths[d]) != NC_NOERR) return false;
        v->size *= v->lengths[d];
    }
    v->has_fill = v->type != NC_CHAR && nc_get_att_double(file, id, "_FillValue", &v->fill) == NC_NOERR;
    return true;
}

Status datafile_open(const char *path, DataFile *out) {
    *out = (DataFile){.path = path, .id = -1};
    TRY(netcdf_check(path));
    int code = nc_open(path, NC_NOWRITE, &out->id), n = 0;
    CHECK(code == NC_NOERR, STATUS_BAD_INPUT, "\"%s\": %s", path, nc_strerror(code));
    code = nc_inq_nvars(out->id, &n);
    CHECK(code == NC_NOERR, STATUS_BAD_INPUT, "\"%s\": %s", path, nc_strerror(code));
    out->variables = ALLOCATE(n, DataVariable);
    for (int id = 0; id < n; id++)
        if (find_variable(out->id, id, &out->variables[out->n_variables])) out->n_variables++;
    qsort(out->variables, (size_t)out->n_variables, sizeof *out->variables, by_name);
    return STATUS_OK;
}

void datafile_close(DataFile *file) {
    if (file->variables) (void)nc_close(file->id);
    memory_free(file->variables);
    file->variables = NULL;
}

const DataVariable *datafile_find(const DataFile *file, const char *name) {
    for (int n = 0; n < file->n_variables; n++)
        if (strcmp(file->variables[n].name, name) == 0) return &file->variables[n];
    return NULL;
}

char *datafile_text(const DataFile *file, int variable, const char *name) {
    size_t length = 0;
    nc_type type;
    if (nc_inq_att(file->id, variable, name, &type, &length) != NC_NOERR || type != NC_CHAR) return NULL;
    char *text = ALLOCATE(length + 1, char);
    if (nc_get_att_text(file->id, variable, name, text) == NC_NOERR) return log_make_printable(text), text;
    memory_free(text);
    return NULL;
}

bool data_is_whole(const DataVariable *variable) {
    return variable->type == NC_INT64 || variable->type == NC_UINT64;
}

double data_number(const DataVariable *variable, Datum datum) {
    double x = variable->type == NC_UINT64 ? (double)datum.bits : datum.number;
    if (variable->type == NC_INT64) x = (double)datum.whole;
    return variable->has_fill && x == variable->fill ? NAN : x;
}

bool data_seconds(const DataFile *file, const DataVariable *time, double value, double *out) {
    char *units = datafile_text(file, time->id, "units"), why[160];
    char *calendar = datafile_text(file, time->id, "calendar");
    double seconds, reference;
    bool good = units && calendar_parse_units(units, calendar, &seconds, &reference, why) == STATUS_OK;
    if (good) *out = reference + seconds * value;
    memory_free(units);
    memory_free(calendar);
    return good;
}

bool data_date(const DataFile *file, const DataVariable *time, double value, char date[32]) {
    double seconds;
    const bool good = data_seconds(file, time, value, &seconds);
    if (good) calendar_format(seconds, date);
    return good;
}

Pieces data_pieces(const DataVariable *variable) {
    size_t rows = variable->n_dims > 0 ? variable->lengths[0] : 1;
    if (variable->size == 0) return (Pieces){0, 0, 0};
    Pieces p = {.per_row = variable->size / rows};
    p.rows = PIECE / p.per_row;
    if (p.rows < 1) p.rows = 1;
    if (p.rows > rows) p.rows = rows;
    p.count = (rows + p.rows - 1) / p.rows;
    return p;
}

static int read_values(int file, const DataVariable *v, const size_t *start, const size_t *count, size_t n,
                       Datum *out) {
    if (v->type == NC_UINT64) return nc_get_vara(file, v->id, start, count, &out->bits);
    if (v->type == NC_INT64) return nc_get_vara(file, v->id, start, count, &out->whole);
    if (v->type != NC_CHAR) return nc_get_vara_double(file, v->id, start, count, &out->number);
    char *text = ALLOCATE(n, char);
    int code = nc_get_vara_text(file, v->id, start, count, text);
    for (size_t m = 0; m < n; m++) out[m].number = (unsigned char)text[m];
    memory_free(text);
    return code;
}

Status data_read(const DataFile *file, const DataVariable *variable, Pieces pieces, size_t n, Datum *out,
                 size_t *values) {
    size_t start[DATA_DIMS] = {0}, count[DATA_DIMS] = {0};
    size_t total = variable->n_dims > 0 ? variable->lengths[0] : 1, rows = pieces.rows;
    if ((n + 1) * rows > total) rows = total - n * rows;
    for (int d = 0; d < variable->n_dims; d++) count[d] = variable->lengths[d];
    start[0] = n * pieces.rows;
    count[0] = rows;
    *values = rows * pieces.per_row;
    int code = read_values(file->id, variable, start, count, *values, out);
    CHECK(code == NC_NOERR, STATUS_BAD_INPUT, "\"%s\": cannot read %s: %s", file->path, variable->name,
          nc_strerror(code));
    return STATUS_OK;
}

Status data_digest(const DataFile *file, const DataVariable *variable, uint64_t *digest) {
    Pieces pieces = data_pieces(variable);
    Datum *data = ALLOCATE(pieces.rows * pieces.per_row, Datum);
    Status status = STATUS_OK;
    uint64_t sum = 0, at = 0;
    for (size_t n = 0; n < pieces.count; n++) {
        size_t values;
        ATTEMPT(data_read(file, variable, pieces, n, data, &values));
        for (size_t m = 0; m < values; m++) {
            /* all values that are no numbers count as one */
            if (!data_is_whole(variable) && isnan(data[m].number)) data[m].number = NAN;
            sum += hash_mix(data[m].bits ^ hash_mix(++at));
        }
    }
    *digest = hash_text(variable->name);
    for (int d = 0; d < variable->n_dims; d++) *digest = hash_mix(*digest ^ variable->lengths[d]);
    *digest = hash_mix(*digest ^ hash_mix(sum));
cleanup:
    memory_free(data);
    return status;
}

void datafile_state_digest(const DataFile *file, size_t record, char digest[17]) {
    const DataVariable *high = datafile_find(file, "digest_high"), *low = datafile_find(file, "digest_low"),
                       *text = datafile_find(file, "digest");
    const size_t start[2] = {record, 0}, count[2] = {1, 16};
    double half[2] = {0, 0};
    memset(digest, 0, 17);
    if (high && low && high->n_dims == 1 && low->n_dims == 1) {
        if (nc_get_vara_double(file->id, high->id, start, count, &half[0]) != NC_NOERR ||
            nc_get_vara_double(file->id, low->id, start, count, &half[1]) != NC_NOERR)
            return;
        for (int n = 0; n < 2; n++)
            if (!(half[n] >= 0 && half[n] <= UINT32_MAX)) return;
        if (half[0] > 0 || half[1] > 0)
            snprintf(digest, 17, "%08" PRIx32 "%08" PRIx32, (uint32_t)half[0], (uint32_t)half[1]);
    } else if (text && text->type == NC_CHAR && text->n_dims == 2 && text->lengths[1] == 16) {
        if (nc_get_vara_text(file->id, text->id, start, count, digest) != NC_NOERR) digest[0] = '\0';
    }
}

enum { WIDEST = 140 };

/* Up to the last blank that fits. */
static size_t cut(const char *line, size_t length) {
    if (length <= WIDEST) return length;
    for (length = WIDEST; length > WIDEST / 2 && line[length] != ' ';) length--;
    return length;
}

void datafile_print_note(const char *label, const char *text, const char *where) {
    bool all = true;
    for (const char *line = text; *line; label = "") {
        const size_t length = strcspn(line, "\n"), shown = cut(line, length);
        printf("%-11s%.*s%s\n", label, (int)shown, line, shown < length ? " ..." : "");
        all &= shown == length;
        line += length + (line[length] == '\n');
    }
    if (!all) printf("%-11s(in full: %s)\n", "", where);
}
