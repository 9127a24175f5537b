/* SPDX-License-Identifier: Apache-2.0
 *
 * The commands that look into NetCDF files, the program's own and others, classic and NetCDF-4: `info` tells
 * what a file holds, `digest` gives a number for its data, `diff` finds where two files differ. Each gets its
 * own name as argv[0] and returns the exit code. All functions are local.
 */
#ifndef MAEOTIS_MODEL_OUTPUT_INSPECT_H
#define MAEOTIS_MODEL_OUTPUT_INSPECT_H

int info_command(int argc, char **argv);
int digest_command(int argc, char **argv);
int diff_command(int argc, char **argv); /* 0: equal, 1: different, 2: cannot be compared */

#endif
