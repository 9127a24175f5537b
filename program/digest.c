/* SPDX-License-Identifier: Apache-2.0
 *
 * maeotis digest: one number for the data of a file, whatever its format.
 */
#include "base/hash.h"
#include "base/memory.h"
#include "base/options.h"
#include "program/commands.h"
#include "program/datafile.h"
#include "program/part_files.h"

#include <inttypes.h>
#include <string.h>

static const char HELP[] =
    "maeotis digest FILE.nc ... [options]       prints a 64-bit checksum of the data of each file\n"
    "                                           (for an output that is split by day, give its name)\n"
    "\n"
    "  --variables           also print a line for each variable\n"
    "\n"
    "The checksum covers the names, shapes and values of all variables, to the last bit. It does not\n"
    "depend on attributes, on the order of the variables or on the format (CDF-1, 2, 5, NetCDF-4).\n"
    "\n"
    "Example: ./maeotis digest results/azov_storm_2014/azov_storm_2014.nc\n";

/* The digests of the states count as the text that they were in older files, of 16 letters for a record. */
static uint64_t digest_of_states(const DataFile *file, size_t records) {
    uint64_t sum = 0, at = 0;
    char text[17];
    for (size_t n = 0; n < records; n++) {
        datafile_state_digest(file, n, text);
        for (int c = 0; c < 16; c++) {
            const Datum letter = {.number = (unsigned char)text[c]};
            sum += hash_mix(letter.bits ^ hash_mix(++at));
        }
    }
    const uint64_t named = hash_mix(hash_mix(hash_text("digest") ^ records) ^ 16);
    return hash_mix(named ^ hash_mix(sum));
}

static bool is_half(const DataFile *file, const DataVariable *v, const char *name) {
    return strcmp(v->name, name) == 0 && v->n_dims == 1 && datafile_find(file, "digest_high") &&
           datafile_find(file, "digest_low");
}

/* `with`: the bool whether there are lines for variables. */
static Status print_digest(const char *path, void *with) {
    const bool variables = *(const bool *)with;
    DataFile file;
    uint64_t sum = 0, one;
    Status status;
    ATTEMPT(datafile_open(path, &file));
    for (int n = 0; n < file.n_variables; n++) {
        const DataVariable *v = &file.variables[n];
        const bool states = is_half(&file, v, "digest_high");
        if (is_half(&file, v, "digest_low")) continue;
        if (states)
            one = digest_of_states(&file, v->lengths[0]);
        else
            ATTEMPT(data_digest(&file, v, &one));
        if (variables) printf("%016" PRIx64 "  %s: %s\n", one, path, states ? "digest" : v->name);
        sum += one;
    }
    printf("%016" PRIx64 "  %s\n", sum, path);
cleanup:
    datafile_close(&file);
    return status;
}

int digest_command(int argc, char **argv) {
    bool variables = false;
    const Option options[] = {{"variables", OPTION_FLAG, &variables}, {NULL}};
    Operands files = {"file", 1, argc, (const char **)argv};
    Status status = options_read("digest", argc, argv, options, &files);
    if (status == STATUS_OK && files.help) return fputs(HELP, stdout) < 0;
    for (int n = 0, good = status == STATUS_OK; good && n < files.count; n++) {
        const Status one = part_files_each(files.word[n], print_digest, &variables);
        if (one != STATUS_OK) status = one;
    }
    error_print(stderr);
    return status;
}
