/* SPDX-License-Identifier: Apache-2.0
 *
 * Is this the scenario that the restart file was written with? The end of the run, its output, the machine, and the files
 * with the weather, the rivers and the sea outside may change, as they do from one forecast to the next; any other change
 * would make it a different sea half way.
 */
#include "base/log.h"
#include "base/memory.h"
#include "output/restart.h"
#include "settings/table.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

typedef struct Comparison {
    const char *path; /* of the restart file */
    bool only_warn;
    Status status;
} Comparison;

static bool may_change(const char *pointer) {
    static const char *const free_to_change[] = {
        "/$schema",           "/title",           "/about",       "/comment",       "/allow",
        "/time/end",          "/time/duration_s", "/output",      "/zoom/output",   "/restart",
        "/solver/processes",  "/solver/speeds",   "/solver/cuts", "/solver/device", "/output_folder",
        "/output_dry_depth_m"};
    for (size_t n = 0; n < sizeof free_to_change / sizeof *free_to_change; n++)
        if (strcmp(pointer, free_to_change[n]) == 0) return true;
    return false;
}

static bool ends_with(const char *text, const char *end) {
    const size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

/* Which file gives the values of a time, and where in it; but not maps that last for the run. */
static bool is_data(const char *pointer) {
    static const char *const parts[] = {"/forcing/", "/rivers/",  "/boundaries/",     "/nudging/",
                                        "/initial/", "/tracers/", "/kinetics/inputs/"};
    bool may = false;
    for (size_t n = 0; n < sizeof parts / sizeof *parts; n++)
        may = may || strncmp(pointer, parts[n], strlen(parts[n])) == 0;
    return may && strncmp(pointer, "/forcing/wind/drag/", 19) != 0 &&
           (ends_with(pointer, "/file") || ends_with(pointer, "/files") || ends_with(pointer, "/column"));
}

/* Of long texts messages show a part: from shortly before they differ. */
static void tell_apart(const char **was, const char **is) {
    const size_t before = 20;
    size_t same = 0;
    while ((*was)[same] && (*was)[same] == (*is)[same]) same++;
    if (same > 80 - before) *was += same - before, *is += same - before;
}

static void report(Comparison *c, const char *pointer, const cJSON *then, const cJSON *now) {
    char *was = then ? cJSON_PrintUnformatted(then) : NULL, *is = now ? cJSON_PrintUnformatted(now) : NULL;
    const char *old = was ? was : "absent", *present = is ? is : "absent";
    tell_apart(&old, &present);
    if (c->only_warn)
        log_warn("%s was %.80s when the restart file was written, and is now %.80s", pointer, old, present);
    else
        c->status = error_raise(STATUS_BAD_INPUT,
                                "the scenario differs from that of \"%s\": %s was %.80s and is now %.80s; "
                                "use --force=scenario to continue anyway",
                                c->path, pointer, old, present);
    free(was);
    free(is);
}

static void compare(Comparison *c, const char *pointer, const cJSON *then, const cJSON *now);

static void compare_members(Comparison *c, const char *pointer, const cJSON *then, const cJSON *now) {
    const cJSON *member;
    cJSON_ArrayForEach (member, then) {
        char *below = memory_format("%s/%s", pointer, member->string);
        compare(c, below, member, cJSON_GetObjectItemCaseSensitive(now, member->string));
        memory_free(below);
    }
    cJSON_ArrayForEach (member, now) {
        if (cJSON_GetObjectItemCaseSensitive(then, member->string)) continue;
        char *below = memory_format("%s/%s", pointer, member->string);
        compare(c, below, NULL, member);
        memory_free(below);
    }
}

static void compare_items(Comparison *c, const char *pointer, const cJSON *then, const cJSON *now) {
    if (cJSON_GetArraySize(then) != cJSON_GetArraySize(now)) {
        report(c, pointer, then, now);
        return;
    }
    const cJSON *b = now->child;
    int n = 0;
    for (const cJSON *a = then->child; a && b; a = a->next, b = b->next, n++) {
        char *below = memory_format("%s/%d", pointer, n);
        compare(c, below, a, b);
        memory_free(below);
    }
}

static void compare(Comparison *c, const char *pointer, const cJSON *then, const cJSON *now) {
    if (may_change(pointer) || is_data(pointer)) return;
    if (!then || !now || (then->type & 0xff) != (now->type & 0xff))
        report(c, pointer, then, now);
    else if (cJSON_IsObject(then))
        compare_members(c, pointer, then, now);
    else if (cJSON_IsArray(then))
        compare_items(c, pointer, then, now);
    else if (cJSON_IsNumber(then) && !(then->valuedouble == now->valuedouble))
        report(c, pointer, then, now);
    else if (cJSON_IsString(then) && strcmp(then->valuestring, now->valuestring) != 0)
        report(c, pointer, then, now);
}

Status restart_compare_scenarios(const char *path, const char *then, const char *now, bool only_warn) {
    cJSON *a = cJSON_Parse(then), *b = cJSON_Parse(now);
    Comparison c = {path, only_warn, STATUS_OK};
    if (a && b) {
        json_rename_stored(a, scenario_renamed);
        compare(&c, "", a, b);
    } else
        c.status = error_raise(STATUS_BAD_INPUT,
                               "\"%s\": the scenario in it cannot be read; the file is damaged", path);
    cJSON_Delete(a);
    cJSON_Delete(b);
    return c.status;
}
