/* SPDX-License-Identifier: Apache-2.0
 *
 * The files of tidal atlases: which variables hold what, where their points are, and in which units.
 */
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/units.h"
#include "model/boundary/tide.h"
#include "model/boundary/tide_atlas_internal.h"
#include "model/forcing/direction.h"
#include "model/forcing/nearest.h"
#include "model/forcing/source_axis.h"

#include <ctype.h>
#include <math.h>
#include <netcdf.h>
#include <string.h>
#include <strings.h>

/* The two variables of a quantity, and how they are meant. The first pair that a file has is taken. */
typedef struct Layout {
    AtlasQuantity quantity;
    const char *first, *second;
    bool complex; /* else amplitude and phase */
    char nodes;   /* lon_z, lon_u, lon_v */
} Layout;

static const Layout layouts[] = {
    {ATLAS_LEVEL, "hRe", "hIm", true, 'z'},        {ATLAS_LEVEL, "ha", "hp", false, 'z'},
    {ATLAS_LEVEL, "amplitude", "phase", false, 0}, {ATLAS_EAST, "uRe", "uIm", true, 'u'},
    {ATLAS_EAST, "URe", "UIm", true, 'u'},         {ATLAS_EAST, "Ua", "Ug", false, 0},
    {ATLAS_EAST, "ua", "up", false, 'u'},          {ATLAS_NORTH, "vRe", "vIm", true, 'v'},
    {ATLAS_NORTH, "VRe", "VIm", true, 'v'},        {ATLAS_NORTH, "Va", "Vg", false, 0},
    {ATLAS_NORTH, "va", "vp", false, 'v'},
};
enum { LAYOUTS = sizeof layouts / sizeof *layouts };

/* Land in the atlas within this distance of a boundary takes the values of water [degrees]. */
static const double MARGIN = 1;

/* ---- units ---- */

/* A current may come as a transport. */
static Status find_unit(const NetcdfFile *file, int id, bool current, double *factor, bool *transport) {
    UnitChange change;
    char *unit = netcdf_text(file, id, "units");
    const bool said = unit && *unit;
    *transport = said && current && unit_change(unit, "m2/s", &change);
    const bool good = said && (*transport || unit_change(unit, current ? "m/s" : "m", &change));
    Status status = STATUS_OK;
    if (good)
        *factor = change.factor;
    else
        status = error_raise(
            STATUS_BAD_INPUT, "%s: %s has the units \"%.60s\"; a tidal atlas uses %s: correct the attribute",
            netcdf_path(file), netcdf_name(file, id), unit ? unit : "",
            current ? "cm/s, m/s, or a transport in m^2/s or centimeter^2/sec" : "m, cm or mm");
    memory_free(unit);
    return status;
}

/* ---- the points ---- */

/* The dimension of the variable along which coordinates like "lon_z" change, which may stand at all points of a map. */
static Status find_axis(const NetcdfFile *file, const char *letters, const char *plain, char nodes,
                        NetcdfVariable *v, int *dimension) {
    char named[8];
    snprintf(named, sizeof named, "%s_%c", letters, nodes);
    int axis = nodes ? netcdf_find(file, named) : -1, own[NETCDF_MOST_DIMENSIONS], of[NETCDF_MOST_DIMENSIONS];
    if (axis < 0) axis = netcdf_find(file, letters);
    if (axis < 0) axis = netcdf_find(file, plain);
    const int rank = axis < 0 ? 0 : netcdf_rank(file, axis);
    CHECK(rank == 1 || rank == 2, STATUS_BAD_INPUT,
          "%s: %s has no coordinates %s or %s of one or two dimensions", netcdf_path(file), v->name, named,
          plain);
    (void)nc_inq_vardimid(netcdf_id(file), axis, of);
    (void)nc_inq_vardimid(netcdf_id(file), v->id, own);
    double pair[2] = {0, 0};
    const size_t start[2] = {0, 0}, count[2] = {2, 1};
    if (rank == 2 && nc_get_vara_double(netcdf_id(file), axis, start, count, pair) != NC_NOERR)
        pair[1] = pair[0];
    const int along = rank == 2 && pair[1] == pair[0];
    *dimension = -1;
    for (int d = 0; d < v->rank; d++)
        if (own[d] == of[along]) *dimension = d;
    CHECK(*dimension >= 0, STATUS_BAD_INPUT, "%s: the coordinates %s do not belong to %s", netcdf_path(file),
          netcdf_name(file, axis), v->name);
    v->coordinate[*dimension] = axis;
    return STATUS_OK;
}

/* Where a variable's values around the area are. */
typedef struct Place {
    NetcdfVariable variable;
    SourceAxis x, y;
} Place;

static void place_release(Place *place) {
    source_axis_free(&place->x);
    source_axis_free(&place->y);
}

static Status find_place(const NetcdfFile *file, int id, char nodes, const AtlasArea *area, Place *out) {
    const SourceWindow window = {.low = {area->west, area->south},
                                 .high = {area->east, area->north},
                                 .margin = {MARGIN, MARGIN},
                                 .cover = true,
                                 .shortfall = 1,
                                 .what = "the area needed"};
    *out = (Place){0};
    NetcdfVariable *v = &out->variable;
    TRY(netcdf_describe(file, id, v));
    v->x = v->y = v->z = v->time = -1;
    TRY(find_axis(file, "lon", "longitude", nodes, v, &v->x));
    TRY(find_axis(file, "lat", "latitude", nodes, v, &v->y));
    for (int d = 0; d < v->rank; d++)
        if (d != v->x && d != v->y && v->length[d] > 1) v->time = d; /* the constituents */
    return source_axes_find(file, v, netcdf_path(file), true, &window, &out->x, &out->y);
}

/* The values at the place, rows and columns ascending; to be freed. */
static Status read_values(const NetcdfFile *file, const Place *place, size_t record, double **out) {
    *out = ALLOCATE((size_t)place->x.count * (size_t)place->y.count, double);
    return source_axes_read(file, &place->variable, record, 0, &place->x, &place->y, *out);
}

/* ---- one quantity ---- */

typedef struct Depths {
    NetcdfFile *file; /* the atlas's grid; NULL: there is none */
} Depths;

/* Divides transports by the depths at the same points. */
static Status divide(const NetcdfFile *file, const Depths *depths, const AtlasArea *area, char nodes,
                     const Place *place, double *part) {
    const char name[3] = {'h', nodes, 0};
    Place at;
    double *depth = NULL;
    const ptrdiff_t count = (ptrdiff_t)place->x.count * place->y.count;
    CHECK(depths->file, STATUS_BAD_INPUT,
          "%s contains transports; to convert them to currents, put the atlas's grid file (hz, hu, hv) "
          "beside it",
          netcdf_path(file));
    const int id = netcdf_find(depths->file, name);
    CHECK(id >= 0, STATUS_BAD_INPUT, "%s: the atlas's grid file has no depths %s", netcdf_path(depths->file),
          name);
    TRY(find_place(depths->file, id, nodes, area, &at));
    Status status = STATUS_OK;
    if (at.x.count != place->x.count || at.y.count != place->y.count ||
        fabs(at.x.at[0] - place->x.at[0]) > 1e-6 || fabs(at.y.at[0] - place->y.at[0]) > 1e-6)
        status = error_raise(STATUS_BAD_INPUT, "%s and %s do not have the same points", netcdf_path(file),
                             netcdf_path(depths->file));
    if (status == STATUS_OK) status = read_values(depths->file, &at, 0, &depth);
    for (ptrdiff_t m = 0; status == STATUS_OK && m < count; m++)
        for (int k = 0; k < 2; k++) part[k * count + m] = depth[m] > 0 ? part[k * count + m] / depth[m] : NAN;
    memory_free(depth);
    place_release(&at);
    return status;
}

/* From the two variables to parts in phase and a quarter later. */
static void take_apart(const Layout *layout, double factor, ptrdiff_t count, double *part) {
    for (ptrdiff_t m = 0; m < count; m++) {
        double *a = &part[m], *b = &part[count + m], sine, cosine;
        const bool land = *a == 0 && (*b == 0 || (layout->nodes && !layout->complex)); /* as TPXO writes it */
        if (isnan(*a) || isnan(*b) || land) {
            *a = *b = NAN;
        } else if (layout->complex) {
            *a *= factor;
            *b *= -factor;
        } else {
            direction_sincos(*b, &sine, &cosine);
            *b = factor * *a * sine;
            *a = factor * *a * cosine;
        }
    }
}

/* Refuses a tide beyond all that was ever measured; beside land, depths of an atlas may make its currents fast. */
static Status check_range(const NetcdfFile *file, const Layout *layout, const Place *place,
                          const double *part) {
    static const double highest = 15, fastest = 50; /* [m], [m s-1] */
    const double most = layout->quantity == ATLAS_LEVEL ? highest : fastest;
    const int nx = place->x.count, count = nx * place->y.count;
    for (int m = 0; m < count; m++)
        CHECK(!(hypot(part[m], part[count + m]) > most), STATUS_BAD_INPUT,
              "%s: %s is an amplitude of %g %s at %.6g, %.6g: larger than any ever observed; does the "
              "file declare its "
              "code for missing values (_FillValue), and the right units?",
              netcdf_path(file), layout->first, hypot(part[m], part[count + m]),
              layout->quantity == ATLAS_LEVEL ? "m" : "m/s", place->x.at[m % nx], place->y.at[m / nx]);
    return STATUS_OK;
}

/* The two variables of a quantity must have the same dimensions; those in phase and a quarter later also the
 * same units. */
static Status check_pair(const NetcdfFile *file, const Layout *layout, const int ids[2]) {
    const int rank = netcdf_rank(file, ids[0]);
    double factor[2];
    bool same = netcdf_rank(file, ids[1]) == rank && rank <= NETCDF_MOST_DIMENSIONS, transport[2];
    int dimensions[2][NETCDF_MOST_DIMENSIONS];
    for (int k = 0; k < 2 && same; k++) (void)nc_inq_vardimid(netcdf_id(file), ids[k], dimensions[k]);
    for (int d = 0; d < rank && same; d++) same = dimensions[0][d] == dimensions[1][d];
    CHECK(same, STATUS_BAD_INPUT, "%s: %s and %s belong together, but have other dimensions",
          netcdf_path(file), layout->first, layout->second);
    if (!layout->complex) return STATUS_OK;
    for (int k = 0; k < 2; k++)
        TRY(find_unit(file, ids[k], layout->quantity != ATLAS_LEVEL, &factor[k], &transport[k]));
    CHECK(factor[0] == factor[1] && transport[0] == transport[1], STATUS_BAD_INPUT,
          "%s: %s and %s belong together, but have other units", netcdf_path(file), layout->first,
          layout->second);
    return STATUS_OK;
}

static Status read_map(const NetcdfFile *file, const Layout *layout, size_t record, const Depths *depths,
                       const AtlasArea *area, AtlasMap *out) {
    const int ids[2] = {netcdf_find(file, layout->first), netcdf_find(file, layout->second)};
    double factor = 1, *value = NULL;
    bool transport = false;
    Place place;
    TRY(check_pair(file, layout, ids));
    TRY(find_unit(file, ids[0], layout->quantity != ATLAS_LEVEL, &factor, &transport));
    TRY(find_place(file, ids[0], layout->nodes, area, &place));
    const ptrdiff_t count = (ptrdiff_t)place.x.count * place.y.count;
    double *part = ALLOCATE(2 * count, double);
    unsigned char *known = ALLOCATE(count, unsigned char);
    Status status = STATUS_OK;
    for (int k = 0; k < 2; k++) {
        place.variable.id = ids[k];
        place.variable.name = netcdf_name(file, ids[k]);
        ATTEMPT(read_values(file, &place, record, &value));
        memcpy(part + k * count, value, (size_t)count * sizeof *part);
        memory_free(value);
        value = NULL;
    }
    take_apart(layout, factor, count, part);
    if (transport) ATTEMPT(divide(file, depths, area, layout->nodes ? layout->nodes : 'z', &place, part));
    ATTEMPT(check_range(file, layout, &place, part));
    if (!nearest_fill((const int[3]){place.x.count, place.y.count, 2}, part, known)) {
        status =
            error_raise(STATUS_BAD_INPUT,
                        "%s: %s is land everywhere between %g and %g degrees east, %g and %g degrees north: "
                        "the atlas has no tide there",
                        netcdf_path(file), layout->first, area->west, area->east, area->south, area->north);
        goto cleanup;
    }
    const double middle = 0.5 * (place.x.at[0] + place.x.at[place.x.count - 1]);
    *out = (AtlasMap){true, place.x.count, place.y.count, place.x.at, place.y.at, middle, part};
    place.x.at = place.y.at = NULL;
    part = NULL;
cleanup:
    memory_free(value);
    memory_free(part);
    memory_free(known);
    place_release(&place);
    return status;
}

/* ---- which constituents ---- */

/* Names as files spell them: m2, 2N2, la2 or lambda2, mtm, msqm; -1: none that is known. */
static int find_name(const char *name, size_t length) {
    static const char *const other[][2] = {{"la2", "lambda2"}, {"lam2", "lambda2"}, {"lmda2", "lambda2"}};
    while (length > 0 && (isspace((unsigned char)name[length - 1]) || !name[length - 1])) length--;
    while (length > 0 && isspace((unsigned char)*name)) name++, length--;
    for (size_t n = 0; n < sizeof other / sizeof *other; n++)
        if (strlen(other[n][0]) == length && strncasecmp(other[n][0], name, length) == 0)
            return tide_find(other[n][1]);
    for (int n = 0; n < TIDES; n++)
        if (strlen(tide_names[n]) == length && strncasecmp(tide_names[n], name, length) == 0) return n;
    return -1;
}

/* By a part of the file's name: "m2.nc", "m2_fes2022.nc", "h_m2_tpxo9_atlas_30_v5.nc". */
static int find_in_path(const char *path, char name[32]) {
    const char *slash = strrchr(path, '/'), *at = slash ? slash + 1 : path;
    snprintf(name, 32, "%.31s", at);
    for (size_t length; *at; at += length + (at[length] != 0)) {
        length = strcspn(at, "_.-");
        const int found = find_name(at, length);
        if (found >= 0) return found;
    }
    return -1;
}

/* Of each record the number of its constituent, -1: unknown; to be freed. */
static Status find_records(const NetcdfFile *file, int **out, int *count) {
    const int con = netcdf_find(file, "con"), rank = con < 0 ? 0 : netcdf_rank(file, con);
    char *text = NULL, first[32];
    size_t length[2] = {1, 1};
    int dimensions[2];
    if (rank == 1 || rank == 2) {
        (void)nc_inq_vardimid(netcdf_id(file), con, dimensions);
        for (int d = 0; d < rank; d++)
            (void)nc_inq_dimlen(netcdf_id(file), dimensions[d], &length[2 - rank + d]);
        CHECK(length[0] * length[1] < 4096, STATUS_BAD_INPUT, "%s: there are too many names in \"con\"",
              netcdf_path(file));
        text = ALLOCATE(length[0] * length[1] + 1, char);
        if (nc_get_var_text(netcdf_id(file), con, text) != NC_NOERR) length[0] = 0;
    }
    *count = text ? (int)length[0] : 1;
    *out = ALLOCATE(*count + 1, int);
    for (int n = 0; n < *count; n++)
        (*out)[n] = text ? find_name(text + (size_t)n * length[1], length[1])
                         : find_in_path(netcdf_path(file), first);
    memory_free(text);
    return STATUS_OK;
}

static bool is_wanted(const AtlasRequest *request, int constituent) {
    for (int n = 0; n < request->n_wanted; n++)
        if (strcmp(request->wanted[n], tide_names[constituent]) == 0) return true;
    return request->n_wanted == 0;
}

static AtlasTide *tide_of(TideAtlas *atlas, int constituent) {
    for (int n = 0; n < atlas->count; n++)
        if (atlas->tide[n].constituent == constituent) return &atlas->tide[n];
    atlas->tide = ENLARGE(atlas->tide, atlas->count + 1, AtlasTide);
    atlas->tide[atlas->count] = (AtlasTide){.constituent = constituent};
    return &atlas->tide[atlas->count++];
}

static Status read_layout(const AtlasRequest *request, const NetcdfFile *file, const Layout *layout,
                          const Depths *depths, TideAtlas *atlas) {
    int *constituent = NULL, count = 0;
    Status status = find_records(file, &constituent, &count);
    for (int n = 0; n < count && status == STATUS_OK; n++) {
        if (constituent[n] < 0)
            log_info("%s: the program does not know the constituent of record %d: it is left out",
                     netcdf_path(file), n + 1);
        if (constituent[n] < 0 || !is_wanted(request, constituent[n])) continue;
        AtlasMap *map = &tide_of(atlas, constituent[n])->map[layout->quantity];
        if (map->nx == 0) status = read_map(file, layout, (size_t)n, depths, &request->area, map);
    }
    memory_free(constituent);
    return status;
}

static bool has_both(const NetcdfFile *file, const Layout *layout) {
    return netcdf_find(file, layout->first) >= 0 && netcdf_find(file, layout->second) >= 0;
}

static Status read_file(const AtlasRequest *request, const char *path, const Depths *depths,
                        TideAtlas *atlas) {
    bool done[ATLAS_QUANTITIES] = {false};
    NetcdfFile *file = NULL;
    TRY(netcdf_open(path, &file));
    Status status = STATUS_OK;
    for (int n = 0; n < LAYOUTS && status == STATUS_OK; n++) {
        if (done[layouts[n].quantity] || !has_both(file, &layouts[n])) continue;
        done[layouts[n].quantity] = true;
        status = read_layout(request, file, &layouts[n], depths, atlas);
    }
    netcdf_close(&file);
    return status;
}

/* The file with depths among these stays open. */
static Status find_depths(char *const *names, int count, Depths *out) {
    for (int n = 0; n < count && !out->file; n++) {
        const char *slash = strrchr(names[n], '/'), *name = slash ? slash + 1 : names[n];
        if (strncasecmp(name, "grid", 4) != 0) continue;
        TRY(netcdf_open(names[n], &out->file));
        if (netcdf_find(out->file, "hu") < 0 && netcdf_find(out->file, "hz") < 0) netcdf_close(&out->file);
    }
    return STATUS_OK;
}

static void order(TideAtlas *atlas) {
    for (int n = 1; n < atlas->count; n++)
        for (int m = n; m > 0 && atlas->tide[m].constituent < atlas->tide[m - 1].constituent; m--) {
            const AtlasTide other = atlas->tide[m];
            atlas->tide[m] = atlas->tide[m - 1];
            atlas->tide[m - 1] = other;
        }
}

static Status check_whole(const AtlasRequest *request, const TideAtlas *atlas) {
    for (int n = 0; n < request->n_wanted; n++) {
        bool there = false;
        for (int m = 0; m < atlas->count; m++)
            there = there || strcmp(tide_names[atlas->tide[m].constituent], request->wanted[n]) == 0;
        CHECK(there, STATUS_BAD_INPUT, "%s: the atlas does not contain %s", request->place,
              request->wanted[n]);
    }
    CHECK(atlas->count > 0, STATUS_BAD_INPUT,
          "%s: no constituent was found there; a file of an atlas contains hRe and hIm, ha and hp, or "
          "amplitude and phase",
          request->place);
    for (int n = 0; n < atlas->count; n++)
        CHECK(atlas->tide[n].map[ATLAS_LEVEL].nx > 0, STATUS_BAD_INPUT,
              "%s: the atlas has a current of %s, but no level", request->place,
              tide_names[atlas->tide[n].constituent]);
    return STATUS_OK;
}

Status tide_atlas_read(const AtlasRequest *request, TideAtlas *atlas) {
    char **names = NULL;
    int count = 0;
    Depths depths = {NULL};
    Status status = STATUS_OK;
    for (int n = 0; n < request->n_paths; n++) {
        char **more = NULL;
        int found = 0;
        ATTEMPT(file_list(request->paths[n], ".nc", &more, &found));
        names = ENLARGE(names, count + found, char *);
        for (int m = 0; m < found; m++) names[count++] = more[m];
        memory_free(more);
    }
    ATTEMPT(find_depths(names, count, &depths));
    for (int n = 0; n < count; n++) ATTEMPT(read_file(request, names[n], &depths, atlas));
    order(atlas);
    status = check_whole(request, atlas);
cleanup:
    netcdf_close(&depths.file);
    file_list_free(&names, &count);
    return status;
}
