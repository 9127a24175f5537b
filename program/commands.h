/* SPDX-License-Identifier: Apache-2.0
 *
 * The program's commands. Each gets its own name as argv[0], answers --help, and returns the exit code.
 */
#ifndef MAEOTIS_PROGRAM_COMMANDS_H
#define MAEOTIS_PROGRAM_COMMANDS_H

int run_command(int argc, char **argv);       /* collective */
int calibrate_command(int argc, char **argv); /* collective */
int plan_command(int argc, char **argv);
int check_command(int argc, char **argv);
int schema_command(int argc, char **argv);
int tides_command(int argc, char **argv);    /* what is known of tidal constituents */
int kinetics_command(int argc, char **argv); /* kinetics modules in a box of water */

/* These look into NetCDF files, the program's own and others, classic and NetCDF-4. */
int info_command(int argc, char **argv);
int digest_command(int argc, char **argv);
int pack_command(int argc, char **argv); /* compressed copies */
int diff_command(int argc, char **argv); /* 0: equal, 1: different, 2: cannot be compared */

#endif
