/* SPDX-License-Identifier: Apache-2.0
 *
 * How much a run will write, and whether the disk has room for it.
 */
#include "base/file.h"
#include "base/memory.h"
#include "model/structures/structures.h"
#include "output/layout.h"
#include "output/output.h"
#include "output/variables.h"
#include <math.h>
#include <sys/statvfs.h>

static Status check_stations(const ScenarioOutput *entry, const Grid *grid) {
    for (int n = 0; n < entry->n_stations; n++) {
        const ScenarioStation *station = &entry->stations[n];
        GridPlace place;
        TRY(grid_locate(grid, station->x, station->y, &place));
        CHECK(!place.far, STATUS_BAD_INPUT,
              "%s: station \"%s\" is %.1f km from the nearest wet cell, more than a few cells: check its "
              "position",
              entry->place, station->name, place.distance_m / 1e3);
    }
    return STATUS_OK;
}

Status output_check(const Scenario *scenario, const State *state) {
    const Grid *grid = state->grid;
    for (int n = 0; n < scenario->n_outputs; n++) {
        const ScenarioOutput *entry = &scenario->outputs[n];
        OutputVariable is;
        Window window;
        const bool of_variables = entry->kind == OUTPUT_FIELDS || entry->kind == OUTPUT_STATIONS;
        for (int v = 0; of_variables && v < entry->n_names; v++)
            TRY(output_variable_need(entry, entry->names[v], true, state, &is));
        TRY(window_create(grid, entry->has_box ? entry->box : NULL, entry->levels, entry->n_levels,
                          entry->place, &window));
        window_release(&window);
        TRY(check_stations(entry, grid));
    }
    return STATUS_OK;
}

/* float32 of the box. */
static double record_bytes(const ScenarioOutput *entry, const Grid *grid) {
    double bytes = 0;
    Window window;
    if (window_create(grid, entry->has_box ? entry->box : NULL, entry->levels, entry->n_levels, entry->place,
                      &window) != STATUS_OK)
        return 0;
    for (int v = 0; v < entry->n_names; v++) {
        const OutputVariable *is = output_variable(entry->names[v], false);
        int levels = !is || is->three_d ? window.n_levels : 1; /* no row of the table: a tracer */
        bytes += 4.0 * (window.i1 - window.i0) * (window.j1 - window.j0) * levels;
    }
    window_release(&window);
    return bytes;
}

/* What a file of maps holds once, beside its records: the ground, its cells and layers; maps of the whole run. */
static double still_bytes(const ScenarioOutput *entry, const Grid *grid) {
    Window window;
    if (entry->kind == OUTPUT_STATIONS ||
        window_create(grid, entry->has_box ? entry->box : NULL, entry->levels, entry->n_levels, entry->place,
                      &window) != STATUS_OK)
        return 0;
    const double map = 4.0 * (window.i1 - window.i0) * (window.j1 - window.j0);
    double maps = entry->kind == OUTPUT_EXTREMES ? 6 + entry->n_names
                                                 : 6; /* bed, mask, wet_fraction, cell_area, dx, dy */
    bool three_d = false;
    for (int v = 0; entry->kind == OUTPUT_FIELDS && v < entry->n_names; v++) {
        const OutputVariable *is = output_variable(entry->names[v], false);
        three_d |= !is || is->three_d;
    }
    if (three_d) maps += window.n_levels;
    window_release(&window);
    return maps * map;
}

/* One time of all stations: without names eta, u and v; with layers their heights, too. */
static double sample_bytes(const ScenarioOutput *entry, const Grid *grid) {
    int values = entry->n_names > 0 ? 0 : 1 + 2 * grid->n3;
    bool layers = entry->n_names == 0;
    for (int v = 0; v < entry->n_names; v++) {
        const OutputVariable *is = output_variable(entry->names[v], true);
        const bool three_d = !is || is->three_d; /* no row of the table: a tracer */
        values += three_d ? grid->n3 : 1;
        layers |= three_d;
    }
    return 8.0 + 4.0 * entry->n_stations * (values + (layers ? grid->n3 : 0));
}

/* Files of an output in so many seconds from where the run begins. */
static int count_files(const Scenario *scenario, const ScenarioOutput *entry, double seconds) {
    double time = scenario->time.from_s;
    const double end = time + seconds;
    int files = 0;
    do {
        files++;
        time = output_part_end(entry, scenario->time.start, time);
    } while (time < end);
    return files;
}

enum { HEADER = 30000 }; /* the scenario, twice, and attributes [bytes] */

double output_bytes(const Scenario *scenario, const Grid *grid, double seconds) {
    double bytes = 0;
    for (int n = 0; n < scenario->n_outputs; n++) {
        const ScenarioOutput *entry = &scenario->outputs[n];
        bytes += count_files(scenario, entry, seconds) * (HEADER + still_bytes(entry, grid));
        if ((entry->kind != OUTPUT_FIELDS && entry->kind != OUTPUT_STATIONS) || entry->every_s <= 0) continue;
        const double record = entry->structures ? 8.0 + 4.0 * FLOW_SERIES * scenario->n_structures
                              : entry->kind == OUTPUT_FIELDS ? record_bytes(entry, grid)
                                                             : sample_bytes(entry, grid);
        bytes += record * (floor(seconds / entry->every_s) + 1);
    }
    return bytes;
}

/* One more than are kept lies on the disk while the newest is written. */
double output_restart_bytes(const Scenario *scenario, const State *state, double seconds) {
    const ScenarioRestart *r = &scenario->restart;
    const Grid *g = state->grid;
    const double written = (r->every_s > 0 ? floor(seconds / r->every_s) : 0) + r->at_end;
    double bytes = 0;
    StateField *fields = ALLOCATE(state_field_count(state), StateField);
    state_fields(state, fields);
    for (int n = 0; n < state_field_count(state); n++)
        bytes += 8.0 * g->nx * g->ny * (fields[n].three_d ? g->n3 : 1);
    memory_free(fields);
    return bytes * fmin(written, r->keep + 1.0);
}

Status output_check_space(const Scenario *scenario, double fields, double restarts) {
    struct statvfs disk;
    char *folder = file_nearest_folder(scenario->output_folder);
    double bytes = fields + restarts, left = INFINITY;
    if (statvfs(folder, &disk) == 0) left = (double)disk.f_bavail * (double)disk.f_frsize;
    memory_free(folder);
    CHECK(bytes <= left, STATUS_BAD_INPUT,
          "the output needs about %.0f MB (%.0f MB of it for restart files), but the disk of \"%s\" has %.0f "
          "MB left: write less often, fewer levels or a box, keep fewer restart files, or set /output_folder "
          "to "
          "another disk",
          bytes / 1e6, restarts / 1e6, scenario->output_folder, left / 1e6);
    return STATUS_OK;
}
