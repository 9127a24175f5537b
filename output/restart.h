/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the restart files. Their content:
 *
 *     depth, u, ...               the fields of state_fields, each with its `checksum`
 *     held_...                    sums and extremes of the outputs, likewise
 *     elapsed, step, ledger_...   single numbers
 *     checksum (of the file)      of all of these, names included
 *     header_checksum (of the file)                  of its header, which holds all of the following
 *     ground_checksum, axes, effective_scenario      to refuse a file of another grid or run
 */
#ifndef MAEOTIS_OUTPUT_RESTART_H
#define MAEOTIS_OUTPUT_RESTART_H

#include "base/hash.h"
#include "output/state_file.h"
#include <dirent.h>

enum { RESTART_FORMAT = 2 };

/* Attributes of the file: the chain of runs that it belongs to, and that it is one of /restart/at. */
#define RESTART_CHAIN "restart_chain"
#define RESTART_NAMED "restart_named"

/* The attribute that says when the run that wrote the file began [s since the start of the first run of its chain]. */
#define RESTART_BEGAN    "run_began_s"
#define RESTART_THINNEST "thinnest_layer_m" /* only of layers along the bed */
#define RESTART_FIXED    "fixed_layers"     /* only of hybrid layers */

/* The part of one variable in the file's checksum: a sum, so that the order does not matter. */
static inline uint64_t restart_part(const char *name, uint64_t checksum) {
    return hash_mix(hash_text(name) ^ hash_mix(checksum));
}

/* Numbers that describe the axes; returns how many. */
enum { RESTART_AXES = 9 };
void restart_axes(const Axes *axes, double out[RESTART_AXES]);

/* Adds to a file's effective scenario, read from `path`, the defaults of keys that the program has learned since. Local. */
void restart_complete_scenario(char **text, const char *path);

/* Raises a message for every difference between the two effective scenarios that matters to what the sea
 * would have done; `only_warn` logs them instead. Local. */
CHECKED Status restart_compare_scenarios(const char *path, const char *then, const char *now, bool only_warn);

/* Is it called as restart files are, restart_20240301T010000Z.nc? For scandir. */
int restart_is_named(const struct dirent *entry);

/* Makes sure that the file is on the disk and gives it its name. Local. */
CHECKED Status restart_publish(const char *temporary, const char *path);

/* The checksum of the header: an empty one is defined first of all attributes; a file that is closed gets the
 * right one; one that is read must have it. The last two are local. */
void restart_define_seal(NcFile *file);
CHECKED Status restart_seal(const char *path);
CHECKED Status restart_check_seal(const char *path);

#endif
