/* SPDX-License-Identifier: Apache-2.0 */
#include "kinetics/modules/oxygen.h"

#include "kinetics/modules/built_in.h"
#include "kinetics/modules/chlorophyll.h"

/* Redfield's proportion: 106 C : 16 N : 1 P : 138 O2; nitrification included. */
#define O2_PER_N (138.0 / 16)
#define P_PER_N  (1.0 / 16)
#define C_PER_N  (106.0 / 16)
#define ORGANIC                                                                                              \
    { 1, P_PER_N, 0, C_PER_N, -O2_PER_N }
#define A_DAY (1.0 / 86400)

/* The account of O is one of oxygen and oxygen debt, as O2: organic matter owes what its decay will take, H2S
 * the 2 O2 of its oxidation. Carbon leaves the account as it decays: carbonate is none of the variables. */
static const MaeotisVariable variables[OXYGEN_VARIABLES] = {
    [OXYGEN_O2] = {"oxygen", "mmol m-3", "dissolved oxygen",
                   "mole_concentration_of_dissolved_molecular_oxygen_in_sea_water", 260, 0, 500,
                   .element = {0, 0, 0, 0, 1}},
    [OXYGEN_NUT] = {"nutrient", "mmol m-3", "dissolved inorganic nitrogen",
                    "mole_concentration_of_dissolved_inorganic_nitrogen_in_sea_water", 5, 0, 100,
                    .element = {1, P_PER_N}},
    [OXYGEN_PHY] = {"phytoplankton", "mmol m-3", "phytoplankton in nitrogen",
                    "mole_concentration_of_phytoplankton_expressed_as_nitrogen_in_sea_water", 0.5, 0, 30,
                    .sinking = {A_DAY, "sinking_phytoplankton_m_d"}, .attenuation = {1, "shading_m2_mmol"},
                    .element = ORGANIC},
    [OXYGEN_HET] = {"heterotrophs", "mmol m-3", "heterotrophs, bacteria to zooplankton, in nitrogen", NULL,
                    0.2, 0, 20, .element = ORGANIC},
    [OXYGEN_POM] =
        {"pom", "mmol m-3", "particulate organic matter in nitrogen",
         "mole_concentration_of_particulate_organic_matter_expressed_as_nitrogen_in_sea_water", 0.5, 0, 50,
         .sinking = {A_DAY, "sinking_pom_m_d"}, .attenuation = {1, "shading_m2_mmol"}, .element = ORGANIC,
         .bed = {1, {A_DAY, "erosion_mmol_m2_d"}, {1, "critical_erosion_Pa"}, {1, "critical_erosion_Pa"}}},
    [OXYGEN_DOM] = {"dom", "mmol m-3", "dissolved organic matter in nitrogen",
                    "mole_concentration_of_dissolved_organic_nitrogen_in_sea_water", 2, 0, 50,
                    .element = ORGANIC},
    [OXYGEN_H2S] = {"hydrogen_sulphide", "mmol m-3", "hydrogen sulphide",
                    "mole_concentration_of_hydrogen_sulfide_in_sea_water", 0, 0, 200,
                    .element = {0, 0, 0, 0, -2}},
};

/* No source: an assumption, of the order that models of this kind use. */
static const MaeotisParameter parameters[OXYGEN_PARAMETERS] = {
    [OXYGEN_GROWTH_MAX] = {"growth_max_1_d", "d-1", "largest rate of growth at 20 degree_C", 2, 0, 20, NULL},
    [OXYGEN_LIGHT] = {"optimal_light_W_m2", "W m-2", "optimal light", 25, 0.1, 500, NULL},
    [OXYGEN_HALF_NUT] = {"half_saturation_nutrient_mmol_m3", "mmol m-3", "of growth", 1, 1e-6, 100, NULL},
    [OXYGEN_Q10] = {"q10", "1", "factor of all rates of life per 10 K", 2, 1, 10, NULL},
    [OXYGEN_EXCRETION] = {"excretion_1_d", "d-1", "phytoplankton to DOM", 0.05, 0, 10, NULL},
    [OXYGEN_MORTALITY] = {"mortality_1_d", "d-1", "phytoplankton to POM", 0.1, 0, 10, NULL},
    [OXYGEN_RESPIRATION] = {"respiration_1_d", "d-1", "phytoplankton to nutrient", 0.1, 0, 10, NULL},
    [OXYGEN_GRAZING_MAX] = {"grazing_max_1_d", "d-1", "largest rate of grazing", 0.7, 0, 20, NULL},
    [OXYGEN_HALF_GRAZING] = {"half_saturation_grazing_mmol_m3", "mmol m-3", "of grazing", 2, 1e-6, 100, NULL},
    [OXYGEN_UPTAKE] = {"assimilation", "1", "part of the food that becomes heterotrophs", 0.6, 0, 1, NULL},
    [OXYGEN_HET_RESPIRATION] = {"respiration_heterotrophs_1_d", "d-1", "at enough oxygen", 0.1, 0, 10, NULL},
    [OXYGEN_HET_MORTALITY] = {"mortality_heterotrophs_1_d", "d-1", "at enough oxygen", 0.1, 0, 10, NULL},
    [OXYGEN_HET_ANOXIC] = {"mortality_without_oxygen_1_d", "d-1", "in addition, without oxygen", 0.5, 0, 10,
                           NULL},
    [OXYGEN_AUTOLYSIS] = {"autolysis_1_d", "d-1", "POM to DOM", 0.05, 0, 10, NULL},
    [OXYGEN_DECAY_POM] = {"decay_pom_1_d", "d-1", "POM to nutrient at 20 degree_C", 0.05, 0, 10, NULL},
    [OXYGEN_DECAY_DOM] = {"decay_dom_1_d", "d-1", "DOM to nutrient at 20 degree_C", 0.02, 0, 10, NULL},
    [OXYGEN_DECAY_BED] = {"decay_bed_1_d", "d-1", "POM on the bed to nutrient at 20 degree_C", 0.03, 0, 10,
                          NULL},
    [OXYGEN_BURIAL] = {"burial_1_d", "d-1", "POM on the bed for ever", 1e-4, 0, 1, NULL},
    [OXYGEN_HALF_O2] = {"half_saturation_oxygen_mmol_m3", "mmol m-3", "of all that takes oxygen", 10, 1e-3,
                        200, NULL},
    [OXYGEN_OXIDATION] = {"oxidation_sulphide_m3_mmol_d", "m3 mmol-1 d-1", "of H2S by O2", 0.1, 0, 100, NULL},
    [OXYGEN_PER_N] = {"oxygen_per_nitrogen", "1", "O2 per N of organic matter", O2_PER_N, O2_PER_N, O2_PER_N,
                      "Redfield, Ketchum, Richards 1963: 138/16, with nitrification"},
    [OXYGEN_SULPHIDE_PER_N] = {"sulphide_per_nitrogen", "1", "H2S per N that decays without oxygen",
                               0.5 * O2_PER_N, 0.5 * O2_PER_N, 0.5 * O2_PER_N, "half a mole per mole of O2"},
    [OXYGEN_SHADING] = {"shading_m2_mmol", "m2 mmol-1", "attenuation by phytoplankton and POM", 0.03, 0, 1,
                        "Burchard et al. 2006, table 1"},
    [OXYGEN_SINKING_PHY] = {"sinking_phytoplankton_m_d", "m d-1", "downwards", 0.1, -100, 1000, NULL},
    [OXYGEN_SINKING_POM] = {"sinking_pom_m_d", "m d-1", "downwards", 2, 0, 1000, NULL},
    [OXYGEN_EROSION] = {"erosion_mmol_m2_d", "mmol m-2 d-1", "of POM at twice the critical stress", 50, 0,
                        1e5, NULL},
    [OXYGEN_CRITICAL] = {"critical_erosion_Pa", "Pa", "bed stress between deposition and erosion", 0.03, 1e-4,
                         100, NULL},
    [OXYGEN_CHLOROPHYLL] = {"chlorophyll_mg_mmol", "mg mmol-1", CHLOROPHYLL_WORDS, CHLOROPHYLL_PER_N, 0, 20,
                            NULL},
};

#define TAKES_O2                                                                                             \
    { "oxygen", -1, "oxygen_per_nitrogen" }
#define MAKES_O2                                                                                             \
    { "oxygen", 1, "oxygen_per_nitrogen" }
#define MAKES_H2S                                                                                            \
    { "hydrogen_sulphide", 1, "sulphide_per_nitrogen" }

static const MaeotisProcess processes[OXYGEN_PROCESSES] = {
    [OXYGEN_R_GROWTH] = {"growth",
                         "of phytoplankton",
                         MAEOTIS_WATER,
                         {{"nutrient", -1}, {"phytoplankton", 1}, MAKES_O2},
                         .open = MAEOTIS_OPEN_C},
    [OXYGEN_R_EXCRETION] = {"excretion",
                            "by phytoplankton",
                            MAEOTIS_WATER,
                            {{"phytoplankton", -1}, {"dom", 1}}},
    [OXYGEN_R_MORTALITY] = {"mortality",
                            "of phytoplankton",
                            MAEOTIS_WATER,
                            {{"phytoplankton", -1}, {"pom", 1}}},
    [OXYGEN_R_RESPIRATION] = {"respiration",
                              "of phytoplankton",
                              MAEOTIS_WATER,
                              {{"phytoplankton", -1}, {"nutrient", 1}, TAKES_O2},
                              .open = MAEOTIS_OPEN_C},
    [OXYGEN_R_GRAZING] = {"grazing",
                          "of phytoplankton",
                          MAEOTIS_WATER,
                          {{"phytoplankton", -1}, {"heterotrophs", 1}}},
    [OXYGEN_R_GRAZING_LOST] = {"grazing_lost",
                               "food that is not assimilated",
                               MAEOTIS_WATER,
                               {{"phytoplankton", -1}, {"pom", 1}}},
    [OXYGEN_R_SCAVENGING] = {"scavenging", "POM eaten", MAEOTIS_WATER, {{"pom", -1}, {"heterotrophs", 1}}},
    [OXYGEN_R_HET_RESPIRATION] = {"respiration_heterotrophs",
                                  "",
                                  MAEOTIS_WATER,
                                  {{"heterotrophs", -1}, {"nutrient", 1}, TAKES_O2},
                                  .open = MAEOTIS_OPEN_C},
    [OXYGEN_R_HET_MORTALITY] = {"mortality_heterotrophs",
                                "",
                                MAEOTIS_WATER,
                                {{"heterotrophs", -1}, {"pom", 1}}},
    [OXYGEN_R_AUTOLYSIS] = {"autolysis", "of POM", MAEOTIS_WATER, {{"pom", -1}, {"dom", 1}}},
    [OXYGEN_R_POM_OXIC] = {"decay_pom",
                           "with oxygen",
                           MAEOTIS_WATER,
                           {{"pom", -1}, {"nutrient", 1}, TAKES_O2},
                           .open = MAEOTIS_OPEN_C},
    [OXYGEN_R_POM_ANOXIC] = {"decay_pom_anoxic",
                             "without oxygen",
                             MAEOTIS_WATER,
                             {{"pom", -1}, {"nutrient", 1}, MAKES_H2S},
                             .open = MAEOTIS_OPEN_C},
    [OXYGEN_R_DOM_OXIC] = {"decay_dom",
                           "with oxygen",
                           MAEOTIS_WATER,
                           {{"dom", -1}, {"nutrient", 1}, TAKES_O2},
                           .open = MAEOTIS_OPEN_C},
    [OXYGEN_R_DOM_ANOXIC] = {"decay_dom_anoxic",
                             "without oxygen",
                             MAEOTIS_WATER,
                             {{"dom", -1}, {"nutrient", 1}, MAKES_H2S},
                             .open = MAEOTIS_OPEN_C},
    [OXYGEN_R_OXIDATION] = {"oxidation_sulphide",
                            "of H2S by O2",
                            MAEOTIS_WATER,
                            {{"hydrogen_sulphide", -1}, {"oxygen", -2}}},
    [OXYGEN_R_AIR] =
        {"reaeration", "oxygen from the air", MAEOTIS_SURFACE, {{"oxygen", 1}}, .open = MAEOTIS_OPEN_O},
    [OXYGEN_R_ESCAPE] = {"escape_sulphide",
                         "H2S into the air",
                         MAEOTIS_SURFACE,
                         {{"hydrogen_sulphide", -1}},
                         .open = MAEOTIS_OPEN_O},
    [OXYGEN_R_BED_OXIC] = {"decay_bed",
                           "of POM on the bed, with oxygen",
                           MAEOTIS_BED,
                           {{"pom_bed", -1}, {"nutrient", 1}, TAKES_O2},
                           .open = MAEOTIS_OPEN_C},
    [OXYGEN_R_BED_ANOXIC] = {"decay_bed_anoxic",
                             "of POM on the bed, without oxygen",
                             MAEOTIS_BED,
                             {{"pom_bed", -1}, {"nutrient", 1}, MAKES_H2S},
                             .open = MAEOTIS_OPEN_C},
    [OXYGEN_R_BURIAL] =
        {"burial", "of POM on the bed", MAEOTIS_BED, {{"pom_bed", -1}}, .open = MAEOTIS_OPEN_ALL},
};

static const MaeotisDiagnostic diagnostics[] = {
    {"chlorophyll", "mg m-3", "chlorophyll of phytoplankton", CHLOROPHYLL_CF,
     .terms = {{"phytoplankton", 1, "chlorophyll_mg_mmol"}}},
};

static void water(const MaeotisEnvironment *e, const double *a, const double *const *c, double *const *rate) {
    oxygen_water(e, a, c, rate);
}

static void surface(const MaeotisEnvironment *e, const double *a, const double *const *c,
                    double *const *rate) {
    oxygen_surface(e, a, c, rate);
}

static void bed(const MaeotisEnvironment *e, const double *a, const double *const *c, double *const *rate) {
    oxygen_bed(e, a, c, rate);
}

const MaeotisKinetics oxygen_kinetics = {
    .abi = MAEOTIS_KINETICS_ABI,
    .name = "oxygen",
    .what =
        "oxygen and hypoxia: O2, nutrient, phytoplankton, heterotrophs, POM, DOM, H2S, and POM on the bed",
    .flags = MAEOTIS_NEEDS_TEMPERATURE | MAEOTIS_NEEDS_SALINITY | MAEOTIS_NEEDS_LIGHT | MAEOTIS_NEEDS_WIND |
             MAEOTIS_DEVICE_SAFE,
    .n_variables = OXYGEN_VARIABLES,
    .n_parameters = OXYGEN_PARAMETERS,
    .n_processes = OXYGEN_PROCESSES,
    .variables = variables,
    .parameters = parameters,
    .processes = processes,
    .water = water,
    .surface = surface,
    .bed = bed,
    .n_diagnostics = 1,
    .diagnostics = diagnostics,
};
