/* SPDX-License-Identifier: Apache-2.0
 *
 * Where the metres of a map lie on the Earth: by PROJ, from the name of a coordinate reference system in the EPSG registry, a
 * PROJ string, or WKT. Longitudes and latitudes are those of WGS 84 [degrees], east before north on both sides.
 *
 * The turn of a place is the angle from east to the map's x, counterclockwise: of conformal maps (UTM, Lambert, polar
 * stereographic) it is exact for every direction, of others the rotation that is nearest to the map. A vector that is u
 * eastward and v northward is along the map's axes
 *
 *     x = u cos(turn) + v sin(turn),   y = v cos(turn) - u sin(turn)
 *
 * PROJ is optional when the program is built. Local.
 */
#ifndef MAEOTIS_BASE_PROJECTION_H
#define MAEOTIS_BASE_PROJECTION_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct Projection Projection;

/* NULL: it cannot be used, for the reason that comes out, such as "is geographic, ..."; its subject is the text. */
Projection *projection_create(const char *text, char why[256]);
void projection_destroy(Projection **projection);

/* INFINITY where the map has no such place. */
void projection_to_degrees(const Projection *projection, double x, double y, double *lon, double *lat);
void projection_to_metres(const Projection *projection, double lon, double lat, double *x, double *y);

/* At a place of the map: the turn [rad], and how long a metre on the Earth is on the map in its directions of greatest and
 * least scale. The handedness: false, where the map is a mirror image. */
typedef struct MapScale {
    double turn, least, most;
    bool right_handed;
} MapScale;
MapScale projection_scale(const Projection *projection, double x, double y);

const char *projection_name(const Projection *projection); /* "WGS 84 / UTM zone 36N" */
const char *projection_wkt(const Projection *projection);  /* WKT 2, one line */

/* The same as CF's attributes of a grid mapping, NULL and 0 where CF has no name for the map. Attribute n has one number, or
 * two; false: there are no more. */
const char *projection_cf_name(const Projection *projection);
typedef struct MapAttribute {
    const char *name;
    int count;
    double value[2];
} MapAttribute;
bool projection_cf_attribute(const Projection *projection, int n, MapAttribute *out);

#ifdef __cplusplus
}
#endif
#endif
