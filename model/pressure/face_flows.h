/* SPDX-License-Identifier: Apache-2.0
 *
 * Row by row, on a processor: what flows through the faces of a row, and then the row's columns, so that the flows between
 * the two stay in the cache. On a GPU and on the emulator each covers the whole field. The arithmetic is the same. Ranks
 * exchange nothing: with halos they find the flows through the faces beyond their own cells themselves.
 */
#ifndef MAEOTIS_MODEL_PRESSURE_FACE_FLOWS_H
#define MAEOTIS_MODEL_PRESSURE_FACE_FLOWS_H

#include "model/pressure/pressure.h"

typedef struct Flows Flows;

/* Local. */
Flows *flows_create(const Grid *grid, Exec exec);
void flows_destroy(Flows **flows);

/* What is done to the faces of one direction, and to columns. */
typedef struct FlowWork {
    const void *context;
    void (*faces)(const void *context, Exec exec, bool along_x, BlockList faces, FaceFlow flow);
    void (*columns)(const void *context, Exec exec, BlockList columns, SideFlows flows);
} FlowWork;

/* Local. */
void flows_find(const Flows *flows, Exec exec, FlowWork work);

#endif
