/* SPDX-License-Identifier: Apache-2.0
 *
 * Heights of layers along the bed, for programs that know CF's ocean_sigma_coordinate:
 *     z = eta + sigma * (eta + sea_floor_depth)
 * where sigma counts from 0 at the surface to -1 at the bed. Only where all columns have the same shares: for layers that the
 * bed cuts off, that are merged in shallow water, that move with the stratification or that have shares of volumes over ground
 * inside cells, CF has no formula.
 */
#include "base/memory.h"
#include "output/layout.h"

bool layout_has_sigma(const Layout *layout) {
    const Axes *axes = &layout->grid->axes;
    return layout->three_d && layout->with_static && axes->along_bed && !axes->adaptive && !axes->uneven &&
           axes->fixed == 0 && axes->thinnest <= 0;
}

static void define_sigma(NcFile *file, const char *name, int rank, const int *dims, const char *eta) {
    char *terms = memory_format("sigma: %s %sdepth: sea_floor_depth", name, eta);
    const int id = ncfile_define(file, name, NC_DOUBLE, rank, dims);
    ncfile_text(file, id, "standard_name", "ocean_sigma_coordinate");
    ncfile_text(file, id, "formula_terms", terms);
    ncfile_text(file, id, "units", "1");
    if (rank == 1) {
        ncfile_text(file, id, "long_name", "middle of the layer: 0 at the surface, -1 at the bed");
        ncfile_text(file, id, "positive", "up");
        ncfile_text(file, id, "bounds", "sigma_bnds");
        ncfile_text(file, id, "coverage_content_type", "coordinate");
        if (!*eta)
            ncfile_text(file, id, "comment", "The file has no eta: heights under a surface at the datum");
    }
    memory_free(terms);
}

void layout_define_heights(NcFile *file, Layout *layout, bool has_eta) {
    const int dims[2] = {layout->level, layout->bounds};
    if (!layout_has_sigma(layout)) return;
    layout->with_sigma = true;
    for (int rank = 1; rank <= 2; rank++)
        define_sigma(file, rank == 1 ? "sigma" : "sigma_bnds", rank, dims, has_eta ? "eta: eta " : "");
}

void layout_put_heights(NcFile *file, const Layout *layout, double *sigma[2]) {
    const double *z = layout->grid->axes.interfaces, top = z[layout->grid->n3], nominal = top - z[0];
    const Window *w = &layout->window;
    const MPI_Offset start[2] = {0, 0}, count[2] = {w->n_levels, 2};
    for (int n = 0; n < 2; n++) sigma[n] = ALLOCATE((n + 1) * w->n_levels, double);
    for (int m = 0; m < w->n_levels; m++) {
        const double low = (z[w->levels[m]] - top) / nominal, high = (z[w->levels[m] + 1] - top) / nominal;
        sigma[0][m] = 0.5 * (low + high), sigma[1][2 * m] = low, sigma[1][2 * m + 1] = high;
    }
    ncfile_put(file, ncfile_find(file, "sigma"), start, count, MPI_DOUBLE, sigma[0]);
    ncfile_put(file, ncfile_find(file, "sigma_bnds"), start, count, MPI_DOUBLE, sigma[1]);
}
