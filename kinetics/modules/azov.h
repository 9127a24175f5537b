/* SPDX-License-Identifier: Apache-2.0
 *
 * Plankton and nutrients of the Sea of Azov, ten components: a green alga F1 (Chlorella vulgaris), a blue-green one F2
 * (Aphanizomenon flos-aquae), a diatom F3 (Skeletonema costatum), phosphate PO4, particulate and dissolved organic
 * phosphorus POP, DOP, nitrate NO3, nitrite NO2, ammonium NH4, silicate Si. With F_i in nitrogen, P_i = s_P F_i:
 *
 *     growth     C_i = K_i (1 - R_i) f_T f_S f_E min(f_P, f_N, f_Si of the diatom);  from PO4, Si, and from NO3,
 *                NO2, NH4 by their parts of f_N
 *     death      D_i F_i   to POP, NH4 and, of the diatom, Si
 *     excretion  E_i F_i   to DOP, NH4 (and Si)
 *     POP -> DOP, POP -> PO4, DOP -> PO4, NH4 -> NO2, NO2 -> NO3   of first order
 *
 *     f_P = PO4/(K_P + PO4),  f_Si = Si/(K_Si + Si)
 *     f_N = [NO3 + NO2]/(K_NO3 + NO3 + NO2) exp(-K_psi NH4) + NH4/(K_NH4 + NH4), at most 1
 *     f_T = exp(-a ((T - T_i)/T_i)^2),  f_S = exp(-b ((S - S_i)/S_i)^2),  f_E = E/E_i exp(1 - E/E_i)
 *
 * The form is that of the models of A. I. Sukhinov and his group for the Sea of Azov, which have no light of
 * their own; that limit is J. H. Steele's. Death and excretion give nitrogen back as ammonium, as there.
 */
#ifndef MAEOTIS_KINETICS_AZOV_H
#define MAEOTIS_KINETICS_AZOV_H

#include "gpu/elementary.h"
#include "kinetics/maeotis_kinetics.h"

enum { AZOV_GROUPS = 3 };
enum {
    AZOV_F1,
    AZOV_F2,
    AZOV_F3,
    AZOV_PO4,
    AZOV_POP,
    AZOV_DOP,
    AZOV_NO3,
    AZOV_NO2,
    AZOV_NH4,
    AZOV_SI,
    AZOV_VARIABLES
};

/* Of each group, one after the other; then those of all. */
enum {
    AZOV_GROWTH,
    AZOV_RESPIRATION,
    AZOV_DEATH,
    AZOV_EXCRETION,
    AZOV_T_OPT,
    AZOV_T_WIDTH,
    AZOV_S_OPT,
    AZOV_S_WIDTH,
    AZOV_LIGHT,
    AZOV_HALF_P,
    AZOV_HALF_NO3,
    AZOV_HALF_NH4,
    AZOV_SINKING,
    AZOV_CHLOROPHYLL,
    AZOV_OF_GROUP
};
enum {
    AZOV_HALF_SI = AZOV_GROUPS * AZOV_OF_GROUP,
    AZOV_INHIBITION,
    AZOV_POP_DOP,
    AZOV_POP_PO4,
    AZOV_DOP_PO4,
    AZOV_NH4_NO2,
    AZOV_NO2_NO3,
    AZOV_P_PER_N,
    AZOV_SI_PER_N,
    AZOV_SHADING,
    AZOV_SINKING_POP,
    AZOV_PARAMETERS
};

enum { AZOV_BY_NO3, AZOV_BY_NO2, AZOV_BY_NH4, AZOV_DYING, AZOV_EXCRETING, AZOV_PROCESSES_OF_GROUP };
enum {
    AZOV_R_POP_DOP = AZOV_GROUPS * AZOV_PROCESSES_OF_GROUP,
    AZOV_R_POP_PO4,
    AZOV_R_DOP_PO4,
    AZOV_R_NH4_NO2,
    AZOV_R_NO2_NO3,
    AZOV_PROCESSES
};

#define AZOV_DAY (1.0 / 86400.0)

/* exp(-width ((x - optimum)/optimum)^2) */
POINTWISE double azov_bell(double x, double optimum, double width) {
    const double off = (x - optimum) / optimum;
    return elementary_exp(-width * off * off);
}

/* The processes of group i at point p. */
POINTWISE void azov_group(const MaeotisEnvironment *e, const double *a, const double *const *c,
                          double *const *rate, int i, int p) {
    const double *own = a + i * AZOV_OF_GROUP;
    double *const *out = rate + i * AZOV_PROCESSES_OF_GROUP;
    const double algae = c[AZOV_F1 + i][p], po4 = c[AZOV_PO4][p], si = c[AZOV_SI][p];
    const double no3 = c[AZOV_NO3][p], no2 = c[AZOV_NO2][p], nh4 = c[AZOV_NH4][p], oxidised = no3 + no2;
    const double light = e->light[p] / own[AZOV_LIGHT];
    const double by_oxidised = elementary_exp(-a[AZOV_INHIBITION] * nh4) / (own[AZOV_HALF_NO3] + oxidised);
    const double by_nh4 = nh4 / (own[AZOV_HALF_NH4] + nh4), by_n = by_oxidised * oxidised + by_nh4;
    double scarcest = min_of(min_of(1.0, by_n), po4 / (own[AZOV_HALF_P] + po4));
    if (AZOV_F1 + i == AZOV_F3) scarcest = min_of(scarcest, si / (a[AZOV_HALF_SI] + si));
    const double growth = AZOV_DAY * own[AZOV_GROWTH] * (1.0 - own[AZOV_RESPIRATION]) *
                          azov_bell(e->temperature[p], own[AZOV_T_OPT], own[AZOV_T_WIDTH]) *
                          azov_bell(e->salinity[p], own[AZOV_S_OPT], own[AZOV_S_WIDTH]) * light *
                          elementary_exp(1.0 - light) * algae;
    const double per_n = by_n > 0 ? growth * scarcest / by_n : 0.0;
    out[AZOV_BY_NO3][p] = per_n * by_oxidised * no3;
    out[AZOV_BY_NO2][p] = per_n * by_oxidised * no2;
    out[AZOV_BY_NH4][p] = per_n * by_nh4;
    out[AZOV_DYING][p] = AZOV_DAY * own[AZOV_DEATH] * algae;
    out[AZOV_EXCRETING][p] = AZOV_DAY * own[AZOV_EXCRETION] * algae;
}

POINTWISE void azov_water(const MaeotisEnvironment *e, const double *a, const double *const *c,
                          double *const *rate) {
    for (int p = 0; p < e->n; p++) {
        for (int i = 0; i < AZOV_GROUPS; i++) azov_group(e, a, c, rate, i, p);
        rate[AZOV_R_POP_DOP][p] = AZOV_DAY * a[AZOV_POP_DOP] * c[AZOV_POP][p];
        rate[AZOV_R_POP_PO4][p] = AZOV_DAY * a[AZOV_POP_PO4] * c[AZOV_POP][p];
        rate[AZOV_R_DOP_PO4][p] = AZOV_DAY * a[AZOV_DOP_PO4] * c[AZOV_DOP][p];
        rate[AZOV_R_NH4_NO2][p] = AZOV_DAY * a[AZOV_NH4_NO2] * c[AZOV_NH4][p];
        rate[AZOV_R_NO2_NO3][p] = AZOV_DAY * a[AZOV_NO2_NO3] * c[AZOV_NO2][p];
    }
}

#endif
