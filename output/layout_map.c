/* SPDX-License-Identifier: Apache-2.0
 *
 * Where a grid on a map lies, for programs that do not ask PROJ: CF's grid mapping, and the cells' longitudes and latitudes.
 */
#include "base/memory.h"
#include "base/projection.h"
#include "output/layout.h"

static void define_system(NcFile *file, const Projection *map) {
    MapAttribute attribute;
    const int id = ncfile_define(file, "crs", NC_INT, 0, NULL);
    ncfile_text(file, id, "grid_mapping_name", projection_cf_name(map));
    ncfile_text(file, id, "long_name", projection_name(map));
    ncfile_text(file, id, "projected_crs_name", projection_name(map));
    for (int n = 0; projection_cf_attribute(map, n, &attribute); n++)
        ncfile_note(
            file,
            ncmpi_put_att_double(file->id, id, attribute.name, NC_DOUBLE, attribute.count, attribute.value),
            attribute.name);
    ncfile_text(file, id, "crs_wkt", projection_wkt(map));
}

void layout_define_map(NcFile *file, const Layout *layout) {
    static const char *const names[2][4] = {
        {"lon", "longitude", "degrees_east", "longitude of the cell's centre"},
        {"lat", "latitude", "degrees_north", "latitude of the cell's centre"}};
    define_system(file, layout->grid->axes.map);
    for (int c = 0; c < 2; c++) {
        const int dims[2] = {layout->y, layout->x}, id = ncfile_define(file, names[c][0], NC_DOUBLE, 2, dims);
        ncfile_text(file, id, "standard_name", names[c][1]);
        ncfile_text(file, id, "units", names[c][2]);
        ncfile_text(file, id, "long_name", names[c][3]);
        ncfile_text(file, id, "coverage_content_type", "coordinate");
    }
}

void layout_put_places(NcFile *file, const Layout *layout, double *places[2]) {
    const Grid *g = layout->grid;
    const Piece piece = layout_piece(layout, 'c');
    const MPI_Offset start[2] = {piece.start_y, piece.start_x}, count[2] = {piece.count_y, piece.count_x};
    int64_t n = 0;
    for (int c = 0; c < 2; c++) places[c] = ALLOCATE(piece_size(piece) + 1, double);
    for (int j = piece.j0; j < piece.j1; j++)
        for (int i = piece.i0; i < piece.i1; i++, n++)
            axes_degrees(&g->axes, g->x_c[i], g->y_c[j], &places[0][n], &places[1][n]);
    ncfile_put(file, ncfile_find(file, "lon"), start, count, MPI_DOUBLE, places[0]);
    ncfile_put(file, ncfile_find(file, "lat"), start, count, MPI_DOUBLE, places[1]);
}
