/* SPDX-License-Identifier: Apache-2.0 */
#include "kinetics/fabm.h"

#include "base/memory.h"
#include <dlfcn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Where the library was when the program was configured. */
#ifndef FABM_LIBRARY
#define FABM_LIBRARY ""
#endif

/* FABM's categories of variables. */
enum {
    INTERIOR_STATE = 1,
    BOTTOM_STATE = 3,
    INTERIOR_DEPENDENCY = 7,
    HORIZONTAL_DEPENDENCY = 8,
    SCALAR_DEPENDENCY = 9
};
enum { TEXT = 256 };

/* The entry points that are used, in the order of `entry_names`. */
typedef struct Entries {
    void (*get_driver_settings)(int *dimensions, int *depth, int *mask, int *bottom);
    void (*set_log_callback)(void (*log)(const char *message));
    void *(*create_model)(const char *path);
    void (*get_counts)(void *model, int *interior, int *surface, int *bottom, int *d1, int *d2, int *d3,
                       int *needs_interior, int *needs_horizontal, int *needs_scalar, int *conserved,
                       int *parameters, int *couplings);
    void (*get_variable_metadata)(void *model, int category, int index, int length, char *name, char *units,
                                  char *long_name, char *path);
    void *(*get_variable)(void *model, int category, int index);
    void (*variable_get_metadata)(void *variable, int length, char *name, char *units, char *long_name);
    int (*variable_is_required)(void *variable);
    void (*link_interior_state_data)(void *model, int index, double *data);
    void (*link_bottom_state_data)(void *model, int index, double *data);
    void (*link_interior_data)(void *model, void *variable, double *data);
    void (*link_horizontal_data)(void *model, void *variable, double *data);
    void (*link_scalar)(void *model, void *variable, double *data);
    void *(*find_standard_variable)(const char *name);
    void (*require_data)(void *model, void *standard);
    double *(*get_standard_variable_data)(void *model, void *standard, int *horizontal);
    void (*start)(void *model);
    void (*get_sources)(void *model, double time, double *interior, double *surface, double *bottom,
                        int at_surface, int at_bottom, double *thickness);
    void (*get_vertical_movement)(void *model, double *velocity);
    int (*get_error_state)(void);
    void (*reset_error_state)(void);
    void (*get_error)(int length, char *message);
} Entries;

static const char *const entry_names[] = {"get_driver_settings",
                                          "set_log_callback",
                                          "create_model",
                                          "get_counts",
                                          "get_variable_metadata",
                                          "get_variable",
                                          "variable_get_metadata",
                                          "variable_is_required",
                                          "link_interior_state_data",
                                          "link_bottom_state_data",
                                          "link_interior_data",
                                          "link_horizontal_data",
                                          "link_scalar",
                                          "find_standard_variable",
                                          "require_data",
                                          "get_standard_variable_data",
                                          "start",
                                          "get_sources",
                                          "get_vertical_movement",
                                          "get_error_state",
                                          "reset_error_state",
                                          "get_error"};
_Static_assert(sizeof entry_names / sizeof *entry_names == sizeof(Entries) / sizeof(void (*)(void)),
               "a name for each entry point");

/* What a model may ask of its surroundings. */
typedef enum Need {
    TEMPERATURE,
    SALINITY,
    DENSITY,
    LIGHT,
    DEPTH,
    THICKNESS,
    PRESSURE,
    WIND,
    SURFACE_LIGHT,
    BED_STRESS,
    WATER_DEPTH,
    DAY,
    NEEDS
} Need;

static const struct {
    const char *name; /* FABM's */
    int category;
    unsigned flag;
} needs[NEEDS] = {
    [TEMPERATURE] = {"temperature", INTERIOR_DEPENDENCY, MAEOTIS_NEEDS_TEMPERATURE},
    [SALINITY] = {"practical_salinity", INTERIOR_DEPENDENCY, MAEOTIS_NEEDS_SALINITY},
    [DENSITY] = {"density", INTERIOR_DEPENDENCY, 0},
    [LIGHT] = {"downwelling_photosynthetic_radiative_flux", INTERIOR_DEPENDENCY, MAEOTIS_NEEDS_LIGHT},
    [DEPTH] = {"depth", INTERIOR_DEPENDENCY, 0},
    [THICKNESS] = {"cell_thickness", INTERIOR_DEPENDENCY, 0},
    [PRESSURE] = {"pressure", INTERIOR_DEPENDENCY, 0},
    [WIND] = {"wind_speed", HORIZONTAL_DEPENDENCY, MAEOTIS_NEEDS_WIND},
    [SURFACE_LIGHT] = {"surface_downwelling_photosynthetic_radiative_flux", HORIZONTAL_DEPENDENCY,
                       MAEOTIS_NEEDS_LIGHT},
    [BED_STRESS] = {"bottom_stress", HORIZONTAL_DEPENDENCY, 0},
    [WATER_DEPTH] = {"bottom_depth", HORIZONTAL_DEPENDENCY, 0},
    [DAY] = {"number_of_days_since_start_of_the_year", SCALAR_DEPENDENCY, 0},
};

/* Texts of one variable. */
typedef struct Texts {
    char name[TEXT], units[TEXT], long_name[TEXT], path[TEXT];
    char process[3][TEXT], bed[TEXT];
} Texts;

/* The model that is open. FABM's functions know no other place to look than the numbers linked to it. */
static struct {
    int users;
    char *file;
    Entries call;
    void *model;
    int n_interior, n_bottom;
    double state[MAEOTIS_MOST_VARIABLES], bottom[MAEOTIS_MOST_VARIABLES];
    double source[MAEOTIS_MOST_VARIABLES], bottom_source[MAEOTIS_MOST_VARIABLES];
    double surroundings[NEEDS];
    Texts texts[MAEOTIS_MOST_VARIABLES];
    MaeotisVariable variables[MAEOTIS_MOST_VARIABLES];
    MaeotisProcess processes[MAEOTIS_MOST_PROCESSES];
    MaeotisKinetics is;
} fabm;

__attribute__((format(printf, 3, 4))) static Status refuse(char *why, int size, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(why, (size_t)size, format, arguments);
    va_end(arguments);
    return STATUS_BAD_INPUT;
}

/* ---- the library ---- */

static void keep_quiet(const char *message) {
    (void)message;
}

static Status load(char *why, int size) {
    const char *named = getenv("MAEOTIS_FABM"), *path = named && *named ? named : FABM_LIBRARY;
    if (!*path)
        return refuse(why, size,
                      "this program was configured without FABM: pass -DFABM_LIBRARY=/path/libfabm.so to "
                      "cmake, or set the environment variable MAEOTIS_FABM");
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL); /* for good: a Fortran library cannot be unloaded */
    if (!library) return refuse(why, size, "the library of FABM cannot be loaded: %s", dlerror());
    for (size_t n = 0; n < sizeof entry_names / sizeof *entry_names; n++) {
        void *address = dlsym(library, entry_names[n]);
        if (!address)
            return refuse(why, size, "\"%s\" has no function \"%s\": it is not FABM's C interface", path,
                          entry_names[n]);
        memcpy((char *)&fabm.call + n * sizeof address, &address, sizeof address);
    }
    int dimensions = 1, depth, mask, bottom;
    fabm.call.get_driver_settings(&dimensions, &depth, &mask, &bottom);
    if (dimensions != 0)
        return refuse(
            why, size,
            "\"%s\" was built for %d dimensions; build it for a single point, as FABM's Python package "
            "does",
            path, dimensions);
    return STATUS_OK;
}

/* FABM's own words, if it has any. */
static Status check_error(char *why, int size) {
    char message[2 * TEXT] = "";
    if (!fabm.call.get_error_state()) return STATUS_OK;
    fabm.call.get_error(sizeof message, message);
    fabm.call.reset_error_state();
    return refuse(why, size, "FABM says: %s", message);
}

/* ---- the model ---- */

static Status link_need(int category, int index, char *why, int size) {
    char name[TEXT], units[TEXT], long_name[TEXT];
    void *variable = fabm.call.get_variable(fabm.model, category, index);
    fabm.call.variable_get_metadata(variable, TEXT, name, units, long_name);
    for (int n = 0; n < NEEDS; n++) {
        if (needs[n].category != category || strcmp(needs[n].name, name) != 0) continue;
        if (category == INTERIOR_DEPENDENCY)
            fabm.call.link_interior_data(fabm.model, variable, &fabm.surroundings[n]);
        else if (category == HORIZONTAL_DEPENDENCY)
            fabm.call.link_horizontal_data(fabm.model, variable, &fabm.surroundings[n]);
        else
            fabm.call.link_scalar(fabm.model, variable, &fabm.surroundings[n]);
        fabm.is.flags |= needs[n].flag;
        return STATUS_OK;
    }
    if (!fabm.call.variable_is_required(variable)) return STATUS_OK;
    return refuse(why, size, "its model needs \"%s\" (%s), which maeotis does not provide to FABM", name,
                  long_name);
}

static Status count(int of_needs[3], char *why, int size) {
    int surface, other[6];
    fabm.call.get_counts(fabm.model, &fabm.n_interior, &surface, &fabm.n_bottom, &other[0], &other[1],
                         &other[2], &of_needs[0], &of_needs[1], &of_needs[2], &other[3], &other[4],
                         &other[5]);
    const int variables = fabm.n_interior + fabm.n_bottom, processes = 3 * fabm.n_interior + fabm.n_bottom;
    if (surface > 0)
        return refuse(why, size, "its model has %d states that float on the surface: maeotis has none",
                      surface);
    if (variables < 1 || variables > MAEOTIS_MOST_VARIABLES || processes > MAEOTIS_MOST_PROCESSES)
        return refuse(why, size,
                      "its model has %d states in the water and %d on the bed, too many for maeotis",
                      fabm.n_interior, fabm.n_bottom);
    return STATUS_OK;
}

static Status link_all(char *why, int size) {
    static const int categories[] = {INTERIOR_DEPENDENCY, HORIZONTAL_DEPENDENCY, SCALAR_DEPENDENCY};
    int of_needs[3];
    TRY(count(of_needs, why, size));
    for (int n = 0; n < fabm.n_interior; n++)
        fabm.call.link_interior_state_data(fabm.model, n + 1, &fabm.state[n]);
    for (int n = 0; n < fabm.n_bottom; n++)
        fabm.call.link_bottom_state_data(fabm.model, n + 1, &fabm.bottom[n]);
    for (int c = 0; c < 3; c++)
        for (int n = 0; n < of_needs[c]; n++) TRY(link_need(categories[c], n + 1, why, size));
    return check_error(why, size);
}

/* Attenuation [m-1] of the state as it is; 0 where FABM has none. */
static double attenuation_now(void *standard) {
    int horizontal = 0;
    fabm.call.get_sources(fabm.model, -1, fabm.source, fabm.source, fabm.bottom_source, 0, 0,
                          &fabm.surroundings[THICKNESS]);
    const double *data = fabm.call.get_standard_variable_data(fabm.model, standard, &horizontal);
    return data ? *data : 0;
}

/* Sinking and attenuation as they are at first. */
static void find_properties(void *standard) {
    double movement[MAEOTIS_MOST_VARIABLES] = {0};
    fabm.call.get_vertical_movement(fabm.model, movement);
    for (int n = 0; n < fabm.n_interior; n++) fabm.variables[n].sinking = (MaeotisNumber){-movement[n], NULL};
    if (!standard) return;
    const double before = attenuation_now(standard);
    for (int n = 0; n < fabm.n_interior; n++) {
        fabm.state[n] += 1;
        const double gain = attenuation_now(standard) - before;
        fabm.state[n] -= 1;
        fabm.variables[n].attenuation = (MaeotisNumber){gain > 1e-12 ? gain : 0, NULL};
    }
}

/* The table of a variable, of number `index` among the states of its kind. */
static void describe(int n, int category, int index, double initial) {
    Texts *t = &fabm.texts[n];
    fabm.call.get_variable_metadata(fabm.model, category, index, TEXT, t->name, t->units, t->long_name,
                                    t->path);
    fabm.variables[n] = (MaeotisVariable){.name = t->name,
                                          .units = t->units,
                                          .long_name = t->long_name,
                                          .initial = initial > 0 ? initial : 0,
                                          .most = initial > 0 ? 10 * initial : 10};
}

static void add_process(const char *name, const char *variable, MaeotisPlace place) {
    fabm.processes[fabm.is.n_processes++] = (MaeotisProcess){.name = name,
                                                             .what = "all sources, as FABM's model has them",
                                                             .place = place,
                                                             .terms = {{variable, 1, NULL}},
                                                             .open = MAEOTIS_OPEN_ALL};
}

/* out = name_word; both texts may lie in one object. */
static void join(char out[TEXT], const char *name, int most, const char *word) {
    char whole[TEXT];
    snprintf(whole, TEXT, "%.*s_%s", most, name, word);
    memcpy(out, whole, TEXT);
}

/* In the order in which the rates are: all in the water, all at the surface, all at the bed. */
static void add_processes(void) {
    static const char *const places[] = {"sources", "surface", "bottom"};
    for (int place = MAEOTIS_WATER; place <= MAEOTIS_BED; place++)
        for (int n = 0; n < fabm.n_interior; n++) {
            Texts *t = &fabm.texts[n];
            join(t->process[place], t->name, 30, places[place]);
            add_process(t->process[place], t->name, (MaeotisPlace)place);
        }
    for (int n = fabm.n_interior; n < fabm.n_interior + fabm.n_bottom; n++) {
        Texts *t = &fabm.texts[n];
        join(t->process[0], t->name, 30, places[MAEOTIS_WATER]);
        join(t->bed, t->name, 240, "bed");
        fabm.variables[n].bed.exists = 1;
        add_process(t->process[0], t->bed, MAEOTIS_BED);
    }
}

/* ---- rates ---- */

static double day_of_year(double seconds) {
    const time_t now = (time_t)seconds;
    struct tm date;
    return gmtime_r(&now, &date)
               ? date.tm_yday + (date.tm_hour * 3600 + date.tm_min * 60 + date.tm_sec) / 86400.0
               : 0;
}

static void look(const MaeotisEnvironment *e, int p) {
    const double all[NEEDS] = {[TEMPERATURE] = e->temperature[p],
                               [SALINITY] = e->salinity[p],
                               [DENSITY] = e->density[p],
                               [LIGHT] = e->light[p],
                               [DEPTH] = e->depth[p],
                               [THICKNESS] = e->thickness[p],
                               [PRESSURE] = 1e-4 * 9.81 * e->density[p] * e->depth[p], /* [dbar] */
                               [WIND] = e->wind,
                               [SURFACE_LIGHT] = e->surface_light,
                               [BED_STRESS] = e->bed_stress,
                               [WATER_DEPTH] = e->water_depth,
                               [DAY] = day_of_year(e->time)};
    memcpy(fabm.surroundings, all, sizeof all);
}

static void find_sources(const double *const *c, int p, bool at_surface, bool at_bottom) {
    const int n_variables = fabm.is.n_variables;
    double none;
    for (int n = 0; n < fabm.n_interior; n++) fabm.state[n] = c[n][p];
    for (int n = 0; n < fabm.n_bottom; n++)
        fabm.bottom[n] = at_bottom ? c[n_variables + fabm.n_interior + n][0] : 0;
    fabm.call.get_sources(fabm.model, -1, fabm.source, &none, fabm.bottom_source, at_surface, at_bottom,
                          &fabm.surroundings[THICKNESS]);
}

static void water(const MaeotisEnvironment *e, const double *a, const double *const *c, double *const *rate) {
    (void)a;
    for (int p = 0; p < e->n; p++) {
        look(e, p);
        find_sources(c, p, false, false);
        for (int n = 0; n < fabm.n_interior; n++) rate[n][p] = fabm.source[n];
    }
}

/* The fluxes: what the sources are more than those in the water, times the thickness. */
static void find_fluxes(const MaeotisEnvironment *e, const double *const *c, bool at_surface,
                        double *const *rate) {
    double in_water[MAEOTIS_MOST_VARIABLES];
    look(e, 0);
    find_sources(c, 0, false, false);
    memcpy(in_water, fabm.source, sizeof in_water);
    find_sources(c, 0, at_surface, !at_surface);
    for (int n = 0; n < fabm.n_interior; n++) rate[n][0] = (fabm.source[n] - in_water[n]) * e->thickness[0];
}

static void surface(const MaeotisEnvironment *e, const double *a, const double *const *c,
                    double *const *rate) {
    (void)a;
    find_fluxes(e, c, true, rate + fabm.n_interior);
}

static void bed(const MaeotisEnvironment *e, const double *a, const double *const *c, double *const *rate) {
    (void)a;
    find_fluxes(e, c, false, rate + 2 * fabm.n_interior);
    for (int n = 0; n < fabm.n_bottom; n++) rate[3 * fabm.n_interior + n][0] = fabm.bottom_source[n];
}

/* ---- opening ---- */

static Status make(const char *file, char *why, int size) {
    const MaeotisEnvironment summer = {.n = 1,
                                       .temperature = (double[]){15},
                                       .salinity = (double[]){30},
                                       .density = (double[]){1023},
                                       .light = (double[]){20},
                                       .depth = (double[]){5},
                                       .thickness = (double[]){1},
                                       .surface_light = 100,
                                       .wind = 5,
                                       .water_depth = 10};
    if (strlen(file) >= TEXT)
        return refuse(why, size, "the path of its file has more than %d bytes", TEXT - 1);
    if (!fabm.call.create_model) {
        const Status loaded = load(why, size);
        if (loaded != STATUS_OK) fabm.call = (Entries){0};
        TRY(loaded);
    }
    fabm.call.set_log_callback(keep_quiet);
    fabm.model = fabm.call.create_model(file);
    TRY(check_error(why, size));
    fabm.is = (MaeotisKinetics){.abi = MAEOTIS_KINETICS_ABI,
                                .name = "fabm",
                                .what = "a model of FABM, described by a file",
                                .variables = fabm.variables,
                                .processes = fabm.processes,
                                .water = water,
                                .surface = surface,
                                .bed = bed};
    TRY(link_all(why, size));
    for (int n = 0; n < fabm.n_interior; n++) describe(n, INTERIOR_STATE, n + 1, fabm.state[n]);
    for (int n = 0; n < fabm.n_bottom; n++) describe(fabm.n_interior + n, BOTTOM_STATE, n + 1, 0);
    fabm.is.n_variables = fabm.n_interior + fabm.n_bottom;
    add_processes();
    void *standard =
        fabm.call.find_standard_variable("attenuation_coefficient_of_photosynthetic_radiative_flux");
    if (standard) fabm.call.require_data(fabm.model, standard);
    look(&summer, 0);
    fabm.call.start(fabm.model);
    TRY(check_error(why, size));
    find_properties(standard);
    return check_error(why, size);
}

Status fabm_open(const char *file, const MaeotisKinetics **out, char *why, int size) {
    if (fabm.users > 0 && strcmp(fabm.file, file) != 0)
        return refuse(why, size, "a model of FABM is open already, that of \"%s\"", fabm.file);
    if (fabm.users == 0) {
        TRY(make(file, why, size));
        fabm.file = memory_copy_text(file);
    }
    fabm.users++;
    *out = &fabm.is;
    return STATUS_OK;
}

void fabm_close(void) {
    if (--fabm.users > 0) return;
    memory_free(fabm.file);
    fabm.file = NULL;
}
