/* SPDX-License-Identifier: Apache-2.0 */
#include "base/log.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

static bool silent; /* ranks above 0 */

bool log_is_control(const char *text) {
    const unsigned char *c = (const unsigned char *)text;
    return (*c < ' ' && *c) || *c == 127 || (c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0);
}

void log_make_printable(char *text) {
    for (; *text; text++)
        if (*text != '\n' && *text != '\t' && log_is_control(text)) *text = '?';
}

void log_start(int rank) {
    silent = rank != 0;
}

static void say(const char *label, const char *format, va_list arguments) {
    if (silent) return;
    char line[2048]; /* one write per line, so that lines of several programs do not mix */
    int length = snprintf(line, sizeof line, "%s", label);
    vsnprintf(line + length, sizeof line - (size_t)length, format, arguments);
    log_make_printable(line);
    fprintf(stderr, "%s\n", line);
}

void log_info(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say("", format, arguments);
    va_end(arguments);
}

void log_warn(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    say("warning: ", format, arguments);
    va_end(arguments);
}
