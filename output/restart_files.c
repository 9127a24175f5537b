/* SPDX-License-Identifier: Apache-2.0
 *
 * Which restart files a chain of runs keeps.
 */
#define _DEFAULT_SOURCE /* lstat, S_ISREG */
#include "base/hash.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/netcdf_in.h"
#include "output/restart.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { CHAIN_DIGITS = 16 };

/* The chain of a restart file, and whether it is a named one; false if it tells of none. */
static bool read_chain(const char *path, char chain[CHAIN_DIGITS + 1], bool *named) {
    NetcdfFile *file = NULL;
    double mark = 0;
    if (netcdf_open(path, &file) != STATUS_OK) {
        error_clear();
        return false;
    }
    char *text = netcdf_text(file, NETCDF_WHOLE_FILE, RESTART_CHAIN);
    const bool good = text && strlen(text) == CHAIN_DIGITS;
    if (good) strcpy(chain, text);
    *named = netcdf_number(file, NETCDF_WHOLE_FILE, RESTART_NAMED, &mark) && mark != 0;
    memory_free(text);
    netcdf_close(&file);
    return good;
}

char *restart_chain(const char *path, const char *effective_scenario) {
    char chain[CHAIN_DIGITS + 1];
    bool named;
    if (!path || !read_chain(path, chain, &named))
        snprintf(chain, sizeof chain, "%016" PRIx64, hash_text(effective_scenario));
    return memory_copy_text(chain);
}

static void append(RestartFiles *files, const char *path) {
    files->path = ENLARGE(files->path, files->count + 1, char *);
    files->path[files->count++] = memory_copy_text(path);
}

/* Those that are there already, sorted by name, which is by time. */
static void look(RestartFiles *files, const char *folder) {
    struct dirent **entries = NULL;
    const int n = scandir(folder, &entries, restart_is_named, alphasort);
    for (int m = 0; m < n; m++) {
        char *path = memory_format("%s/%s", folder, entries[m]->d_name), chain[CHAIN_DIGITS + 1];
        struct stat facts;
        bool named;
        if (lstat(path, &facts) == 0 && S_ISREG(facts.st_mode) && read_chain(path, chain, &named) && !named &&
            strcmp(chain, files->chain) == 0)
            append(files, path);
        memory_free(path);
        free(entries[m]);
    }
    free(entries);
    files->looked = true;
}

/* Where the path stands, or would stand. */
static int find(const RestartFiles *files, const char *path, bool *there) {
    int at = 0;
    while (at < files->count && strcmp(files->path[at], path) < 0) at++;
    *there = at < files->count && strcmp(files->path[at], path) == 0;
    return at;
}

static void insert(RestartFiles *files, int at, const char *path) {
    append(files, path);
    char *inserted = files->path[files->count - 1];
    memmove(files->path + at + 1, files->path + at, (size_t)(files->count - 1 - at) * sizeof *files->path);
    files->path[at] = inserted;
}

static void forget(RestartFiles *files, int n) {
    memory_free(files->path[n]);
    memmove(files->path + n, files->path + n + 1, (size_t)(--files->count - n) * sizeof *files->path);
}

static void delete_one(RestartFiles *files, int n) {
    if (unlink(files->path[n]) != 0 && errno != ENOENT)
        log_warn("cannot delete the old restart file \"%s\": %s", files->path[n], strerror(errno));
    forget(files, n);
}

void restart_files_add(RestartFiles *files, const char *path, bool named, int keep) {
    const char *slash = strrchr(path, '/');
    char *folder = slash ? memory_format("%.*s", (int)(slash - path), path) : memory_copy_text(".");
    if (files->chain && !files->looked) look(files, folder);
    memory_free(folder);
    bool there;
    const int at = find(files, path, &there);
    if (named) { /* perhaps in place of one that was not */
        if (there) forget(files, at);
        return;
    }
    if (!there) insert(files, at, path);
    while (files->count > keep && files->count > at + 1) delete_one(files, files->count - 1);
    while (files->count > keep) delete_one(files, 0);
}

void restart_files_release(RestartFiles *files) {
    for (int n = 0; n < files->count; n++) memory_free(files->path[n]);
    memory_free(files->path);
    *files = (RestartFiles){0};
}
