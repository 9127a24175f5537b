/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the library: what stands behind Bmi.data, and the variables and grids that it offers.
 */
#ifndef MAEOTIS_BMI_MODEL_H
#define MAEOTIS_BMI_MODEL_H

#include "bmi/maeotis_bmi.h"
#include "model/given.h"
#include "numerics/cluster/machine.h"
#include "output/layout.h"
#include "output/variables.h"
#include "program/session.h"

/* The grids, by number. Faces have one more along x or y than cells. */
enum { GRID_COLUMNS, GRID_CELLS, GRID_FACES_U, GRID_FACES_V, GRID_RIVERS, GRIDS };

typedef struct Variable {
    OutputVariable what;
    char *standard_name; /* CSDMS's, or made by their rules */
    bool ground;         /* elevation of the bed, which is no output variable */
    bool input;
    int forcing;   /* what it gives in place of the scenario's (model/given.h); -1: nothing */
    double *given; /* by the caller since the last settling; NULL: nothing */
    double *mirror,
        *filled; /* for get_value_ptr: what the caller sees and may change, and what was put there; or NULL */
} Variable;

typedef struct Model {
    MPI_Comm comm; /* MPI_COMM_NULL until initialize */
    int communicator;
    bool communicator_given;
    char **words; /* of options, with the command's name first */
    int n_words;
    RunOptions options;
    Machine machine; /* by which cuts and messages are chosen, if this one has kept it */
    RunRecord record;
    char *command;
    Scenario *scenario;
    Session *session; /* NULL: not initialised */
    Variable *variables;
    int n_variables;
    double end;                         /* of the run [s since the start] */
    bool flow_changed, tracers_changed; /* by the caller on this rank, since the last step */
    bool tracers_open;                  /* a writable view is out */
    bool closed;
    Status status;
    char *message;
} Model;

/* ---- bmi.c ---- */

/* What stands behind the table; made at the first call. Local. */
Model *model_of(Bmi *self);

/* The return value for a status, whose messages are kept. Local. */
int model_tell(Model *model, Status status);

/* Refused before initialize. Local. */
CHECKED Status model_ready(const Model *model);

/* What follows from what callers changed, on any process. Collective. */
CHECKED Status model_settle(Model *model);

/* ---- grids.c, item_values.c ---- */

void grids_register(Bmi *table);
void values_register(Bmi *table);

/* ---- items.c ---- */

/* Lists what this simulation has. Local. */
void variables_create(Model *model);
void variables_destroy(Model *model);

/* By standard or short name; NULL, with a message, if there is none. Local. */
Variable *variable_find(Model *model, const char *name);

int variable_grid(const Variable *variable);
int64_t variable_size(const Model *model, const Variable *variable);

/* All own values, in the order of k, j, i; NaN where there is no water. Local. */
void variable_get(const Model *model, const Variable *variable, double *out);

/* Own values of an input; NaN leaves what is there. `index`: which, of `count`; NULL: all. What the check refuses must
 * not be set. Local. */
CHECKED Status variable_check(const Model *model, const Variable *variable, const double *values,
                              const int *index, int64_t count);
void variable_set(Model *model, Variable *variable, const double *values, const int *index, int64_t count);

/* Refuses what cannot be meant in memory that callers see through writable views. Local. */
CHECKED Status views_check(const Model *model);

/* Hands over the forcing that was given, on all ranks what was on one. Collective. */
CHECKED Status variables_give(Model *model);

/* Takes what callers wrote into mirrors, or nothing on any rank where one refuses its own. Collective. */
CHECKED Status mirrors_take(Model *model);

/* Puts the present values there. Local. */
void mirrors_fill(Model *model);
CHECKED Status mirror_open(Model *model, Variable *variable);

/* Where the state holds the field itself; NULL: it is computed when it is asked for. Local. */
double *variable_field(const Model *model, const Variable *variable);

#endif
