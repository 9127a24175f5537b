/* SPDX-License-Identifier: Apache-2.0
 *
 * Rows of the equations.
 */
#include "settings/table_rows.h"

#define OWNER Scenario
static const Field fields[] = {
    {"/physics/gravity_m_s2", &number_kind, TO(physics.gravity_m_s2), .flags = HAS_DEFAULT | EXCLUSIVE,
     DEFAULT(9.81), RANGE(0, 100), .unit = "m/s2", .doc = "Gravity"},
    {"/physics/water_density_kg_m3", &number_kind, TO(physics.water_density_kg_m3),
     .flags = HAS_DEFAULT | EXCLUSIVE, DEFAULT(1008), RANGE(0, 10000), .unit = "kg/m3",
     .doc = "Density of the water; 1025 in the ocean"},
    {"/physics/density/equation", &choice_kind, TO(physics.density.equation), .flags = HAS_DEFAULT,
     .initial_text = "constant", CHOICES("constant", "linear", "eos80", "teos10"),
     .doc = "How temperature and salinity make the water heavier, which makes it move: not at all; linear; "
            "eos80: temperature and practical salinity; teos10: conservative temperature and absolute "
            "salinity"},
    {"/physics/density/reference_kg_m3", &number_kind, TO(physics.density.reference_kg_m3), ABOVE(0, 10000),
     .unit = "kg/m3", .with = "/physics/density/equation=linear",
     .doc = "linear: density at reference_temperature_C and reference_salinity; water_density_kg_m3 if left "
            "out"},
    {"/physics/density/reference_temperature_C", &number_kind, TO(physics.density.reference_temperature_C),
     .flags = HAS_DEFAULT, DEFAULT(10), RANGE(-10, 100), .unit = "degrees C",
     .with = "/physics/density/equation!=constant",
     .doc = "For \"linear\"; and the temperature of the water where the scenario has none"},
    {"/physics/density/reference_salinity", &number_kind, TO(physics.density.reference_salinity),
     .flags = HAS_DEFAULT, DEFAULT(10), RANGE(0, 400), .unit = "g/kg",
     .with = "/physics/density/equation!=constant",
     .doc = "For \"linear\"; and the salinity of the water where the scenario has none"},
    {"/physics/density/expansion_1_K", &number_kind, TO(physics.density.expansion_1_K), .flags = HAS_DEFAULT,
     DEFAULT(1.5e-4), RANGE(-1, 1), .unit = "1/K", .with = "/physics/density/equation=linear",
     .doc = "linear: part by which warming by 1 K makes it lighter"},
    {"/physics/density/contraction_kg_g", &number_kind, TO(physics.density.contraction_kg_g),
     .flags = HAS_DEFAULT, DEFAULT(7.7e-4), RANGE(-1, 1), .unit = "kg/g",
     .with = "/physics/density/equation=linear",
     .doc = "linear: part by which 1 g/kg of salt makes it heavier"},
    {"/physics/pressure", &choice_kind, TO(physics.pressure), .flags = HAS_DEFAULT,
     .initial_text = "hydrostatic", CHOICES("hydrostatic", "nonhydrostatic"),
     .doc = "hydrostatic: the weight of the water above; nonhydrostatic: with vertical accelerations, for "
            "waves shorter than ten depths; needs levels"},
    {"/physics/nonhydrostatic_depth_m", &number_kind, TO(physics.nonhydrostatic_depth_m),
     .flags = HAS_DEFAULT | EXCLUSIVE, DEFAULT(0.01), RANGE(0, 1000), .unit = "m",
     .with = "/physics/pressure=nonhydrostatic", .doc = "Thinner water is hydrostatic all the same"},
    {"/physics/coriolis", &coriolis_kind, TO(physics.coriolis), COUNT(physics.f_s),
     .doc = "\"none\" (cartesian grids, if left out), \"by-latitude\" (spherical grids, if left out), or "
            "{\"f_s\": 1e-4, \"beta_m_s\": 0}, beta about the middle of the grid"},
    {"/physics/momentum/scheme", &choice_kind, TO(physics.scheme), .flags = HAS_DEFAULT,
     .initial_text = "explicit-z", CHOICES("explicit-z", "matm", "split", "prescribed"),
     .doc = "explicit-z: explicit along the levels, implicit down the column; matm: implicit in all three "
            "directions, for long steps; split: horizontal viscosity alone implicit too, line by line; "
            "prescribed: not at all, the flow is that of the stream function"},
    {"/physics/momentum/streamfunction_m3_s", &value_kind, TO(physics.streamfunction_m3_s), .variables = "xy",
     .unit = "m3/s", .flags = REFUSED_IDLE, .with = "/physics/momentum/scheme=prescribed",
     .doc = "Of the flow of \"prescribed\": what flows between two points, from the bed to the surface; u = "
            "-d/dy, v = d/dx"},
    {"/physics/momentum/streamfunction_factor", &value_kind, TO(physics.streamfunction_factor),
     .flags = HAS_DEFAULT, DEFAULT(1), .variables = "t", .with = "/physics/momentum/scheme=prescribed",
     .doc = "Multiplies the stream function"},
    {"/physics/momentum/advection", &choice_kind, TO(physics.advection), .flags = HAS_DEFAULT,
     .initial_text = "tvd", CHOICES("none", "upwind", "tvd", "compact6"),
     .doc =
         "How momentum is carried along: not at all, smoothly, with sharp fronts, or to sixth order and "
         "without loss of energy where flow is smooth (closed or periodic cartesian seas without flooding)"},
    {"/physics/momentum/filter", &number_kind, TO(physics.filter), .flags = HAS_DEFAULT, DEFAULT(0.1),
     RANGE(0, 1), .with = "/physics/momentum/advection=compact6",
     .doc = "How much compact6 takes of waves of a few cells in a step: 0 nothing, 1 most"},
    {"/physics/momentum/viscosity_law", &choice_kind, TO(physics.viscosity_law), .flags = HAS_DEFAULT,
     .initial_text = "constant", CHOICES("constant", "smagorinsky"),
     .with = "/physics/momentum/scheme!=prescribed",
     .doc = "Viscosity along the levels: the same everywhere, or growing with the cells and the shear of the "
            "flow"},
    {"/physics/momentum/smagorinsky_c", &number_kind, TO(physics.smagorinsky_c), .flags = HAS_DEFAULT,
     DEFAULT(0.1), RANGE(0, 10), .with = "/physics/momentum/viscosity_law=smagorinsky",
     .doc = "C of C dx dy |D|, for \"smagorinsky\""},
    {"/physics/momentum/horizontal_viscosity_m2_s", &number_kind, TO(physics.horizontal_viscosity_m2_s),
     .flags = HAS_DEFAULT, RANGE(0, 1e6), .unit = "m2/s", .with = "/physics/momentum/scheme!=prescribed",
     .doc = "Viscosity along the levels; with \"smagorinsky\" beside that of the flow"},
    {"/physics/momentum/side_walls", &choice_kind, TO(physics.side_walls), .flags = HAS_DEFAULT,
     .initial_text = "free-slip", CHOICES("free-slip", "no-slip"),
     .doc = "What the coast does to the flow along it: nothing, or hold it"},
    {"/physics/turbulence/closure", &choice_kind, TO(physics.closure), .flags = HAS_DEFAULT,
     .initial_text = "parabolic", CHOICES("constant", "parabolic", "azov", "mixing-length", "k-epsilon"),
     .doc =
         "Viscosity down the column: the same everywhere; growing with the drag of bed and wind; by the "
         "shear and the layers' thickness; by the shear and the distance to bed and surface; two equations "
         "(if left out: k-epsilon with 3 levels or more, else parabolic)"},
    {"/physics/turbulence/viscosity_m2_s", &number_kind, TO(physics.viscosity_m2_s), .flags = HAS_DEFAULT,
     DEFAULT(1e-4), RANGE(0, 1000), .unit = "m2/s",
     .doc = "The constant viscosity, or the least of the others; if left out, 1e-6 with azov, mixing-length "
            "and k-epsilon"},
    {"/physics/turbulence/diffusivity_m2_s", &number_kind, TO(physics.diffusivity_m2_s), RANGE(0, 1000),
     .unit = "m2/s", .doc = "The same for what the water carries; viscosity_m2_s if left out"},
    {"/physics/turbulence/stability", &choice_kind, TO(physics.stability), .flags = HAS_DEFAULT,
     .initial_text = "canuto-a", CHOICES("canuto-a", "cheng"),
     .with = "/physics/turbulence/closure=k-epsilon", .doc = "Stability functions, for \"k-epsilon\""},
    {"/physics/turbulence/cs", &number_kind, TO(physics.azov_cs), .flags = HAS_DEFAULT | EXCLUSIVE,
     DEFAULT(0.2), RANGE(0, 10), .with = "/physics/turbulence/closure=azov",
     .doc = "Cs of 1/2 Cs^2 dz^2 |u_z|, for \"azov\""},
    {"/physics/drag/law", &choice_kind, TO(physics.drag), .flags = HAS_DEFAULT, .initial_text = "manning",
     CHOICES("none", "constant", "manning", "log", "no-slip"), .doc = "Drag of the bed"},
    {"/physics/drag/n", &number_kind, TO(physics.manning_n), .flags = HAS_DEFAULT, DEFAULT(0.025),
     RANGE(0, 1), .unit = "s/m^(1/3)", .with = "/physics/drag/law=manning",
     .doc = "Manning's n, for \"manning\""},
    {"/physics/drag/cd", &number_kind, TO(physics.drag_coefficient), .flags = HAS_DEFAULT, DEFAULT(2.5e-3),
     RANGE(0, 1), .with = "/physics/drag/law=constant", .doc = "Drag coefficient, for \"constant\""},
    {"/physics/drag/z0_m", &number_kind, TO(physics.roughness_m), .flags = HAS_DEFAULT | EXCLUSIVE,
     DEFAULT(1e-3), RANGE(0, 10), .unit = "m", .with = "/physics/drag/law=log",
     .doc = "Roughness length, for \"log\""},
    {"/physics/tracers/scheme", &choice_kind, TO(physics.tracer_scheme), .flags = HAS_DEFAULT,
     .initial_text = "fct", CHOICES("fct", "upwind", "van-leer", "matm"),
     .doc = "How tracers are carried along: of third order, limited so that none leaves its bounds; of first "
            "order, which is cheap and smears; of second order, which lies between the two; or "
            "implicit, for steps in which water crosses many cells, which smears fronts then"},
    {"/physics/tracers/horizontal_diffusivity_m2_s", &number_kind, TO(physics.tracer_diffusivity_m2_s),
     .flags = HAS_DEFAULT, RANGE(0, 1e6), .unit = "m2/s",
     .doc = "Mixing of tracers along the layers, beside what the transport resolves"},
    {"/physics/tracers/prandtl", &number_kind, TO(physics.tracer_prandtl), .flags = HAS_DEFAULT, DEFAULT(1),
     RANGE(1e-3, 1e9), .with = "/physics/momentum/viscosity_law=smagorinsky",
     .doc = "Part of the viscosity of \"smagorinsky\" that mixes tracers along the layers: 1 over this"},
    {"/physics/free_surface/theta", &number_kind, TO(physics.theta), .flags = HAS_DEFAULT, DEFAULT(0.6),
     RANGE(0.5, 1), .with = "/physics/momentum/scheme!=prescribed",
     .doc = "Share of the new time level: 0.5 keeps waves, 1 damps them; waves whose height is a "
            "part of the depth grow at 0.5 and want 0.55 or more"},
    {"/physics/free_surface/full_stress_depth_m", &number_kind, TO(physics.full_stress_depth_m),
     .flags = HAS_DEFAULT, DEFAULT(0.1), RANGE(0, 100), .unit = "m",
     .doc = "Thinner water takes only a part of the wind stress"},
};
const Fields rows_of_physics = ROWS(fields);
