/* SPDX-License-Identifier: Apache-2.0
 *
 * NetCDF-4 files are HDF5 files, whose structures hang together by addresses all over the file. Checking them
 * would be a second HDF5 library, and the one there is crashes, loops or eats memory on damaged ones. So a
 * child process, with little time and memory, goes first: it opens the file, looks up all names, reads all
 * attributes and the first and last value of each variable. Only a file that it survives is opened here.
 */
#include "base/netcdf_in.h"

#include "base/memory.h"
#include <errno.h>
#include <fcntl.h>
#include <netcdf.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_SECONDS = 10 }; /* of processor time; opening takes milliseconds */

/* ---- the child ---- */

static void read_attributes(int file, int variable, int count) {
    for (int n = 0; n < count; n++) {
        char name[NC_MAX_NAME + 1];
        size_t length, size = 0;
        nc_type type;
        if (nc_inq_attname(file, variable, n, name) != NC_NOERR) continue;
        if (nc_inq_att(file, variable, name, &type, &length) != NC_NOERR) continue;
        if (nc_inq_type(file, type, NULL, &size) != NC_NOERR) continue;
        (void)nc_get_att(file, variable, name, memory_allocate(length + 1, size + 1));
    }
}

/* The largest type is a pointer to a text; user-defined ones are not read. */
static void read_ends(int file, int variable) {
    int rank = 0, dimensions[NC_MAX_VAR_DIMS];
    size_t first[NC_MAX_VAR_DIMS] = {0}, last[NC_MAX_VAR_DIMS] = {0};
    nc_type type;
    double room[2];
    if (nc_inq_vartype(file, variable, &type) != NC_NOERR || type > NC_MAX_ATOMIC_TYPE) return;
    if (nc_inq_varndims(file, variable, &rank) != NC_NOERR || rank > NC_MAX_VAR_DIMS) return;
    if (nc_inq_vardimid(file, variable, dimensions) != NC_NOERR) return;
    for (int d = 0; d < rank; d++) {
        if (nc_inq_dimlen(file, dimensions[d], &last[d]) != NC_NOERR || last[d] == 0) return;
        last[d]--;
    }
    (void)nc_get_var1(file, variable, first, room);
    (void)nc_get_var1(file, variable, last, room);
}

static int look_through(const char *path) {
    int file, n_variables = 0, n_attributes = 0;
    if (nc_open(path, NC_NOWRITE, &file) != NC_NOERR) return 0; /* the caller will find the same */
    (void)nc_inq_natts(file, &n_attributes);
    read_attributes(file, NC_GLOBAL, n_attributes);
    (void)nc_inq_nvars(file, &n_variables);
    for (int n = 0; n < n_variables; n++) {
        char name[NC_MAX_NAME + 1];
        if (nc_inq_varname(file, n, name) != NC_NOERR) continue;
        if (nc_inq_varnatts(file, n, &n_attributes) == NC_NOERR) read_attributes(file, n, n_attributes);
        read_ends(file, n);
    }
    (void)nc_close(file);
    return 0;
}

static void limit(int resource, rlim_t most) {
    (void)setrlimit(resource, &(struct rlimit){most, most});
}

/* What the process has already, and 4 GiB: values are read in chunks, each of which is held as a whole. */
static rlim_t most_memory(void) {
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    bool known = file && fscanf(file, "%llu", &pages) == 1;
    if (file) fclose(file);
    const rlim_t page = (rlim_t)sysconf(_SC_PAGESIZE), more = (rlim_t)4 << 30;
    return known ? pages * page + more : RLIM_INFINITY;
}

static void be_careful(void) {
    static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL, SIGINT, SIGTERM};
    for (size_t n = 0; n < sizeof fatal / sizeof *fatal; n++) signal(fatal[n], SIG_DFL); /* MPI's report */
    limit(RLIMIT_CORE, 0);
    limit(RLIMIT_CPU, MOST_SECONDS);
    limit(RLIMIT_AS, most_memory());
    alarm(10 * MOST_SECONDS);
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) (void)dup2(nowhere, STDERR_FILENO);
}

/* ---- the parent ---- */

static Status judge(const char *path, int outcome) {
    if (WIFEXITED(outcome) && WEXITSTATUS(outcome) == 0) return STATUS_OK;
    const int sign = WIFSIGNALED(outcome) ? WTERMSIG(outcome) : 0;
    const bool slow = sign == SIGXCPU || sign == SIGKILL || sign == SIGALRM;
    return error_raise(STATUS_BAD_INPUT,
                       "%s is damaged: the HDF5 library %s on it (%s); copy or download it again", path,
                       slow ? "hangs" : "crashes", sign ? strsignal(sign) : "it gave up");
}

Status netcdf_probe(const char *path) {
    int outcome = 0;
    const pid_t child = fork();
    if (child == 0) {
        be_careful();
        (void)memory_use_source(NULL); /* a GPU's managed memory, where no text lies, is its parent's */
        _exit(look_through(path));
    }
    if (child < 0) return STATUS_OK; /* where no process can be made, the file is trusted */
    while (waitpid(child, &outcome, 0) < 0)
        if (errno != EINTR) return STATUS_OK;
    return judge(path, outcome);
}
