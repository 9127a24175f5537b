/* SPDX-License-Identifier: Apache-2.0
 *
 * maeotis digest: one number for the data of a file, whatever its format.
 */
#include "base/memory.h"
#include "program/commands.h"
#include "program/datafile.h"

#include <inttypes.h>
#include <string.h>

static const char HELP[] =
    "maeotis digest FILE.nc ... [options]       prints a 64-bit checksum of the data of each file\n"
    "\n"
    "  --variables   print a line for each variable, too\n"
    "\n"
    "The checksum covers the names, shapes and values of all variables, to the last bit. It does not\n"
    "depend on attributes, on the order of the variables or on the format (CDF-1, 2, 5, NetCDF-4).\n"
    "\n"
    "Example: ./maeotis digest results/azov_storm_2014/azov_storm_2014.nc\n";

static Status print_digest(const char *path, bool variables) {
    DataFile file;
    uint64_t sum = 0, one;
    Status status;
    ATTEMPT(datafile_open(path, &file));
    for (int n = 0; n < file.n_variables; n++) {
        ATTEMPT(data_digest(&file, &file.variables[n], &one));
        if (variables) printf("%016" PRIx64 "  %s: %s\n", one, path, file.variables[n].name);
        sum += one;
    }
    printf("%016" PRIx64 "  %s\n", sum, path);
cleanup:
    datafile_close(&file);
    return status;
}

int digest_command(int argc, char **argv) {
    bool variables = false;
    int files = 0;
    Status status = STATUS_OK;
    for (int n = 1; n < argc; n++) {
        if (strcmp(argv[n], "--help") == 0 || strcmp(argv[n], "-h") == 0) return fputs(HELP, stdout) < 0;
        if (strcmp(argv[n], "--variables") == 0)
            variables = true;
        else if (argv[n][0] == '-')
            status = error_raise(STATUS_BAD_INPUT, "digest: unknown option %s (see ./maeotis digest --help)",
                                 argv[n]);
        else
            files++;
    }
    if (files == 0)
        status = error_raise(STATUS_BAD_INPUT, "digest: name a file (see ./maeotis digest --help)");
    for (int n = 1; n < argc && (status == STATUS_OK || files > 1); n++)
        if (argv[n][0] != '-') {
            Status one = print_digest(argv[n], variables);
            if (one != STATUS_OK) status = one;
        }
    error_print(stderr);
    return status;
}
