/* SPDX-License-Identifier: Apache-2.0
 *
 * All fields of the state as they are, to inspect a run that became unstable: float64, including values that
 * are not numbers.
 */
#include "base/calendar.h"
#include "base/memory.h"
#include "output/state_file.h"

enum { EXTRA_FIELDS = 4 };

/* To be freed. */
static StateField *all_fields(const State *state, int *count) {
    int n = state_field_count(state);
    StateField *out = ALLOCATE(n + EXTRA_FIELDS, StateField);
    state_fields(state, out);
    out[n++] = (StateField){"eta", state->eta, false, 'c', false};
    out[n++] = (StateField){"stress_u", state->stress_u, false, 'u', false};
    out[n++] = (StateField){"stress_v", state->stress_v, false, 'v', false};
    if (state->air_pressure) out[n++] = (StateField){"air_pressure", state->air_pressure, false, 'c', false};
    *count = n;
    return out;
}

static void define_fields(NcFile *file, const Layout *layout, const StateField *fields, int n_fields) {
    for (int n = 0; n < n_fields; n++) {
        int id = state_field_define(file, layout, &fields[n]);
        ncfile_fill(file, id, NC_DOUBLE);
        layout_attributes(file, layout, id, fields[n].place);
    }
}

static void define_moment(NcFile *file, const State *state) {
    char date[32];
    calendar_format_since(state->start, state->time, date);
    ncfile_text(file, NC_GLOBAL, "date", date);
    ncfile_number(file, NC_GLOBAL, "elapsed", state->time);
    ncfile_number(file, NC_GLOBAL, "step", (double)state->step);
}

static Status write_fields(NcFile *file, const Layout *layout, const StateField *fields, int n_fields) {
    for (int n = 0; n < n_fields; n++) {
        double *packed = state_field_pack(layout, &fields[n], FILL_DOUBLE);
        state_field_put(file, layout, &fields[n], packed);
        Status status = ncfile_wait(file);
        memory_free(packed);
        TRY(status);
    }
    return STATUS_OK;
}

Status output_snapshot(const char *path, const RunFacts *facts, const State *state, const char *face) {
    const Title title = {.summary = "The whole state of the model at one moment, in full precision",
                         .from = state->time,
                         .until = state->time};
    MPI_Comm comm = state->grid->comm;
    int rank, n_fields;
    StateField *fields = all_fields(state, &n_fields);
    MPI_Comm_rank(comm, &rank);
    NcFile file = {0};
    Layout layout;
    Window window = window_whole(state->grid);
    RunFacts *shared = facts_share(comm, facts);
    Status status;
    ATTEMPT(status_agree(comm, rank == 0 ? path_make_folders(path) : STATUS_OK));
    ATTEMPT(ncfile_create(&file, comm, path, layout_format(FORMAT_AUTO, &window, true)));
    layout_define(&file, &layout, state->grid, window, true, true);
    layout_define_static(&file, &layout);
    define_fields(&file, &layout, fields, n_fields);
    define_moment(&file, state);
    if (face) ncfile_text(&file, NC_GLOBAL, "worst_face", face);
    attributes_define(&file, NULL, shared, &layout, &title);
    ATTEMPT(ncfile_end_define(&file));
    ATTEMPT(layout_write(&file, &layout));
    ATTEMPT(write_fields(&file, &layout, fields, n_fields));
    ATTEMPT(ncfile_close(&file));
cleanup:
    ncfile_abandon(&file);
    facts_release(&shared);
    window_release(&window);
    memory_free(fields);
    return status;
}
