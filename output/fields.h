/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the fields files: fields_define.c makes them, fields.c fills them.
 */
#ifndef MAEOTIS_OUTPUT_FIELDS_H
#define MAEOTIS_OUTPUT_FIELDS_H

#include "output/parts.h"

/* One variable of the file. */
typedef struct Shown {
    OutputVariable variable;
    const OutputVariable *is; /* the above */
    int id;
    Piece piece;
    int n_levels;
    float *values; /* of a record */
    double *sum;   /* means only: value times seconds; NaN where there was none yet */
} Shown;

/* The series that rank 0 writes beside the maps; kept here until they are on the disk. */
typedef struct Beside {
    double time, bounds[2];
    LedgerRow ledger;
    double digest[2]; /* upper and lower half: 32 bits are a whole number of any program's, 64 are not */
    char text[17];    /* the same in a file that an older version began */
} Beside;

struct FieldsFile {
    NcFile file;
    Layout layout;
    Window window;
    Shown *shown;
    int n_shown;
    const State *state;
    double start, water_density;
    Schedule schedule;
    int64_t records;
    char *key;
    bool mean;
    double from, until; /* the interval of the sums [s since the start] */
    LayerSums sums;     /* for w; NULLs: it is not shown */
    double *row;        /* the values of a row */
    double *wet[3];     /* means only: seconds that c, u, v were wet in the interval */
    Beside beside;
    const Scenario *scenario;
    double *flows;                  /* of structures, as in the ledger; NULL: there are none */
    char *structure_names;          /* on rank 0 */
    char *process_names;            /* on rank 0, where there are budgets */
    const MaeotisKinetics *budgets; /* whose processes the file holds; NULL: none */
};

/* The ledger of the run, beside the maps. */
typedef struct LedgerSeries {
    const char *name, *units, *long_name;
    size_t offset;
    bool whole; /* int, not double */
} LedgerSeries;

enum { N_GROUND_SERIES = 3, N_LEDGER_SERIES = 11 + N_GROUND_SERIES };
extern const LedgerSeries ledger_series[N_LEDGER_SERIES]; /* the last of them only where ground takes water */
int fields_ledger_series(const FieldsFile *fields);       /* how many */

/* The same of each tracer: <its name>_<name>, of a TracerAccount; the later ones only with /kinetics/budgets. */
enum { N_TRACER_SERIES = 2, N_BUDGET_SERIES = 6 };
extern const LedgerSeries tracer_series[N_BUDGET_SERIES];
int fields_tracer_series(const FieldsFile *fields); /* how many */

/* The same of each event, of an EventSize. */
enum { N_EVENT_SERIES = 2 };
extern const LedgerSeries event_series[N_EVENT_SERIES];

/* What flows over structures, beside the maps (fields_structures.c): definitions, names on rank 0, a record. */
void fields_define_structures(FieldsFile *fields, int time);
void fields_name_structures(FieldsFile *fields);
void fields_put_structures(FieldsFile *fields);

/* Looks up the requested variables of the entry. Local. */
CHECKED Status fields_choose(FieldsFile *fields, const Making *making);

/* A new file, or the earlier run's, if it holds just what this run would write. Collective. */
CHECKED Status fields_define(FieldsFile *fields, const Making *making);
CHECKED Status fields_reopen(FieldsFile *fields, const Making *making);

#endif
