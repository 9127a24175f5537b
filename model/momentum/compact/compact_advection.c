/* SPDX-License-Identifier: Apache-2.0 */
#include "model/momentum/compact/compact_advection.h"

#include "base/memory.h"
#include "model/momentum/compact/inner.h"
#include "numerics/lines/compact_operator.h"
#include "numerics/lines/line_transport.h"

/* Lines of one component, or of cells, in one direction. */
typedef struct AdvectionLines {
    LineLayout *layout;
    unsigned char *points;
    double *velocity, *carrier, *result; /* arrays of the layout; carrier: of lines across alone */
    LineChoice choice;                   /* of lines */
    unsigned told;
} AdvectionLines;

enum { ALONG, ACROSS, DIRECTIONS };

/* Everything of one component. Directions are counted from its own. */
typedef struct Component {
    bool along_x;
    Grid grid; /* of its faces */
    AdvectionLines direction[DIRECTIONS];
    LineOperator *first[DIRECTIONS]; /* derivative of the velocity */
    LineOperator
        *first_flux[DIRECTIONS];      /* of what is carried through walls: its symmetry is the other one */
    LineOperator *second[DIRECTIONS]; /* NULL: viscosity is not compact */
    LineTransport *transport[DIRECTIONS];
    LineOperator *filter[DIRECTIONS];    /* NULL: none */
    LineOperator *to_centres, *to_faces; /* means: of the velocity along, then of those at centres, across */
    AdvectionLines centres;              /* lines of cells across */
    double *at_centres, *at_faces;       /* at_faces: at the other component's faces */
    double *carried, *advective;
    double *outer; /* NULL: compact differences everywhere */
} Component;

struct CompactAdvection {
    const Grid *grid; /* not owned */
    CompactAdvectionOptions options;
    Component component[2]; /* u, v */
};

/* ---- set-up ---- */

static Status direction_create(const Grid *grid, bool along_x, LineChoice choice, AdvectionLines *d) {
    d->choice = choice;
    TRY(line_layout_of_grid(grid, along_x ? LINES_X : LINES_Y, &d->layout));
    d->points = ALLOCATE(d->layout->size + 1, unsigned char);
    double **lines[] = {&d->velocity, &d->carrier, &d->result};
    for (int n = 0; n < 3; n++) *lines[n] = lines_allocate(d->layout);
    for (int g = 0; g < d->layout->groups; g++)
        for (int lane = 0; lane < d->layout->lanes; lane++)
            for (int row = 0, i, j, k; row < d->layout->n; row++)
                if (line_cell(d->layout, lane, row, g, &i, &j, &k))
                    d->points[LINE_AT(*d->layout, lane, row, g)] =
                        grid->bottom_c[AT2(*grid, i, j)] <= k ? POINT_WET : POINT_LAND;
    return STATUS_OK;
}

static void direction_destroy(AdvectionLines *d) {
    double **lines[] = {&d->velocity, &d->carrier, &d->result};
    for (int n = 0; n < 3; n++) memory_free(*lines[n]);
    memory_free(d->points);
    line_layout_destroy(&d->layout);
}

static Status make(AdvectionLines *d, CompactOperator kind, CompactEnd end, double spacing, double filter,
                   LineOperator **out) {
    const CompactScheme scheme = {kind, end, spacing, 0.5 * (1 - filter)};
    TRY(compact_operator_create(d->layout, &scheme, d->points, &d->choice, out));
    line_operator_tell(*out, d->layout->axis == LINES_X ? "compact6 along x" : "compact6 along y", &d->told);
    return STATUS_OK;
}

static Status component_create(const Grid *grid, const CompactAdvectionOptions *o, bool along_x,
                               Component *c) {
    const CompactEnd beside = o->no_slip ? END_ODD_HALF : END_EVEN_HALF,
                     beside_flux = o->no_slip ? END_EVEN_HALF : END_ODD_HALF;
    const double spacing[DIRECTIONS] = {along_x ? o->dx : o->dy, along_x ? o->dy : o->dx};
    const CompactEnd end[DIRECTIONS] = {END_ODD_WALL, beside},
                     end_flux[DIRECTIONS] = {END_EVEN_WALL, beside_flux};
    c->along_x = along_x;
    c->grid = grid_of_faces(grid, along_x);
    double **fields[] = {&c->at_centres, &c->at_faces, &c->carried, &c->advective};
    for (int n = 0; n < 4; n++) *fields[n] = field3_create(grid);
    for (int d = 0; d < DIRECTIONS; d++) {
        AdvectionLines *direction = &c->direction[d];
        TRY(direction_create(&c->grid, (d == ALONG) == along_x, o->lines, direction));
        TRY(make(direction, COMPACT_FIRST, end[d], spacing[d], 0, &c->first[d]));
        TRY(make(direction, COMPACT_FIRST, end_flux[d], spacing[d], 0, &c->first_flux[d]));
        if (o->viscosity > 0) TRY(make(direction, COMPACT_SECOND, end[d], spacing[d], 0, &c->second[d]));
        c->transport[d] = line_transport_create(
            direction->layout, (LineTransportOf){c->first[d], c->first_flux[d], c->second[d], o->viscosity});
        if (o->filter > 0) TRY(make(direction, COMPACT_FILTER, end[d], 1, o->filter, &c->filter[d]));
    }
    TRY(direction_create(grid, !along_x, o->lines, &c->centres));
    TRY(make(&c->direction[ALONG], COMPACT_MIDPOINT, END_ODD_WALL, 1, 0, &c->to_centres));
    return make(&c->centres, COMPACT_MIDPOINT, beside, 1, 0, &c->to_faces);
}

/* Collective. */
static Status check_cells(const Grid *g, double whole) {
    Status status = STATUS_OK;
    for (int j = 0; j < g->n2 && status == STATUS_OK; j++)
        for (int i = 0; i < g->n1 && status == STATUS_OK; i++) {
            const double share = g->area[AT2(*g, i, j)] / whole;
            if (share > 0 && fabs(share - 1) > 1e-9)
                status = error_raise(STATUS_BAD_INPUT,
                                     "\"compact6\" advection needs whole cells, but cell i %d, j %d is wet "
                                     "on %.0f %% of its area: set /bathymetry/fullness to false",
                                     g->i_first + i, g->j_first + j, 100 * share);
        }
    return status_agree(g->comm, status);
}

Status compact_advection_create(const Grid *grid, Halo *halo, const CompactAdvectionOptions *options,
                                Faces *u, Faces *v, CompactAdvection **out) {
    if (options->inner_cells == 0) TRY(check_cells(grid, options->dx * options->dy));
    CompactAdvection *a = *out = ALLOCATE(1, CompactAdvection);
    a->grid = grid;
    a->options = *options;
    for (int n = 0; n < 2; n++) {
        const Status status = component_create(grid, options, n == 0, &a->component[n]);
        if (status != STATUS_OK) return status;
        Faces *faces = n == 0 ? u : v;
        faces->carried = a->component[n].carried;
        faces->advective = a->component[n].advective;
    }
    if (options->inner_cells > 0) {
        for (int n = 0; n < 2; n++) a->component[n].outer = field3_create(grid);
        inner_find_outer(grid, halo, options->dx * options->dy, options->inner_cells, a->component[0].outer,
                         a->component[1].outer);
        u->outer = a->component[0].outer;
        v->outer = a->component[1].outer;
    }
    return STATUS_OK;
}

void compact_advection_destroy(CompactAdvection **advection) {
    CompactAdvection *a = *advection;
    if (!a) return;
    for (int n = 0; n < 2; n++) {
        Component *c = &a->component[n];
        double **fields[] = {&c->at_centres, &c->at_faces, &c->carried, &c->advective};
        for (int m = 0; m < 4; m++) field3_destroy(a->grid, fields[m]);
        field3_destroy(a->grid, &c->outer);
        line_operator_destroy(&c->to_centres); /* before the layouts that they read */
        line_operator_destroy(&c->to_faces);
        for (int d = 0; d < DIRECTIONS; d++) {
            line_transport_destroy(&c->transport[d]);
            line_operator_destroy(&c->first[d]);
            line_operator_destroy(&c->first_flux[d]);
            line_operator_destroy(&c->second[d]);
            line_operator_destroy(&c->filter[d]);
            direction_destroy(&c->direction[d]);
        }
        direction_destroy(&c->centres);
    }
    memory_free(a);
    *advection = NULL;
}

/* ---- one step ---- */

/* field = operator of field `from`, on the lines of a direction */
static void apply(const AdvectionLines *d, LineOperator *op, const double *from, double *field) {
    lines_from_field(d->layout, from, d->velocity);
    lines_solve(op, d->velocity, d->result);
    lines_to_field(d->layout, d->result, field);
}

/* The component at the other one's faces: the mean at (i, j) of a line of cells is between this cell and the
 * next one, whose face it belongs to. */
static void find_carrier(Component *c, Halo *halo, const double *velocity) {
    apply(&c->direction[ALONG], c->to_centres, velocity, c->at_centres);
    apply(&c->centres, c->to_faces, c->at_centres, c->at_faces);
    halo_exchange(halo, 0, NULL, 1, &c->at_faces);
}

/* Adds 1/2 u (u_x + v_y) on the component's faces. */
static void add_divergence(const CompactAdvection *a, const Component *c, const Faces *own,
                           const Faces *other) {
    const Grid *g = a->grid;
    const double along = 1 / (c->along_x ? a->options.dx : a->options.dy),
                 cross = 1 / (c->along_x ? a->options.dy : a->options.dx);
    const ptrdiff_t one = own->along, side = own->cross;
    const RunList faces = c->along_x ? g->cells_u : g->cells_v;
    for (int n = 0; n < faces.count; n++) {
        const Run r = faces.run[n];
        for (int i = r.i0; i < r.i1; i++) {
            const ptrdiff_t m = AT(*g, i, r.j, r.k);
            const double *u = own->velocity + m, *v = other->velocity + m;
            const double divergence =
                0.5 * along * (u[one] - u[-one]) + 0.5 * cross * (v[side] - v[0] + v[side - one] - v[-one]);
            c->advective[m] += 0.5 * u[0] * divergence;
        }
    }
}

static void advect_component(CompactAdvection *a, int which, const Faces *own, const Faces *other) {
    Component *c = &a->component[which];
    const double *carrier = a->component[1 - which].at_faces;
    const Grid *g = a->grid;
    for (int direction = 0; direction < DIRECTIONS; direction++) {
        AdvectionLines *d = &c->direction[direction];
        lines_from_field(d->layout, own->velocity, d->velocity);
        /* across, its means are named by the cell before the face */
        if (direction == ACROSS) lines_from_field(d->layout, carrier - own->along, d->carrier);
        lines_transport(c->transport[direction], direction == ALONG ? d->velocity : d->carrier, d->velocity,
                        d->result);
        if (direction == ALONG)
            lines_to_field(d->layout, d->result, c->advective);
        else
            lines_add_to_field(d->layout, d->result, 1, c->advective);
    }
    exec_wait(g->exec);
    add_divergence(a, c, own, other);
    field3_copy((Exec){.device = DEVICE_CPU}, g, own->velocity, c->carried);
    for (int direction = 0; direction < DIRECTIONS && c->filter[direction]; direction++)
        apply(&c->direction[direction], c->filter[direction], c->carried, c->carried);
    exec_wait(g->exec);
    if (c->outer) inner_blend(g, c->along_x, c->outer, own->velocity, c->carried, c->advective);
}

void compact_advection_update(CompactAdvection *a, Halo *halo, const Faces *u, const Faces *v) {
    find_carrier(&a->component[0], halo, u->velocity);
    find_carrier(&a->component[1], halo, v->velocity);
    advect_component(a, 0, u, v);
    advect_component(a, 1, v, u);
}
