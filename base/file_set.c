/* SPDX-License-Identifier: Apache-2.0 */
#include "base/file_set.h"

#include "base/file.h"
#include "base/memory.h"
#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool exists(const char *name) {
    return access(name, F_OK) == 0;
}

bool file_is_pattern(const char *name) {
    return strpbrk(name, "*?[") && !exists(name);
}

static void add(const char *name, char ***names, int *count) {
    *names = ENLARGE(*names, *count + 1, char *);
    (*names)[(*count)++] = memory_copy_text(name);
}

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* False: no file fits. The order is that of the bytes, whatever the user's locale. */
static bool add_pattern(const char *pattern, char ***names, int *count) {
    glob_t found;
    const int failed = glob(pattern, GLOB_NOSORT, NULL, &found);
    if (!failed) qsort(found.gl_pathv, found.gl_pathc, sizeof *found.gl_pathv, by_name);
    for (size_t n = 0; !failed && n < found.gl_pathc; n++) add(found.gl_pathv[n], names, count);
    globfree(&found);
    return !failed;
}

bool file_pattern_fits(const char *pattern) {
    char **names = NULL;
    int count = 0;
    const bool fits = add_pattern(pattern, &names, &count);
    file_list_free(&names, &count);
    return fits;
}

Status file_set_list(const char *text, char ***names, int *count) {
    const bool single = exists(text);
    Status status = STATUS_OK;
    *names = NULL;
    *count = 0;
    for (const char *at = text; at && status == STATUS_OK;) {
        const char *bar = single ? NULL : strchr(at, FILE_SET_BAR);
        char *name = memory_format("%.*s", bar ? (int)(bar - at) : (int)strlen(at), at);
        if (!file_is_pattern(name))
            add(name, names, count);
        else if (!add_pattern(name, names, count))
            status = error_raise(STATUS_BAD_INPUT, "no file matches the pattern %s", name);
        memory_free(name);
        at = bar ? bar + 1 : NULL;
    }
    if (status != STATUS_OK) file_list_free(names, count);
    return status;
}

char *file_set_first(const char *text) {
    char **names = NULL;
    int count = 0;
    const size_t length = exists(text) ? strlen(text) : strcspn(text, "|");
    char *name = memory_format("%.*s", (int)length, text);
    if (!file_is_pattern(name) || !add_pattern(name, &names, &count)) return name;
    memory_free(name);
    name = memory_copy_text(names[0]);
    file_list_free(&names, &count);
    return name;
}
