/* SPDX-License-Identifier: Apache-2.0
 *
 * Whatever the text, the reader neither crashes nor leaks, and what it accepts has an effective scenario that
 * is a fixed point. The part of the input behind a zero byte is an override.
 */
#include "settings/scenario.h"
#include "tests/fuzz/fuzz.h"
#include <string.h>

static void check_fixed_point(const Scenario *scenario) {
    char *once = scenario_effective(scenario);
    Scenario *again;
    if (scenario_parse(scenario->path, once, NULL, 0, &again) != STATUS_OK) {
        error_print(stderr);
        fputs(once, stderr);
        abort();
    }
    char *twice = scenario_effective(again);
    if (strcmp(once, twice) != 0) {
        fprintf(stderr, "%s\n%s", once, twice);
        abort();
    }
    memory_free(once), memory_free(twice);
    scenario_destroy(&again);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char *text = malloc(size + 2);
    if (!text) return 0;
    if (size) memcpy(text, data, size);
    text[size] = text[size + 1] = '\0';
    const char *override = text + strlen(text) + 1;
    Scenario *scenario;
    Status status = scenario_parse("dir/fuzz.json", text, &override, strlen(text) < size, &scenario);
    if ((status == STATUS_OK) != (scenario != NULL) || (status == STATUS_OK) != (error_count() == 0)) abort();
    if (scenario) check_fixed_point(scenario);
    scenario_destroy(&scenario);
    error_clear();
    if (memory_in_use() != 0) abort();
    free(text);
    return 0;
}
