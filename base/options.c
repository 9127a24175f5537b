/* SPDX-License-Identifier: Apache-2.0 */
#include "base/options.h"

#include "base/json.h"
#include "base/log.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_OPTIONS = 40 };

static Status option_whole(const Option *o, const char *text) {
    int64_t *out = o->to;
    char *end;
    errno = 0;
    *out = strtoll(text, &end, 10);
    CHECK(*end == 0 && end != text && errno == 0 && *out >= o->least, STATUS_BAD_INPUT,
          "--%s takes a whole number of at least %lld, not \"%s\"%s%s", o->name, (long long)o->least, text,
          o->hint ? "; " : "", o->hint ? o->hint : "");
    return STATUS_OK;
}

Status option_numbers(const char *name, const char *text, int count, double *out) {
    const char *at = text;
    for (int n = 0; n < count; n++) {
        char *end;
        out[n] = strtod(at, &end);
        const bool good = end != at && isfinite(out[n]) && *end == (n + 1 < count ? ',' : 0);
        CHECK(good, STATUS_BAD_INPUT, "--%s takes %d number%s%s, not \"%s\"", name, count,
              count > 1 ? "s" : "", count > 1 ? " with commas between" : "", text);
        at = end + 1;
    }
    return STATUS_OK;
}

/* One that begins so, or the nearest. */
static const char *meant(const char *word, size_t length, const Option *options) {
    const char *all[MOST_OPTIONS];
    char text[64];
    int count = 0;
    for (; options[count].name && count < MOST_OPTIONS; count++) {
        if (strncmp(options[count].name, word, length) == 0) return options[count].name;
        all[count] = options[count].name;
    }
    snprintf(text, sizeof text, "%.*s", (int)length, word);
    return json_nearest(text, all, count);
}

/* The option that a word names, of which `length` letters are its name; NULL: none. */
static const Option *named(const char *word, const Option *options, size_t *length) {
    const bool is_long = word[1] == '-';
    const char *name = word + 1 + is_long;
    *length = strcspn(name, "=");
    for (const Option *o = options; o->name; o++)
        if (is_long ? strlen(o->name) == *length && strncmp(o->name, name, *length) == 0
                    : o->letter && name[0] == o->letter && name[1] == '\0')
            return o;
    return NULL;
}

static Status refuse(const char *command, const char *word, size_t length, const Option *options) {
    const char *near = word[1] == '-' ? meant(word + 2, length, options) : NULL;
    return error_raise(STATUS_BAD_INPUT, "%s: unknown option %.*s%s%s%s (see ./maeotis %s --help)", command,
                       (int)length + (word[1] == '-' ? 2 : 1), word, near ? "; did you mean --" : "",
                       near ? near : "", near ? "?" : "", command);
}

static Status take(const Option *o, const char *value) {
    switch (o->kind) {
    case OPTION_FLAG:
        *(bool *)o->to = true;
        return STATUS_OK;
    case OPTION_TEXT:
        *(const char **)o->to = value;
        return STATUS_OK;
    case OPTION_WHOLE:
        return option_whole(o, value);
    case OPTION_NUMBER:
        return option_numbers(o->name, value, 1, o->to);
    default:
        return o->take(value, o->to);
    }
}

/* The option at argv[*n], with its value from the word itself or the next one. */
static Status read_option(const char *command, int argc, char **argv, const Option *options, int *n) {
    size_t length;
    const char *word = argv[*n];
    const Option *o = named(word, options, &length);
    if (!o) return refuse(command, word, length, options);
    if (o->kind == OPTION_RENAMED) {
        const char *now = o->now;
        log_info("--%s is now called --%s", o->name, now);
        for (o = options; strcmp(o->name, now) != 0;) o++;
    }
    const char *equals = word[1] == '-' && word[2 + length] == '=' ? word + 3 + length : NULL;
    CHECK(o->kind != OPTION_FLAG || !equals, STATUS_BAD_INPUT, "%s: --%s takes no value", command, o->name);
    if (o->kind == OPTION_FLAG || o->kind == OPTION_MAY || equals) return take(o, equals);
    CHECK(++*n < argc, STATUS_BAD_INPUT, "%s: %s needs a value (see ./maeotis %s --help)", command, word,
          command);
    return take(o, argv[*n]);
}

Status options_read(const char *command, int argc, char **argv, const Option *options, Operands *operands) {
    bool only_operands = false;
    operands->count = 0;
    for (int n = 1; n < argc; n++) {
        const char *word = argv[n];
        if (!only_operands && strcmp(word, "--") == 0) {
            only_operands = true;
        } else if (!only_operands && (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)) {
            operands->help = true;
            return STATUS_OK;
        } else if (!only_operands && word[0] == '-' && word[1]) {
            TRY(read_option(command, argc, argv, options, &n));
        } else {
            CHECK(operands->count < operands->most, STATUS_BAD_INPUT,
                  "%s: give only %s %s%s, not \"%s\" as well (see ./maeotis %s --help)", command,
                  operands->most == 1 ? "one" : "two", operands->what, operands->most == 1 ? "" : "s", word,
                  command);
            operands->word[operands->count++] = word;
        }
    }
    CHECK(operands->count >= operands->least, STATUS_BAD_INPUT, "%s: %s %s given (see ./maeotis %s --help)",
          command, operands->count == 0 ? "no" : "only one", operands->what, command);
    return STATUS_OK;
}
