/* SPDX-License-Identifier: Apache-2.0 */
#include "numerics/cluster/machine.h"

#include "base/memory.h"
#include <math.h>

const Machine MACHINE_OF_TODAY = {.link = {{1, 0.1, 0}, {1, 0.1, 0}},
                                  .step_ns = 100,
                                  .sweep_ns = 1,
                                  .sweep_and_step = 0.01,
                                  .origin = "assumed, ./maeotis calibrate measures it"};

static ClusterLink link_or(const ClusterLink *given, const ClusterLink *other) {
    return given->latency_us > 0 || given->ns_per_byte > 0 ? *given : *other;
}

Machine cluster_machine(const Cluster *cluster, int ranks) {
    const Machine *today = &MACHINE_OF_TODAY;
    int64_t count;
    Calculator *all = cluster_calculators(cluster, &count);
    Machine out = {.origin = "from the cluster file",
                   .link = {link_or(&cluster->inside, &today->link[LINK_INSIDE]),
                            link_or(&cluster->between, &today->link[LINK_BETWEEN])},
                   .step_ns = HUGE_VAL,
                   .node = ALLOCATE(ranks + 1, int)};
    double steps = 0, sweeps = 0; /* in a nanosecond, by all */
    for (int n = 0; n < ranks; n++) {
        const ClusterDevice *on = all[n < count ? n : count - 1].device;
        const double step = on->ns[KERNEL_STEP] > 0 ? on->ns[KERNEL_STEP] : today->step_ns;
        const double sweep =
            on->ns[KERNEL_SWEEP] > 0 ? on->ns[KERNEL_SWEEP] : step / today->step_ns * today->sweep_ns;
        out.node[n] = all[n < count ? n : count - 1].node;
        out.step_ns = fmin(out.step_ns, step);
        steps += 1 / step;
        sweeps += 1 / sweep;
    }
    out.sweep_ns = ranks / sweeps;
    out.sweep_and_step = steps / sweeps;
    memory_free(all);
    return out;
}
