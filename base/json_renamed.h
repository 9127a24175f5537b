/* SPDX-License-Identifier: Apache-2.0
 *
 * Keys that have another name now: the old one keeps working until the next MAJOR version (docs/releases.md). One table for
 * each kind of file; what reads the file sees the new names alone. All functions are local.
 */
#ifndef MAEOTIS_BASE_JSON_RENAMED_H
#define MAEOTIS_BASE_JSON_RENAMED_H

#include "base/json.h"

/* Pointers, in which * stands for each item of a list. Up to where they part they are alike. */
typedef struct RenamedKey {
    const char *was, *now; /* was: NULL after the last */
    const char *since;     /* version */
} RenamedKey;

/* Gives the values at old names the new ones; with `note`, says so for each place. Refuses a key that is given by both
 * names. */
CHECKED Status json_rename(Json *root, const RenamedKey *keys, bool note);

/* The same without notes, for a tree that a file of an earlier version holds; where both are, the new one stays. */
struct cJSON;
void json_rename_stored(struct cJSON *root, const RenamedKey *keys);

/* "/old/key=value" -> "/new/key=value", with a note, for settings outside lists; others as they are. To be freed. */
char *json_rename_setting(const char *setting, const RenamedKey *keys, bool note);

#endif
