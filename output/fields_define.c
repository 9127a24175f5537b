/* SPDX-License-Identifier: Apache-2.0 */
#include "base/log.h"
#include "base/memory.h"
#include "output/fields.h"

#include <stddef.h>
#include <string.h>

const LedgerSeries ledger_series[N_LEDGER_SERIES] = {
    {"volume", "m3", "volume of the water in the grid", offsetof(LedgerRow, volume_m3), false},
    {"volume_from_sources", "m3", "volume that rivers brought since the start",
     offsetof(LedgerRow, sources_m3), false},
    {"volume_from_air", "m3", "volume of rain less evaporation since the start", offsetof(LedgerRow, air_m3),
     false},
    {"volume_from_boundaries", "m3", "volume that came in through open boundaries since the start",
     offsetof(LedgerRow, boundaries_m3), false},
    {"volume_error", "m3", "volume less the initial one, sources, air and boundaries",
     offsetof(LedgerRow, error_m3), false},
    {"surface_iterations", "1", "iterations of the surface solver in the last step",
     offsetof(LedgerRow, surface_iterations), true},
    {"surface_residual", "1", "relative residual of the surface solver in the last step",
     offsetof(LedgerRow, surface_residual), false},
    {"u_iterations", "1", "iterations of the solver of u in the last step, 0: explicit",
     offsetof(LedgerRow, momentum_iterations[0]), true},
    {"v_iterations", "1", "iterations of the solver of v in the last step, 0: explicit",
     offsetof(LedgerRow, momentum_iterations[1]), true},
    {"u_residual", "1", "relative residual of the solver of u in the last step",
     offsetof(LedgerRow, momentum_residual[0]), false},
    {"v_residual", "1", "relative residual of the solver of v in the last step",
     offsetof(LedgerRow, momentum_residual[1]), false},
};

Status fields_choose(FieldsFile *f, const Making *making) {
    const ScenarioOutput *entry = making->entry;
    f->shown = ALLOCATE(entry->n_names, Shown);
    for (int n = 0; n < entry->n_names; n++) {
        Shown *s = &f->shown[f->n_shown++];
        s->is = &s->variable;
        CHECK(output_variable_find(entry->names[n], entry->velocities == VELOCITIES_CENTRES, making->state,
                                   &s->variable),
              STATUS_BAD_INPUT, "%s: \"%s\" is requested, but the scenario has none", entry->place,
              entry->names[n]);
    }
    return STATUS_OK;
}

static void define_variable(FieldsFile *f, const OutputVariable *is, int time) {
    NcFile *file = &f->file;
    int dims[4], n_dims = layout_dims(&f->layout, is->place, is->three_d, time, dims);
    int id = ncfile_define(file, is->name, NC_FLOAT, n_dims, dims);
    bool plane = !f->layout.grid->spherical && is->standard_name_cartesian;
    ncfile_text(file, id, "units", is->units);
    ncfile_text(file, id, "long_name", is->long_name);
    ncfile_text(file, id, "standard_name", plane ? is->standard_name_cartesian : is->standard_name);
    ncfile_fill(file, id, NC_FLOAT);
    layout_attributes(file, &f->layout, id, is->place);
    ncfile_text(file, id, "cell_methods", f->mean ? "time: mean" : "time: point");
    if (f->mean && !is->always) {
        char *comment = memory_format("mean over the time when there was water%s%s", is->comment ? "; " : "",
                                      is->comment ? is->comment : "");
        ncfile_text(file, id, "comment", comment);
        memory_free(comment);
    } else
        ncfile_text(file, id, "comment", is->comment);
}

const LedgerSeries tracer_series[N_TRACER_SERIES] = {
    {"content", NULL, "volume times value, over the grid, of", offsetof(TracerAccount, content), false},
    {"error", NULL,
     "content, the bed's included, less the initial one, sources, air, boundaries and reactions, of",
     offsetof(TracerAccount, error), false},
};

static void define_tracer_ledger(NcFile *file, const Tracer *tracer, int time) {
    for (int n = 0; n < N_TRACER_SERIES; n++) {
        char *name = memory_format("%s_%s", tracer->name, tracer_series[n].name);
        char *units =
            strcmp(tracer->units, "1") == 0 ? memory_copy_text("m3") : memory_format("%s m3", tracer->units);
        char *words = memory_format("%s %s", tracer_series[n].long_name, tracer->name);
        int id = ncfile_define(file, name, NC_DOUBLE, 1, &time);
        ncfile_text(file, id, "units", units);
        ncfile_text(file, id, "long_name", words);
        ncfile_text(file, id, "coverage_content_type", "qualityInformation");
        memory_free(name), memory_free(units), memory_free(words);
    }
}

static void define_ledger(NcFile *file, const State *state, int time) {
    for (int n = 0; n < N_LEDGER_SERIES; n++) {
        int id =
            ncfile_define(file, ledger_series[n].name, ledger_series[n].whole ? NC_INT : NC_DOUBLE, 1, &time);
        ncfile_text(file, id, "units", ledger_series[n].units);
        ncfile_text(file, id, "long_name", ledger_series[n].long_name);
        ncfile_text(file, id, "coverage_content_type", "qualityInformation");
    }
    for (int n = 0; n < state->n_tracers; n++) define_tracer_ledger(file, &state->tracer[n], time);
    int dims[2] = {time, ncfile_dimension(file, "digest_length", 16)};
    int id = ncfile_define(file, "digest", NC_CHAR, 2, dims);
    ncfile_text(file, id, "long_name",
                "digest of u, v, depth and tracers in all cells, the same for any number of ranks");
}

Status fields_define(FieldsFile *f, const Making *making) {
    bool three_d = false, faces = false;
    for (int n = 0; n < f->n_shown; n++) {
        three_d |= f->shown[n].is->three_d;
        faces |= f->shown[n].is->place != 'c';
    }
    Title title = {f->mean ? "Fields of a numerical simulation of a shallow sea: means over intervals"
                           : "Fields of a numerical simulation of a shallow sea",
                   NULL, f->schedule.every, NULL};
    NcFile *file = &f->file;
    const Grid *grid = making->state->grid;
    const int format = layout_format(making->entry->format, &f->window, three_d);
    if (making->entry->format == FORMAT_AUTO && format == CDF5)
        log_info(
            "\"%s\" is in the format CDF-5: a variable has 4 GiB or more in a record, which is beyond CDF-2",
            making->path);
    TRY(ncfile_create(file, grid->comm, making->path, format));
    int time = ncfile_dimension(file, "time", NC_UNLIMITED);
    layout_define(file, &f->layout, grid, f->window, three_d, faces);
    time_define(file, f->start, time, f->mean ? f->layout.bounds : -1);
    layout_define_static(file, &f->layout);
    for (int n = 0; n < f->n_shown; n++) define_variable(f, f->shown[n].is, time);
    define_ledger(file, making->state, time);
    attributes_define(file, making->scenario, making->facts, &f->layout, &title);
    TRY(ncfile_end_define(file));
    return layout_write(file, &f->layout);
}

/* A file of an earlier run is continued only if it holds just what this run would write. */
static bool fits(FieldsFile *f, const OutputVariable *is) {
    int id, expected = is->three_d ? 4 : 3;
    MPI_Offset length[4] = {0};
    const Window *w = &f->window;
    if (ncmpi_inq_varid(f->file.id, is->name, &id) != NC_NOERR) return false;
    if (ncfile_lengths(&f->file, id, 4, length) != expected) return false;
    if (is->three_d && length[1] != w->n_levels) return false;
    return length[expected - 1] == w->i1 - w->i0 + (is->place == 'u') &&
           length[expected - 2] == w->j1 - w->j0 + (is->place == 'v');
}

static Status check_variables(FieldsFile *f, const Making *making) {
    for (int n = 0; n < f->n_shown; n++)
        CHECK(
            fits(f, f->shown[n].is), STATUS_BAD_INPUT,
            "\"%s\" cannot be continued: its \"%s\" is missing or of another size (was the output changed?); "
            "move the file away or name another one",
            making->path, f->shown[n].is->name);
    return STATUS_OK;
}

Status fields_reopen(FieldsFile *f, const Making *making) {
    const Grid *grid = making->state->grid;
    f->layout = (Layout){.grid = grid, .window = f->window};
    TRY(ncfile_open(&f->file, grid->comm, making->path, true));
    return status_agree(grid->comm, check_variables(f, making));
}
