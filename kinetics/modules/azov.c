/* SPDX-License-Identifier: Apache-2.0 */
#include "kinetics/modules/azov.h"

#include "kinetics/modules/built_in.h"
#include "kinetics/modules/chlorophyll.h"

#define A_DAY   (1.0 / 86400)
#define P_PER_N (1.0 / 16)

#define ALGAE(NAME, LONG_NAME, INITIAL, SILICON)                                                             \
    {                                                                                                        \
        .name = NAME, .units = "mmol m-3", .long_name = LONG_NAME, .initial = INITIAL, .most = 30,           \
        .sinking = {A_DAY, NAME "_sinking_m_d"}, .attenuation = {1, "shading_m2_mmol"}, .element = {         \
            1,                                                                                               \
            P_PER_N,                                                                                         \
            SILICON                                                                                          \
        }                                                                                                    \
    }

static const MaeotisVariable variables[AZOV_VARIABLES] = {
    [AZOV_F1] = ALGAE("chlorella", "green algae, Chlorella vulgaris, in nitrogen", 0.5, 0),
    [AZOV_F2] = ALGAE("aphanizomenon", "blue-green algae, Aphanizomenon flos-aquae, in nitrogen", 0.3, 0),
    [AZOV_F3] = ALGAE("skeletonema", "diatoms, Skeletonema costatum, in nitrogen", 0.5, 1),
    [AZOV_PO4] = {"phosphate", "mmol m-3", "phosphate", "mole_concentration_of_phosphate_in_sea_water", 0.5,
                  0, 20, .element = {0, 1}},
    [AZOV_POP] = {"pop", "mmol m-3", "particulate organic phosphorus",
                  "mole_concentration_of_particulate_organic_matter_expressed_as_phosphorus_in_sea_water",
                  0.2, 0, 20, .sinking = {A_DAY, "sinking_pop_m_d"}, .element = {0, 1}},
    [AZOV_DOP] = {"dop", "mmol m-3", "dissolved organic phosphorus", NULL, 0.3, 0, 20, .element = {0, 1}},
    [AZOV_NO3] = {"nitrate", "mmol m-3", "nitrate", "mole_concentration_of_nitrate_in_sea_water", 4, 0, 200,
                  .element = {1}},
    [AZOV_NO2] = {"nitrite", "mmol m-3", "nitrite", "mole_concentration_of_nitrite_in_sea_water", 0.3, 0, 50,
                  .element = {1}},
    [AZOV_NH4] = {"ammonium", "mmol m-3", "ammonium", "mole_concentration_of_ammonium_in_sea_water", 2, 0,
                  100, .element = {1}},
    [AZOV_SI] = {"silicate", "mmol m-3", "silicate", "mole_concentration_of_silicate_in_sea_water", 20, 0,
                 300, .element = {0, 0, 1}},
};

/* Where no source is named, the value is an assumption; the order of the optima (the blue-green alga wants the
 * warmest and freshest water, the diatom the coldest and most saline) is that of the groups' ecology. */
#define GROUP(I, NAME, GROWTH, T_OPT, T_WIDTH, S_OPT, S_WIDTH, LIGHT, SINKING)                               \
    [I * AZOV_OF_GROUP +                                                                                     \
        AZOV_GROWTH] = {NAME "_growth_1_d", "d-1", "largest rate of growth", GROWTH, 0, 20, NULL},           \
        [I * AZOV_OF_GROUP + AZOV_RESPIRATION] =                                                             \
            {NAME "_respiration", "1", "part of growth respired at once", 0.15, 0, 0.9, NULL},               \
        [I * AZOV_OF_GROUP + AZOV_DEATH] = {NAME "_death_1_d", "d-1", "rate of death", 0.05, 0, 10, NULL},   \
        [I * AZOV_OF_GROUP +                                                                                 \
            AZOV_EXCRETION] = {NAME "_excretion_1_d", "d-1", "rate of excretion", 0.05, 0, 10, NULL},        \
        [I * AZOV_OF_GROUP +                                                                                 \
            AZOV_T_OPT] = {NAME "_temperature_C", "degree_C", "optimal temperature", T_OPT, 1, 40, NULL},    \
        [I * AZOV_OF_GROUP + AZOV_T_WIDTH] =                                                                 \
            {NAME "_temperature_width", "1", "how narrow the optimum is", T_WIDTH, 0, 100, NULL},            \
        [I * AZOV_OF_GROUP +                                                                                 \
            AZOV_S_OPT] = {NAME "_salinity", "1", "optimal salinity", S_OPT, 0.1, 40, NULL},                 \
        [I * AZOV_OF_GROUP + AZOV_S_WIDTH] =                                                                 \
            {NAME "_salinity_width", "1", "how narrow the optimum is", S_WIDTH, 0, 100, NULL},               \
        [I * AZOV_OF_GROUP +                                                                                 \
            AZOV_LIGHT] = {NAME "_light_W_m2", "W m-2", "optimal light", LIGHT, 0.1, 500, NULL},             \
        [I * AZOV_OF_GROUP + AZOV_HALF_P] =                                                                  \
            {NAME "_half_phosphate_mmol_m3", "mmol m-3", "half saturation", 0.1, 1e-6, 50, NULL},            \
        [I * AZOV_OF_GROUP + AZOV_HALF_NO3] =                                                                \
            {NAME "_half_nitrate_mmol_m3", "mmol m-3", "half saturation, with nitrite", 1, 1e-6, 100, NULL}, \
        [I * AZOV_OF_GROUP + AZOV_HALF_NH4] =                                                                \
            {NAME "_half_ammonium_mmol_m3", "mmol m-3", "half saturation", 0.5, 1e-6, 100, NULL},            \
        [I * AZOV_OF_GROUP + AZOV_SINKING] =                                                                 \
            {NAME "_sinking_m_d", "m d-1", "downwards; negative: rises", SINKING, -100, 100, NULL},          \
        [I * AZOV_OF_GROUP + AZOV_CHLOROPHYLL] = {                                                           \
            NAME "_chlorophyll_mg_mmol", "mg mmol-1", CHLOROPHYLL_WORDS, CHLOROPHYLL_PER_N, 0, 20, NULL}

static const MaeotisParameter parameters[AZOV_PARAMETERS] = {
    GROUP(0, "chlorella", 1.8, 25, 2, 5, 0.3, 30, 0.1),
    GROUP(1, "aphanizomenon", 1.5, 27, 4, 4, 0.3, 25, -0.2),
    GROUP(2, "skeletonema", 2.0, 15, 1, 12, 0.3, 30, 0.3),
    [AZOV_HALF_SI] = {"half_silicate_mmol_m3", "mmol m-3", "half saturation of the diatom", 2, 1e-6, 100,
                      NULL},
    [AZOV_INHIBITION] = {"inhibition_m3_mmol", "m3 mmol-1", "of the uptake of nitrate by ammonium", 1.46, 0,
                         100, "J. S. Wroblewski, J. Mar. Res. 35 (1977) 357-394"},
    [AZOV_POP_DOP] = {"pop_to_dop_1_d", "d-1", "autolysis", 0.02, 0, 10, NULL},
    [AZOV_POP_PO4] = {"pop_to_phosphate_1_d", "d-1", "phosphatification", 0.02, 0, 10, NULL},
    [AZOV_DOP_PO4] = {"dop_to_phosphate_1_d", "d-1", "phosphatification", 0.1, 0, 10, NULL},
    [AZOV_NH4_NO2] = {"ammonium_to_nitrite_1_d", "d-1", "first step of nitrification", 0.1, 0, 10, NULL},
    [AZOV_NO2_NO3] = {"nitrite_to_nitrate_1_d", "d-1", "second step of nitrification", 0.5, 0, 10, NULL},
    [AZOV_P_PER_N] = {"phosphorus_per_nitrogen", "1", "of algae", P_PER_N, P_PER_N, P_PER_N,
                      "Redfield, Ketchum, Richards 1963"},
    [AZOV_SI_PER_N] = {"silicon_per_nitrogen", "1", "of the diatom", 1, 1, 1,
                       "M. A. Brzezinski, J. Phycol. 21 (1985) 347-357"},
    [AZOV_SHADING] = {"shading_m2_mmol", "m2 mmol-1", "attenuation by algae", 0.03, 0, 1,
                      "Burchard et al. 2006, table 1"},
    [AZOV_SINKING_POP] = {"sinking_pop_m_d", "m d-1", "downwards", 1, 0, 100, NULL},
};

#define TAKES_P                                                                                              \
    { "phosphate", -1, "phosphorus_per_nitrogen" }
#define GROUP_PROCESSES(I, NAME, TAKES_SI, GIVES_SI)                                                         \
    [I * AZOV_PROCESSES_OF_GROUP +                                                                           \
        AZOV_BY_NO3] = {NAME "_growth_by_nitrate",                                                           \
                        "",                                                                                  \
                        MAEOTIS_WATER,                                                                       \
                        {{NAME, 1}, {"nitrate", -1}, TAKES_P TAKES_SI}},                                     \
        [I * AZOV_PROCESSES_OF_GROUP + AZOV_BY_NO2] = {NAME "_growth_by_nitrite",                            \
                                                       "",                                                   \
                                                       MAEOTIS_WATER,                                        \
                                                       {{NAME, 1}, {"nitrite", -1}, TAKES_P TAKES_SI}},      \
        [I * AZOV_PROCESSES_OF_GROUP + AZOV_BY_NH4] = {NAME "_growth_by_ammonium",                           \
                                                       "",                                                   \
                                                       MAEOTIS_WATER,                                        \
                                                       {{NAME, 1}, {"ammonium", -1}, TAKES_P TAKES_SI}},     \
        [I * AZOV_PROCESSES_OF_GROUP +                                                                       \
            AZOV_DYING] = {NAME "_death",                                                                    \
                           "",                                                                               \
                           MAEOTIS_WATER,                                                                    \
                           {{NAME, -1}, {"ammonium", 1}, {"pop", 1, "phosphorus_per_nitrogen"} GIVES_SI}},   \
        [I * AZOV_PROCESSES_OF_GROUP + AZOV_EXCRETING] = {                                                   \
            NAME "_excretion",                                                                               \
            "",                                                                                              \
            MAEOTIS_WATER,                                                                                   \
            {{NAME, -1}, {"ammonium", 1}, {"dop", 1, "phosphorus_per_nitrogen"} GIVES_SI}}
#define NOTHING
#define TAKES_SILICON                                                                                        \
    , {                                                                                                      \
        "silicate", -1, "silicon_per_nitrogen"                                                               \
    }
#define GIVES_SILICON                                                                                        \
    , {                                                                                                      \
        "silicate", 1, "silicon_per_nitrogen"                                                                \
    }

static const MaeotisProcess processes[AZOV_PROCESSES] = {
    GROUP_PROCESSES(0, "chlorella", NOTHING, NOTHING),
    GROUP_PROCESSES(1, "aphanizomenon", NOTHING, NOTHING),
    GROUP_PROCESSES(2, "skeletonema", TAKES_SILICON, GIVES_SILICON),
    [AZOV_R_POP_DOP] = {"autolysis", "", MAEOTIS_WATER, {{"pop", -1}, {"dop", 1}}},
    [AZOV_R_POP_PO4] = {"phosphatification_pop", "", MAEOTIS_WATER, {{"pop", -1}, {"phosphate", 1}}},
    [AZOV_R_DOP_PO4] = {"phosphatification_dop", "", MAEOTIS_WATER, {{"dop", -1}, {"phosphate", 1}}},
    [AZOV_R_NH4_NO2] = {"nitrification_ammonium", "", MAEOTIS_WATER, {{"ammonium", -1}, {"nitrite", 1}}},
    [AZOV_R_NO2_NO3] = {"nitrification_nitrite", "", MAEOTIS_WATER, {{"nitrite", -1}, {"nitrate", 1}}},
};

static const MaeotisDiagnostic diagnostics[] = {
    {"chlorophyll", "mg m-3", "chlorophyll of the three groups of algae", CHLOROPHYLL_CF,
     .terms = {{"chlorella", 1, "chlorella_chlorophyll_mg_mmol"},
               {"aphanizomenon", 1, "aphanizomenon_chlorophyll_mg_mmol"},
               {"skeletonema", 1, "skeletonema_chlorophyll_mg_mmol"}}},
};

static void water(const MaeotisEnvironment *e, const double *a, const double *const *c, double *const *rate) {
    azov_water(e, a, c, rate);
}

const MaeotisKinetics azov_kinetics = {
    .abi = MAEOTIS_KINETICS_ABI,
    .name = "azov-plankton",
    .what = "three groups of algae and the nutrients of the Sea of Azov",
    .flags = MAEOTIS_NEEDS_TEMPERATURE | MAEOTIS_NEEDS_SALINITY | MAEOTIS_NEEDS_LIGHT | MAEOTIS_DEVICE_SAFE,
    .n_variables = AZOV_VARIABLES,
    .n_parameters = AZOV_PARAMETERS,
    .n_processes = AZOV_PROCESSES,
    .variables = variables,
    .parameters = parameters,
    .processes = processes,
    .water = water,
    .n_diagnostics = 1,
    .diagnostics = diagnostics,
};
