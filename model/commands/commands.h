/* SPDX-License-Identifier: Apache-2.0
 *
 * The program's commands. Each gets its own name as argv[0], answers --help, and returns the exit code.
 */
#ifndef MAEOTIS_MODEL_COMMANDS_H
#define MAEOTIS_MODEL_COMMANDS_H

int run_command(int argc, char **argv); /* collective */
int check_command(int argc, char **argv);
int schema_command(int argc, char **argv);
int bench_command(int argc, char **argv); /* collective */

#endif
