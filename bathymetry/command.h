/* SPDX-License-Identifier: Apache-2.0
 *
 * `maeotis bathymetry import|inspect|repair`: from the files of data centres to the bed of a model.
 */
#ifndef MAEOTIS_BATHYMETRY_COMMAND_H
#define MAEOTIS_BATHYMETRY_COMMAND_H

/* argv[0] is "bathymetry". Prints results on stdout, messages on stderr, and returns the program's exit code.
 * Local: called on one process. */
int bathymetry_command(int argc, char **argv);

#endif
