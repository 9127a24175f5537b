/* SPDX-License-Identifier: Apache-2.0
 *
 * The axes of the whole grid, the same on every rank: number, position and size of the cells.
 * i counts east from 0, j north from 0, k up from 0 (the deepest level). Coordinates are degrees on a sphere
 * and metres on a plane; a cell (i, j) spans [west + i step_x, west + (i+1) step_x] and likewise in y.
 */
#ifndef MAEOTIS_NUMERICS_AXES_H
#define MAEOTIS_NUMERICS_AXES_H

#include "base/error.h"
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RADIANS_PER_DEGREE (3.14159265358979323846 / 180.0)
#define EARTH_RADIUS_M     6371000.0
#define METRES_PER_DEGREE  (EARTH_RADIUS_M * RADIANS_PER_DEGREE) /* of latitude */

typedef struct Axes {
    bool spherical;
    bool periodic_x, periodic_y;
    int nx, ny, nz;
    double west, south;    /* south-west corner of cell (0, 0) [degrees or m] */
    double step_x, step_y; /* size of a cell [degrees or m] */
    /* nz + 1 reference levels, ascending, the last is the datum 0 [m]; owned by whoever made the axes */
    double *interfaces;
    /* Where the metres of a plane lie on the Earth (base/projection.h); NULL: nowhere. Owned by the scenario. */
    const struct Projection *map;
    double middle_lon;         /* of the grid on a map: longitudes are within half a turn of it [degrees] */
    const struct Axes *around; /* of the sea around a zoom, by which formulas count; NULL: these */
    /* Layers along the bed: each has the same part of every column as of the nominal depth that `interfaces` spans, but
     * `thinnest` at least [m]. Shares are those of a column filled up to `flooded` [m]. The uppermost `fixed` of them lie at
     * fixed heights instead, and the others share what is below these. */
    bool along_bed, adaptive; /* adaptive: shares change in time (model/layers/adaptive.h) */
    bool uneven; /* there is ground inside the cells: layers have shares of volumes (model/subgrid) */
    int fixed;
    double thinnest, flooded;
} Axes;

/* Do layers lie at other heights in the next column? */
static inline bool axes_tilt(const Axes *axes) {
    return axes->along_bed || (axes->uneven && axes->nz > 1);
}

double axes_x(const Axes *axes, double i); /* coordinate of position i: i + 0.5 is the centre of cell i */
double axes_y(const Axes *axes, double j);
double axes_dx_m(const Axes *axes, double j);    /* length of a cell along x at position j [m] */
double axes_dy_m(const Axes *axes);              /* length of a cell along y [m] */
double axes_area_m2(const Axes *axes, double j); /* of a cell centred at position j [m2] */
double axes_length_x_m(const Axes *axes);        /* extents at the middle latitude [m] */
double axes_length_y_m(const Axes *axes);
/* Between two points [m]. */
double axes_distance_m(const Axes *axes, double x1, double y1, double x2, double y2);

/* Are there longitudes and latitudes? */
bool axes_on_earth(const Axes *axes);

/* Those of a place of the grid, on a grid that has them [degrees]; the turn from east to the grid's x there [rad]. */
void axes_degrees(const Axes *axes, double x, double y, double *lon, double *lat);
double axes_turn(const Axes *axes, double x, double y);

/* The longitudes (low[0] to high[0]) and latitudes around a rectangle [west, east, south, north] of the grid; on a sphere
 * itself. */
void axes_degrees_around(const Axes *axes, const double rectangle[4], double low[2], double high[2]);

/* Refuses a variable in metres whose file says that they are those of another map than the grid's. */
struct NetcdfFile;
CHECKED Status axes_check_map(const Axes *axes, const struct NetcdfFile *file, int variable);

/* A cell's index on an axis of n cells that goes around. */
static inline int axes_wrap(int index, int n) {
    return ((index % n) + n) % n;
}

#ifdef __cplusplus
}
#endif
#endif
