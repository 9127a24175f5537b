/* SPDX-License-Identifier: Apache-2.0
 *
 * A running model: everything made from a scenario, and one time step of it.
 */
#ifndef MAEOTIS_MODEL_SIMULATION_H
#define MAEOTIS_MODEL_SIMULATION_H

#include "model/boundary/boundaries.h"
#include "model/boundary/equilibrium_tide.h"
#include "model/boundary/rivers.h"
#include "model/density/density.h"
#include "model/events/events.h"
#include "model/exchange/exchange.h"
#include "model/forcing/forcing.h"
#include "model/infiltration/infiltration.h"
#include "model/kinetics/reactions.h"
#include "model/ledger.h"
#include "model/momentum/compact/compact_advection.h"
#include "model/momentum/implicit.h"
#include "model/momentum/prescribed.h"
#include "model/momentum/rotation.h"
#include "model/momentum/smagorinsky.h"
#include "model/momentum/split.h"
#include "model/momentum/viscous_stages.h"
#include "model/nudging/nudging.h"
#include "model/pressure/pressure.h"
#include "model/scales.h"
#include "model/state.h"
#include "model/structures/structures.h"
#include "model/subgrid/subgrid.h"
#include "model/surface/surface.h"
#include "model/tracers/tracers.h"
#include "model/turbulence/turbulence.h"
#include "model/waves/wind_waves.h"
#include "settings/scenario.h"

/* The report of a step, the same on every rank. */
typedef struct StepReport {
    SurfaceReport surface;
    SolveReport momentum[2]; /* of u and v; no iterations where the scheme is not implicit */
    SolveReport pressure;    /* no iterations where it is hydrostatic */
    double fastest;          /* largest layer velocity [m s-1] */
    double advective_courant, wave_courant;
    double entering; /* largest part of a velocity cell that water replaces in a second (advection.h) [s-1] */
    double moving;   /* the same of water that is not a film (scales.h) */
    double highest;  /* level at a face above the datum, 0 at least [m] */
    int lost;    /* from 1: the first tracer that is no number somewhere while the flow is sound; 0: none */
    bool broken; /* a value that this sea cannot have */
} StepReport;

/* Where the time of a step goes. */
typedef enum Phase {
    PHASE_FORCING,
    PHASE_MOMENTUM,
    PHASE_SURFACE,
    PHASE_PRESSURE,
    PHASE_MOVE,
    PHASE_VERTICAL,
    PHASE_TRACERS,
    PHASE_TURBULENCE,
    PHASE_STOCK,
    PHASES
} Phase;

/* The lengths of steps that a restart needs. */
typedef struct StepLengths {
    double last, wanted; /* [s] */
} StepLengths;

struct Seam;

typedef struct Simulation {
    const Scenario *scenario;
    struct Seam *seam;    /* to a zoom inside (seam/seam.h); NULL: none */
    struct Seam *driven;  /* the seam of which this is the finer grid; NULL: it is none */
    double dt, dt_before; /* lengths of the step that is made, or was the last, and of the one before [s] */
    double wanted;        /* length of the next step, without stops on its way [s] */
    double until;         /* where the run stops [s since the start] */
    double from_time;     /* from where steps of the same length are counted [s since the start] */
    int64_t from_step;
    Grid *grid;
    Scales scales;
    State *state;
    Forcing *forcing;
    Exchange *exchange;         /* with the air; NULL: none */
    Infiltration *infiltration; /* NULL: none */
    WindWaves *waves;           /* NULL: none */
    EquilibriumTide *potential; /* NULL: none */
    Rivers *rivers;
    Boundaries *boundaries;
    Structures *structures; /* NULL: none */
    Density *density;       /* NULL: constant */
    Subgrid *subgrid;       /* NULL: cells are even */
    Surface *surface;
    double *smooth, *resolved;     /* kept in the state (momentum/smooth.h); NULL: first order in the step */
    CompactAdvection *compact;     /* NULL: another kind of advection */
    ImplicitMomentum *implicit[2]; /* of u and v; NULL: explicit along the levels */
    SplitMomentum *split[2];       /* likewise; NULL: viscosity is in stages, or in `implicit` */
    ViscousStages *stages;         /* NULL: no horizontal viscosity, or in one of the former */
    Rotation *rotation;            /* NULL: none */
    Tracers *tracers;
    Nudging *nudging;       /* NULL: none */
    Reactions *reactions;   /* NULL: nothing reacts */
    Events *events;         /* NULL: none */
    Prescribed *prescribed; /* NULL: the flow is computed */
    Pressure *pressure;     /* NULL: hydrostatic */
    Halo *halo;
    Exec exec;
    const Axes *around; /* of the grid around a zoom, whose `exec` it has; NULL: it is none */
    char *ground_note;  /* rank 0 */
    Faces u, v;         /* the two components' faces; `depth` of each is the state's */
    double *next_depth_u, *next_depth_v;
    ExchangeSums from_air;                   /* in a step */
    Tally *tally;                            /* of a step */
    double *next_depth, *source, *source_in; /* source_in: the part that comes in */
    Ledger ledger;
    StepReport report;
    /* bits of what the caller gave in place of the scenario's forcing (given.h); for restart files */
    double given;
    double changed;    /* 1: the caller has changed the sea since its last step; for restart files */
    uint64_t awaited;  /* bits of what a restart file's run was given, and this one not yet */
    bool keeps_digest; /* found in the next step with its sums, in `digest` */
    bool has_digest;   /* of the present state */
    uint64_t digest;
    double (*asks)(void *asker); /* a number of the caller, such as of a signal to it; NULL: none */
    void *asker;
    double asked;           /* the largest of all ranks, of the newest step */
    double seconds[PHASES]; /* spent since the creation, on this rank */
    bool wait_for_phases;   /* so that `seconds` has each phase's kernels, and not their launches */
} Simulation;

/* At the scenario's initial state. Collective. */
CHECKED Status simulation_create(const Scenario *scenario, MPI_Comm comm, const char *device,
                                 Simulation **out);
void simulation_destroy(Simulation **simulation);

/* The finer grid of a zoom, on the device of the one around. Collective. */
CHECKED Status simulation_create_inside(const Simulation *around, const Scenario *scenario, Simulation **out);

/* All numbers that a restart needs beside the state's fields: the ledger's, the tracers' accounts, and
 * `steps`. They point into the simulation and into `steps`; the list is to be freed. Local. */
StateNumber *simulation_numbers(Simulation *simulation, StepLengths *steps, int *count);

/* After the state's own values, the numbers and `steps` were read from a restart. Collective. */
CHECKED Status simulation_resume(Simulation *simulation, StepLengths steps);

/* After a caller changed own values of the state's fields between two steps: what follows from them. `flow`: of depth, u
 * or v, and not of tracers alone. Water and tracers that came in this way count as sources, so that the budgets stay
 * closed. Collective. */
CHECKED Status simulation_take_changes(Simulation *simulation, bool flow);

/* One time step; fails only if the forcing cannot be read, or a line of the split scheme cannot be solved.
 * `report` tells if the flow has become unstable. Collective. */
CHECKED Status simulation_step(Simulation *simulation);

/* w from the velocities and levels of the present state, by continuity; nothing without non-hydrostatic pressure. */
void simulation_find_w(Simulation *simulation);

/* Diagnostic fields of the present state: density, pressure, horizontal viscosity. Collective. */
void simulation_weigh(Simulation *simulation, double time);

/* Finds the digest of the present state, if it has not been found yet. Collective. */
void simulation_find_digest(Simulation *simulation);

/* Account of volume after the step; with the digest if it has been found, else 0. Local. */
LedgerRow simulation_ledger(const Simulation *simulation);

/* The weight of the new time level against the old one in steps of dt. Local. */
double simulation_theta(const Simulation *simulation, double dt);

/* The gravity by which the surface's slope acts: less by the self-attraction of tides [m s-2]. Local. */
double simulation_slope_gravity(const Simulation *simulation);

/* The arguments of the momentum kernels, for one component. Local. */
Momentum simulation_momentum(const Simulation *simulation, bool along_x);

#endif
