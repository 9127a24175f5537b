/* SPDX-License-Identifier: Apache-2.0
 *
 * Shared by the files of tracers: tracers.c makes them, tracers_step.c does their step,
 * account.c keeps their budgets.
 */
#ifndef MAEOTIS_MODEL_TRACERS_INTERNAL_H
#define MAEOTIS_MODEL_TRACERS_INTERNAL_H

#include "model/tracers/brought.h"
#include "model/tracers/diffusion.h"
#include "model/tracers/implicit_transport.h"
#include "model/tracers/level_mixing.h"
#include "model/tracers/passes.h"
#include "model/tracers/rings.h"
#include "model/tracers/tracers.h"

enum { NUMBERS = 7 }; /* of a tracer, in restarts; the last of those that react */

enum { BELOW_ALL, ABOVE_ALL, BOUNDS }; /* minus the least, and the largest value */

/* What the budget of a step needs from all ranks. */
typedef struct Found {
    double nudged;        /* gain; 0: none */
    double came, through; /* gain per second from rivers, through boundaries */
    double mean, bed;     /* sums over columns of their areas times the contents, the beds */
    double bounds[BOUNDS];
} Found;

/* The data of one tracer beside its values. */
typedef struct Part {
    const Value *initial;
    double *load, *carried; /* 2-D: of Carried */
    double start, sources, air, boundaries, reactions;
    bool reacts;
    Found found;
    double least_ever, most_ever;   /* of all cells since the start */
    double settling, ageing, decay; /* [m s-1], [units s-1], [s-1] */
    const Value *initial_bed;
    Bed bed;
    const double *ice;    /* of temperature, where water may freeze (exchange/exchange.h) [J m-2] */
    double heat_capacity; /* of a volume [J m-3 K-1] */
    char *number_names[NUMBERS];
} Part;

struct Tracers {
    State *state;
    Exec exec;
    Rivers *rivers;
    Boundaries *boundaries;
    Brought *brought;
    TracerWatch watch; /* of a zoom; all NULL: none */
    Halo *halo;
    double **exchanged; /* fields of a halo_exchange; kept, since to free memory waits for a GPU */
    Part *part;
    TracerAccount *account;
    Tally *tally; /* for stocks outside steps */
    double dt;    /* length of the last step [s] */
    double water; /* volume, where a tracer grows with it [m3] */
    TransportScheme scheme;
    Passes *passes;
    int at_once;                       /* tracers in one pass, the same on all ranks */
    Rings *rings;                      /* NULL until substeps need them */
    Unsettled unsettled;               /* by them, in the last step */
    ImplicitTransport *implicit;       /* NULL: explicit */
    TracerDiffusion *diffusion;        /* along the layers; NULL: none */
    double *spare;                     /* 3-D, for that */
    LevelMixer *levels;                /* in its place: along heights or density; NULL: none */
    double *out;                       /* 3-D, of Transport; NULL until there is a hot cell */
    Carried whole[MOST_CARRIED];       /* whole fields; NULL until something needs them */
    double *reach, *hot;               /* 2-D */
    Contents contents[MOST_CARRIED];   /* 2-D, of the tracers that were carried last */
    double *stress;                    /* at the bed, 2-D; NULL where no tracer has a bed [Pa] */
    int column_blocks;                 /* in which columns are mixed; 0: whole */
    double diffusivity;                /* down the columns, where it is constant [m2 s-1] */
    double density, full_stress_depth; /* [kg m-3], [m] */
};

/* Whole fields that serve all tracers: what the implicit scheme needs of them, small steps of the low order,
 * and small steps with corrections. */
enum { FIELDS_OF_IMPLICIT = 2, FIELDS_OF_LOW = 4, WHOLE_FIELDS = 9 };

/* One of them; n < WHOLE_FIELDS. Local. */
double **tracers_whole_field(Carried *carried, int n);

/* `count` tracers from `first` on with their columns' water and bed, for mix_columns or find_contents. */
Mixing tracers_mixing(const Tracers *tracers, double dt, int first, int count);

/* Asks for the gains and losses with the water, before it moves, from the results of the substeps. Local. */
void account_ask_flows(Tracers *tracers, const Transport *transport, int first, Tally *tally);

/* Asks for the contents, as found. Local. */
void account_ask(Tracers *tracers, int first, int count, Tally *tally);

/* Compares the contents of the tracers from `first` on with those by the budget, after a step of `dt`; 0: none.
 * Local. */
void account_close(Tracers *tracers, double dt, int first);

#endif
