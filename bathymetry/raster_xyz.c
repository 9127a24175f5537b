/* SPDX-License-Identifier: Apache-2.0
 *
 * XYZ: one point per line, in any order, on a regular grid that the points themselves must show. The file is
 * read twice, first for the distinct coordinates, then for the values, so that points need no memory of their
 * own.
 */
#include "bathymetry/raster_internal.h"

#include "base/hash.h"
#include "base/memory.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A point may lie this share of the spacing off its place: coordinates are often rounded text. */
static const double TOLERANCE = 0.05;

enum { MOST_DISTINCT = 1 << 22 };

/* Distinct numbers, in an open hash table. */
typedef struct Distinct {
    double *slot; /* NaN: free */
    size_t slots, count;
} Distinct;

typedef struct Points {
    const FileBytes *file;
    const char *next;
    RasterLine line;
    int64_t count;
} Points;

typedef struct LineAxis {
    double first, step;
    int64_t count;
} LineAxis;

static Status take_three(Points *points, double value[3]) {
    RasterLine *line = &points->line;
    int count = 0;
    for (; raster_skip_blanks(line, true); count++) {
        char word[32];
        raster_word(line, word);
        CHECK(count < 3, STATUS_BAD_INPUT,
              "%s:%d: more than the three columns x, y and z (decimals need a point)", points->file->path,
              line->number);
        CHECK(raster_take_number(line, &value[count]), STATUS_BAD_INPUT, "%s:%d: \"%s\" is not a number",
              points->file->path, line->number, word);
    }
    CHECK(count == 3, STATUS_BAD_INPUT, "%s:%d: %d column%s; x, y and z are needed", points->file->path,
          line->number, count, count == 1 ? "" : "s");
    CHECK(isfinite(value[0]) && isfinite(value[1]), STATUS_BAD_INPUT, "%s:%d: a point without coordinates",
          points->file->path, line->number);
    points->count++;
    return STATUS_OK;
}

/* The next point. `*more` is false behind the last. Empty lines and comments are passed over, and one line of
 * words before the first point. */
static Status next_point(Points *points, double value[3], bool *more) {
    bool first = points->count == 0, header = false;
    while ((*more = raster_next_line(points->file, &points->next, &points->line))) {
        RasterLine *line = &points->line;
        if (!raster_skip_blanks(line, true) || *line->at == '#') continue;
        RasterLine ahead = *line;
        double number;
        bool words = !raster_take_number(&ahead, &number);
        if (!first || !words || header) return take_three(points, value);
        header = true;
    }
    return STATUS_OK;
}

static Points points_of(const FileBytes *file) {
    return (Points){.file = file, .next = file->bytes};
}

static size_t hash_of(double value, size_t slots) {
    uint64_t bits;
    value += 0.0; /* -0 becomes 0 */
    memcpy(&bits, &value, sizeof bits);
    return (size_t)hash_mix(bits) & (slots - 1);
}

static void insert(Distinct *set, double value) {
    size_t at = hash_of(value, set->slots);
    while (!isnan(set->slot[at]) && set->slot[at] != value) at = (at + 1) & (set->slots - 1);
    if (isnan(set->slot[at])) set->slot[at] = value, set->count++;
}

static void set_slots(Distinct *set, size_t slots) {
    Distinct old = *set;
    set->slots = slots, set->count = 0;
    set->slot = ALLOCATE(slots, double);
    for (size_t n = 0; n < slots; n++) set->slot[n] = NAN;
    for (size_t n = 0; n < old.slots; n++)
        if (!isnan(old.slot[n])) insert(set, old.slot[n]);
    memory_free(old.slot);
}

static void add(Distinct *set, double value) {
    if (2 * set->count >= set->slots) set_slots(set, set->slots ? 2 * set->slots : 1024);
    insert(set, value);
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The set's values in order; it ends with them. */
static double *sorted(Distinct *set) {
    double *values = set->slot;
    size_t count = 0;
    for (size_t n = 0; n < set->slots; n++)
        if (!isnan(values[n])) values[count++] = values[n];
    if (count > 0) qsort(values, count, sizeof *values, by_value);
    *set = (Distinct){0};
    return values;
}

/* The gap below which a tenth of the range lies: not one of the tiny gaps that rounded text leaves within a
 * column, nor one of the large gaps where columns are missing. */
static double common_gap(const double *value, size_t count) {
    double *gap = ALLOCATE(count, double), sum = 0, common = 0;
    for (size_t n = 1; n < count; n++) gap[n - 1] = value[n] - value[n - 1];
    qsort(gap, count - 1, sizeof *gap, by_value);
    for (size_t n = 0; n + 1 < count && sum <= 0.1 * (value[count - 1] - value[0]); n++)
        sum += common = gap[n];
    memory_free(gap);
    return common;
}

/* The spacing is the mean of the gaps like the common one, made to fit the range if it nearly does. If it
 * does not, some point will be found off its place. */
static LineAxis axis_of(const double *value, size_t count) {
    double common = common_gap(value, count), range = value[count - 1] - value[0], sum = 0;
    int64_t like = 0;
    for (size_t n = 1; n < count; n++) {
        double gap = value[n] - value[n - 1];
        if (gap > 0.5 * common && gap < 1.5 * common) sum += gap, like++;
    }
    double mean = like > 0 ? sum / (double)like : 0, steps = mean > 0 ? range / mean : 0;
    if (!(steps > 0.5 && steps < 1e9)) return (LineAxis){value[0], 0, 0};
    double whole = nearbyint(steps);
    return (LineAxis){value[0], fabs(steps - whole) <= TOLERANCE ? range / whole : mean, (int64_t)whole + 1};
}

static Status find_axes(const FileBytes *file, LineAxis axes[2], int64_t *points_found) {
    Distinct distinct[2] = {{0}};
    Points points = points_of(file);
    double value[3];
    bool more = true;
    Status status = STATUS_OK;
    while (status == STATUS_OK && more) {
        status = next_point(&points, value, &more);
        for (int d = 0; status == STATUS_OK && more && d < 2; d++) {
            add(&distinct[d], value[d]);
            if (distinct[d].count > MOST_DISTINCT)
                status = error_raise(STATUS_BAD_INPUT,
                                     "%s:%d: more than %d different %s; grid scattered points first, and cut "
                                     "a raster of that size into parts",
                                     file->path, points.line.number, MOST_DISTINCT, d == 0 ? "x" : "y");
        }
    }
    *points_found = points.count;
    if (status == STATUS_OK && (distinct[0].count < 2 || distinct[1].count < 2))
        status =
            error_raise(STATUS_BAD_INPUT, "%s: %lld points in %zu columns and %zu rows do not form a raster",
                        file->path, (long long)points.count, distinct[0].count, distinct[1].count);
    for (int d = 0; d < 2; d++) {
        size_t count = distinct[d].count;
        double *values = sorted(&distinct[d]);
        if (status == STATUS_OK) axes[d] = axis_of(values, count);
        memory_free(values);
    }
    return status;
}

/* The point's column or row, which may lie beyond the axis; refuses a point between two. */
static Status find_place(const Points *points, const LineAxis *axis, const double value[3], int d,
                         double *place) {
    double at = (value[d] - axis->first) / axis->step, nearest = nearbyint(at);
    CHECK(fabs(at - nearest) <= TOLERANCE, STATUS_BAD_INPUT,
          "%s:%d: the point (%.10g, %.10g) does not lie on the regular grid of the others: %s %.10g is %.2f "
          "spacings of %.6g off; grid scattered points first",
          points->file->path, points->line.number, value[0], value[1], d == 0 ? "x" : "y", value[d],
          fabs(at - nearest), axis->step);
    *place = nearest;
    return STATUS_OK;
}

static Status place_points(const FileBytes *file, const LineAxis axes[2], Raster *raster) {
    Points points = points_of(file);
    double value[3];
    for (bool more = true;;) {
        TRY(next_point(&points, value, &more));
        if (!more) return STATUS_OK;
        double i = 0, j = 0;
        TRY(find_place(&points, &axes[0], value, 0, &i));
        TRY(find_place(&points, &axes[1], value, 1, &j));
        CHECK(i >= 0 && i < raster->nx && j >= 0 && j < raster->ny, STATUS_BAD_INPUT,
              "%s:%d: the point (%.10g, %.10g) lies beyond the grid of the others", file->path,
              points.line.number, value[0], value[1]);
        double *cell = &raster->elevation[(size_t)j * (size_t)raster->nx + (size_t)i];
        CHECK(isnan(*cell) || *cell == value[2], STATUS_BAD_INPUT,
              "%s:%d: the point (%.10g, %.10g) is in the file twice, with %g and %g", file->path,
              points.line.number, value[0], value[1], *cell, value[2]);
        *cell = value[2];
    }
}

/* Points that fill next to nothing of the grid they span are a survey, not a raster: names the first that
 * does not fit the spacing of the file's first two. */
static Status refuse_scattered(const FileBytes *file) {
    Points points = points_of(file);
    double first[3], value[3] = {0};
    bool more;
    LineAxis axis = {0, 0, 0};
    TRY(next_point(&points, first, &more));
    for (;;) {
        TRY(next_point(&points, value, &more));
        if (!more) break;
        double place;
        if (axis.step == 0 && value[0] != first[0]) axis = (LineAxis){first[0], fabs(value[0] - first[0]), 2};
        if (axis.step > 0) TRY(find_place(&points, &axis, value, 0, &place));
    }
    return error_raise(STATUS_BAD_INPUT, "%s: the %lld points do not fill a regular grid; grid them first",
                       file->path, (long long)points.count);
}

Status raster_read_xyz(const FileBytes *file, Raster *raster) {
    LineAxis axes[2] = {{0}};
    int64_t points = 0;
    TRY(find_axes(file, axes, &points));
    double cells = (double)axes[0].count * (double)axes[1].count;
    if (!(cells > 0 && cells <= 100.0 * (double)points && cells <= RASTER_MOST_CELLS))
        return refuse_scattered(file);
    raster->nx = (int)axes[0].count, raster->ny = (int)axes[1].count;
    raster->x0 = axes[0].first, raster->y0 = axes[1].first;
    raster->dx = axes[0].step, raster->dy = axes[1].step;
    raster->elevation = ALLOCATE(cells, double);
    for (size_t n = 0; n < (size_t)cells; n++) raster->elevation[n] = NAN;
    return place_points(file, axes, raster);
}
