/* SPDX-License-Identifier: Apache-2.0
 *
 * Nutrient, phytoplankton, zooplankton and detritus, in nitrogen; the equations of H. Burchard, K. Bolding, W.
 * Kuehn, A. Meister, T. Neumann, L. Umlauf, J. Mar. Syst. 61 (2006) 180-211, section 3.1:
 *
 *     uptake      N -> P   r_max (E/E_opt) exp(1 - E/E_opt) N/(a + N) (P + P0)
 *     grazing     P -> Z   g_max (1 - exp(-(iv P)^2)) (Z + Z0)
 *     exudation   P -> N   r_pn P          death of P   P -> D   r_pd P
 *     excretion   Z -> N   r_zn Z          death of Z   Z -> D   r_zd Z
 *     remineralisation     D -> N   r_dn D
 *
 * with E the light and E_opt = max(E_surface/4, E_min). Here r_pd is the same at all depths.
 */
#ifndef MAEOTIS_KINETICS_NPZD_H
#define MAEOTIS_KINETICS_NPZD_H

#include "gpu/elementary.h"
#include "kinetics/maeotis_kinetics.h"

#define NPZD_DAY (1.0 / 86400.0)

enum { NPZD_N, NPZD_P, NPZD_Z, NPZD_D, NPZD_VARIABLES };

enum {
    NPZD_R_MAX,
    NPZD_ALPHA,
    NPZD_E_MIN,
    NPZD_P0,
    NPZD_G_MAX,
    NPZD_IVLEV,
    NPZD_Z0,
    NPZD_R_PN,
    NPZD_R_PD,
    NPZD_R_ZN,
    NPZD_R_ZD,
    NPZD_R_DN,
    NPZD_SHADING,
    NPZD_SINKING_P,
    NPZD_SINKING_D,
    NPZD_CHLOROPHYLL,
    NPZD_PARAMETERS
};

enum {
    NPZD_UPTAKE,
    NPZD_GRAZING,
    NPZD_EXUDATION,
    NPZD_DEATH_P,
    NPZD_EXCRETION,
    NPZD_DEATH_Z,
    NPZD_REMINERALISATION,
    NPZD_PROCESSES
};

POINTWISE void npzd_water(const MaeotisEnvironment *e, const double *a, const double *const *c,
                          double *const *rate) {
    const double optimal = max_of(0.25 * e->surface_light, a[NPZD_E_MIN]);
    for (int p = 0; p < e->n; p++) {
        const double n = c[NPZD_N][p], plants = c[NPZD_P][p], animals = c[NPZD_Z][p], dead = c[NPZD_D][p];
        const double light = e->light[p] / optimal, eaten = a[NPZD_IVLEV] * plants;
        rate[NPZD_UPTAKE][p] = NPZD_DAY * a[NPZD_R_MAX] * light * elementary_exp(1.0 - light) * n /
                               (a[NPZD_ALPHA] + n) * (plants + a[NPZD_P0]);
        rate[NPZD_GRAZING][p] =
            NPZD_DAY * a[NPZD_G_MAX] * (1.0 - elementary_exp(-eaten * eaten)) * (animals + a[NPZD_Z0]);
        rate[NPZD_EXUDATION][p] = NPZD_DAY * a[NPZD_R_PN] * plants;
        rate[NPZD_DEATH_P][p] = NPZD_DAY * a[NPZD_R_PD] * plants;
        rate[NPZD_EXCRETION][p] = NPZD_DAY * a[NPZD_R_ZN] * animals;
        rate[NPZD_DEATH_Z][p] = NPZD_DAY * a[NPZD_R_ZD] * animals;
        rate[NPZD_REMINERALISATION][p] = NPZD_DAY * a[NPZD_R_DN] * dead;
    }
}

#endif
