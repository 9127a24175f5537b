/* SPDX-License-Identifier: Apache-2.0 */
#include "model/boundary/segments.h"

#include "base/log.h"
#include "base/memory.h"
#include "model/boundary/boundaries.h"
#include <math.h>
#include <stdlib.h>

static bool is_vertical(int edge) {
    return edge == EDGE_WEST || edge == EDGE_EAST;
}

/* Is the edge at the cell with this centre the boundary's? */
static bool covers(const ScenarioBoundary *b, const Axes *axes, int edge, double x, double y) {
    const bool periodic = is_vertical(edge) ? axes->periodic_x : axes->periodic_y;
    const double position = is_vertical(edge) ? y : x;
    if (periodic || b->edge == EDGE_LINE || (b->edge < EDGE_ALL && (int)b->edge != edge)) return false;
    if (b->has_range && (position < b->range[0] || position > b->range[1])) return false;
    return !b->has_box || (x >= b->box[0] && x <= b->box[1] && y >= b->box[2] && y <= b->box[3]);
}

/* The same of boundary n, which may be all that the others leave. */
static bool claims(const Scenario *s, int n, const Axes *axes, int edge, double x, double y) {
    if (!covers(&s->boundaries[n], axes, edge, x, y)) return false;
    for (int m = 0; m < s->n_boundaries && s->boundaries[n].edge == EDGE_REST; m++)
        if (m != n && covers(&s->boundaries[m], axes, edge, x, y)) return false;
    return true;
}

static Status claim_edge(const Scenario *scenario, int n, const Axes *axes, int edge,
                         const unsigned char *wet_edge, unsigned char *open_edge, int *claimed, int *walled) {
    const ScenarioBoundary *b = &scenario->boundaries[n];
    const bool vertical = is_vertical(edge);
    for (int p = 0; p < (vertical ? axes->ny : axes->nx); p++) {
        const int i = vertical ? (edge == EDGE_WEST ? 0 : axes->nx - 1) : p;
        const int j = vertical ? p : (edge == EDGE_SOUTH ? 0 : axes->ny - 1);
        const double x = axes_x(axes, i + 0.5), y = axes_y(axes, j + 0.5);
        if (!claims(scenario, n, axes, edge, x, y) || wet_edge[p] == EDGE_DRY) continue;
        if (b->of_nest && wet_edge[p] == EDGE_WALLED) {
            ++*walled;
            continue;
        }
        CHECK(!open_edge[p], STATUS_BAD_INPUT,
              "%s: boundary \"%s\" overlaps another one on the same edge at %g", b->place, b->name,
              vertical ? y : x);
        open_edge[p] = (unsigned char)(n + 1);
        ++*claimed;
    }
    return STATUS_OK;
}

Status boundaries_claim(const Scenario *scenario, const Axes *axes, const unsigned char *const wet_edge[4],
                        unsigned char *const open_edge[4]) {
    for (int n = 0; n < scenario->n_boundaries; n++) {
        const ScenarioBoundary *b = &scenario->boundaries[n];
        int claimed = 0, walled = 0;
        if (b->edge == EDGE_LINE) continue; /* the bathymetry has opened it */
        CHECK(b->edge >= EDGE_ALL || !(is_vertical(b->edge) ? axes->periodic_x : axes->periodic_y),
              STATUS_BAD_INPUT, "%s: boundary \"%s\" lies on an edge that is periodic", b->place, b->name);
        for (int edge = 0; edge < 4; edge++)
            TRY(claim_edge(scenario, n, axes, edge, wet_edge[edge], open_edge[edge], &claimed, &walled));
        if (walled > 0)
            log_info(
                "%s: %d of %d wet cells along the edges stay closed, because the coarser run has walls there",
                b->place, walled, walled + claimed);
        CHECK(claimed > 0 || walled == 0, STATUS_BAD_INPUT,
              "%s: boundary \"%s\" meets only walls of the coarser run, \"%s\": choose other edges, or "
              "another grid",
              b->place, b->name, scenario->nest);
        if (claimed == 0 && b->edge == EDGE_REST) {
            log_warn("%s: the other boundaries leave no open edge for \"%s\"", b->place, b->name);
            continue;
        }
        CHECK(claimed > 0, STATUS_BAD_INPUT,
              "%s: boundary \"%s\" meets no wet cell on its edge: check edge, range and box against the "
              "bathymetry",
              b->place, b->name);
    }
    return STATUS_OK;
}

/* ---- faces of this rank ---- */

static EdgeFace face_on_edge(int i, int j, bool vertical, bool low, int boundary) {
    const double inwards = low ? 1 : -1;
    return (EdgeFace){i, j, vertical, low, boundary, {vertical ? inwards : 0, vertical ? 0 : inwards}};
}

static int find_on_edge(const Grid *g, const Scenario *scenario, int number, int edge, EdgeFace **list,
                        int count) {
    const bool vertical = is_vertical(edge), low = edge == EDGE_WEST || edge == EDGE_SOUTH;
    const int at = low ? 0 : (vertical ? g->n1 : g->n2), inside = low ? 0 : at - 1;
    const int global = at + (vertical ? g->i_first : g->j_first);
    if (global != (low ? 0 : (vertical ? g->nx : g->ny))) return count; /* another rank's edge */
    for (int p = 0; p < (vertical ? g->n2 : g->n1); p++) {
        const int i = vertical ? at : p, j = vertical ? p : at;
        const double x = g->x_c[vertical ? inside : p], y = g->y_c[vertical ? p : inside];
        const ptrdiff_t face = AT2(*g, i, j);
        if (!claims(scenario, number, &g->axes, edge, x, y) ||
            (vertical ? g->width_u[face] : g->width_v[face]) <= 0)
            continue;
        *list = ENLARGE(*list, count + 1, EdgeFace);
        (*list)[count++] = face_on_edge(i, j, vertical, low, number);
    }
    return count;
}

/* The boundary whose line opens this face inside the grid, the first where several cut it; -1: none. */
static int line_through(const Grid *g, const Scenario *scenario, EdgeFace *face) {
    int i = g->i_first + face->i, j = g->j_first + face->j;
    if (g->axes.periodic_x) i = axes_wrap(i, g->nx);
    if (g->axes.periodic_y) j = axes_wrap(j, g->ny);
    const int at = face->along_x ? i : j, last = face->along_x ? g->nx : g->ny;
    for (int n = 0; n < scenario->n_boundaries && at > 0 && at < last; n++) {
        if (scenario->boundaries[n].edge != EDGE_LINE) continue;
        const OpenLine line = boundary_line(&scenario->boundaries[n]);
        if (open_line_cuts(&line, &g->axes, face->along_x, i, j, face->normal)) return n;
    }
    return -1;
}

/* Inwards. */
static void turn_normal(EdgeFace *face) {
    const bool outwards = (face->normal[face->along_x ? 0 : 1] > 0) != face->low;
    for (int c = 0; c < 2; c++) face->normal[c] *= outwards ? -1 : 1;
}

/* Open faces of lines: i0 <= i < i1, j0 <= j < j1; `low`: only those whose ghosts lie to the west or south. */
static int find_on_lines(const Grid *g, const Scenario *scenario, bool along_x, const int at[4], bool low,
                         EdgeFace **list, int count) {
    for (int j = at[2]; j < at[3]; j++)
        for (int i = at[0]; i < at[1]; i++) {
            const ptrdiff_t m = AT2(*g, i, j);
            const double given = (along_x ? g->given_u : g->given_v)[m];
            EdgeFace face = {.i = i, .j = j, .along_x = along_x, .low = given > 0};
            if (given == 0 || (low && given < 0) || (along_x ? g->width_u : g->width_v)[m] <= 0) continue;
            face.boundary = line_through(g, scenario, &face);
            if (face.boundary < 0) continue;
            turn_normal(&face);
            *list = ENLARGE(*list, count + 1, EdgeFace);
            (*list)[count++] = face;
        }
    return count;
}

int segments_find(const Scenario *scenario, const Grid *grid, EdgeFace **out, int *own) {
    int count = 0;
    *out = NULL;
    for (int n = 0; n < scenario->n_boundaries; n++)
        for (int edge = 0; edge < 4; edge++) count = find_on_edge(grid, scenario, n, edge, out, count);
    const int n1 = grid->n1, n2 = grid->n2, all[4] = {0, n1, 0, n2};
    for (int c = 0; c < 2; c++) count = find_on_lines(grid, scenario, c == 0, all, false, out, count);
    *own = count;
    count = find_on_lines(grid, scenario, true, (int[]){n1, n1 + 1, 0, n2}, true, out, count);
    return find_on_lines(grid, scenario, false, (int[]){0, n1, n2, n2 + 1}, true, out, count);
}

/* The boundary that opens the edge at this cell of the first row; -1: none. */
static int opened_by(const Grid *g, const Scenario *scenario, int edge, int i, int j) {
    const bool vertical = is_vertical(edge), low = edge == EDGE_WEST || edge == EDGE_SOUTH;
    const ptrdiff_t face = AT2(*g, i + (vertical && !low), j + (!vertical && !low));
    const double x = axes_x(&g->axes, g->i_first + i + 0.5), y = axes_y(&g->axes, g->j_first + j + 0.5);
    if ((vertical ? g->width_u : g->width_v)[face] <= 0) return -1;
    for (int n = 0; n < scenario->n_boundaries; n++)
        if (claims(scenario, n, &g->axes, edge, x, y)) return n;
    return -1;
}

static int find_along_edge(const Scenario *scenario, const Grid *g, int boundary, int edge, EdgeFace **out) {
    const bool vertical = is_vertical(edge), low = edge == EDGE_WEST || edge == EDGE_SOUTH;
    const int across = vertical ? g->n1 : g->n2, along = vertical ? g->n2 : g->n1;
    const int first = vertical ? g->i_first : g->j_first, whole = vertical ? g->nx : g->ny;
    const bool around = vertical ? g->axes.periodic_y : g->axes.periodic_x;
    const int inside = low ? 0 : across - 1;
    int count = 0;
    if (first + inside != (low ? 0 : whole - 1)) return 0; /* another rank's edge */
    for (int p = 0; p < along; p++) {
        const int i = vertical ? inside : p, j = vertical ? p : inside;
        const bool corner = !around && p + (vertical ? g->j_first : g->i_first) == 0;
        if (corner || (vertical ? g->width_v : g->width_u)[AT2(*g, i, j)] <= 0) continue;
        const int here = opened_by(g, scenario, edge, i, j),
                  before = opened_by(g, scenario, edge, vertical ? i : i - 1, vertical ? j - 1 : j);
        if ((here >= 0 ? here : before) != boundary) continue;
        *out = ENLARGE(*out, count + 1, EdgeFace);
        (*out)[count++] = (EdgeFace){i, j, !vertical, low, boundary, {0, 0}};
    }
    return count;
}

/* The open face of the cell (i, j) on this side of it, if it is one of a line's: its boundary; -1: another one, -2: none, but
 * the way on is closed. */
static int opened_by_line(const Scenario *scenario, const Grid *g, int edge, int i, int j) {
    const bool vertical = is_vertical(edge), low = edge == EDGE_WEST || edge == EDGE_SOUTH;
    EdgeFace face = {.i = i + (vertical && !low), .j = j + (!vertical && !low), .along_x = vertical};
    const ptrdiff_t m = AT2(*g, face.i, face.j);
    if ((vertical ? g->width_u : g->width_v)[m] <= 0) return -2;
    return (vertical ? g->given_u : g->given_v)[m] == (low ? 1 : -1) ? line_through(g, scenario, &face) : -1;
}

/* Faces inside, beside open ones of a line that lie in one row. */
static int find_along_line(const Scenario *scenario, const Grid *g, int boundary, int edge, EdgeFace **out,
                           int count) {
    const bool vertical = is_vertical(edge), low = edge == EDGE_WEST || edge == EDGE_SOUTH;
    const double *width = vertical ? g->width_v : g->width_u, *given = vertical ? g->given_v : g->given_u;
    if (scenario->boundaries[boundary].edge != EDGE_LINE) return count;
    for (int j = 0; j < g->n2; j++)
        for (int i = 0; i < g->n1; i++) {
            const ptrdiff_t m = AT2(*g, i, j);
            if (width[m] <= 0 || given[m] != 0) continue;
            const int here = opened_by_line(scenario, g, edge, i, j),
                      before = opened_by_line(scenario, g, edge, vertical ? i : i - 1, vertical ? j - 1 : j);
            if (here == -1 || before == -1 || (here >= 0 ? here : before) != boundary) continue;
            *out = ENLARGE(*out, count + 1, EdgeFace);
            (*out)[count++] = (EdgeFace){i, j, !vertical, low, boundary, {0, 0}};
        }
    return count;
}

int segments_find_along(const Scenario *scenario, const Grid *g, int boundary, int edge, EdgeFace **out) {
    *out = NULL;
    const int count = find_along_edge(scenario, g, boundary, edge, out);
    return find_along_line(scenario, g, boundary, edge, out, count);
}

/* ---- faces of all ranks ---- */

static EdgePlace place_of(const Grid *g, const EdgeFace *f) {
    const int i = f->i - (f->along_x && !f->low), j = f->j - (!f->along_x && !f->low);
    return (EdgePlace){.x = f->along_x ? g->x_u[f->i] : g->x_c[f->i],
                       .y = f->along_x ? g->y_c[f->j] : g->y_v[f->j],
                       .i = g->i_first + i,
                       .j = g->j_first + j,
                       .bed = g->bed[AT2(*g, i, j)],
                       .boundary = f->boundary,
                       .along_x = f->along_x,
                       .inwards = f->low ? 1 : -1,
                       .normal = {f->normal[0], f->normal[1]}};
}

static int compare_places(const void *a, const void *b) {
    const EdgePlace *p = a, *q = b;
    const int differences[] = {p->boundary - q->boundary, p->along_x - q->along_x, p->j - q->j, p->i - q->i,
                               (p->inwards > q->inwards) - (p->inwards < q->inwards)};
    for (int n = 0; n < 5; n++)
        if (differences[n] != 0) return differences[n];
    return 0;
}

int segments_gather(const Scenario *scenario, const Grid *grid, EdgePlace **out) {
    EdgeFace *faces = NULL;
    int ranks, total = 0, own, bytes;
    (void)segments_find(scenario, grid, &faces, &own);
    MPI_Comm_size(grid->comm, &ranks);
    EdgePlace *mine = ALLOCATE(own + 1, EdgePlace);
    int *count = ALLOCATE(ranks, int), *first = ALLOCATE(ranks, int);
    for (int n = 0; n < own; n++) mine[n] = place_of(grid, &faces[n]);
    bytes = own * (int)sizeof *mine;
    MPI_Allgather(&bytes, 1, MPI_INT, count, 1, MPI_INT, grid->comm);
    for (int r = 0; r < ranks; total += count[r++]) first[r] = total;
    *out = (EdgePlace *)memory_allocate((size_t)total + 1, 1);
    MPI_Allgatherv(mine, bytes, MPI_BYTE, *out, count, first, MPI_BYTE, grid->comm);
    total /= (int)sizeof **out;
    qsort(*out, (size_t)total, sizeof **out, compare_places);
    memory_free(first);
    memory_free(count);
    memory_free(mine);
    memory_free(faces);
    return total;
}

void segments_each_near(const Grid *g, const EdgePlace *p, double width,
                        void (*visit)(void *context, ptrdiff_t column, double distance), void *context) {
    const int high = (int)fmin(ceil(width / axes_dy_m(&g->axes)) + 1, g->ny);
    const int j0 = (int)fmax(p->j - high - g->j_first, -1), j1 = (int)fmin(p->j + high - g->j_first, g->n2);
    for (int j = j0; j <= j1; j++) {
        const double dx = axes_dx_m(&g->axes, g->j_first + j + 0.5);
        const int wide = (int)fmin(ceil(width / dx) + 1, g->nx);
        const int i0 = (int)fmax(p->i - wide - g->i_first, -1),
                  i1 = (int)fmin(p->i + wide - g->i_first, g->n1);
        for (int i = i0; i <= i1; i++) {
            const double x = axes_x(&g->axes, g->i_first + i + 0.5),
                         y = axes_y(&g->axes, g->j_first + j + 0.5);
            visit(context, AT2(*g, i, j), axes_distance_m(&g->axes, p->x, p->y, x, y));
        }
    }
}
