/* SPDX-License-Identifier: Apache-2.0
 *
 * The functions of BMI for variables: which there are, what they are, their values.
 */
#include "base/memory.h"
#include "bmi/maeotis_bmi.h"
#include "bmi/model.h"
#include "gpu/device.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* ---- what there is ---- */

static int get_component_name(Bmi *self, char *name) {
    strcpy(name, "maeotis");
    return model_tell(model_of(self), STATUS_OK);
}

/* The variables, or the inputs among them; `names` may be NULL. */
static int list(Model *model, bool inputs, char **names, int *count) {
    const Status status = model_ready(model);
    int found = 0;
    for (int n = 0; status == STATUS_OK && n < model->n_variables; n++) {
        if (inputs && !model->variables[n].input) continue;
        if (names) snprintf(names[found], BMI_MAX_VAR_NAME, "%s", model->variables[n].standard_name);
        found++;
    }
    if (count) *count = found;
    return model_tell(model, status);
}

static int get_input_item_count(Bmi *self, int *count) {
    return list(model_of(self), true, NULL, count);
}

static int get_output_item_count(Bmi *self, int *count) {
    return list(model_of(self), false, NULL, count);
}

static int get_input_var_names(Bmi *self, char **names) {
    return list(model_of(self), true, names, NULL);
}

static int get_output_var_names(Bmi *self, char **names) {
    return list(model_of(self), false, names, NULL);
}

/* The variable of this name, or NULL with `*told` set. */
static Variable *find(Model *model, const char *name, int *told) {
    Status status = model_ready(model);
    Variable *v = status == STATUS_OK ? variable_find(model, name) : NULL;
    if (!v) status = STATUS_BAD_INPUT;
    *told = model_tell(model, status);
    return v;
}

const char *maeotis_bmi_short_name(Bmi *self, const char *name) {
    int told;
    const Variable *v = find(model_of(self), name, &told);
    return v ? v->what.name : "";
}

static int get_var_grid(Bmi *self, const char *name, int *grid) {
    int told;
    const Variable *v = find(model_of(self), name, &told);
    if (v) *grid = variable_grid(v);
    return told;
}

static int get_var_type(Bmi *self, const char *name, char *type) {
    int told;
    if (find(model_of(self), name, &told)) strcpy(type, "double");
    return told;
}

static int get_var_units(Bmi *self, const char *name, char *units) {
    int told;
    const Variable *v = find(model_of(self), name, &told);
    if (v) snprintf(units, BMI_MAX_UNITS_NAME, "%s", v->what.units);
    return told;
}

static int get_var_itemsize(Bmi *self, const char *name, int *size) {
    int told;
    if (find(model_of(self), name, &told)) *size = sizeof(double);
    return told;
}

static int get_var_nbytes(Bmi *self, const char *name, int *nbytes) {
    int told;
    Model *model = model_of(self);
    const Variable *v = find(model, name, &told);
    if (!v) return told;
    const int64_t size = variable_size(model, v) * (int64_t)sizeof(double);
    if (size > INT_MAX)
        return model_tell(model,
                          error_raise(STATUS_BAD_INPUT,
                                      "%s has %lld bytes, more than an int can represent: use more processes",
                                      name, (long long)size));
    *nbytes = (int)size;
    return told;
}

static int get_var_location(Bmi *self, const char *name, char *location) {
    int told;
    if (find(model_of(self), name, &told)) strcpy(location, "node");
    return told;
}

/* ---- values ---- */

static Status read_values(Model *model, const char *name, double *out, const int *index, int count) {
    TRY(model_ready(model));
    const Variable *v = variable_find(model, name);
    if (!v) return STATUS_BAD_INPUT;
    if (!model->closed) TRY(model_settle(model));
    const int64_t size = variable_size(model, v);
    for (int n = 0; index && n < count; n++)
        CHECK(index[n] >= 0 && index[n] < size, STATUS_BAD_INPUT,
              "%s has no element %d: elements are 0 to %lld", name, index[n], (long long)size - 1);
    double *all = index ? ALLOCATE(size, double) : out;
    variable_get(model, v, all);
    for (int n = 0; index && n < count; n++) out[n] = all[index[n]];
    if (index) memory_free(all);
    return STATUS_OK;
}

static Status write_values(Model *model, const char *name, const double *values, const int *index,
                           int count) {
    TRY(model_ready(model));
    CHECK(!model->closed, STATUS_BAD_INPUT, "the run is closed: only values can be read now");
    Variable *v = variable_find(model, name);
    if (!v) return STATUS_BAD_INPUT;
    TRY(mirrors_take(model));
    const int64_t size = index ? count : variable_size(model, v);
    TRY(status_agree(model->comm, variable_check(model, v, values, index, size)));
    variable_set(model, v, values, index, size);
    TRY(model_settle(model));
    mirrors_fill(model);
    return STATUS_OK;
}

static int get_value(Bmi *self, const char *name, void *dest) {
    Model *model = model_of(self);
    return model_tell(model, read_values(model, name, dest, NULL, 0));
}

static int get_value_at_indices(Bmi *self, const char *name, void *dest, int *inds, int count) {
    Model *model = model_of(self);
    return model_tell(model, read_values(model, name, dest, inds, count));
}

static int set_value(Bmi *self, const char *name, void *src) {
    Model *model = model_of(self);
    return model_tell(model, write_values(model, name, src, NULL, 0));
}

static int set_value_at_indices(Bmi *self, const char *name, int *inds, int count, void *src) {
    Model *model = model_of(self);
    return model_tell(model, write_values(model, name, src, inds, count));
}

/* The fields of the model have halos, so that no pointer to them is a plain array: the caller gets a mirror. */
static int get_value_ptr(Bmi *self, const char *name, void **dest_ptr) {
    int told;
    Model *model = model_of(self);
    Variable *v = find(model, name, &told);
    if (!v) return told;
    const Status status = mirror_open(model, v);
    if (status == STATUS_OK) *dest_ptr = v->mirror;
    return model_tell(model, status);
}

static Status open_view(Model *model, const char *name, bool writable, double **first, int64_t shape[3],
                        int64_t strides[3]) {
    TRY(model_ready(model));
    const Variable *v = variable_find(model, name);
    if (!v) return STATUS_BAD_INPUT;
    const Grid *g = model->session->sim->grid;
    double *field = variable_field(model, v);
    CHECK(field, STATUS_BAD_INPUT,
          "%s is computed when it is read and has no memory of its own: use get_value", v->what.name);
    CHECK(!writable || v->what.id == VARIABLE_TRACER, STATUS_BAD_INPUT,
          "%s cannot be changed through a view (only tracers can): use set_value", v->what.name);
    if (!model->closed) TRY(model_settle(model));
    exec_wait(model->session->sim->exec);
    const Layout layout = layout_whole(g);
    const Piece p = layout_piece(&layout, v->what.place);
    model->tracers_open |= writable;
    *first = field + AT2(*g, p.i0, p.j0);
    shape[0] = v->what.three_d ? g->n3 : 1, shape[1] = p.count_y, shape[2] = p.count_x;
    strides[0] = g->plane, strides[1] = g->row, strides[2] = 1;
    return STATUS_OK;
}

int maeotis_bmi_view(Bmi *self, const char *name, int writable, double **first, int64_t shape[3],
                     int64_t strides[3]) {
    Model *model = model_of(self);
    return model_tell(model, open_view(model, name, writable, first, shape, strides));
}

void values_register(Bmi *model) {
    model->get_component_name = get_component_name;
    model->get_input_item_count = get_input_item_count;
    model->get_output_item_count = get_output_item_count;
    model->get_input_var_names = get_input_var_names;
    model->get_output_var_names = get_output_var_names;
    model->get_var_grid = get_var_grid;
    model->get_var_type = get_var_type;
    model->get_var_units = get_var_units;
    model->get_var_itemsize = get_var_itemsize;
    model->get_var_nbytes = get_var_nbytes;
    model->get_var_location = get_var_location;
    model->get_value = get_value;
    model->get_value_ptr = get_value_ptr;
    model->get_value_at_indices = get_value_at_indices;
    model->set_value = set_value;
    model->set_value_at_indices = set_value_at_indices;
}
