/* SPDX-License-Identifier: Apache-2.0
 *
 * The grids of the table: their shapes and coordinates.
 */
#include "bmi/model.h"

#include <string.h>

typedef struct GridShape {
    int rank, count[3]; /* of z, y, x: the first are left out in two dimensions */
    Piece piece;
    char place;
} GridShape;

static Status find_grid(Model *model, int grid, GridShape *out) {
    static const char places[GRIDS] = {'c', 'c', 'u', 'v', 'r'};
    *out = (GridShape){0};
    TRY(model_ready(model));
    CHECK(grid >= 0 && grid < GRIDS, STATUS_BAD_INPUT, "there is no grid %d: grids are 0 to %d", grid,
          GRIDS - 1);
    if (grid == GRID_RIVERS) {
        *out = (GridShape){1, {1, 1, model->scenario->n_rivers}, {0}, 'r'};
        return STATUS_OK;
    }
    const Layout layout = layout_whole(model->session->sim->grid);
    const Piece p = layout_piece(&layout, places[grid]);
    *out = (GridShape){
        grid == GRID_COLUMNS ? 2 : 3, {layout.grid->n3, (int)p.count_y, (int)p.count_x}, p, places[grid]};
    return STATUS_OK;
}

/* The model with this grid, or NULL with `*told` set. */
static const Model *open_grid(Bmi *self, int grid, GridShape *shape, int *told) {
    Model *model = model_of(self);
    const Status status = find_grid(model, grid, shape);
    *told = model_tell(model, status);
    return status == STATUS_OK ? model : NULL;
}

static int get_grid_rank(Bmi *self, int grid, int *rank) {
    GridShape shape;
    int told;
    if (open_grid(self, grid, &shape, &told)) *rank = shape.rank;
    return told;
}

static int get_grid_size(Bmi *self, int grid, int *size) {
    GridShape shape;
    int told;
    *size = 1;
    if (!open_grid(self, grid, &shape, &told)) return told;
    for (int n = 0; n < shape.rank; n++) *size *= shape.count[2 - n];
    return told;
}

static int get_grid_type(Bmi *self, int grid, char *type) {
    static const char *const types[] = {"", "unstructured", "uniform_rectilinear", "rectilinear"};
    GridShape shape;
    int told;
    if (open_grid(self, grid, &shape, &told)) strcpy(type, types[shape.rank]);
    return told;
}

static int get_grid_shape(Bmi *self, int grid, int *out) {
    GridShape shape;
    int told;
    if (!open_grid(self, grid, &shape, &told)) return told;
    for (int n = 0; n < shape.rank; n++) out[n] = shape.count[3 - shape.rank + n];
    return told;
}

/* Of uniform grids alone: layers have any thickness. */
static Status find_uniform(Model *model, int grid, GridShape *out) {
    TRY(find_grid(model, grid, out));
    CHECK(out->rank == 2, STATUS_BAD_INPUT, "grid %d is not uniform: it has %s", grid,
          out->rank == 1 ? "points" : "layers with heights of their own");
    return STATUS_OK;
}

static int get_grid_spacing(Bmi *self, int grid, double *spacing) {
    GridShape shape;
    Model *model = model_of(self);
    const Status status = find_uniform(model, grid, &shape);
    if (status == STATUS_OK) {
        spacing[0] = model->session->sim->grid->axes.step_y;
        spacing[1] = model->session->sim->grid->axes.step_x;
    }
    return model_tell(model, status);
}

static int get_grid_origin(Bmi *self, int grid, double *origin) {
    GridShape shape;
    Model *model = model_of(self);
    const Status status = find_uniform(model, grid, &shape);
    if (status == STATUS_OK) {
        origin[0] = model->session->sim->grid->y_c[shape.piece.j0];
        origin[1] = model->session->sim->grid->x_c[shape.piece.i0];
    }
    return model_tell(model, status);
}

static int get_grid_x(Bmi *self, int grid, double *x) {
    GridShape shape;
    int told;
    const Model *model = open_grid(self, grid, &shape, &told);
    for (int i = 0; model && i < shape.count[2]; i++) {
        const Grid *g = model->session->sim->grid;
        x[i] = shape.place == 'r' ? model->scenario->rivers[i].x
                                  : (shape.place == 'u' ? g->x_u : g->x_c)[shape.piece.i0 + i];
    }
    return told;
}

static int get_grid_y(Bmi *self, int grid, double *y) {
    GridShape shape;
    int told;
    const Model *model = open_grid(self, grid, &shape, &told);
    for (int n = 0; model && shape.place == 'r' && n < shape.count[2]; n++)
        y[n] = model->scenario->rivers[n].y;
    for (int j = 0; model && shape.place != 'r' && j < shape.count[1]; j++) {
        const Grid *g = model->session->sim->grid;
        y[j] = (shape.place == 'v' ? g->y_v : g->y_c)[shape.piece.j0 + j];
    }
    return told;
}

/* Middles of the reference levels, from the lowest up; the layers move with the surface from there. */
static int get_grid_z(Bmi *self, int grid, double *z) {
    GridShape shape;
    Model *model = model_of(self);
    Status status = find_grid(model, grid, &shape);
    if (status == STATUS_OK && shape.rank < 3)
        status = error_raise(STATUS_BAD_INPUT, "grid %d has no z: it has no layers", grid);
    for (int k = 0; status == STATUS_OK && k < shape.count[0]; k++) {
        const double *level = model->session->sim->grid->axes.interfaces;
        z[k] = 0.5 * (level[k] + level[k + 1]);
    }
    return model_tell(model, status);
}

int maeotis_bmi_places(Bmi *self, double *lon, double *lat) {
    GridShape shape;
    Model *model = model_of(self);
    Status status = find_grid(model, GRID_COLUMNS, &shape);
    const Grid *g = status == STATUS_OK ? model->session->sim->grid : NULL;
    if (g && !axes_on_earth(&g->axes))
        status = error_raise(STATUS_BAD_INPUT, "the grid lies nowhere on the Earth: give it a \"crs\"");
    for (int j = 0, n = 0; status == STATUS_OK && j < shape.count[1]; j++)
        for (int i = 0; i < shape.count[2]; i++, n++)
            axes_degrees(&g->axes, g->x_c[shape.piece.i0 + i], g->y_c[shape.piece.j0 + j], &lon[n], &lat[n]);
    return model_tell(model, status);
}

static int get_grid_node_count(Bmi *self, int grid, int *count) {
    return get_grid_size(self, grid, count);
}

/* Edges and faces belong to unstructured grids. That of the rivers has none: it is of nodes alone. */
static int no_edges(Bmi *self, int grid, int *list) {
    GridShape shape;
    Model *model = model_of(self);
    Status status = find_grid(model, grid, &shape);
    (void)list;
    if (status == STATUS_OK && shape.rank != 1)
        status = error_raise(STATUS_BAD_INPUT, "grid %d is not unstructured", grid);
    return model_tell(model, status);
}

static int get_grid_count_of_edges(Bmi *self, int grid, int *count) {
    const int code = no_edges(self, grid, count);
    if (code == BMI_SUCCESS) *count = 0;
    return code;
}

void grids_register(Bmi *table) {
    table->get_grid_rank = get_grid_rank;
    table->get_grid_size = get_grid_size;
    table->get_grid_type = get_grid_type;
    table->get_grid_shape = get_grid_shape;
    table->get_grid_spacing = get_grid_spacing;
    table->get_grid_origin = get_grid_origin;
    table->get_grid_x = get_grid_x;
    table->get_grid_y = get_grid_y;
    table->get_grid_z = get_grid_z;
    table->get_grid_node_count = get_grid_node_count;
    table->get_grid_edge_count = get_grid_count_of_edges;
    table->get_grid_face_count = get_grid_count_of_edges;
    table->get_grid_edge_nodes = no_edges;
    table->get_grid_face_edges = no_edges;
    table->get_grid_face_nodes = no_edges;
    table->get_grid_nodes_per_face = no_edges;
}
