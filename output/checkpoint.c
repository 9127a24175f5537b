/* SPDX-License-Identifier: Apache-2.0 */
#include "output/checkpoint.h"

#include "base/memory.h"
#include "gpu/device.h"
#include "model/time_step.h"

Status checkpoint_write(Simulation *sim, const RunFacts *facts, const Output *output, char path_out[512]) {
    int count;
    exec_wait(sim->exec);
    StepLengths steps = time_step_lengths(sim);
    StateNumber *numbers = simulation_numbers(sim, &steps, &count);
    Status status = restart_write(sim->scenario, facts, sim->state, output, numbers, count, path_out);
    memory_free(numbers);
    return status;
}

Status checkpoint_read(Simulation *sim, const char *path, bool force) {
    int count;
    StepLengths steps;
    exec_wait(sim->exec);
    StateNumber *numbers = simulation_numbers(sim, &steps, &count);
    Status status = restart_read(path, sim->scenario, force, sim->state, numbers, count);
    memory_free(numbers);
    TRY(status);
    return simulation_resume(sim, steps);
}
