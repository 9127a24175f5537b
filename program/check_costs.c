/* SPDX-License-Identifier: Apache-2.0 */
#include "program/check_costs.h"

#include "base/memory.h"
#include "numerics/grid/traffic.h"
#include "output/output.h"
#include "program/check_grid.h"
#include <math.h>
#include <sys/resource.h>

static double most_memory_used(void) {
    struct rusage used = {0};
    (void)getrusage(RUSAGE_SELF, &used);
    return (double)used.ru_maxrss * 1024;
}

/* Arrays that no step has touched take no memory yet: libraries are what the process took before it had any. */
static double libraries_bytes;

void check_costs_begin(void) {
    libraries_bytes = most_memory_used();
}

static double length_of(const Scenario *s) {
    return s->time.to_s - s->time.from_s;
}

static Status tell_memory(const Simulation *sim) {
    TracerMemory more, of_zoom = {0};
    const double arrays = (double)memory_in_use();
    printf("memory     %.1f MB for one process, all arrays%s included; %.0f MB with libraries; buffers for "
           "messages and output add 10 to 50 MB\n",
           arrays / 1e6, sim->seam ? " and those of the zoom" : "",
           fmax(arrays + libraries_bytes, most_memory_used()) / 1e6);
    TRY(tracers_memory_to_come(sim->tracers, &more));
    if (check_inner(sim)) TRY(tracers_memory_to_come(check_inner(sim)->tracers, &of_zoom));
    if (more.rings > 0)
        printf(
            "memory     %.1f MB more where the water of a cell leaves it within a step (tracers take small "
            "steps then), and %.1f MB where it circulates there many times\n",
            (more.small_steps + of_zoom.small_steps) / 1e6, (more.rings + of_zoom.rings) / 1e6);
    return STATUS_OK;
}

/* A zoom has as many restart files as the grid around. */
FileBytes check_file_bytes(const Simulation *sim, double seconds) {
    const Scenario *s = sim->scenario;
    const Simulation *zoom = check_inner(sim);
    FileBytes all = {output_bytes(s, sim->grid, seconds), output_restart_bytes(s, sim->state, seconds)};
    if (!zoom) return all;
    all.fields += output_bytes(zoom->scenario, zoom->grid, seconds);
    all.restarts += output_restart_bytes(s, zoom->state, seconds);
    return all;
}

Status check_space(const Simulation *sim, double seconds) {
    const FileBytes bytes = check_file_bytes(sim, seconds);
    return output_check_space(sim->scenario, bytes.fields, bytes.restarts);
}

static void tell_files(const Simulation *sim) {
    const FileBytes bytes = check_file_bytes(sim, length_of(sim->scenario));
    printf("output     about %.1f MB of fields and series", bytes.fields / 1e6);
    printf(bytes.restarts > 0 ? ", %.1f MB of restart files\n" : "\n", bytes.restarts / 1e6);
}

enum { LEAST_STEPS = 3, MOST_STEPS = 20 };
static const double ENOUGH_S = 0.3; /* of steps that are timed */

/* Of the process alone, whatever else the machine does. The first step finds memory that nobody has touched yet, and does
 * not count unless it alone takes long. */
static Status time_step(Simulation *sim, double *seconds) {
    const double begin = traffic_clock();
    TRY(simulation_step(sim));
    exec_wait(sim->exec);
    const double from = traffic_clock();
    *seconds = from - begin;
    for (int n = 1; *seconds < ENOUGH_S && n <= MOST_STEPS && sim->state->time + sim->dt <= sim->until; n++) {
        TRY(simulation_step(sim));
        exec_wait(sim->exec);
        const double passed = traffic_clock() - from;
        *seconds = passed / n;
        if (n >= LEAST_STEPS && passed > ENOUGH_S) break;
    }
    return STATUS_OK;
}

static void print_duration(double seconds) {
    if (seconds < 90)
        printf("%.2g s", seconds);
    else if (seconds < 5400)
        printf("%.2g min", seconds / 60);
    else if (seconds < 129600)
        printf("%.2g h", seconds / 3600);
    else
        printf("%.2g days", seconds / 86400);
}

/* A run whose first steps fail says so itself. */
static void tell_time(Simulation *sim) {
    double seconds;
    sim->until = sim->scenario->time.to_s;
    if (time_step(sim, &seconds) != STATUS_OK || sim->report.broken) {
        error_clear();
        return;
    }
    printf("duration   about ");
    print_duration(seconds * length_of(sim->scenario) / sim->dt);
    printf(" on one process of this machine: %.3g ms for a step of %.4g s%s\n", 1e3 * seconds, sim->dt,
           sim->seam ? ", those of the zoom in it included" : "");
}

Status check_costs(Simulation *sim) {
    TRY(tell_memory(sim));
    tell_files(sim);
    TRY(check_space(sim, length_of(sim->scenario)));
    tell_time(sim);
    return STATUS_OK;
}
