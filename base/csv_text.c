/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* locale_t */
#include "base/csv_text.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

CsvText csv_text(char *text) {
    const bool marked = strncmp(text, "\xEF\xBB\xBF", 3) == 0; /* what spreadsheets put before UTF-8 */
    return (CsvText){.at = marked ? text + 3 : text};
}

char *csv_text_trim(char *text) {
    while (isspace((unsigned char)*text)) text++;
    char *end = text + strlen(text);
    while (end > text && isspace((unsigned char)end[-1])) *--end = '\0';
    return text;
}

static void cut_comment(char *line) {
    bool quoted = false;
    for (; *line && (quoted || *line != '#'); line++)
        if (*line == '"') quoted = !quoted;
    *line = '\0';
}

/* A semicolon anywhere outside of quotes, else a comma. */
static char find_separator(const char *line) {
    bool quoted = false;
    for (; *line; line++) {
        if (*line == '"') quoted = !quoted;
        if (*line == ';' && !quoted) return ';';
    }
    return ',';
}

/* The quote that ends the text; two of them stand for one inside. NULL: there is none. */
static char *closing_quote(char *at) {
    for (; *at; at++)
        if (*at == '"' && *++at != '"') return at - 1;
    return NULL;
}

static void join_quotes(char *text) {
    char *to = text;
    for (const char *from = text; (*to++ = *from); from++)
        if (*from == '"' && from[1] == '"') from++;
}

char *csv_text_line(CsvText *t) {
    while (*t->at) {
        char *line = t->at, *end = line + strcspn(line, "\r\n");
        t->line++;
        t->at = end;
        if (*t->at == '\r' && t->at[1] == '\n') t->at++;
        if (*t->at) t->at++;
        *end = '\0';
        cut_comment(line);
        line = csv_text_trim(line);
        if (!*line) continue;
        if (!t->separator) t->separator = find_separator(line);
        return line;
    }
    return NULL;
}

char *csv_text_field(const CsvText *t, char **line) {
    if (!*line) return NULL;
    char *field = *line + strspn(*line, " \t"), *closing = *field == '"' ? closing_quote(field + 1) : NULL;
    const char *rest = closing ? closing + 1 + strspn(closing + 1, " \t") : NULL;
    const bool quoted = rest && (*rest == t->separator || *rest == '\0');
    char *end = strchr(quoted ? closing : field, t->separator);
    if (end) *end = '\0';
    if (quoted) *closing = '\0', join_quotes(field + 1);
    *line = end ? end + 1 : NULL;
    return csv_text_trim(quoted ? field + 1 : field);
}

bool csv_text_number(const char *text, locale_t c, double *value) {
    char *end;
    *value = strtod_l(text, &end, c);
    return end != text && *end == '\0' && isfinite(*value) && !strpbrk(text, "xX");
}
