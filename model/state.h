/* SPDX-License-Identifier: Apache-2.0
 *
 * The state of the sea at one time, on one rank: the fields that a step reads and writes. Places and indices
 * as in numerics/grid/grid.h. `state_fields` names everything that the next step needs, so that a restart is
 * exact.
 */
#ifndef MAEOTIS_MODEL_STATE_H
#define MAEOTIS_MODEL_STATE_H

#include "base/error.h"
#include "kinetics/maeotis_kinetics.h"
#include "numerics/grid/grid.h"

/* Something that the water carries, at the centres of cells. */
typedef struct Tracer {
    char *name;                              /* in files: "temperature", "salinity", or a user's */
    char *units, *long_name, *standard_name; /* standard_name: CF, or NULL */
    double *c;                               /* [units]; in dry cells what it was last */
    double *bed; /* 2-D: what lies on the bed of suspended matter, one of `kept` [kg m-2]; else NULL */
    const char *bed_name; /* in files: NAME_bed */
    char *bed_units, *bed_long_name;
} Tracer;

/* Tracers, each times a number, added up. */
typedef struct TracerSum {
    int n_terms;
    int tracer[MAEOTIS_MOST_TERMS];
    double factor[MAEOTIS_MOST_TERMS];
} TracerSum;

/* Such a sum as a variable of its own: a kinetics module's, whose texts these are. */
typedef struct Diagnostic {
    const char *name, *units, *long_name, *standard_name;
    TracerSum sum;
} Diagnostic;

/* A condition that the scenario watches (events/events.h). */
typedef struct StateEvent {
    const char *name;          /* the scenario's */
    double *duration;          /* 2-D, one of `kept`: since the start, where the scenario looks [s] */
    const char *duration_name; /* in files: NAME_duration */
    char *condition;           /* "oxygen below 62 mmol m-3" */
    const char *where;         /* "in the lowest layer" */
    char *duration_words;
} StateEvent;

/* A number that the next step needs and a restart holds. */
typedef struct StateNumber {
    const char *name;
    double *value;
    bool may_lack; /* a file without it leaves the value as it is */
} StateNumber;

typedef struct StateField {
    const char *name;
    double *data;
    bool three_d;
    char place;     /* 'c', 'u', 'v', 'w' */
    bool last_face; /* on a periodic grid, is the last face kept too, and not taken to be face 0? */
} StateField;

typedef struct State {
    const Grid *grid; /* not owned */
    double start;     /* of the run [s since 1970] */
    double time;      /* since the start [s] */
    int64_t step;     /* steps done since the start */
    double dry_depth; /* water thinner than this counts as dry in files [m] */

    /* two-dimensional */
    double *depth;             /* H, of the water column [m]; never negative */
    double *eta;               /* b + H [m]; the bed where it is dry */
    double *increment;         /* of eta in the last step: where the solver of the next begins [m] */
    double *depth_u, *depth_v; /* moving depth of the faces [m]; 0: dry */

    /* three-dimensional */
    double *u, *v;           /* [m s-1] */
    double *flux_u, *flux_v; /* volume through west and south faces in the last step, per second [m3 s-1] */
    double *flux_w;          /* through the lower face, relative to the moving layers, upwards [m3 s-1] */

    /* tracers: all at centres */
    Tracer *tracer;
    int n_tracers;
    int temperature, salinity; /* their numbers; -1: the scenario has none */
    Diagnostic *diagnostic;
    int n_diagnostics;
    StateEvent *event;
    int n_events;

    /* turbulence at the lower faces, for the next step; NULL where the closure has none (turbulence.h) */
    double *tke, *dissipation;                         /* k [m2 s-2], epsilon [m2 s-3] */
    double *vertical_viscosity, *vertical_diffusivity; /* [m2 s-1] */
    /* what a step makes of the first, where it needs the old one of other columns, too; else NULL; not in the restart */
    double *viscosity_next;

    /* of the bed, the drag law's parameter, with halo (momentum/roughness.h); NULL: the same everywhere; not in the
     * restart */
    double *roughness;
    const char *roughness_what, *roughness_units;

    double *horizontal_viscosity; /* with halo, for the next step (momentum/smagorinsky.h) [m2 s-1]; NULL:
                                     constant; not in the restart */
    /* attenuation of light by what is in the water [m-1] (model/kinetics/reactions.h); NULL: none; not in the restart */
    double *shade;
    double *density; /* rho' (model/density/density.h) [kg m-3]; NULL: constant; not in the restart */

    /* three-dimensional; NULL in a hydrostatic sea */
    double *w;       /* upward velocity at the upper face [m s-1] */
    double *q;       /* non-hydrostatic pressure over density, at the centre [m2 s-2] */
    double *inertia; /* two-dimensional: part of its vertical inertia that a column had in the last step */

    /* latent heat given off by water that froze, two-dimensional, one of `kept` (exchange/exchange.h) [J m-2]; NULL:
     * nothing can freeze */
    double *ice;

    /* forcing at the new time level, two-dimensional (not part of the restart) */
    double *stress_u, *stress_v; /* wind stress over water density at u and v points [m2 s-2] */
    double *heat_flux;           /* from the air in the last step [W m-2]; NULL if the scenario has none */
    double *air_pressure;        /* at centres, with one halo cell [Pa]; NULL if the scenario has none */
    double *equilibrium;         /* the same: equilibrium tide (boundary/equilibrium_tide.h) [m] */

    /* of waves that the wind makes (waves/wind_waves.h), at centres; NULL if the scenario has none; not in the restart */
    double *wave_height, *wave_period; /* significant [m], of the peak [s] */
    double *wave_x, *wave_y;           /* where they travel to: of length 1, or 0 */
    double *stokes_u, *stokes_v; /* Stokes drift of the last step, three-dimensional, one of `kept` [m s-1] */
    double *wave_stress;         /* at the bed, over density, with halo [m2 s-2]; -1 where no water can be */

    /* what other parts remember from step to step, for the restart */
    StateField *kept;
    int n_kept;
} State;

CHECKED Status state_create(const Grid *grid, bool air_pressure, State **out);
void state_destroy(State **state);

/* Adds one, 0 everywhere; the texts are copied. Its number is n_tracers - 1 afterwards. */
void state_add_tracer(State *state, const char *name, const char *units, const char *long_name,
                      const char *standard_name);

/* Gives the last tracer a bed; the texts are copied. */
void state_add_bed(State *state, const char *units, const char *long_name);

/* Adds one without terms. */
TracerSum *state_add_diagnostic(State *state, const MaeotisDiagnostic *is);

/* A field of the state's own, zero at first, that a restart holds under this name (copied). */
double *state_keep(State *state, const char *name, bool three_d, char place);

/* Swaps a field of state_keep with another one, for the restart, too. */
void state_swap(State *state, double **kept, double **other);

/* The fields that a restart must hold, and their number. Names live as long as the state. */
int state_field_count(const State *state);
void state_fields(const State *state, StateField *out);

/* A 64-bit sum over all cells that is the same for any number of ranks and devices, and differs if any bit of
 * u, v, depth, w, q, a tracer or its bed does. Collective. */
uint64_t state_digest(const State *state);

/* Adds what this rank has of it to *sum, with the next fetch (gpu/results.h). Local. */
void state_digest_ask(const State *state, uint64_t *sum);

#endif
