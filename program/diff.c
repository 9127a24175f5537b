/* SPDX-License-Identifier: Apache-2.0
 *
 * maeotis diff: where the data of two files differ, and by how much.
 */
#include "base/memory.h"
#include "base/options.h"
#include "program/commands.h"
#include "program/datafile.h"
#include "program/pairing.h"
#include "program/part_files.h"

#include <cjson/cJSON.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char HELP[] =
    "maeotis diff A.nc B.nc [options]           finds where the data of two files differ\n"
    "\n"
    "  --tolerance X         numbers that differ by at most X count as equal (default 0: every bit counts)\n"
    "  --variable NAME       compare only this variable; may be repeated\n"
    "\n"
    "For each variable that differs (water level first, digest last) it prints how many values differ, the\n"
    "largest and the RMS difference, and where the largest and the first occur. Records are paired by time "
    "if\n"
    "both files have times. Attributes are not compared. The name of an output that is split by day, month "
    "or\n"
    "year stands for all of its files.\n"
    "Exit codes: 0 equal, 1 different, 2 a file cannot be read.\n"
    "\n"
    "Example: ./maeotis diff results/one_process/run.nc results/four_processes/run.nc\n";

enum { MOST_CHOSEN = 32 };

typedef struct Options {
    const char *paths[2];
    double tolerance;
    const char *chosen[MOST_CHOSEN];
    int n_chosen;
    bool help;
} Options;

/* What was found in one variable. */
typedef struct Difference {
    size_t values, differing;
    size_t first, most;      /* indices of the first that differs, and of that which differs most */
    size_t one_sided;        /* of the differing: a value in one file, fill in the other */
    size_t both;             /* files have so many of the values */
    double largest, squares; /* squares: their sum */
    double a[2], b[2];       /* at the first, and at the most */
} Difference;

/* The earliest of all variables. */
typedef struct Earliest {
    bool found, lengths_told; /* that one file has more records */
    size_t record;
    char variable[DATA_NAME];
} Earliest;

static Status take_variable(const char *name, void *to) {
    Options *o = to;
    CHECK(o->n_chosen < MOST_CHOSEN, STATUS_BAD_INPUT, "diff: at most %d variables", MOST_CHOSEN);
    o->chosen[o->n_chosen++] = name;
    return STATUS_OK;
}

static Status parse(int argc, char **argv, Options *o) {
    const Option options[] = {{"tolerance", OPTION_NUMBER, &o->tolerance},
                              {"variable", OPTION_TAKE, o, .take = take_variable},
                              {NULL}};
    Operands files = {"file", 2, 2, o->paths};
    TRY(options_read("diff", argc, argv, options, &files));
    o->help = files.help;
    CHECK(o->tolerance >= 0, STATUS_BAD_INPUT, "diff: --tolerance needs a number of 0 or more, not %g",
          o->tolerance);
    return STATUS_OK;
}

static bool is_chosen(const Options *o, const char *name) {
    for (int n = 0; n < o->n_chosen; n++)
        if (strcmp(o->chosen[n], name) == 0) return true;
    return o->n_chosen == 0;
}

/* ---- comparing ---- */

static double distance(const DataVariable *a, Datum x, const DataVariable *b, Datum y) {
    if (data_is_whole(a) && data_is_whole(b) && x.bits == y.bits) return 0;
    double p = data_number(a, x), q = data_number(b, y);
    if (isnan(p) && isnan(q)) return 0;
    double d = fabs(p - q);
    return isnan(d) ? INFINITY : d;
}

static void compare_values(const DataVariable *a, const Datum *x, const DataVariable *b, const Datum *y,
                           size_t n, double tolerance, Difference *out) {
    for (size_t m = 0; m < n; m++, out->values++) {
        double d = distance(a, x[m], b, y[m]);
        if (!isinf(d) && !isnan(data_number(a, x[m]))) {
            out->squares += d * d;
            out->both++;
        }
        if (!(d > tolerance)) continue;
        if (out->differing++ == 0) {
            out->first = out->values;
            out->a[0] = data_number(a, x[m]), out->b[0] = data_number(b, y[m]);
        }
        if (isinf(d))
            out->one_sided++;
        else if (d > out->largest) {
            out->largest = d;
            out->most = out->values;
            out->a[1] = data_number(a, x[m]), out->b[1] = data_number(b, y[m]);
        }
    }
}

/* Of the first file, in place of that among the pairs. */
static size_t place_of(const Pairing *pairing, size_t per_record, size_t at) {
    return pairing->of[0][at / per_record] * per_record + at % per_record;
}

/* The records that belong together; one at a time where they do not stand at the same places. */
static Status compare_data(const DataFile files[2], const DataVariable *a, const DataVariable *b,
                           const Pairing *pairing, double tolerance, Difference *out) {
    const bool plain = pairing_is_plain(pairing);
    Pieces pieces = data_pieces(a);
    if (pieces.count == 0) return STATUS_OK;
    if (!plain) pieces = (Pieces){1, pieces.per_row, pairing->count};
    Datum *x = ALLOCATE(pieces.rows * pieces.per_row, Datum),
          *y = ALLOCATE(pieces.rows * pieces.per_row, Datum);
    Status status = STATUS_OK;
    for (size_t n = 0; n < pieces.count; n++) {
        size_t values;
        ATTEMPT(data_read(&files[0], a, pieces, plain ? n : pairing->of[0][n], x, &values));
        ATTEMPT(data_read(&files[1], b, pieces, plain ? n : pairing->of[1][n], y, &values));
        compare_values(a, x, b, y, values, tolerance, out);
    }
    if (!plain && out->differing > 0) {
        out->first = place_of(pairing, pieces.per_row, out->first);
        out->most = place_of(pairing, pieces.per_row, out->most);
    }
cleanup:
    memory_free(x);
    memory_free(y);
    return status;
}

/* ---- telling ---- */

/* "time 2014-09-23T00:10:00Z", "lat 45.475", or nothing where the dimension has no coordinate. */
static void print_coordinate(const DataFile *file, const char *dim, size_t index) {
    const DataVariable *v = datafile_find(file, dim);
    double value;
    if (!v || v->n_dims != 1 || v->type == NC_CHAR) return;
    if (nc_get_var1_double(file->id, v->id, &index, &value) != NC_NOERR) return;
    char date[32];
    if (data_date(file, v, value, date))
        printf(" = %s", date);
    else
        printf(" = %.9g", value);
}

static void print_place(const DataFile *file, const DataVariable *v, size_t at) {
    size_t index[DATA_DIMS] = {0};
    for (int d = v->n_dims - 1; d >= 0; d--) {
        index[d] = at % v->lengths[d];
        at /= v->lengths[d];
    }
    for (int d = 0; d < v->n_dims; d++) {
        printf("%s%s[%zu]", d ? ", " : "", v->dims[d], index[d]);
        print_coordinate(file, v->dims[d], index[d]);
    }
}

static void print_value(const DataVariable *v, double value) {
    if (isnan(value))
        printf("no value");
    else if (v->type == NC_CHAR)
        printf("'%c'", (int)value);
    else
        printf("%.*g", v->type == NC_FLOAT ? 9 : 17, value); /* every bit */
}

static void print_at(const DataFile *file, const DataVariable *v, const char *which, size_t at, double a,
                     double b) {
    printf("  %s at ", which);
    print_place(file, v, at);
    printf(": ");
    print_value(v, a);
    printf(" and ");
    print_value(v, b);
    putchar('\n');
}

static void print_difference(const DataFile *file, const DataVariable *v, const Difference *d) {
    bool letters = v->type == NC_CHAR;
    printf("%s: %zu of %zu %s differ", v->name, d->differing, d->values, letters ? "letters" : "values");
    if (!letters)
        printf(", by up to %.9g, RMS %.3g", d->largest,
               sqrt(d->squares / (double)(d->both > 0 ? d->both : 1)));
    if (d->one_sided > 0) printf(", %zu of them missing in one file", d->one_sided);
    putchar('\n');
    if (!letters && d->largest > 0 && d->most != d->first)
        print_at(file, v, "largest", d->most, d->a[1], d->b[1]);
    print_at(file, v, "first", d->first, d->a[0], d->b[0]);
}

static void note_earliest(const DataVariable *v, const Difference *d, Earliest *earliest) {
    if (!v->by_record) return;
    size_t record = d->first / (v->size / v->lengths[0]);
    if (earliest->found && earliest->record <= record) return;
    earliest->found = true;
    earliest->record = record;
    snprintf(earliest->variable, sizeof earliest->variable, "%s", v->name);
}

static bool same_shape(const DataVariable *a, const DataVariable *b, bool *longer) {
    *longer = false;
    if (a->n_dims != b->n_dims || (a->type == NC_CHAR) != (b->type == NC_CHAR)) return false;
    for (int d = 0; d < a->n_dims; d++) {
        if (a->lengths[d] == b->lengths[d]) continue;
        if (d > 0 || !a->by_record) return false;
        *longer = true;
    }
    return true;
}

static void print_shape(const DataVariable *v) {
    for (int d = 0; d < v->n_dims; d++) printf("%s%s %zu", d ? " x " : "", v->dims[d], v->lengths[d]);
    if (v->n_dims == 0) printf("a single value");
}

static Status compare_variable(const DataFile files[2], const DataVariable *a, const DataVariable *b,
                               const Options *o, Earliest *earliest, int *differing) {
    bool longer;
    Difference d = {0};
    Pairing pairing;
    if (!same_shape(a, b, &longer)) {
        printf("%s: is ", a->name);
        print_shape(a);
        printf(" in the first file and ");
        print_shape(b);
        printf(" in the second\n");
        (*differing)++;
        return STATUS_OK;
    }
    TRY(pairing_find(files, a, b, &pairing));
    longer = pairing.count < pairing.records[0] || pairing.count < pairing.records[1];
    if (longer && !earliest->lengths_told)
        printf("%s: %zu records and %zu; comparing the %zu %s\n", a->dims[0], a->lengths[0], b->lengths[0],
               pairing.count, pairing.by_time ? "with times that both have" : "that both have");
    earliest->lengths_told |= longer;
    *differing += longer;
    const Status status = compare_data(files, a, b, &pairing, o->tolerance, &d);
    pairing_release(&pairing);
    TRY(status);
    if (d.differing == 0) return STATUS_OK;
    print_difference(&files[0], a, &d);
    note_earliest(a, &d, earliest);
    *differing += !longer;
    return STATUS_OK;
}

/* The level, what else the sea holds, series of the run, digests and letters. */
enum { LAST_RANK = 3 };

static int rank_of(const DataVariable *v) {
    if (v->type == NC_CHAR || strncmp(v->name, "digest", 6) == 0) return LAST_RANK;
    return strcmp(v->name, "eta") == 0 ? 0 : v->n_dims > 1 ? 1 : 2;
}

/* /grid/levels of the scenario that made a file, a part of `whole`, which the caller deletes; NULL: unknown. */
static cJSON *levels_of(const DataFile *file, cJSON **whole) {
    char *text = datafile_text(file, NC_GLOBAL, "effective_scenario");
    *whole = text ? cJSON_Parse(text) : NULL;
    memory_free(text);
    return cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(*whole, "grid"), "levels");
}

/* One of the keys that differ; a long list of heights is not spelled out. */
static void tell_of_key(const char *key, const cJSON *const levels[2]) {
    enum { LONGEST = 60 };
    char *text[2];
    for (int n = 0; n < 2; n++) {
        const cJSON *value = cJSON_GetObjectItemCaseSensitive(levels[n], key);
        text[n] = value ? cJSON_PrintUnformatted(value) : NULL;
    }
    const char *first = text[0] ? text[0] : "absent", *second = text[1] ? text[1] : "absent";
    if (strlen(first) <= LONGEST && strlen(second) <= LONGEST)
        printf("  /grid/levels/%s is %s and %s\n", key, first, second);
    else
        printf("  /grid/levels/%s differs\n", key);
    for (int n = 0; n < 2; n++) cJSON_free(text[n]);
}

/* Differences between layers at different heights mean little. */
static void tell_of_layers(const DataFile files[2]) {
    cJSON *whole[2];
    const cJSON *levels[2], *key;
    for (int n = 0; n < 2; n++) levels[n] = levels_of(&files[n], &whole[n]);
    if (levels[0] && levels[1] && !cJSON_Compare(levels[0], levels[1], true)) {
        printf("the layers of these files lie at different heights:\n");
        cJSON_ArrayForEach (key, levels[0]) {
            const cJSON *other = cJSON_GetObjectItemCaseSensitive(levels[1], key->string);
            if (!cJSON_Compare(key, other, true)) tell_of_key(key->string, levels);
        }
        cJSON_ArrayForEach (key, levels[1]) {
            if (!cJSON_GetObjectItemCaseSensitive(levels[0], key->string)) tell_of_key(key->string, levels);
        }
    }
    for (int n = 0; n < 2; n++) cJSON_Delete(whole[n]);
}

static Status compare_files(const DataFile files[2], const Options *o, int *differing) {
    Earliest earliest = {0};
    int compared = 0;
    for (int rank = 0; rank <= LAST_RANK; rank++)
        for (int n = 0; n < files[0].n_variables; n++) {
            const DataVariable *a = &files[0].variables[n], *b = datafile_find(&files[1], a->name);
            if (rank_of(a) != rank || !is_chosen(o, a->name)) continue;
            compared++;
            if (!b) printf("%s: only in %s\n", a->name, files[0].path);
            *differing += !b;
            if (b) TRY(compare_variable(files, a, b, o, &earliest, differing));
        }
    for (int n = 0; n < files[1].n_variables; n++) {
        const char *name = files[1].variables[n].name;
        if (!is_chosen(o, name) || datafile_find(&files[0], name)) continue;
        compared++;
        printf("%s: only in %s\n", name, files[1].path);
        (*differing)++;
    }
    CHECK(compared > 0, STATUS_BAD_INPUT, "diff: there is nothing to compare in \"%s\" and \"%s\"",
          files[0].path, files[1].path);
    if (earliest.found)
        printf("earliest difference: record %zu, in %s\n", earliest.record, earliest.variable);
    if (*differing > 0) tell_of_layers(files);
    if (*differing == 0) printf("equal: %d variables\n", compared);
    return STATUS_OK;
}

static Status compare_pair(const char *a, const char *b, const Options *o, int *differing) {
    DataFile files[2] = {{0}, {0}};
    Status status;
    ATTEMPT(datafile_open(a, &files[0]));
    ATTEMPT(datafile_open(b, &files[1]));
    ATTEMPT(compare_files(files, o, differing));
cleanup:
    for (int n = 0; n < 2; n++) datafile_close(&files[n]);
    return status;
}

/* The file of the same day among those of the other output; NULL: there is none. */
static const char *counterpart(const PartFiles parts[2], const Options *o, int of, int n) {
    const char *label = part_files_label(o->paths[of], parts[of].path[n]);
    for (int m = 0; m < parts[!of].count; m++)
        if (strcmp(label, part_files_label(o->paths[!of], parts[!of].path[m])) == 0)
            return parts[!of].path[m];
    return NULL;
}

/* Files of the same day, one after the other. */
static Status compare_parts(const PartFiles parts[2], const Options *o, int *differing) {
    for (int n = 0; n < parts[0].count; n++) {
        const char *a = parts[0].path[n], *b = counterpart(parts, o, 0, n);
        printf("%s:%s\n", a, b ? "" : " only in the first output");
        *differing += !b;
        if (b) TRY(compare_pair(a, b, o, differing));
    }
    for (int n = 0; n < parts[1].count; n++) {
        if (counterpart(parts, o, 1, n)) continue;
        printf("%s: only in the second output\n", parts[1].path[n]);
        (*differing)++;
    }
    return STATUS_OK;
}

int diff_command(int argc, char **argv) {
    Options options = {0};
    PartFiles parts[2] = {{0}, {0}};
    int differing = 0;
    Status status;
    ATTEMPT(parse(argc, argv, &options));
    if (options.help) return fputs(HELP, stdout) < 0;
    for (int n = 0; n < 2; n++) parts[n] = part_files_find(options.paths[n]);
    if (parts[0].count == 1 && parts[1].count == 1)
        status = compare_pair(parts[0].path[0], parts[1].path[0], &options, &differing);
    else
        status = compare_parts(parts, &options, &differing);
cleanup:
    for (int n = 0; n < 2; n++) part_files_release(&parts[n]);
    error_print(stderr);
    return status != STATUS_OK ? 2 : differing > 0;
}
