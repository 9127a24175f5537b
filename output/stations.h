/* SPDX-License-Identifier: Apache-2.0
 *
 * Inside the station files: stations_define.c makes them, stations.c fills them.
 */
#ifndef MAEOTIS_OUTPUT_STATIONS_H
#define MAEOTIS_OUTPUT_STATIONS_H

#include "output/parts.h"

enum { MOST_SAMPLES = 64, NAME_LENGTH = STATION_NAME_BYTES };

typedef struct Station {
    GridPlace place;
    bool mine;
    double x, y,
        bed; /* of the cell, but with ground inside cells the bed at the station; of a structure the middle of its line */
    char name[NAME_LENGTH];
} Station;

/* Of the cell; or, with ground inside cells, of the station's own place. */
typedef enum StationReads { READS_CELL, READS_LEVEL, READS_DEPTH } StationReads;

/* One variable of the file; z is the last where there are layers. */
typedef struct Series {
    OutputVariable variable;
    const OutputVariable *is; /* the above; NULL: z, or */
    const FlowRow *flow;      /* of structures */
    char name[NAME_LENGTH];
    StationReads reads;
    int id, n_levels;
    float *values; /* [station][sample][level] */
} Series;

struct StationsFile {
    NcFile file;
    const Grid *grid;
    Station *stations;
    const ScenarioOutput *entry; /* not owned, as the next; while the file is created */
    const Scenario *scenario;
    int n_stations;
    Series *series;
    int n_series;
    double start, water_density, times[MOST_SAMPLES];
    Schedule schedule;
    int64_t records; /* in the file */
    int held;        /* samples not yet written */
    bool three_d;
};

/* Looks up the requested variables of the entry. Local. */
CHECKED Status stations_choose(StationsFile *stations, const Making *making);

/* Finds the cells of the stations. Collective. */
CHECKED Status stations_place(StationsFile *stations, const Making *making);

/* A new file with the places written; or the earlier run's, if it fits. Collective. */
CHECKED Status stations_define(StationsFile *stations, const Making *making);
CHECKED Status stations_reopen(StationsFile *stations, const char *path);

#endif
