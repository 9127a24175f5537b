/* SPDX-License-Identifier: Apache-2.0
 *
 * Mixing of tracers between columns, horizontally or along surfaces of density, wherever the layers lie.
 *
 * In a column, s grows downwards: it is the depth, or the density with a least fall, which makes surfaces level in mixed
 * water. Where the sides of both columns' layers cut s into pieces, the columns exchange, piece by piece,
 *
 *     e (c_2 - c_1),   e = dt K w/dx 2 h_1 h_2/(h_1 + h_2)                                [value m3]
 *
 * with w the width of the face, h_1 and h_2 how thick the piece is in the columns, c_1 and c_2 what they have there, on
 * straight lines through their layers with limited slopes (A. E. Shao, A. Adcroft, R. Hallberg, S. M. Griffies, J. Adv. Model.
 * Earth Syst. 12 (2020) e2019MS001992). Water whose s the other column has not exchanges nothing. So a stratification at
 * rest, or along surfaces of density what depends on density alone, stays as it is where it is even, however steep the
 * layers are; and there are no cross terms of a tensor that would have to be limited.
 *
 * In a pass a piece gives at most LEVEL_PART of its water through each face, so that what results is a mean of values on
 * these lines. In the first and last layer of a column, where a line goes beyond the neighbours' values, nothing passes but
 * what the layers' own values would let pass. So nothing leaves the bounds of its surroundings. A column of one layer has the slope
 * of the other one over heights.
 *
 * With ground inside cells the sides and middles of layers lie where the pixels have them, lines go through the middles, and w is the
 * wet width of the face at the heights of the piece.
 *
 * Where surfaces of density are steeper than `steepest`, mixing is horizontal, and a mixture of both from half of that on.
 */
#ifndef MAEOTIS_MODEL_LEVEL_MIXING_H
#define MAEOTIS_MODEL_LEVEL_MIXING_H

#include "model/state.h"
#include "model/subgrid/subgrid.h"
#include "numerics/grid/halo.h"
#include "settings/scenario.h"

#ifdef __cplusplus
extern "C" {
#endif

#define LEVEL_PART (1.0 / 16.0)
enum { MOST_LEVEL_PASSES = 32 };

typedef struct LevelMixer LevelMixer;

/* `reach`: lowest layer of cells inside the grid, n3 on land and beyond open edges; with halo, and not owned, like state and
 * halo, which takes two fields of cells at once. `subgrid`: of ground inside cells, or NULL. Local. */
LevelMixer *level_mixer_create(const State *state, const ScenarioPhysics *physics, const Subgrid *subgrid,
                               const double *reach, Halo *halo);
void level_mixer_destroy(LevelMixer **mixer);

/* Before the tracers of a step, with ground inside cells: where layers lie. Collective. */
void level_mixer_begin(LevelMixer *mixer, Exec exec);

/* One tracer, in a step. Collective. */
void level_mixer_do(LevelMixer *mixer, Exec exec, double dt, double *c);

/* Passes that a step takes, for a constant diffusivity; more than MOST_LEVEL_PASSES are not made. Local. */
int level_passes(const Grid *grid, double diffusivity, double dt);

/* ---- kernels ---- */

typedef struct LevelMixing {
    GridView g;
    int along_x;             /* 1 or 0, no bool: alone, one leaves room for most of a pointer (momentum.h) */
    double dt, diffusivity;  /* of a pass [s], [m2 s-1] */
    const double *viscosity; /* of which `passed` is added; NULL: none [m2 s-1] */
    double passed;
    const double *depth, *face_depth, *reach;
    const double *density; /* whose surfaces are followed; NULL: heights */
    double steepest;
    /* with ground inside cells, else NULL: how far lower sides and middles of layers lie below the level, with halo [m]; of faces */
    double *sunk, *below;
    Hypsometry ground;
    const double *bed_face;
    double *c;                          /* with halo */
    double *gain, *gain_behind;         /* of faces: of the cell here, and behind it [value m3] */
    double *gains[2], *gains_behind[2]; /* along x, along y */
} LevelMixing;

void level_exchange(Exec exec, RunList faces, LevelMixing args);
void level_after(Exec exec, BlockList blocks, LevelMixing args);

#ifdef __cplusplus
}
#endif
#endif
