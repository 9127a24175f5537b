/* SPDX-License-Identifier: Apache-2.0
 *
 * Text for messages about JSON values: how to quote them, which key was probably meant.
 */
#include "base/json.h"

#include <ctype.h>
#include <locale.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *json_kind_name(JsonKind kind) {
    static const char *const names[] = {"null",   "true or false", "a number",
                                        "a text", "an array",      "an object"};
    return names[kind];
}

void json_describe(const Json *json, char out[80]) {
    char number[32];
    switch (json->kind) {
    case JSON_NULL:
        snprintf(out, 80, "null");
        break;
    case JSON_BOOL:
        snprintf(out, 80, "%s", json->truth ? "true" : "false");
        break;
    case JSON_NUMBER:
        json_format_number(json->number, number), snprintf(out, 80, "%s", number);
        break;
    case JSON_ARRAY:
        snprintf(out, 80, "an array of %d", json->n_items);
        break;
    case JSON_OBJECT:
        snprintf(out, 80, "an object");
        break;
    case JSON_STRING: {
        size_t length = strlen(json->text), cut = length > 60 ? 60 : length;
        while (cut < length && ((unsigned char)json->text[cut] & 0xC0) == 0x80)
            cut++; /* no half characters */
        snprintf(out, 80, "the text \"%.*s%s\"", (int)cut, json->text, cut < length ? "..." : "");
    }
    }
}

/* How many letters must be inserted, removed, changed or swapped with their neighbour; capitals count for
 * nothing. `most` or more is returned as `most`. */
static int distance(const char *a, const char *b, int most) {
    enum { LONGEST = 40 };
    int rows[3][LONGEST + 1], n_a = (int)strlen(a), n_b = (int)strlen(b);
    if (n_a > LONGEST || n_b > LONGEST || abs(n_a - n_b) >= most) return most;
    int *before = rows[0], *last = rows[1], *row = rows[2];
    for (int j = 0; j <= n_b; j++) last[j] = j;
    for (int i = 1; i <= n_a; i++) {
        row[0] = i;
        for (int j = 1; j <= n_b; j++) {
            int ca = tolower((unsigned char)a[i - 1]), cb = tolower((unsigned char)b[j - 1]);
            int best = last[j - 1] + (ca != cb);
            if (last[j] + 1 < best) best = last[j] + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            bool swapped = i > 1 && j > 1 && ca == tolower((unsigned char)b[j - 2]) &&
                           cb == tolower((unsigned char)a[i - 2]);
            if (swapped && before[j - 2] + 1 < best) best = before[j - 2] + 1;
            row[j] = best;
        }
        int *free_row = before;
        before = last, last = row, row = free_row;
    }
    return last[n_b] < most ? last[n_b] : most;
}

const char *json_nearest(const char *text, const char *const *names, int count) {
    const char *nearest = NULL;
    const int length = (int)strlen(text);
    int best = length < 3 ? length : length / 3 + 2; /* a name of other letters alone is not near */
    for (int n = 0; n < count; n++) {
        int far = distance(text, names[n], best);
        if (far < best) best = far, nearest = names[n];
    }
    return nearest;
}

void json_format_number(double number, char out[32]) {
    if (number == floor(number) && fabs(number) < 1e15) { /* 2000 rather than 2e+03 */
        snprintf(out, 32, "%.0f", number);
        return;
    }
    for (int digits = 1; digits <= 17; digits++) {
        snprintf(out, 32, "%.*g", digits, number);
        if (strtod(out, NULL) == number) break;
    }
    char *point = strpbrk(out, localeconv()->decimal_point), *exponent = strpbrk(out, "e");
    if (point) *point = '.';
    if (exponent && exponent[2] == '0')
        memmove(exponent + 2, exponent + 3, strlen(exponent + 3) + 1); /* 1e-9 */
}
