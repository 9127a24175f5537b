/* SPDX-License-Identifier: Apache-2.0
 *
 * The order of a sweep, within a rank and across ranks.
 *
 * A rank's part is cut into fragments: bundles of groups of eight rows, or stretches of steps along lines of equal
 * i + j (numerics/cluster/graph.h). A fragment can be worked on when those west and south of it are done (sweeps
 * forward; north and east for sweeps back), of this rank or of its neighbours, whose last columns and rows arrive as
 * messages. While a rank works on its fragment n, its eastern neighbour works on fragment n - 1: the pipeline of the
 * method's authors, and the same numbers as on one rank. Each rank has its own part of their graph, made once, and walks it
 * in each sweep.
 *
 * More ranks along x than along y: whole rows go east, bundle after bundle, and no rank waits long. More
 * along y: pieces of rows go north. Along the other direction ranks wait for each other, whatever the order:
 * a sweep uses ranks_x x ranks_y ranks about as well as the larger of the two numbers.
 *
 * Reference: A. Sukhinov, V. Litvinov, A. Chistyakov, A. Nikitina, N. Gracheva, N. Rudenko, "Solving grid
 * equations on a heterogeneous computing system" (2021), section 4.
 */
#ifndef MAEOTIS_NUMERICS_MATM_PIPELINE_H
#define MAEOTIS_NUMERICS_MATM_PIPELINE_H

#include "base/error.h"
#include "numerics/matm/on_device.h"

typedef struct Pipeline Pipeline;

/* `patch` > 0: nobody waits or sends across borders of patches (cuts.h), which couplings do not cross. Collective. */
CHECKED Status pipeline_create(const LaneLayout *layout, int patch, Pipeline **out);
void pipeline_destroy(Pipeline **pipeline);

/* The recurrence in steps s0 <= s < s1 of group g, upwards or downwards. */
typedef void SweepSteps(const void *context, int g, int s0, int s1);

/* Puts zeros where nothing will arrive, so that the sweep begins at this rank's edge or at a seam whatever
 * the array held there. */
void pipeline_clear_inflow(const Pipeline *pipeline, Lanes *swept, bool forward);

/* On a device: from now on sweeps do nothing where `rests`, of the device, is not 0; NULL: they do. */
void pipeline_rests(Pipeline *pipeline, const int *rests);

/* On a device: a fragment is one launch. The layout and the state are the pipeline's. Collective. */
void pipeline_sweep(Pipeline *pipeline, DeviceSweep sweep);

/* All fragments in order; `swept` is the array whose edges travel. Collective. */
void pipeline_forward(Pipeline *pipeline, SweepSteps *steps, const void *context, Lanes *swept);
void pipeline_backward(Pipeline *pipeline, SweepSteps *steps, const void *context, Lanes *swept);

#endif
