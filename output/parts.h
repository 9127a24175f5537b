/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the output: the kinds of file and what they have in common. `output.c` calls each file with the same
 * few verbs: create, step (sample, write what is due), flush (everything held is on disk), hold (what a
 * restart must carry), destroy.
 */
#ifndef MAEOTIS_OUTPUT_PARTS_H
#define MAEOTIS_OUTPUT_PARTS_H

#include "base/schedule.h"
#include "model/structures/structures.h"
#include "output/layout.h"
#include "output/output.h"
#include "output/variables.h"

/* ---- what every file is made with ---- */

typedef struct Making {
    const Scenario *scenario;
    const RunFacts *facts;
    const State *state;
    const ScenarioOutput *entry;
    const char *path;
    const char *key; /* of the entry, for names in restart files */
    bool resumed;
    /* of a file that begins within the run because its output is cut: */
    bool follows;      /* the part before it */
    double since;      /* the time up to which that holds data */
    Schedule schedule; /* as that leaves it */
    double part_end;   /* INFINITY: the output is not cut */
} Making;

/* Global attributes (CF, ACDD, how the run was made). `scenario`, `feature_type` may be NULL. */
typedef struct Title {
    const char *summary, *feature_type;
    double interval_s;    /* between records; 0: none */
    double from, until;   /* what the file covers [s since the start] */
    const char *part_of;  /* the name of an output that is cut; NULL: it is not */
    const double *extent; /* west, east, south, north of what is in the file; NULL: the layout's */
} Title;
void attributes_define(NcFile *file, const Scenario *scenario, const RunFacts *facts, const Layout *layout,
                       const Title *title);

/* When a file of `making` ends at the latest, and the name of the output that it is a part of, if that is cut. */
double making_until(const Making *making);
const char *making_part_of(const Making *making);

/* Closes a file; where all was `written`, it says which time it covers (`from` NAN: its beginning stays). Collective. */
CHECKED Status attributes_close(NcFile *file, Status written, double start, double from, double until);

/* Defines `time`, and time_bnds if `bounds` >= 0, a dimension of size 2. */
int time_define(NcFile *file, double start, int time_dim, int bounds);

/* The facts of rank 0, on every rank. Collective; to be released. */
RunFacts *facts_share(MPI_Comm comm, const RunFacts *facts);
void facts_release(RunFacts **facts);

/* Names and units of what flows over structures, by StructureSeries (fields_structures.c). */
typedef struct FlowRow {
    const char *name, *units, *long_name;
} FlowRow;
extern const FlowRow flow_rows[FLOW_SERIES];

/* ---- paths (local) ---- */

/* The entry's file in the output folder, of those that are cut the one of this time [s since the start]; to be freed. */
char *path_of_entry(const Scenario *scenario, const ScenarioOutput *entry, double time);

/* The same, and sets the time to where the next file begins; NULL: that is after the end of the run. */
char *path_next(const Scenario *scenario, const ScenarioOutput *entry, double *time);

CHECKED Status path_make_folders(const char *path); /* those that `path` needs */

/* Of a time after the start [s since 1970]; to be freed. */
char *path_of_restart(const char *folder, double start, double elapsed);

/* ---- continuing a file ---- */

/* When records of a file are due; `first` is the first one's time, or of means the end of its interval. */
typedef struct RecordsDue {
    double every, first;
} RecordsDue;
RecordsDue records_due(const Making *making, bool means, double time);

/* Cuts away the records after `time` of a file that may be there; says how many stay (0 if there is no file)
 * and the time of the last. Refused: no NetCDF file of ours, or one that lacks records from before `time`
 * although its header counts them. Collective. */
CHECKED Status records_resume(MPI_Comm comm, const char *path, RecordsDue due, double time, int64_t *records,
                              double *last);

/* When the next record of a continued file is due. A file that lacks records before the restart draws a
 * warning, and goes on with those after it. Local. */
Schedule records_schedule(const char *path, double every, double last, double restart);

/* ---- data of an output in a restart ---- */

typedef struct Held {
    StateField *fields; /* with names of their own; data not owned */
    int n_fields;
    StateNumber *numbers;
    int n_numbers;
} Held;
void held_add_field(Held *held, const char *key, const char *name, double *data, bool three_d, char place);
void held_add_number(Held *held, const char *key, const char *name, double *value);
void held_release(Held *held);
const Held *output_held(const Output *output);

/* After what a restart file holds of the outputs was read: forgets extremes of before a part or, if the run `begins` there,
 * a run. Local. */
void output_resume(Output *output, const State *state, bool begins);

/* Everything sampled so far goes to the disk. Collective. */
CHECKED Status output_flush(const Output *output);

/* ---- the kinds ---- */

typedef struct FieldsFile FieldsFile;
CHECKED Status fields_create(const Making *making, FieldsFile **out);
CHECKED Status fields_step(FieldsFile *fields, const State *state, double elapsed, const LedgerRow *ledger);
void fields_take_ledger(FieldsFile *fields, const LedgerRow *ledger);
bool fields_will_record(const FieldsFile *fields, double time);
bool fields_will_sample(const FieldsFile *fields, double time); /* does this step need halos of fluxes? */
Schedule fields_schedule(const FieldsFile *fields,
                         double *since); /* `since`: of means, where the interval begins */
void fields_hold(FieldsFile *fields, Held *held);
CHECKED Status fields_flush(FieldsFile *fields);
CHECKED Status fields_close(FieldsFile *fields, double time); /* at the end of the run */
void fields_destroy(FieldsFile **fields);

typedef struct StationsFile StationsFile;
CHECKED Status stations_create(const Making *making, StationsFile **out);
CHECKED Status stations_step(StationsFile *stations, const State *state, const LedgerRow *ledger);
bool stations_will_sample(const StationsFile *stations, double time);
Schedule stations_schedule(const StationsFile *stations);
CHECKED Status stations_flush(StationsFile *stations);
CHECKED Status stations_close(StationsFile *stations, double time); /* at the end of the run */
void stations_destroy(StationsFile **stations);

typedef struct ExtremesFile ExtremesFile;
CHECKED Status extremes_create(const Making *making, ExtremesFile **out);
void extremes_step(ExtremesFile *extremes, const State *state, double elapsed);
void extremes_begin_anew(ExtremesFile *extremes, double time);
void extremes_hold(ExtremesFile *extremes, Held *held);
CHECKED Status extremes_flush(ExtremesFile *extremes);
CHECKED Status extremes_close(ExtremesFile *extremes);
void extremes_destroy(ExtremesFile **extremes);

typedef struct HarmonicsFile HarmonicsFile;
CHECKED Status harmonics_create(const Making *making, HarmonicsFile **out);
void harmonics_step(HarmonicsFile *harmonics, const State *state, double elapsed);
void harmonics_hold(HarmonicsFile *harmonics, Held *held);
CHECKED Status harmonics_flush(HarmonicsFile *harmonics);
CHECKED Status harmonics_close(HarmonicsFile *harmonics);
void harmonics_destroy(HarmonicsFile **harmonics);

#endif
