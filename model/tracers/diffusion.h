/* SPDX-License-Identifier: Apache-2.0
 *
 * Mixing along the layers, implicit, one direction after the other. With V the new volumes of cells and
 * E = dt K A/dx of the faces between them, A their new areas:
 *
 *     V c' - sum over faces E (c'_near - c') = V c
 *
 * tridiagonal along rows and columns of cells (numerics/lines/lines.h), broken where there is no water.
 * Stable for any step, without new extremes. The unknown is the change d, from
 *
 *     V d - sum over faces E (d_near - d) = sum over faces E (c_near - c),
 *     c' = c + sum over faces E [(c_near - c) + (d_near - d)] / V
 *
 * so that a constant is kept to the last bit, and the flux out of a cell equals the flux into the next one,
 * whatever the solver's rounding. A face is no higher than either of its cells: no film of water is too thin.
 * K is constant, plus a part of the viscosity if that follows the flow (momentum/smagorinsky.h). There is no
 * flux through open edges. The same rows serve all tracers of a step.
 *
 * Where K is constant and so weak that both faces of no cell pass more than half of its volume in the longest step, all with
 * the flux at the old time is as good and needs no lines: with d = 0 each c' is a mean of the values around it, and of two
 * waves the shorter one loses more.
 */
#ifndef MAEOTIS_MODEL_DIFFUSION_H
#define MAEOTIS_MODEL_DIFFUSION_H

#include "base/error.h"
#include "model/state.h"
#include "numerics/grid/halo.h"
#include "numerics/lines/lines.h"
#include "settings/scenario.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct TracerDiffusion TracerDiffusion;

/* Is a constant diffusivity so weak that no lines are solved? Collective. */
bool tracer_diffusion_is_weak(const Scenario *scenario, const Grid *grid);

/* `reach`: lowest layer of cells inside the grid, n3 on land and beyond open edges; with halo, and not owned,
 * like state and halo. `around`: blocks of all cells and of those behind them, in halos, too. Of the scenario: the diffusivity, a
 * part of the state's horizontal viscosity, the longest step, the choice of lines. Collective. */
CHECKED Status tracer_diffusion_create(const Scenario *scenario, const State *state, const double *reach,
                                       BlockList around, Halo *halo, TracerDiffusion **out);
void tracer_diffusion_destroy(TracerDiffusion **diffusion);

/* For the water of the state and a step. Collective. */
CHECKED Status tracer_diffusion_begin(TracerDiffusion *diffusion, Exec exec, double dt);

/* `spare` is a field to write to. Collective. */
void tracer_diffusion_do(TracerDiffusion *diffusion, Exec exec, double *c, double *spare);

/* ---- kernels ---- */

typedef struct Diffusion {
    GridView g;
    int along_x;             /* 1 or 0, no bool: alone, one leaves room for most of a pointer (momentum.h) */
    double dt, diffusivity;  /* [m2 s-1] */
    const double *viscosity; /* of which `passed` is added; NULL: none [m2 s-1] */
    double passed;
    const double *depth, *face_depth, *reach;
    double *through;                /* E of the face before each cell [m3] */
    double *lower, *centre, *upper; /* rows of the lines: -E, V + E + E, -E [m3] */
    const double *before;           /* c, with halo */
    double *change;                 /* d, or before it is known the right-hand side */
    double *after;
} Diffusion;

void diffusion_faces(Exec exec, BlockList around, Diffusion args);   /* `through` */
void diffusion_rows(Exec exec, BlockList blocks, Diffusion args);    /* lower, centre, upper */
void diffusion_right(Exec exec, BlockList blocks, Diffusion args);   /* `change`: the right-hand side */
void diffusion_after(Exec exec, BlockList blocks, Diffusion args);   /* after, from `change` with halo */
void diffusion_at_once(Exec exec, BlockList blocks, Diffusion args); /* after, with d = 0 */

#ifdef __cplusplus
}
#endif
#endif
