/* SPDX-License-Identifier: Apache-2.0 */
#define _DEFAULT_SOURCE /* gethostname, O_NOFOLLOW */
#include "output/folder_lock.h"

#include "base/log.h"
#include "base/memory.h"
#include "output/parts.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST_OWNER = 128 };

static void read_owner(int file, char who[LONGEST_OWNER]) {
    const ssize_t length = pread(file, who, LONGEST_OWNER - 1, 0);
    who[length > 0 ? length : 0] = '\0';
    who[strcspn(who, "\n")] = '\0';
    if (!*who) strcpy(who, "unknown");
}

static Status refuse_taken(const char *folder, int file) {
    char who[LONGEST_OWNER];
    read_owner(file, who);
    return error_raise(
        STATUS_BAD_INPUT,
        "another run (%s) writes into \"%s\": wait for its end, or give this one a folder of its "
        "own with --set /output_folder=...",
        who, folder);
}

Status folder_check_free(const char *path) {
    const char *slash = strrchr(path, '/');
    char who[LONGEST_OWNER],
        *folder = memory_format("%.*s", slash ? (int)(slash - path) + 1 : 2, slash ? path : "./");
    char *lock = memory_format("%s.maeotis.lock", folder);
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    const int file = open(lock, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
    bool taken = false;
    if (file >= 0) {
        taken = fcntl(file, F_OFD_GETLK, &whole) == 0 && whole.l_type != F_UNLCK;
        if (taken) read_owner(file, who);
        close(file);
    }
    Status status = STATUS_OK;
    if (taken)
        status = error_raise(
            STATUS_BAD_INPUT,
            "a run (%s) writes into \"%s\", perhaps \"%s\" itself: name a file elsewhere, or wait for "
            "the run's end",
            who, folder, path);
    memory_free(lock);
    memory_free(folder);
    return status;
}

/* Is what was opened still what the name stands for? The run before may just have removed it. */
static bool is_current(const char *path, int file) {
    struct stat opened, named;
    return fstat(file, &opened) == 0 && stat(path, &named) == 0 && opened.st_ino == named.st_ino &&
           opened.st_dev == named.st_dev;
}

static void sign(int file) {
    char host[64] = "this machine", text[128];
    (void)gethostname(host, sizeof host - 1);
    const int length = snprintf(text, sizeof text, "process %ld on %s\n", (long)getpid(), host);
    if (ftruncate(file, 0) != 0 || pwrite(file, text, (size_t)length, 0) != length)
        log_warn("cannot write the owner's name into the lock of the output folder: %s", strerror(errno));
}

/* What stands in a lock that nobody holds is of a run that was killed. */
static void say_taken_over(const char *folder, int file) {
    char who[LONGEST_OWNER];
    struct stat facts;
    if (fstat(file, &facts) != 0 || facts.st_size == 0) return;
    read_owner(file, who);
    log_info("the previous run in \"%s\" (%s) was killed and left its lock: this run takes it over", folder,
             who);
}

/* The lock, or why not; `again`: the file was another one by then. */
static Status try_lock(const char *folder, FolderLock *lock, bool *again) {
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    *again = false;
    lock->file = open(lock->path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0666);
    CHECK(lock->file >= 0 || errno != ELOOP, STATUS_BAD_INPUT,
          "\"%s\" is a symbolic link, which a run does not follow when writing: remove it", lock->path);
    CHECK(lock->file >= 0, STATUS_FAILED, "cannot write into \"%s\": %s", folder, strerror(errno));
    /* The lock is the opened file's, not the process's: two runs in one process are kept apart, too. */
    if (fcntl(lock->file, F_OFD_SETLK, &whole) == 0) {
        *again = !is_current(lock->path, lock->file);
        if (!*again) {
            say_taken_over(folder, lock->file);
            sign(lock->file);
        }
        return STATUS_OK;
    }
    if (errno == EACCES || errno == EAGAIN) return refuse_taken(folder, lock->file);
    log_warn("the file system of \"%s\" has no locks (%s): make sure that no other run writes there", folder,
             strerror(errno));
    return STATUS_OK;
}

Status folder_lock(const char *folder, FolderLock *out) {
    *out = (FolderLock){.file = -1, .path = memory_format("%s/.maeotis.lock", folder)};
    Status status = path_make_folders(out->path);
    for (bool again = true; again && status == STATUS_OK;) {
        if (out->file >= 0) close(out->file);
        status = try_lock(folder, out, &again);
    }
    if (status == STATUS_OK) return STATUS_OK;
    if (out->file >= 0) close(out->file);
    memory_free(out->path);
    out->path = NULL;
    return status;
}

void folder_unlock(FolderLock *lock) {
    if (!lock->path) return;
    (void)unlink(lock->path); /* while it is held, so that nobody else's is removed */
    close(lock->file);
    memory_free(lock->path);
    lock->path = NULL;
}
