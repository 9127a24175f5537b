/* SPDX-License-Identifier: Apache-2.0
 *
 * Keys without effect because of another choice. A row's `with` names the setting that it depends on, in the
 * same record:
 *
 *     "/physics/drag/law=log"     while that is the choice; several are parted by |
 *     "/physics/momentum/scheme!=prescribed"     while it is another one
 *     "/bathymetry/file"          while that is given, true, or not 0
 *     "/tide|/tide_atlas/files"   while one of them is
 *
 * An idle key that is not at its default gives a warning, or is refused if the row says so.
 */
#include "base/log.h"
#include "base/memory.h"
#include "settings/rules.h"
#include <string.h>

/* A condition, taken apart. */
typedef struct With {
    char key[96];
    const char *choices; /* NULL: any */
    bool negated;
} With;

static With take_apart(const char *with) {
    With w = {.choices = strchr(with, '=')};
    size_t length = w.choices ? (size_t)(w.choices - with) : strlen(with);
    if (w.choices) w.choices++;
    w.negated = w.choices && length > 0 && with[length - 1] == '!';
    snprintf(w.key, sizeof w.key, "%.*s", (int)(length - w.negated), with);
    return w;
}

static bool among(const char *choices, const char *text) {
    for (size_t length; *choices; choices += length + (choices[length] == '|')) {
        length = strcspn(choices, "|");
        if (strlen(text) == length && strncmp(choices, text, length) == 0) return true;
    }
    return false;
}

static bool holds(const Record *record, const With *with, const char *source) {
    const char *next = strchr(with->key, '|');
    if (next) {
        With first = {0}, rest = {0};
        snprintf(first.key, sizeof first.key, "%.*s", (int)(next - with->key), with->key);
        snprintf(rest.key, sizeof rest.key, "%s", next + 1);
        return holds(record, &first, source) || holds(record, &rest, source);
    }
    const Field *field = record_find(record, with->key);
    if (field->record) return *(const int *)(source + field->count_offset) > 0;
    cJSON *value = field->kind->write(field, "", source + field->offset, source + field->count_offset);
    const bool may_be_0 =
        field->kind == &value_kind && !(field->flags & HAS_DEFAULT); /* a wind from 0 degrees */
    bool there = value && !cJSON_IsFalse(value) &&
                 (may_be_0 || strcmp(cJSON_IsRaw(value) ? value->valuestring : "", "0") != 0);
    bool is =
        !with->choices ? there : value && cJSON_IsString(value) && among(with->choices, value->valuestring);
    cJSON_Delete(value);
    return is != with->negated;
}

static char *text_of(const Field *field, const char *source) {
    cJSON *value = field->record
                       ? NULL
                       : field->kind->write(field, "", source + field->offset, source + field->count_offset);
    char *printed = value ? cJSON_PrintUnformatted(value) : NULL,
         *text = memory_copy_text(printed ? printed : "");
    cJSON_free(printed);
    cJSON_Delete(value);
    return text;
}

/* As the effective scenario writes it. */
static bool is_default(const Record *record, const Field *field, const char *source) {
    if (field->record) return *(const int *)(source + field->count_offset) == 0;
    char *other = memory_allocate(1, record->size);
    if ((field->flags & HAS_DEFAULT) && field->kind->set_default)
        field->kind->set_default(field, other + field->offset, other + field->count_offset);
    char *is = text_of(field, source), *was = text_of(field, other);
    const bool same = strcmp(is, was) == 0;
    if (field->kind->destroy) field->kind->destroy(field, other + field->offset, other + field->count_offset);
    memory_free(is);
    memory_free(was);
    memory_free(other);
    return same;
}

/* the law "log" or "manning"; another scheme than "prescribed"; "file" */
static void describe(const With *with, char out[240]) {
    const char *key = strrchr(with->key, '/') + 1;
    const char *first = strchr(with->key, '|');
    if (!with->choices) {
        if (first)
            snprintf(out, 240, "\"%.*s\" or \"%s\"", (int)(first - with->key) - 1, with->key + 1, first + 2);
        else
            snprintf(out, 240, "\"%s\"", key);
        return;
    }
    int used = snprintf(out, 240, with->negated ? "another %s than" : "the %s", key);
    for (const char *choice = with->choices; *choice && used < 200;) {
        const size_t length = strcspn(choice, "|");
        used += snprintf(out + used, 240 - (size_t)used, "%s \"%.*s\"", choice == with->choices ? "" : " or",
                         (int)length, choice);
        choice += length + (choice[length] == '|');
    }
}

static void tell(Rules *r, const Field *field, const With *with, const Json *json) {
    char wanted[240];
    describe(with, wanted);
    const char *which = with->choices ? "chosen" : "given",
               *place = json->key_place ? json->key_place : json->place;
    if (field->flags & REFUSED_IDLE)
        reader_refuse(r->reader, place, json->pointer, "\"%s\" depends on %s, which is not %s",
                      field_key(field), wanted, which);
    else
        log_warn("%s: \"%s\" has no effect here: it depends on %s, which is not %s", place, field_key(field),
                 wanted, which);
}

static void look_at_record(Rules *r, const Record *record, const Json *root, const char *source) {
    const Field *field;
    for (int n = 0; (field = record_field(record, n)); n++) {
        const Json *json = json_at(root, field->path);
        if (!json || !reader_sound(r->reader, json->pointer)) continue;
        for (int item = 0; field->record && item < json->n_items; item++) /* a nest adds one of its own */
            look_at_record(r, field->record, json->items[item],
                           *(char *const *)(source + field->offset) + (size_t)item * field->record->size);
        if (!field->with) continue;
        const With with = take_apart(field->with);
        const Json *choice = json_at(root, with.key);
        const bool known = !choice || reader_sound(r->reader, choice->pointer);
        if (known && !holds(record, &with, source) && !is_default(record, field, source))
            tell(r, field, &with, json);
    }
}

void rules_of_idle_keys(Rules *r) {
    look_at_record(r, &scenario_record, r->root, (const char *)r->scenario);
}
