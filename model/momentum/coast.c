/* SPDX-License-Identifier: Apache-2.0 */
#include "model/momentum/coast.h"

#include "base/memory.h"
#include "model/momentum/neighbours.h"
#include <math.h>

/* Of a face. What is nearer than the second, or narrower, only makes a matrix stiff, and hardly moves water.
 */
static const double DUST = 1e-9, NEAREST = 0.05;
enum { REACH = 3 }; /* faces alongside that are asked for walls */

/* One component's faces and their shores; `sides` are those of the other component, along which it flows. */
typedef struct Coastline {
    const Grid *grid;
    ptrdiff_t along, cross;
    const double *begins, *ends, *width;
    const double *side_begins, *side_ends;
    double **share;
} Coastline;

/* A cell's four sides, seen from the face that one comes from; heights along it, from its first end. */
typedef struct View {
    Shore near, far, low, high;
    double wet; /* share of the cell */
} View;

typedef struct Point {
    double x, y;
} Point;

static bool has_water(Shore shore) {
    return shore.ends - shore.begins > DUST;
}

static Shore shore_at(const Coastline *c, ptrdiff_t m) {
    return (Shore){c->begins[m], c->ends[m]};
}

/* ---- ahead ---- */

static View view_ahead(const Coastline *c, int i, int j, int ahead) {
    const Grid *g = c->grid;
    const ptrdiff_t m = AT2(*g, i, j), cell = ahead > 0 ? m : m - c->along;
    const int row = ahead < 0 && c->along != 1 ? j - 1 : j;
    View v = {.near = shore_at(c, m),
              .far = shore_at(c, m + ahead * c->along),
              .low = {c->side_begins[cell], c->side_ends[cell]},
              .high = {c->side_begins[cell + c->cross], c->side_ends[cell + c->cross]},
              .wet = g->area[cell] / (g->dx_c[row] * g->dy_c[row])};
    if (ahead < 0) {
        v.low = (Shore){1 - v.low.ends, 1 - v.low.begins};
        v.high = (Shore){1 - v.high.ends, 1 - v.high.begins};
    }
    return v;
}

/* Where the wall starts that bounds the near face's water at one end; false: somewhere on a dry side. */
static bool wall_starts(double end, double corner, Shore side, Point *start) {
    *start = (Point){0, end};
    if (end != corner) return true;
    if (!has_water(side)) return false;
    if (side.begins <= 0) start->x = side.ends;
    return true;
}

static double crossing(Point a, Point b, double y) {
    return fabs(b.y - a.y) > DUST ? a.x + (b.x - a.x) * (y - a.y) / (b.y - a.y) : 1;
}

/* Distance to the wall along the row at height y, in cells; 1 where the far face is reached before. */
static double distance_ahead(const View *v, double y) {
    Point low, high;
    const bool from_low = wall_starts(v->near.begins, 0, v->low, &low);
    const bool from_high = wall_starts(v->near.ends, 1, v->high, &high);
    if (has_water(v->far)) {
        if (y <= v->far.begins) return crossing(low, (Point){1, v->far.begins}, y);
        if (y >= v->far.ends) return crossing(high, (Point){1, v->far.ends}, y);
        return 1;
    }
    /* one wall from low to high; where it meets a dry side, the cell's area says */
    if (!from_low && !from_high) return fmin(1, v->wet);
    if (!from_low) low.x = fmin(fmax(2 * v->wet / high.y - high.x, 0), 1);
    if (!from_high) high.x = fmin(fmax(2 * v->wet / (1 - low.y) - low.x, 0), 1);
    return crossing(low, high, y);
}

/* Height of the nearest wall below (-1) or above (1) the middle of face m, in faces from its first end;
 * infinite: far away. */
static double wall_alongside(const Coastline *c, ptrdiff_t m, int way) {
    for (int n = 0;; n++, m += way * c->cross) {
        const Shore here = shore_at(c, m);
        if (way < 0 ? here.begins > 0 : here.ends < 1) return way < 0 ? here.begins - n : here.ends + n;
        if (n == REACH) return way * INFINITY;
        const Shore next = shore_at(c, m + way * c->cross);
        if (!has_water(next) || (way < 0 ? next.ends < 1 : next.begins > 0)) return way < 0 ? -n : 1 + n;
    }
}

/* The velocity at height y on the line of face m over that in the middle of the face. */
static double profile(const Coastline *c, ptrdiff_t m, double y) {
    const Shore shore = shore_at(c, m);
    const double middle = 0.5 * (shore.begins + shore.ends);
    if (fabs(y - middle) < DUST) return 1;
    const double below = wall_alongside(c, m, -1), above = wall_alongside(c, m, 1);
    const double from_below = isinf(below) ? 1 : (y - below) / (middle - below);
    const double from_above = isinf(above) ? 1 : (above - y) / (above - middle);
    return from_below * from_above;
}

/* What lies ahead or behind: distance of a wall, or the share of the next face's velocity and the distance 1.
 */
static double look_along(const Coastline *c, int i, int j, int ahead, double *near) {
    const ptrdiff_t m = AT2(*c->grid, i, j), next = m + ahead * c->along;
    const View v = view_ahead(c, i, j, ahead);
    const double y = 0.5 * (v.near.begins + v.near.ends);
    *near = 0;
    if (!has_water(v.far) || y <= v.far.begins || y >= v.far.ends)
        return fmax(distance_ahead(&v, y), NEAREST);
    if (c->width[next] > 0) {
        *near = profile(c, next, y);
        return 1;
    }
    /* closed beside a cell that is land but for a corner: the wall is in there */
    const bool along_x = c->along == 1;
    View beyond = view_ahead(c, along_x ? i + ahead : i, along_x ? j : j + ahead, ahead);
    return 1 + fmin(fmax(distance_ahead(&beyond, y), 0), 1);
}

/* By side: share of the weight of a whole face in open water, and how much of the next velocity counts. */
typedef struct Shares {
    double share[SIDES], gain[SIDES];
} Shares;

static void shares_along(const Coastline *c, int i, int j, Shares *s) {
    const double ahead = look_along(c, i, j, 1, &s->gain[AHEAD]),
                 behind = look_along(c, i, j, -1, &s->gain[BEHIND]);
    s->share[AHEAD] = 2 / ((ahead + behind) * ahead);
    s->share[BEHIND] = 2 / ((ahead + behind) * behind);
}

static void share_across(const Coastline *c, ptrdiff_t m, int side, Shares *s) {
    const ptrdiff_t next = m + (side == LEFT ? c->cross : -c->cross);
    const Shore here = shore_at(c, m), there = shore_at(c, next);
    const double open = fmax(here.ends - here.begins, NEAREST), beyond = there.ends - there.begins;
    const bool touches = has_water(there) && (side == LEFT ? here.ends >= 1 && there.begins <= 0
                                                           : here.begins <= 0 && there.ends >= 1);
    const bool coupled = touches && c->width[next] > 0;
    /* a closed face with water is that beside a cell that is land but for a corner */
    const double distance = 0.5 * open + (coupled ? 0.5 * beyond : touches ? beyond : 0);
    s->share[side] = 1 / (open * distance);
    s->gain[side] = coupled ? 1 : 0;
}

/* Nothing counts more than once: what would, is taken from the hold of the walls alongside, which is stronger
 * (but where cells are more than twice as long as they are wide, which limits it). So no velocity grows
 * beyond those around it, in the rows of each direction alone, too. `ratio` of the weights alongside and
 * ahead. */
static void limit_gains(double ratio, Shares *s) {
    double excess = 0, walls = 0;
    for (int n = AHEAD; n <= BEHIND; n++) excess += s->share[n] * fmax(0, s->gain[n] - 1);
    for (int n = LEFT; n <= RIGHT; n++) walls += s->gain[n] > 0 ? 0 : s->share[n] * ratio;
    if (excess <= 0) return;
    const double part = fmin(1, walls / excess);
    for (int n = AHEAD; n <= BEHIND; n++)
        if (s->gain[n] > 1) {
            s->share[n] *= 1 + part * (s->gain[n] - 1);
            s->gain[n] = 1;
        }
    for (int n = LEFT; n <= RIGHT; n++)
        if (s->gain[n] <= 0) s->share[n] *= fmax(0, 1 - part * excess / walls);
}

static Shares shares_of_face(const Coastline *c, int i, int j) {
    const Grid *g = c->grid;
    const ptrdiff_t m = AT2(*g, i, j);
    const double shape = c->along == 1 ? g->dx_c[j] / g->dy_c[j] : g->dy_c[j] / g->dx_v[j];
    Shares s;
    shares_along(c, i, j, &s);
    share_across(c, m, LEFT, &s);
    share_across(c, m, RIGHT, &s);
    limit_gains(shape * shape, &s);
    return s;
}

static void make_shares(const Coastline *c) {
    const Grid *g = c->grid;
    const RunList faces = c->along == 1 ? g->faces_u : g->faces_v;
    for (int n = 0; n < faces.count; n++)
        for (int i = faces.run[n].i0; i < faces.run[n].i1; i++) {
            const ptrdiff_t m = AT2(*g, i, faces.run[n].j);
            if (!has_water(shore_at(c, m))) continue;
            const Shares s = shares_of_face(c, i, faces.run[n].j);
            for (int side = 0; side < SIDES; side++) {
                c->share[2 * side][m] = s.share[side];
                c->share[2 * side + 1][m] = s.gain[side];
            }
        }
}

double **coast_create(const Grid *g, bool along_x) {
    if (!g->begins_u) return NULL;
    double **share = ALLOCATE(2 * SIDES, double *);
    for (int n = 0; n < 2 * SIDES; n++) share[n] = field2_create(g);
    const Coastline line =
        along_x
            ? (Coastline){g, 1, g->row, g->begins_u, g->ends_u, g->width_u, g->begins_v, g->ends_v, share}
            : (Coastline){g, g->row, 1, g->begins_v, g->ends_v, g->width_v, g->begins_u, g->ends_u, share};
    make_shares(&line);
    return share;
}

void coast_destroy(const Grid *g, double ***coast) {
    for (int n = 0; *coast && n < 2 * SIDES; n++) field2_destroy(g, &(*coast)[n]);
    memory_free(*coast);
    *coast = NULL;
}
