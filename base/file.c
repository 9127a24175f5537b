/* SPDX-License-Identifier: Apache-2.0 */
#include "base/file.h"

#include "base/memory.h"
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

Status file_map(const char *path, FileBytes *out) {
    *out = (FileBytes){path, NULL, 0};
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* not waiting for a pipe */
    CHECK(descriptor >= 0, STATUS_BAD_INPUT, "cannot open %s: %s", path, strerror(errno));
    struct stat about;
    const char *why = NULL;
    if (fstat(descriptor, &about) != 0 || !S_ISREG(about.st_mode)) {
        why = "it is not a file";
    } else if (about.st_size == 0) {
        why = "it is empty";
    } else {
        void *bytes = mmap(NULL, (size_t)about.st_size, PROT_READ, MAP_PRIVATE, descriptor, 0);
        if (bytes == MAP_FAILED)
            why = strerror(errno);
        else
            out->bytes = bytes, out->size = (size_t)about.st_size;
    }
    close(descriptor);
    CHECK(!why, STATUS_BAD_INPUT, "cannot read %s: %s", path, why);
    return STATUS_OK;
}

void file_unmap(FileBytes *file) {
    if (file->bytes) munmap((void *)(uintptr_t)file->bytes, file->size);
    *file = (FileBytes){0};
}

Status file_read_text(const char *path, size_t most, char **out) {
    *out = NULL;
    FILE *file = fopen(path, "rb");
    CHECK(file, STATUS_BAD_INPUT, "cannot open %s: %s", path, strerror(errno));
    size_t room = 1 << 16, size = 0;
    char *text = ALLOCATE(room, char);
    for (size_t got = 1; got > 0 && size <= most; size += got) {
        if (size + 1 == room) text = ENLARGE(text, room *= 2, char);
        got = fread(text + size, 1, room - size - 1, file);
    }
    int why = ferror(file) ? errno : 0;
    fclose(file);
    bool is_text = size <= most && strlen(text) == size;
    if (!why && is_text) return *out = text, STATUS_OK;
    memory_free(text);
    CHECK(!why, STATUS_BAD_INPUT, "cannot read %s: %s", path, strerror(why));
    return error_raise(
        STATUS_BAD_INPUT,
        "%s is not a text file: it holds a zero byte, or is larger than %zu MiB; save it as UTF-8", path,
        most >> 20);
}

char *file_nearest_folder(const char *path) {
    struct stat about;
    char *nearest = memory_copy_text(path);
    while (stat(nearest, &about) != 0 && (errno == ENOENT || errno == ENOTDIR) && strcmp(nearest, ".") != 0) {
        char *slash = strrchr(nearest, '/');
        if (slash && slash > nearest)
            *slash = '\0';
        else
            strcpy(nearest, slash ? "/" : ".");
    }
    return nearest;
}
