/* SPDX-License-Identifier: Apache-2.0
 *
 * The options of a command. getopt_long takes any beginning of a long option for the whole, `--step 3` for `--steps 3`: what
 * was meant for something else would change a run without a word. Local.
 */
#ifndef MAEOTIS_BASE_OPTIONS_H
#define MAEOTIS_BASE_OPTIONS_H

#include "base/error.h"
#include <getopt.h>

/* Before getopt_long: refuses long options that are not among the names, letter by letter, or lack their value. */
CHECKED Status options_check(const char *command, int argc, char **argv, const struct option *names);

#endif
