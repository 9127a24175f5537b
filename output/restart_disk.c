/* SPDX-License-Identifier: Apache-2.0 */
#include "base/memory.h"
#include "output/restart.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
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
    const bool published = bring_to_disk(temporary) && rename(temporary, path) == 0;
    CHECK(published || errno != ENOENT, STATUS_FAILED, "\"%s\": the file or its folder was deleted or moved",
          temporary);
    CHECK(published, STATUS_FAILED, "\"%s\": cannot write the restart file to disk as \"%s\": %s", temporary,
          path, strerror(errno));
    /* The new name is on the disk when the folder is; file systems that cannot sync folders do it by
     * themselves. */
    char *folder = folder_of(path);
    (void)bring_to_disk(folder);
    memory_free(folder);
    return STATUS_OK;
}

int restart_is_named(const struct dirent *entry) {
    static const char before[] = "restart_", after[] = "Z.nc";
    const char *name = entry->d_name, *date = name + strlen(before);
    if (strncmp(name, before, strlen(before)) != 0) return 0;
    const size_t length = strspn(date, "0123456789T_");
    return length >= strlen("20240301T010000") && strcmp(date + length, after) == 0;
}
