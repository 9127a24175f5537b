/* SPDX-License-Identifier: Apache-2.0 */
#include "base/options.h"

#include "base/json.h"
#include <string.h>

enum { MOST_OPTIONS = 40 };

/* One that begins so, or the nearest. */
static const char *meant(const char *word, size_t length, const struct option *names) {
    const char *all[MOST_OPTIONS];
    char text[64];
    int count = 0;
    for (; names[count].name && count < MOST_OPTIONS; count++) {
        if (strncmp(names[count].name, word, length) == 0) return names[count].name;
        all[count] = names[count].name;
    }
    snprintf(text, sizeof text, "%.*s", (int)length, word);
    return json_nearest(text, all, count);
}

Status options_check(const char *command, int argc, char **argv, const struct option *names) {
    for (int n = 1; n < argc && strcmp(argv[n], "--") != 0; n++) {
        if (strncmp(argv[n], "--", 2) != 0) continue;
        const char *word = argv[n] + 2;
        const size_t length = strcspn(word, "=");
        const struct option *is = names;
        while (is->name && (strlen(is->name) != length || strncmp(is->name, word, length) != 0)) is++;
        if (!is->name) {
            const char *near = meant(word, length, names);
            return error_raise(STATUS_BAD_INPUT, "%s: unknown option --%.*s%s%s%s (see ./maeotis %s --help)",
                               command, (int)length, word, near ? "; did you mean --" : "", near ? near : "",
                               near ? "?" : "", command);
        }
        if (is->has_arg != required_argument || word[length] == '=') continue;
        CHECK(++n < argc, STATUS_BAD_INPUT, "%s: --%s needs a value (see ./maeotis %s --help)", command,
              is->name, command);
    }
    return STATUS_OK;
}
