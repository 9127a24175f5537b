/* SPDX-License-Identifier: Apache-2.0 */
#include "program/watch.h"

#include "base/calendar.h"
#include "base/memory.h"
#include "model/momentum/terms.h"
#include <inttypes.h>
#include <math.h>

enum { VELOCITY, DEPTH, LEVEL, FIRST_TERM, WATCHED_VALUES = FIRST_TERM + MOMENTUM_TERM_COUNT };

Status watch_add(Watch *watch, const char *text) {
    char component, more;
    WatchedFace face = {false, 0, 0, 0};
    const int found = sscanf(text, "%c,%9d,%9d,%9d%c", &component, &face.i, &face.j, &face.k, &more);
    CHECK(found == 4 && (component == 'u' || component == 'v'), STATUS_BAD_INPUT,
          "--watch %s: give a face as u,I,J,LEVEL or v,I,J,LEVEL, such as u,120,31,0", text);
    CHECK(watch->count < MOST_WATCHED, STATUS_BAD_INPUT, "--watch: at most %d faces", MOST_WATCHED);
    face.along_x = component == 'u';
    watch->face[watch->count++] = face;
    return STATUS_OK;
}

Status watch_check(const Watch *watch, const Grid *g) {
    for (int n = 0; n < watch->count; n++) {
        const WatchedFace f = watch->face[n];
        CHECK(f.i >= 0 && f.i < g->nx + f.along_x && f.j >= 0 && f.j < g->ny + !f.along_x && f.k >= 0 &&
                  f.k < g->n3,
              STATUS_BAD_INPUT, "--watch %s,%d,%d,%d: there is no such face: the grid has %d x %d x %d cells",
              f.along_x ? "u" : "v", f.i, f.j, f.k, g->nx, g->ny, g->n3);
    }
    return STATUS_OK;
}

/* The level beside the face: the mean of both sides, or of the one that can hold water. */
static double level_beside(const Simulation *sim, ptrdiff_t m, ptrdiff_t before) {
    const Grid *g = sim->grid;
    const double *eta = sim->state->eta;
    const bool here = g->area[m] > 0, there = g->area[before] > 0;
    return here && there ? (eta[m] + eta[before]) / 2 : here ? eta[m] : there ? eta[before] : NAN;
}

/* Fills the values of a face, if this rank has it. */
static void look(const Simulation *sim, WatchedFace f, double *value) {
    const Grid *g = sim->grid;
    const int i = f.i - g->i_first, j = f.j - g->j_first;
    const int beyond_x = f.along_x && f.i == g->nx, beyond_y = !f.along_x && f.j == g->ny;
    if (i < 0 || i >= g->n1 + beyond_x || j < 0 || j >= g->n2 + beyond_y) return;
    const Faces *faces = f.along_x ? &sim->u : &sim->v;
    const ptrdiff_t m = AT2(*g, i, j);
    value[VELOCITY] = faces->velocity[AT(*g, i, j, f.k)];
    value[DEPTH] = faces->depth[m];
    value[LEVEL] = level_beside(sim, m, f.along_x ? AT2(*g, i - 1, j) : AT2(*g, i, j - 1));
    const TermsAt at = {simulation_momentum(sim, f.along_x), i, j, f.k, value + FIRST_TERM};
    momentum_terms_at(sim->exec, f.along_x ? g->blocks_u : g->blocks_v, at);
    exec_wait(sim->exec);
}

/* JSON knows no NaN. */
static void put(FILE *file, const char *name, double value) {
    if (isfinite(value))
        fprintf(file, "\"%s\": %.17g", name, value);
    else
        fprintf(file, "\"%s\": null", name);
}

void watch_write(const Watch *watch, const Simulation *sim, FILE *file) {
#define NAME(function, time, words, advice) words,
    static const char *const terms[] = {MOMENTUM_TERMS(NAME)};
    const int count = watch->count * WATCHED_VALUES;
    if (count == 0) return;
    double *value = ALLOCATE(count, double);
    exec_wait(sim->exec);
    for (int n = 0; n < count; n++) value[n] = 0;
    for (int n = 0; n < watch->count; n++) look(sim, watch->face[n], value + (ptrdiff_t)n * WATCHED_VALUES);
    /* one rank has each face; the others add nothing */
    MPI_Allreduce(MPI_IN_PLACE, value, count, MPI_DOUBLE, MPI_SUM, sim->grid->comm);
    char date[32];
    calendar_format_since(sim->state->start, sim->state->time, date);
    if (file)
        fprintf(file, "{\"step\": %" PRId64 ", \"time\": \"%s\", \"watched\": [", sim->state->step, date);
    for (int n = 0; file && n < watch->count; n++) {
        const WatchedFace f = watch->face[n];
        const double *v = value + (ptrdiff_t)n * WATCHED_VALUES;
        fprintf(file, "%s{\"face\": \"%s,%d,%d,%d\", ", n ? ", " : "", f.along_x ? "u" : "v", f.i, f.j, f.k);
        put(file, "velocity_m_s", v[VELOCITY]), fputs(", ", file);
        put(file, "depth_m", v[DEPTH]), fputs(", ", file);
        put(file, "level_m", v[LEVEL]), fputs(", \"terms_m_s2\": {", file);
        for (int t = 0; t < MOMENTUM_TERM_COUNT; t++) {
            if (t) fputs(", ", file);
            put(file, terms[t], v[FIRST_TERM + t]);
        }
        fputs("}}", file);
    }
    if (file) fputs("]}\n", file);
    memory_free(value);
}
