/* SPDX-License-Identifier: Apache-2.0
 *
 * The words of a command: its options, each a row of a table, and the files or names between them. An option is written in
 * full: the beginning of one, `--step 3` for `--steps 3`, would change a run without a word, and is refused with what was
 * meant. Local.
 */
#ifndef MAEOTIS_BASE_OPTIONS_H
#define MAEOTIS_BASE_OPTIONS_H

#include "base/error.h"
#include <stdbool.h>
#include <stdint.h>

typedef enum OptionKind {
    OPTION_FLAG,   /* `to` is a bool, and becomes true */
    OPTION_TEXT,   /* a const char *, which points into argv */
    OPTION_WHOLE,  /* an int64_t of at least `least` */
    OPTION_NUMBER, /* a finite double */
    OPTION_TAKE,   /* `take` reads the value, with `to` */
    OPTION_MAY,    /* `take` reads what follows an '=', or NULL */
    OPTION_RENAMED /* the old name of the option `now`, which a note tells */
} OptionKind;

typedef struct Option {
    const char *name; /* without its dashes; NULL after the last row */
    OptionKind kind;
    void *to;
    int64_t least;
    Status (*take)(const char *value, void *to);
    char letter; /* of its short form, or 0 */
    const char *now;
    const char *hint; /* what to write instead of a value that is no whole number; NULL: nothing */
} Option;

/* What is no option: `least` to `most` of these, named in messages as `what`. */
typedef struct Operands {
    const char *what;
    int least, most;
    const char **word; /* room for them; may be argv itself, whose first words it replaces */
    int count;
    bool help; /* --help or -h was given: nothing behind it was read */
} Operands;

CHECKED Status options_read(const char *command, int argc, char **argv, const Option *options,
                            Operands *operands);

/* `count` numbers with commas between them, the value of the option `name`. */
CHECKED Status option_numbers(const char *name, const char *text, int count, double *out);

#endif
