/* SPDX-License-Identifier: Apache-2.0 */
#include "model/forcing/level_heights.h"

#include "base/memory.h"
#include "base/units.h"
#include <math.h>
#include <string.h>
#include <strings.h>

typedef struct Reading {
    const NetcdfFile *file;
    const NetcdfVariable *variable;
    const SourceAxis *x, *y;
    int coordinate;
    char *terms; /* "sigma: s_rho eta: zeta depth: h" */
} Reading;

static ptrdiff_t columns_of(const Reading *r) {
    return (ptrdiff_t)r->x->count * r->y->count;
}

/* A map of the window, such as the depth; it must lie on the variable's points. */
static Status read_plane(const Reading *r, int id, size_t level, double **out) {
    NetcdfVariable v;
    TRY(netcdf_describe(r->file, id, &v));
    if (v.rank == 2 && (v.x < 0 || v.y < 0))
        v.y = 0, v.x = 1; /* of a curvilinear grid, without coordinates */
    CHECK(v.x >= 0 && v.y >= 0 && v.length[v.x] == r->variable->length[r->variable->x] &&
              v.length[v.y] == r->variable->length[r->variable->y],
          STATUS_BAD_INPUT, "%s: %s is given at other points than %s, whose levels depend on it",
          netcdf_path(r->file), v.name, r->variable->name);
    *out = ALLOCATE(columns_of(r), double);
    return source_axes_read(r->file, &v, 0, level, r->x, r->y, *out);
}

/* ---- heights and depths ---- */

static Status read_heights(const Reading *r, LevelHeights *out) {
    const NetcdfVariable *v = r->variable;
    UnitChange change;
    TRY(unit_of_variable(r->file, r->coordinate, "m", "levels are heights or depths", &change));
    TRY(netcdf_read_coordinate(r->file, v, v->z, &out->z));
    char *positive = netcdf_text(r->file, r->coordinate, "positive");
    bool down = positive && strcmp(positive, "down") == 0;
    for (int n = 0; n < out->count && !positive; n++) down = (n == 0 || down) && out->z[n] >= 0;
    for (int n = 0; n < out->count; n++) out->z[n] *= down ? -change.factor : change.factor;
    memory_free(positive);
    return STATUS_OK;
}

/* ---- sigma and s coordinates ---- */

/* The variable that stands for a term of the formula; -1: none. */
static int find_term(const Reading *r, const char *term) {
    const size_t length = strlen(term);
    for (const char *at = r->terms; at && *at;) {
        at += strspn(at, " \t\n");
        const char *name = at + strcspn(at, " \t\n");
        const bool is =
            (size_t)(name - at) == length + 1 && strncmp(at, term, length) == 0 && at[length] == ':';
        name += strspn(name, " \t\n");
        const size_t letters = strcspn(name, " \t\n");
        at = name + letters;
        if (!is) continue;
        char *text = memory_format("%.*s", (int)letters, name);
        const int id = netcdf_find(r->file, text);
        memory_free(text);
        return id;
    }
    return -1;
}

static Status read_term(const Reading *r, const char *term, int count, double **out) {
    const int id = find_term(r, term);
    CHECK(id >= 0, STATUS_BAD_INPUT, "%s: the levels of %s have no term \"%s\" in their formula_terms \"%s\"",
          netcdf_path(r->file), r->variable->name, term, r->terms);
    *out = ALLOCATE(count, double);
    return netcdf_read_numbers(r->file, id, (size_t)count, *out);
}

/* Share of the depth, by the formulas of CF's appendix D at rest; `h` [m]. */
static double height_at_rest(char formula, double s, double c, double critical, double h) {
    if (formula == 's') return s * h;                                       /* ocean_sigma_coordinate */
    if (formula == '2') return h * (critical * s + h * c) / (critical + h); /* ocean_s_coordinate_g2 */
    return critical * s + (h - critical) * c; /* ocean_s_coordinate_g1, and ocean_s_coordinate */
}

/* C of ocean_s_coordinate. */
static double stretched(double s, double a, double b) {
    return (1 - b) * sinh(a * s) / sinh(a) + b * (tanh(a * (s + 0.5)) / (2 * tanh(0.5 * a)) - 0.5);
}

static Status read_shape(const Reading *r, char formula, int count, double **s, double **c,
                         double *critical) {
    double *number[3] = {NULL};
    static const char *const names[3] = {"depth_c", "a", "b"};
    Status status = read_term(r, formula == 's' ? "sigma" : "s", count, s);
    for (int k = 1; k < count && status == STATUS_OK; k++)
        if (!((*s)[k] > (*s)[k - 1]) == ((*s)[1] > (*s)[0]) || (*s)[k] == (*s)[k - 1])
            status =
                error_raise(STATUS_BAD_INPUT, "%s: the levels of %s neither increase nor decrease throughout",
                            netcdf_path(r->file), r->variable->name);
    if (status == STATUS_OK && formula != 's') status = read_term(r, names[0], 1, &number[0]);
    for (int n = 1; n < 3 && status == STATUS_OK && formula == 'o'; n++)
        status = read_term(r, names[n], 1, &number[n]);
    if (status == STATUS_OK && (formula == '1' || formula == '2')) status = read_term(r, "C", count, c);
    if (status == STATUS_OK && formula == 'o') {
        *c = ALLOCATE(count, double);
        for (int k = 0; k < count; k++) (*c)[k] = stretched((*s)[k], *number[1], *number[2]);
    }
    if (status == STATUS_OK && number[0]) *critical = *number[0];
    for (int n = 0; n < 3; n++) memory_free(number[n]);
    return status;
}

static char formula_of(const char *name) {
    static const struct {
        const char *name;
        char letter;
    } known[] = {{"ocean_sigma_coordinate", 's'},
                 {"ocean_s_coordinate", 'o'},
                 {"ocean_s_coordinate_g1", '1'},
                 {"ocean_s_coordinate_g2", '2'}};
    for (size_t n = 0; n < sizeof known / sizeof *known; n++)
        if (name && strcasecmp(name, known[n].name) == 0) return known[n].letter;
    return 0;
}

/* The levels of a file, by s and C. */
typedef struct Shape {
    char formula;
    int count;
    const double *s, *c;
    double critical; /* [m] */
} Shape;

/* Land may have any depth; and where the water is shallower than the critical depth, levels may cross: shares then. */
static void lay_column(const Shape *f, double depth, double *z) {
    const bool rises = f->count < 2 || f->s[1] > f->s[0];
    bool ordered = depth > 0;
    for (int k = 0; k < f->count && ordered; k++) {
        z[k] = height_at_rest(f->formula, f->s[k], f->c ? f->c[k] : 0, f->critical, depth);
        ordered = isfinite(z[k]) && (k == 0 || (rises ? z[k] > z[k - 1] : z[k] < z[k - 1]));
    }
    for (int k = 0; k < f->count && !ordered; k++) z[k] = f->s[k] * (depth > 0 ? depth : 1);
}

static Status read_formula(const Reading *r, char formula, LevelHeights *out) {
    double *s = NULL, *c = NULL, *depth = NULL, critical = 0;
    const int id = find_term(r, "depth");
    Status status = STATUS_OK;
    CHECK(id >= 0, STATUS_BAD_INPUT, "%s: the levels of %s have no term \"depth\" in their formula_terms",
          netcdf_path(r->file), r->variable->name);
    ATTEMPT(read_shape(r, formula, out->count, &s, &c, &critical));
    ATTEMPT(read_plane(r, id, 0, &depth));
    out->stride = out->count;
    out->z = ALLOCATE(columns_of(r) * out->count, double);
    const Shape shape = {formula, out->count, s, c, critical};
    for (ptrdiff_t m = 0; m < columns_of(r); m++) lay_column(&shape, depth[m], out->z + m * out->stride);
cleanup:
    memory_free(s);
    memory_free(c);
    memory_free(depth);
    return status;
}

/* ---- layers of maeotis ---- */

/* Are there shares at this variable's points? A variable at faces has none. */
static bool has_shares(const Reading *r) {
    NetcdfVariable v;
    const NetcdfVariable *own = r->variable;
    const int id = netcdf_find(r->file, "layer_share");
    if (id < 0 || netcdf_find(r->file, "bed") < 0) return false;
    if (netcdf_describe(r->file, id, &v) != STATUS_OK) {
        error_clear();
        return false;
    }
    if (v.rank != 3 || v.x < 0 || v.y < 0 || v.z < 0 || own->plane_x >= 0) return false;
    return v.coordinate[v.x] == own->coordinate[own->x] && v.coordinate[v.y] == own->coordinate[own->y] &&
           v.coordinate[v.z] == own->coordinate[own->z];
}

/* Layers that move have other heights in each record. */
static Status refuse_moving(const Reading *r) {
    NetcdfVariable v;
    const int id = netcdf_find(r->file, "layer_share");
    if (id < 0) return STATUS_OK;
    TRY(netcdf_describe(r->file, id, &v));
    CHECK(v.rank < 4, STATUS_BAD_INPUT,
          "%s: the layers of %s move with the stratification (layer_share has a time), so they have no "
          "heights of "
          "their own; run it with layers of another kind, or interpolate it to heights",
          netcdf_path(r->file), r->variable->name);
    return STATUS_OK;
}

/* The middles of the layers, from `heights`, those of the reference levels. */
static Status read_shares(const Reading *r, LevelHeights *out) {
    double *bed = NULL, *share = NULL, *reference = out->z;
    const int heights = netcdf_find(r->file, "layer_height_share"), /* over ground inside cells */
        shares = heights >= 0 ? heights : netcdf_find(r->file, "layer_share");
    const ptrdiff_t columns = columns_of(r);
    Status status = read_plane(r, netcdf_find(r->file, "bed"), 0, &bed);
    if (status != STATUS_OK) return status;
    double *below = ALLOCATE(columns, double);
    out->stride = out->count;
    out->z = ALLOCATE(columns * out->count, double);
    for (int k = 0; k < out->count && status == STATUS_OK; k++) {
        status = read_plane(r, shares, (size_t)k, &share);
        for (ptrdiff_t m = 0; m < columns && status == STATUS_OK; m++) {
            const bool water = isfinite(share[m]) && bed[m] < 0;
            /* below the bed in order, too */
            out->z[m * out->stride + k] = water ? bed[m] - (below[m] + 0.5 * share[m]) * bed[m]
                                                : fmin(reference[k], bed[m] - 1e-3 * (out->count - k));
            if (!isfinite(bed[m]) || bed[m] >= 0) out->z[m * out->stride + k] = reference[k];
            if (water) below[m] += share[m];
        }
        memory_free(share);
        share = NULL;
    }
    memory_free(below);
    memory_free(bed);
    memory_free(reference);
    return status;
}

/* ---- any ---- */

static Status read_any(Reading *r, LevelHeights *out) {
    const NetcdfVariable *v = r->variable;
    r->coordinate = v->coordinate[v->z];
    TRY(refuse_moving(r));
    CHECK(r->coordinate >= 0, STATUS_BAD_INPUT, "%s: %s has no coordinate variable along its levels",
          netcdf_path(r->file), v->name);
    char *name = netcdf_text(r->file, r->coordinate, "standard_name");
    const char formula = formula_of(name);
    const bool unknown = name && !formula && strncasecmp(name, "ocean_", 6) == 0;
    r->terms = netcdf_text(r->file, r->coordinate, "formula_terms");
    Status status = STATUS_OK;
    if (unknown || (formula && !r->terms))
        status = error_raise(STATUS_BAD_INPUT,
                             "%s: the levels of %s are a %s%s; known are heights, depths, "
                             "ocean_sigma_coordinate and ocean_s_coordinate, _g1, _g2 with formula_terms",
                             netcdf_path(r->file), v->name, name, unknown ? "" : " without formula_terms");
    else if (formula)
        status = read_formula(r, formula, out);
    else
        status = read_heights(r, out);
    const bool shares = has_shares(r);
    char *layers = netcdf_text(r->file, r->coordinate, "layers");
    if (status == STATUS_OK && !formula && shares) status = read_shares(r, out);
    if (status == STATUS_OK && !shares && layers && strcmp(layers, "bed-following") == 0)
        status = error_raise(
            STATUS_BAD_INPUT,
            "%s: %s is at faces of cells, and the file does not say where layers along the bed are there: "
            "let that run write its velocities at centres (\"velocities\": \"centres\")",
            netcdf_path(r->file), v->name);
    memory_free(layers);
    memory_free(name);
    memory_free(r->terms);
    return status;
}

static void reverse(double *z, int count) {
    for (int k = 0; k < count / 2; k++) {
        const double kept = z[k];
        z[k] = z[count - 1 - k];
        z[count - 1 - k] = kept;
    }
}

Status level_heights_read(const NetcdfFile *file, const NetcdfVariable *v, const SourceAxis *x,
                          const SourceAxis *y, LevelHeights *out) {
    Reading r = {.file = file, .variable = v, .x = x, .y = y};
    *out = (LevelHeights){.count = v->z < 0 ? 1 : (int)v->length[v->z]};
    CHECK(out->count > 0, STATUS_BAD_INPUT, "%s: variable %s is empty along its levels", netcdf_path(file),
          v->name);
    out->index = ALLOCATE(out->count, int);
    for (int k = 0; k < out->count; k++) out->index[k] = k;
    if (v->z < 0) {
        out->z = ALLOCATE(1, double);
        return STATUS_OK;
    }
    Status status = read_any(&r, out);
    if (status != STATUS_OK) {
        level_heights_free(out);
        return status;
    }
    if (out->count > 1 && out->z[0] > out->z[1]) { /* as in all columns */
        for (int k = 0; k < out->count; k++) out->index[k] = out->count - 1 - k;
        for (ptrdiff_t m = 0; m < (out->stride ? columns_of(&r) : 1); m++)
            reverse(out->z + m * out->stride, out->count);
    }
    return STATUS_OK;
}

void level_heights_free(LevelHeights *heights) {
    memory_free(heights->index);
    memory_free(heights->z);
    *heights = (LevelHeights){0};
}
