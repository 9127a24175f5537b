/* SPDX-License-Identifier: Apache-2.0 */
#include "model/subgrid/making.h"

#include "base/log.h"
#include "base/memory.h"
#include "bathymetry/raster_regrid.h"
#include "model/subgrid/ways.h"

/* A face counts as closed by what is behind it where water must stand so much higher than at the face. */
static const double CLOSED_M = 0.1;
#define INV_SQRT_3 0.57735026918962576

static int within(int index, int count) {
    return index < 0 ? 0 : index >= count ? count - 1 : index;
}

double rise_across(const Making *k, bool along_x, int c, int r) {
    const int nx = k->raster->nx, ny = k->raster->ny;
    const double z = making_height(k, c, r);
    const double back =
        along_x ? making_height(k, within(c - 1, nx), r) : making_height(k, c, within(r - 1, ny));
    const double forth =
        along_x ? making_height(k, within(c + 1, nx), r) : making_height(k, c, within(r + 1, ny));
    return least_slope(z - back, forth - z);
}

/* The ground of a pixel, as high in the middle as the pixel; its rises from there to two of its sides, the greater first. [m] */
typedef struct Slope {
    double height, more, less, weight;
} Slope;

static bool slope_of_pixel(const Making *k, int i, int j, int c, int r, Slope *slope) {
    const int column = k->x.first[i] + c, row = k->y.first[j] + r;
    const double height = making_height(k, column, row);
    const double weight = k->x.weight[k->x.start[i] + (size_t)c] * k->y.weight[k->y.start[j] + (size_t)r];
    if (!(height < k->level && weight > 0)) return false;
    const double x = fabs(0.5 * rise_across(k, true, column, row)),
                 y = fabs(0.5 * rise_across(k, false, column, row));
    *slope = (Slope){height, fmax(x, y), fmin(x, y), weight};
    return true;
}

/* Where lines lie from side to side, from -1 to 1, and what part of the slope each one is. Their mean square is that of the slope: of a shore
 * that lies obliquely, other ones would find the level of some water too low or too high, and alike at all sizes of cells. */
typedef struct SlopeLines {
    int count;
    double place[MOST_LINES], part[MOST_LINES];
} SlopeLines;

static const SlopeLines FROM_CORNER = {MOST_LINES,
                                       {-1, -0.5, 0, 0.5, 1},
                                       {1 / 12.0, 1 / 3.0, 1 / 6.0, 1 / 3.0, 1 / 12.0}},
                        ALONG_MIDDLE = {2, {-INV_SQRT_3, INV_SQRT_3}, {0.5, 0.5}};

/* As lines, each of which rises evenly: exact for ground that rises one way. */
static int add_slope(const Slope *s, const SlopeLines *lines, Pixel *p) {
    const double even = 1e-6; /* [m] */
    for (int n = 0; n < lines->count; n++) {
        const double middle = s->height + s->less * lines->place[n], weight = s->weight * lines->part[n];
        const double slope = s->more > even ? 0.5 * weight / s->more : 0;
        *p++ = (Pixel){middle - s->more, slope > 0 ? 0 : weight, 1, slope, 0};
        *p++ = (Pixel){middle + s->more, 0, 1, -slope, 0};
    }
    return ENDS_OF_LINE * lines->count;
}

static double lowest_of_slope(const Slope *s) {
    return s->height - s->more - s->less;
}

/* As slopes: a beach has no steps, its water reaches the face. Those that are wet before the lowest one is covered are
 * those that the level of little water depends on: they begin at their lowest corner. */
static int slopes_of_cell(const Making *k, int i, int j, int *pixels) {
    int count = 0;
    double lowest = INFINITY;
    Slope s;
    *pixels = 0;
    for (int r = 0; r < k->y.count[j]; r++)
        for (int c = 0; c < k->x.count[i]; c++)
            if (slope_of_pixel(k, i, j, c, r, &s)) lowest = fmin(lowest, lowest_of_slope(&s)), ++*pixels;
    for (int r = 0; r < k->y.count[j]; r++)
        for (int c = 0; c < k->x.count[i]; c++) {
            if (!slope_of_pixel(k, i, j, c, r, &s)) continue;
            const bool wet_early = lowest_of_slope(&s) <= lowest + 2 * (s.more + s.less);
            count += add_slope(&s, wet_early ? &FROM_CORNER : &ALONG_MIDDLE, k->pixel + count);
        }
    return count;
}

/* The ground between two pixels on both sides of a line. */
static double height_across(const Making *k, bool along_x, int before, int after, int p) {
    const int nx = k->raster->nx, ny = k->raster->ny;
    double z[4];
    for (int n = 0; n < 4; n++) {
        const int q = n < 2 ? before - 1 + n : after + n - 2;
        z[n] = along_x ? making_height(k, within(q, nx), p) : making_height(k, p, within(q, ny));
    }
    return before == after ? z[1] : height_between(z);
}

/* Manning's n of a face's two columns. */
static double roughness_around(const Making *k, ptrdiff_t m, ptrdiff_t step) {
    return fmax(0.5 * (k->taken[m - step] + k->taken[m]), 1e-6);
}

/* Manning's n of the ground between two pixels: the mean of both, without those that the map does not know. */
static double roughness_across(const Making *k, bool along_x, int before, int after, int p, double around) {
    const Raster *r = k->raster;
    double sum = 0;
    int count = 0;
    for (int side = 0; k->roughness && side < 2; side++) {
        const int q = side == 0 ? before : after;
        const double n = raster_nearest(k->roughness, r->x0 + (along_x ? q : p) * r->dx,
                                        r->y0 + (along_x ? p : q) * r->dy);
        if (!isnan(n)) sum += n, count++;
    }
    return count > 0 ? fmax(sum / count, 1e-6) : around;
}

/* Of pixel q of row or column p, at its ends along that. */
static double lowest_of_pixel(const Making *k, bool along_x, int q, int p) {
    const int c = along_x ? q : p, r = along_x ? p : q;
    return making_height(k, c, r) - 0.5 * fabs(rise_across(k, along_x, c, r));
}

/* The ground of pixel p of a face; `flat`: as one step, as at open boundaries, whose ghosts have no lower ground. Else two halves, steps whose mean
 * square of heights is that of ground that rises along the face: or its section is too small where an end is dry. */
static void set_halves(const Making *k, bool along_x, int before, int after, int p, bool flat, Pixel *half) {
    const double one = rise_across(k, !along_x, along_x ? before : p, along_x ? p : before),
                 other = rise_across(k, !along_x, along_x ? after : p, along_x ? p : after);
    const double sill = fmax(lowest_of_pixel(k, along_x, before, p), lowest_of_pixel(k, along_x, after, p));
    const double middle = fmax(sill, height_across(k, along_x, before, after, p));
    const double away = flat ? 0 : 0.5 * INV_SQRT_3 * least_slope(one, other);
    half[0].height = middle - away, half[1].height = middle + away;
}

/* Between two cells, with no ground below the lowest of both, since a cell that is dry has the level of that, and none below the
 * lowest pass between the waters of the two. */
static int pixels_of_face(const Making *k, bool along_x, int own_i, int own_j, SubgridCounts *counts) {
    const Grid *g = k->grid;
    const int i = g->i_first + own_i, j = g->j_first + own_j;
    double lowest = INFINITY, pass = k->level;
    const Overlap *across = along_x ? &k->x : &k->y, *along = along_x ? &k->y : &k->x;
    const int line = along_x ? i : j, cell = along_x ? j : i;
    const int before = across->before[line], after = across->after[line];
    const ptrdiff_t m = AT2(*g, own_i, own_j), step = along_x ? 1 : g->row;
    const double around = k->roughness ? roughness_around(k, m, step) : 1;
    const bool open = (along_x ? g->given_u : g->given_v)[m] != 0;
    int count = 0;
    for (int n = 0, p = along->first[cell]; n < along->count[cell]; n++, p++) {
        const double one = along_x ? making_height(k, before, p) : making_height(k, p, before),
                     other = along_x ? making_height(k, after, p) : making_height(k, p, after);
        const double weight = along->weight[along->start[cell] + (size_t)n];
        if (!(one < k->level && other < k->level && weight > 0)) continue;
        const double rough = roughness_across(k, along_x, before, after, p, around);
        Pixel *half = k->pixel + count;
        for (int end = 0; end < 2; end++) {
            const double place = (n + 0.25 + 0.5 * end) / along->count[cell] - 0.5;
            half[end] = (Pixel){.weight = 0.5 * weight, .rough = rough, .place = place};
        }
        set_halves(k, along_x, before, after, p, open, half);
        count += 2;
        const double edge = fmin(half[0].height, half[1].height);
        lowest = fmin(lowest, edge);
        pass = fmin(pass, fmax(edge, barriers_pass(k, along_x, own_i, own_j, n)));
    }
    counts->closed += count > 0 && pass > lowest + CLOSED_M;
    for (int n = 0; n < count; n++) k->pixel[n].height = fmax(k->pixel[n].height, pass);
    return count;
}

/* The mean roughness of a face's pixels over that of its two columns; drag goes with its square. */
static double part_of_drag(const Making *k, ptrdiff_t m, ptrdiff_t step, int pixels) {
    double width = 0, passed = 0;
    if (pixels == 0) return 1;
    for (int n = 0; n < pixels; n++)
        width += k->pixel[n].weight, passed += k->pixel[n].weight / k->pixel[n].rough;
    const double part = width / passed / roughness_around(k, m, step);
    return part * part;
}

/* Of the dikes in a face's two cells over the staircase that the faces make beside them; 1: none. */
static double length_over_stairs(const Making *k, bool along_x, int i, int j) {
    const int columns = k->grid->n1 + 2;
    const DikeLength *one = k->dikes + (ptrdiff_t)(j + 1) * columns + i + 1,
                     *other = one - (along_x ? 1 : columns);
    const double stairs = one->stairs + other->stairs;
    return stairs > 0 ? (one->along + other->along) / stairs : 1;
}

double *table_room(Table *t, int64_t most) {
    if (t->used + most > t->room) {
        t->room = 2 * t->room + most;
        t->node = ENLARGE(t->node, t->room, double);
    }
    return t->node + t->used;
}

void table_take(Table *t, ptrdiff_t m, int64_t numbers) {
    t->first[m] = t->last[m] = numbers > 0 ? (double)t->used : 0.0;
    t->used += numbers;
}

static void add_place(const Making *k, Table *t, ptrdiff_t m, int pixels) {
    double *node = table_room(t, (MOST_NODES + 1) * (int64_t)t->values);
    const int nodes = table_make(k->pixel, pixels, t->values, k->exponent, node);
    table_take(t, m, nodes > 0 ? (nodes + 1) * (int64_t)t->values : 0);
}

void table_begin(const Grid *g, int values, Table *t) {
    *t = (Table){.first = field2_create(g), .last = field2_create(g), .values = values};
    t->used = t->room = 2 * (int64_t)values;
    t->node = ALLOCATE(t->room, double);
    table_make(NULL, 0, values, 0, t->node);
}

Hypsometry table_finish(const Grid *g, Subgrid *s, Table *t) {
    t->node = ENLARGE(t->node, t->used, double); /* no more room than that */
    Hypsometry h = {.first = t->first, .last = t->last, .node = t->node, .values = t->values};
    s->counts.bytes += t->used * (int64_t)sizeof(double);
    for (int n = 0; n < NODE_OF_FACE + 2; n++) {
        const bool next = n >= NODE_OF_FACE;
        if (!next && n >= t->values) continue;
        const int64_t number = next ? t->values + n - NODE_OF_FACE : n;
        h.kept[n] = field2_create(g);
        for (int j = -HALO; j < g->n2 + HALO; j++)
            for (int i = -HALO; i < g->n1 + HALO; i++)
                h.kept[n][AT2(*g, i, j)] = t->node[(int64_t)t->first[AT2(*g, i, j)] + number];
    }
    return h;
}

void table_forget(const Grid *g, Table *t) {
    field2_destroy(g, &t->first), field2_destroy(g, &t->last);
    memory_free(t->node);
}

static void make_columns(Subgrid *s, Making *k) {
    const Grid *g = k->grid;
    Table t;
    table_begin(g, NODE_OF_COLUMN, &t);
    for (int n = 0; n < g->columns.count; n++) {
        making_tell(k, AFTER_BARRIERS + (AFTER_COLUMNS - AFTER_BARRIERS) * n / g->columns.count);
        for (int i = g->columns.run[n].i0, j = g->columns.run[n].j; i < g->columns.run[n].i1; i++) {
            const ptrdiff_t m = AT2(*g, i, j);
            int pixels;
            const int count = slopes_of_cell(k, g->i_first + i, g->j_first + j, &pixels);
            s->counts.pixels += pixels;
            for (int p = 0; p < count; p++)
                g->bed[m] = p > 0 ? fmin(g->bed[m], k->pixel[p].height) : k->pixel[p].height;
            add_place(k, &t, m, count);
            Lean x, y;
            find_leans(k, g->i_first + i, g->j_first + j, &x, &y);
            s->begin[0][m] = x.begin, s->bend[0][m] = x.bend;
            s->begin[1][m] = y.begin, s->bend[1][m] = y.bend;
        }
    }
    s->column = table_finish(g, s, &t);
}

static Hypsometry make_faces(Subgrid *s, const Making *k, bool along_x, const SubgridWays *ways) {
    const Grid *g = k->grid;
    const RunList *faces = along_x ? &g->faces_u : &g->faces_v;
    const ptrdiff_t step = along_x ? 1 : g->row;
    double *bed = along_x ? g->bed_u : g->bed_v;
    Table t;
    table_begin(g, NODE_OF_FACE, &t);
    for (int n = 0; n < faces->count; n++)
        for (int i = faces->run[n].i0, j = faces->run[n].j; i < faces->run[n].i1; i++) {
            const ptrdiff_t m = AT2(*g, i, j);
            const int pixels = pixels_of_face(k, along_x, i, j, &s->counts);
            for (int p = 0; p < pixels; p++)
                bed[m] = p > 0 ? fmin(bed[m], k->pixel[p].height) : k->pixel[p].height;
            if (ways->part) ways->part[m] = part_of_drag(k, m, step, pixels);
            if (ways->length) ways->length[m] = length_over_stairs(k, along_x, i, j);
            const Crest crest = pixels > 0 ? find_crest(k, along_x, i, j, bed[m]) : (Crest){1, 0, false};
            ways->crest[m] = crest.part, ways->rise[m] = crest.rise, ways->sill[m] = crest.sill;
            s->slant[along_x ? 0 : 1][m] = find_slant(k->pixel, pixels);
            add_place(k, &t, m, pixels);
        }
    return table_finish(g, s, &t);
}

void making_tell(Making *k, double part) {
    static const double every_s = 4;
    const double now = MPI_Wtime();
    if (now - k->told < every_s) return;
    k->told = now;
    log_info("the ground inside cells: %.0f %% of the tables are made", 1e2 * part);
}

void making_tables(Making *k, Subgrid *out) {
    k->told = MPI_Wtime();
    barriers_find(k, out);
    make_columns(out, k);
    out->u = make_faces(out, k, true, &out->ways_u);
    out->v = make_faces(out, k, false, &out->ways_v);
    barriers_forget(&k->barriers);
}
