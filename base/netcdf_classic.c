/* SPDX-License-Identifier: Apache-2.0
 *
 * How long a classic NetCDF file must be, from its own header (the format of the NetCDF User's Guide,
 * appendix "File Format Specifications"). Needed because the library reads what is cut off as zeros.
 */
#include "base/netcdf_in.h"

#include <stdlib.h>
#include <string.h>

/* A place in the header. `bad` is set by what cannot be right, `cut` too by the first read beyond the end. */
typedef struct Cursor {
    const unsigned char *bytes;
    int64_t at, end;
    int version;
    bool bad, cut;
} Cursor;

enum { MOST_CLASSIC_DIMENSIONS = 1 << 16 };

typedef struct Shape {
    int64_t *length; /* of the dimensions; 0: the record dimension */
    int64_t dimensions, records;
} Shape;

static int64_t take(Cursor *c, int width) {
    if (c->bad || width > c->end - c->at) {
        c->bad = c->cut = true;
        return 0;
    }
    uint64_t value = 0;
    for (int n = 0; n < width; n++) value = value << 8 | c->bytes[c->at++];
    if (value > INT64_MAX) c->bad = true;
    return c->bad ? 0 : (int64_t)value;
}

/* NON_NEG of the specification: 8 bytes in CDF-5, else 4. */
static int64_t take_size(Cursor *c) {
    return take(c, c->version == 5 ? 8 : 4);
}

static void skip(Cursor *c, int64_t bytes) {
    if (bytes < 0 || bytes > c->end - c->at) c->bad = c->cut = true;
    if (!c->bad) c->at += bytes;
}

static int64_t padded(int64_t bytes) {
    return (bytes + 3) / 4 * 4;
}

static void skip_name(Cursor *c) {
    int64_t length = take_size(c);
    skip(c, length > c->end ? c->end : padded(length));
}

static int64_t type_bytes(int64_t type) {
    static const int bytes[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
    return type >= 1 && type <= 11 ? bytes[type] : 0;
}

static void skip_attributes(Cursor *c) {
    take(c, 4);
    int64_t count = take_size(c);
    for (int64_t n = 0; n < count && !c->bad; n++) {
        skip_name(c);
        int64_t width = type_bytes(take(c, 4)), length = take_size(c);
        skip(c, length > c->end ? c->end : padded(length * width));
    }
}

static void take_dimensions(Cursor *c, Shape *shape) {
    take(c, 4);
    shape->dimensions = take_size(c);
    if (shape->dimensions > MOST_CLASSIC_DIMENSIONS) c->bad = true;
    if (c->bad) return;
    shape->length = calloc((size_t)shape->dimensions + 1, sizeof *shape->length);
    if (!shape->length) c->bad = true;
    for (int64_t n = 0; n < shape->dimensions && !c->bad; n++) {
        skip_name(c);
        shape->length[n] = take_size(c);
    }
}

/* One variable: where it begins and the bytes of it (of one record of it). */
static void take_variable(Cursor *c, const Shape *shape, int64_t *begin, int64_t *bytes, bool *is_record) {
    skip_name(c);
    int64_t rank = take_size(c), elements = 1;
    *is_record = false;
    for (int64_t n = 0; n < rank && !c->bad; n++) {
        int64_t dimension = take_size(c);
        if (dimension >= shape->dimensions) c->bad = true;
        if (c->bad) return;
        if (n == 0 && shape->length[dimension] == 0)
            *is_record = true;
        else if (__builtin_mul_overflow(elements, shape->length[dimension], &elements))
            c->bad = true;
    }
    skip_attributes(c);
    int64_t width = type_bytes(take(c, 4));
    take_size(c); /* vsize: clipped for large variables, so the shape is used instead */
    *begin = take(c, c->version == 1 ? 4 : 8);
    if (width == 0 || __builtin_mul_overflow(elements, width, bytes) || *bytes > INT64_MAX / 8) c->bad = true;
}

static int64_t needed_by_variables(Cursor *c, const Shape *shape) {
    take(c, 4);
    int64_t count = take_size(c), need = 0, record_need = 0, record_bytes = 0, record_variables = 0, last = 0;
    for (int64_t n = 0; n < count && !c->bad; n++) {
        int64_t begin = 0, bytes = 0;
        bool is_record;
        take_variable(c, shape, &begin, &bytes, &is_record);
        if (c->bad) return 0;
        int64_t *until = is_record ? &record_need : &need;
        if (begin > INT64_MAX / 4) return 0;
        if (begin + bytes > *until && bytes > 0) *until = begin + bytes;
        if (is_record) record_variables++, record_bytes += padded(bytes), last = bytes;
        if (record_bytes > INT64_MAX / 4) return 0;
    }
    if (record_variables == 1) record_bytes = last; /* a single record variable is not padded */
    int64_t before = 0;
    if (shape->records > 0 && record_variables > 0) {
        if (__builtin_mul_overflow(shape->records - 1, record_bytes, &before)) return 0;
        if (__builtin_add_overflow(before, record_need, &record_need)) return 0;
        if (record_need > need) need = record_need;
    }
    return need;
}

int64_t netcdf_classic_bytes(const unsigned char *bytes, int64_t available) {
    if (available < 4 || memcmp(bytes, "CDF", 3) != 0) return 0;
    Cursor cursor = {bytes, 4, available, bytes[3], false, false};
    if (cursor.version != 1 && cursor.version != 2 && cursor.version != 5) return 0;
    Shape shape = {NULL, 0, 0};
    int64_t streaming = cursor.version == 5 ? 8 : 4;
    bool unknown = available >= 4 + streaming;
    for (int64_t n = 0; n < streaming && unknown; n++) unknown = bytes[4 + n] == 0xff;
    if (unknown)
        skip(&cursor, streaming);
    else
        shape.records = take_size(&cursor);
    take_dimensions(&cursor, &shape);
    if (!cursor.bad) skip_attributes(&cursor);
    int64_t need = cursor.bad ? 0 : needed_by_variables(&cursor, &shape);
    free(shape.length);
    if (cursor.bad) return cursor.cut ? available + 1 : 0; /* the header itself is cut off */
    return need > cursor.at ? need : cursor.at;
}
