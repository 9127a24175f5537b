/* SPDX-License-Identifier: Apache-2.0 */
#include "base/log.h"
#include "base/memory.h"
#include "output/restart.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *folder_of(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash ? memory_format("%.*s", (int)(slash - path), path) : memory_copy_text(".");
}

static bool bring_to_disk(const char *path) {
    int file = open(path, O_RDONLY);
    bool good = file >= 0 && fsync(file) == 0;
    int why = errno;
    if (file >= 0) close(file);
    errno = why;
    return good;
}

Status restart_publish(const char *temporary, const char *path) {
    CHECK(bring_to_disk(temporary), STATUS_FAILED, "\"%s\": cannot bring the restart file to the disk: %s",
          temporary, strerror(errno));
    CHECK(rename(temporary, path) == 0, STATUS_FAILED, "cannot rename \"%s\" to \"%s\": %s", temporary, path,
          strerror(errno));
    /* The new name is on the disk when the folder is; file systems that cannot sync folders do it by
     * themselves. */
    char *folder = folder_of(path);
    (void)bring_to_disk(folder);
    memory_free(folder);
    return STATUS_OK;
}

static int is_restart(const struct dirent *entry) {
    const char *name = entry->d_name;
    size_t length = strlen(name);
    return length > 11 && strncmp(name, "restart_", 8) == 0 && strcmp(name + length - 3, ".nc") == 0;
}

/* The names sort by date. */
static int newest_first(const struct dirent **a, const struct dirent **b) {
    return strcmp((*b)->d_name, (*a)->d_name);
}

void restart_prune(const char *newest, int keep) {
    char *folder = folder_of(newest);
    const char *slash = strrchr(newest, '/'), *own = slash ? slash + 1 : newest;
    struct dirent **entries = NULL;
    int n = scandir(folder, &entries, is_restart, newest_first), kept = 1;
    for (int m = 0; m < n; m++) {
        if (strcmp(entries[m]->d_name, own) < 0 && ++kept > keep) {
            char *path = memory_format("%s/%s", folder, entries[m]->d_name);
            if (unlink(path) != 0)
                log_warn("cannot delete the old restart file \"%s\": %s", path, strerror(errno));
            memory_free(path);
        }
        free(entries[m]);
    }
    free(entries);
    memory_free(folder);
}
