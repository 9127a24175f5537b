/* SPDX-License-Identifier: Apache-2.0 */
#include "output/layout.h"

#include "base/memory.h"

static const char *pick(const Layout *layout, const char *on_sphere, const char *on_plane) {
    return layout->grid->spherical ? on_sphere : on_plane;
}

/* ---- defining ---- */

static void define_axis(NcFile *file, const Layout *layout, const char *name, int dim, bool along_x,
                        bool faces) {
    int id = ncfile_define(file, name, NC_DOUBLE, 1, &dim);
    bool sphere = layout->grid->spherical;
    const char *on_sphere = along_x ? "longitude" : "latitude";
    const char *on_plane = along_x ? "projection_x_coordinate" : "projection_y_coordinate";
    /* CF wants one longitude in a file: the centres'. */
    ncfile_text(file, id, "axis", along_x ? "X" : "Y");
    if (!sphere || !faces) ncfile_text(file, id, "standard_name", pick(layout, on_sphere, on_plane));
    ncfile_text(file, id, "coverage_content_type", "coordinate");
    ncfile_text(file, id, "units", !sphere ? "m" : along_x ? "degrees_east" : "degrees_north");
    const char *what =
        faces ? (along_x ? "west faces of the cells" : "south faces of the cells") : "centres of the cells";
    ncfile_text(file, id, "long_name", what);
    if (faces) return;
    ncfile_text(file, id, "bounds",
                along_x ? pick(layout, "lon_bnds", "x_bnds") : pick(layout, "lat_bnds", "y_bnds"));
    int dims[2] = {dim, layout->bounds};
    ncfile_define(file, along_x ? pick(layout, "lon_bnds", "x_bnds") : pick(layout, "lat_bnds", "y_bnds"),
                  NC_DOUBLE, 2, dims);
}

static void define_levels(NcFile *file, const Layout *layout) {
    int id = ncfile_define(file, "level", NC_DOUBLE, 1, &layout->level);
    ncfile_text(file, id, "axis", "Z");
    ncfile_text(file, id, "coverage_content_type", "coordinate");
    ncfile_text(file, id, "units", "m");
    ncfile_text(file, id, "positive", "up");
    ncfile_text(file, id, "long_name", "reference height of the middle of the layer above the datum");
    ncfile_text(file, id, "standard_name", "height_above_geopotential_datum");
    ncfile_text(file, id, "bounds", "level_bnds");
    const Axes *axes = &layout->grid->axes;
    if (axes->along_bed)
        ncfile_text(file, id, "layers",
                    axes->adaptive    ? "adaptive"
                    : axes->fixed > 0 ? "hybrid"
                                      : "bed-following");
    ncfile_text(
        file, id, "comment",
        "Layers move with the surface: layer l of a column has the thickness layer_share(l) * depth, where "
        "depth is that of the whole column at the time and the shares of a column sum to 1; the bottom of "
        "the lowest layer is the bed. The reference heights are those of a full layer under a surface at the "
        "datum; lowest layers are cut by the bed, or where the attribute layers is bed-following, all layers "
        "shrink "
        "with the depth. CF has a formula for this only where all columns have the same shares (sigma).");
    int dims[2] = {layout->level, layout->bounds};
    ncfile_define(file, "level_bnds", NC_DOUBLE, 2, dims);
    if (layout->level_w < 0) return;
    id = ncfile_define(file, "level_w", NC_DOUBLE, 1, &layout->level_w);
    ncfile_text(file, id, "axis", "Z");
    ncfile_text(file, id, "coverage_content_type", "coordinate");
    ncfile_text(file, id, "units", "m");
    ncfile_text(file, id, "positive", "up");
    ncfile_text(file, id, "long_name", "reference height of the surfaces between the layers above the datum");
}

static void define_topology(NcFile *file, const Layout *layout) {
    int id = ncfile_define(file, "grid", NC_INT, 0, NULL);
    ncfile_text(file, id, "cf_role", "grid_topology");
    ncfile_integer(file, id, "topology_dimension", 2);
    ncfile_text(file, id, "long_name", "Arakawa C grid: u on edge1, v on edge2, all else on the faces");
    ncfile_text(file, id, "node_dimensions", pick(layout, "lon_u lat_v", "x_u y_v"));
    ncfile_text(file, id, "face_dimensions",
                pick(layout, "lon: lon_u (padding: none) lat: lat_v (padding: none)",
                     "x: x_u (padding: none) y: y_v (padding: none)"));
    ncfile_text(file, id, "edge1_dimensions",
                pick(layout, "lon_u: lon_u lat: lat_v (padding: none)", "x_u: x_u y: y_v (padding: none)"));
    ncfile_text(file, id, "edge2_dimensions",
                pick(layout, "lon: lon_u (padding: none) lat_v: lat_v", "x: x_u (padding: none) y_v: y_v"));
    ncfile_text(file, id, "node_coordinates", pick(layout, "lon_u lat_v", "x_u y_v"));
    ncfile_text(file, id, "face_coordinates", pick(layout, "lon lat", "x y"));
    ncfile_text(file, id, "edge1_coordinates", pick(layout, "lon_u lat", "x_u y"));
    ncfile_text(file, id, "edge2_coordinates", pick(layout, "lon lat_v", "x y_v"));
    if (layout->level_w >= 0) ncfile_text(file, id, "vertical_dimensions", "level: level_w (padding: none)");
}

static void define_crs(NcFile *file) {
    int id = ncfile_define(file, "crs", NC_INT, 0, NULL);
    ncfile_text(file, id, "grid_mapping_name", "latitude_longitude");
    ncfile_text(file, id, "long_name", "positions are geographic (WGS 84)");
    ncfile_text(file, id, "geographic_crs_name", "WGS 84");
    ncfile_text(file, id, "horizontal_datum_name", "World Geodetic System 1984");
    ncfile_text(file, id, "reference_ellipsoid_name", "WGS 84");
    ncfile_text(file, id, "prime_meridian_name", "Greenwich");
    ncfile_number(file, id, "longitude_of_prime_meridian", 0.0);
    ncfile_number(file, id, "semi_major_axis", 6378137.0);
    ncfile_number(file, id, "inverse_flattening", 298.257223563);
    ncfile_text(
        file, id, "crs_wkt",
        "GEOGCRS[\"WGS 84\",DATUM[\"World Geodetic System 1984\",ELLIPSOID[\"WGS 84\",6378137,298.257223563,"
        "LENGTHUNIT[\"metre\",1]]],PRIMEM[\"Greenwich\",0,ANGLEUNIT[\"degree\",0.0174532925199433]],"
        "CS[ellipsoidal,2],AXIS[\"geodetic latitude (Lat)\",north,ORDER[1],"
        "ANGLEUNIT[\"degree\",0.0174532925199433]],AXIS[\"geodetic longitude (Lon)\",east,ORDER[2],"
        "ANGLEUNIT[\"degree\",0.0174532925199433]],ID[\"EPSG\",4326]]");
    ncfile_text(file, id, "comment", "lengths in the model are those on a sphere with a radius of 6371 km");
}

int layout_format(OutputFormat wanted, const Window *window, bool three_d) {
    const int64_t nx = window->i1 - window->i0 + 1, ny = window->j1 - window->j0 + 1;
    const int64_t bytes = nx * ny * (three_d ? window->n_levels : 1) * (int64_t)sizeof(float);
    if (wanted != FORMAT_AUTO) return wanted == FORMAT_CDF2 ? CDF2 : CDF5;
    return bytes < UINT32_MAX - 3 ? CDF2 : CDF5;
}

void layout_define(NcFile *file, Layout *layout, const Grid *grid, Window window, bool three_d, bool faces) {
    *layout = (Layout){.grid = grid,
                       .window = window,
                       .three_d = three_d,
                       .faces = faces,
                       .x_u = -1,
                       .y_v = -1,
                       .level = -1,
                       .level_w = -1};
    int nx = window.i1 - window.i0, ny = window.j1 - window.j0;
    layout->bounds = ncfile_dimension(file, "bnds", 2);
    layout->x = ncfile_dimension(file, pick(layout, "lon", "x"), nx);
    layout->y = ncfile_dimension(file, pick(layout, "lat", "y"), ny);
    if (faces) layout->x_u = ncfile_dimension(file, pick(layout, "lon_u", "x_u"), nx + 1);
    if (faces) layout->y_v = ncfile_dimension(file, pick(layout, "lat_v", "y_v"), ny + 1);
    if (three_d) layout->level = ncfile_dimension(file, "level", window.n_levels);
    /* A choice of layers has no surfaces in common. */
    if (faces && three_d && window.n_levels == grid->n3)
        layout->level_w = ncfile_dimension(file, "level_w", grid->n3 + 1);
    define_axis(file, layout, pick(layout, "lon", "x"), layout->x, true, false);
    define_axis(file, layout, pick(layout, "lat", "y"), layout->y, false, false);
    if (faces) define_axis(file, layout, pick(layout, "lon_u", "x_u"), layout->x_u, true, true);
    if (faces) define_axis(file, layout, pick(layout, "lat_v", "y_v"), layout->y_v, false, true);
    if (three_d) define_levels(file, layout);
    if (faces) define_topology(file, layout);
    if (grid->spherical) define_crs(file);
    if (grid->axes.map) layout_define_map(file, layout);
}

int layout_dims(const Layout *layout, char place, bool three_d, int time, int dims[4]) {
    int n = 0;
    if (time >= 0) dims[n++] = time;
    if (three_d) dims[n++] = layout->level;
    dims[n++] = place == 'v' ? layout->y_v : layout->y;
    dims[n++] = place == 'u' ? layout->x_u : layout->x;
    return n;
}

void layout_attributes(NcFile *file, const Layout *layout, int variable, char place) {
    if (layout->faces) {
        ncfile_text(file, variable, "grid", "grid");
        ncfile_text(file, variable, "location", place == 'u' ? "edge1" : place == 'v' ? "edge2" : "face");
    }
    if (axes_on_earth(&layout->grid->axes)) ncfile_text(file, variable, "grid_mapping", "crs");
    if (place == 'c' && layout->grid->axes.map) ncfile_text(file, variable, "coordinates", "lat lon");
    if (place == 'c' && layout->with_static) ncfile_text(file, variable, "cell_measures", "area: cell_area");
    ncfile_text(file, variable, "coverage_content_type", "modelResult");
}

/* ---- writing the coordinates: rank 0 alone, they are one-dimensional ---- */

typedef struct Axis {
    double *at, *faces, *bounds;
} Axis;

static void put_axis(NcFile *file, const char *const names[3], int n, const Axis *axis) {
    MPI_Offset zero[2] = {0, 0}, count[2] = {n, 2}, count_faces = n + 1;
    ncfile_put(file, ncfile_find(file, names[0]), zero, count, MPI_DOUBLE, axis->at);
    ncfile_put(file, ncfile_find(file, names[1]), zero, count, MPI_DOUBLE, axis->bounds);
    if (names[2]) ncfile_put(file, ncfile_find(file, names[2]), zero, &count_faces, MPI_DOUBLE, axis->faces);
}

static Axis make_axis(const Axes *axes, double (*coordinate)(const Axes *, double), int first, int n) {
    Axis axis = {ALLOCATE(n, double), ALLOCATE(n + 1, double), ALLOCATE(2 * n, double)};
    for (int m = 0; m <= n; m++) axis.faces[m] = coordinate(axes, first + m);
    for (int m = 0; m < n; m++) {
        axis.at[m] = coordinate(axes, first + m + 0.5);
        axis.bounds[2 * m] = axis.faces[m];
        axis.bounds[2 * m + 1] = axis.faces[m + 1];
    }
    return axis;
}

static Axis make_levels(const Axes *axes, const Window *window) {
    int n = window->n_levels;
    Axis axis = {ALLOCATE(n, double), ALLOCATE(n + 1, double), ALLOCATE(2 * n, double)};
    for (int m = 0; m < n; m++) {
        axis.bounds[2 * m] = axis.faces[m] = axes->interfaces[window->levels[m]];
        axis.bounds[2 * m + 1] = axis.faces[m + 1] = axes->interfaces[window->levels[m] + 1];
        axis.at[m] = 0.5 * (axis.faces[m] + axis.faces[m + 1]);
    }
    return axis;
}

static void destroy_axis(Axis *axis) {
    memory_free(axis->at);
    memory_free(axis->faces);
    memory_free(axis->bounds);
}

Status layout_write(NcFile *file, const Layout *layout) {
    const Window *w = &layout->window;
    const char *x[] = {pick(layout, "lon", "x"), pick(layout, "lon_bnds", "x_bnds"),
                       layout->faces ? pick(layout, "lon_u", "x_u") : NULL};
    const char *y[] = {pick(layout, "lat", "y"), pick(layout, "lat_bnds", "y_bnds"),
                       layout->faces ? pick(layout, "lat_v", "y_v") : NULL};
    const char *z[] = {"level", "level_bnds", layout->level_w >= 0 ? "level_w" : NULL};
    Axis axis_x = make_axis(&layout->grid->axes, axes_x, w->i0, w->i1 - w->i0);
    Axis axis_y = make_axis(&layout->grid->axes, axes_y, w->j0, w->j1 - w->j0);
    Axis axis_z = make_levels(&layout->grid->axes, w);
    void *buffers[STATIC_FIELDS] = {NULL};
    double *places[2] = {NULL, NULL}, *sigma[2] = {NULL, NULL};
    const int nothing = 0; /* what has no value is written too, or the bytes would be anybody's */
    int rank;
    MPI_Comm_rank(layout->grid->comm, &rank);
    if (rank == 0) {
        put_axis(file, x, w->i1 - w->i0, &axis_x);
        put_axis(file, y, w->j1 - w->j0, &axis_y);
        if (layout->three_d) put_axis(file, z, w->n_levels, &axis_z);
        if (layout->with_sigma) layout_put_heights(file, layout, sigma);
        if (layout->faces) ncfile_put(file, ncfile_find(file, "grid"), NULL, NULL, MPI_INT, &nothing);
        if (axes_on_earth(&layout->grid->axes))
            ncfile_put(file, ncfile_find(file, "crs"), NULL, NULL, MPI_INT, &nothing);
    }
    if (layout->grid->axes.map) layout_put_places(file, layout, places);
    if (layout->with_static) layout_put_static(file, layout, buffers);
    Status status = ncfile_wait(file);
    for (int n = 0; n < STATIC_FIELDS; n++) memory_free(buffers[n]);
    memory_free(places[0]), memory_free(places[1]);
    memory_free(sigma[0]), memory_free(sigma[1]);
    destroy_axis(&axis_x);
    destroy_axis(&axis_y);
    destroy_axis(&axis_z);
    return status;
}
