/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/columns.h"

#include "base/calendar.h"
#include "base/log.h"
#include "base/memory.h"
#include "model/forcing/deal.h"
#include "model/forcing/field_names.h"
#include "model/forcing/gridded_source.h"
#include "model/forcing/level_heights.h"
#include "model/forcing/moment.h"
#include "model/forcing/nearest.h"
#include "model/forcing/positions.h"
#include "model/forcing/source_parts.h"
#include "model/forcing/source_records.h"
#include <math.h>
#include <string.h>

enum { CORNERS = 4 }; /* of a place */

/* Where a place is among the own columns. */
typedef struct Corners {
    int column[CORNERS];
    double part[2]; /* along x and y */
    int row;        /* the nearest along a sill */
    bool within;    /* the file's area */
} Corners;

struct Columns {
    MPI_Comm comm;
    int rank;
    Deal deal;
    /* on rank 0 */
    GriddedSource source;
    LevelHeights heights;
    double *whole;  /* a record; of initial values, which come once, only a level */
    double *plane;  /* a level as it is sent */
    double *lowest; /* of each column; then what holds at the level */
    unsigned char *has_value;
    ptrdiff_t *nearest;
    /* on all */
    char *path, *beside;
    SourceShape is;
    int levels;
    double start; /* [s since 1970] */
    Moment moment;
    bool initial, told;
    bool eastward; /* the grid is on a map, and the velocity not along its axes: */
    Columns
        *across; /* the other component, whose columns of a record stand behind the own ones; NULL: none */
    double (*weight)[2]; /* of each place: of the own value and of the other */
    char sill;
    int places, count;   /* columns of this rank */
    Corners *at;         /* of each place */
    ptrdiff_t stride;    /* 0: heights are the same in all columns, else `levels` */
    double *z;           /* [column * stride + level] */
    double *level, *has; /* of the own columns: a level that came, and 1 where there are values */
};

static size_t area_of(const Columns *c) {
    return (size_t)c->is.count[0] * (size_t)c->is.count[1];
}

/* ---- opening ---- */

static Status check_name(const Columns *c, const ProfileSource *what) {
    char *name = netcdf_text(c->source.file, c->source.variable.id, "standard_name"),
         *file = memory_format("%s (%s)", what->path, c->source.variable.name);
    Status status = field_names_check(name ? name : "", what->carried, what->place, file);
    memory_free(name);
    memory_free(file);
    return status;
}

/* Data in degrees are eastward; in metres of the same map, what says so. */
static bool is_eastward(const GriddedSource *s, const Axes *axes) {
    char *name = netcdf_text(s->file, s->variable.id, "standard_name");
    const bool says = name && (strstr(name, "eastward") || strstr(name, "northward"));
    memory_free(name);
    return axes->map && (s->degrees || says);
}

static Status open_source(Columns *c, const ProfileSource *what, const Grid *g, const Scenario *scenario,
                          const SourceWindow *window) {
    GriddedSource *s = &c->source;
    TRY(source_open_part(what->path, what->variable, &what->names, &g->axes, scenario, window, true,
                         what->initial ? &c->moment : NULL, s));
    CHECK(!what->flat || s->variable.z < 0, STATUS_BAD_INPUT,
          "%s: %s has levels, but %s has none: name another variable (%s)", what->path, s->variable.name,
          what->names.what, what->place);
    TRY(check_name(c, what));
    c->eastward = is_eastward(s, &g->axes);
    TRY(level_heights_read(s->file, &s->variable, &s->x, &s->y, &c->heights));
    return netcdf_check_room(s->file, &s->variable, s->x.count, s->y.count,
                             c->initial ? 1 : c->heights.count);
}

/* Rank 0 tells the others what it found. */
static void share_shape(Columns *c) {
    int shape[3] = {c->heights.count, c->heights.stride > 0, c->eastward};
    source_share(c->comm, &c->source, c->start, &c->is);
    MPI_Bcast(shape, 3, MPI_INT, 0, c->comm);
    MPI_Bcast(&c->moment, sizeof c->moment, MPI_BYTE, 0, c->comm);
    c->levels = shape[0];
    c->stride = shape[1] ? c->levels : 0;
    c->eastward = shape[2];
}

/* ---- where places are ---- */

/* The places' corners, first as columns of the window. */
static void locate_places(Columns *c, const Positions *p) {
    double *const *at = c->is.at;
    c->at = ALLOCATE(c->places + 1, Corners);
    for (int n = 0; n < c->places; n++) {
        Corners *to = &c->at[n];
        int low[2], next[2];
        to->within = !p->within || p->within[n];
        for (int d = 0; d < 2; d++) {
            const double here = d == 0 ? p->x[n] : p->y[n], first = at[d][0],
                         last = at[d][c->is.count[d] - 1], slack = POSITION_CLOSE * (last - first);
            low[d] = level_locate(at[d], c->is.count[d], here, &to->part[d]);
            next[d] = to->part[d] > 0 ? (d == 0 ? 1 : c->is.count[0]) : 0;
            to->within = to->within && here >= first - slack && here <= last + slack;
        }
        to->row = c->sill == 'x' ? low[1] + (to->part[1] >= 0.5) : low[0] + (to->part[0] >= 0.5);
        const int first = low[1] * c->is.count[0] + low[0];
        const int corner[CORNERS] = {first, first + next[0], first + next[1], first + next[1] + next[0]};
        memcpy(to->column, corner, sizeof corner);
    }
}

/* Numbers the columns that this rank needs; `own` lists them, to be freed. */
static int *number_columns(Columns *c) {
    const int all = (int)area_of(c);
    int *number = ALLOCATE(all, int), *own;
    for (int n = 0; n < c->places; n++)
        for (int k = 0; k < CORNERS; k++) number[c->at[n].column[k]] = 1;
    for (int m = 0; m < all; m++) c->count += number[m];
    own = ALLOCATE(c->count + 1, int);
    for (int m = 0, count = 0; m < all; m++)
        if (number[m]) {
            own[count] = m;
            number[m] = count++;
        }
    for (int n = 0; n < c->places; n++)
        for (int k = 0; k < CORNERS; k++) c->at[n].column[k] = number[c->at[n].column[k]];
    memory_free(number);
    return own;
}

static void make_room(Columns *c) {
    c->level = ALLOCATE(c->count + 1, double);
    c->has = ALLOCATE(c->count + 1, double);
    if (c->rank > 0) return;
    c->plane = ALLOCATE(area_of(c), double);
    c->lowest = ALLOCATE(area_of(c), double);
    c->whole = ALLOCATE(area_of(c) * (size_t)(c->initial ? 1 : c->levels), double);
    c->has_value = ALLOCATE(area_of(c), unsigned char);
    c->nearest = ALLOCATE(area_of(c), ptrdiff_t);
}

static void send_heights(Columns *c) {
    const size_t columns = c->stride ? (size_t)c->count : 1,
                 area = c->stride && c->rank == 0 ? area_of(c) : 0;
    c->z = ALLOCATE(columns * (size_t)c->levels + 1, double);
    if (c->stride == 0 && c->rank == 0) memcpy(c->z, c->heights.z, (size_t)c->levels * sizeof *c->z);
    if (c->stride == 0) MPI_Bcast(c->z, c->levels, MPI_DOUBLE, 0, c->comm);
    for (int k = 0; k < c->levels && c->stride > 0; k++) {
        for (size_t m = 0; m < area; m++) c->plane[m] = c->heights.z[m * (size_t)c->levels + (size_t)k];
        deal_send(&c->deal, c->plane, c->level);
        for (int n = 0; n < c->count; n++) c->z[(ptrdiff_t)n * c->stride + k] = c->level[n];
    }
}

/* ---- records ---- */

/* Says once that most of what is wanted lies on the file's land. */
static void tell_land(Columns *c, const char *date) {
    int without = 0;
    const int wanted = c->deal.total;
    for (int n = 0; n < wanted; n++) without += !c->has_value[c->deal.wanted[n]];
    if (c->initial || c->told || 2 * without <= wanted) return;
    c->told = true;
    log_warn("%s: %s has no value (%s) in %d of the %d columns that %s needs: the nearest ones are taken",
             c->path, c->is.name, date, without, wanted, c->beside);
}

static double *level_of(const Columns *c, int k) {
    return c->whole + (c->initial ? 0 : (size_t)k * area_of(c));
}

/* On rank 0: which columns have values, and which of them stand in for the others. */
static Status look_over(Columns *c, int record) {
    GriddedSource *s = &c->source;
    const size_t area = area_of(c);
    char date[32] = "always";
    for (int k = 0; k < c->levels; k++) {
        TRY(source_read_level(s, record, c->heights.index[k], level_of(c, k)));
        for (size_t m = 0; m < area; m++)
            if (k == 0 || isnan(c->lowest[m])) c->lowest[m] = level_of(c, k)[m];
    }
    for (size_t m = 0; m < area; m++) c->has_value[m] = !isnan(c->lowest[m]);
    if (s->records > 0) calendar_format(s->time[record], date);
    CHECK(nearest_columns(c->is.count, c->has_value, c->nearest), STATUS_BAD_INPUT,
          "%s: %s has no value anywhere around %s in record %d (%s)", parts_path(s, record), c->is.name,
          c->beside, parts_number(s, record), date);
    tell_land(c, date);
    return STATUS_OK;
}

/* A level without gaps: in a column without a value there that of the level below, or its lowest. */
static Status fill_level(Columns *c, int record, int k) {
    const size_t area = area_of(c);
    const double *level = level_of(c, k);
    if (c->initial) TRY(source_read_level(&c->source, record, c->heights.index[k], level_of(c, k)));
    for (size_t m = 0; m < area; m++)
        if (!isnan(level[m])) c->lowest[m] = level[m];
    for (size_t m = 0; m < area; m++)
        c->plane[m] = c->sill && !c->has_value[m] ? HUGE_VAL : c->lowest[c->nearest[m]];
    return STATUS_OK;
}

static size_t own_size(const Columns *c) {
    return (size_t)(c->count + 1) * (size_t)c->levels;
}

Status columns_load(Columns *c, int record, double *values) {
    if (c->across) TRY(columns_load(c->across, record, values + own_size(c)));
    Status status = status_agree(c->comm, c->rank == 0 ? look_over(c, record) : STATUS_OK);
    TRY(status);
    for (int k = 0; k < c->levels; k++) {
        if (c->rank == 0 && status == STATUS_OK) status = fill_level(c, record, k);
        deal_send(&c->deal, c->plane, c->level);
        for (int n = 0; n < c->count; n++) values[(ptrdiff_t)n * c->levels + k] = c->level[n];
    }
    if (c->initial) {
        for (size_t m = 0; c->rank == 0 && m < area_of(c); m++) c->plane[m] = c->has_value[m];
        deal_send(&c->deal, c->plane, c->has);
    }
    return status_agree(c->comm, status);
}

static double mixed(double a, double b, double part) {
    return part > 0 ? a + part * (b - a) : a;
}

static double sill_of(const Columns *c, const double *values, const Corners *at) {
    const bool x = c->sill == 'x', next = at->part[x ? 1 : 0] >= 0.5;
    const int first = next ? (x ? 2 : 1) : 0;
    return fmax(values[at->column[first]], values[at->column[first + (x ? 1 : 2)]]);
}

static double own_at(const Columns *c, const double *values, int place, double z) {
    const Corners *at = &c->at[place];
    double corner[CORNERS], part = 0;
    if (c->sill) return sill_of(c, values, at);
    for (int k = 0; k < CORNERS; k++) {
        const int column = at->column[k],
                  low = c->levels > 1 ? level_locate(c->z + column * c->stride, c->levels, z, &part) : 0;
        const double *value = values + (ptrdiff_t)column * c->levels + low;
        corner[k] = mixed(value[0], value[part > 0], part);
    }
    return mixed(mixed(corner[0], corner[1], at->part[0]), mixed(corner[2], corner[3], at->part[0]),
                 at->part[1]);
}

double columns_at(const Columns *c, const double *values, int place, double z) {
    const double own = own_at(c, values, place, z);
    if (!c->across) return own;
    return c->weight[place][0] * own +
           c->weight[place][1] * columns_at(c->across, values + own_size(c), place, z);
}

/* ---- making ---- */

static Status create_at(Columns *c, const ProfileSource *what, const Positions *p, const SourceWindow *window,
                        const Grid *g, const Scenario *scenario) {
    TRY(status_agree(c->comm, c->rank == 0 ? open_source(c, what, g, scenario, window) : STATUS_OK));
    share_shape(c);
    locate_places(c, p);
    int *own = number_columns(c);
    deal_create(c->comm, own, c->count, &c->deal);
    make_room(c);
    send_heights(c);
    memory_free(own);
    return STATUS_OK;
}

/* The other component of a velocity that the axes of the grid are turned against. */
static Status add_across(Columns *c, const ProfileSource *what, const double *x, const double *y,
                         const Grid *g, const Scenario *scenario) {
    ProfileSource other = *what;
    if (!c->eastward || !what->across) return STATUS_OK;
    other.names = *what->across, other.variable = what->across_variable, other.across = NULL;
    TRY(columns_create(&other, c->places, x, y, g, scenario, &c->across));
    const SourceShape *one = &c->is, *two = &c->across->is;
    CHECK(one->records == two->records &&
              memcmp(one->time, two->time, (size_t)one->records * sizeof(double)) == 0,
          STATUS_BAD_INPUT, "%s: %s and %s have different times", what->path, one->name, two->name);
    c->weight = memory_allocate((size_t)c->places + 1, sizeof *c->weight);
    for (int n = 0; n < c->places; n++) {
        const double turn = axes_turn(&g->axes, x[n], y[n]);
        c->weight[n][0] = cos(turn);
        c->weight[n][1] = what->along_y ? -sin(turn) : sin(turn);
    }
    return STATUS_OK;
}

Status columns_create(const ProfileSource *what, int places, const double *x, const double *y, const Grid *g,
                      const Scenario *scenario, Columns **out) {
    SourceWindow window;
    Positions p = {places, ALLOCATE(places + 1, double), ALLOCATE(places + 1, double), NULL, false};
    Columns *c = ALLOCATE(1, Columns);
    *c = (Columns){.comm = g->comm,
                   .start = scenario->time.start,
                   .initial = what->initial,
                   .sill = what->sill,
                   .path = memory_copy_text(what->path),
                   .beside = memory_copy_text(what->beside),
                   .places = places};
    MPI_Comm_rank(c->comm, &c->rank);
    memcpy(p.x, x, (size_t)places * sizeof *x);
    memcpy(p.y, y, (size_t)places * sizeof *y);
    Status status = positions_in_degrees(what, g, &p);
    const bool any = status == STATUS_OK && positions_area(&p, what, g, &window);
    if (any) status = positions_find(what, g, &p);
    if (any && p.by_index) (void)positions_area(&p, what, g, &window);
    if (any && status == STATUS_OK) status = create_at(c, what, &p, &window, g, scenario);
    if (any && status == STATUS_OK) status = add_across(c, what, x, y, g, scenario);
    if (!any || status != STATUS_OK) columns_destroy(&c);
    memory_free(p.x), memory_free(p.y), memory_free(p.within);
    *out = c;
    return status;
}

void columns_destroy(Columns **columns) {
    Columns *c = *columns;
    if (!c) return;
    if (c->rank == 0) source_close(&c->source);
    columns_destroy(&c->across);
    memory_free(c->weight);
    level_heights_free(&c->heights);
    memory_free(c->whole), memory_free(c->plane), memory_free(c->lowest);
    memory_free(c->has_value), memory_free(c->nearest);
    deal_free(&c->deal);
    source_shape_free(&c->is);
    memory_free(c->path), memory_free(c->beside);
    memory_free(c->at), memory_free(c->z), memory_free(c->level), memory_free(c->has);
    memory_free(c);
    *columns = NULL;
}

/* ---- for others ---- */

size_t columns_size(const Columns *c) {
    return own_size(c) + (c->across ? columns_size(c->across) : 0);
}

bool columns_cover(const Columns *c, int place) {
    const Corners *at = &c->at[place];
    bool covered = at->within;
    for (int k = 0; k < CORNERS; k++) covered = covered && c->has[at->column[k]] > 0;
    return covered && (!c->across || columns_cover(c->across, place));
}

int columns_row(const Columns *c, int place) {
    return c->at[place].row;
}

int columns_levels(const Columns *c) {
    return c->levels;
}

int columns_records(const Columns *c, const double **time) {
    *time = c->is.time;
    return c->is.records;
}

double columns_moment(const Columns *c, int record[2]) {
    memcpy(record, c->moment.record, sizeof c->moment.record);
    return c->moment.part;
}

char *columns_describe(const Columns *c) {
    char first[32], last[32];
    const char *date = c->moment.date;
    if (c->initial)
        return memory_format("%s (%s%s%s, %d level%s)", c->path, c->is.name, *date ? ", " : "", date,
                             c->levels, c->levels == 1 ? "" : "s");
    if (c->is.records == 0) return memory_format("%s (steady)", c->path);
    calendar_format(c->start + c->is.time[0], first);
    calendar_format(c->start + c->is.time[c->is.records - 1], last);
    return memory_format("%s (%s to %s, %d records)", c->path, first, last, c->is.records);
}

const char *columns_name(const Columns *c) {
    return c->is.name;
}
