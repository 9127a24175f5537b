/* SPDX-License-Identifier: Apache-2.0
 *
 * From a scenario with a zoom to that of the finer grid: the same sea but for the grid, the bed, the edges, the rivers
 * and the outputs.
 */
#include "base/memory.h"
#include "settings/table.h"
#include <string.h>

static void replace(cJSON *object, const char *key, cJSON *item) {
    cJSON_DeleteItemFromObjectCaseSensitive(object, key);
    if (item) cJSON_AddItemToObject(object, key, item);
}

static void drop(cJSON *object, const char *const keys[]) {
    for (int n = 0; keys[n]; n++) cJSON_DeleteItemFromObjectCaseSensitive(object, keys[n]);
}

static void change_grid(cJSON *grid, bool spherical, const ZoomGrid *to) {
    static const char *const gone[] = {"periodic", "dx_m", "dy_m", "dlon_deg", "dlat_deg", NULL};
    drop(grid, gone);
    replace(grid, spherical ? "west" : "x0_m", write_number(to->west));
    replace(grid, spherical ? "south" : "y0_m", write_number(to->south));
    replace(grid, spherical ? "east" : "length_x_m",
            write_number((spherical ? to->west : 0) + to->nx * to->step_x));
    replace(grid, spherical ? "north" : "length_y_m",
            write_number((spherical ? to->south : 0) + to->ny * to->step_y));
    replace(grid, spherical ? "dlon_deg" : "dx_m", write_number(to->step_x));
    replace(grid, spherical ? "dlat_deg" : "dy_m", write_number(to->step_y));
}

/* The finer bed: its own map or formula, else that of the scenario. Waters that are connected outside of the box stay. */
static void change_bed(cJSON *bed, cJSON *own) {
    static const char *const of_map[] = {"file", "bed_m", "variable", "positive", "datum_offset_m", NULL};
    static const char *const gone[] = {"keep", "keep_point", NULL};
    drop(bed, gone);
    cJSON_AddStringToObject(bed, "keep", "all");
    if (!own) return;
    if (cJSON_GetObjectItemCaseSensitive(own, "file") || cJSON_GetObjectItemCaseSensitive(own, "bed_m"))
        drop(bed, of_map);
    for (cJSON *item; (item = own->child);) replace(bed, item->string, cJSON_DetachItemViaPointer(own, item));
}

/* Only rivers with their mouths in the box. */
static void change_rivers(const Scenario *s, const ZoomGrid *to, cJSON *rivers) {
    for (int n = s->n_rivers - 1; n >= 0; n--)
        if (!zoom_holds(to, s->rivers[n].x, s->rivers[n].y)) cJSON_DeleteItemFromArray(rivers, n);
}

/* Zones in front of open edges lie in the sea around: the edges of the finer grid are the seam. */
static void change_nudging(const Scenario *s, cJSON *nudging) {
    for (int n = s->n_nudging - 1; n >= 0; n--)
        if (s->nudging[n].width_m > 0) cJSON_DeleteItemFromArray(nudging, n);
}

/* f + beta (y - the middle of the grid) has another middle. */
static void change_rotation(const Scenario *s, cJSON *physics, double north) {
    const ScenarioPhysics *p = &s->physics;
    if (p->coriolis != CORIOLIS_CONSTANT) return;
    cJSON *coriolis = cJSON_CreateObject();
    cJSON_AddItemToObject(coriolis, "f_s", write_number(p->f_s + p->beta_m_s * north));
    cJSON_AddItemToObject(coriolis, "beta_m_s", write_number(p->beta_m_s));
    replace(physics, "coriolis", coriolis);
}

/* All of its edges are the seam, whose flow the sea around gives (model/seam/seam.h). */
static cJSON *seam(void) {
    cJSON *all = cJSON_CreateArray(), *edge = cJSON_CreateObject();
    cJSON_AddStringToObject(edge, "name", "zoom");
    cJSON_AddStringToObject(edge, "edge", "all");
    cJSON_AddStringToObject(edge, "kind", "velocity");
    cJSON_AddNumberToObject(edge, "velocity_m_s", 0);
    cJSON_AddItemToArray(all, edge);
    return all;
}

static char *text_of(const Scenario *s, const ZoomGrid *to) {
    static const char *const of_solver[] = {"processes", NULL};
    char *effective = scenario_effective(s);
    cJSON *root = cJSON_Parse(effective), *zoom = cJSON_DetachItemFromObjectCaseSensitive(root, "zoom");
    char *folder = memory_format("%s/zoom", s->output_folder);
    change_grid(cJSON_GetObjectItemCaseSensitive(root, "grid"), s->grid.kind == GRID_SPHERICAL, to);
    change_bed(cJSON_GetObjectItemCaseSensitive(root, "bathymetry"),
               cJSON_GetObjectItemCaseSensitive(zoom, "bathymetry"));
    change_rivers(s, to, cJSON_GetObjectItemCaseSensitive(root, "rivers"));
    change_nudging(s, cJSON_GetObjectItemCaseSensitive(root, "nudging"));
    change_rotation(s, cJSON_GetObjectItemCaseSensitive(root, "physics"), to->north_of_middle_m);
    drop(cJSON_GetObjectItemCaseSensitive(root, "solver"), of_solver);
    replace(root, "boundaries", seam());
    replace(root, "output", cJSON_DetachItemFromObjectCaseSensitive(zoom, "output"));
    replace(root, "restart", NULL);
    replace(root, "output_folder", cJSON_CreateString(folder));
    char *text = json_print(root);
    memory_free(folder);
    cJSON_Delete(zoom);
    cJSON_Delete(root);
    memory_free(effective);
    return text;
}

/* The user wrote /zoom/output for what is /output here, and no line of this text. */
static void name_places(const char *path, Json *json) {
    const char *p = json->pointer;
    const bool own = strncmp(p, "/output/", 8) == 0 || strncmp(p, "/bathymetry/", 12) == 0;
    memory_free(json->place), memory_free(json->key_place);
    json->place = memory_format("%s: %s%s", path, own ? "/zoom" : "", *p ? p : "/");
    json->key_place = memory_copy_text(json->place);
    for (int n = 0; n < json->n_items; n++) name_places(path, json->items[n]);
}

Status scenario_zoom(const Scenario *s, const ZoomGrid *to, Scenario **out) {
    char *path = memory_format("%s (zoom)", s->path), *text = text_of(s, to);
    Status status = scenario_parse_made(path, text, name_places, out);
    memory_free(path);
    memory_free(text);
    TRY(status);
    (*out)->time = s->time; /* a restart may have dated it */
    (*out)->time.step_s /= s->zoom.finer;
    for (int n = 0; n < 2; n++) (*out)->time.step_bounds_s[n] /= s->zoom.finer;
    (*out)->solver.machine = s->solver.machine;
    (*out)->is_zoom = true;
    return STATUS_OK;
}
