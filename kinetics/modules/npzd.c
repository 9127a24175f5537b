/* SPDX-License-Identifier: Apache-2.0 */
#include "kinetics/modules/npzd.h"

#include "kinetics/modules/built_in.h"
#include "kinetics/modules/chlorophyll.h"

#define PAPER "Burchard et al. 2006, table 1"

static const MaeotisVariable variables[NPZD_VARIABLES] = {
    [NPZD_N] = {"nutrient", "mmol m-3", "dissolved inorganic nitrogen",
                "mole_concentration_of_dissolved_inorganic_nitrogen_in_sea_water", 4.5, 0, 30,
                .element = {1}},
    [NPZD_P] = {"phytoplankton", "mmol m-3", "phytoplankton in nitrogen",
                "mole_concentration_of_phytoplankton_expressed_as_nitrogen_in_sea_water", 0.1, 0, 20,
                .sinking = {1.0 / 86400, "sinking_phytoplankton_m_d"}, .attenuation = {1, "shading_m2_mmol"},
                .element = {1}},
    [NPZD_Z] = {"zooplankton", "mmol m-3", "zooplankton in nitrogen",
                "mole_concentration_of_zooplankton_expressed_as_nitrogen_in_sea_water", 0.1, 0, 10,
                .element = {1}},
    [NPZD_D] = {"detritus", "mmol m-3", "detritus in nitrogen",
                "mole_concentration_of_organic_detritus_expressed_as_nitrogen_in_sea_water", 0.1, 0, 20,
                .sinking = {1.0 / 86400, "sinking_detritus_m_d"}, .attenuation = {1, "shading_m2_mmol"},
                .element = {1}},
};

static const MaeotisParameter parameters[NPZD_PARAMETERS] = {
    [NPZD_R_MAX] = {"uptake_max_1_d", "d-1", "largest rate of uptake", 1, 0, 10, PAPER},
    [NPZD_ALPHA] = {"half_saturation_mmol_m3", "mmol m-3", "of the uptake", 0.3, 1e-6, 50, PAPER},
    [NPZD_E_MIN] = {"optimal_light_min_W_m2", "W m-2", "least optimal light", 25, 1e-3, 500, PAPER},
    [NPZD_P0] = {"background_phytoplankton_mmol_m3", "mmol m-3", "takes up nutrient, too", 0.0225, 0, 1,
                 PAPER},
    [NPZD_G_MAX] = {"grazing_max_1_d", "d-1", "largest rate of grazing", 0.5, 0, 10, PAPER},
    [NPZD_IVLEV] = {"ivlev_m3_mmol", "m3 mmol-1", "Ivlev constant of grazing", 1.1, 0, 100, PAPER},
    [NPZD_Z0] = {"background_zooplankton_mmol_m3", "mmol m-3", "grazes, too", 0.0225, 0, 1, PAPER},
    [NPZD_R_PN] = {"exudation_1_d", "d-1", "phytoplankton to nutrient", 0.01, 0, 10, PAPER},
    [NPZD_R_PD] = {"death_phytoplankton_1_d", "d-1", "phytoplankton to detritus", 0.02, 0, 10, PAPER},
    [NPZD_R_ZN] = {"excretion_1_d", "d-1", "zooplankton to nutrient", 0.01, 0, 10, PAPER},
    [NPZD_R_ZD] = {"death_zooplankton_1_d", "d-1", "zooplankton to detritus", 0.02, 0, 10, PAPER},
    [NPZD_R_DN] = {"remineralisation_1_d", "d-1", "detritus to nutrient", 0.003, 0, 10, PAPER},
    [NPZD_SHADING] = {"shading_m2_mmol", "m2 mmol-1", "attenuation by phytoplankton and detritus", 0.03, 0, 1,
                      PAPER},
    [NPZD_SINKING_P] = {"sinking_phytoplankton_m_d", "m d-1", "downwards", 1, -100, 1000, PAPER},
    [NPZD_SINKING_D] = {"sinking_detritus_m_d", "m d-1", "downwards", 5, -100, 1000, PAPER},
    [NPZD_CHLOROPHYLL] = {"chlorophyll_mg_mmol", "mg mmol-1", CHLOROPHYLL_WORDS, CHLOROPHYLL_PER_N, 0, 20,
                          NULL},
};

static const MaeotisProcess processes[NPZD_PROCESSES] = {
    [NPZD_UPTAKE] = {"uptake",
                     "growth of phytoplankton",
                     MAEOTIS_WATER,
                     {{"nutrient", -1}, {"phytoplankton", 1}}},
    [NPZD_GRAZING] = {"grazing",
                      "phytoplankton eaten by zooplankton",
                      MAEOTIS_WATER,
                      {{"phytoplankton", -1}, {"zooplankton", 1}}},
    [NPZD_EXUDATION] = {"exudation",
                        "from phytoplankton",
                        MAEOTIS_WATER,
                        {{"phytoplankton", -1}, {"nutrient", 1}}},
    [NPZD_DEATH_P] = {"death_phytoplankton",
                      "death of phytoplankton",
                      MAEOTIS_WATER,
                      {{"phytoplankton", -1}, {"detritus", 1}}},
    [NPZD_EXCRETION] = {"excretion", "of zooplankton", MAEOTIS_WATER, {{"zooplankton", -1}, {"nutrient", 1}}},
    [NPZD_DEATH_Z] = {"death_zooplankton",
                      "death of zooplankton",
                      MAEOTIS_WATER,
                      {{"zooplankton", -1}, {"detritus", 1}}},
    [NPZD_REMINERALISATION] = {"remineralisation",
                               "of detritus",
                               MAEOTIS_WATER,
                               {{"detritus", -1}, {"nutrient", 1}}},
};

static const MaeotisDiagnostic diagnostics[] = {
    {"chlorophyll", "mg m-3", "chlorophyll of phytoplankton", CHLOROPHYLL_CF,
     .terms = {{"phytoplankton", 1, "chlorophyll_mg_mmol"}}},
};

static void water(const MaeotisEnvironment *e, const double *a, const double *const *c, double *const *rate) {
    npzd_water(e, a, c, rate);
}

const MaeotisKinetics npzd_kinetics = {
    .abi = MAEOTIS_KINETICS_ABI,
    .name = "npzd",
    .what = "nutrient, phytoplankton, zooplankton, detritus",
    .flags = MAEOTIS_NEEDS_LIGHT | MAEOTIS_DEVICE_SAFE,
    .n_variables = NPZD_VARIABLES,
    .n_parameters = NPZD_PARAMETERS,
    .n_processes = NPZD_PROCESSES,
    .variables = variables,
    .parameters = parameters,
    .processes = processes,
    .water = water,
    .n_diagnostics = 1,
    .diagnostics = diagnostics,
};
