/* SPDX-License-Identifier: Apache-2.0
 *
 * Constant fields: the bed and the division of a column into layers.
 */
#include "base/memory.h"
#include "numerics/grid/layers.h"
#include "output/layout.h"

#include <math.h>

typedef struct StaticField {
    const char *name;
    char place;
    bool three_d;
    nc_type type; /* NC_FLOAT or NC_INT: smaller ones leave gaps in the file, which nobody fills */
    const char *units, *long_name, *standard_name;
    double (*at)(const Grid *g, int i, int j, int k);
} StaticField;

static double bed_at(const Grid *g, int i, int j, int k) {
    (void)k;
    return g->bed[AT2(*g, i, j)];
}

static double sea_floor_depth_at(const Grid *g, int i, int j, int k) {
    return -bed_at(g, i, j, k);
}

static double mask_at(const Grid *g, int i, int j, int k) {
    (void)k;
    return g->own_area[AT2(*g, i, j)] > 0;
}

static double cell_area_at(const Grid *g, int i, int j, int k) {
    (void)i, (void)k;
    return axes_area_m2(&g->axes, g->j_first + j + 0.5);
}

static double dx_at(const Grid *g, int i, int j, int k) {
    (void)i, (void)k;
    return axes_dx_m(&g->axes, g->j_first + j + 0.5);
}

static double dx_v_at(const Grid *g, int i, int j, int k) {
    (void)i, (void)k;
    return axes_dx_m(&g->axes, g->j_first + j);
}

static double dy_at(const Grid *g, int i, int j, int k) {
    (void)i, (void)j, (void)k;
    return axes_dy_m(&g->axes);
}

static double wet_fraction_at(const Grid *g, int i, int j, int k) {
    return g->own_area[AT2(*g, i, j)] / cell_area_at(g, i, j, k);
}

static double layer_share_at(const Grid *g, int i, int j, int k) {
    ptrdiff_t n = AT2(*g, i, j);
    return g->own_area[n] > 0 && k >= (int)g->bottom_c[n] ? g->phi_c[AT(*g, i, j, k)] : NAN;
}

/* Of layers between heights over ground inside cells, whose shares are those of volumes. */
static double layer_height_share_at(const Grid *g, int i, int j, int k) {
    const ptrdiff_t n = AT2(*g, i, j);
    double part[MAX_LEVELS];
    if (!(g->own_area[n] > 0) || k < (int)g->bottom_c[n]) return NAN;
    layers_parts_of_height(g, g->bed[n], (int)g->bottom_c[n], g->phi_c + n, part);
    return part[k];
}

/* Dikes and moles between two cells of water: bit 1 to the west, bit 2 to the south. */
static double closed_sides_at(const Grid *g, int i, int j, int k) {
    const ptrdiff_t m = AT2(*g, i, j);
    (void)k;
    if (!(g->own_area[m] > 0)) return 0;
    return (g->area[m - 1] > 0 && g->width_u[m] == 0) +
           2 * (g->area[AT2(*g, i, j - 1)] > 0 && g->width_v[m] == 0);
}

/* Collective. */
static bool has_walls(const Grid *g) {
    int any = 0;
    for (int j = 0; j < g->n2; j++)
        for (int i = 0; i < g->n1; i++) any |= closed_sides_at(g, i, j, 0) > 0;
    MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_LOR, g->comm);
    return any;
}

static const StaticField fields[STATIC_FIELDS] = {
    {"bed", 'c', false, NC_FLOAT, "m", "elevation of the bed above the datum",
     "height_above_geopotential_datum", bed_at},
    {"sea_floor_depth", 'c', false, NC_FLOAT, "m",
     "depth of the bed below the datum, negative on land that floods",
     "sea_floor_depth_below_geopotential_datum", sea_floor_depth_at},
    {"mask", 'c', false, NC_INT, NULL, "1 in cells that can be wet", "sea_binary_mask", mask_at},
    {"wet_fraction", 'c', false, NC_FLOAT, "1", "fraction of the cell's area that water can cover",
     "sea_area_fraction", wet_fraction_at},
    {"cell_area", 'c', false, NC_FLOAT, "m2", "area of the cell, land included", "cell_area", cell_area_at},
    {"layer_share", 'c', true, NC_FLOAT, "1", "fraction of the column's depth in the layer", NULL,
     layer_share_at},
    {"layer_height_share", 'c', true, NC_FLOAT, "1",
     "fraction of the water's height above the bed that the layer takes, under a surface at the datum", NULL,
     layer_height_share_at},
    {"closed_sides", 'c', false, NC_INT, NULL, "sides of the cell that no water passes, with water on both",
     NULL, closed_sides_at},
    {"dx", 'c', false, NC_FLOAT, "m", "length of the cell along x, at its centre", NULL, dx_at},
    {"dy", 'c', false, NC_FLOAT, "m", "length of the cell along y", NULL, dy_at},
    {"dx_u", 'u', false, NC_FLOAT, "m", "distance of the centres on both sides of the face", NULL, dx_at},
    {"dy_u", 'u', false, NC_FLOAT, "m", "length of the face", NULL, dy_at},
    {"dx_v", 'v', false, NC_FLOAT, "m", "length of the face", NULL, dx_v_at},
    {"dy_v", 'v', false, NC_FLOAT, "m", "distance of the centres on both sides of the face", NULL, dy_at},
};

static bool is_held(const StaticField *f, const Layout *layout) {
    if (f->at == closed_sides_at && !layout->walls) return false;
    if (f->at == layer_share_at && layout->grid->axes.adaptive) return false; /* each record has its own */
    if (f->at == layer_height_share_at && !layers_have_heights(&layout->grid->axes)) return false;
    if (f->at == sea_floor_depth_at && !layout_has_sigma(layout)) return false;
    return (!f->three_d || layout->three_d) && (f->place == 'c' || layout->faces);
}

void layout_define_static(NcFile *file, Layout *layout) {
    layout->with_static = true;
    layout->walls = has_walls(layout->grid);
    for (int n = 0; n < STATIC_FIELDS; n++) {
        const StaticField *f = &fields[n];
        int dims[4];
        if (!is_held(f, layout)) continue;
        int id =
            ncfile_define(file, f->name, f->type, layout_dims(layout, f->place, f->three_d, -1, dims), dims);
        ncfile_text(file, id, "units", f->units);
        ncfile_text(file, id, "long_name", f->long_name);
        ncfile_text(file, id, "standard_name", f->standard_name);
        if (f->at != cell_area_at) layout_attributes(file, layout, id, f->place);
        ncfile_text(file, id, "coverage_content_type", "auxiliaryInformation");
        if (f->at == layer_share_at || f->at == layer_height_share_at) ncfile_fill(file, id, NC_FLOAT);
        if (f->type != NC_INT) continue;
        const bool sides = f->at == closed_sides_at;
        const int values[2] = {sides ? 1 : 0, sides ? 2 : 1};
        const char *flags = sides ? "flag_masks" : "flag_values";
        ncfile_note(file, ncmpi_put_att_int(file->id, id, flags, NC_INT, 2, values), flags);
        ncfile_text(file, id, "flag_meanings", sides ? "west_side_closed south_side_closed" : "land sea");
    }
}

/* One field's values of this rank, as they go into the file. */
static void *collect(const StaticField *field, const Layout *layout, Piece piece, int n_levels) {
    float *values = ALLOCATE(piece_size(piece) * n_levels, float);
    int *numbers = (int *)values;
    int64_t n = 0;
    for (int l = 0; l < n_levels; l++)
        for (int j = piece.j0; j < piece.j1; j++)
            for (int i = piece.i0; i < piece.i1; i++, n++) {
                double value = field->at(layout->grid, i, j, layout->window.levels[l]);
                if (field->type == NC_INT)
                    numbers[n] = (int)value;
                else
                    values[n] = isnan(value) ? FILL_FLOAT : (float)value;
            }
    return values;
}

void layout_put_static(NcFile *file, const Layout *layout, void *buffers[STATIC_FIELDS]) {
    for (int n = 0; n < STATIC_FIELDS; n++) {
        const StaticField *f = &fields[n];
        const Piece piece = layout_piece(layout, f->place);
        if (!is_held(f, layout)) continue;
        int n_levels = f->three_d ? layout->window.n_levels : 1;
        buffers[n] = collect(f, layout, piece, n_levels);
        MPI_Offset start[3] = {0, piece.start_y, piece.start_x};
        MPI_Offset count[3] = {n_levels, piece.count_y, piece.count_x};
        ncfile_put(file, ncfile_find(file, f->name), start + !f->three_d, count + !f->three_d,
                   f->type == NC_INT ? MPI_INT : MPI_FLOAT, buffers[n]);
    }
}
