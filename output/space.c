/* SPDX-License-Identifier: Apache-2.0
 *
 * How much a run will write, and whether the disk takes it.
 */
#include "base/file.h"
#include "base/memory.h"
#include "output/layout.h"
#include "output/output.h"
#include "output/variables.h"
#include <math.h>
#include <sys/statvfs.h>

Status output_check(const Scenario *scenario, const Grid *grid) {
    for (int n = 0; n < scenario->n_outputs; n++) {
        const ScenarioOutput *entry = &scenario->outputs[n];
        Window window;
        TRY(window_create(grid, entry->has_box ? entry->box : NULL, entry->levels, entry->n_levels,
                          entry->place, &window));
        window_release(&window);
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

double output_bytes(const Scenario *scenario, const Grid *grid, double seconds) {
    double bytes = 0;
    for (int n = 0; n < scenario->n_outputs; n++) {
        const ScenarioOutput *entry = &scenario->outputs[n];
        if (entry->kind != OUTPUT_FIELDS || entry->every_s <= 0) continue;
        bytes += record_bytes(entry, grid) * (floor(seconds / entry->every_s) + 1);
    }
    return bytes;
}

Status output_check_space(const Scenario *scenario, const Grid *grid, double seconds) {
    struct statvfs disk;
    char *folder = file_nearest_folder(scenario->output_folder);
    double bytes = output_bytes(scenario, grid, seconds), left = INFINITY;
    if (statvfs(folder, &disk) == 0) left = (double)disk.f_bavail * (double)disk.f_frsize;
    memory_free(folder);
    CHECK(bytes <= left, STATUS_BAD_INPUT,
          "the output needs about %.0f MB, but the disk of \"%s\" has %.0f MB left: write less often, fewer "
          "levels or a box, or set /output_folder to another disk",
          bytes / 1e6, scenario->output_folder, left / 1e6);
    return STATUS_OK;
}
