/* SPDX-License-Identifier: Apache-2.0
 *
 * What the paper on DistD2 measured on machines that are not here, by a forecast from their cluster files: lines at the speed of a
 * device's memory, and messages by the law of links, without any overlap of the two.
 */
#include "bench/papers/machines.h"

#include "base/data.h"
#include "base/memory.h"
#include "numerics/cluster/cluster.h"
#include <math.h>

static Status machine_read(const char *file, Cluster *out) {
    char *path;
    TRY(data_find(file, &path));
    const Status status = cluster_read(path, out);
    memory_free(path);
    return status;
}

static const char ARCHER2[] = "docs/clusters/archer2.json",
                  MARENOSTRUM5[] = "docs/clusters/marenostrum5.json";

/* Of a point of lines on a whole device [s]. */
static double point_seconds(const Cluster *machine) {
    const ClusterDevice *device = machine->node->device;
    return 1e-9 * device->ns[KERNEL_LINES] / device->cores;
}

/* Figure 13: a compact derivative of so many points on so many devices, all lines cut between them. */
typedef struct Scaling {
    const char *file;
    double points;
    int from, to; /* devices */
} Scaling;

/* Two rows of the right-hand side and an end of each line go to a neighbour. */
enum { CUT_LINES = 2048 * 2048, NUMBERS_A_LINE = 3 };

/* `sharing`: devices that send through one link at a time. Messages within a node are not counted. */
static double derivative_seconds(const Cluster *machine, double points, int devices, int sharing) {
    const double computing = points / devices * point_seconds(machine);
    if (devices <= machine->node->device->count) return computing;
    return computing + 1e-6 * machine->between.latency_us +
           1e-9 * machine->between.ns_per_byte * sharing * sizeof(double) * NUMBERS_A_LINE * CUT_LINES;
}

static double efficiency(const Cluster *machine, const Scaling *of, int sharing) {
    return of->from * derivative_seconds(machine, of->points, of->from, sharing) /
           (of->to * derivative_seconds(machine, of->points, of->to, sharing));
}

Status paper_strong_scaling(const PaperRun *run, char **here) {
    static const double A_NODE = 12.0 * (1 << 30);
    const Scaling all[] = {
        {ARCHER2, A_NODE, 2, 128}, {ARCHER2, 512 * A_NODE, 1024, 8192}, {MARENOSTRUM5, 3 * A_NODE, 12, 384}};
    char *text = memory_copy_text("");
    Status status = STATUS_OK;
    (void)run;
    for (int n = 0; n < 3 && status == STATUS_OK; n++) {
        Cluster machine = {0};
        status = machine_read(all[n].file, &machine);
        if (status == STATUS_OK)
            memory_append(&text, "%s%.0f to %.0f %%", n > 0 ? "; " : "",
                          100 * efficiency(&machine, &all[n], 2), 100 * efficiency(&machine, &all[n], 1));
        cluster_release(&machine);
    }
    if (status == STATUS_OK)
        *here = text;
    else
        memory_free(text);
    return status;
}

/* Table 6: the transport equation in a cube, in parts along its axes. */
typedef struct Cube {
    const char *file;
    int parts[3], devices;
    double lines; /* points of lines that move as many numbers as a point of the equation: tables 4 and 5 */
    int sharing;  /* parts that send through one link */
} Cube;

/* Four rows of three fields, and the ends of nine solves, go to each neighbour. */
enum { CUBE = 4096, NUMBERS_A_FACE = 4 * 3 + 9 };

static double cube_seconds(const Cluster *machine, const Cube *of) {
    double side[3], faces = 0;
    for (int a = 0; a < 3; a++) side[a] = (double)CUBE / of->parts[a];
    for (int a = 0; a < 3; a++) faces += 2 * side[(a + 1) % 3] * side[(a + 2) % 3];
    return pow(CUBE, 3) / of->devices * of->lines * point_seconds(machine) +
           1e-9 * machine->between.ns_per_byte * of->sharing * sizeof(double) * NUMBERS_A_FACE * faces;
}

Status paper_cube(const PaperRun *run, char **here) {
    static const Cube all[] = {{ARCHER2, {4, 8, 8}, 64, 150 / 5.0, 8},
                               {ARCHER2, {8, 8, 8}, 128, 150 / 5.0, 8},
                               {MARENOSTRUM5, {4, 4, 8}, 128, 171 / 6.0, 1},
                               {MARENOSTRUM5, {4, 8, 8}, 256, 171 / 6.0, 1}};
    double seconds[4];
    (void)run;
    for (int n = 0; n < 4; n++) {
        Cluster machine = {0};
        const Status status = machine_read(all[n].file, &machine);
        if (status == STATUS_OK) seconds[n] = cube_seconds(&machine, &all[n]);
        cluster_release(&machine);
        TRY(status);
    }
    *here = memory_format("%.3f, %.3f s, %.1f %%; %.3f, %.3f s, %.1f %%", seconds[0], seconds[1],
                          50 * seconds[0] / seconds[1], seconds[2], seconds[3], 50 * seconds[2] / seconds[3]);
    return STATUS_OK;
}
