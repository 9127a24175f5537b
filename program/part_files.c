/* SPDX-License-Identifier: Apache-2.0 */
#include "program/part_files.h"

#include "base/memory.h"
#include "program/datafile.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static size_t stem_of(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot ? (size_t)(dot - name) : strlen(name);
}

const char *part_files_label(const char *of, const char *file) {
    const size_t stem = stem_of(of);
    return strncmp(of, file, stem) == 0 ? file + stem : file;
}

/* "sea_20140923.nc" of "sea.nc": the name alone. */
static bool is_called(const char *whole, const char *name) {
    const size_t stem = stem_of(whole);
    if (strncmp(whole, name, stem) != 0 || name[stem] != '_') return false;
    const size_t digits = strspn(name + stem + 1, "0123456789");
    return digits >= 4 && digits <= 8 && strcmp(name + stem + 1 + digits, whole + stem) == 0;
}

/* A file may be called so and be something else; a damaged one may be a part. */
static bool is_part(const char *whole, const char *path, bool *damaged) {
    DataFile file;
    char *of = NULL;
    bool is = false;
    *damaged = datafile_open(path, &file) != STATUS_OK;
    if (!*damaged) {
        of = datafile_text(&file, NC_GLOBAL, "part_of");
        const char *slash = of ? strrchr(of, '/') : NULL;
        is = of && strcmp(slash ? slash + 1 : of, whole) == 0;
    } else
        error_clear();
    datafile_close(&file);
    memory_free(of);
    return is;
}

static void add(PartFiles *files, char *path) {
    files->path = ENLARGE(files->path, files->count + 1, char *);
    files->path[files->count++] = path;
}

PartFiles part_files_find(const char *path) {
    PartFiles found = {NULL, 0};
    const char *slash = strrchr(path, '/'), *whole = slash ? slash + 1 : path;
    char *folder = slash ? memory_format("%.*s", (int)(slash - path) + 1, path) : memory_copy_text("./");
    struct dirent **entries = NULL;
    const int n = access(path, F_OK) == 0 ? 0 : scandir(folder, &entries, NULL, alphasort);
    bool any = false;
    for (int m = 0; m < n; m++) {
        char *one = memory_format("%s%s", slash ? folder : "", entries[m]->d_name);
        bool damaged = false;
        const bool is = is_called(whole, entries[m]->d_name) && is_part(whole, one, &damaged);
        any |= is;
        if (is || damaged) /* who opens it says why that fails */
            add(&found, one);
        else
            memory_free(one);
        free(entries[m]);
    }
    free(entries);
    memory_free(folder);
    if (!any) part_files_release(&found); /* damaged files alone are no output */
    if (found.count == 0) add(&found, memory_copy_text(path));
    return found;
}

void part_files_release(PartFiles *files) {
    for (int n = 0; n < files->count; n++) memory_free(files->path[n]);
    memory_free(files->path);
    *files = (PartFiles){NULL, 0};
}

Status part_files_each(const char *path, Status (*use)(const char *path, void *with), void *with) {
    PartFiles files = part_files_find(path);
    Status status = STATUS_OK;
    for (int n = 0; n < files.count && status == STATUS_OK; n++) status = use(files.path[n], with);
    part_files_release(&files);
    return status;
}
