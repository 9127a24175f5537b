/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of the equations.
 */
#include "settings/table_rows.h"

#define OWNER Scenario
static const Field fields[] = {
    {"/physics/gravity_m_s2", &number_kind, TO(physics.gravity_m_s2), .flags = HAS_DEFAULT | EXCLUSIVE,
     DEFAULT(9.81), RANGE(0, 100), .unit = "m/s2", .doc = "Acceleration of gravity"},
    {"/physics/water_density_kg_m3", &number_kind, TO(physics.water_density_kg_m3),
     .flags = HAS_DEFAULT | EXCLUSIVE, DEFAULT(1008), RANGE(0, 10000), .unit = "kg/m3",
     .doc = "Reference density of the water; 1025 in the ocean"},
    {"/physics/density/equation", &choice_kind, TO(physics.density.equation), .flags = HAS_DEFAULT,
     .initial_text = "constant",
     CHOICES_TO(DENSITY_TEOS10_PRACTICAL, "constant", "linear", "eos80", "teos10", "teos10-practical"),
     .doc =
         "Equation of state, and with it the meaning of every temperature and salinity in the scenario, its "
         "files, rivers, boundaries and results: constant density; linear; eos80 and teos10-practical, of "
         "potential temperature and practical salinity; teos10, of conservative temperature and absolute "
         "salinity (g/kg)"},
    {"/physics/density/pressure", &boolean_kind, TO(physics.density.pressure), .flags = HAS_DEFAULT,
     DEFAULT(1), .with = "/physics/density/equation=eos80|teos10|teos10-practical",
     .doc = "Include the effect of pressure on density (compressibility varies with temperature and "
            "salinity); false: density as at the surface, for shallow seas"},
    {"/physics/density/reference_kg_m3", &number_kind, TO(physics.density.reference_kg_m3), ABOVE(0, 10000),
     .unit = "kg/m3", .with = "/physics/density/equation=linear",
     .doc =
         "linear: density at reference_temperature_C and reference_salinity; water_density_kg_m3 if omitted"},
    {"/physics/density/reference_temperature_C", &number_kind, TO(physics.density.reference_temperature_C),
     .flags = HAS_DEFAULT, DEFAULT(10), RANGE(-10, 100), .unit = "degrees C",
     .with = "/physics/density/equation!=constant",
     .doc =
         "Reference temperature of \"linear\"; also the temperature of the water if the scenario gives none"},
    {"/physics/density/reference_salinity", &number_kind, TO(physics.density.reference_salinity),
     .flags = HAS_DEFAULT, DEFAULT(10), RANGE(0, 400), .unit = "g/kg",
     .with = "/physics/density/equation!=constant",
     .doc = "Reference salinity of \"linear\"; also the salinity of the water if the scenario gives none, "
            "for evaporation and the freezing point"},
    {"/physics/density/expansion_1_K", &number_kind, TO(physics.density.expansion_1_K), .flags = HAS_DEFAULT,
     DEFAULT(1.5e-4), RANGE(-1, 1), .unit = "1/K", .with = "/physics/density/equation=linear",
     .doc = "linear: thermal expansion coefficient"},
    {"/physics/density/contraction_kg_g", &number_kind, TO(physics.density.contraction_kg_g),
     .flags = HAS_DEFAULT, DEFAULT(7.7e-4), RANGE(-1, 1), .unit = "kg/g",
     .with = "/physics/density/equation=linear", .doc = "linear: haline contraction coefficient"},
    {"/physics/pressure", &choice_kind, TO(physics.pressure), .flags = HAS_DEFAULT,
     .initial_text = "hydrostatic", CHOICES_TO(PRESSURE_NONHYDROSTATIC, "hydrostatic", "nonhydrostatic"),
     .doc = "hydrostatic: pressure is the weight of the water above; nonhydrostatic: includes vertical "
            "acceleration, for waves shorter than about ten depths; one layer suffices for wavelengths above "
            "four depths, two for those above one and a half"},
    {"/physics/nonhydrostatic_depth_m", &number_kind, TO(physics.nonhydrostatic_depth_m),
     .flags = HAS_DEFAULT | EXCLUSIVE, DEFAULT(0.01), RANGE(0, 1000), .unit = "m",
     .with = "/physics/pressure=nonhydrostatic",
     .doc =
         "Water thinner than this is treated as hydrostatic; if omitted, at most a tenth of the depth of the "
         "lowest level"},
    {"/physics/breaking", &number_kind, TO(physics.breaking), .flags = HAS_DEFAULT, DEFAULT(0.7),
     RANGE(0, 10), .with = "/physics/pressure=nonhydrostatic",
     .doc = "Breaking criterion: columns whose surface rises faster than this times sqrt(g H), or is steeper "
            "than this, gradually become hydrostatic, fully at 1.5 times the criterion, so that the front "
            "dissipates as a bore; 0.3 times the criterion suffices where waves broke in the last step, "
            "there or next to it; 0: off (after Smit, Zijlema and Stelling, 2013)"},
    {"/physics/coriolis", &coriolis_kind, TO(physics.coriolis), COUNT(physics.f_s),
     .doc = "\"none\" (default on cartesian grids), \"by-latitude\" (default on spherical grids), or "
            "{\"f_s\": 1e-4, \"beta_m_s\": 0}, with beta about the middle of the grid"},
    {"/physics/momentum/scheme", &choice_kind, TO(physics.scheme), .flags = HAS_DEFAULT,
     .initial_text = "explicit-z", CHOICES_TO(SCHEME_PRESCRIBED, "explicit-z", "matm", "split", "prescribed"),
     .doc = "explicit-z: explicit in the horizontal (strong viscosity in stages), implicit in the vertical; "
            "matm: implicit in all three directions, for long steps; split: as explicit-z, with implicit "
            "horizontal viscosity, line by line, where it would take more than a hundred stages; prescribed: "
            "the stream function prescribes the flow"},
    {"/physics/momentum/streamfunction_m3_s", &value_kind, TO(physics.streamfunction_m3_s), .variables = "xy",
     .unit = "m3/s", .flags = REFUSED_IDLE, .with = "/physics/momentum/scheme=prescribed",
     .doc = "Stream function of the prescribed transport, from the bed to the surface; u = -d/dy, v = d/dx"},
    {"/physics/momentum/streamfunction_factor", &value_kind, TO(physics.streamfunction_factor),
     .flags = HAS_DEFAULT, DEFAULT(1), .variables = "t", .with = "/physics/momentum/scheme=prescribed",
     .doc = "Factor of the stream function"},
    {"/physics/momentum/advection", &choice_kind, TO(physics.advection), .flags = HAS_DEFAULT,
     .initial_text = "tvd", CHOICES_TO(ADVECTION_COMPACT6, "none", "upwind", "tvd", "compact6"),
     .doc = "Advection of momentum: none; upwind, first order; tvd, second order with a limiter; compact6, "
            "for closed and periodic seas with smooth flow only: sixth order, without loss of energy, on "
            "cartesian grids without flooding"},
    {"/physics/momentum/order", &integer_kind, TO(physics.order), .flags = HAS_DEFAULT, DEFAULT(1),
     RANGE(1, 2), .with = "/physics/momentum/advection=tvd",
     .doc =
         "Order in time of the depth-mean flow where it is smooth: 1, or 2 at a sixth more cost, with wind, "
         "air pressure and tidal potential at the middle of the step. Bores, shores, differences between "
         "layers, and the surface of waves that cross more than a cell per step stay at order 1"},
    {"/physics/momentum/filter", &number_kind, TO(physics.filter), .flags = HAS_DEFAULT, DEFAULT(0.1),
     RANGE(0, 1), .with = "/physics/momentum/advection=compact6",
     .doc = "For closed and periodic seas with smooth flow (compact6): strength of the filter that each step "
            "applies to waves of a few cells: 0 none, 1 strongest"},
    {"/physics/momentum/inner_cells", &integer_kind, TO(physics.inner_cells), .flags = HAS_DEFAULT,
     DEFAULT(0), RANGE(0, 1000), .unit = "cells", .with = "/physics/momentum/advection=compact6",
     .doc = "0: compact6 everywhere; N: in an inner region only, more than N cells from coasts, open "
            "boundaries, "
            "partial cells and, in each level, the bed, fully from 2 N cells on; elsewhere tvd. At least 4"},
    {"/physics/momentum/compact_viscosity", &boolean_kind, TO(physics.compact_viscosity),
     .flags = HAS_DEFAULT, .with = "/physics/momentum/advection=compact6",
     .doc = "Horizontal viscosity by compact second derivatives of sixth order (compact6), explicit: for "
            "steps up to 1/(8 A (1/dx2 + 1/dy2)), with a constant viscosity A and no inner region"},
    {"/physics/momentum/viscosity_law", &choice_kind, TO(physics.viscosity_law), .flags = HAS_DEFAULT,
     .initial_text = "constant", CHOICES_TO(VISCOSITY_SMAGORINSKY, "constant", "smagorinsky"),
     .with = "/physics/momentum/scheme!=prescribed",
     .doc = "Horizontal viscosity: constant, or by Smagorinsky from cell size and shear"},
    {"/physics/momentum/smagorinsky_c", &number_kind, TO(physics.smagorinsky_c), .flags = HAS_DEFAULT,
     DEFAULT(0.1), RANGE(0, 10), .with = "/physics/momentum/viscosity_law=smagorinsky",
     .doc = "Coefficient C of C dx dy |D|, for \"smagorinsky\""},
    {"/physics/momentum/horizontal_viscosity_m2_s", &number_kind, TO(physics.horizontal_viscosity_m2_s),
     .flags = HAS_DEFAULT, RANGE(0, 1e6), .unit = "m2/s", .with = "/physics/momentum/scheme!=prescribed",
     .doc = "Horizontal viscosity, fully effective at any step; with \"smagorinsky\", added to the computed "
            "one"},
    {"/physics/momentum/rayleigh_1_s", &number_kind, TO(physics.rayleigh_1_s), .flags = HAS_DEFAULT,
     RANGE(0, 1000), .unit = "1/s", .with = "/physics/momentum/scheme!=prescribed",
     .doc = "Rayleigh damping r: the acceleration -r u of the horizontal velocity in all layers"},
    {"/physics/momentum/side_walls", &choice_kind, TO(physics.side_walls), .flags = HAS_DEFAULT,
     .initial_text = "free-slip", CHOICES_TO(WALLS_NO_SLIP, "free-slip", "no-slip"),
     .doc = "Boundary condition for the flow along the coast"},
    {"/physics/turbulence/closure", &choice_kind, TO(physics.closure),
     CHOICES_TO(CLOSURE_K_EPSILON, "constant", "parabolic", "azov", "mixing-length", "k-epsilon"),
     .doc = "Vertical viscosity: constant; parabolic, from the friction velocities of bed and wind; azov, "
            "from shear and layer thickness; mixing-length, from shear and the distance to bed and surface; "
            "k-epsilon, two equations. If omitted: k-epsilon with 3 layers or more, else parabolic"},
    {"/physics/turbulence/viscosity_m2_s", &number_kind, TO(physics.viscosity_m2_s), .flags = HAS_DEFAULT,
     DEFAULT(1e-4), RANGE(0, 1000), .unit = "m2/s",
     .doc =
         "Value of the constant viscosity, and lower bound of the other closures; the default is 1e-6 with "
         "azov, mixing-length and k-epsilon"},
    {"/physics/turbulence/diffusivity_m2_s", &number_kind, TO(physics.diffusivity_m2_s), RANGE(0, 1000),
     .unit = "m2/s",
     .doc = "Value and lower bound of the vertical diffusivity of tracers; viscosity_m2_s if omitted"},
    {"/physics/turbulence/stability", &choice_kind, TO(physics.stability), .flags = HAS_DEFAULT,
     .initial_text = "canuto-a", CHOICES_TO(STABILITY_CHENG, "canuto-a", "cheng"),
     .with = "/physics/turbulence/closure=k-epsilon", .doc = "Stability functions of \"k-epsilon\""},
    {"/physics/turbulence/cs", &number_kind, TO(physics.azov_cs), .flags = HAS_DEFAULT | EXCLUSIVE,
     DEFAULT(0.2), RANGE(0, 10), .with = "/physics/turbulence/closure=azov",
     .doc = "Coefficient Cs of 1/2 Cs^2 dz^2 |u_z|, for \"azov\""},
    {"/physics/drag/law", &choice_kind, TO(physics.drag), .flags = HAS_DEFAULT, .initial_text = "manning",
     CHOICES_TO(DRAG_NO_SLIP, "none", "constant", "manning", "chezy", "log", "no-slip"),
     .doc = "Law of bed drag: constant and log are of the velocity of the lowest layer, manning and chezy of "
            "the mean of the depth: the drag of the lowest of several layers follows from the profile that "
            "the closure makes"},
    {"/physics/drag/n", &value_kind, TO(physics.manning_n), .flags = HAS_DEFAULT | TAKES_MAP, DEFAULT(0.025),
     RANGE(0, 1), .variables = "xy", .unit = "s/m^(1/3)", .with = "/physics/drag/law=manning",
     .doc = "Manning's n, for \"manning\", of the mean velocity of the depth; with /bathymetry/subgrid, a "
            "map acts at its own resolution"},
    {"/physics/drag/c", &value_kind, TO(physics.chezy_c), .flags = HAS_DEFAULT | EXCLUSIVE | TAKES_MAP,
     DEFAULT(65), RANGE(0, 1000), .variables = "xy", .unit = "m^(1/2)/s", .with = "/physics/drag/law=chezy",
     .doc = "Chezy's C, for \"chezy\", of the mean velocity of the depth"},
    {"/physics/drag/cd", &value_kind, TO(physics.drag_coefficient), .flags = HAS_DEFAULT | TAKES_MAP,
     DEFAULT(2.5e-3), RANGE(0, 1), .variables = "xy", .with = "/physics/drag/law=constant",
     .doc = "Drag coefficient, for \"constant\", of the velocity of the lowest layer"},
    {"/physics/drag/z0_m", &value_kind, TO(physics.roughness_m), .flags = HAS_DEFAULT | EXCLUSIVE | TAKES_MAP,
     DEFAULT(1e-3), RANGE(0, 10), .variables = "xy", .unit = "m", .with = "/physics/drag/law=log",
     .doc = "Roughness length, for \"log\""},
    {"/physics/vegetation/stems_m2", &value_kind, TO(physics.vegetation.stems_m2), .flags = TAKES_MAP,
     RANGE(0, 1e5), .variables = "xy", .unit = "1/m2", .with = "/physics/momentum/scheme!=prescribed",
     .doc = "Stems of plants on a square metre of ground, whose drag brakes the flow in all layers below "
            "their tips"},
    {"/physics/vegetation/diameter_m", &number_kind, TO(physics.vegetation.diameter_m), .flags = HAS_DEFAULT,
     DEFAULT(0.01), RANGE(0, 10), .unit = "m", .with = "/physics/vegetation/stems_m2",
     .doc = "Diameter of the stems, across the flow"},
    {"/physics/vegetation/height_m", &value_kind, TO(physics.vegetation.height_m),
     .flags = HAS_DEFAULT | TAKES_MAP, DEFAULT(1), RANGE(0, 100), .variables = "xy", .unit = "m",
     .with = "/physics/vegetation/stems_m2", .doc = "Height of the stems above the bed"},
    {"/physics/vegetation/cd", &number_kind, TO(physics.vegetation.cd), .flags = HAS_DEFAULT, DEFAULT(1),
     RANGE(0, 100), .with = "/physics/vegetation/stems_m2",
     .doc = "Drag coefficient of a stem; about 1 for stiff ones apart from each other"},
    {"/physics/tracers/scheme", &choice_kind, TO(physics.tracer_scheme), .flags = HAS_DEFAULT,
     .initial_text = "fct", CHOICES_TO(TRACERS_MATM, "fct", "upwind", "van-leer", "matm"),
     .doc = "Advection of tracers: fct, third order with a limiter that keeps bounds; upwind, first order, "
            "cheap and diffusive; van-leer, second order; matm, implicit, for steps in which water crosses "
            "many cells, but diffusive then"},
    {"/physics/tracers/horizontal_diffusivity_m2_s", &number_kind, TO(physics.tracer_diffusivity_m2_s),
     .flags = HAS_DEFAULT, RANGE(0, 1e6), .unit = "m2/s", .doc = "Horizontal diffusivity of tracers"},
    {"/physics/tracers/prandtl", &number_kind, TO(physics.tracer_prandtl), .flags = HAS_DEFAULT, DEFAULT(1),
     RANGE(1e-3, 1e9), .with = "/physics/momentum/viscosity_law=smagorinsky",
     .doc = "Ratio of the viscosity of \"smagorinsky\" to the horizontal diffusivity of tracers"},
    {"/physics/tracers/mix_along", &choice_kind, TO(physics.mix_along), .flags = HAS_DEFAULT,
     .initial_text = "layers", CHOICES_TO(MIX_ALONG_DENSITY, "layers", "heights", "density"),
     .doc = "Surfaces along which the horizontal diffusivity mixes tracers: the layers; heights, so that "
            "sloping layers do not mix a stratification; density, where its surfaces are not steep"},
    {"/physics/tracers/steepest", &number_kind, TO(physics.mix_steepest), .flags = HAS_DEFAULT, DEFAULT(0.01),
     RANGE(1e-6, 1), .with = "/physics/tracers/mix_along=density",
     .doc =
         "Slope of surfaces of density beyond which tracers mix horizontally, and partly from half of it on"},
    {"/physics/free_surface/theta", &number_kind, TO(physics.theta), .flags = HAS_DEFAULT, DEFAULT(0.6),
     RANGE(0.5, 1), .with = "/physics/momentum/scheme!=prescribed",
     .doc = "Weight of the new time level: 0.5 preserves waves, 1 damps them; waves of large amplitude grow "
            "at 0.5 and need 0.55 or more"},
    {"/physics/free_surface/full_stress_depth_m", &number_kind, TO(physics.full_stress_depth_m),
     .flags = HAS_DEFAULT, DEFAULT(0.1), RANGE(0, 100), .unit = "m",
     .doc = "Water thinner than this receives a proportional part of the wind stress, shares the heat from "
            "the air with the ground, and has a fully implicit surface; if omitted, at most half the depth "
            "of the lowest level"},
};
const Fields rows_of_physics = ROWS(fields);
