/* SPDX-License-Identifier: Apache-2.0
 *
 * The passes of transport, one behind the other. On a processor each continues as soon as the rows that it
 * needs are ready, so that the data between passes, in windows of a few rows, stay in the cache and need
 * almost no memory. On a GPU and on the emulator each pass covers the whole field. The arithmetic is the
 * same. Ranks exchange nothing: with HALO cells of c around its own, a rank computes all that its own cells
 * need.
 */
#ifndef MAEOTIS_MODEL_TRACER_PASSES_H
#define MAEOTIS_MODEL_TRACER_PASSES_H

#include "model/tracers/substeps.h"
#include "model/tracers/transport.h"

typedef enum TransportScheme {
    TRANSPORT_LOW,
    TRANSPORT_VAN_LEER,
    TRANSPORT_FCT,
    TRANSPORT_IMPLICIT
} TransportScheme;

typedef struct Passes Passes;

/* How many of `tracers` suit one pass. What does not depend on the tracer is computed once for all of them, but
 * the windows of too many leave the cache, and whole fields, as a GPU has them, would take much memory. Local. */
enum { FEW_CARRIED = 2 };
int passes_at_once(const Grid *grid, Exec exec, TransportScheme scheme, const double *reach, int tracers);

/* For up to `tracers` at once. `reach` as in Transport, with halo; not owned. Local. */
void passes_create(const Grid *grid, Exec exec, TransportScheme scheme, const double *reach, int tracers,
                   Passes **out);
void passes_destroy(Passes **passes);

/* Blocks of the own cells and of those around them, on the halos, too; of the passes. */
BlockList passes_faces(const Passes *passes);

/* Sets the window of a transport, its fields there, and the kernels' data of the grid. */
void passes_lend(const Passes *passes, Transport *transport);

/* From c to c', with the results of the substeps (parts 0: none); then mixes the columns of the new values,
 * unless `mixing` is NULL. */
void passes_do(const Passes *passes, Exec exec, const Transport *transport, const Substeps *substeps,
               const Mixing *mixing);

#endif
