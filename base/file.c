/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L /* opendir */
#include "base/file.h"

#include "base/hash.h"
#include "base/memory.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
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

/* In pieces: mapped at once, all of a large file would count as memory of the process. */
Status file_hash(const char *path, uint64_t *hash) {
    enum { PIECE = 1 << 20 };
    struct stat about;
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    CHECK(descriptor >= 0, STATUS_BAD_INPUT, "cannot open %s: %s", path, strerror(errno));
    const char *why = fstat(descriptor, &about) != 0 || !S_ISREG(about.st_mode) ? "it is not a file"
                      : about.st_size == 0                                      ? "it is empty"
                                                                                : NULL;
    char *piece = ALLOCATE(PIECE, char);
    size_t done = 0, size = why ? 0 : (size_t)about.st_size, held = 0;
    *hash = hash_mix(size);
    while (!why && done + held < size) {
        const ssize_t got = read(descriptor, piece + held, PIECE - held);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) why = got < 0 ? strerror(errno) : "it became shorter while it was read";
        held += got > 0 ? (size_t)got : 0;
        if (held < PIECE && done + held < size) continue;
        *hash = hash_more(*hash, piece, held);
        done += held, held = 0;
    }
    memory_free(piece);
    close(descriptor);
    CHECK(!why, STATUS_BAD_INPUT, "cannot read %s: %s", path, why);
    return STATUS_OK;
}

Status file_read_text(const char *path, size_t most, char **out) {
    *out = NULL;
    FILE *file = fopen(path, "rb");
    CHECK(file || errno != EINTR, STATUS_FAILED, "stopped on request, while waiting for %s",
          path); /* a pipe */
    CHECK(file, STATUS_BAD_INPUT, "cannot open %s: %s", path, strerror(errno));
    size_t room = 1 << 16, size = 0;
    char *text = ALLOCATE(room, char);
    for (size_t got = 1; got > 0 && size <= most && !ferror(file); size += got) {
        if (size + 1 == room) text = ENLARGE(text, room *= 2, char);
        got = fread(text + size, 1, room - size - 1, file);
    }
    int why = ferror(file) ? errno : 0;
    fclose(file);
    bool is_text = size <= most && strlen(text) == size;
    if (!why && is_text) return *out = text, STATUS_OK;
    memory_free(text);
    CHECK(why != EINTR, STATUS_FAILED, "stopped on request, while reading %s", path);
    CHECK(!why, STATUS_BAD_INPUT, "cannot read %s: %s", path, strerror(why));
    return error_raise(
        STATUS_BAD_INPUT,
        "%s is not a text file: it contains a zero byte, or is larger than %zu MiB; save it as UTF-8", path,
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

static int by_name(const void *a, const void *b) {
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool ends_with(const char *name, const char *ending) {
    const size_t length = strlen(name), last = strlen(ending);
    return length > last && strcmp(name + length - last, ending) == 0;
}

enum { DEEPEST_FOLDER = 3 };

static Status list_folder(const char *path, const char *ending, int depth, char ***names, int *count) {
    DIR *folder = opendir(path);
    CHECK(folder, STATUS_BAD_INPUT, "cannot read the folder %s: %s", path, strerror(errno));
    Status status = STATUS_OK;
    for (struct dirent *entry; status == STATUS_OK && (entry = readdir(folder));) {
        struct stat about;
        if (entry->d_name[0] == '.') continue;
        char *name = memory_format("%s/%s", path, entry->d_name);
        const bool there = stat(name, &about) == 0;
        if (there && S_ISDIR(about.st_mode) && depth < DEEPEST_FOLDER)
            status = list_folder(name, ending, depth + 1, names, count);
        if (!there || !S_ISREG(about.st_mode) || !ends_with(name, ending)) {
            memory_free(name);
            continue;
        }
        *names = ENLARGE(*names, *count + 1, char *);
        (*names)[(*count)++] = name;
    }
    closedir(folder);
    return status;
}

Status file_list(const char *path, const char *ending, char ***names, int *count) {
    struct stat about;
    *names = NULL;
    *count = 0;
    CHECK(stat(path, &about) == 0, STATUS_BAD_INPUT, "cannot open %s: %s", path, strerror(errno));
    if (!S_ISDIR(about.st_mode)) {
        *names = ALLOCATE(1, char *);
        (*names)[(*count)++] = memory_copy_text(path);
        return STATUS_OK;
    }
    Status status = list_folder(path, ending, 1, names, count);
    if (status == STATUS_OK && *count == 0)
        status = error_raise(STATUS_BAD_INPUT, "the folder %s contains no file *%s", path, ending);
    if (*count > 0) qsort(*names, (size_t)*count, sizeof **names, by_name);
    if (status != STATUS_OK) file_list_free(names, count);
    return status;
}

void file_list_free(char ***names, int *count) {
    for (int n = 0; n < *count; n++) memory_free((*names)[n]);
    memory_free(*names);
    *names = NULL;
    *count = 0;
}
