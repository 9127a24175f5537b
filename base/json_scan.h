/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside base/json.c: scans JSON text once, checks its syntax by RFC 8259, records the place of every value
 * and key, and blanks comments with spaces, so that cJSON can read the text afterwards.
 */
#ifndef MAEOTIS_BASE_JSON_SCAN_H
#define MAEOTIS_BASE_JSON_SCAN_H

#include "base/error.h"
#include <stdbool.h>
#include <stddef.h>

typedef struct JsonPosition {
    int line, column;         /* of the value; columns count characters, not bytes; from 1 */
    int key_line, key_column; /* of its key, or again of the value */
} JsonPosition;

typedef struct JsonScan {
    char *text; /* a copy with spaces instead of comments */
    JsonPosition
        *positions; /* of every value, in the order of the text: an array or object before its content */
    size_t n_positions, room;
    bool failed; /* `message` says "line:column: why" */
    char message[256];
} JsonScan;

void json_scan(const char *text, JsonScan *scan);
void json_scan_free(JsonScan *scan);

#endif
