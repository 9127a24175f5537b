/* SPDX-License-Identifier: Apache-2.0 */
#include "model/seam/shape.h"

#include "base/memory.h"
#include <math.h>

/* Cells between the seam and the edges of the grid around, so that the flow at the seam is that of the sea. */
enum { LEAST_AROUND = 4, LEAST_CELLS = 4 };

static void find_cells(const Scenario *scenario, const Axes *axes, SeamShape *s) {
    const double *box = scenario->zoom.box;
    *s = (SeamShape){.finer = (int)scenario->zoom.finer,
                     .i0 = (int)nearbyint((box[0] - axes->west) / axes->step_x),
                     .i1 = (int)nearbyint((box[1] - axes->west) / axes->step_x),
                     .j0 = (int)nearbyint((box[2] - axes->south) / axes->step_y),
                     .j1 = (int)nearbyint((box[3] - axes->south) / axes->step_y)};
}

Status seam_shape(const Scenario *scenario, const Axes *axes, SeamShape *s) {
    find_cells(scenario, axes, s);
    CHECK(s->i1 - s->i0 >= LEAST_CELLS && s->j1 - s->j0 >= LEAST_CELLS, STATUS_BAD_INPUT,
          "%s: /zoom/box holds %d x %d cells of the grid, but needs at least %d x %d", scenario->path,
          s->i1 - s->i0, s->j1 - s->j0, LEAST_CELLS, LEAST_CELLS);
    CHECK(s->i0 >= LEAST_AROUND && s->j0 >= LEAST_AROUND && s->i1 <= axes->nx - LEAST_AROUND &&
              s->j1 <= axes->ny - LEAST_AROUND,
          STATUS_BAD_INPUT,
          "%s: /zoom/box is less than %d cells from an edge of the grid: make it smaller, or the grid larger",
          scenario->path, LEAST_AROUND);
    return STATUS_OK;
}

ZoomGrid seam_grid(const Scenario *scenario, const Axes *axes) {
    SeamShape s;
    find_cells(scenario, axes, &s);
    const double middle = axes_y(axes, 0.5 * (s.j0 + s.j1)) - axes_y(axes, 0.5 * axes->ny);
    return (ZoomGrid){.nx = s.finer * (s.i1 - s.i0),
                      .ny = s.finer * (s.j1 - s.j0),
                      .west = axes_x(axes, s.i0),
                      .south = axes_y(axes, s.j0),
                      .step_x = axes->step_x / s.finer,
                      .step_y = axes->step_y / s.finer,
                      .north_of_middle_m = middle * (axes->spherical ? METRES_PER_DEGREE : 1)};
}

bool seam_takes(const Scenario *scenario, const Axes *axes, double x, double y) {
    const ZoomGrid finer = scenario->zoom.has_box ? seam_grid(scenario, axes) : (ZoomGrid){0};
    return zoom_holds(&finer, x, y);
}

/* Appends the part of a run from `from` to `until`. */
static void add_run(RunList *list, Run run, int from, int until) {
    run.i0 = run.i0 > from ? run.i0 : from;
    run.i1 = run.i1 < until ? run.i1 : until;
    if (run.i0 >= run.i1) return;
    list->elements += run.i1 - run.i0;
    list->run[list->count++] = run;
}

static void count_columns(const SeamShape *s, Grid *g) {
    RunList list = {ALLOCATE(2 * g->columns.count + 1, Run), 0, 0};
    for (int n = 0; n < g->columns.count; n++) {
        const Run run = g->columns.run[n];
        const int j = g->j_first + run.j;
        const bool crosses = j >= s->j0 && j < s->j1;
        add_run(&list, run, 0, crosses ? s->i0 - g->i_first : g->n1);
        if (crosses) add_run(&list, run, s->i1 - g->i_first, g->n1);
    }
    g->counted_columns = list;
}

Status seam_cover(const Scenario *scenario, Grid *g) {
    SeamShape s;
    if (!scenario->zoom.has_box) return STATUS_OK;
    TRY(seam_shape(scenario, &g->axes, &s));
    g->counted_area = field2_create(g);
    count_columns(&s, g);
    for (int n = 0; n < g->counted_columns.count; n++) {
        const Run run = g->counted_columns.run[n];
        for (int i = run.i0; i < run.i1; i++)
            g->counted_area[AT2(*g, i, run.j)] = g->own_area[AT2(*g, i, run.j)];
    }
    return STATUS_OK;
}

SeamPlace seam_place(const SeamShape *s, int n) {
    const int ni = s->i1 - s->i0, nj = s->j1 - s->j0, r = s->finer;
    if (n < nj) {
        const int j = s->j0 + n;
        return (SeamPlace){true, 1, {s->i0, j}, {s->i0 - 1, j}, {s->i0, j}, {0, r * n}};
    }
    if ((n -= nj) < nj) {
        const int j = s->j0 + n;
        return (SeamPlace){true, -1, {s->i1, j}, {s->i1, j}, {s->i1 - 1, j}, {r * ni - 1, r * n}};
    }
    if ((n -= nj) < ni) {
        const int i = s->i0 + n;
        return (SeamPlace){false, 1, {i, s->j0}, {i, s->j0 - 1}, {i, s->j0}, {r * n, 0}};
    }
    n -= ni;
    const int i = s->i0 + n;
    return (SeamPlace){false, -1, {i, s->j1}, {i, s->j1}, {i, s->j1 - 1}, {r * n, r * nj - 1}};
}

SeamCell seam_part_cell(const SeamPlace *p, int part) {
    return (SeamCell){p->first.i + (p->along_x ? 0 : part), p->first.j + (p->along_x ? part : 0)};
}

int seam_part_of(const SeamShape *s, bool along_x, int inwards, int i, int j) {
    const int ni = s->i1 - s->i0, nj = s->j1 - s->j0, r = s->finer;
    const int first = along_x ? (inwards > 0 ? 0 : nj) : 2 * nj + (inwards > 0 ? 0 : ni);
    return r * first + (along_x ? j : i);
}

SeamRectangle *seam_rectangles(const Grid *g) {
    const SeamRectangle own = {g->i_first, g->i_first + g->n1, g->j_first, g->j_first + g->n2};
    int ranks;
    MPI_Comm_size(g->comm, &ranks);
    SeamRectangle *all = ALLOCATE(ranks, SeamRectangle);
    MPI_Allgather(own, 4, MPI_INT, all, 4, MPI_INT, g->comm);
    return all;
}

bool seam_within(const SeamRectangle a, SeamCell c, int margin) {
    return c.i >= a[0] - margin && c.i < a[1] + margin && c.j >= a[2] - margin && c.j < a[3] + margin;
}

int seam_owner(const SeamRectangle *all, int ranks, SeamCell cell) {
    for (int r = 0; r < ranks; r++)
        if (seam_within(all[r], cell, 0)) return r;
    return -1;
}
