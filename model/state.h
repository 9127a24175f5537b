/* SPDX-License-Identifier: Apache-2.0
 *
 * The state of the sea at one time, on one rank: the fields that a step reads and writes. Places and indices
 * as in numerics/grid/grid.h; state_fields.h declares them. `state_fields` names everything that the next step needs, so that a
 * restart is exact.
 */
#ifndef MAEOTIS_MODEL_STATE_H
#define MAEOTIS_MODEL_STATE_H

#include "base/error.h"
#include "kinetics/maeotis_kinetics.h"
#include "model/state_fields.h"
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
    /* With ground inside cells: heights of the ground at the stations of all outputs (subgrid.h), not owned; NULL: even cells [m] */
    const double *spots;
    const struct Hypsometry *ground; /* of columns (subgrid/hypsometry.h), not owned; NULL: even cells */

#define STATE_MEMBER_(name, shape, place, owner, restart, digest, output, meaning) double *name;
    STATE_FIELDS(STATE_MEMBER_) /* state_fields.h says what each is */
#undef STATE_MEMBER_

    const char *roughness_what, *roughness_units; /* of the drag law's parameter */

    /* tracers: all at centres */
    Tracer *tracer;
    int n_tracers;
    int temperature, salinity; /* their numbers; -1: the scenario has none */
    Diagnostic *diagnostic;
    int n_diagnostics;
    StateEvent *event;
    int n_events;

    /* what other parts remember from step to step, for the restart */
    StateField *kept;
    int n_kept;
} State;

/* The fields of state_fields.h by number. */
#define STATE_NUMBER_(name, shape, place, owner, restart, digest, output, meaning) STATE_##name,
typedef enum StateFieldId { STATE_FIELDS(STATE_NUMBER_) STATE_FIELD_COUNT } StateFieldId;
#undef STATE_NUMBER_

typedef struct StateFieldRow {
    const char *name;
    bool three_d, always, in_restart, seen;
    char place;
    int digest;
    size_t member; /* offset in State */
} StateFieldRow;
const StateFieldRow *state_field_row(int id);
double **state_member(State *state, int id);
const double *state_field(const State *state, int id); /* NULL: this state has none */

CHECKED Status state_create(const Grid *grid, State **out);
void state_destroy(State **state);

/* Makes a field that not every state has, with this value everywhere, ghost cells too. */
void state_make(State *state, StateFieldId id, double value);

/* Adds one, 0 everywhere; the texts are copied. Its number is n_tracers - 1 afterwards. */
void state_add_tracer(State *state, const char *name, const char *units, const char *long_name,
                      const char *standard_name);

/* Gives the last tracer a bed; the texts are copied. */
void state_add_bed(State *state, const char *units, const char *long_name);

/* Adds one without terms. */
TracerSum *state_add_diagnostic(State *state, const MaeotisDiagnostic *is);

/* A field of another part of the model, zero at first, that a restart holds under this name (copied). */
double *state_keep(State *state, const char *name, bool three_d, char place);

/* The fields that a restart must hold, and their number. Names live as long as the state. */
int state_field_count(const State *state);
void state_fields(const State *state, StateField *out);

/* A 64-bit sum over all cells that is the same for any number of ranks and devices, and differs if any bit of
 * u, v, depth, w, q, a tracer or its bed does. Collective. */
uint64_t state_digest(const State *state);

/* Adds what this rank has of it to *sum, with the next fetch (gpu/results.h). Local. */
void state_digest_ask(const State *state, uint64_t *sum);

#endif
