/* SPDX-License-Identifier: Apache-2.0
 *
 * Lines, words and numbers of text rasters. A raster holds up to 1e8 numbers: short ones are converted here,
 * exactly (an integer below 2^53 times or over a power of ten that a double holds exactly is rounded once);
 * strtod does the rest.
 */
#include "bathymetry/raster_internal.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

bool raster_next_line(const FileBytes *file, const char **next, RasterLine *line) {
    const char *end = file->bytes + file->size;
    if (*next >= end) return false;
    const char *stop = memchr(*next, '\n', (size_t)(end - *next));
    line->at = *next;
    line->end = stop ? stop : end;
    line->number++;
    *next = stop ? stop + 1 : end;
    while (line->end > line->at && line->end[-1] == '\r') line->end--;
    return true;
}

static bool is_blank(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static bool ends_word(const char *at, const char *end) {
    return at >= end || is_blank(*at) || *at == ',' || *at == ';';
}

bool raster_skip_blanks(RasterLine *line, bool separators) {
    while (line->at < line->end &&
           (is_blank(*line->at) || (separators && (*line->at == ',' || *line->at == ';'))))
        line->at++;
    return line->at < line->end;
}

void raster_word(const RasterLine *line, char word[32]) {
    int n = 0;
    for (const char *c = line->at; n < 31 && !ends_word(c, line->end); c++) {
        bool plain = *c > ' ' && *c < 127;
        word[n++] = plain ? *c : '?';
    }
    word[n] = 0;
}

/* strtod wants a zero behind the number, which a mapped file does not have. */
static bool convert_slowly(RasterLine *line, double *value) {
    char word[128], *stop;
    size_t length = 0;
    while (!ends_word(line->at + length, line->end)) length++;
    if (length == 0 || length >= sizeof word) return false;
    memcpy(word, line->at, length);
    word[length] = 0;
    for (size_t n = 0; n < length; n++) {
        if (word[n] == 'd' || word[n] == 'D') word[n] = 'e'; /* Fortran's exponent */
        if (!strchr("+-0123456789.eE", word[n])) return false;
    }
    *value = strtod(word, &stop);
    line->at += length;
    return *stop == 0 && isfinite(*value);
}

static bool take_nan(RasterLine *line, double *value) {
    if (line->end - line->at < 3 || strncasecmp(line->at, "nan", 3) != 0 ||
        !ends_word(line->at + 3, line->end))
        return false;
    line->at += 3;
    *value = NAN;
    return true;
}

/* Digits and a point, from `*at`; `*places` is how many stand behind the point. False: too many to be exact.
 */
static bool take_digits(const char **at, const char *end, int64_t *digits, int *places) {
    const char *c = *at, *point = NULL;
    int count = 0;
    *digits = 0;
    for (; c < end; c++) {
        if (*c == '.' && !point) {
            point = c;
        } else if (*c >= '0' && *c <= '9') {
            if (++count > 15) return false;
            *digits = *digits * 10 + (*c - '0');
        } else {
            break;
        }
    }
    *places = point ? (int)(c - point - 1) : 0;
    *at = c;
    return count > 0;
}

bool raster_take_number(RasterLine *line, double *value) {
    static const double power[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};
    const char *at = line->at;
    bool negative = at < line->end && *at == '-';
    if (at < line->end && (*at == '-' || *at == '+')) at++;
    int64_t digits;
    int places;
    if (!take_digits(&at, line->end, &digits, &places) || !ends_word(at, line->end))
        return take_nan(line, value) || convert_slowly(line, value);
    double magnitude = (double)digits / power[places];
    *value = negative ? -magnitude : magnitude;
    line->at = at;
    return true;
}
