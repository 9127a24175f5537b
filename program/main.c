/* SPDX-License-Identifier: Apache-2.0
 *
 * maeotis COMMAND ...: finds the command and calls it. `run` and `calibrate` are meant for several ranks; the other
 * commands work on rank 0 while the other ranks wait.
 */
#include "base/build_info.h"
#include "base/error.h"
#include "base/log.h"
#include "bathymetry/command.h"
#include "kinetics/guard.h"
#include "program/alone.h"
#include "program/commands.h"
#include <cjson/cJSON.h>
#include <mpi.h>
#include <netcdf.h>
#include <pnetcdf.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef struct Command {
    const char *name;
    int (*run)(int argc, char **argv);
    bool collective;
    const char *what;
} Command;

static const Command COMMANDS[] = {
    {"run", run_command, true, "run a scenario"},
    {"check", check_command, false, "check a scenario without running it"},
    {"plan", plan_command, false, "predict the time of a step on a cluster, and the decomposition for it"},
    {"calibrate", calibrate_command, true, "measure the speed of this machine's cores, GPUs and messages"},
    {"schema", schema_command, false, "print the JSON Schema of scenarios"},
    {"info", info_command, false, "show what a result or restart file contains"},
    {"digest", digest_command, false, "print a checksum of a file's data"},
    {"diff", diff_command, false, "find where the data of two files differ"},
    {"pack", pack_command, false, "write compressed NetCDF-4 copies of files"},
    {"tides", tides_command, false, "print tidal constituents at a date, or from an atlas at a place"},
    {"kinetics", kinetics_command, false, "list, test and run kinetics modules in a box of water"},
    {"bathymetry", bathymetry_command, false, "import, inspect or repair a bathymetry"},
};

static void usage(FILE *to) {
    fprintf(to, "maeotis " MAEOTIS_VERSION ": ocean simulator for shallow coastal seas\n\n");
    for (size_t n = 0; n < sizeof COMMANDS / sizeof *COMMANDS; n++)
        fprintf(to, "  %-12s%s\n", COMMANDS[n].name, COMMANDS[n].what);
    fprintf(to, "\nEach command has --help. Example: ./maeotis run scenarios/azov_storm_2014.json\n");
}

static void version(void) {
    char mpi[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(mpi, &length);
    mpi[strcspn(mpi, ",\n")] = '\0';
    puts("maeotis " MAEOTIS_VERSION);
    puts("  built    " MAEOTIS_COMMIT ", " MAEOTIS_COMPILER ", " MAEOTIS_BUILD_TYPE);
    puts("  flags    " MAEOTIS_FLAGS);
    printf("  MPI      %s\n  PnetCDF  %s\n  NetCDF   %s\n  cJSON    %s\n", mpi, ncmpi_inq_libvers(),
           nc_inq_libvers(), cJSON_Version());
}

static int dispatch(int argc, char **argv, int rank) {
    const char *name = argc > 1 ? argv[1] : "--help";
    if (strcmp(name, "--version") == 0) {
        if (rank == 0) version();
        return 0;
    }
    for (size_t n = 0; n < sizeof COMMANDS / sizeof *COMMANDS; n++)
        if (strcmp(name, COMMANDS[n].name) == 0)
            return rank == 0 || COMMANDS[n].collective ? COMMANDS[n].run(argc - 1, argv + 1) : 0;
    bool help = strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0 || strcmp(name, "help") == 0;
    if (rank == 0 && !help) fprintf(stderr, "maeotis: there is no command \"%s\"\n\n", name);
    if (rank == 0) usage(help ? stdout : stderr);
    return help && argc > 1 ? 0 : 2;
}

/* A kinetics module that ends the process at once must not look like a run that succeeded: its calls come here. */
void _exit(int status) {
    guard_refuse_exit();
    syscall(SYS_exit_group, status);
    __builtin_unreachable();
}

/* What was printed to a file must be there. Nobody may read a pipe to its end. */
static int end_of_output(int rank, int code) {
    struct stat about;
    const bool all = fflush(stdout) == 0 && !ferror(stdout);
    const bool a_pipe =
        fstat(STDOUT_FILENO, &about) == 0 && (S_ISFIFO(about.st_mode) || S_ISSOCK(about.st_mode));
    if (all || a_pipe || rank != 0) return code;
    fputs("error: not everything could be printed to standard output. Is the disk full?\n", stderr);
    return code == 0 ? STATUS_FAILED : code;
}

int main(int argc, char **argv) {
    int rank;
    alone_prepare();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    log_start(rank);
    int code = dispatch(argc, argv, rank);
    code = end_of_output(rank, code);
    MPI_Finalize();
    return code;
}
