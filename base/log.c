/* SPDX-License-Identifier: Apache-2.0 */
#include "base/log.h"

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool silent; /* ranks above 0 */
static bool warnings_alone;

/* One after the other, each with its closing zero. */
static struct {
    char text[32768];
    size_t used;
    bool full;
} kept;

bool log_is_control(const char *text) {
    const unsigned char *c = (const unsigned char *)text;
    return (*c < ' ' && *c) || *c == 127 || (c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0);
}

void log_make_printable(char *text) {
    for (; *text; text++)
        if (*text != '\n' && *text != '\t' && log_is_control(text)) *text = '?';
}

const char *log_number(double value, char text[32]) {
    if (isnan(value)) return "not a number";
    snprintf(text, 32, "%g", value);
    return text;
}

double log_rounded(double value, int digits) {
    if (value == 0 || !isfinite(value)) return value;
    const int decimals = digits - 1 - (int)floor(log10(fabs(value)));
    const double power = pow(10, abs(decimals));
    return decimals < 0 ? round(value / power) * power : round(value * power) / power;
}

void log_start(int rank) {
    silent = rank != 0;
}

void log_only_warnings(bool only) {
    warnings_alone = only;
}

void log_forget(void) {
    kept.used = 0;
    kept.full = false;
}

const char *log_kept(const char *previous) {
    const char *next = previous ? previous + strlen(previous) + 1 : kept.text;
    return next < kept.text + kept.used ? next : NULL;
}

void log_keep(const char *label, const char *text) {
    static const char last[] = "warning: there were more messages than this record keeps";
    const size_t head = strlen(label), length = head + strlen(text) + 1;
    if (kept.full) return;
    for (const char *old = log_kept(NULL); old; old = log_kept(old))
        if (strncmp(old, label, head) == 0 && strcmp(old + head, text) == 0) return;
    kept.full = kept.used + length + sizeof last > sizeof kept.text;
    if (kept.full)
        kept.used += (size_t)snprintf(kept.text + kept.used, sizeof kept.text - kept.used, "%s", last) + 1;
    else
        kept.used += (size_t)snprintf(kept.text + kept.used, length, "%s%s", label, text) + 1;
}

static void say(const char *label, const char *format, va_list arguments) {
    if (silent) return;
    char line[2048]; /* one write per line, so that lines of several programs do not mix */
    int length = snprintf(line, sizeof line, "%s", label);
    vsnprintf(line + length, sizeof line - (size_t)length, format, arguments);
    log_make_printable(line);
    log_keep("", line);
    if (!warnings_alone || length > 0) fprintf(stderr, "%s\n", line);
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
