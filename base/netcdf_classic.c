/* SPDX-License-Identifier: Apache-2.0
 *
 * The header of a classic NetCDF file (the format of the NetCDF User's Guide, appendix "File Format
 * Specifications"). The libraries trust the header: one flipped bit sends them beyond their arrays, into a
 * division by zero or into endless allocation, and they read a missing end as zeros. So each count, id, type,
 * length and offset is first compared here with the others and with the size of the file.
 *
 * Only `vsize` is not checked: both libraries recompute it, and old writers are known to get it wrong.
 */
#include "base/netcdf_in.h"

#include "base/memory.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST_NAME = 256, HIGHEST_RANK = 1024 }; /* NC_MAX_NAME, NC_MAX_VAR_DIMS */
enum { DIMENSION_TAG = 10, VARIABLE_TAG = 11, ATTRIBUTE_TAG = 12 };

/* Where a variable lies: `bytes` of it, or of one record of it, from `begin` on. */
typedef struct Extent {
    int64_t begin, bytes;
} Extent;

typedef struct Header {
    const char *path;
    const unsigned char *bytes;
    int64_t at, size; /* the place that is read next; of the file */
    int version;
    int64_t records, n_dimensions;
    int64_t *length; /* of the dimensions; 0: the record dimension */
    bool has_record_dimension;
    Extent *fixed, *by_record;
    int64_t n_fixed, n_by_record;
} Header;

/* Refuses what stands at `byte` unless `condition` holds. */
#define SOUND(h, byte, condition, format, ...)                                                               \
    CHECK(condition, STATUS_BAD_INPUT,                                                                       \
          "%s is damaged at byte %" PRId64 " of its header: " format "; copy or download it again",          \
          (h)->path, (int64_t)(byte), __VA_ARGS__)

/* ---- numbers and names ---- */

static Status skip(Header *h, int64_t bytes) {
    CHECK(bytes <= h->size - h->at, STATUS_BAD_INPUT,
          "%s is cut off or damaged: its header continues beyond its %" PRId64
          " bytes; copy or download it again",
          h->path, h->size);
    h->at += bytes;
    return STATUS_OK;
}

static Status take(Header *h, int width, int64_t *value) {
    const int64_t from = h->at;
    uint64_t bits = 0;
    TRY(skip(h, width));
    for (int64_t n = from; n < h->at; n++) bits = bits << 8 | h->bytes[n];
    SOUND(h, from, bits <= INT64_MAX, "the number %" PRIu64 " is beyond any file", bits);
    *value = (int64_t)bits;
    return STATUS_OK;
}

/* NON_NEG of the specification: 8 bytes in CDF-5, else 4. */
static Status take_size(Header *h, int64_t *value) {
    return take(h, h->version == 5 ? 8 : 4, value);
}

static int64_t padded(int64_t bytes) {
    return (bytes + 3) / 4 * 4;
}

static Status take_name(Header *h, const char *of) {
    const int64_t from = h->at;
    int64_t length = 0;
    TRY(take_size(h, &length));
    SOUND(h, from, length > 0 && length <= LONGEST_NAME, "the name of %s is %" PRId64 " bytes long", of,
          length);
    const int64_t begin = h->at;
    TRY(skip(h, padded(length)));
    for (int64_t n = begin; n < begin + length; n++)
        SOUND(h, n, h->bytes[n] >= ' ' && h->bytes[n] != 127, "character %d in the name of %s", h->bytes[n],
              of);
    return STATUS_OK;
}

static Status take_type(Header *h, const char *of, int64_t *width) {
    static const int bytes[] = {0, 1, 1, 2, 4, 4, 8, 1, 2, 4, 8, 8};
    const int64_t from = h->at, most = h->version == 5 ? 11 : 6;
    int64_t type = 0;
    TRY(take(h, 4, &type));
    SOUND(h, from, type >= 1 && type <= most, "type %" PRId64 " of %s; there are 1 to %" PRId64, type, of,
          most);
    *width = bytes[type];
    return STATUS_OK;
}

/* The head of a list: its tag and how many entries follow, which take `least` bytes each or more. */
static Status take_list(Header *h, int64_t tag, const char *of, int64_t least, int64_t *count) {
    const int64_t from = h->at;
    int64_t told = 0;
    TRY(take(h, 4, &told));
    TRY(take_size(h, count));
    SOUND(h, from, told == tag || (told == 0 && *count == 0), "tag %" PRId64 " of the list of %s", told, of);
    SOUND(h, from + 4, *count <= (h->size - h->at) / least,
          "%" PRId64 " %s, for which the file is too short (%" PRId64 " bytes)", *count, of, h->size);
    return STATUS_OK;
}

/* ---- the three lists ---- */

static Status check_attributes(Header *h) {
    int64_t count = 0, width = 0, length = 0;
    TRY(take_list(h, ATTRIBUTE_TAG, "attributes", 16, &count));
    for (int64_t n = 0; n < count; n++) {
        TRY(take_name(h, "an attribute"));
        TRY(take_type(h, "an attribute", &width));
        const int64_t from = h->at;
        TRY(take_size(h, &length));
        SOUND(h, from, length <= (h->size - h->at) / width,
              "an attribute of %" PRId64 " values, for which the file is too short (%" PRId64 " bytes)",
              length, h->size);
        TRY(skip(h, padded(length * width)));
    }
    return STATUS_OK;
}

static Status check_dimensions(Header *h) {
    TRY(take_list(h, DIMENSION_TAG, "dimensions", 12, &h->n_dimensions));
    h->length = ALLOCATE(h->n_dimensions + 1, int64_t);
    for (int64_t n = 0; n < h->n_dimensions; n++) {
        TRY(take_name(h, "a dimension"));
        const int64_t from = h->at;
        TRY(take_size(h, &h->length[n]));
        SOUND(h, from, h->length[n] > 0 || !h->has_record_dimension,
              "dimension %" PRId64 " is unlimited, as one before it is", n);
        h->has_record_dimension |= h->length[n] == 0;
    }
    return STATUS_OK;
}

/* Multiplies `values`, of one element, by what it has in all, or in one record. */
static Status take_shape(Header *h, int64_t *values, bool *is_record) {
    const int64_t from = h->at;
    int64_t rank = 0, dimension = 0;
    TRY(take_size(h, &rank));
    SOUND(h, from, rank <= HIGHEST_RANK, "a variable of %" PRId64 " dimensions", rank);
    for (int64_t n = 0; n < rank; n++) {
        const int64_t at = h->at;
        TRY(take_size(h, &dimension));
        SOUND(h, at, dimension < h->n_dimensions,
              "a variable over dimension %" PRId64 ", but there are %" PRId64, dimension, h->n_dimensions);
        const int64_t length = h->length[dimension];
        SOUND(h, at, length > 0 || n == 0, "an unlimited dimension at place %" PRId64 ", not at the first",
              n + 1);
        *is_record |= length == 0;
        SOUND(h, at, length == 0 || !__builtin_mul_overflow(*values, length, values),
              "a variable longer than any file (dimension %" PRId64 " of length %" PRId64 ")", dimension,
              length);
    }
    return STATUS_OK;
}

static Status check_variable(Header *h) {
    int64_t values = 1, width = 0, vsize = 0;
    Extent extent = {0};
    bool is_record = false;
    TRY(take_name(h, "a variable"));
    const int64_t from = h->at;
    TRY(take_shape(h, &values, &is_record));
    TRY(check_attributes(h));
    TRY(take_type(h, "a variable", &width));
    TRY(take_size(h, &vsize));
    const int64_t begin_at = h->at;
    TRY(take(h, h->version == 1 ? 4 : 8, &extent.begin));
    SOUND(h, from, values <= INT64_MAX / 16, "a variable of %" PRId64 " values", values);
    extent.bytes = values * width;
    SOUND(h, begin_at, extent.begin <= INT64_MAX / 4, "a variable begins at byte %" PRId64, extent.begin);
    Extent *to = is_record ? &h->by_record[h->n_by_record++] : &h->fixed[h->n_fixed++];
    *to = extent;
    return STATUS_OK;
}

static Status check_variables(Header *h) {
    int64_t count = 0;
    TRY(take_list(h, VARIABLE_TAG, "variables", 32, &count));
    h->fixed = ALLOCATE(count + 1, Extent);
    h->by_record = ALLOCATE(count + 1, Extent);
    for (int64_t n = 0; n < count; n++) TRY(check_variable(h));
    return STATUS_OK;
}

/* ---- where the values lie ---- */

static int by_begin(const void *a, const void *b) {
    const Extent *x = a, *y = b;
    return (x->begin > y->begin) - (x->begin < y->begin);
}

/* Sorts them; refuses what begins before byte `from` or inside another. */
static Status check_order(const Header *h, Extent *extents, int64_t count, int64_t from, int64_t *end) {
    if (count > 0) qsort(extents, (size_t)count, sizeof *extents, by_begin);
    for (int64_t n = 0; n < count; n++) {
        CHECK(extents[n].begin >= from, STATUS_BAD_INPUT,
              "%s is damaged: according to its header a variable begins at byte %" PRId64
              ", within the header or another variable, which ends at byte %" PRId64
              "; copy or download it again",
              h->path, extents[n].begin, from);
        from = extents[n].begin + extents[n].bytes;
    }
    *end = from;
    return STATUS_OK;
}

/* The bytes from one record to the next. */
static Status find_record_bytes(const Header *h, int64_t *bytes) {
    *bytes = 0;
    for (int64_t n = 0; n < h->n_by_record; n++) {
        /* a single record variable is not padded */
        int64_t part = h->n_by_record == 1 ? h->by_record[n].bytes : padded(h->by_record[n].bytes);
        SOUND(h, 4, !__builtin_add_overflow(*bytes, part, bytes),
              "records longer than any file (%" PRId64 ")", h->records);
    }
    return STATUS_OK;
}

static Status check_records(const Header *h, int64_t *end) {
    int64_t bytes = 0, before = 0, last = *end;
    SOUND(h, 4, h->records == 0 || h->n_by_record > 0,
          "%" PRId64 " records, but no variable has an unlimited dimension", h->records);
    TRY(find_record_bytes(h, &bytes));
    TRY(check_order(h, h->by_record, h->n_by_record, *end, &last));
    if (h->n_by_record == 0 || h->records == 0) return STATUS_OK;
    CHECK(last - h->by_record[0].begin <= bytes, STATUS_BAD_INPUT,
          "%s is damaged: according to its header a record has %" PRId64
          " bytes, but its variables span %" PRId64 "; copy or download it again",
          h->path, bytes, last - h->by_record[0].begin);
    SOUND(h, 4,
          !__builtin_mul_overflow(h->records - 1, bytes, &before) &&
              !__builtin_add_overflow(before, last, end),
          "%" PRId64 " records are more than a file can have", h->records);
    return STATUS_OK;
}

static Status check_header(Header *h, ClassicHeader *out) {
    h->version = h->bytes[3];
    SOUND(h, 3, h->version == 1 || h->version == 2 || h->version == 5, "version %d; there are 1, 2 and 5",
          h->version);
    TRY(take_size(h, &h->records));
    TRY(check_dimensions(h));
    TRY(check_attributes(h));
    TRY(check_variables(h));
    TRY(check_order(h, h->fixed, h->n_fixed, h->at, &out->fixed_end));
    out->bytes = h->at;
    out->records = h->records;
    out->end = out->fixed_end;
    return check_records(h, &out->end);
}

Status netcdf_check_header(const char *path, const unsigned char *bytes, int64_t size, ClassicHeader *out) {
    Header h = {.path = path, .bytes = bytes, .at = 4, .size = size};
    *out = (ClassicHeader){0};
    CHECK(size >= 4 && memcmp(bytes, "CDF", 3) == 0, STATUS_BAD_INPUT, "%s is not a classic NetCDF file",
          path);
    Status status = check_header(&h, out);
    memory_free(h.length);
    memory_free(h.fixed);
    memory_free(h.by_record);
    return status;
}

Status netcdf_check_classic(const char *path, const unsigned char *bytes, int64_t size, int64_t *length) {
    ClassicHeader header;
    TRY(netcdf_check_header(path, bytes, size, &header));
    CHECK(header.end <= size, STATUS_BAD_INPUT,
          "%s is cut off: it has %" PRId64 " bytes, but its header requires %" PRId64 " (%" PRId64
          " records); copy or download it again",
          path, size, header.end, header.records);
    if (length) *length = header.bytes;
    return STATUS_OK;
}
