/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/csv.h"

#include "base/calendar.h"
#include "base/csv_text.h"
#include "base/file.h"
#include "base/file_set.h"
#include "base/memory.h"
#include <string.h>
#include <strings.h>

enum { MOST_BYTES = 1 << 30, MOST_COLUMNS = 256 };

typedef struct Reader {
    const char *path;
    CsvText text;
    double start;
    locale_t c; /* a decimal point is a point, whatever the user's locale writes */
    Csv *csv;
    int capacity;
} Reader;

static bool is_time(const char *name) {
    static const char *const names[] = {"time", "date", "datetime", "time_s", "t", "t_s", "time_utc"};
    for (size_t n = 0; n < sizeof names / sizeof names[0]; n++)
        if (strcasecmp(name, names[n]) == 0) return true;
    return false;
}

/* "u [m/s]" -> "u", "m/s". */
static void add_column(Csv *csv, char *field) {
    char *bracket = field + strcspn(field, "[("), *unit = NULL;
    if (*bracket) {
        unit = bracket + 1;
        unit[strcspn(unit, "])")] = '\0';
        *bracket = '\0';
    }
    csv->names[csv->columns] = memory_copy_text(csv_text_trim(field));
    csv->units[csv->columns] = unit ? memory_copy_text(csv_text_trim(unit)) : NULL;
    csv->columns++;
}

static Status read_header(Reader *r) {
    Csv *csv = r->csv;
    char *line = csv_text_line(&r->text);
    CHECK(line, STATUS_BAD_INPUT,
          "%s: the file is empty; expected a line of names such as \"time,u_m_s,v_m_s\"", r->path);
    csv->names = ALLOCATE(MOST_COLUMNS, char *);
    csv->units = ALLOCATE(MOST_COLUMNS, char *);
    char *field = csv_text_field(&r->text, &line);
    char *unit = strpbrk(field, "[(");
    if (unit) *unit = '\0';
    field = csv_text_trim(field);
    CHECK(is_time(field), STATUS_BAD_INPUT,
          "%s:%d: the first column must be called \"time\", not \"%s\"; the first line names the columns, "
          "for example \"time,u_m_s,v_m_s\"",
          r->path, r->text.line, field);
    while ((field = csv_text_field(&r->text, &line))) {
        CHECK(*field, STATUS_BAD_INPUT, "%s:%d: column %d has no name", r->path, r->text.line,
              csv->columns + 2);
        CHECK(csv->columns < MOST_COLUMNS, STATUS_BAD_INPUT, "%s:%d: more than %d columns", r->path,
              r->text.line, MOST_COLUMNS);
        add_column(csv, field);
        CHECK(csv_column(csv, csv->names[csv->columns - 1]) == csv->columns - 1, STATUS_BAD_INPUT,
              "%s:%d: two columns are called \"%s\"", r->path, r->text.line, csv->names[csv->columns - 1]);
    }
    CHECK(csv->columns > 0, STATUS_BAD_INPUT, "%s:%d: there is no column besides the time", r->path,
          r->text.line);
    return STATUS_OK;
}

static Status read_time(Reader *r, const char *field, double *time) {
    Csv *csv = r->csv;
    char why[160] = "";
    CHECK(*field, STATUS_BAD_INPUT, "%s:%d: the time is missing", r->path, r->text.line);
    bool seconds = csv_text_number(field, r->c, time);
    if (csv->rows == 0) csv->dated = !seconds; /* the first row decides */
    CHECK(seconds == !csv->dated, STATUS_BAD_INPUT,
          "%s:%d: \"%s\" is a %s, but the first row has a %s: write all times the same way", r->path,
          r->text.line, field, seconds ? "number" : "date", seconds ? "date" : "number");
    if (seconds)
        *time += r->start;
    else
        CHECK(calendar_parse(field, time, why) == STATUS_OK, STATUS_BAD_INPUT, "%s:%d: \"%s\": %s", r->path,
              r->text.line, field, why);
    CHECK(csv->rows == 0 || *time > csv->time[csv->rows - 1], STATUS_BAD_INPUT,
          "%s:%d: the time \"%s\" is not later than that of the row before: sort the rows and remove "
          "repeated ones",
          r->path, r->text.line, field);
    return STATUS_OK;
}

static Status read_value(Reader *r, const char *field, int column, double *value) {
    const char *name = r->csv->names[column];
    CHECK(*field, STATUS_BAD_INPUT, "%s:%d: no value in the column %s: fill the gap or leave the row out",
          r->path, r->text.line, name);
    if (csv_text_number(field, r->c, value)) return STATUS_OK;
    bool comma = r->text.separator == ';' && strchr(field, ',');
    return error_raise(STATUS_BAD_INPUT, "%s:%d: \"%s\" in the column %s is not a number%s", r->path,
                       r->text.line, field, name,
                       comma ? ": write a decimal point" : ": fill the gap or leave the row out");
}

static void make_room(Reader *r) {
    Csv *csv = r->csv;
    if (csv->rows < r->capacity) return;
    r->capacity = r->capacity ? 2 * r->capacity : 256;
    csv->time = ENLARGE(csv->time, r->capacity, double);
    csv->line = ENLARGE(csv->line, r->capacity, int);
    csv->file = ENLARGE(csv->file, r->capacity, int);
    csv->values = ENLARGE(csv->values, (size_t)r->capacity * (size_t)csv->columns, double);
}

static Status read_row(Reader *r, char *line) {
    Csv *csv = r->csv;
    make_room(r);
    csv->line[csv->rows] = r->text.line;
    csv->file[csv->rows] = 0;
    double *row = csv->values + (ptrdiff_t)csv->rows * csv->columns;
    TRY(read_time(r, csv_text_field(&r->text, &line), &csv->time[csv->rows]));
    for (int n = 0; n < csv->columns; n++) {
        char *field = csv_text_field(&r->text, &line);
        CHECK(field, STATUS_BAD_INPUT, "%s:%d: %d columns, but the first line names %d", r->path,
              r->text.line, n + 1, csv->columns + 1);
        TRY(read_value(r, field, n, &row[n]));
    }
    CHECK(!line, STATUS_BAD_INPUT, "%s:%d: more columns than the %d that the first line names", r->path,
          r->text.line, csv->columns + 1);
    csv->rows++;
    return STATUS_OK;
}

static Status read_one(const char *path, double start, Csv **out) {
    Status status = STATUS_OK;
    char *text = NULL;
    Reader r = {.path = path, .start = start, .csv = ALLOCATE(1, Csv)};
    r.csv->path = ALLOCATE(1, char *);
    r.csv->path[r.csv->paths++] = memory_copy_text(path);
    *out = NULL;
    r.c = newlocale(LC_NUMERIC_MASK, "C", (locale_t)0);
    ATTEMPT(file_read_text(path, MOST_BYTES, &text));
    r.text = csv_text(text);
    ATTEMPT(read_header(&r));
    for (char *line; (line = csv_text_line(&r.text));) ATTEMPT(read_row(&r, line));
    if (r.csv->rows == 0)
        status = error_raise(STATUS_BAD_INPUT, "%s: the file has names but no row of values", path);
cleanup:
    freelocale(r.c);
    memory_free(text);
    if (status != STATUS_OK) csv_destroy(&r.csv);
    *out = r.csv;
    return status;
}

/* ---- several ---- */

static bool same_columns(const Csv *a, const Csv *b) {
    bool same = a->columns == b->columns && a->dated == b->dated;
    for (int n = 0; same && n < a->columns; n++)
        same = strcasecmp(a->names[n], b->names[n]) == 0 && !a->units[n] == !b->units[n] &&
               (!a->units[n] || strcmp(a->units[n], b->units[n]) == 0);
    return same;
}

/* From its first row on, in place of what stands there. */
static Status append(Csv *csv, const Csv *next) {
    const int columns = csv->columns, file = csv->paths;
    const char *before = csv->path[file - 1];
    int kept = csv->rows;
    CHECK(same_columns(csv, next), STATUS_BAD_INPUT,
          "%s: its columns or its kind of times are not those of %s", next->path[0], before);
    while (kept > 0 && csv->time[kept - 1] >= next->time[0]) kept--;
    CHECK(kept > 0 && csv->file[kept - 1] == file - 1, STATUS_BAD_INPUT,
          "%s does not begin later than %s, which precedes it: list the files, or name them, in the order of "
          "time",
          next->path[0], before);
    csv->rows = kept + next->rows;
    csv->time = ENLARGE(csv->time, csv->rows, double);
    csv->line = ENLARGE(csv->line, csv->rows, int);
    csv->file = ENLARGE(csv->file, csv->rows, int);
    csv->values = ENLARGE(csv->values, (size_t)csv->rows * (size_t)columns, double);
    memcpy(csv->time + kept, next->time, (size_t)next->rows * sizeof *csv->time);
    memcpy(csv->line + kept, next->line, (size_t)next->rows * sizeof *csv->line);
    memcpy(csv->values + (ptrdiff_t)kept * columns, next->values,
           (size_t)next->rows * (size_t)columns * sizeof *csv->values);
    for (int n = kept; n < csv->rows; n++) csv->file[n] = file;
    csv->path = ENLARGE(csv->path, file + 1, char *);
    csv->path[csv->paths++] = memory_copy_text(next->path[0]);
    return STATUS_OK;
}

Status csv_read(const char *text, double start, Csv **out) {
    char **paths = NULL;
    int count = 0;
    Status status;
    Csv *next = NULL;
    *out = NULL;
    ATTEMPT(file_set_list(text, &paths, &count));
    ATTEMPT(read_one(paths[0], start, out));
    for (int n = 1; n < count; n++) {
        ATTEMPT(read_one(paths[n], start, &next));
        ATTEMPT(append(*out, next));
        csv_destroy(&next);
    }
cleanup:
    csv_destroy(&next);
    file_list_free(&paths, &count);
    if (status != STATUS_OK) csv_destroy(out);
    return status;
}

void csv_destroy(Csv **csv) {
    if (!*csv) return;
    for (int n = 0; n < (*csv)->columns; n++) memory_free((*csv)->names[n]), memory_free((*csv)->units[n]);
    memory_free((*csv)->names);
    memory_free((*csv)->units);
    memory_free((*csv)->time);
    memory_free((*csv)->line);
    memory_free((*csv)->file);
    memory_free((*csv)->values);
    for (int n = 0; n < (*csv)->paths; n++) memory_free((*csv)->path[n]);
    memory_free((*csv)->path);
    memory_free(*csv);
    *csv = NULL;
}

int csv_column(const Csv *csv, const char *name) {
    for (int n = 0; n < csv->columns; n++)
        if (strcasecmp(csv->names[n], name) == 0) return n;
    return -1;
}

char *csv_column_list(const Csv *csv) {
    char *list = memory_copy_text("time");
    for (int n = 0; n < csv->columns; n++) memory_append(&list, ",%s", csv->names[n]);
    return list;
}
