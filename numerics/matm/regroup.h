/* SPDX-License-Identifier: Apache-2.0
 *
 * A coarse grid's arrays from the parts of all ranks to those of the ranks that work on it (coarse_grid.h), and back.
 */
#ifndef MAEOTIS_NUMERICS_MATM_REGROUP_H
#define MAEOTIS_NUMERICS_MATM_REGROUP_H

#include "numerics/matm/lane_layout.h"

typedef struct Regroup Regroup;

/* `part`: cut as the finer grid is; `work`: as those cut it who work on it, NULL on the others; `fewer`: their cuts. At
 * most so many fields travel at once. Local. */
void regroup_create(const LaneLayout *part, const LaneLayout *work, const Decomposition *fewer, int fields,
                    Regroup **out);
void regroup_destroy(Regroup **regroup);

/* Own cells of fields, to whoever works on them; `to` is not read on the others. Collective, as is the next. */
void regroup_there(Regroup *regroup, int fields, Lanes *const *from, Lanes *const *to);

/* Own cells and those around them; `from` has its edges at seams and beyond the whole grid. */
void regroup_back(Regroup *regroup, Lanes *from, Lanes *to);

#endif
