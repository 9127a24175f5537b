/* SPDX-License-Identifier: Apache-2.0
 *
 * A library with the entry points of FABM's C interface that maeotis uses, and a model of its own behind them: a
 * dissolved matter that decays in the dark and more so in light, comes in at the surface with the wind, and goes to the
 * bed, where it stays. tests/verification/fabm.py runs maeotis with it where there is no FABM.
 *
 *     da/dt = -(0.1/d + light 0.001/d) a,   at the surface wind 1e-6,   at the bed -1e-5 a, which m gains
 *
 * A file without the word "matter" is an error; the word "ice" asks for something that maeotis does not have.
 */
#include <stdio.h>
#include <string.h>

#define DAY 86400.0

enum { LIGHT, WIND, ICE };
static const char *const names[] = {"downwelling_photosynthetic_radiative_flux", "wind_speed",
                                    "ice_thickness"};
static double *linked[3], *matter, *on_bed, attenuation;
static int wants_ice, failed;
static char words[256];

static void set_text(char *out, const char *text) {
    snprintf(out, 256, "%s", text);
}

void get_driver_settings(int *dimensions, int *depth, int *mask, int *bottom) {
    *dimensions = *mask = *bottom = 0;
    *depth = -1;
}

void set_log_callback(void (*log)(const char *message)) {
    (void)log;
}

void *create_model(const char *path) {
    char text[1000] = "";
    FILE *file = fopen(path, "r");
    if (file) {
        text[fread(text, 1, sizeof text - 1, file)] = '\0';
        fclose(file);
    }
    failed = !strstr(text, "matter");
    wants_ice = strstr(text, "ice") != NULL;
    set_text(words, "there is no matter");
    return &words;
}

void get_counts(void *model, int *interior, int *surface, int *bottom, int *d1, int *d2, int *d3,
                int *needs_interior, int *needs_horizontal, int *needs_scalar, int *conserved,
                int *parameters, int *couplings) {
    (void)model;
    *interior = *bottom = 1;
    *surface = *d1 = *d2 = *d3 = *needs_scalar = *conserved = *parameters = *couplings = 0;
    *needs_interior = 1;
    *needs_horizontal = 1 + wants_ice;
}

void get_variable_metadata(void *model, int category, int index, int length, char *name, char *units,
                           char *long_name, char *path) {
    (void)model, (void)index, (void)length;
    set_text(name, category == 1 ? "matter" : "mud");
    set_text(units, category == 1 ? "mmol m-3" : "mmol m-2");
    set_text(long_name, "matter of the stand-in");
    set_text(path, "stand/in");
}

void *get_variable(void *model, int category, int index) {
    (void)model;
    return &linked[category == 7 ? LIGHT : index == 1 ? WIND : ICE];
}

void variable_get_metadata(void *variable, int length, char *name, char *units, char *long_name) {
    (void)length;
    set_text(name, names[(double **)variable - linked]);
    set_text(units, "1");
    set_text(long_name, "what the stand-in needs");
}

int variable_is_required(void *variable) {
    (void)variable;
    return 1;
}

void link_interior_state_data(void *model, int index, double *data) {
    (void)model, (void)index;
    matter = data;
    *data = 3;
}

void link_bottom_state_data(void *model, int index, double *data) {
    (void)model, (void)index;
    on_bed = data;
    *data = 0;
}

void link_interior_data(void *model, void *variable, double *data) {
    (void)model;
    *(double **)variable = data;
}

void link_horizontal_data(void *model, void *variable, double *data) {
    link_interior_data(model, variable, data);
}

void link_scalar(void *model, void *variable, double *data) {
    link_interior_data(model, variable, data);
}

void *find_standard_variable(const char *name) {
    return strstr(name, "attenuation") ? &attenuation : NULL;
}

void require_data(void *model, void *standard) {
    (void)model, (void)standard;
}

double *get_standard_variable_data(void *model, void *standard, int *horizontal) {
    (void)model, (void)standard;
    *horizontal = 0;
    return &attenuation;
}

void start(void *model) {
    (void)model;
}

void get_sources(void *model, double time, double *interior, double *surface, double *bottom, int at_surface,
                 int at_bottom, double *thickness) {
    const double down = at_bottom ? 1e-5 * *matter : 0;
    (void)model, (void)time, (void)surface;
    interior[0] = -(0.1 + 0.001 * *linked[LIGHT]) / DAY * *matter - down / *thickness;
    if (at_surface) interior[0] += 1e-6 * *linked[WIND] / *thickness;
    bottom[0] = down + 0 * *on_bed;
    attenuation = 0.5 + 0.02 * *matter;
}

void get_vertical_movement(void *model, double *velocity) {
    (void)model;
    velocity[0] = 0;
}

int get_error_state(void) {
    return failed;
}

void reset_error_state(void) {
    failed = 0;
}

void get_error(int length, char *message) {
    (void)length;
    set_text(message, words);
}
