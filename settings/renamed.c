/* SPDX-License-Identifier: Apache-2.0
 *
 * The keys of scenarios that have another name now, and their place in the JSON Schema.
 */
#include "base/memory.h"
#include "settings/table.h"
#include <string.h>

const RenamedKey scenario_renamed[] = {
    {"/solver/ranks", "/solver/processes", "1.0.0"},
    {NULL, NULL, NULL},
};

/* The schema of the object in which a key stands, and the key's last part. */
static cJSON *section_at(cJSON *schema, const char *pointer, const char **key) {
    char part[64];
    for (const char *slash; schema && (slash = strchr(pointer + 1, '/')); pointer = slash) {
        snprintf(part, sizeof part, "%.*s", (int)(slash - pointer - 1), pointer + 1);
        schema = strcmp(part, "*") == 0 ? cJSON_GetObjectItemCaseSensitive(schema, "items")
                                        : cJSON_GetObjectItemCaseSensitive(
                                              cJSON_GetObjectItemCaseSensitive(schema, "properties"), part);
    }
    *key = pointer + 1;
    return cJSON_GetObjectItemCaseSensitive(schema, "properties");
}

void renamed_in_schema(cJSON *schema) {
    for (const RenamedKey *key = scenario_renamed; key->was; key++) {
        const char *was, *now;
        cJSON *from = section_at(schema, key->now, &now), *to = section_at(schema, key->was, &was);
        cJSON *same = cJSON_Duplicate(cJSON_GetObjectItemCaseSensitive(from, now), true);
        char *doc = memory_format("Former name of %s, called so since version %s", key->now, key->since);
        cJSON_DeleteItemFromObjectCaseSensitive(same, "description");
        cJSON_AddStringToObject(same, "description", doc);
        cJSON_AddTrueToObject(same, "deprecated");
        cJSON_AddItemToObject(to, was, same);
        memory_free(doc);
    }
}
