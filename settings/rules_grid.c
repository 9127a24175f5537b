/* SPDX-License-Identifier: Apache-2.0
 *
 * The rules about the grid: extents, cells, layers, and points that must lie in it.
 */
#include "base/memory.h"
#include "base/projection.h"
#include "numerics/grid/grid.h"
#include "settings/rules.h"
#include <math.h>

enum { MOST_CELLS = 200000 }; /* more along one side are a slip of the pen */

static const Json *at(const Rules *r, const char *pointer) {
    return rules_place(r->root, pointer);
}

bool rules_extent(const Rules *r, double edges[4]) {
    const ScenarioGrid *grid = &r->scenario->grid;
    bool spherical = grid->kind == GRID_SPHERICAL;
    static const char *const keys[2][4] = {
        {"/grid/x0_m", "/grid/length_x_m", "/grid/y0_m", "/grid/length_y_m"},
        {"/grid/west", "/grid/east", "/grid/south", "/grid/north"}};
    for (int n = 0; n < 4; n++)
        if (!reader_sound(r->reader, keys[spherical][n])) return false;
    edges[0] = spherical ? grid->west : grid->x0_m;
    edges[1] = spherical ? grid->east : grid->x0_m + grid->length_x_m;
    edges[2] = spherical ? grid->south : grid->y0_m;
    edges[3] = spherical ? grid->north : grid->y0_m + grid->length_y_m;
    return r->reader->grid_known;
}

/* What was probably meant by a place outside the grid. */
static const char *doubt_of(const Rules *r, double x, double y, bool sphere, bool swapped) {
    if (swapped)
        return sphere ? ": longitude comes before latitude; are the two swapped?"
                      : ": x comes before y; are the two swapped?";
    return r->reader->map && fabs(x) <= 360 && fabs(y) <= 360
               ? ": are these degrees? Then write {\"lon\": ..., \"lat\": ...}"
               : "";
}

void rules_inside(Rules *r, double *x, double y, const Json *json, const char *what) {
    double e[4];
    if (!rules_extent(r, e) || !reader_sound(r->reader, json->pointer)) return;
    if (r->scenario->grid.kind == GRID_SPHERICAL) {
        if (*x < e[0] && *x + 360 <= e[1]) *x += 360;
        if (*x > e[1] && *x - 360 >= e[0]) *x -= 360;
    }
    if (*x >= e[0] && *x <= e[1] && y >= e[2] && y <= e[3]) return;
    const bool sphere = r->scenario->grid.kind == GRID_SPHERICAL,
               swapped = y >= e[0] && y <= e[1] && *x >= e[2] && *x <= e[3];
    reader_refuse(
        r->reader, json->place, json->pointer,
        "%s at (%.10g, %.10g) lies outside the grid, which is %.10g to %.10g and %.10g to %.10g%s%s", what,
        *x, y, e[0], e[1], e[2], e[3], sphere ? "" : " m", doubt_of(r, *x, y, sphere, swapped));
}

static void rule_order(Rules *r) {
    const ScenarioGrid *grid = &r->scenario->grid;
    double e[4];
    if (grid->kind != GRID_SPHERICAL || !rules_extent(r, e)) return;
    if (e[1] <= e[0])
        reader_refuse(r->reader, at(r, "/grid/east")->place, "/grid/east",
                      "\"east\" (%.10g) must be more than \"west\" (%.10g); across the date line add 360",
                      e[1], e[0]);
    else if (e[1] - e[0] > 360)
        reader_refuse(r->reader, at(r, "/grid/east")->place, "/grid/east",
                      "from west to east are %.10g degrees, more than once around", e[1] - e[0]);
    if (e[3] <= e[2])
        reader_refuse(r->reader, at(r, "/grid/north")->place, "/grid/north",
                      "\"north\" (%.10g) must be more than \"south\" (%.10g)", e[3], e[2]);
}

/* Has the map a pole in the grid? Some maps cannot draw it. */
static bool refuse_pole(Rules *r, const Json *json, const double e[4], double lon) {
    for (int side = -1; side <= 1; side += 2) {
        double x, y;
        projection_to_metres(r->reader->map, lon, side * 90, &x, &y);
        if (!(x >= e[0] && x <= e[1] && y >= e[2] && y <= e[3])) continue;
        reader_refuse(
            r->reader, json->place, json->pointer,
            "the %s Pole lies inside the grid, at (%.10g, %.10g), where east and north have no direction",
            side < 0 ? "South" : "North", x, y);
        return true;
    }
    return false;
}

/* A map whose metres are not those of the Earth, or that is mirrored, would change the sea: within 1 % they agree on every map
 * that is made for its place. */
static void rule_map(Rules *r) {
    const Projection *map = r->reader->map;
    const Json *json = json_at(r->root, "/grid/crs");
    double e[4], lon, lat;
    if (!map || !rules_extent(r, e)) return;
    if (r->scenario->grid.periodic_x || r->scenario->grid.periodic_y)
        reader_refuse(r->reader, json->place, json->pointer, "a grid with \"crs\" cannot be periodic");
    projection_to_degrees(map, 0.5 * (e[0] + e[1]), 0.5 * (e[2] + e[3]), &lon, &lat);
    const int zone = (int)floor(lon / 6) + 31;
    if (refuse_pole(r, json, e, isfinite(lon) ? lon : 0)) return;
    for (int n = 0; n < 9; n++) {
        const double x = e[0] + 0.5 * (n % 3) * (e[1] - e[0]), y = e[2] + 0.5 * (n / 3) * (e[3] - e[2]);
        const MapScale scale = projection_scale(map, x, y);
        if (!isfinite(scale.least) || !isfinite(scale.most)) {
            reader_refuse(
                r->reader, json->place, json->pointer,
                "the grid's point (%.10g, %.10g) is not a place on the Earth in %s: check \"x0_m\", "
                "\"y0_m\" and the zone",
                x, y, projection_name(map));
            return;
        }
        if (scale.right_handed && scale.least > 0.99 && scale.most < 1.01) continue;
        reader_refuse(
            r->reader, json->place, json->pointer,
            "%s is not a suitable map for this place (%.6g E, %.6g N): %s %.4g to %.4g m; at most 1 %% is "
            "allowed. "
            "Are x and y swapped, or is the zone another? \"EPSG:%d\" is the UTM zone of the middle",
            projection_name(map), lon, lat,
            scale.right_handed ? "a metre is drawn as" : "it is mirrored, and a metre is drawn as",
            scale.least, scale.most, (lat < 0 ? 32700 : 32600) + zone);
        return;
    }
}

/* dx_m, or on a sphere dlon_deg instead; then the sizes that follow. */
static void rule_spacing(Rules *r) {
    ScenarioGrid *grid = &r->scenario->grid;
    const Json *section = json_at(r->root, "/grid");
    bool dx = rules_given(r, "/grid", "dx_m"), dlon = rules_given(r, "/grid", "dlon_deg");
    bool dy = rules_given(r, "/grid", "dy_m"), dlat = rules_given(r, "/grid", "dlat_deg");
    if (!section || section->kind != JSON_OBJECT) return;
    if (!dx && !dlon)
        reader_refuse(r->reader, section->place, "/grid/dx_m",
                      "the scenario needs \"dx_m\"%s (the size of a cell), at /grid/dx_m",
                      grid->kind == GRID_SPHERICAL ? " or \"dlon_deg\"" : "");
    if ((dx || dy) && (dlon || dlat))
        reader_refuse(r->reader, section->place, "/grid/dlon_deg",
                      "cells are sized either by \"dx_m\" and \"dy_m\" or by \"dlon_deg\" and \"dlat_deg\"");
    if (!dy) grid->dy_m = grid->dx_m;
    if (!dlat) grid->dlat_deg = grid->dlon_deg;
}

static void rule_division(Rules *r, double length, const char *length_key, double part,
                          const char *part_key) {
    double count;
    char pointer[64], needed[64];
    snprintf(pointer, sizeof pointer, "/grid/%s", length_key);
    snprintf(needed, sizeof needed, "/grid/%s", part_key);
    if (!reader_sound(r->reader, pointer) || !reader_sound(r->reader, needed) || !(part > 0)) return;
    if (length / part > MOST_CELLS) {
        reader_refuse(r->reader, at(r, needed)->place, needed,
                      "%.10g m in cells of %.10g m are %.3g cells in one direction; at most %d", length, part,
                      length / part, MOST_CELLS);
    } else if (!rules_whole(length, part, &count)) {
        double cells = fmax(1, nearbyint(length / part)), shorter = floor(length / part) * part;
        reader_refuse(r->reader, at(r, pointer)->place, pointer,
                      "%.10g m are not a whole number of cells of %.10g m (\"%s\"); %.10g or %.10g m are, or "
                      "cells of %.10g m",
                      length, part, part_key, shorter > 0 ? shorter : part, (floor(length / part) + 1) * part,
                      length / cells);
    }
}

/* On a sphere the extent is trimmed to whole cells, but one has to fit. */
static void rule_cells(Rules *r) {
    const ScenarioGrid *grid = &r->scenario->grid;
    const char *dy = rules_given(r, "/grid", "dy_m") ? "dy_m" : "dx_m";
    double e[4];
    if (grid->kind == GRID_CARTESIAN) {
        rule_division(r, grid->length_x_m, "length_x_m", grid->dx_m, "dx_m");
        rule_division(r, grid->length_y_m, "length_y_m", grid->dy_m, dy);
        return;
    }
    if (!rules_extent(r, e) || !reader_sound(r->reader, "/grid/dx_m") ||
        !reader_sound(r->reader, "/grid/dlon_deg"))
        return;
    if (!reader_sound(r->reader, "/grid/dy_m") || !reader_sound(r->reader, "/grid/dlat_deg")) return;
    double middle = cos(0.5 * (e[2] + e[3]) * RADIANS_PER_DEGREE);
    double nx =
        (e[1] - e[0]) / (grid->dlon_deg > 0 ? grid->dlon_deg : grid->dx_m / (METRES_PER_DEGREE * middle));
    double ny = (e[3] - e[2]) / (grid->dlat_deg > 0 ? grid->dlat_deg : grid->dy_m / METRES_PER_DEGREE);
    if (!(fmin(nx, ny) > 0.999999) || !(fmax(nx, ny) <= MOST_CELLS))
        reader_refuse(r->reader, json_at(r->root, "/grid")->place, "/grid",
                      "the extent holds %.4g x %.4g cells of this size; each direction must have 1 to %d", nx,
                      ny, MOST_CELLS);
}

static void rule_periodic(Rules *r) {
    const ScenarioGrid *grid = &r->scenario->grid;
    const Json *json = json_at(r->root, "/grid/periodic");
    double e[4];
    if (!json || grid->kind != GRID_SPHERICAL || !rules_extent(r, e)) return;
    if (grid->periodic_y)
        reader_refuse(r->reader, json->place, json->pointer, "a spherical grid cannot be periodic in \"y\"");
    if (grid->periodic_x && fabs(e[1] - e[0] - 360) > 1e-9)
        reader_refuse(
            r->reader, json->place, json->pointer,
            "a spherical grid is periodic in \"x\" only if it goes around, from west to east 360 degrees");
}

/* ---- layers ---- */

static void layers_from_bottom(Rules *r) {
    ScenarioGrid *grid = &r->scenario->grid;
    const Json *bottom = json_at(r->root, "/grid/levels/bottom_m"),
               *dz = json_at(r->root, "/grid/levels/dz_m");
    double count;
    if (!reader_sound(r->reader, bottom->pointer) || !reader_sound(r->reader, dz->pointer)) return;
    if (-grid->bottom_m / grid->dz_m > MAX_LEVELS + 0.5) {
        reader_refuse(r->reader, dz->place, dz->pointer,
                      "%.10g m of water in layers of %.10g m are more than %d layers", -grid->bottom_m,
                      grid->dz_m, MAX_LEVELS);
        return;
    }
    if (!rules_whole(-grid->bottom_m, grid->dz_m, &count)) {
        double deeper = ceil(-grid->bottom_m / grid->dz_m) * grid->dz_m;
        reader_refuse(
            r->reader, bottom->place, bottom->pointer,
            "%.10g m down to \"bottom_m\" are not a whole number of layers of %.10g m; %.10g would be",
            -grid->bottom_m, grid->dz_m, -deeper);
        return;
    }
    grid->n_levels = (int)count;
    grid->n_interfaces = grid->n_levels + 1;
    grid->interfaces_m = ALLOCATE(grid->n_interfaces, double);
    for (int k = 0; k < grid->n_levels; k++)
        grid->interfaces_m[k] = grid->bottom_m * (grid->n_levels - k) / grid->n_levels;
}

/* The hyperbolic tangent thins the layers towards both ends, as in H. Burchard and K. Bolding (2002), GETM. */
static void layers_stretched(Rules *r) {
    ScenarioGrid *grid = &r->scenario->grid;
    if (!reader_sound(r->reader, "/grid/levels/bottom_m") ||
        !reader_sound(r->reader, "/grid/levels/layers") ||
        !reader_sound(r->reader, "/grid/levels/towards_surface") ||
        !reader_sound(r->reader, "/grid/levels/towards_bed"))
        return;
    const double up = grid->towards_surface, down = grid->towards_bed;
    const int n = grid->n_levels = grid->layers_wanted;
    grid->n_interfaces = n + 1;
    grid->interfaces_m = ALLOCATE(n + 1, double);
    for (int k = 1; k < n; k++) {
        const double part = (double)(n - k) / n; /* counted from the surface */
        const double depth =
            up + down > 0 ? (tanh((up + down) * part - up) + tanh(up)) / (tanh(up) + tanh(down)) : part;
        grid->interfaces_m[k] = grid->bottom_m * depth;
    }
    grid->interfaces_m[0] = grid->bottom_m;
}

static void check_interfaces(Rules *r) {
    ScenarioGrid *grid = &r->scenario->grid;
    const Json *json = json_at(r->root, "/grid/levels/interfaces_m");
    if (!reader_sound(r->reader, json->pointer)) return;
    int count = grid->n_interfaces;
    bool ascending = true;
    for (int k = 1; k < count; k++)
        ascending = ascending && grid->interfaces_m[k] > grid->interfaces_m[k - 1];
    if (count < 2 || count > MAX_LEVELS + 1)
        reader_refuse(r->reader, json->place, json->pointer, "%d levels; there must be 2 to %d", count,
                      MAX_LEVELS + 1);
    else if (!ascending)
        reader_refuse(r->reader, json->place, json->pointer,
                      "the levels must ascend, from the lowest up to 0, such as [-10, -5, -2, 0]");
    else if (grid->interfaces_m[count - 1] != 0)
        reader_refuse(r->reader, json->items[count - 1]->place, json->items[count - 1]->pointer,
                      "the last level must be 0, the datum, not %.10g", grid->interfaces_m[count - 1]);
    else
        grid->n_levels = count - 1;
}

static void rule_layers(Rules *r) {
    const Json *section = json_at(r->root, "/grid/levels"), *grid = json_at(r->root, "/grid");
    bool list = rules_given(r, "/grid/levels", "interfaces_m");
    bool bottom = rules_given(r, "/grid/levels", "bottom_m"), dz = rules_given(r, "/grid/levels", "dz_m");
    bool count = rules_given(r, "/grid/levels", "layers");
    if (!grid || grid->kind != JSON_OBJECT || (section && section->kind != JSON_OBJECT)) return;
    if ((list && (bottom || dz || count)) || (dz && count))
        reader_refuse(
            r->reader, section->place, section->pointer,
            "levels are given either by \"bottom_m\" and \"dz_m\", by \"bottom_m\" and \"layers\", or by "
            "\"interfaces_m\", not by several of these");
    else if (list)
        check_interfaces(r);
    else if (bottom && count)
        layers_stretched(r);
    else if (bottom && dz)
        layers_from_bottom(r);
    else if (count && !bottom)
        reader_refuse(r->reader, section->place, section->pointer,
                      "\"layers\" needs \"bottom_m\", such as {\"bottom_m\": -15, \"layers\": 12}");
    else if (!section ||
             reader_sound(r->reader, section->pointer)) /* a key misspelt in it was meant for them */
        reader_refuse(
            r->reader, section ? section->place : grid->place, "/grid/levels",
            "the scenario needs \"levels\" (the layers of the water), {\"bottom_m\": -15, "
            "\"dz_m\": 1}, {\"bottom_m\": -15, \"layers\": 12} or {\"interfaces_m\": [-15, ..., 0]}, at "
            "/grid/levels");
}

/* The interface that parts the two kinds of a hybrid. */
static void rule_hybrid(Rules *r) {
    ScenarioGrid *grid = &r->scenario->grid;
    const Json *section = json_at(r->root, "/grid/levels"),
               *height = json_at(r->root, "/grid/levels/fixed_above_m");
    if (grid->layers != LAYERS_HYBRID || grid->n_levels == 0) return;
    if (!height) {
        reader_refuse(r->reader, section->place, section->pointer,
                      "hybrid levels need \"fixed_above_m\", the height of an interface such as %.6g",
                      grid->interfaces_m[grid->n_levels / 2]);
        return;
    }
    int nearest = 1;
    for (int k = 1; k < grid->n_levels; k++)
        if (fabs(grid->interfaces_m[k] - grid->fixed_above_m) <
            fabs(grid->interfaces_m[nearest] - grid->fixed_above_m))
            nearest = k;
    if (grid->n_levels < 2)
        reader_refuse(r->reader, section->place, section->pointer, "hybrid levels need two layers or more");
    else if (fabs(grid->interfaces_m[nearest] - grid->fixed_above_m) > 1e-6 * -grid->interfaces_m[0])
        reader_refuse(r->reader, height->place, height->pointer,
                      "%.6g m is not an interface of the layers within the water; the nearest is at %.10g m",
                      grid->fixed_above_m, grid->interfaces_m[nearest]);
    else
        grid->n_fixed = grid->n_levels - nearest;
}

void rules_of_grid(Rules *r) {
    ScenarioBathymetry *bathymetry = &r->scenario->bathymetry;
    if (r->reader->grid_known) {
        rule_order(r);
        rule_spacing(r);
        rule_cells(r);
        rule_periodic(r);
        rule_map(r);
    }
    rule_layers(r);
    rule_hybrid(r);
    if (bathymetry->has_keep_point)
        rules_inside(r, &bathymetry->keep_point[0], bathymetry->keep_point[1],
                     at(r, "/bathymetry/keep_point"), "the point to keep");
}
