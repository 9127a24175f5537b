/* SPDX-License-Identifier: Apache-2.0
 *
 * A library for LD_PRELOAD that makes system calls of the program fail on purpose. The environment says which:
 *
 *     FAULT_CALLS=write,fsync   these calls are counted: open write truncate fsync rename close unlink mkdir memory
 *     FAULT_AT=7                the 7th of them fails; 0: none, they are only counted
 *     FAULT_HOW=28              with this errno, and nothing is done;
 *               half            half of it is written, then ENOSPC;
 *               kill, stop      the process is killed or stopped before it does anything
 *     FAULT_LASTING=1           all later ones fail, too
 *     FAULT_OWN=1               files that the program opens itself, not its libraries
 *     FAULT_PATH=restart_       only calls on files whose path contains this
 *     FAULT_RANK=1              only on this rank of Open MPI
 *     FAULT_COUNT=FILE          how many there were: one byte is added to the file for each
 *     FAULT_CLOCK=2:-3600       the clocks jump by -3600 s when the process is 2 s old
 *
 * `memory` counts allocations of the program itself, not those of its libraries.
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { KILL = -1, HALF = -2, STOP = -3 };

static const char *calls, *path_part, *count_file;
static long fails_at;
static int how;
static bool lasting, own, ready;
static double jump_at, jump_by, born;
static uintptr_t text_begin, text_end; /* the program's own code */
static atomic_long counted;

static int find_text(struct dl_phdr_info *info, size_t size, void *unused) {
    (void)size, (void)unused;
    for (int n = 0; n < info->dlpi_phnum; n++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[n];
        if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
        text_begin = info->dlpi_addr + part->p_vaddr;
        text_end = text_begin + part->p_memsz;
    }
    return 1; /* the first is the program */
}

static double monotonic(void) {
    struct timespec now;
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

__attribute__((constructor)) static void begin(void) {
    const char *rank = getenv("FAULT_RANK"), *mine = getenv("OMPI_COMM_WORLD_RANK"),
               *clock = getenv("FAULT_CLOCK");
    const char *at = getenv("FAULT_AT"), *what = getenv("FAULT_HOW");
    char name[256] = "";
    const ssize_t length = readlink("/proc/self/exe", name, sizeof name - 1);
    name[length > 0 ? length : 0] = '\0';
    const char *slash = strrchr(name, '/');
    if (!slash || strcmp(slash, "/maeotis") != 0) return; /* mpirun, a shell */
    if (rank && strcmp(rank, mine ? mine : "0") != 0) return;
    calls = getenv("FAULT_CALLS");
    path_part = getenv("FAULT_PATH");
    count_file = getenv("FAULT_COUNT");
    fails_at = at ? atol(at) : 0;
    lasting = getenv("FAULT_LASTING") != NULL;
    own = getenv("FAULT_OWN") != NULL;
    how = !what                       ? ENOSPC
          : strcmp(what, "kill") == 0 ? KILL
          : strcmp(what, "stop") == 0 ? STOP
          : strcmp(what, "half") == 0 ? HALF
                                      : atoi(what);
    if (clock && sscanf(clock, "%lf:%lf", &jump_at, &jump_by) != 2) jump_by = 0;
    born = monotonic();
    dl_iterate_phdr(find_text, NULL);
    ready = true;
}

static bool is_listed(const char *call) {
    const char *found = calls ? strstr(calls, call) : NULL;
    const size_t length = strlen(call);
    return found && (found == calls || found[-1] == ',') && (found[length] == ',' || found[length] == '\0');
}

/* Counts the call; true: it is to fail, with errno set. */
static bool fails(const char *call, const char *path) {
    if (!ready || !is_listed(call) || (path_part && !(path && strstr(path, path_part)))) return false;
    const long n = atomic_fetch_add(&counted, 1) + 1;
    if (count_file) {
        const int file = (int)syscall(SYS_openat, AT_FDCWD, count_file, O_WRONLY | O_CREAT | O_APPEND, 0666);
        if (file >= 0) syscall(SYS_write, file, ".", 1), syscall(SYS_close, file);
    }
    if (fails_at == 0 || n < fails_at || (n > fails_at && !lasting)) return false;
    if (how == KILL) raise(SIGKILL);
    if (how == STOP) return raise(SIGSTOP), false;
    errno = how == HALF ? ENOSPC : how;
    return true;
}

static bool file_fails(const char *call, int file) {
    char link[64], path[4096];
    if (!ready || !is_listed(call)) return false;
    snprintf(link, sizeof link, "/proc/self/fd/%d", file);
    const ssize_t length = readlink(link, path, sizeof path - 1);
    path[length > 0 ? length : 0] = '\0';
    if (path[0] != '/' || (strncmp(path, "/dev/", 5) == 0 && strncmp(path, "/dev/shm/", 9) != 0) ||
        strncmp(path, "/proc/", 6) == 0)
        return false;
    return fails(call, path);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* ---- files ---- */

#define FROM_THE_PROGRAM                                                                                     \
    ((uintptr_t)__builtin_return_address(0) >= text_begin &&                                                 \
     (uintptr_t)__builtin_return_address(0) < text_end)

#define OPEN(name)                                                                                           \
    int name(const char *path, int flags, ...) {                                                             \
        va_list more;                                                                                        \
        va_start(more, flags);                                                                               \
        const mode_t mode = flags & O_CREAT ? va_arg(more, mode_t) : 0;                                      \
        va_end(more);                                                                                        \
        if (flags & (O_WRONLY | O_RDWR) && strncmp(path, "/dev/", 5) != 0 && (!own || FROM_THE_PROGRAM) &&   \
            fails("open", path))                                                                             \
            return -1;                                                                                       \
        return NEXT(name)(path, flags, mode);                                                                \
    }
OPEN(open)
OPEN(open64)

static size_t length_of(const struct iovec *parts, int n) {
    size_t bytes = 0;
    for (int m = 0; m < n; m++) bytes += parts[m].iov_len;
    return bytes;
}

ssize_t write(int file, const void *data, size_t bytes) {
    if (!file_fails("write", file)) return syscall(SYS_write, file, data, bytes);
    return how == HALF && bytes > 1 ? syscall(SYS_write, file, data, bytes / 2) : -1;
}

#define PWRITE(name)                                                                                         \
    ssize_t name(int file, const void *data, size_t bytes, off_t at) {                                       \
        if (!file_fails("write", file)) return syscall(SYS_pwrite64, file, data, bytes, at);                 \
        return how == HALF && bytes > 1 ? syscall(SYS_pwrite64, file, data, bytes / 2, at) : -1;             \
    }
PWRITE(pwrite)
PWRITE(pwrite64)

ssize_t writev(int file, const struct iovec *parts, int n) {
    if (!file_fails("write", file)) return syscall(SYS_writev, file, parts, n);
    return how == HALF && length_of(parts, n) > 1
               ? syscall(SYS_write, file, parts[0].iov_base, (parts[0].iov_len + 1) / 2)
               : -1;
}

#define PWRITEV(name)                                                                                        \
    ssize_t name(int file, const struct iovec *parts, int n, off_t at) {                                     \
        if (!file_fails("write", file)) return syscall(SYS_pwritev, file, parts, n, at, 0L);                 \
        return how == HALF && length_of(parts, n) > 1                                                        \
                   ? syscall(SYS_pwrite64, file, parts[0].iov_base, (parts[0].iov_len + 1) / 2, at)          \
                   : -1;                                                                                     \
    }
PWRITEV(pwritev)
PWRITEV(pwritev64)

int ftruncate(int file, off_t length) {
    return file_fails("truncate", file) ? -1 : (int)syscall(SYS_ftruncate, file, length);
}
int ftruncate64(int file, off_t length) {
    return file_fails("truncate", file) ? -1 : (int)syscall(SYS_ftruncate, file, length);
}
int fsync(int file) {
    return file_fails("fsync", file) ? -1 : (int)syscall(SYS_fsync, file);
}
int fdatasync(int file) {
    return file_fails("fsync", file) ? -1 : (int)syscall(SYS_fdatasync, file);
}
int rename(const char *from, const char *to) {
    return fails("rename", from) ? -1 : (int)syscall(SYS_renameat, AT_FDCWD, from, AT_FDCWD, to);
}
int unlink(const char *path) {
    return fails("unlink", path) ? -1 : (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
}
int mkdir(const char *path, mode_t mode) {
    return fails("mkdir", path) ? -1 : (int)syscall(SYS_mkdirat, AT_FDCWD, path, mode);
}

/* The descriptor is gone even where an error is reported, as on Linux. */
int close(int file) {
    const bool bad = file_fails("close", file);
    const int why = errno, code = (int)syscall(SYS_close, file);
    if (bad) errno = why;
    return bad ? -1 : code;
}

/* ---- memory ---- */

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t),
    *__libc_memalign(size_t, size_t);

#define NO_MEMORY (ready && FROM_THE_PROGRAM && fails("memory", NULL))

void *malloc(size_t bytes) {
    return NO_MEMORY ? NULL : __libc_malloc(bytes);
}
void *calloc(size_t count, size_t bytes) {
    return NO_MEMORY ? NULL : __libc_calloc(count, bytes);
}
void *realloc(void *block, size_t bytes) {
    return NO_MEMORY ? NULL : __libc_realloc(block, bytes);
}
void *aligned_alloc(size_t alignment, size_t bytes) {
    return NO_MEMORY ? NULL : __libc_memalign(alignment, bytes);
}
#define MMAP(name)                                                                                           \
    void *name(void *at, size_t bytes, int rights, int flags, int file, off_t offset) {                      \
        return NO_MEMORY ? MAP_FAILED : (void *)syscall(SYS_mmap, at, bytes, rights, flags, file, offset);   \
    }
MMAP(mmap)
MMAP(mmap64)

/* ---- clocks ---- */

int clock_gettime(clockid_t clock, struct timespec *now) {
    const int code = (int)syscall(SYS_clock_gettime, clock, now);
    if (code == 0 && jump_by != 0 && clock != CLOCK_PROCESS_CPUTIME_ID && clock != CLOCK_THREAD_CPUTIME_ID &&
        monotonic() - born > jump_at)
        now->tv_sec += (time_t)jump_by;
    return code;
}

time_t time(time_t *out) {
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    if (out) *out = now.tv_sec;
    return now.tv_sec;
}

int gettimeofday(struct timeval *restrict out, void *restrict zone) {
    (void)zone;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    *out = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
    return 0;
}
