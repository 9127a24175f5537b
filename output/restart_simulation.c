/* SPDX-License-Identifier: Apache-2.0 */
#include "output/restart_simulation.h"

#include "base/memory.h"
#include "gpu/device.h"
#include "model/seam/seam.h"
#include "model/time_step.h"
#include <math.h>
#include <string.h>

char *restart_of_zoom(const char *path) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    return memory_format("%.*szoom/%s", (int)(name - path), path, name);
}

static Status write_one(Simulation *sim, const RunFacts *facts, const Output *output, char path_out[512]) {
    int count;
    StepLengths steps = time_step_lengths(sim);
    StateNumber *numbers = simulation_numbers(sim, &steps, &count);
    Status status = restart_write(sim->scenario, facts, sim->state, output, numbers, count, path_out);
    memory_free(numbers);
    return status;
}

static Status read_one(Simulation *sim, const char *path, bool force) {
    int count;
    StepLengths steps;
    StateNumber *numbers = simulation_numbers(sim, &steps, &count);
    Status status = restart_read(path, sim->scenario, force, sim->state, numbers, count);
    memory_free(numbers);
    TRY(status);
    return simulation_resume(sim, steps);
}

Status restart_save(Simulation *sim, const RunFacts *facts, const Output *output, const Output *zoom,
                    char path_out[512]) {
    exec_wait(sim->exec);
    if (sim->seam) {
        Simulation *inner = seam_inner(sim->seam);
        RunFacts of_zoom = *facts;
        of_zoom.ground = inner->ground_note;
        TRY(write_one(inner, &of_zoom, zoom, path_out));
    }
    return write_one(sim, facts, output, path_out);
}

Status restart_resume(Simulation *sim, const char *path, bool force) {
    exec_wait(sim->exec);
    TRY(read_one(sim, path, force));
    if (!sim->seam) return STATUS_OK;
    char *finer = restart_of_zoom(path);
    Status status = read_one(seam_inner(sim->seam), finer, force);
    if (status == STATUS_OK && fabs(seam_inner(sim->seam)->state->time - sim->state->time) > 1e-3 * sim->dt)
        status = error_raise(
            STATUS_BAD_INPUT,
            "\"%s\" is of another date than \"%s\": both grids must continue from the same moment", finer,
            path);
    memory_free(finer);
    return status;
}
