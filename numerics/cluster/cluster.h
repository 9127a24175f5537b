/* SPDX-License-Identifier: Apache-2.0
 *
 * A cluster, as described by its owner or measured by calibration: nodes, their devices, and the calculators of these
 * (the paper's word for the hardware of one process: a core of a processor, or a whole GPU). Stored as JSON
 * (cluster.json, docs/clusters.md). All functions are local.
 *
 * After the class library of A. Sukhinov, V. Litvinov, A. Chistyakov, A. Nikitina, N. Gracheva, N. Rudenko,
 * "Solving grid equations on a heterogeneous computing system" (2021), section 4.
 */
#ifndef MAEOTIS_NUMERICS_CLUSTER_H
#define MAEOTIS_NUMERICS_CLUSTER_H

#include "base/error.h"
#include <stdbool.h>
#include <stdint.h>

typedef enum DeviceKind { KIND_CPU, KIND_GPU, KIND_EMU } DeviceKind;

/* The kernels that dominate a step; the 95th percentile of the time for each of 1000 nodes, in ns a node. */
typedef enum Kernel { KERNEL_STEP, KERNEL_SWEEP, KERNEL_LINES, KERNELS } Kernel;

typedef struct ClusterDevice {
    DeviceKind kind;
    char *name;
    int count;          /* such devices in a node */
    int cores;          /* of each: that compute; a GPU is one */
    double memory_GB;   /* of a GPU; 0: that of the node */
    double ns[KERNELS]; /* a node of the grid, of one calculator while all others compute too; 0: unknown */
    double alone[KERNELS];  /* the same of one that computes while the others rest; 0: as `ns` */
    double spread[KERNELS]; /* relative, between the repetitions of a calibration; 0: unknown */
} ClusterDevice;

typedef struct ClusterNode {
    char *name;
    int count; /* such nodes */
    double memory_GB;
    int n_devices;
    ClusterDevice *device;
} ClusterNode;

/* A message of V bytes takes latency + V * per_byte (equation 7: T = a + b V). */
typedef struct ClusterLink {
    double latency_us, ns_per_byte;
    double determination; /* of the fit; 0: not measured */
} ClusterLink;

typedef struct Cluster {
    char *name;
    char *host, *scenario; /* where, and with which scenario, it was calibrated; NULL: written by hand */
    int n_nodes;
    ClusterNode *node;
    ClusterLink inside, between; /* between the ranks of a node, and between nodes */
} Cluster;

/* One rank's. */
typedef struct Calculator {
    int node; /* counted over all nodes of the cluster */
    const ClusterDevice *device;
} Calculator;

/* Mistakes are raised with file, line, column and what is allowed. */
CHECKED Status cluster_read(const char *path, Cluster *out);
CHECKED Status cluster_write(const char *path, const Cluster *cluster);
void cluster_release(Cluster *cluster);

/* The machine at hand, not yet measured: processor, cores, memory. Through hwloc if the build has it. */
void cluster_find_here(Cluster *out);

/* Of so many cores those that this process may use, by its affinity. */
int cluster_allowed_cores(int cores);

/* All calculators, node after node, devices in the order of the file; to be freed. */
Calculator *cluster_calculators(const Cluster *cluster, int64_t *count);

/* Adds to the time of a step so many solves along lines of each node, for a scenario that has them: not where the step was
 * measured with this scenario, or described by hand. A device whose lines are not known has those of the first that are, in
 * proportion to its step. */
void cluster_add_lines(Cluster *cluster, const char *scenario, double solves);

/* Speeds of the first `ranks` calculators relative to the fastest, by their steps; to be freed. Refused: fewer
 * calculators, or one whose speed is unknown. */
CHECKED Status cluster_speeds(const Cluster *cluster, const char *path, int ranks, double **out);

const char *device_kind_name(DeviceKind kind);

/* T = latency + V per_byte by least squares of the relative errors, neither below 0. [bytes, s] */
ClusterLink link_fit(int count, const double *bytes, const double *seconds);

/* The value below which a part of the numbers lies, which it sorts. */
double percentile(int count, double *numbers, double part);

#endif
