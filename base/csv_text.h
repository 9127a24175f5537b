/* SPDX-License-Identifier: Apache-2.0
 *
 * The text of tables as people write and export them: rows of fields between commas or semicolons, fields in
 * quotes or not, comments after #, empty lines anywhere. Local.
 */
#ifndef MAEOTIS_BASE_CSV_TEXT_H
#define MAEOTIS_BASE_CSV_TEXT_H

#include <locale.h>
#include <stdbool.h>

typedef struct CsvText {
    char *at; /* the rest of the text, which is taken apart where it stands */
    int line; /* number of the line that came last */
    char separator;
} CsvText;

CsvText csv_text(char *text);

/* The next line with content, comments taken away; NULL at the end. The first one decides the separator. */
char *csv_text_line(CsvText *text);

/* The next field of the line, without the blanks or the quotes around it; NULL behind the last. In quotes a
 * separator is a character like others, and two quotes are one. */
char *csv_text_field(const CsvText *text, char **line);

char *csv_text_trim(char *text);

/* A finite decimal number and nothing else; in the locale `c` a decimal point is a point. */
bool csv_text_number(const char *text, locale_t c, double *value);

#endif
