/* SPDX-License-Identifier: Apache-2.0 */
#include "model/kinetics/module_inputs.h"

#include "base/memory.h"
#include "model/forcing/quantity.h"
#include "settings/kinetics.h"

typedef struct OneInput {
    Quantity quantity;
    FieldNames names;
    const char *in_files[2]; /* its name, and the end */
    double *field;
} OneInput;

struct KineticsInputs {
    const Grid *grid; /* not owned */
    int count;
    OneInput *input;
};

static const char *const none[] = {NULL};

static Status open_one(const Scenario *scenario, const Grid *grid, int n, OneInput *one) {
    const MaeotisInput *is = &scenario->kinetics.opened.is->inputs[n];
    const Value value = kinetics_settings_input(&scenario->kinetics, n);
    one->in_files[0] = is->name;
    one->names = (FieldNames){.what = is->what,
                              .unit = is->units,
                              .least = is->least,
                              .most = is->most,
                              .names = one->in_files,
                              .standard_names = none,
                              .long_names = none};
    one->field = field2_create(grid);
    return quantity_create(&value, &one->names, grid, scenario, &one->quantity);
}

Status kinetics_inputs_create(const Scenario *scenario, const Grid *grid, KineticsInputs **out) {
    const MaeotisKinetics *m = scenario->kinetics.opened.is;
    const int count = m ? kinetics_inputs(m) : 0;
    Status status = STATUS_OK;
    *out = NULL;
    if (count == 0) return STATUS_OK;
    KineticsInputs *k = *out = ALLOCATE(1, KineticsInputs);
    *k = (KineticsInputs){.grid = grid, .input = ALLOCATE(count, OneInput)};
    while (k->count < count) { /* one that fails is released, too */
        const int n = k->count++;
        ATTEMPT(open_one(scenario, grid, n, &k->input[n]));
    }
    ATTEMPT(kinetics_inputs_advance(k, scenario->time.to_s));
    ATTEMPT(kinetics_inputs_advance(k, scenario->time.from_s));
cleanup:
    if (status != STATUS_OK) kinetics_inputs_destroy(out);
    return status;
}

void kinetics_inputs_destroy(KineticsInputs **inputs) {
    KineticsInputs *k = *inputs;
    if (!k) return;
    for (int n = 0; n < k->count; n++) {
        quantity_release(&k->input[n].quantity);
        field2_destroy(k->grid, &k->input[n].field);
    }
    memory_free(k->input);
    memory_free(k);
    *inputs = NULL;
}

Status kinetics_inputs_advance(KineticsInputs *k, double time) {
    for (int n = 0; n < k->count; n++)
        TRY(quantity_fill(&k->input[n].quantity, time, k->grid->columns, k->input[n].field));
    return STATUS_OK;
}

const double *kinetics_inputs_field(const KineticsInputs *k, int n) {
    return k->input[n].field;
}

char *kinetics_inputs_describe(const KineticsInputs *k) {
    char *text = memory_copy_text("");
    for (int n = 0; n < k->count; n++) {
        const OneInput *is = &k->input[n];
        memory_append(&text, "%s%s [%s]: %s", n ? "; " : "", is->in_files[0], is->names.unit,
                      is->quantity.source);
    }
    return text;
}
