/* SPDX-License-Identifier: Apache-2.0
 *
 * Several files as one text: names and patterns (`*`, `?`, `[...]`) with bars between them. The name of a file that exists is
 * that file, whatever letters it has. Local.
 */
#ifndef MAEOTIS_BASE_FILE_SET_H
#define MAEOTIS_BASE_FILE_SET_H

#include "base/error.h"
#include <stdbool.h>

enum { FILE_SET_BAR = '|' };

bool file_is_pattern(const char *name);
bool file_pattern_fits(const char *pattern); /* is there a file? */

/* The files in the order of the text, those of a pattern by their names; to be freed with file_list_free. A name that is no
 * pattern need not exist. Refuses a pattern that no file fits. */
CHECKED Status file_set_list(const char *text, char ***names, int *count);

/* The first of them; of a pattern that no file fits, this; to be freed. */
char *file_set_first(const char *text);

#endif
