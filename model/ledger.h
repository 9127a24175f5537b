/* SPDX-License-Identifier: Apache-2.0
 *
 * The budgets of water and of each tracer since the start of the run.
 */
#ifndef MAEOTIS_MODEL_LEDGER_H
#define MAEOTIS_MODEL_LEDGER_H

#include "model/infiltration/infiltration_kernels.h"
#include <stdint.h>

/* Volume kept account of, since the start of the run. */
typedef struct Ledger {
    double initial_m3, volume_m3, sources_m3, air_m3, boundaries_m3;
    double lost_m3[GROUND_LOSSES]; /* to ground, canopies and drains */
} Ledger;

typedef struct TracerAccount { /* [units of the tracer times m3] */
    double content;            /* volume times value, over the grid */
    double bed; /* of suspended matter: the mass on it; of temperature: what ice lacks in heat, negative */
    double sources; /* the inflow since the start, from rivers, with the gain by nudging, ageing and decay */
    double boundaries;  /* the same through open boundaries */
    double air;         /* the net gain from the air: heat in temperature, rain's share; losses deducted */
    double reactions;   /* the gain by a kinetics module's processes, since the start */
    double error;       /* content + bed - those at first - sources - air - boundaries - reactions */
    double least, most; /* values [units of the tracer] */
} TracerAccount;

/* How large the part of the sea is in which an event's condition holds, after the last step. */
typedef struct EventSize {
    double area_m2;   /* where it holds in the layer that the event looks at */
    double volume_m3; /* of all water in which it holds */
} EventSize;

typedef struct LedgerRow {
    double volume_m3;           /* water in the grid */
    double sources_m3;          /* from rivers since the start */
    double air_m3;              /* rain less evaporation since the start */
    double boundaries_m3;       /* through open boundaries since the start, inwards */
    double error_m3;            /* volume - initial volume - sources - air - boundaries + lost */
    int surface_iterations;     /* of the last step */
    double surface_residual;    /* relative, true */
    int momentum_iterations[2]; /* of u and v, of the last step; 0 where the scheme is explicit */
    double momentum_residual[2];
    double lost_m3[GROUND_LOSSES]; /* to ground, canopies and drains since the start */
    uint64_t digest;
    const TracerAccount *tracers; /* of the state's tracers, in their order */
    const EventSize *events;      /* of the state's events; NULL: none */
    const double *structures;     /* [StructureSeries][structure] (structures/structures.h); NULL: none */
    /* [variable][process] of a kinetics module, the gains since the start [units m3]; NULL: none */
    const double *by_process;
    const double *processes; /* what each of them did since the start; NULL: none */
} LedgerRow;

#endif
