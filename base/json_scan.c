/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json_scan.h"

#include "base/memory.h"
#include <stdarg.h>
#include <string.h>

/* No scenario is nested deeper; deeper text could exhaust the stack. cJSON keeps numbers in 64 bytes. */
enum { DEEPEST = 64, LONGEST_NUMBER = 60 };

typedef struct Scanner {
    JsonScan *scan;
    char *at;      /* next character */
    char *counted; /* up to here line and column are counted */
    int line, column, depth;
} Scanner;

static bool scan_value(Scanner *s, const JsonPosition *key);

/* Only forwards, so that counting costs the length of the text once. */
static void count_to(Scanner *s, const char *place) {
    for (; s->counted < place; s->counted++) {
        bool continuation = ((unsigned char)*s->counted & 0xC0) == 0x80; /* of a UTF-8 character */
        if (*s->counted == '\n')
            s->line++, s->column = 1;
        else if (!continuation)
            s->column++;
    }
}

static bool fail(Scanner *s, const char *place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static bool fail(Scanner *s, const char *place, const char *format, ...) {
    JsonScan *scan = s->scan;
    if (scan->failed) return false;
    count_to(s, place);
    int used = snprintf(scan->message, sizeof scan->message, "%d:%d: ", s->line, s->column);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(scan->message + used, sizeof scan->message - (size_t)used, format, arguments);
    va_end(arguments);
    scan->failed = true;
    return false;
}

/* What stands at `place`, as it is quoted in a message. */
static const char *found(const char *place, char out[64]) {
    size_t length = strcspn(place, " \t\r\n,:{}[]\"");
    if (*place == '\0') return "the end of the text";
    if (*place == '"') return "a string";
    if (length == 0) length = 1;
    if (length > 24) length = 24;
    while (length < 28 && ((unsigned char)place[length] & 0xC0) == 0x80) length++; /* no half characters */
    snprintf(out, 64, "'%.*s'", (int)length, place);
    return out;
}

static bool blank_comment(Scanner *s) {
    char *start = s->at;
    bool line = start[1] == '/';
    char *end = line ? strchr(start, '\n') : strstr(start + 2, "*/");
    if (!end && !line) return fail(s, start, "the comment that begins here is never closed with */");
    end = !end ? start + strlen(start) : line ? end : end + 2;
    count_to(s, end);
    for (char *p = start; p < end; p++)
        if (*p != '\n') *p = ' ';
    s->at = end;
    return true;
}

static bool skip_space(Scanner *s) {
    for (;;) {
        s->at += strspn(s->at, " \t\r\n");
        if (*s->at != '/' || (s->at[1] != '/' && s->at[1] != '*')) return true;
        if (!blank_comment(s)) return false;
    }
}

static int hex4(const char *p) {
    int value = 0;
    for (int n = 0; n < 4; n++) {
        const char *digit =
            p[n] ? strchr("0123456789abcdef", p[n] | ('A' <= p[n] && p[n] <= 'F' ? 0x20 : 0)) : NULL;
        if (!digit) return -1;
        value = value * 16 + (int)(digit - "0123456789abcdef");
    }
    return value;
}

/* `s->at` is at the backslash. */
static bool scan_escape(Scanner *s) {
    char *p = s->at;
    if (p[1] != 'u') {
        if (p[1] == '\0' || !strchr("\"\\/bfnrt", p[1]))
            return fail(
                s, p,
                "a backslash begins \\\" \\\\ \\/ \\n \\t or \\uXXXX; a backslash itself is written \\\\");
        s->at += 2;
        return true;
    }
    int unit = hex4(p + 2);
    if (unit < 0) return fail(s, p, "\\u needs four hexadecimal digits");
    if (unit == 0) return fail(s, p, "a text cannot contain the character \\u0000");
    if (unit >= 0xDC00 && unit < 0xE000)
        return fail(s, p, "half a character: \\uDC00-\\uDFFF follow \\uD800-\\uDBFF");
    s->at += 6;
    if (unit < 0xD800 || unit >= 0xE000) return true;
    int low = s->at[0] == '\\' && s->at[1] == 'u' ? hex4(s->at + 2) : -1;
    if (low < 0xDC00 || low >= 0xE000)
        return fail(s, p, "half a character: \\uDC00-\\uDFFF follow \\uD800-\\uDBFF");
    s->at += 6;
    return true;
}

static bool scan_string(Scanner *s) {
    char *start = s->at++;
    for (;;) {
        unsigned char c = (unsigned char)*s->at;
        if (c == '"') return s->at++, true;
        if (c == '\0' || c == '\n')
            return fail(s, start, "the text that begins here is not closed with '\"' on its line");
        if (c < 0x20) return fail(s, s->at, "a tab or another control character inside a text; write \\t");
        if (c == '\\') {
            if (!scan_escape(s)) return false;
        } else {
            s->at++;
        }
    }
}

static bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

static bool scan_number(Scanner *s) {
    char *start = s->at, *p = start;
    if (*p == '-') p++;
    if (!is_digit(*p))
        return fail(s, start, "a number begins with a digit (0.5, not .5), found %.1s%s", p,
                    *p ? "" : "nothing");
    if (*p == '0' && is_digit(p[1]))
        return fail(s, start, "a number does not begin with 0, unless 0.something");
    while (is_digit(*p)) p++;
    if (*p == '.') {
        if (!is_digit(*++p))
            return fail(s, start, "a digit is missing after the decimal point (1.0, not 1.)");
        while (is_digit(*p)) p++;
    }
    if (*p == 'e' || *p == 'E') {
        p++;
        if (*p == '+' || *p == '-') p++;
        if (!is_digit(*p)) return fail(s, start, "the digits of the exponent are missing");
        while (is_digit(*p)) p++;
    }
    if (p - start > LONGEST_NUMBER)
        return fail(s, start, "a number of more than %d characters", LONGEST_NUMBER);
    s->at = p;
    return true;
}

/* Of the value that begins here; `key` holds where its key stood. */
static void note_position(Scanner *s, const JsonPosition *key) {
    JsonScan *scan = s->scan;
    if (scan->n_positions == scan->room) {
        scan->room = scan->room ? 2 * scan->room : 64;
        scan->positions = ENLARGE(scan->positions, scan->room, JsonPosition);
    }
    count_to(s, s->at);
    JsonPosition position = {s->line, s->column, s->line, s->column};
    if (key) position.key_line = key->line, position.key_column = key->column;
    scan->positions[scan->n_positions++] = position;
}

/* After a value: the comma before the next one, or the closing bracket, which sets `*done`. */
static bool scan_separator(Scanner *s, char close, bool *done) {
    char quoted[64];
    if (!skip_space(s)) return false;
    *done = *s->at == close;
    if (*done) return s->at++, true;
    if (*s->at != ',')
        return fail(s, s->at, "expected ',' or '%c', found %s%s", close, found(s->at, quoted),
                    *s->at == '"' ? " (is a comma missing before it?)" : "");
    char *comma = s->at++;
    count_to(s, comma);
    Scanner at_comma = *s;
    if (!skip_space(s)) return false;
    if (*s->at != close) return true;
    *s = at_comma;
    return fail(s, comma, "nothing follows this comma: remove it, or add the missing item before the '%c'",
                close);
}

static bool scan_array(Scanner *s) {
    bool done = false;
    s->at++;
    if (!skip_space(s)) return false;
    if (*s->at == ']') return s->at++, true;
    while (!done)
        if (!scan_value(s, NULL) || !scan_separator(s, ']', &done)) return false;
    return true;
}

static bool scan_object(Scanner *s) {
    bool done = false;
    char quoted[64];
    s->at++;
    if (!skip_space(s)) return false;
    if (*s->at == '}') return s->at++, true;
    while (!done) {
        if (!skip_space(s)) return false;
        if (*s->at != '"')
            return fail(s, s->at, "expected a key in double quotes, found %s", found(s->at, quoted));
        count_to(s, s->at);
        JsonPosition key = {s->line, s->column, 0, 0};
        if (!scan_string(s) || !skip_space(s)) return false;
        if (*s->at != ':')
            return fail(s, s->at, "expected ':' after the key, found %s", found(s->at, quoted));
        s->at++;
        if (!scan_value(s, &key) || !scan_separator(s, '}', &done)) return false;
    }
    return true;
}

static bool scan_word(Scanner *s) {
    static const char *const words[] = {"true", "false", "null"};
    char quoted[64];
    size_t length = strcspn(s->at, " \t\r\n,:{}[]\"/");
    for (int n = 0; n < 3; n++)
        if (strlen(words[n]) == length && strncmp(s->at, words[n], length) == 0) return s->at += length, true;
    if (*s->at == '\'') return fail(s, s->at, "a text needs double quotes \"...\", not single ones");
    return fail(s, s->at,
                "expected a value (a number, \"text\", true, false, null, [...] or {...}), found %s",
                found(s->at, quoted));
}

static bool scan_value(Scanner *s, const JsonPosition *key) {
    if (!skip_space(s)) return false;
    if (s->depth == DEEPEST) return fail(s, s->at, "nested deeper than %d levels", DEEPEST);
    note_position(s, key);
    s->depth++;
    bool good = *s->at == '{'                               ? scan_object(s)
                : *s->at == '['                             ? scan_array(s)
                : *s->at == '"'                             ? scan_string(s)
                : strchr("-+.0123456789", *s->at) && *s->at ? scan_number(s)
                                                            : scan_word(s);
    s->depth--;
    return good;
}

/* The first byte that is no part of a UTF-8 character, or NULL. */
static char *first_foreign_byte(char *text) {
    for (char *p = text; *p;) {
        unsigned char c = (unsigned char)*p;
        int more = c < 0x80                ? 0
                   : c >= 0xC2 && c < 0xE0 ? 1
                   : (c & 0xF0) == 0xE0    ? 2
                   : c >= 0xF0 && c < 0xF5 ? 3
                                           : -1;
        unsigned char second = (unsigned char)p[1];
        bool bad = more < 0 || (c == 0xE0 && second < 0xA0) || (c == 0xED && second > 0x9F) ||
                   (c == 0xF0 && second < 0x90) ||
                   (c == 0xF4 && second > 0x8F); /* too long, surrogate, too large */
        for (int n = 1; n <= more && !bad; n++) bad = ((unsigned char)p[n] & 0xC0) != 0x80;
        if (bad) return p;
        p += more + 1;
    }
    return NULL;
}

void json_scan(const char *text, JsonScan *scan) {
    char quoted[64];
    bool mark = strncmp(text, "\xEF\xBB\xBF", 3) == 0; /* byte-order mark, as some editors leave it */
    *scan = (JsonScan){.text = memory_copy_text(mark ? text + 3 : text)};
    Scanner s = {.scan = scan, .at = scan->text, .counted = scan->text, .line = 1, .column = 1};
    char *foreign = first_foreign_byte(scan->text);
    if (foreign) {
        fail(&s, foreign, "the byte 0x%02X is not UTF-8: save the file as UTF-8", (unsigned char)*foreign);
        return;
    }
    if (!scan_value(&s, NULL) || !skip_space(&s)) return;
    if (*s.at) fail(&s, s.at, "the text should end here, found %s", found(s.at, quoted));
}

void json_scan_free(JsonScan *scan) {
    memory_free(scan->text);
    memory_free(scan->positions);
    *scan = (JsonScan){0};
}
