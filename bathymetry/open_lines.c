/* SPDX-License-Identifier: Apache-2.0 */
#include "bathymetry/open_lines.h"

#include "base/memory.h"
#include "bathymetry/topography_internal.h"
#include <math.h>
#include <string.h>

/* ---- which faces a line cuts ---- */

/* A line moves by so much, in cells, so that it meets no centre of a cell: there it would have no sides. */
static const double ASIDE[2] = {1e-6, 0.618034e-6};

/* A point of the line in cells from the corner of the grid. */
static void place_of(const OpenLine *line, const Axes *axes, int n, double out[2]) {
    out[0] = (line->at[n][0] - axes->west) / axes->step_x + ASIDE[0];
    out[1] = (line->at[n][1] - axes->south) / axes->step_y + ASIDE[1];
}

static bool is_left(const double p[2], const double q[2], double x, double y) {
    return (q[0] - p[0]) * (y - p[1]) >= (q[1] - p[1]) * (x - p[0]);
}

/* How the stretch from p to q passes between the centres beside a face: 0: not, else +1 or -1 by its direction. */
static int passes(const double p[2], const double q[2], bool along_x, int i, int j) {
    const int across = along_x ? 1 : 0;
    const double at = (along_x ? j : i) + 0.5;
    if ((p[across] >= at) == (q[across] >= at)) return 0;
    const double x = i + 0.5, y = j + 0.5;
    if (is_left(p, q, along_x ? x - 1 : x, along_x ? y : y - 1) == is_left(p, q, x, y)) return 0;
    return q[across] > p[across] ? 1 : -1;
}

bool open_line_cuts(const OpenLine *line, const Axes *axes, bool along_x, int i, int j, double normal[2]) {
    int net = 0;
    double p[2], q[2];
    place_of(line, axes, 0, p);
    for (int n = 1; n < line->points; n++, memcpy(p, q, sizeof p)) {
        place_of(line, axes, n, q);
        const int passed = passes(p, q, along_x, i, j);
        net += passed;
        if (passed == 0) continue;
        const double dx = (q[0] - p[0]) * axes_dx_m(axes, j + (along_x ? 0.5 : 0)),
                     dy = (q[1] - p[1]) * axes_dy_m(axes), length = hypot(dx, dy);
        normal[0] = dy / length;
        normal[1] = -dx / length;
    }
    return net != 0;
}

/* Calls back for the faces of the window that the stretch may pass through: all that it does, and a few beside them. */
static void each_near(const double p[2], const double q[2], bool along_x, FaceWindow w,
                      void (*visit)(void *context, bool along_x, int i, int j), void *context) {
    const int across = along_x ? 1 : 0;
    const int low = along_x ? w.j0 : w.i0, high = along_x ? w.j1 : w.i1;
    const int first = along_x ? w.i0 : w.j0, end = along_x ? w.i1 : w.j1;
    const int from = (int)fmax(floor(fmin(p[across], q[across]) - 0.5), low),
              to = (int)fmin(ceil(fmax(p[across], q[across]) + 0.5), high);
    for (int line = from; line < to; line++) {
        const double part = (line + 0.5 - p[across]) / (q[across] - p[across]);
        const double meets = p[1 - across] + part * (q[1 - across] - p[1 - across]);
        if (!(meets > first - 2.0 && meets < end + 2.0)) continue;
        const int n0 = (int)floor(meets + 0.5) - 1;
        for (int n = n0 > first ? n0 : first; n <= n0 + 2 && n < end; n++)
            visit(context, along_x, along_x ? n : line, along_x ? line : n);
    }
}

typedef struct Walk {
    const OpenLine *line;
    const Axes *axes;
    int stretch;
    const double *p, *q; /* its ends */
    void (*visit)(void *context, const LineFace *face);
    void *context;
} Walk;

/* A face that several stretches pass through is told with the first of them. */
static void walk_face(void *context, bool along_x, int i, int j) {
    const Walk *w = context;
    LineFace face = {along_x, i, j, {0, 0}};
    double p[2], q[2];
    if (passes(w->p, w->q, along_x, i, j) == 0) return;
    place_of(w->line, w->axes, 0, p);
    for (int n = 1; n < w->stretch; n++, memcpy(p, q, sizeof p)) {
        place_of(w->line, w->axes, n, q);
        if (passes(p, q, along_x, i, j) != 0) return;
    }
    if (open_line_cuts(w->line, w->axes, along_x, i, j, face.normal)) w->visit(w->context, &face);
}

void open_line_each_face(const OpenLine *line, const Axes *axes, FaceWindow u, FaceWindow v,
                         void (*visit)(void *context, const LineFace *face), void *context) {
    double p[2], q[2];
    Walk walk = {line, axes, 1, p, q, visit, context};
    place_of(line, axes, 0, p);
    for (; walk.stretch < line->points; walk.stretch++, memcpy(p, q, sizeof p)) {
        place_of(line, axes, walk.stretch, q);
        each_near(p, q, true, u, walk_face, &walk);
        each_near(p, q, false, v, walk_face, &walk);
    }
}

/* ---- before the sea that stays is known: all cut faces are closed ---- */

typedef struct Counting {
    Topography *t;
    LineCut *cut;
    const double *p, *q;
} Counting;

static void count_passage(void *context, bool along_x, int i, int j) {
    const Counting *c = context;
    const size_t nx = (size_t)c->t->nx, row = (size_t)(j - c->t->band.first);
    signed char *passed =
        along_x ? &c->cut->west[row * (nx + 1) + (size_t)i] : &c->cut->south[row * nx + (size_t)i];
    *passed = (signed char)(*passed + passes(c->p, c->q, along_x, i, j));
}

/* Of a stretch, through the faces of this band that are no edges of the grid. */
static void count_passages(Topography *t, const double p[2], const double q[2], LineCut *cut) {
    const int first = t->band.first, end = first + t->ny, whole = t->band.whole;
    Counting counting = {t, cut, p, q};
    each_near(p, q, true, (FaceWindow){1, t->nx, first, end}, count_passage, &counting);
    each_near(p, q, false, (FaceWindow){0, t->nx, first > 1 ? first : 1, end < whole ? end + 1 : whole},
              count_passage, &counting);
}

static void *copy_of(const void *from, size_t count, size_t size) {
    if (!from) return NULL;
    void *copy = memory_allocate(count + 1, size);
    if (count > 0) memcpy(copy, from, count * size);
    return copy;
}

void lines_cut(Topography *t, const Axes *axes, const TopographyOptions *options, LineCut *cut) {
    const size_t cells = (size_t)t->nx * (size_t)t->ny,
                 west = t->ny > 0 ? ((size_t)t->nx + 1) * (size_t)t->ny : 0,
                 south = t->ny > 0 ? cells + (size_t)t->nx : 0;
    *cut = (LineCut){.west = ALLOCATE(west + 1, signed char),
                     .south = ALLOCATE(south + 1, signed char),
                     .wet_area = copy_of(t->wet_area, cells, sizeof *t->wet_area),
                     .open_west = copy_of(t->open_west, west, sizeof *t->open_west),
                     .open_south = copy_of(t->open_south, south, sizeof *t->open_south),
                     .shore_west = copy_of(t->shore_west, west, sizeof *t->shore_west),
                     .shore_south = copy_of(t->shore_south, south, sizeof *t->shore_south)};
    for (int n = 0; n < options->n_open && t->ny > 0; n++) {
        double p[2], q[2];
        place_of(&options->open[n], axes, 0, p);
        for (int m = 1; m < options->open[n].points; m++, memcpy(p, q, sizeof p)) {
            place_of(&options->open[n], axes, m, q);
            count_passages(t, p, q, cut);
        }
    }
    for (size_t n = 0; n < west; n++)
        if (cut->west[n] != 0) t->open_west[n] = 0;
    for (size_t n = 0; n < south; n++)
        if (cut->south[n] != 0) t->open_south[n] = 0;
}

void lines_forget(LineCut *cut) {
    memory_free(cut->west), memory_free(cut->south);
    memory_free(cut->wet_area), memory_free(cut->open_west), memory_free(cut->open_south);
    memory_free(cut->shore_west), memory_free(cut->shore_south);
    *cut = (LineCut){0};
}

/* ---- after: those beside the sea are opened ---- */

/* A cell of the band, or of the rows beside it. */
typedef struct Side {
    double wet, before, bed;
} Side;

/* Rows -1 to ny of the band; to be freed. */
static Side *sides_of(const Topography *t, const Axes *axes, const LineCut *cut) {
    const size_t nx = (size_t)t->nx, rows = (size_t)t->ny;
    Side *all = ALLOCATE(nx * (rows + 2), Side);
    for (size_t n = 0; n < nx * rows; n++) all[nx + n] = (Side){t->wet_area[n], cut->wet_area[n], t->bed[n]};
    if (rows > 0)
        band_rows_beside(&t->band, axes->periodic_y, nx * sizeof *all, all + nx, all + nx * rows, all,
                         all + nx * (rows + 1));
    return all;
}

typedef struct Opening {
    Topography *t;
    const Axes *axes;
    const TopographyOptions *options;
    const LineCut *cut;
    const Side *sides;
    int64_t *opened; /* faces, by line */
    int64_t gap;     /* 2 times the number of the first face between two cells that stay; +1: along y */
} Opening;

/* The line that cuts the face, the first where several do. */
static int find_line(const Opening *o, bool along_x, int i, int j) {
    double normal[2];
    int n = 0;
    while (n < o->options->n_open - 1 &&
           !open_line_cuts(&o->options->open[n], o->axes, along_x, i, j, normal))
        n++;
    return n;
}

/* A cut face, with the cells before and behind it: the line that opens it; NULL: it stays closed. */
static const OpenLine *open_face(Opening *o, bool along_x, int i, int j, double share, const Side *before,
                                 const Side *behind) {
    const bool own = along_x || j < o->t->band.first + o->t->ny || o->t->band.is_last;
    if (!(share > 0)) return NULL;
    if (before->wet > 0 && behind->wet > 0) {
        const int64_t place = 2 * ((int64_t)j * (o->t->nx + 1) + i) + !along_x;
        if (place < o->gap) o->gap = place;
        return NULL;
    }
    const bool open = (before->wet > 0 && behind->before > 0) || (behind->wet > 0 && before->before > 0);
    if (!open) return NULL;
    const int line = find_line(o, along_x, i, j);
    o->opened[line] += own;
    return &o->options->open[line];
}

/* What lies beyond an open face has the area of the largest cell inside, and the bed of the lowest, if not its own. */
static void widen(Topography *t, const OpenLine *line, const Side *inside, const Side *outside, ptrdiff_t n) {
    if (!(inside->wet > 0) || outside->wet > 0) return;
    const double bed = line->own_ground ? outside->bed : inside->bed;
    t->bed[n] = t->ghost[n] ? fmin(t->bed[n], bed) : bed;
    t->wet_area[n] = fmax(t->wet_area[n], inside->wet);
    t->ghost[n] = 1;
}

static void open_west_faces(Opening *o) {
    Topography *t = o->t;
    for (int j = 0; j < t->ny; j++)
        for (int i = 1; i < t->nx; i++) {
            const ptrdiff_t face = (ptrdiff_t)j * (t->nx + 1) + i, cell = (ptrdiff_t)j * t->nx + i;
            const Side *here = o->sides + t->nx + cell, *west = here - 1;
            if (o->cut->west[face] == 0) continue;
            const OpenLine *line =
                open_face(o, true, i, t->band.first + j, o->cut->open_west[face], west, here);
            if (!line) continue;
            t->open_west[face] = o->cut->open_west[face];
            if (t->shore_west) t->shore_west[face] = o->cut->shore_west[face];
            widen(t, line, west, here, cell);
            widen(t, line, here, west, cell - 1);
        }
}

static void open_south_faces(Opening *o) {
    Topography *t = o->t;
    for (int j = 0; j <= t->ny && t->ny > 0; j++)
        for (int i = 0; i < t->nx; i++) {
            const ptrdiff_t face = (ptrdiff_t)j * t->nx + i;
            const Side *here = o->sides + t->nx + face, *south = here - t->nx;
            if (o->cut->south[face] == 0) continue;
            const OpenLine *line =
                open_face(o, false, i, t->band.first + j, o->cut->open_south[face], south, here);
            if (!line) continue;
            t->open_south[face] = o->cut->open_south[face];
            if (t->shore_south) t->shore_south[face] = o->cut->shore_south[face];
            if (j < t->ny) widen(t, line, south, here, face);
            if (j > 0) widen(t, line, here, south, face - t->nx);
        }
}

/* Does the end lie in water that stays? Collective. */
static bool ends_in_water(const Opening *o, const double at[2]) {
    const Topography *t = o->t;
    const double i = floor((at[0] - o->axes->west) / o->axes->step_x),
                 j = floor((at[1] - o->axes->south) / o->axes->step_y);
    const bool here = i >= 0 && i < t->nx && j >= 0 && j < t->band.whole && band_has(&t->band, (int64_t)j);
    int64_t water =
        here && o->sides[(ptrdiff_t)(j - t->band.first + 1) * t->nx + (ptrdiff_t)i].wet > 0 ? 1 : 0;
    band_add(&t->band, 1, &water);
    return water > 0;
}

static Status refuse_gap(const Opening *o, int64_t place) {
    const Axes *axes = o->axes;
    const bool along_x = place % 2 == 0;
    const int i = (int)(place / 2 % (o->t->nx + 1)), j = (int)(place / 2 / (o->t->nx + 1));
    const OpenLine *line = &o->options->open[find_line(o, along_x, i, j)];
    const bool first = ends_in_water(o, line->at[0]), last = ends_in_water(o, line->at[line->points - 1]);
    const double *end = line->at[first ? 0 : line->points - 1];
    if (first || last)
        return error_raise(STATUS_BAD_INPUT,
                           "the line of the boundary \"%s\" leaves a gap: its end (%.7g, %.7g)%s lies in the "
                           "water, which passes around it; lead it on to land, to the edge of the grid or to "
                           "another line",
                           line->name, end[0], end[1], first && last ? ", like the other one," : "");
    const double x = axes_x(axes, i + (along_x ? 0 : 0.5)), y = axes_y(axes, j + (along_x ? 0.5 : 0));
    if (axes->periodic_x || axes->periodic_y)
        return error_raise(
            STATUS_BAD_INPUT,
            "the line of the boundary \"%s\" leaves a gap: the grid is periodic, and the water "
            "on both of its sides at (%.7g, %.7g) is connected the other way round; add a line "
            "there, or let this one end a period from where it begins",
            line->name, x, y);
    return error_raise(STATUS_BAD_INPUT,
                       "the line of the boundary \"%s\" leaves a gap: the water on both of its sides at "
                       "(%.7g, %.7g) is connected; lead it on to land, to the edge of the grid or to another "
                       "line",
                       line->name, x, y);
}

Status lines_open(Topography *t, const Axes *axes, const TopographyOptions *options, const LineCut *cut) {
    Side *sides = sides_of(t, axes, cut);
    Opening o = {t, axes, options, cut, sides, ALLOCATE(options->n_open + 1, int64_t), INT64_MAX};
    t->ghost = ALLOCATE((size_t)t->nx * (size_t)t->ny + 1, unsigned char);
    open_west_faces(&o);
    open_south_faces(&o);
    const int64_t gap = band_least(&t->band, o.gap);
    Status status = gap < INT64_MAX ? refuse_gap(&o, gap) : STATUS_OK;
    band_add(&t->band, options->n_open, o.opened);
    for (int n = 0; n < options->n_open && status == STATUS_OK; n++) {
        const OpenLine *line = &options->open[n];
        if (o.opened[n] == 0)
            status = error_raise(STATUS_BAD_INPUT,
                                 "the line of the boundary \"%s\", from (%.7g, %.7g) to (%.7g, %.7g), meets "
                                 "no water of the sea that stays: check it against the bathymetry",
                                 line->name, line->at[0][0], line->at[0][1], line->at[line->points - 1][0],
                                 line->at[line->points - 1][1]);
        else
            topography_note(t, "opened %lld faces along the line of the boundary \"%s\"",
                            (long long)o.opened[n], line->name);
    }
    memory_free(o.opened);
    memory_free(sides);
    return status;
}
