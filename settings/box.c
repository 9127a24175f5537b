/* SPDX-License-Identifier: Apache-2.0 */
#include "settings/box.h"

#include "base/file.h"
#include "base/memory.h"
#include "settings/kinetics.h"
#include "settings/rules.h"
#include "settings/table_rows.h"
#include <string.h>

#define OWNER BoxFile
static const Field fields[] = {
    {"/$schema", &anything_kind, .doc = "Location of the JSON Schema, for editors"},
    {"/title", &text_kind, TO(title), .doc = "Title of the box, in one line"},
    {"/comment", &anything_kind, .doc = "Remarks; ignored by the program"},
    {"/constants", &constants_kind, .doc = "Named numbers for formulas, {\"name\": value}"},
    KINETICS_ROWS,
    {"/box/depth_m", &number_kind, TO(depth_m), .flags = HAS_DEFAULT | EXCLUSIVE, DEFAULT(10),
     RANGE(0, 12000), .unit = "m", .doc = "Depth of the water"},
    {"/box/attenuation_1_m", &number_kind, TO(attenuation_1_m), .flags = HAS_DEFAULT, DEFAULT(0.1),
     RANGE(0, 100), .unit = "1/m", .doc = "Attenuation of light by the water itself"},
    {"/box/temperature_C", &value_kind, TO(temperature_C), .flags = HAS_DEFAULT, DEFAULT(15), TEMPERATURE,
     .variables = "t", .doc = "Temperature of the water"},
    {"/box/salinity", &value_kind, TO(salinity), .flags = HAS_DEFAULT, DEFAULT(11), SALINITY,
     .variables = "t", .doc = "Salinity of the water"},
    {"/box/light_W_m2", &value_kind, TO(light_W_m2), .flags = HAS_DEFAULT, DEFAULT(50), RANGE(0, 2000),
     .variables = "t", .unit = "W/m2", .doc = "Photosynthetically active light just below the surface"},
    {"/box/wind_m_s", &value_kind, TO(wind_m_s), .flags = HAS_DEFAULT, DEFAULT(5), RANGE(0, 150),
     .variables = "t", .unit = "m/s", .doc = "Speed of the wind, for gas exchange"},
    {"/box/bed_stress_Pa", &value_kind, TO(bed_stress_Pa), .flags = HAS_DEFAULT, RANGE(0, 1000),
     .variables = "t", .unit = "Pa", .doc = "Stress at the bed"},
    {"/time/start", &date_kind, TO(start), .doc = "Date of the first row"},
    {"/time/step_s", &number_kind, TO(step_s), .flags = REQUIRED | EXCLUSIVE, RANGE(0, 1e10), .unit = "s",
     .doc = "Length of a step"},
    {"/time/duration_s", &number_kind, TO(duration_s), .flags = REQUIRED | EXCLUSIVE, RANGE(0, 1e12),
     .unit = "s", .doc = "Length of the run"},
    {"/time/every_s", &number_kind, TO(every_s), .flags = HAS_DEFAULT | EXCLUSIVE, DEFAULT(3600),
     RANGE(0, 1e12), .unit = "s", .doc = "Interval between rows of the table"},
};
#undef OWNER
static const Record record = {ONLY_ROWS(fields), sizeof(BoxFile), 0, "the box"};

enum { MOST_BYTES = 16 << 20 }; /* no box is larger */
#define MOST_STEPS 1e9          /* hours of computing */

static void check(Reader *reader, const Json *root, const BoxFile *box) {
    const char *pointers[] = {"/time/duration_s", "/time/every_s"};
    const double lengths[] = {box->duration_s, box->every_s};
    if (reader->status != STATUS_OK) return;
    for (int n = 0; n < 2; n++) {
        const Json *json = json_at(root, pointers[n]) ? json_at(root, pointers[n]) : root;
        double count = 0;
        if (!rules_whole(lengths[n], box->step_s, &count) || count < 1)
            reader_refuse(reader, json->place, pointers[n],
                          "%s, %.10g s, is not a whole number of steps of %.10g s", pointers[n], lengths[n],
                          box->step_s);
    }
    if (box->duration_s / box->step_s > MOST_STEPS)
        reader_refuse(reader, root->place, "/time/step_s",
                      "%.10g s are %.3g steps of %.10g s, but at most %g are possible", box->duration_s,
                      box->duration_s / box->step_s, box->step_s, MOST_STEPS);
    const Json *initial = json_at(root, "/kinetics/initial");
    for (int n = 0; n < box->kinetics.n_initial; n++)
        if (initial && n < initial->n_items && box->kinetics.initial[n].value.kind != VALUE_CONSTANT)
            reader_refuse(reader, initial->items[n]->place, initial->items[n]->pointer,
                          "the initial value of a box must be a number");
    const Json *inputs = json_at(root, "/kinetics/inputs");
    for (int n = 0; n < box->kinetics.n_inputs; n++)
        if (inputs && n < inputs->n_items && box->kinetics.inputs[n].value.kind == VALUE_FILE)
            reader_refuse(reader, inputs->items[n]->place, inputs->items[n]->pointer,
                          "an input of a box must be a number or a formula of t");
    if (!box->kinetics.module)
        reader_refuse(reader, root->place, "/kinetics/module", "the key \"/kinetics/module\" is missing");
}

Status box_read(const char *path, const char *const *overrides, int n_overrides, BoxFile **out) {
    char *text = NULL;
    Json *root;
    *out = NULL;
    TRY(file_read_text(path, MOST_BYTES, &text));
    Status status = json_parse(path, text, &root);
    memory_free(text);
    TRY(status);
    const char *slash = strrchr(path, '/');
    Reader reader = {.folder = memory_format("%.*s", slash ? (int)(slash + 1 - path) : 0, path),
                     .look_at_files = true};
    for (int n = 0; n < n_overrides; n++)
        if (json_override(root, overrides[n]) != STATUS_OK) reader.status = STATUS_BAD_INPUT;
    if (root->kind == JSON_OBJECT) reader.constants = json_find(root, "constants");
    if (reader.constants && reader.constants->kind != JSON_OBJECT) reader.constants = NULL;
    BoxFile *box = ALLOCATE(1, BoxFile);
    record_read(&reader, &record, root, box);
    if (root->kind == JSON_OBJECT) {
        kinetics_settings_open(&reader, root, &box->kinetics);
        check(&reader, root, box);
    }
    status = reader.status;
    if (status == STATUS_OK)
        *out = box;
    else
        box_destroy(&box);
    for (int n = 0; n < reader.n_faulty; n++) memory_free(reader.faulty[n]);
    memory_free(reader.faulty);
    memory_free(reader.folder);
    json_destroy(&root);
    return status;
}

void box_destroy(BoxFile **box) {
    if (!*box) return;
    kinetics_close(&(*box)->kinetics.opened);
    record_destroy(&record, *box);
    memory_free(*box);
    *box = NULL;
}
