/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/profiles.h"

#include "base/calendar.h"
#include "base/file_set.h"
#include "base/log.h"
#include "base/memory.h"
#include "model/forcing/curvilinear.h"
#include "model/forcing/field_names.h"
#include "model/forcing/gridded_source.h"
#include "model/forcing/level_heights.h"
#include "model/forcing/nearest.h"
#include "model/forcing/series.h"
#include "model/forcing/source_parts.h"
#include "model/forcing/source_records.h"
#include <math.h>
#include <string.h>

enum { CORNERS = 4, RECORDS = 4 }; /* of a place; held at once */
enum { SPARE = 4 };                /* columns beyond the places, among which the nearest values are */

/* A layer of a place between levels of one of its corners. */
typedef struct Between {
    int low;
    double part;
} Between;

struct Profiles {
    MPI_Comm comm;
    int rank, ranks;
    GriddedSource source; /* on rank 0 */
    LevelHeights heights; /* likewise */
    double *whole;        /* likewise: a record around all places */
    unsigned char *has_value;
    int *wanted, *counts, *firsts; /* likewise: columns of all ranks, and where each rank's are */
    double *packed;
    char *path, *name, *beside;
    int records, levels, shape[3];
    double start, *time; /* [s since the start] */
    bool cubic, told;
    char sill;
    /* of this rank */
    int places, values, columns; /* values: of all places and layers */
    int (*corner)[CORNERS];      /* of each place: numbers of columns */
    double (*part)[2];           /* along x and y */
    int *row;                    /* of each place, the nearest along a sill */
    int *place_of;               /* of each value */
    Between (*between)[CORNERS]; /* of each value */
    bool *used;                  /* of each value: a layer is there */
    double *received;            /* [column][level], of a record */
    double *record[RECORDS];     /* values, of the records `held` */
    int held[RECORDS];
    double *now;
};

/* ---- opening ---- */

static Status check_name(const Profiles *p, const ProfileSource *what) {
    char *name = netcdf_text(p->source.file, p->source.variable.id, "standard_name"),
         *file = memory_format("%s (%s)", what->path, p->source.variable.name);
    Status status = field_names_check(name ? name : "", what->carried, what->place, file);
    memory_free(name);
    memory_free(file);
    return status;
}

static Status open_source(Profiles *p, const ProfileSource *what, const Grid *g, const Scenario *scenario,
                          const SourceWindow *window, bool flat) {
    GriddedSource *s = &p->source;
    TRY(source_open_part(what->path, what->variable, &what->names, &g->axes, scenario, window, true, s));
    CHECK(!flat || s->variable.z < 0, STATUS_BAD_INPUT,
          "%s: %s has levels, but %s has none: name another variable (%s)", what->path, s->variable.name,
          what->names.what, what->place);
    s->least = what->least, s->most = what->most;
    TRY(check_name(p, what));
    TRY(level_heights_read(s->file, &s->variable, &s->x, &s->y, &p->heights));
    return netcdf_check_room(s->file, &s->variable, s->x.count, s->y.count, p->heights.count);
}

/* Rank 0 tells the others what it found. */
static void share_shape(Profiles *p, double **x, double **y) {
    int shape[5] = {p->source.x.count, p->source.y.count, p->heights.count, p->source.records,
                    (int)strlen(p->rank == 0 ? p->source.variable.name : "") + 1};
    MPI_Bcast(shape, 5, MPI_INT, 0, p->comm);
    memcpy(p->shape, shape, sizeof p->shape);
    p->levels = shape[2];
    p->records = shape[3];
    p->time = ALLOCATE(p->records + 1, double);
    p->name = ALLOCATE(shape[4], char);
    *x = ALLOCATE(shape[0], double);
    *y = ALLOCATE(shape[1], double);
    if (p->rank == 0) {
        for (int n = 0; n < p->records; n++) p->time[n] = p->source.time[n] - p->start;
        memcpy(*x, p->source.x.at, (size_t)shape[0] * sizeof **x);
        memcpy(*y, p->source.y.at, (size_t)shape[1] * sizeof **y);
        memcpy(p->name, p->source.variable.name, (size_t)shape[4]);
    }
    MPI_Bcast(p->time, p->records, MPI_DOUBLE, 0, p->comm);
    MPI_Bcast(*x, shape[0], MPI_DOUBLE, 0, p->comm);
    MPI_Bcast(*y, shape[1], MPI_DOUBLE, 0, p->comm);
    MPI_Bcast(p->name, shape[4], MPI_CHAR, 0, p->comm);
}

/* ---- curvilinear grids ---- */

static Status read_curvilinear(const ProfileSource *what, const Axes *axes, Curvilinear *out) {
    NetcdfFile *file = NULL;
    NetcdfVariable v;
    const bool is_velocity = strcmp(what->names.unit ? what->names.unit : "", "m/s") == 0;
    char *path = file_set_first(what->path);
    Status status;
    ATTEMPT(netcdf_open(path, &file));
    ATTEMPT(source_variable(file, path, what->variable, &what->names, &v));
    ATTEMPT(curvilinear_read(file, &v, axes, is_velocity, out));
cleanup:
    netcdf_close(&file);
    memory_free(path);
    return status;
}

/* Places among the file's columns and rows take the place of those in `at`, where the file's grid is curvilinear; they
 * are to be freed. Collective. */
static Status to_indices(const ProfileSource *what, const Grid *g, ProfilePlaces *at, bool *by_index) {
    Curvilinear file = {0};
    int rank, outside = -1;
    double *x = NULL, *y = NULL;
    MPI_Comm_rank(g->comm, &rank);
    TRY(status_agree(g->comm, rank == 0 ? read_curvilinear(what, &g->axes, &file) : STATUS_OK));
    curvilinear_share(g->comm, g->axes.spherical, &file);
    *by_index = file.nx > 0;
    if (!*by_index) return STATUS_OK;
    x = ALLOCATE(at->count + 1, double);
    y = ALLOCATE(at->count + 1, double);
    for (int n = 0; n < at->count; n++)
        if (!isfinite(curvilinear_locate(&file, at->x[n], at->y[n], &x[n], &y[n]))) outside = n;
    curvilinear_free(&file);
    Status status = STATUS_OK;
    if (outside >= 0)
        status = error_raise(STATUS_BAD_INPUT,
                             "%s: the file does not reach %s at %.6g, %.6g: get a larger extract (%s)",
                             what->path, what->beside, at->x[outside], at->y[outside], what->place);
    at->x = x, at->y = y;
    return status_agree(g->comm, status);
}

/* ---- which columns each rank needs ---- */

/* The places' corners, first as columns of the window. */
static void locate_places(Profiles *p, const ProfilePlaces *at, const double *x, const double *y) {
    p->corner = (int(*)[CORNERS])memory_allocate((size_t)p->places + 1, sizeof *p->corner);
    p->part = (double(*)[2])memory_allocate((size_t)p->places + 1, sizeof *p->part);
    p->row = ALLOCATE(p->places + 1, int);
    for (int n = 0; n < p->places; n++) {
        const int i = level_locate(x, p->shape[0], at->x[n], &p->part[n][0]);
        const int j = level_locate(y, p->shape[1], at->y[n], &p->part[n][1]);
        p->row[n] = p->sill == 'x' ? j + (p->part[n][1] >= 0.5) : i + (p->part[n][0] >= 0.5);
        const int east = p->part[n][0] > 0 ? 1 : 0, north = p->part[n][1] > 0 ? p->shape[0] : 0;
        const int first = j * p->shape[0] + i;
        const int corner[CORNERS] = {first, first + east, first + north, first + north + east};
        memcpy(p->corner[n], corner, sizeof corner);
    }
}

/* Numbers the columns that this rank needs; `own` lists them, to be freed. */
static int *number_columns(Profiles *p) {
    const int all = p->shape[0] * p->shape[1];
    int *number = ALLOCATE(all, int), *own;
    for (int n = 0; n < p->places; n++)
        for (int c = 0; c < CORNERS; c++) number[p->corner[n][c]] = 1;
    for (int m = 0; m < all; m++) p->columns += number[m];
    own = ALLOCATE(p->columns + 1, int);
    for (int m = 0, count = 0; m < all; m++)
        if (number[m]) {
            own[count] = m;
            number[m] = count++;
        }
    for (int n = 0; n < p->places; n++)
        for (int c = 0; c < CORNERS; c++) p->corner[n][c] = number[p->corner[n][c]];
    memory_free(number);
    return own;
}

static void gather_wanted(Profiles *p, const int *own) {
    int total = 0;
    if (p->rank == 0) {
        p->counts = ALLOCATE(p->ranks, int);
        p->firsts = ALLOCATE(p->ranks, int);
    }
    MPI_Gather(&p->columns, 1, MPI_INT, p->counts, 1, MPI_INT, 0, p->comm);
    for (int r = 0; p->rank == 0 && r < p->ranks; r++) {
        p->firsts[r] = total;
        total += p->counts[r];
    }
    if (p->rank == 0) {
        p->wanted = ALLOCATE(total + 1, int);
        p->packed = ALLOCATE((size_t)(total + 1) * (size_t)p->levels, double);
        p->whole = ALLOCATE((size_t)p->shape[0] * (size_t)p->shape[1] * (size_t)p->levels, double);
        p->has_value = ALLOCATE((size_t)p->shape[0] * (size_t)p->shape[1], unsigned char);
    }
    MPI_Gatherv(own, p->columns, MPI_INT, p->wanted, p->counts, p->firsts, MPI_INT, 0, p->comm);
    p->received = ALLOCATE((size_t)(p->columns + 1) * (size_t)p->levels, double);
}

/* Sends each rank its columns of what rank 0 has packed, level by level of a column. */
static void deal_columns(Profiles *p) {
    MPI_Datatype column;
    MPI_Type_contiguous(p->levels, MPI_DOUBLE, &column);
    MPI_Type_commit(&column);
    MPI_Scatterv(p->packed, p->counts, p->firsts, column, p->received, p->columns, column, 0, p->comm);
    MPI_Type_free(&column);
}

static int wanted_of_all(const Profiles *p) {
    return p->firsts[p->ranks - 1] + p->counts[p->ranks - 1];
}

/* ---- heights ---- */

static void locate_layers(Profiles *p, const ProfilePlaces *at) {
    const int layers = at->layers > 0 ? at->layers : 1;
    for (int n = 0; p->rank == 0 && n < wanted_of_all(p); n++)
        for (int k = 0; k < p->levels; k++)
            p->packed[(ptrdiff_t)n * p->levels + k] = p->heights.z[p->wanted[n] * p->heights.stride + k];
    deal_columns(p);
    p->place_of = ALLOCATE(p->values + 1, int);
    p->used = ALLOCATE(p->values + 1, bool);
    p->between = (Between(*)[CORNERS])memory_allocate((size_t)p->values + 1, sizeof *p->between);
    for (int m = 0; m < p->values; m++) {
        p->place_of[m] = m / layers;
        p->used[m] = at->layers == 0 || isfinite(at->z[m]);
        for (int c = 0; c < CORNERS && p->used[m] && p->levels > 1; c++) {
            const double *z = p->received + (ptrdiff_t)p->corner[p->place_of[m]][c] * p->levels;
            p->between[m][c].low = level_locate(z, p->levels, at->z[m], &p->between[m][c].part);
        }
    }
}

/* ---- records ---- */

/* Says once that most of what is wanted lies on the file's land. */
static void tell_land(Profiles *p, const char *date) {
    int without = 0;
    const int wanted = wanted_of_all(p);
    for (int n = 0; n < wanted; n++) without += !p->has_value[p->wanted[n]];
    if (p->told || 2 * without <= wanted) return;
    p->told = true;
    log_warn("%s: %s has no value (%s) in %d of the %d columns that %s needs: the nearest ones are taken",
             p->path, p->name, date, without, wanted, p->beside);
}

/* On rank 0: all levels of a record in order, without gaps. */
static Status read_record(Profiles *p, int record) {
    GriddedSource *s = &p->source;
    const ptrdiff_t level = (ptrdiff_t)p->shape[0] * p->shape[1];
    char date[32] = "always";
    for (int k = 0; k < p->levels; k++)
        TRY(source_read_level(s, record, p->heights.index[k], p->whole + k * level));
    if (s->records > 0) calendar_format(s->time[record], date);
    CHECK(nearest_fill(p->shape, p->whole, p->has_value), STATUS_BAD_INPUT,
          "%s: %s has no value anywhere around %s in record %d (%s)", parts_path(s, record), p->name,
          p->beside, parts_number(s, record), date);
    for (ptrdiff_t m = 0; p->sill && m < level; m++)
        if (!p->has_value[m]) p->whole[m] = HUGE_VAL;
    for (int n = 0; n < wanted_of_all(p); n++)
        for (int k = 0; k < p->levels; k++)
            p->packed[(ptrdiff_t)n * p->levels + k] = p->whole[k * level + p->wanted[n]];
    tell_land(p, date);
    return STATUS_OK;
}

static double mixed(double a, double b, double part) {
    return part > 0 ? a + part * (b - a) : a;
}

static double sill_of(const Profiles *p, int place) {
    const bool x = p->sill == 'x', next = p->part[place][x ? 1 : 0] >= 0.5;
    const int *corner = p->corner[place], first = next ? (x ? 2 : 1) : 0;
    return fmax(p->received[corner[first]], p->received[corner[first + (x ? 1 : 2)]]);
}

static double value_of(const Profiles *p, int m) {
    const int place = p->place_of[m];
    double corner[CORNERS];
    if (!p->used[m]) return 0;
    if (p->sill) return sill_of(p, place);
    for (int c = 0; c < CORNERS; c++) {
        const Between *b = &p->between[m][c];
        const double *z = p->received + (ptrdiff_t)p->corner[place][c] * p->levels + b->low;
        corner[c] = b->part > 0 ? mixed(z[0], z[1], b->part) : z[0];
    }
    const double px = p->part[place][0];
    return mixed(mixed(corner[0], corner[1], px), mixed(corner[2], corner[3], px), p->part[place][1]);
}

static Status load(Profiles *p, int record) {
    const int slot = record % RECORDS;
    if (p->held[slot] == record) return STATUS_OK;
    TRY(status_agree(p->comm, p->rank == 0 ? read_record(p, record) : STATUS_OK));
    deal_columns(p);
    for (int m = 0; m < p->values; m++) p->record[slot][m] = value_of(p, m);
    p->held[slot] = record;
    return STATUS_OK;
}

/* Weights of `count` records from `first` on. */
static void weigh(const Profiles *p, int first, int count, double time, double *weight) {
    for (int n = 0; n < count; n++) {
        weight[n] = 1;
        for (int m = 0; m < count; m++)
            if (m != n) weight[n] *= (time - p->time[first + m]) / (p->time[first + n] - p->time[first + m]);
    }
}

Status profiles_advance(Profiles *p, double time) {
    int first = p->records > 1 ? series_before(p->time, p->records, time) : 0, count = p->records > 1 ? 2 : 1;
    double weight[RECORDS];
    if (p->cubic && p->records > 2) {
        count = p->records < RECORDS ? p->records : RECORDS;
        first = first > 0 ? first - 1 : 0;
        if (first > p->records - count) first = p->records - count;
    }
    for (int n = 0; n < count; n++) TRY(load(p, first + n));
    if (count > 1) { /* the bracket was checked; rounding and the closing step */
        const double last = p->time[p->records - 1];
        weigh(p, first, count, fmin(fmax(time, p->time[0]), last), weight);
    }
    const double *a = p->record[first % RECORDS], *b = p->record[(first + 1) % RECORDS];
    /* where nothing follows: the record's own values, as in a file that goes on */
    const bool last = count == 2 && weight[1] == 1;
    for (int m = 0; m < p->values; m++)
        p->now[m] = count == 1 ? a[m] : last ? b[m] : mixed(a[m], b[m], weight[1]);
    for (int m = 0; m < p->values && count > 2; m++) {
        p->now[m] = 0;
        for (int n = 0; n < count; n++) p->now[m] += weight[n] * p->record[(first + n) % RECORDS][m];
    }
    return STATUS_OK;
}

/* ---- making ---- */

/* The area of all ranks' places; false: there is none. */
static bool find_area(const ProfilePlaces *at, MPI_Comm comm, SourceWindow *window) {
    double ends[4] = {INFINITY, INFINITY, INFINITY, INFINITY}; /* least x, y; least -x, -y */
    for (int n = 0; n < at->count; n++) {
        const double here[4] = {at->x[n], at->y[n], -at->x[n], -at->y[n]};
        for (int c = 0; c < 4; c++) ends[c] = fmin(ends[c], here[c]);
    }
    MPI_Allreduce(MPI_IN_PLACE, ends, 4, MPI_DOUBLE, MPI_MIN, comm);
    *window = (SourceWindow){.low = {ends[0], ends[1]},
                             .high = {-ends[2], -ends[3]},
                             .spare = SPARE,
                             .cover = true,
                             .shortfall = CURVILINEAR_REACH};
    return isfinite(ends[0]);
}

static Status create_at(const ProfileSource *what, const ProfilePlaces *at, const SourceWindow *window,
                        const Grid *g, const Scenario *scenario, Profiles **out) {
    double *x = NULL, *y = NULL;
    Profiles *p = *out = ALLOCATE(1, Profiles);
    *p = (Profiles){.comm = g->comm,
                    .start = scenario->time.start,
                    .cubic = what->cubic,
                    .sill = what->sill,
                    .path = memory_copy_text(what->path),
                    .beside = memory_copy_text(what->beside),
                    .places = at->count,
                    .values = at->count * (at->layers > 0 ? at->layers : 1)};
    MPI_Comm_rank(p->comm, &p->rank);
    MPI_Comm_size(p->comm, &p->ranks);
    Status status = status_agree(
        p->comm, p->rank == 0 ? open_source(p, what, g, scenario, window, at->layers == 0) : STATUS_OK);
    if (status != STATUS_OK) {
        profiles_destroy(out);
        return status;
    }
    share_shape(p, &x, &y);
    locate_places(p, at, x, y);
    int *own = number_columns(p);
    gather_wanted(p, own);
    locate_layers(p, at);
    for (int n = 0; n < RECORDS; n++) p->record[n] = ALLOCATE(p->values + 1, double), p->held[n] = -1;
    p->now = ALLOCATE(p->values + 1, double);
    memory_free(own);
    memory_free(x);
    memory_free(y);
    return STATUS_OK;
}

Status profiles_create(const ProfileSource *what, const ProfilePlaces *places, const Grid *g,
                       const Scenario *scenario, Profiles **out) {
    SourceWindow window;
    bool by_index = false;
    ProfilePlaces at = *places;
    *out = NULL;
    if (!find_area(&at, g->comm, &window)) return STATUS_OK;
    Status status = to_indices(what, g, &at, &by_index);
    if (status == STATUS_OK && by_index) (void)find_area(&at, g->comm, &window);
    window.by_index = by_index;
    window.what = what->beside;
    if (status == STATUS_OK) status = create_at(what, &at, &window, g, scenario, out);
    if (by_index) memory_free(at.x), memory_free(at.y);
    return status;
}

void profiles_destroy(Profiles **profiles) {
    Profiles *p = *profiles;
    if (!p) return;
    if (p->rank == 0) source_close(&p->source);
    level_heights_free(&p->heights);
    memory_free(p->whole), memory_free(p->has_value), memory_free(p->wanted);
    memory_free(p->counts), memory_free(p->firsts), memory_free(p->packed);
    memory_free(p->path), memory_free(p->name), memory_free(p->beside), memory_free(p->time);
    memory_free(p->corner), memory_free(p->part), memory_free(p->row), memory_free(p->place_of);
    memory_free(p->between), memory_free(p->used), memory_free(p->received);
    for (int n = 0; n < RECORDS; n++) memory_free(p->record[n]);
    memory_free(p->now);
    memory_free(p);
    *profiles = NULL;
}

/* ---- for others ---- */

static Status look_for(const char *paths, const FieldNames *names, bool *found) {
    char *path = file_set_first(paths);
    NetcdfFile *file = NULL;
    const Status status = netcdf_open(path, &file);
    memory_free(path);
    TRY(status);
    for (int n = 0; names->names[n] && !*found; n++) *found = netcdf_find(file, names->names[n]) >= 0;
    for (int n = 0; names->standard_names[n] && !*found; n++)
        *found = netcdf_find_standard_name(file, names->standard_names[n]) >= 0;
    netcdf_close(&file);
    return STATUS_OK;
}

Status profiles_find(MPI_Comm comm, const char *path, const FieldNames *names, bool *found) {
    int rank, is = 0;
    MPI_Comm_rank(comm, &rank);
    *found = false;
    TRY(status_agree(comm, rank == 0 ? look_for(path, names, found) : STATUS_OK));
    is = *found;
    MPI_Bcast(&is, 1, MPI_INT, 0, comm);
    *found = is != 0;
    return STATUS_OK;
}

Status profiles_check_records(Profiles *p, bool every) {
    return status_agree(p->comm, p->rank == 0 ? records_check_all(&p->source, every) : STATUS_OK);
}

const double *profiles_values(const Profiles *p) {
    return p->now;
}

int profiles_row(const Profiles *p, int place) {
    return p->row[place];
}

double profiles_spacing(const Profiles *p) {
    return p->records > 1 ? (p->time[p->records - 1] - p->time[0]) / (p->records - 1) : 0;
}

bool profiles_have_levels(const Profiles *p) {
    return p->levels > 1;
}

char *profiles_describe(const Profiles *p) {
    char first[32], last[32];
    if (p->records == 0) return memory_format("%s (steady)", p->path);
    calendar_format(p->start + p->time[0], first);
    calendar_format(p->start + p->time[p->records - 1], last);
    return memory_format("%s (%s to %s, %d records)", p->path, first, last, p->records);
}

const char *profiles_name(const Profiles *p) {
    return p->name;
}
