/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/cluster/cluster.h"

#include "base/memory.h"
#include <math.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef MAEOTIS_HWLOC
#include <hwloc.h>
#endif

const char *device_kind_name(DeviceKind kind) {
    static const char *const names[] = {"cpu", "gpu", "emu"};
    return names[kind];
}

void cluster_release(Cluster *c) {
    for (int n = 0; n < c->n_nodes; n++) {
        for (int d = 0; d < c->node[n].n_devices; d++) memory_free(c->node[n].device[d].name);
        memory_free(c->node[n].device);
        memory_free(c->node[n].name);
    }
    memory_free(c->node);
    memory_free(c->name);
    memory_free(c->host);
    memory_free(c->scenario);
    *c = (Cluster){0};
}

Calculator *cluster_calculators(const Cluster *c, int64_t *count) {
    int64_t total = 0;
    for (int n = 0; n < c->n_nodes; n++)
        for (int d = 0; d < c->node[n].n_devices; d++)
            total += (int64_t)c->node[n].count * c->node[n].device[d].count * c->node[n].device[d].cores;
    Calculator *all = ALLOCATE(total + 1, Calculator);
    int place = 0;
    *count = 0;
    for (int n = 0; n < c->n_nodes; n++)
        for (int copy = 0; copy < c->node[n].count; copy++, place++)
            for (int d = 0; d < c->node[n].n_devices; d++) {
                const ClusterDevice *device = &c->node[n].device[d];
                for (int64_t m = 0; m < (int64_t)device->count * device->cores; m++)
                    all[(*count)++] = (Calculator){place, device};
            }
    return all;
}

/* The first device that knows its lines; NULL: none does. */
static const ClusterDevice *knows_lines(const Cluster *c) {
    for (int n = 0; n < c->n_nodes; n++)
        for (int d = 0; d < c->node[n].n_devices; d++) {
            const ClusterDevice *device = &c->node[n].device[d];
            if (device->ns[KERNEL_LINES] > 0 && device->ns[KERNEL_STEP] > 0) return device;
        }
    return NULL;
}

void cluster_add_lines(Cluster *c, const char *scenario, double solves) {
    const ClusterDevice *known = knows_lines(c);
    if (!known || !c->scenario || (scenario && strcmp(c->scenario, scenario) == 0)) return;
    const double part = known->ns[KERNEL_LINES] / known->ns[KERNEL_STEP];
    for (int n = 0; n < c->n_nodes; n++)
        for (int d = 0; d < c->node[n].n_devices; d++) {
            ClusterDevice *device = &c->node[n].device[d];
            double *times[] = {device->ns, device->alone};
            for (int m = 0; m < 2; m++) {
                const double lines = times[m][KERNEL_LINES];
                times[m][KERNEL_STEP] += solves * (lines > 0 ? lines : part * times[m][KERNEL_STEP]);
            }
        }
}

Status cluster_speeds(const Cluster *cluster, const char *path, int ranks, double **out) {
    int64_t count;
    Calculator *all = cluster_calculators(cluster, &count);
    Status status = STATUS_OK;
    double fastest = 0;
    *out = NULL;
    if (count < ranks)
        status = error_raise(STATUS_BAD_INPUT,
                             "%s describes cores and GPUs for %lld processes, but the run has %d: use -n "
                             "%lld, or describe more nodes",
                             path, (long long)count, ranks, (long long)count);
    for (int n = 0; status == STATUS_OK && n < ranks; n++) {
        const double ns = all[n].device->ns[KERNEL_STEP];
        if (!(ns > 0))
            status = error_raise(
                STATUS_BAD_INPUT,
                "%s has no speed of \"%s\": calibrate there, or add \"ns_per_node\": {\"step\": ...}", path,
                all[n].device->name);
        else
            fastest = fmax(fastest, 1 / ns);
    }
    if (status == STATUS_OK) {
        *out = ALLOCATE(ranks, double);
        for (int n = 0; n < ranks; n++) (*out)[n] = 1 / all[n].device->ns[KERNEL_STEP] / fastest;
    }
    memory_free(all);
    return status;
}

/* ---- the machine at hand ---- */

static char *processor_name(void) {
    char line[256], *name = NULL;
    FILE *file = fopen("/proc/cpuinfo", "r");
    while (file && !name && fgets(line, sizeof line, file))
        if (strncmp(line, "model name", 10) == 0 && strchr(line, ':')) {
            line[strcspn(line, "\n")] = '\0';
            name = memory_copy_text(strchr(line, ':') + 2);
        }
    if (file) fclose(file);
    return name ? name : memory_copy_text("processor");
}

/* Cores of the machine, not threads of them: those that a process may use are fewer where mpirun binds it. */
static int count_cores(void) {
    int cores = (int)sysconf(_SC_NPROCESSORS_ONLN);
#ifdef MAEOTIS_HWLOC
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) == 0) {
        if (hwloc_topology_load(topology) == 0) {
            const int found = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE);
            if (found > 0) cores = found;
        }
        hwloc_topology_destroy(topology);
    }
#endif
    return cores > 0 ? cores : 1;
}

int cluster_allowed_cores(int cores) {
    cpu_set_t allowed;
    const int count = sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : cores;
    const double threads = fmax(1, (double)sysconf(_SC_NPROCESSORS_ONLN) / cores); /* of a core */
    const int here = (int)ceil(count / threads);
    return here > 0 && here < cores ? here : cores;
}

void cluster_find_here(Cluster *out) {
    char host[256] = "here";
    (void)gethostname(host, sizeof host - 1);
    const double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGE_SIZE) / 1e9;
    *out = (Cluster){.name = memory_copy_text(host), .host = memory_copy_text(host), .n_nodes = 1};
    out->node = ALLOCATE(1, ClusterNode);
    *out->node =
        (ClusterNode){memory_copy_text(host), 1, floor(10 * memory) / 10, 1, ALLOCATE(1, ClusterDevice)};
    *out->node->device =
        (ClusterDevice){.kind = KIND_CPU, .name = processor_name(), .count = 1, .cores = count_cores()};
}

/* ---- what is measured ---- */

ClusterLink link_fit(int count, const double *bytes, const double *seconds) {
    double w = 0, wv = 0, wt = 0, wvv = 0, wvt = 0, about = 0, left = 0;
    for (int n = 0; n < count; n++) {
        const double weight = 1 / (seconds[n] * seconds[n]);
        w += weight;
        wv += weight * bytes[n];
        wt += weight * seconds[n];
        wvv += weight * bytes[n] * bytes[n];
        wvt += weight * bytes[n] * seconds[n];
    }
    const double across = w * wvv - wv * wv;
    const double slope = across > 0 ? fmax(0, (w * wvt - wv * wt) / across) : 0;
    const double start = fmax(0, (wt - slope * wv) / w), mean = wt / w;
    for (int n = 0; n < count; n++) {
        const double weight = 1 / (seconds[n] * seconds[n]), off = seconds[n] - start - slope * bytes[n];
        about += weight * (seconds[n] - mean) * (seconds[n] - mean);
        left += weight * off * off;
    }
    return (ClusterLink){1e6 * start, 1e9 * slope, about > 0 ? fmax(0, 1 - left / about) : 0};
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double percentile(int count, double *numbers, double part) {
    qsort(numbers, (size_t)count, sizeof *numbers, by_size);
    const int n = (int)ceil(part * count) - 1;
    return numbers[n < 0 ? 0 : n];
}
