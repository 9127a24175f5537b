/* SPDX-License-Identifier: Apache-2.0 */
#include "base/calendar.h"
#include "base/memory.h"
#include "output/restart.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <unistd.h>

/* Everything that goes into one file. */
typedef struct Content {
    StateField *fields;
    int n_fields, n_own; /* the first are the state's own */
    StateNumber *numbers;
    int n_numbers;
    uint64_t *checksums; /* of the fields */
    uint64_t whole;
    double elapsed, step;
} Content;

static void content_collect(Content *c, const State *state, const Held *held, const StateNumber *numbers,
                            int n) {
    c->n_own = state_field_count(state);
    c->n_fields = c->n_own + (held ? held->n_fields : 0);
    c->fields = ALLOCATE(c->n_fields, StateField);
    state_fields(state, c->fields);
    for (int m = c->n_own; m < c->n_fields; m++) c->fields[m] = held->fields[m - c->n_own];
    c->elapsed = state->time;
    c->step = (double)state->step;
    c->n_numbers = 2 + n + (held ? held->n_numbers : 0);
    c->numbers = ALLOCATE(c->n_numbers, StateNumber);
    c->numbers[0] = (StateNumber){"elapsed", &c->elapsed};
    c->numbers[1] = (StateNumber){"step", &c->step};
    for (int m = 0; m < n; m++) c->numbers[2 + m] = numbers[m];
    for (int m = 2 + n; m < c->n_numbers; m++) c->numbers[m] = held->numbers[m - 2 - n];
    c->checksums = ALLOCATE(c->n_fields, uint64_t);
}

static void content_release(Content *c) {
    memory_free(c->fields);
    memory_free(c->numbers);
    memory_free(c->checksums);
}

/* ---- never a bad one ---- */

static Status check_field(const Grid *g, const StateField *field, Piece p, const double *packed) {
    int n_levels = field->three_d ? g->n3 : 1;
    for (int k = 0; k < n_levels; k++)
        for (int j = p.j0; j < p.j1; j++)
            for (int i = p.i0; i < p.i1; i++, packed++)
                CHECK(isfinite(*packed), STATUS_FAILED,
                      "no restart file is written: %s is %g at cell (%d, %d, %d), %g %g", field->name,
                      *packed, g->i_first + i, g->j_first + j, k, axes_x(&g->axes, g->i_first + i + 0.5),
                      axes_y(&g->axes, g->j_first + j + 0.5));
    return STATUS_OK;
}

static Status content_check(Content *c, const Layout *layout) {
    Status status = STATUS_OK;
    for (int n = 0; n < c->n_fields; n++) {
        double *packed = state_field_pack(layout, &c->fields[n], 0);
        Piece piece = layout_piece(layout, c->fields[n].place);
        if (n < c->n_own && status == STATUS_OK)
            status = check_field(layout->grid, &c->fields[n], piece, packed);
        c->checksums[n] = state_field_checksum(layout, &c->fields[n], packed);
        memory_free(packed);
    }
    for (int n = 0; n < c->n_numbers && status == STATUS_OK; n++)
        if (!isfinite(*c->numbers[n].value))
            status = error_raise(STATUS_FAILED, "no restart file is written: %s is %g", c->numbers[n].name,
                                 *c->numbers[n].value);
    TRY(status_agree(layout->grid->comm, status));
    MPI_Allreduce(MPI_IN_PLACE, c->checksums, c->n_fields, MPI_UINT64_T, MPI_SUM, layout->grid->comm);
    for (int n = 0; n < c->n_fields; n++) c->whole += restart_part(c->fields[n].name, c->checksums[n]);
    for (int n = 0; n < c->n_numbers; n++) {
        uint64_t bits;
        memcpy(&bits, c->numbers[n].value, sizeof bits);
        c->whole += restart_part(c->numbers[n].name, bits);
    }
    return STATUS_OK;
}

/* ---- writing ---- */

static void define_checksum(NcFile *file, int variable, const char *name, uint64_t checksum) {
    char text[17];
    snprintf(text, sizeof text, "%016" PRIx64, checksum);
    ncfile_text(file, variable, name, text);
}

static void define_content(NcFile *file, const Layout *layout, const Content *c) {
    for (int n = 0; n < c->n_fields; n++) {
        int id = state_field_define(file, layout, &c->fields[n]);
        define_checksum(file, id, "checksum", c->checksums[n]);
        bool own = n < c->n_own;
        ncfile_text(file, id, "long_name", own ? "part of the model state" : "held for an output");
        layout_attributes(file, layout, id, c->fields[n].place);
    }
    for (int n = 0; n < c->n_numbers; n++) ncfile_define(file, c->numbers[n].name, NC_DOUBLE, 0, NULL);
    define_checksum(file, NC_GLOBAL, "checksum", c->whole);
}

static void define_run(NcFile *file, const Scenario *scenario, const RunFacts *facts, const State *state) {
    double axes[RESTART_AXES];
    char date[32];
    restart_axes(&state->grid->axes, axes);
    ncfile_integer(file, NC_GLOBAL, "maeotis_restart", RESTART_FORMAT);
    ncfile_note(file, ncmpi_put_att_double(file->id, NC_GLOBAL, "axes", NC_DOUBLE, RESTART_AXES, axes),
                "axes");
    ncfile_note(file,
                ncmpi_put_att_double(file->id, NC_GLOBAL, "interfaces_m", NC_DOUBLE, state->grid->axes.nz + 1,
                                     state->grid->axes.interfaces),
                "interfaces_m");
    if (state->grid->axes.along_bed)
        ncfile_number(file, NC_GLOBAL, RESTART_THINNEST, state->grid->axes.thinnest);
    if (state->grid->axes.fixed > 0) ncfile_number(file, NC_GLOBAL, RESTART_FIXED, state->grid->axes.fixed);
    define_checksum(file, NC_GLOBAL, "ground_checksum", ground_checksum(state->grid));
    define_checksum(file, NC_GLOBAL, "digest", state_digest(state));
    calendar_format_since(state->start, state->time, date);
    ncfile_text(file, NC_GLOBAL, "date", date);
    ncfile_note(
        file, ncmpi_put_att_double(file->id, NC_GLOBAL, RESTART_BEGAN, NC_DOUBLE, 1, &scenario->time.dated_s),
        RESTART_BEGAN);
    char *effective = scenario_effective(scenario);
    ncfile_text(file, NC_GLOBAL, "restart_scenario", effective);
    memory_free(effective);
    ncfile_text(file, NC_GLOBAL, RESTART_CHAIN, facts->chain);
    if (facts->named) ncfile_integer(file, NC_GLOBAL, RESTART_NAMED, 1);
}

static Status write_content(NcFile *file, const Layout *layout, const Content *c) {
    int rank;
    MPI_Offset none = 0;
    MPI_Comm_rank(layout->grid->comm, &rank);
    for (int n = 0; rank == 0 && n < c->n_numbers; n++)
        ncfile_put(file, ncfile_find(file, c->numbers[n].name), &none, &none, MPI_DOUBLE,
                   c->numbers[n].value);
    TRY(ncfile_wait(file));
    file->reads_back = false; /* verify_content does, after the flush */
    /* One field at a time: a restart must not need twice the memory of the model. */
    for (int n = 0; n < c->n_fields; n++) {
        double *packed = state_field_pack(layout, &c->fields[n], 0);
        state_field_put(file, layout, &c->fields[n], packed);
        Status status = ncfile_wait(file);
        memory_free(packed);
        TRY(status);
    }
    return STATUS_OK;
}

/* Reads all of it back: only what stands in the file as it was in memory may take the place of an older file.
 */
static Status verify_content(NcFile *file, const Layout *layout, const Content *c) {
    for (int n = 0; n < c->n_fields; n++) {
        double *packed = state_field_get(file, layout, &c->fields[n]);
        uint64_t sum = state_field_checksum(layout, &c->fields[n], packed);
        memory_free(packed);
        MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, layout->grid->comm);
        if (sum != c->checksums[n])
            ncfile_note(file, NC_EWRITE, "the data in the restart file are not those that were written");
        TRY(ncfile_agree(file));
    }
    return STATUS_OK;
}

static Status write_file(const char *path, const Scenario *scenario, const RunFacts *facts,
                         const State *state, const Content *content) {
    NcFile file;
    Layout layout;
    const Title title = {.summary = "Restart file: all data that the next step of the run needs",
                         .from = state->time,
                         .until = state->time};
    Window window = window_whole(state->grid);
    Status status;
    ATTEMPT(ncfile_create(&file, state->grid->comm, path, CDF5));
    restart_define_seal(&file);
    layout_define(&file, &layout, state->grid, window, true, true);
    define_content(&file, &layout, content);
    define_run(&file, scenario, facts, state);
    attributes_define(&file, scenario, facts, &layout, &title);
    ATTEMPT(ncfile_end_define(&file));
    ATTEMPT(layout_write(&file, &layout));
    ATTEMPT(write_content(&file, &layout, content));
    ATTEMPT(ncfile_flush(&file));
    ATTEMPT(verify_content(&file, &layout, content));
    ATTEMPT(ncfile_close(&file));
cleanup:
    ncfile_abandon(&file);
    window_release(&window);
    return status;
}

Status restart_write(const Scenario *scenario, const RunFacts *facts, const State *state,
                     const Output *output, const StateNumber *numbers, int n_numbers, char path_out[512]) {
    MPI_Comm comm = state->grid->comm;
    int rank;
    MPI_Comm_rank(comm, &rank);
    char *path = path_of_restart(scenario->output_folder, state->start, state->time);
    char *temporary = memory_format("%s.part", path);
    Content content = {0};
    RunFacts *shared = NULL;
    Status status;
    Layout whole = layout_whole(state->grid);
    if (output) ATTEMPT(output_flush(output));
    ATTEMPT(status_agree(comm, rank == 0 ? path_make_folders(path) : STATUS_OK));
    content_collect(&content, state, output ? output_held(output) : NULL, numbers, n_numbers);
    ATTEMPT(content_check(&content, &whole));
    shared = facts_share(comm, facts);
    status = write_file(temporary, scenario, shared, state, &content);
    if (status == STATUS_OK) status = status_agree(comm, rank == 0 ? restart_seal(temporary) : STATUS_OK);
    if (status == STATUS_OK)
        status = status_agree(comm, rank == 0 ? restart_publish(temporary, path) : STATUS_OK);
    if (status != STATUS_OK && rank == 0) (void)unlink(temporary);
    if (status == STATUS_OK) snprintf(path_out, 512, "%s", path);
cleanup:
    facts_release(&shared);
    content_release(&content);
    memory_free(temporary);
    memory_free(path);
    return status;
}
