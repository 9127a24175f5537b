/* SPDX-License-Identifier: Apache-2.0
 *
 * Open boundaries: stretches of the domain's edge where the sea continues outside. Each open face has a ghost
 * cell beyond the edge.
 *
 *     elevation   the ghost cell's level is given; the face obeys the momentum equation
 *     flather     the face's velocity is u_b + sqrt(g/H) (eta_b - eta), inwards positive, implicit in the
 *                 new level: waves leave. Both levels are those in the middle of the cell inside
 *     chapman     the ghost cell's level leaves at the speed of long waves: with eta' = eta - eta_b,
 *                 eta'_t + c eta'_n = -eta'/T, c = sqrt(g H), implicit; the face obeys the momentum equation
 *     radiation   the same with c = -eta_t/eta_n diagnosed inside, between 0 and sqrt(g H); T has one value
 *                 for waves that leave and one for incoming waves (c = 0). Reflected energy of a pulse of
 *                 8 km on cells of 500 m: 0.02 % by flather, 0.08 % by chapman, 0.2 % by radiation; of a
 *                 pulse of 3 km: 0.2 %, 0.5 % and 8 %
 *     velocity    the face's velocity is given
 *     discharge   the sum of the faces' fluxes is given, distributed by width H^1.5 (as in a flow balanced
 *                 by bed friction) or by width
 *
 * A film, 0.1 m or a tenth of the depth of the lowest level if that is less, opens dry edges to velocities and to discharges out of
 * the grid, and is the least H of flather. A discharge into it opens them up to the level of critical flow (critical_level.h).
 *
 * A given velocity is the mean over the depth. With water of one density, layers deviate from it as they did one face
 * farther in, or as in the file that gives it (outer_files.h). Otherwise the deviation s, in all kinds, obeys the
 * momentum equation with the pressure outside, in which each internal mode goes on outwards as a wave of its speed c_n
 * (internal_modes.h): implicitly,
 *
 *     s_n = (s*_n + mu_n s_b,n)/(1 + mu_n),     mu_n = c_n dt/dx,
 *
 * s* as the momentum equation gives it with density and pressure outside of the given temperature and salinity. s_b is
 * the deviation in the file, whose forces are those that made it, so that s* - s_b changes by the difference of the
 * pressures alone; else 0; and where neither temperature nor salinity is given, so that nothing is known of the
 * pressure outside, the deviation one face farther in. In steps much shorter than dx/c_n that equation becomes
 * s_n = s_b,n + (p_n - p_b,n)/c_n, Flather's condition of each mode. The mean of the pressure by density is a part of
 * the level outside for flather and elevation: lighter water inside stands higher. Reflected energy of a pulse of
 * modes 1 and 2: at most 0.6 %.
 *
 * Where water comes in, a file's current along the edge comes with it (along_edge.h); else the water beyond has the one
 * inside.
 *
 * In front of an edge a sponge (sponge.h) may relax the sea towards the level and velocity outside.
 *
 * D. C. Chapman, J. Phys. Oceanogr. 15 (1985) 1060-1075. I. Orlanski, J. Comput. Phys. 21 (1976) 251-269.
 * P. Marchesiello, J. C. McWilliams, A. Shchepetkin, Ocean Modell. 3 (2001) 1-20. R. A. Flather, Mem. Soc. R.
 * Sci. Liege 10 (1976) 141-164. An incoming wave has a current: with u_b = 0 only a part of eta_b enters;
 * sqrt(g/H) eta_b is the current of a single incoming wave.
 */
#ifndef MAEOTIS_MODEL_BOUNDARIES_H
#define MAEOTIS_MODEL_BOUNDARIES_H

#include "bathymetry/open_lines.h"
#include "gpu/reduce.h"
#include "model/boundary/inflow.h"
#include "model/boundary/open_faces.h"
#include "model/momentum/momentum.h"
#include "model/subgrid/subgrid.h"

/* Of a cell along an edge of the grid; walled: wet, but a wall for nests (nest_walls.h). */
enum { EDGE_DRY, EDGE_WET, EDGE_WALLED };

/* Marks the faces on the edges that the scenario's boundaries claim: open_edge[e] has ny (west, east) or nx
 * (south, north) marks, and so has wet_edge[e], of the cells along the edges. Refused: a boundary whose stretch meets no
 * wet cell. Local. */
CHECKED Status boundaries_claim(const Scenario *scenario, const Axes *axes,
                                const unsigned char *const wet_edge[4], unsigned char *const open_edge[4]);

/* The line of a boundary inside the grid, of a nest with the ground around it; belongs to the scenario. */
static inline OpenLine boundary_line(const ScenarioBoundary *b) {
    return (OpenLine){b->name, (const double(*)[2])b->line, b->n_line, b->of_nest};
}

typedef struct Boundaries Boundaries;

/* Collective. */
CHECKED Status boundaries_create(const Scenario *scenario, State *state, const Subgrid *subgrid,
                                 Boundaries **out);
void boundaries_destroy(Boundaries **boundaries);

/* Sets the values outside at `time`. Must be called before anything else at this time, when no kernel is under way that
 * reads those before. Collective. */
CHECKED Status boundaries_advance(Boundaries *boundaries, double time);

/* Stores in the ghost cells how far the given levels will rise. */
void boundaries_raise_ghosts(Boundaries *boundaries, const double *eta, double *increment);

/* The levels beyond the edge at the start of a run, where they have a past; each step carries them out, with
 * the new levels inside. */
void boundaries_begin(Boundaries *boundaries, const double *eta);
void boundaries_carry_out(Boundaries *boundaries, const double *eta);

/* After a restart: what faces remember, for the ranks beside them. Collective. */
void boundaries_resume(const Boundaries *boundaries);

/* Level and depth of the ghost cells. */
void boundaries_set_ghosts(Boundaries *boundaries, double *eta, double *depth);

/* Leaves this column, the mouth of a river, to the river. For rivers_each_column. Local. */
void boundaries_leave(void *boundaries, ptrdiff_t column);

/* Sets `source` of the columns in sponges, and the part of it that comes in [m3 s-1]. Local. */
void boundaries_soak(Boundaries *boundaries, double dt, const double *eta, const double *depth,
                     double *source, double *source_in);

/* Calls back for each of these columns. Local. */
void boundaries_each_soaked(const Boundaries *boundaries, void (*visit)(void *context, ptrdiff_t column),
                            void *context);

/* Replaces the prediction of momentum_predict on faces whose velocity is prescribed, and couples the levels
 * of the ghost cells to the new ones inside. Collective. */
typedef struct Waves {
    double dt, dt_before; /* of this step and the last [s] */
    double gravity;
} Waves;
void boundaries_impose(Boundaries *boundaries, Waves waves, OpenWater water, State *state, const Faces *u,
                       const Faces *v);

/* Brings the current along the edges into the predicted flow (along_edge.h), and relaxes it in sponges; `u`: of u faces.
 * Local. */
void boundaries_brake(Boundaries *boundaries, const Momentum *u);

/* The values of the state's tracers outside. Collective. */
CHECKED Status boundaries_add_tracers(Boundaries *boundaries, const Scenario *scenario, State *state);

/* Values of a tracer in the ghost cells, after the water moved: relaxes towards the prescribed value, or
 * copies the interior value if none is prescribed. */
void boundaries_set_tracer(Boundaries *boundaries, int tracer, double time, double dt, const State *state);

/* This rank's open faces (open_faces.h), which live as long as the boundaries. */
const struct OpenFace *boundaries_faces(const Boundaries *boundaries, int *count);

/* Density and pressure outside at `time`: of given temperature and salinity, else as inside, at the same share of the
 * depth. */
void boundaries_mirror(Boundaries *boundaries, const DensityColumns *inside, double time, const State *state);

/* Copies the interior values of a three-dimensional field to its ghost cells. */
void boundaries_copy_inside(const Boundaries *boundaries, double *field);

/* Volume flux into this rank's cells through open faces and from sponges [m3 s-1], to a sum of reduce_begin.
 * Local. */
void boundaries_inflow(const Boundaries *boundaries, const Faces *u, const Faces *v, ExactSum *begun);

/* `"sea": zos, so from cmems.nc (..., 121 records); ...`, of what comes from NetCDF files; to be freed; NULL: nothing
 * does. Local. */
char *boundaries_describe(const Boundaries *boundaries);

/* Warns about input that is legal but probably a mistake. Local. */
void boundaries_doubt(const Scenario *scenario, const Grid *grid);

#endif
