/* SPDX-License-Identifier: Apache-2.0 */
#include "base/projection.h"

#include "base/memory.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#ifdef MAEOTIS_PROJ

#include <proj.h>

enum { MOST_ATTRIBUTES = 12 };

struct Projection {
    PJ_CONTEXT *context;
    PJ *map, *whole,
        *change; /* the map, with the shift of its datum, and the way from its metres to degrees */
    char *name, *wkt;
    const char *cf_name;
    int attributes;
    MapAttribute attribute[MOST_ATTRIBUTES];
};

static const double RADIAN = 3.14159265358979323846 / 180;

/* ---- CF's names: of EPSG's methods, and of their parameters ---- */

enum { TRANSVERSE_MERCATOR = 9807, LAMBERT_ONE = 9801, LAMBERT_TWO = 9802, AZIMUTHAL = 9820, POLAR_A = 9810 };
enum { POLAR_B = 9829, ALBERS = 9822, STEREOGRAPHIC = 9809, MERCATOR_A = 9804, MERCATOR_B = 9805 };

static const struct {
    int method;
    const char *name, *longitude, *scale;
} cf_methods[] = {
    {TRANSVERSE_MERCATOR, "transverse_mercator", "longitude_of_central_meridian",
     "scale_factor_at_central_meridian"},
    {LAMBERT_ONE, "lambert_conformal_conic", "longitude_of_central_meridian", NULL},
    {LAMBERT_TWO, "lambert_conformal_conic", "longitude_of_central_meridian", NULL},
    {ALBERS, "albers_conical_equal_area", "longitude_of_central_meridian", NULL},
    {AZIMUTHAL, "lambert_azimuthal_equal_area", "longitude_of_projection_origin", NULL},
    {POLAR_A, "polar_stereographic", "straight_vertical_longitude_from_pole",
     "scale_factor_at_projection_origin"},
    {POLAR_B, "polar_stereographic", "straight_vertical_longitude_from_pole", NULL},
    {STEREOGRAPHIC, "stereographic", "longitude_of_projection_origin", "scale_factor_at_projection_origin"},
    {MERCATOR_A, "mercator", "longitude_of_projection_origin", "scale_factor_at_projection_origin"},
    {MERCATOR_B, "mercator", "longitude_of_projection_origin", NULL},
};

static MapAttribute *attribute_of(Projection *p, const char *name) {
    for (int n = 0; n < p->attributes; n++)
        if (strcmp(p->attribute[n].name, name) == 0) return &p->attribute[n];
    MapAttribute *last = &p->attribute[p->attributes];
    if (p->attributes < MOST_ATTRIBUTES - 1) p->attributes++;
    last->name = name;
    return last;
}

static void add_attribute(Projection *p, const char *name, double value) {
    MapAttribute *to = attribute_of(p, name);
    if (to->count < 2) to->value[to->count++] = value;
}

static void add_parameter(Projection *p, int method, int code, double value) {
    switch (code) {
    case 8801: /* latitude of natural origin, of false origin */
    case 8821:
        if (cf_methods[method].method == LAMBERT_ONE) add_attribute(p, "standard_parallel", value);
        if (cf_methods[method].method != MERCATOR_A && cf_methods[method].method != MERCATOR_B)
            add_attribute(p, "latitude_of_projection_origin", value);
        break;
    case 8802: /* longitude of natural origin, of false origin, of origin */
    case 8822:
    case 8833:
        add_attribute(p, cf_methods[method].longitude, value);
        break;
    case 8805:
        if (cf_methods[method].scale) add_attribute(p, cf_methods[method].scale, value);
        break;
    case 8806: /* false easting; at false origin */
    case 8826:
        add_attribute(p, "false_easting", value);
        break;
    case 8807:
    case 8827:
        add_attribute(p, "false_northing", value);
        break;
    case 8823: /* standard parallels; that of a polar map */
    case 8824:
    case 8832:
        add_attribute(p, "standard_parallel", value);
        if (code == 8832) add_attribute(p, "latitude_of_projection_origin", value > 0 ? 90 : -90);
        break;
    default:
        break;
    }
}

static void find_cf(Projection *p) {
    PJ *method = proj_crs_get_coordoperation(p->context, p->map);
    PJ *ellipsoid = proj_get_ellipsoid(p->context, p->map);
    const char *text = NULL, *code;
    double value, factor, axis, flattening;
    int found = -1;
    if (method) proj_coordoperation_get_method_info(p->context, method, NULL, NULL, &text);
    for (int n = 0; text && n < (int)(sizeof cf_methods / sizeof *cf_methods); n++) {
        char number[16];
        snprintf(number, sizeof number, "%d", cf_methods[n].method);
        if (strcmp(text, number) == 0) found = n;
    }
    for (int n = 0; found >= 0 && n < proj_coordoperation_get_param_count(p->context, method); n++) {
        const char *category;
        if (proj_coordoperation_get_param(p->context, method, n, NULL, NULL, &code, &value, NULL, &factor,
                                          NULL, NULL, NULL, &category)) {
            int number = 0;
            const bool angle = category && strcmp(category, "angular") == 0;
            if (code && sscanf(code, "%d", &number) == 1)
                add_parameter(p, found, number, angle ? value * factor / RADIAN : value * factor);
        }
    }
    if (ellipsoid && proj_ellipsoid_get_parameters(p->context, ellipsoid, &axis, NULL, NULL, &flattening)) {
        add_attribute(p, "semi_major_axis", axis);
        add_attribute(p, "inverse_flattening", flattening);
    }
    p->cf_name = found >= 0 ? cf_methods[found].name : NULL;
    proj_destroy(ellipsoid);
    proj_destroy(method);
}

/* ---- making ---- */

static PJ *horizontal_of(PJ_CONTEXT *context, PJ *map) {
    while (map && proj_get_type(map) == PJ_TYPE_COMPOUND_CRS) {
        PJ *part = proj_crs_get_sub_crs(context, map, 0);
        proj_destroy(map);
        map = part;
    }
    return map;
}

/* The map itself, of one with the shift of its datum ("+towgs84"). */
static PJ *plain_of(PJ_CONTEXT *context, const PJ *whole) {
    return proj_get_type(whole) == PJ_TYPE_BOUND_CRS
               ? horizontal_of(context, proj_get_source_crs(context, whole))
               : proj_clone(context, whole);
}

static bool in_metres(const Projection *p, const char **unit) {
    PJ *axes = proj_crs_get_coordinate_system(p->context, p->map);
    double factor = 0;
    *unit = "an unknown unit";
    if (axes) proj_cs_get_axis_info(p->context, axes, 0, NULL, NULL, NULL, &factor, unit, NULL, NULL);
    proj_destroy(axes);
    return factor == 1;
}

/* Why it cannot be used; true: it can. */
static bool make(Projection *p, const char *text, char why[256]) {
    const bool words = strstr(text, "proj=") && !strstr(text, "type=crs") && !strchr(text, '[');
    char *full = words ? memory_format("%s +type=crs", text) : memory_copy_text(text);
    p->whole = horizontal_of(p->context, proj_create(p->context, full));
    memory_free(full);
    if (!p->whole || !proj_is_crs(p->whole)) {
        snprintf(why, 256,
                 "is not a coordinate reference system that PROJ knows: give its number, such as "
                 "\"EPSG:32636\" (UTM zone 36 north), or a PROJ string");
        return false;
    }
    p->map = plain_of(p->context, p->whole);
    const PJ_TYPE type = proj_get_type(p->map);
    if (type != PJ_TYPE_PROJECTED_CRS) {
        const bool degrees = type == PJ_TYPE_GEOGRAPHIC_2D_CRS || type == PJ_TYPE_GEOGRAPHIC_3D_CRS;
        snprintf(why, 256, "%s: %s", degrees ? "is geographic, its coordinates are degrees" : "is no map",
                 degrees ? "leave it out and take a grid of \"kind\": \"spherical\""
                         : "give a projected reference system, such as \"EPSG:32636\"");
        return false;
    }
    const char *unit;
    if (!in_metres(p, &unit)) {
        snprintf(why, 256, "is in %s, but the grid is in metres: give the same map in metres", unit);
        return false;
    }
    PJ *degrees = proj_create(p->context, "EPSG:4326");
    PJ *change = degrees ? proj_create_crs_to_crs_from_pj(p->context, p->whole, degrees, NULL, NULL) : NULL;
    if (change) p->change = proj_normalize_for_visualization(p->context, change);
    proj_destroy(change);
    proj_destroy(degrees);
    if (!p->change) snprintf(why, 256, "cannot be converted to longitudes and latitudes by PROJ");
    return p->change != NULL;
}

Projection *projection_create(const char *text, char why[256]) {
    static const char *const one_line[] = {"MULTILINE=NO", NULL};
    Projection *p = ALLOCATE(1, Projection);
    p->context = proj_context_create();
    proj_log_level(p->context, PJ_LOG_NONE);
    proj_context_set_enable_network(p->context, 0); /* the same numbers everywhere */
    if (!make(p, text, why)) {
        projection_destroy(&p);
        return NULL;
    }
    const char *name = proj_get_name(p->map),
               *wkt = proj_as_wkt(p->context, p->whole, PJ_WKT2_2019, one_line);
    p->name = memory_copy_text(name ? name : text);
    p->wkt = memory_copy_text(wkt ? wkt : "");
    find_cf(p);
    return p;
}

void projection_destroy(Projection **projection) {
    Projection *p = *projection;
    if (!p) return;
    proj_destroy(p->change);
    proj_destroy(p->map);
    proj_destroy(p->whole);
    proj_context_destroy(p->context);
    memory_free(p->name), memory_free(p->wkt);
    memory_free(p);
    *projection = NULL;
}

/* ---- places ---- */

static void transform(const Projection *p, PJ_DIRECTION way, double x, double y, double *to_x, double *to_y) {
    const PJ_COORD to = proj_trans(p->change, way, proj_coord(x, y, 0, HUGE_VAL));
    *to_x = to.xy.x, *to_y = to.xy.y;
}

void projection_to_degrees(const Projection *p, double x, double y, double *lon, double *lat) {
    transform(p, PJ_FWD, x, y, lon, lat);
}

void projection_to_metres(const Projection *p, double lon, double lat, double *x, double *y) {
    transform(p, PJ_INV, lon, lat, x, y);
}

/* Differences over a kilometre on either side: the turn is right to 1e-8, where 1 m would leave round-off of 1e-9 and 10 km a
 * curvature of 1e-6. */
MapScale projection_scale(const Projection *p, double x, double y) {
    const double half = 1000, a = 6378137, square = 0.00669437999014; /* the ellipsoid of WGS 84 */
    double lon[4], lat[4], here[2];
    const double step[4][2] = {{half, 0}, {-half, 0}, {0, half}, {0, -half}};
    projection_to_degrees(p, x, y, &here[0], &here[1]);
    for (int n = 0; n < 4; n++) projection_to_degrees(p, x + step[n][0], y + step[n][1], &lon[n], &lat[n]);
    const double sine = sin(here[1] * RADIAN), w = 1 - square * sine * sine;
    const double per_lon = RADIAN * a / sqrt(w) * cos(here[1] * RADIAN),
                 per_lat = RADIAN * a * (1 - square) / (w * sqrt(w));
    const double x_east = per_lon * remainder(lon[0] - lon[1], 360) / (2 * half),
                 x_north = per_lat * (lat[0] - lat[1]) / (2 * half),
                 y_east = per_lon * remainder(lon[2] - lon[3], 360) / (2 * half),
                 y_north = per_lat * (lat[2] - lat[3]) / (2 * half);
    /* the sum and the difference of the singular values, which the rotation and the reflection in the map have */
    const double sum = hypot(x_east + y_north, x_north - y_east),
                 difference = hypot(x_east - y_north, x_north + y_east);
    return (MapScale){.turn = atan2(x_north - y_east, x_east + y_north),
                      .least = 2 / (sum + difference),
                      .most = 2 / fabs(sum - difference),
                      .right_handed = x_east * y_north - x_north * y_east > 0};
}

/* ---- for files ---- */

const char *projection_name(const Projection *p) {
    return p->name;
}

const char *projection_wkt(const Projection *p) {
    return p->wkt;
}

const char *projection_cf_name(const Projection *p) {
    return p->cf_name;
}

bool projection_cf_attribute(const Projection *p, int n, MapAttribute *out) {
    if (n < p->attributes) *out = p->attribute[n];
    return n < p->attributes;
}

#else /* built without PROJ */

Projection *projection_create(const char *text, char why[256]) {
    (void)text;
    snprintf(why, 256,
             "needs PROJ, without which this program was built: install libproj-dev (Debian, Ubuntu; "
             "./maeotis does it by itself), and build again");
    return NULL;
}

void projection_destroy(Projection **projection) {
    *projection = NULL;
}

void projection_to_degrees(const Projection *p, double x, double y, double *lon, double *lat) {
    (void)p, (void)x, (void)y;
    *lon = *lat = NAN;
}

void projection_to_metres(const Projection *p, double lon, double lat, double *x, double *y) {
    (void)p, (void)lon, (void)lat;
    *x = *y = NAN;
}

MapScale projection_scale(const Projection *p, double x, double y) {
    (void)p, (void)x, (void)y;
    return (MapScale){0};
}

const char *projection_name(const Projection *p) {
    (void)p;
    return "";
}

const char *projection_wkt(const Projection *p) {
    (void)p;
    return "";
}

const char *projection_cf_name(const Projection *p) {
    (void)p;
    return NULL;
}

bool projection_cf_attribute(const Projection *p, int n, MapAttribute *out) {
    (void)p, (void)n, (void)out;
    return false;
}

#endif
