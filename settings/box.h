/* SPDX-License-Identifier: Apache-2.0
 *
 * The file of a box: a kinetics module without a sea (kinetics/box.h).
 */
#ifndef MAEOTIS_SETTINGS_BOX_H
#define MAEOTIS_SETTINGS_BOX_H

#include "settings/scenario.h"

typedef struct BoxFile {
    char *title;
    ScenarioKinetics kinetics;
    double depth_m;                                                     /* 10 */
    double attenuation_1_m;                                             /* 0.1, of the water itself */
    Value temperature_C, salinity, light_W_m2, wind_m_s, bed_stress_Pa; /* of t */
    double start;                                                       /* [s since 1970] */
    double step_s, duration_s, every_s;
} BoxFile;

/* Reads and checks the file, with settings as of --set. Local. */
CHECKED Status box_read(const char *path, const char *const *overrides, int n_overrides, BoxFile **out);
void box_destroy(BoxFile **box);

#endif
