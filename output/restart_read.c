/* SPDX-License-Identifier: Apache-2.0 */
#include "base/log.h"
#include "base/memory.h"
#include "base/netcdf_in.h"
#include "output/restart.h"

#include <inttypes.h>
#include <netcdf.h>
#include <stdlib.h>
#include <string.h>

/* of a file and a name */
#define HOLDS_NO                                                                                             \
    "\"%s\" contains no %s: the run that wrote it had none, or used another version of this program; leave " \
    "out the setting that needs it, or start a new run"

void restart_axes(const Axes *axes, double out[RESTART_AXES]) {
    const double all[RESTART_AXES] = {axes->spherical, axes->periodic_x, axes->periodic_y,
                                      axes->nx,        axes->ny,         axes->west,
                                      axes->south,     axes->step_x,     axes->step_y};
    memcpy(out, all, sizeof all);
}

/* A global attribute or one of a variable as text, to be freed; NULL if there is none. */
static char *text_of(NcFile *file, int variable, const char *name) {
    MPI_Offset length = 0;
    if (ncmpi_inq_attlen(file->id, variable, name, &length) != NC_NOERR) return NULL;
    char *text = ALLOCATE(length + 1, char);
    if (ncmpi_get_att_text(file->id, variable, name, text) == NC_NOERR) return text;
    memory_free(text);
    return NULL;
}

static bool checksum_of(NcFile *file, int variable, const char *name, uint64_t *checksum) {
    char *text = text_of(file, variable, name), *end = NULL;
    bool good = text && strlen(text) == 16;
    *checksum = good ? strtoull(text, &end, 16) : 0;
    good = good && *end == '\0';
    memory_free(text);
    return good;
}

/* ---- does it fit? ---- */

static Status check_axes(NcFile *file, const Grid *grid) {
    static const char *const names[RESTART_AXES] = {
        "spherical",     "periodic_x",     "periodic_y",    "nx", "ny", "western edge",
        "southern edge", "cell size in x", "cell size in y"};
    double now[RESTART_AXES], then[RESTART_AXES] = {0};
    restart_axes(&grid->axes, now);
    MPI_Offset length = 0, levels = 0;
    bool there = ncmpi_inq_attlen(file->id, NC_GLOBAL, "axes", &length) == NC_NOERR &&
                 length == RESTART_AXES &&
                 ncmpi_get_att_double(file->id, NC_GLOBAL, "axes", then) == NC_NOERR &&
                 ncmpi_inq_attlen(file->id, NC_GLOBAL, "interfaces_m", &levels) == NC_NOERR;
    CHECK(there, STATUS_BAD_INPUT, "\"%s\" does not describe its grid; the file is damaged", file->path);
    for (int n = 0; n < RESTART_AXES; n++)
        CHECK(then[n] == now[n], STATUS_BAD_INPUT,
              "\"%s\" belongs to another grid: %s was %.12g and is now %.12g", file->path, names[n], then[n],
              now[n]);
    CHECK(levels == grid->axes.nz + 1, STATUS_BAD_INPUT,
          "\"%s\" belongs to another grid: it had %d levels and now has %d", file->path, (int)levels - 1,
          grid->axes.nz);
    double *interfaces = ALLOCATE(levels, double);
    bool same = ncmpi_get_att_double(file->id, NC_GLOBAL, "interfaces_m", interfaces) == NC_NOERR;
    for (int k = 0; k <= grid->axes.nz; k++) same = same && interfaces[k] == grid->axes.interfaces[k];
    memory_free(interfaces);
    double thinnest = -1, fixed = 0; /* of layers at fixed heights */
    (void)ncmpi_get_att_double(file->id, NC_GLOBAL, RESTART_THINNEST, &thinnest);
    (void)ncmpi_get_att_double(file->id, NC_GLOBAL, RESTART_FIXED, &fixed);
    same = same && thinnest == (grid->axes.along_bed ? grid->axes.thinnest : -1) && fixed == grid->axes.fixed;
    CHECK(same, STATUS_BAD_INPUT, "\"%s\" belongs to another grid: its levels were different", file->path);
    return STATUS_OK;
}

static Status check_ground(NcFile *file, uint64_t now) {
    uint64_t then;
    CHECK(checksum_of(file, NC_GLOBAL, "ground_checksum", &then), STATUS_BAD_INPUT,
          "\"%s\" does not describe its bathymetry; the file is damaged", file->path);
    CHECK(then == now, STATUS_BAD_INPUT,
          "\"%s\" belongs to another bathymetry: bed, coast or straits have changed since it was written",
          file->path);
    return STATUS_OK;
}

void restart_complete_scenario(char **text, const char *path) {
    Scenario *then = NULL;
    if (*text && scenario_parse(path, *text, NULL, 0, &then) == STATUS_OK) {
        memory_free(*text);
        *text = scenario_effective(then);
        scenario_destroy(&then);
    } else
        error_clear(); /* a key that is gone: the comparison will name it */
}

static Status check_scenario(NcFile *file, const Scenario *scenario, bool force) {
    char *then = text_of(file, NC_GLOBAL, "restart_scenario"), *now = scenario_effective(scenario);
    restart_complete_scenario(&then, scenario->path);
    Status status = restart_compare_scenarios(file->path, then ? then : "", now, force);
    memory_free(then);
    memory_free(now);
    return status;
}

static Status check_kind(NcFile *file) {
    int format = 0;
    bool good = ncmpi_get_att_int(file->id, NC_GLOBAL, "maeotis_restart", &format) == NC_NOERR;
    CHECK(good, STATUS_BAD_INPUT, "\"%s\" is not a restart file of this program", file->path);
    CHECK(format == RESTART_FORMAT, STATUS_BAD_INPUT,
          "\"%s\" is a restart file of format %d; this program reads format %d", file->path, format,
          RESTART_FORMAT);
    return STATUS_OK;
}

/* What is not there, no NetCDF or cut off, in the words of the reader of users' files. Local. */
static Status check_file(const char *path) {
    NetcdfFile *file = NULL;
    int kind = 0;
    TRY(netcdf_open(path, &file));
    bool known = nc_inq_format(netcdf_id(file), &kind) == NC_NOERR;
    netcdf_close(&file);
    CHECK(known && kind == NC_FORMAT_CDF5, STATUS_BAD_INPUT, "\"%s\" is not a restart file of this program",
          path);
    return STATUS_OK;
}

/* Opens it and refuses what is no restart file. Collective. */
static Status open_restart(NcFile *file, const char *path, const Grid *grid) {
    int rank;
    MPI_Comm_rank(grid->comm, &rank);
    memset(file, 0, sizeof *file);
    TRY(status_agree(grid->comm, rank == 0 ? check_file(path) : STATUS_OK));
    if (ncfile_open(file, grid->comm, path, false) != STATUS_OK) return STATUS_BAD_INPUT;
    TRY(status_agree(grid->comm, check_kind(file)));
    return status_agree(grid->comm, rank == 0 ? restart_check_seal(path) : STATUS_OK);
}

/* ---- numbers ---- */

static bool read_number(NcFile *file, int variable, double *value) {
    MPI_Offset none = 0;
    int n_dims = -1;
    if (ncmpi_inq_varndims(file->id, variable, &n_dims) != NC_NOERR || n_dims != 0) return false;
    return ncmpi_get_vara_double_all(file->id, variable, &none, &none, value) == NC_NOERR;
}

/* The sum over what the file says its variables hold has to be what it says of itself. */
static Status check_whole(NcFile *file) {
    int n_variables = 0;
    uint64_t sum = 0, told, one;
    ncfile_note(file, ncmpi_inq_nvars(file->id, &n_variables), "cannot count the variables");
    for (int v = 0; v < n_variables; v++) {
        char name[NC_MAX_NAME + 1] = "";
        int n_dims = -1;
        nc_type type = NC_CHAR;
        double value = 0;
        ncfile_note(file, ncmpi_inq_var(file->id, v, name, &type, &n_dims, NULL, NULL),
                    "cannot look up a variable");
        bool single = n_dims == 0 && type == NC_DOUBLE && read_number(file, v, &value);
        memcpy(&one, &value, sizeof one);
        if (single || checksum_of(file, v, "checksum", &one)) sum += restart_part(name, one);
    }
    CHECK(checksum_of(file, NC_GLOBAL, "checksum", &told) && told == sum, STATUS_BAD_INPUT,
          "\"%s\" is damaged: its checksum does not match", file->path);
    return STATUS_OK;
}

static Status read_numbers(NcFile *file, const StateNumber *numbers, int n_numbers) {
    for (int n = 0; n < n_numbers; n++) {
        int id;
        bool good = ncmpi_inq_varid(file->id, numbers[n].name, &id) == NC_NOERR;
        if (!good && numbers[n].may_lack) continue;
        CHECK(good && read_number(file, id, numbers[n].value), STATUS_BAD_INPUT, HOLDS_NO, file->path,
              numbers[n].name);
    }
    return STATUS_OK;
}

/* ---- fields ---- */

static Status read_field(NcFile *file, const Layout *layout, const StateField *field) {
    int id;
    uint64_t told = 0;
    bool there = ncmpi_inq_varid(file->id, field->name, &id) == NC_NOERR &&
                 state_field_fits(file, layout, field, id) && checksum_of(file, id, "checksum", &told);
    CHECK(there, STATUS_BAD_INPUT, HOLDS_NO, file->path, field->name);
    double *packed = state_field_get(file, layout, field);
    uint64_t sum = state_field_checksum(layout, field, packed);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, layout->grid->comm);
    if (sum == told) state_field_unpack(layout, field, packed);
    memory_free(packed);
    CHECK(sum == told, STATUS_BAD_INPUT,
          "\"%s\" is damaged or was cut off: %s differs from what was written; use an earlier restart file",
          file->path, field->name);
    return STATUS_OK;
}

static Status read_state(NcFile *file, const Scenario *scenario, bool force, State *state,
                         const StateNumber *numbers, int n_numbers) {
    const Grid *grid = state->grid;
    Layout layout = layout_whole(grid);
    double elapsed = 0, step = 0;
    const StateNumber own[] = {{"elapsed", &elapsed}, {"step", &step}};
    uint64_t ground = ground_checksum(grid);
    TRY(status_agree(grid->comm, check_axes(file, grid)));
    TRY(status_agree(grid->comm, check_ground(file, ground)));
    TRY(status_agree(grid->comm, check_scenario(file, scenario, force)));
    TRY(status_agree(grid->comm, check_whole(file)));
    TRY(status_agree(grid->comm, read_numbers(file, own, 2)));
    TRY(status_agree(grid->comm, read_numbers(file, numbers, n_numbers)));
    StateField *fields = ALLOCATE(state_field_count(state), StateField);
    Status status = STATUS_OK;
    state_fields(state, fields);
    for (int n = 0; n < state_field_count(state) && status == STATUS_OK; n++)
        status = status_agree(grid->comm, read_field(file, &layout, &fields[n]));
    memory_free(fields);
    TRY(status);
    state->time = elapsed;
    state->step = (int64_t)step;
    return STATUS_OK;
}

Status restart_read(const char *path, const Scenario *scenario, bool force, State *state,
                    const StateNumber *numbers, int n_numbers) {
    NcFile file;
    Status status;
    ATTEMPT(open_restart(&file, path, state->grid));
    ATTEMPT(read_state(&file, scenario, force, state, numbers, n_numbers));
    ATTEMPT(ncfile_close(&file));
cleanup:
    ncfile_abandon(&file);
    return status;
}

static bool holds(NcFile *file, const char *name) {
    int id;
    return ncmpi_inq_varid(file->id, name, &id) == NC_NOERR;
}

static Status read_held(NcFile *file, const Held *held, const Grid *grid) {
    Layout layout = layout_whole(grid);
    for (int n = 0; n < held->n_numbers; n++) {
        if (holds(file, held->numbers[n].name))
            TRY(status_agree(grid->comm, read_numbers(file, &held->numbers[n], 1)));
        else
            log_warn("the restart file contains no %s (is the output new?): it starts at the restart",
                     held->numbers[n].name);
    }
    for (int n = 0; n < held->n_fields; n++)
        if (holds(file, held->fields[n].name))
            TRY(status_agree(grid->comm, read_field(file, &layout, &held->fields[n])));
    return STATUS_OK;
}

Status restart_read_output(const char *path, Output *output, const State *state, bool begins) {
    NcFile file;
    Status status;
    ATTEMPT(open_restart(&file, path, state->grid));
    ATTEMPT(read_held(&file, output_held(output), state->grid));
    output_resume(output, state, begins);
    ATTEMPT(ncfile_close(&file));
cleanup:
    ncfile_abandon(&file);
    return status;
}
