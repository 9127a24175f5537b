/* SPDX-License-Identifier: Apache-2.0 */
#include "base/log.h"
#include "base/memory.h"
#include "output/fields.h"

#include <stddef.h>
#include <string.h>

const LedgerSeries ledger_series[N_LEDGER_SERIES] = {
    {"volume", "m3", "volume of the water in the grid", offsetof(LedgerRow, volume_m3), false},
    {"volume_from_sources", "m3", "volume from rivers since the start", offsetof(LedgerRow, sources_m3),
     false},
    {"volume_from_air", "m3", "volume of rain less evaporation since the start", offsetof(LedgerRow, air_m3),
     false},
    {"volume_from_boundaries", "m3", "volume through open boundaries since the start, positive inwards",
     offsetof(LedgerRow, boundaries_m3), false},
    {"volume_error", "m3", "volume less the initial one, sources, air and boundaries, with what was lost",
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
    {"volume_intercepted", "m3", "volume of rain that leaves, roofs and hollows have kept since the start",
     offsetof(LedgerRow, lost_m3[LOSS_INTERCEPTED]), false},
    {"volume_infiltrated", "m3", "volume that the ground has taken since the start",
     offsetof(LedgerRow, lost_m3[LOSS_INFILTRATED]), false},
    {"volume_drained", "m3", "volume that drains have taken since the start",
     offsetof(LedgerRow, lost_m3[LOSS_DRAINED]), false},
};

int fields_ledger_series(const FieldsFile *f) {
    return N_LEDGER_SERIES - (f->state->infiltrated ? 0 : N_GROUND_SERIES);
}

/* One more, of a file's variables. */
static Status show(FieldsFile *f, const Making *making, const char *name, bool *layered, bool *share) {
    const ScenarioOutput *entry = making->entry;
    Shown *s = &f->shown[f->n_shown++];
    s->is = &s->variable;
    TRY(output_variable_need(entry, name, entry->velocities == VELOCITIES_CENTRES, making->state,
                             &s->variable));
    *layered = *layered || s->variable.three_d;
    *share = *share || s->variable.id == VARIABLE_LAYER_SHARE;
    return STATUS_OK;
}

/* Where layers move, nobody knows heights without their shares. */
Status fields_choose(FieldsFile *f, const Making *making) {
    const ScenarioOutput *entry = making->entry;
    bool layered = false, share = false;
    f->shown = ALLOCATE(entry->n_names + 1, Shown);
    for (int n = 0; n < entry->n_names; n++) TRY(show(f, making, entry->names[n], &layered, &share));
    if (making->state->layer_share && layered && !share)
        TRY(show(f, making, "layer_share", &layered, &share));
    return STATUS_OK;
}

static void define_variable(FieldsFile *f, const OutputVariable *is, int time) {
    NcFile *file = &f->file;
    int dims[4], n_dims = layout_dims(&f->layout, is->place, is->three_d, time, dims);
    int id = ncfile_define(file, is->name, NC_FLOAT, n_dims, dims);
    bool plane = !axes_on_earth(&f->layout.grid->axes) && is->standard_name_cartesian;
    ncfile_text(file, id, "units", is->units);
    ncfile_text(file, id, "long_name", is->long_name);
    ncfile_text(file, id, "standard_name", plane ? is->standard_name_cartesian : is->standard_name);
    ncfile_fill(file, id, NC_FLOAT);
    layout_attributes(file, &f->layout, id, is->place);
    if (is->three_d && is->place == 'c' && layout_has_sigma(&f->layout))
        ncfile_text(file, id, "coordinates", f->layout.grid->axes.map ? "lat lon sigma" : "sigma");
    ncfile_text(file, id, "cell_methods", f->mean ? "time: mean" : "time: point");
    if (f->mean && !is->always) {
        char *comment = memory_format("mean over the time when there was water%s%s", is->comment ? "; " : "",
                                      is->comment ? is->comment : "");
        ncfile_text(file, id, "comment", comment);
        memory_free(comment);
    } else
        ncfile_text(file, id, "comment", is->comment);
}

const LedgerSeries tracer_series[N_BUDGET_SERIES] = {
    {"content", NULL, "volume times value, over the grid, of", offsetof(TracerAccount, content), false},
    {"error", NULL,
     "content, including the bed's and less the latent heat of ice, minus the initial content, sources, air, "
     "boundaries and reactions, of",
     offsetof(TracerAccount, error), false},
    {"from_sources", NULL, "gain since the start from rivers, nudging, ageing and decay, of",
     offsetof(TracerAccount, sources), false},
    {"from_air", NULL, "gain since the start from the air, of", offsetof(TracerAccount, air), false},
    {"from_boundaries", NULL, "gain since the start through open boundaries, of",
     offsetof(TracerAccount, boundaries), false},
    {"from_reactions", NULL, "gain since the start by reactions, of", offsetof(TracerAccount, reactions),
     false},
};

int fields_tracer_series(const FieldsFile *f) {
    return f->budgets ? N_BUDGET_SERIES : N_TRACER_SERIES;
}

const LedgerSeries event_series[N_EVENT_SERIES] = {
    {"area", "m2", "area of the sea with", offsetof(EventSize, area_m2), false},
    {"volume", "m3", "volume of the water with", offsetof(EventSize, volume_m3), false},
};

static char *units_of_content(const char *units) {
    return strcmp(units, "1") == 0 ? memory_copy_text("m3") : memory_format("%s m3", units);
}

static void define_tracer_ledger(FieldsFile *f, const Tracer *tracer, int time) {
    NcFile *file = &f->file;
    for (int n = 0; n < fields_tracer_series(f); n++) {
        char *name = memory_format("%s_%s", tracer->name, tracer_series[n].name);
        char *units = units_of_content(tracer->units);
        char *words = memory_format("%s %s", tracer_series[n].long_name, tracer->name);
        int id = ncfile_define(file, name, NC_DOUBLE, 1, &time);
        ncfile_text(file, id, "units", units);
        ncfile_text(file, id, "long_name", words);
        ncfile_text(file, id, "coverage_content_type", "qualityInformation");
        memory_free(name), memory_free(units), memory_free(words);
    }
}

static void define_events(NcFile *file, const State *state, int time) {
    for (int e = 0; e < state->n_events; e++)
        for (int n = 0; n < N_EVENT_SERIES; n++) {
            const StateEvent *event = &state->event[e];
            char *name = memory_format("%s_%s", event->name, event_series[n].name);
            char *words = memory_format("%s %s%s%s", event_series[n].long_name, event->condition,
                                        n == 0 ? " " : "", n == 0 ? event->where : "");
            int id = ncfile_define(file, name, NC_DOUBLE, 1, &time);
            ncfile_text(file, id, "units", event_series[n].units);
            ncfile_text(file, id, "long_name", words);
            memory_free(name), memory_free(words);
        }
}

/* The longest name of a process that a module may have, and an end. */
enum { PROCESS_NAME_LENGTH = 41 };

static void define_processes(FieldsFile *f, int time) {
    const MaeotisKinetics *m = f->budgets;
    NcFile *file = &f->file;
    if (!m || m->n_processes == 0) return;
    const int process = ncfile_dimension(file, "process", m->n_processes);
    const int names[2] = {process, ncfile_dimension(file, "process_name_length", PROCESS_NAME_LENGTH)};
    const int dims[2] = {time, process};
    const int id = ncfile_define(file, "process_name", NC_CHAR, 2, names);
    ncfile_text(file, id, "long_name", "process of the kinetics module");
    for (int v = 0; v < m->n_variables; v++) {
        char *name = memory_format("%s_by_process", m->variables[v].name);
        char *units = units_of_content(m->variables[v].units);
        char *words = memory_format("gain since the start by each process, including those of the bed, of %s",
                                    m->variables[v].name);
        const int gain = ncfile_define(file, name, NC_DOUBLE, 2, dims);
        ncfile_text(file, gain, "units", units);
        ncfile_text(file, gain, "long_name", words);
        ncfile_text(file, gain, "coordinates", "process_name");
        memory_free(name), memory_free(units), memory_free(words);
    }
}

/* On rank 0; the names are no part of the records. */
static void write_process_names(FieldsFile *f) {
    const MaeotisKinetics *m = f->budgets;
    int rank;
    MPI_Comm_rank(f->layout.grid->comm, &rank);
    if (!m || m->n_processes == 0 || rank != 0) return;
    const MPI_Offset start[2] = {0, 0}, count[2] = {m->n_processes, PROCESS_NAME_LENGTH};
    f->process_names = ALLOCATE(m->n_processes * PROCESS_NAME_LENGTH, char);
    for (int p = 0; p < m->n_processes; p++)
        snprintf(f->process_names + p * PROCESS_NAME_LENGTH, PROCESS_NAME_LENGTH, "%s", m->processes[p].name);
    ncfile_put(&f->file, ncfile_find(&f->file, "process_name"), start, count, MPI_CHAR, f->process_names);
}

static void define_ledger(FieldsFile *f, const State *state, int time) {
    NcFile *file = &f->file;
    for (int n = 0; n < fields_ledger_series(f); n++) {
        int id =
            ncfile_define(file, ledger_series[n].name, ledger_series[n].whole ? NC_INT : NC_DOUBLE, 1, &time);
        ncfile_text(file, id, "units", ledger_series[n].units);
        ncfile_text(file, id, "long_name", ledger_series[n].long_name);
        ncfile_text(file, id, "coverage_content_type", "qualityInformation");
    }
    for (int n = 0; n < state->n_tracers; n++) define_tracer_ledger(f, &state->tracer[n], time);
    define_events(file, state, time);
    define_processes(f, time);
    fields_define_structures(f, time);
    static const char *const halves[] = {"digest_high", "digest_low"};
    for (int n = 0; n < 2; n++) { /* as numbers: CDO warns of text in every call */
        int id = ncfile_define(file, halves[n], NC_DOUBLE, 1, &time);
        ncfile_text(file, id, "units", "1");
        ncfile_text(file, id, "long_name",
                    n == 0 ? "upper 32 bits of the digest of u, v, depth and tracers in all cells, the same "
                             "for any number of processes"
                           : "lower 32 bits of the same digest");
        ncfile_text(file, id, "coverage_content_type", "qualityInformation");
    }
}

static bool shows_level(const FieldsFile *f) {
    for (int n = 0; n < f->n_shown; n++)
        if (strcmp(f->shown[n].is->name, "eta") == 0) return true;
    return false;
}

Status fields_define(FieldsFile *f, const Making *making) {
    bool three_d = false, faces = false;
    for (int n = 0; n < f->n_shown; n++) {
        three_d |= f->shown[n].is->three_d;
        faces |= f->shown[n].is->place != 'c';
    }
    const Title title = {
        .summary = f->mean ? "Fields of a numerical simulation of a shallow sea: means over intervals"
                           : "Fields of a numerical simulation of a shallow sea",
        .interval_s = f->schedule.every,
        .from = f->mean ? f->from : f->schedule.next,
        .until = making_until(making),
        .part_of = making_part_of(making)};
    NcFile *file = &f->file;
    const Grid *grid = making->state->grid;
    const int format = layout_format(making->entry->format, &f->window, three_d);
    if (making->entry->format == FORMAT_AUTO && format == CDF5 && !making->follows)
        log_info("\"%s\" is written as CDF-5: a variable has 4 GiB or more in a record, which exceeds the "
                 "limit of CDF-2",
                 making->path);
    TRY(ncfile_create(file, grid->comm, making->path, format));
    int time = ncfile_dimension(file, "time", NC_UNLIMITED);
    layout_define(file, &f->layout, grid, f->window, three_d, faces);
    time_define(file, f->start, time, f->mean ? f->layout.bounds : -1);
    layout_define_static(file, &f->layout);
    for (int n = 0; n < f->n_shown; n++) define_variable(f, f->shown[n].is, time);
    layout_define_heights(file, &f->layout, shows_level(f));
    define_ledger(f, making->state, time);
    attributes_define(file, making->scenario, making->facts, &f->layout, &title);
    TRY(ncfile_end_define(file));
    write_process_names(f);
    fields_name_structures(f);
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
        CHECK(fits(f, f->shown[n].is), STATUS_BAD_INPUT,
              "\"%s\" cannot be continued: its \"%s\" is missing or of another size (was the output "
              "changed?); move the file or name another one",
              making->path, f->shown[n].is->name);
    return STATUS_OK;
}

Status fields_reopen(FieldsFile *f, const Making *making) {
    const Grid *grid = making->state->grid;
    f->layout = (Layout){.grid = grid, .window = f->window};
    TRY(ncfile_open(&f->file, grid->comm, making->path, true));
    return status_agree(grid->comm, check_variables(f, making));
}
