/* SPDX-License-Identifier: Apache-2.0
 *
 * Moments: dates, and times of every day; where outputs are cut.
 */
#include "base/calendar.h"
#include "base/memory.h"
#include "base/schedule.h"
#include "settings/rules.h"
#include <math.h>
#include <string.h>

static const double DAY_S = 86400;

/* ---- the kind: member ScenarioMoment *, other int ---- */

static bool read_moment(const char *text, ScenarioMoment *out, char why[160]) {
    if (strcspn(text, "-") == 4) return calendar_parse(text, &out->seconds, why) == STATUS_OK; /* a year */
    char *date = memory_format("1970-01-01T%.40s", text);
    const Status status = calendar_parse(date, &out->seconds, why);
    memory_free(date);
    out->daily = true;
    out->seconds -= DAY_S * floor(out->seconds / DAY_S);
    return status == STATUS_OK;
}

static void moments_read(Reader *reader, const Field *field, const Json *json, void *member, void *other) {
    char why[160];
    list_destroy(field, member, other);
    if (json->kind != JSON_ARRAY) {
        reader_refuse_kind(
            reader, field, json,
            "an array of dates such as \"2014-09-24T18:00:00Z\" and times of day such as \"18:00Z\"");
        return;
    }
    ScenarioMoment *moments = ALLOCATE(json->n_items + 1, ScenarioMoment);
    int count = 0;
    for (int n = 0; n < json->n_items; n++) {
        const Json *item = json->items[n];
        if (item->kind != JSON_STRING)
            reader_refuse_kind(reader, field, item,
                               "a date such as \"2014-09-24T18:00:00Z\" or a time of day such as \"18:00Z\"");
        else if (!read_moment(item->text, &moments[count], why))
            reader_refuse(reader, item->place, item->pointer, "found \"%.60s\": %s", item->text, why);
        else if (moments[count].seconds != floor(moments[count].seconds))
            reader_refuse(reader, item->place, item->pointer, "found \"%.60s\": times have whole seconds",
                          item->text);
        else
            count++;
    }
    *(ScenarioMoment **)member = moments;
    *(int *)other = count;
}

static cJSON *moments_write(const Field *field, const char *folder, const void *member, const void *other) {
    const ScenarioMoment *moments = *(ScenarioMoment *const *)member;
    const int count = *(const int *)other;
    (void)field, (void)folder;
    if (count == 0) return NULL;
    cJSON *array = cJSON_CreateArray();
    for (int n = 0; n < count; n++) {
        char date[32];
        calendar_format(moments[n].seconds, date);
        cJSON_AddItemToArray(array,
                             cJSON_CreateString(moments[n].daily ? date + strlen("1970-01-01T") : date));
    }
    return array;
}

static cJSON *moments_schema(const Field *field) {
    (void)field;
    return cJSON_Parse("{\"type\":\"array\",\"items\":{\"type\":\"string\"}}");
}

const FieldKind moments_kind = {moments_read, NULL, moments_write, moments_schema, list_destroy};

/* ---- when they come ---- */

double moments_next(const ScenarioMoment *moments, int n_moments, double start, double time) {
    double next = INFINITY;
    for (int n = 0; n < n_moments; n++) {
        double at = moments[n].seconds - start;
        if (moments[n].daily) at += DAY_S * floor((time - at) / DAY_S);
        while (moments[n].daily && at <= time + SCHEDULE_EARLY_S) at += DAY_S;
        if (at > time + SCHEDULE_EARLY_S) next = fmin(next, at);
    }
    return next;
}

double output_part_end(const ScenarioOutput *output, double start, double time) {
    if (output->cut == PART_WHOLE) return INFINITY;
    return calendar_part(start + time + SCHEDULE_EARLY_S, output->cut, 1) - start;
}

const char *output_ending(const ScenarioOutput *output) {
    const char *ending = strrchr(output->file, '.'), *slash = strrchr(output->file, '/');
    return ending && (!slash || ending > slash) ? ending : output->file + strlen(output->file);
}

void rules_of_moments(Rules *r) {
    const ScenarioTime *time = &r->scenario->time;
    const ScenarioRestart *restart = &r->scenario->restart;
    const Json *json = json_at(r->root, "/restart/at");
    double steps;
    if (!json || time->automatic || !(time->step_s > 0) || !reader_sound(r->reader, "/restart/at") ||
        !reader_sound(r->reader, "/time"))
        return;
    for (int n = 0; n < restart->n_at; n++)
        if ((restart->at[n].seconds != time->start &&
             !rules_whole(fabs(restart->at[n].seconds - time->start), time->step_s, &steps)) ||
            (restart->at[n].daily && !rules_whole(DAY_S, time->step_s, &steps)))
            reader_refuse(r->reader, json->items[n]->place, json->items[n]->pointer,
                          "no step of %.10g s ends at \"%.60s\": choose a time a whole number of steps after "
                          "/time/start%s",
                          time->step_s, json->items[n]->text, restart->at[n].daily ? ", on every day" : "");
}
