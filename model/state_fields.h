/* SPDX-License-Identifier: Apache-2.0
 *
 * The registry of fields: each field of the state (state.h) is declared here, once. All that lists fields walks over it: the
 * members of State, their memory, restart files, the digest, and the copies that output reads on a device.
 *
 *     FIELD(name, shape, place, owner, restart, digest, output, meaning)
 *
 * shape    PLANE or LEVELS: two- or three-dimensional
 * place    'c', 'u', 'v' or 'w' (numerics/grid/grid.h)
 * owner    ALWAYS: every state has it; OPTION: NULL, unless the part of the model that needs it calls state_make
 * restart  RESTART: restart files contain it under its name; PASSING: each step recomputes it
 * digest   number of its part in the digest of the sea, unique; 0: none
 * output   SEEN: output may read it; INSIDE: output finds NULL where the sea is on a device
 */
#ifndef MAEOTIS_MODEL_STATE_FIELDS_H
#define MAEOTIS_MODEL_STATE_FIELDS_H

#define STATE_FIELDS(FIELD)                                                                                  \
    FIELD(depth, PLANE, 'c', ALWAYS, RESTART, 1, SEEN, "H, of the water column [m]; never negative")         \
    FIELD(layer_share, LEVELS, 'c', OPTION, RESTART, 8, SEEN,                                                \
          "of layers that move (layers/adaptive.h), where the grid's phi_c has them too; NULL: they do not") \
    FIELD(increment, PLANE, 'c', ALWAYS, RESTART, 0, SEEN,                                                   \
          "of eta in the last step, where the solver of the next begins [m]")                                \
    FIELD(depth_u, PLANE, 'u', ALWAYS, RESTART, 0, SEEN, "moving depth of the faces [m]; 0: dry")            \
    FIELD(depth_v, PLANE, 'v', ALWAYS, RESTART, 0, SEEN, "the same")                                         \
    FIELD(u, LEVELS, 'u', ALWAYS, RESTART, 2, SEEN, "[m s-1]")                                               \
    FIELD(v, LEVELS, 'v', ALWAYS, RESTART, 3, SEEN, "[m s-1]")                                               \
    FIELD(flux_u, LEVELS, 'u', ALWAYS, RESTART, 0, SEEN,                                                     \
          "volume through the west face in the last step [m3 s-1]")                                          \
    FIELD(flux_v, LEVELS, 'v', ALWAYS, RESTART, 0, SEEN, "through the south face")                           \
    FIELD(flux_w, LEVELS, 'w', ALWAYS, RESTART, 0, SEEN,                                                     \
          "through the lower face, relative to the moving layers, upwards")                                  \
    FIELD(eta, PLANE, 'c', ALWAYS, PASSING, 0, SEEN, "b + H [m]; the bed where it is dry")                   \
    FIELD(stress_u, PLANE, 'u', ALWAYS, PASSING, 0, SEEN,                                                    \
          "wind stress over water density at the new time [m2 s-2]")                                         \
    FIELD(stress_v, PLANE, 'v', ALWAYS, PASSING, 0, SEEN, "the same")                                        \
    FIELD(heat_flux, PLANE, 'c', OPTION, PASSING, 0, SEEN, "from the air in the last step [W m-2]")          \
    FIELD(air_pressure, PLANE, 'c', OPTION, PASSING, 0, SEEN, "with one ghost cell [Pa]")                    \
    FIELD(equilibrium, PLANE, 'c', OPTION, PASSING, 0, SEEN,                                                 \
          "equilibrium tide, the same (boundary/equilibrium_tide.h) [m]")                                    \
    FIELD(                                                                                                   \
        roughness, PLANE, 'c', OPTION, PASSING, 0, SEEN,                                                     \
        "of the bed, the drag law's parameter, with halo (momentum/roughness.h); NULL: the same everywhere") \
    FIELD(plant_density, PLANE, 'c', OPTION, PASSING, 0, INSIDE,                                             \
          "Cd n d / 2 of plants (momentum/vegetation.h), with halo [m-1]; NULL: none")                       \
    FIELD(plant_height, PLANE, 'c', OPTION, PASSING, 0, INSIDE, "with halo [m]")                             \
    FIELD(                                                                                                   \
        ice, PLANE, 'c', OPTION, RESTART, 0, SEEN,                                                           \
        "latent heat given off by water that froze (exchange/exchange.h) [J m-2]; NULL: nothing can freeze") \
    /* what the ground above the sea has taken since the start (infiltration/infiltration.h) */              \
    FIELD(intercepted, PLANE, 'c', OPTION, RESTART, 0, SEEN, "rain that leaves, roofs and hollows keep [m]") \
    FIELD(infiltrated, PLANE, 'c', OPTION, RESTART, 0, SEEN, "water that has soaked into it [m]")            \
    FIELD(drained, PLANE, 'c', OPTION, RESTART, 0, SEEN, "water that drains have taken [m]")                 \
    /* turbulence at the lower faces, for the next step; NULL where the closure has none (turbulence.h) */   \
    FIELD(tke, LEVELS, 'w', OPTION, RESTART, 0, SEEN, "k [m2 s-2]")                                          \
    FIELD(dissipation, LEVELS, 'w', OPTION, RESTART, 0, SEEN, "epsilon [m2 s-3]")                            \
    FIELD(vertical_viscosity, LEVELS, 'w', OPTION, RESTART, 0, SEEN, "[m2 s-1]")                             \
    FIELD(vertical_diffusivity, LEVELS, 'w', OPTION, RESTART, 0, SEEN, "[m2 s-1]")                           \
    FIELD(viscosity_next, LEVELS, 'w', OPTION, PASSING, 0, INSIDE,                                           \
          "what a step makes of the viscosity, where it needs the old one of other columns, too")            \
    FIELD(horizontal_viscosity, LEVELS, 'c', OPTION, PASSING, 0, SEEN,                                       \
          "with halo, for the next step (momentum/smagorinsky.h) [m2 s-1]; NULL: constant")                  \
    FIELD(shade, LEVELS, 'c', OPTION, PASSING, 0, INSIDE,                                                    \
          "attenuation of light by what is in the water (kinetics/reactions.h) [m-1]")                       \
    FIELD(density, LEVELS, 'c', OPTION, PASSING, 0, SEEN,                                                    \
          "rho' (density/density.h) [kg m-3]; NULL: constant")                                               \
    /* NULL in a hydrostatic sea */                                                                          \
    FIELD(w, LEVELS, 'w', OPTION, RESTART, 5, SEEN, "upward velocity at the upper face [m s-1]")             \
    FIELD(q, LEVELS, 'c', OPTION, RESTART, 6, SEEN, "non-hydrostatic pressure over density [m2 s-2]")        \
    FIELD(inertia, PLANE, 'c', OPTION, RESTART, 0, INSIDE,                                                   \
          "part of its vertical inertia that a column had in the last step")                                 \
    /* waves that the wind makes (waves/wind_waves.h) */                                                     \
    FIELD(wave_height, PLANE, 'c', OPTION, PASSING, 0, SEEN, "significant [m]")                              \
    FIELD(wave_period, PLANE, 'c', OPTION, PASSING, 0, SEEN, "of the peak [s]")                              \
    FIELD(wave_x, PLANE, 'c', OPTION, PASSING, 0, SEEN, "where they travel to: of length 1, or 0")           \
    FIELD(wave_y, PLANE, 'c', OPTION, PASSING, 0, SEEN, "the same")                                          \
    FIELD(wave_stress, PLANE, 'c', OPTION, PASSING, 0, SEEN,                                                 \
          "at the bed, over density, with halo [m2 s-2]; -1 where no water can be")                          \
    FIELD(stokes_u, LEVELS, 'u', OPTION, RESTART, 0, SEEN, "Stokes drift of the last step [m s-1]")          \
    FIELD(stokes_v, LEVELS, 'v', OPTION, RESTART, 0, SEEN, "the same")

#endif
