/* SPDX-License-Identifier: Apache-2.0
 *
 * Oxygen and hypoxia: oxygen O2, nutrient NUT, phytoplankton PHY, heterotrophs HET, particulate and dissolved
 * organic matter POM, DOM, hydrogen sulphide H2S, and POM on the bed; organic matter in nitrogen, with oxygen
 * and phosphorus in Redfield's proportion. It has the compartments of OxyDep (E. V. Yakushev and others), not its
 * formulae:
 *
 *     growth       NUT -> PHY, makes O2   r f(T) E/E_opt exp(1 - E/E_opt) NUT/(K + NUT) PHY
 *     excretion    PHY -> DOM             mortality  PHY -> POM        respiration  PHY -> NUT, takes O2
 *     grazing      PHY, POM -> HET (part u), POM (rest)
 *     heterotrophs HET -> NUT, takes O2   HET -> POM, faster without oxygen
 *     autolysis    POM -> DOM
 *     decay of POM, DOM   -> NUT, takes O2 where there is some; where there is none, makes H2S
 *     oxidation of H2S    takes O2
 *     at the bed   the same decay of POM on the bed; O2 from the lowest layer
 *     at the surface   exchange with the air (gas.h); H2S escapes
 *
 * f(T) = Q10^((T - 20)/10). A decay is shared by oxygen: s = O2/(K_O + O2) of it takes O2, 1 - s makes H2S, half
 * a mole for each mole of O2 that is not there (SO4 + 2 CH2O -> H2S + 2 HCO3). Oxidation: H2S + 2 O2.
 */
#ifndef MAEOTIS_KINETICS_OXYGEN_H
#define MAEOTIS_KINETICS_OXYGEN_H

#include "kinetics/maeotis_kinetics.h"
#include "kinetics/modules/gas.h"

enum { OXYGEN_O2, OXYGEN_NUT, OXYGEN_PHY, OXYGEN_HET, OXYGEN_POM, OXYGEN_DOM, OXYGEN_H2S, OXYGEN_VARIABLES };

enum {
    OXYGEN_GROWTH_MAX,
    OXYGEN_LIGHT,
    OXYGEN_HALF_NUT,
    OXYGEN_Q10,
    OXYGEN_EXCRETION,
    OXYGEN_MORTALITY,
    OXYGEN_RESPIRATION,
    OXYGEN_GRAZING_MAX,
    OXYGEN_HALF_GRAZING,
    OXYGEN_UPTAKE,
    OXYGEN_HET_RESPIRATION,
    OXYGEN_HET_MORTALITY,
    OXYGEN_HET_ANOXIC,
    OXYGEN_AUTOLYSIS,
    OXYGEN_DECAY_POM,
    OXYGEN_DECAY_DOM,
    OXYGEN_DECAY_BED,
    OXYGEN_BURIAL,
    OXYGEN_HALF_O2,
    OXYGEN_OXIDATION,
    OXYGEN_PER_N,
    OXYGEN_SULPHIDE_PER_N,
    OXYGEN_SHADING,
    OXYGEN_SINKING_PHY,
    OXYGEN_SINKING_POM,
    OXYGEN_EROSION,
    OXYGEN_CRITICAL,
    OXYGEN_CHLOROPHYLL,
    OXYGEN_PARAMETERS
};

enum {
    OXYGEN_R_GROWTH,
    OXYGEN_R_EXCRETION,
    OXYGEN_R_MORTALITY,
    OXYGEN_R_RESPIRATION,
    OXYGEN_R_GRAZING,
    OXYGEN_R_GRAZING_LOST,
    OXYGEN_R_SCAVENGING,
    OXYGEN_R_HET_RESPIRATION,
    OXYGEN_R_HET_MORTALITY,
    OXYGEN_R_AUTOLYSIS,
    OXYGEN_R_POM_OXIC,
    OXYGEN_R_POM_ANOXIC,
    OXYGEN_R_DOM_OXIC,
    OXYGEN_R_DOM_ANOXIC,
    OXYGEN_R_OXIDATION,
    OXYGEN_R_AIR,
    OXYGEN_R_ESCAPE,
    OXYGEN_R_BED_OXIC,
    OXYGEN_R_BED_ANOXIC,
    OXYGEN_R_BURIAL,
    OXYGEN_PROCESSES
};

#define OXYGEN_DAY (1.0 / 86400.0)

POINTWISE void oxygen_water(const MaeotisEnvironment *e, const double *a, const double *const *c,
                            double *const *rate) {
    const double log_q10 = elementary_log(a[OXYGEN_Q10]);
    for (int p = 0; p < e->n; p++) {
        const double o2 = c[OXYGEN_O2][p], nut = c[OXYGEN_NUT][p], phy = c[OXYGEN_PHY][p];
        const double het = c[OXYGEN_HET][p], pom = c[OXYGEN_POM][p], dom = c[OXYGEN_DOM][p];
        const double warm = OXYGEN_DAY * elementary_exp(0.1 * (e->temperature[p] - 20.0) * log_q10);
        const double light = e->light[p] / a[OXYGEN_LIGHT], oxic = o2 / (a[OXYGEN_HALF_O2] + o2);
        const double food = a[OXYGEN_HALF_GRAZING] + phy + pom;
        const double grazing = warm * a[OXYGEN_GRAZING_MAX] * oxic * phy / food * het;
        const double pom_decay = warm * a[OXYGEN_DECAY_POM] * pom,
                     dom_decay = warm * a[OXYGEN_DECAY_DOM] * dom;
        rate[OXYGEN_R_GROWTH][p] = warm * a[OXYGEN_GROWTH_MAX] * light * elementary_exp(1.0 - light) * nut /
                                   (a[OXYGEN_HALF_NUT] + nut) * phy;
        rate[OXYGEN_R_EXCRETION][p] = warm * a[OXYGEN_EXCRETION] * phy;
        rate[OXYGEN_R_MORTALITY][p] = warm * a[OXYGEN_MORTALITY] * phy;
        rate[OXYGEN_R_RESPIRATION][p] = warm * a[OXYGEN_RESPIRATION] * oxic * phy;
        rate[OXYGEN_R_GRAZING][p] = a[OXYGEN_UPTAKE] * grazing;
        rate[OXYGEN_R_GRAZING_LOST][p] = (1.0 - a[OXYGEN_UPTAKE]) * grazing;
        rate[OXYGEN_R_SCAVENGING][p] =
            a[OXYGEN_UPTAKE] * warm * a[OXYGEN_GRAZING_MAX] * oxic * pom / food * het;
        rate[OXYGEN_R_HET_RESPIRATION][p] = warm * a[OXYGEN_HET_RESPIRATION] * oxic * het;
        rate[OXYGEN_R_HET_MORTALITY][p] =
            warm * (a[OXYGEN_HET_MORTALITY] + (1.0 - oxic) * a[OXYGEN_HET_ANOXIC]) * het;
        rate[OXYGEN_R_AUTOLYSIS][p] = warm * a[OXYGEN_AUTOLYSIS] * pom;
        rate[OXYGEN_R_POM_OXIC][p] = oxic * pom_decay;
        rate[OXYGEN_R_POM_ANOXIC][p] = (1.0 - oxic) * pom_decay;
        rate[OXYGEN_R_DOM_OXIC][p] = oxic * dom_decay;
        rate[OXYGEN_R_DOM_ANOXIC][p] = (1.0 - oxic) * dom_decay;
        rate[OXYGEN_R_OXIDATION][p] = OXYGEN_DAY * a[OXYGEN_OXIDATION] * c[OXYGEN_H2S][p] * o2;
    }
}

POINTWISE void oxygen_surface(const MaeotisEnvironment *e, const double *a, const double *const *c,
                              double *const *rate) {
    const double k = oxygen_transfer(e->temperature[0], e->wind);
    const double saturated = 1e-3 * e->density[0] * oxygen_saturation(e->temperature[0], e->salinity[0]);
    (void)a;
    rate[OXYGEN_R_AIR][0] = k * (saturated - c[OXYGEN_O2][0]);
    rate[OXYGEN_R_ESCAPE][0] = k * c[OXYGEN_H2S][0];
}

POINTWISE void oxygen_bed(const MaeotisEnvironment *e, const double *a, const double *const *c,
                          double *const *rate) {
    const double lies = c[OXYGEN_VARIABLES + OXYGEN_POM][0], o2 = c[OXYGEN_O2][0];
    const double warm =
        OXYGEN_DAY * elementary_exp(0.1 * (e->temperature[0] - 20.0) * elementary_log(a[OXYGEN_Q10]));
    const double oxic = o2 / (a[OXYGEN_HALF_O2] + o2), decay = warm * a[OXYGEN_DECAY_BED] * lies;
    rate[OXYGEN_R_BED_OXIC][0] = oxic * decay;
    rate[OXYGEN_R_BED_ANOXIC][0] = (1.0 - oxic) * decay;
    rate[OXYGEN_R_BURIAL][0] = OXYGEN_DAY * a[OXYGEN_BURIAL] * lies;
}

#endif
