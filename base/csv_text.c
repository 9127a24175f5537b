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
        if (!t->separator) t->separator = strchr(line, ';') ? ';' : ',';
        return line;
    }
    return NULL;
}

char *csv_text_field(const CsvText *t, char **line) {
    if (!*line) return NULL;
    char *field = *line + strspn(*line, " \t"), *closing = *field == '"' ? strchr(field + 1, '"') : NULL;
    const char *rest = closing ? closing + 1 + strspn(closing + 1, " \t") : NULL;
    const bool quoted = rest && (*rest == t->separator || *rest == '\0');
    char *end = strchr(quoted ? closing : field, t->separator);
    if (end) *end = '\0';
    if (quoted) *closing = '\0';
    *line = end ? end + 1 : NULL;
    return csv_text_trim(quoted ? field + 1 : field);
}

bool csv_text_number(const char *text, locale_t c, double *value) {
    char *end;
    *value = strtod_l(text, &end, c);
    return end != text && *end == '\0' && isfinite(*value) && !strpbrk(text, "xX");
}
