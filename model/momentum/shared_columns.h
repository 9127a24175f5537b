/* SPDX-License-Identifier: Apache-2.0
 *
 * The vertical lines of faces (vertical.h) in parts (model/column_cut.h), so that several threads share a column: each finds the
 * terms of its layers and eliminates them.
 *
 * From the upper joint down, with the mass s of a layer, c its exchange with the layer below, o that with the upper joint (at
 * first the exchange of the joint itself), d = s + c + o, and r for either right-hand side:
 *
 *     below:  s' = s_below + (c/d) s,   o' = (c/d) o,   r' = r_below + (c/d) r        as in a whole line; o' alone is new
 *     above:  s'' += (o/d) s,           r'' += (o/d) r
 *
 * The joints are then a line of their own, with the o that arrives for the exchange of two of them, down to the bed, which brakes,
 * and up again. Last, in each part, u_k = r/d + (o/d) u_above + (c/d) u_{k-1}.
 */
#ifndef MAEOTIS_MODEL_SHARED_COLUMNS_H
#define MAEOTIS_MODEL_SHARED_COLUMNS_H

#include "model/column_cut.h"
#include "model/momentum/face_lines.h"

/* For how many layers a part keeps numbers: see tracers/column_parts.h. */
#ifndef PART_LAYERS
#error "PART_LAYERS"
#endif

/* A block of faces, as far as a thread has gone down. */
typedef struct FaceColumn {
    const Momentum *a;
    ptrdiff_t first;
    int j;
    Neighbours n;
    Terms terms;
    Eddies eddies;
    double above_bed[LANES]; /* height share of the lower face of the last layer */
} FaceColumn;

typedef struct FaceRows {
    double predicted[PART_LAYERS][LANES], response[PART_LAYERS][LANES];
    double up[PART_LAYERS][LANES], in[PART_LAYERS][LANES]; /* c/d, o/d */
} FaceRows;

/* Of a row: s and both r. */
typedef struct FaceSide {
    double mass[LANES], force[LANES], unit[LANES];
} FaceSide;

/* What a part leaves to its joints, and its share of sums over the column. */
typedef struct FaceEnds {
    FaceSide above, below;
    double exchange[LANES]; /* of the two joints */
    double flux[LANES], pull[LANES], entering[LANES];
} FaceEnds;

/* Joints, of which the top layer is the first. */
typedef struct FaceJoints {
    double predicted[MOST_COLUMN_PARTS + 1][LANES], response[MOST_COLUMN_PARTS + 1][LANES];
} FaceJoints;

POINTWISE Place place_of(const FaceColumn *c, int k) {
    const Place at = {&c->n, c->first, c->first + k * c->a->g.plane, c->j, k};
    return at;
}

POINTWISE void face_column_begin(const Momentum *a, ptrdiff_t first, int j, FaceColumn *c) {
    c->a = a;
    c->first = first;
    c->j = j;
    neighbours_find(a, first, &c->n);
    eddies_find(a, first, &c->eddies);
    const Place top = place_of(c, a->g.n3 - 1);
    terms_begin(a, &top, &c->terms);
    FOR_LANES (l) c->above_bed[l] = 1.0;
}

/* Down to the joint `upper`, as if the layers above had been found here: terms hand on the pressure of all of them, and the flux
 * through the lower face of the last one. */
POINTWISE void face_column_skip(FaceColumn *c, int upper) {
    const Momentum *a = c->a;
    for (int k = a->g.n3 - 1; k >= upper; k--) {
        const Place at = place_of(c, k);
        double unused[LANES];
        FOR_LANES (l) c->above_bed[l] = max_of(0.0, c->above_bed[l] - a->faces.phi[at.layer + l]);
        if (k > upper)
            baroclinic(a, &at, &c->terms.hydrostatic, unused);
        else
            terms_find(a, &at, &c->terms);
    }
}

/* A layer's terms, and its row with what comes down. */
POINTWISE void face_layer(FaceColumn *c, int k, Line *line, double *exchange, FaceEnds *ends) {
    const Momentum *a = c->a;
    const Place at = place_of(c, k);
    double force[LANES];
    terms_find(a, &at, &c->terms);
    momentum_sum(a, &at, &c->terms, force);
    add_pull(a, &at, c->terms.baroclinic, ends->pull);
    add_flux(a, &c->n, c->first, k, ends->flux);
    layer_gather(a, &c->n, c->first, k, force, c->terms.growth, line, exchange);
    FOR_LANES (l) c->above_bed[l] = line->above_bed[l];
}

POINTWISE void line_begin(const FaceColumn *c, Line *line) {
    FOR_LANES (l) {
        line->mass[l] = line->force[l] = line->unit[l] = line->ratio[l] = line->lent[l] = 0.0;
        line->above_bed[l] = c->above_bed[l];
    }
    line->eddies = c->eddies;
}

/* The exchange of the upper joint with the layer below, and its stress between Stokes drifts. */
POINTWISE void leave_joint(const FaceColumn *c, int upper, Line *line, double *joint) {
    const Momentum *a = c->a;
    const ptrdiff_t layer = c->first + upper * a->g.plane, down = upper > 0 ? a->g.plane : 0;
    const double *drift = a->faces.stokes;
    layer_exchange(a, c->first, upper, c->above_bed, &c->eddies, joint);
    FOR_LANES (l) joint[l] = c->n.lowest[l] < upper ? joint[l] : 0.0;
    if (drift)
        FOR_LANES (l) line->lent[l] = joint[l] * (drift[layer + l] - drift[layer + l - down]);
}

POINTWISE void side_take(const Line *line, int l, FaceSide *side) {
    side->mass[l] = line->mass[l];
    side->force[l] = line->force[l];
    side->unit[l] = line->unit[l];
}

/* The part p, and before the first one the top layer. */
POINTWISE void face_part_down(FaceColumn *c, ColumnPart p, FaceRows *rows, FaceEnds *ends) {
    const Momentum *a = c->a;
    Line line;
    double joint[LANES], exchange[LANES];
    FaceSide *sides[] = {&ends->above, &ends->below};
    for (int s = 0; s < 2; s++)
        FOR_LANES (l) sides[s]->mass[l] = sides[s]->force[l] = sides[s]->unit[l] = 0.0;
    FOR_LANES (l) ends->exchange[l] = ends->flux[l] = ends->pull[l] = 0.0;
    if (p.upper == a->g.n3 - 1) {
        line_begin(c, &line);
        face_layer(c, p.upper, &line, exchange, ends);
        FOR_LANES (l) side_take(&line, l, &ends->above);
    }
    line_begin(c, &line);
    leave_joint(c, p.upper, &line, joint);
    for (int k = p.upper - 1; k >= p.lower; k--) {
        const int r = k - p.first;
        face_layer(c, k, &line, exchange, ends);
        FOR_LANES (l) {
            const bool last = column_part_ends(p, c->n.lowest[l], k), inside = c->n.lowest[l] <= k && !last;
            const double inverse = inside ? 1.0 / (line.mass[l] + exchange[l] + joint[l]) : 0.0;
            const double in = joint[l] * inverse;
            ends->above.mass[l] += in * line.mass[l];
            ends->above.force[l] += in * line.force[l];
            ends->above.unit[l] += in * line.unit[l];
            ends->below.mass[l] = last ? line.mass[l] : ends->below.mass[l];
            ends->below.force[l] = last ? line.force[l] : ends->below.force[l];
            ends->below.unit[l] = last ? line.unit[l] : ends->below.unit[l];
            ends->exchange[l] = last ? joint[l] : ends->exchange[l];
            rows->predicted[r][l] = line.force[l] * inverse;
            rows->response[r][l] = line.unit[l] * inverse;
            rows->in[r][l] = in;
            rows->up[r][l] = line.ratio[l] = exchange[l] * inverse;
            joint[l] = line.ratio[l] * joint[l];
        }
    }
    FOR_LANES (l) ends->entering[l] = c->terms.entering[l];
}

/* The velocities of the lowest layers, at `bed` that of each lane. */
POINTWISE void find_beds(const FaceColumn *c, const FaceSide *bed_rows, Bed *bed) {
    const Momentum *a = c->a;
    Line line;
    double deepest = a->g.n3, shallowest = -1;
    bed_begin(bed);
    FOR_LANES (l) {
        line.mass[l] = bed_rows->mass[l];
        line.force[l] = bed_rows->force[l];
        line.unit[l] = bed_rows->unit[l];
    }
    for (int l = 0; l < LANES; l++) {
        const double lowest = c->n.lowest[l];
        deepest = min_of(deepest, lowest);
        shallowest = max_of(shallowest, lowest < a->g.n3 ? lowest : -1.0);
    }
    for (int k = (int)shallowest; k >= (int)deepest; k--) bed_keep(a, &c->n, c->first, k, &line, bed);
    bed_brake(a, &c->n, c->first, bed);
}

/* The joints' velocities, and what is the same for the whole column: theta, the pull's advance. Part w has ends[w * stride]. */
POINTWISE void face_joints(const FaceColumn *c, const FaceEnds *ends, int stride, FaceJoints *joints,
                           double *advance, double *flux) {
    const Momentum *a = c->a;
    const int parts = a->cut.parts;
    double ratio[MOST_COLUMN_PARTS + 1][LANES], pull[LANES] = {0}, entering[LANES] = {0};
    FaceSide row = {{0}, {0}, {0}}, bed_rows = {{0}, {0}, {0}};
    Bed bed;
    int at_bed[LANES];
    for (int l = 0; l < LANES; l++) {
        const int lowest = (int)c->n.lowest[l];
        at_bed[l] = lowest < a->g.n3 ? joint_of_bed(a->cut, a->g.n3, lowest) : -1;
        flux[l] = 0.0;
    }
    for (int w = 0; w <= parts; w++) {
        const FaceEnds *over = ends + (w > 0 ? w - 1 : 0) * stride,
                       *under = ends + (w < parts ? w : 0) * stride;
        FOR_LANES (l) {
            const double down = w > 0 ? 1.0 : 0.0, up = w < parts ? 1.0 : 0.0;
            const double from = w > 0 ? ratio[w - 1][l] : 0.0, exchange = up * under->exchange[l];
            row.mass[l] = down * over->below.mass[l] + up * under->above.mass[l] + from * row.mass[l];
            row.force[l] = down * over->below.force[l] + up * under->above.force[l] + from * row.force[l];
            row.unit[l] = down * over->below.unit[l] + up * under->above.unit[l] + from * row.unit[l];
            const double sum = row.mass[l] + exchange, inverse = sum > 0 ? 1.0 / sum : 0.0;
            ratio[w][l] = exchange * inverse;
            joints->predicted[w][l] = row.force[l] * inverse;
            joints->response[w][l] = row.unit[l] * inverse;
            bed_rows.mass[l] = at_bed[l] == w ? row.mass[l] : bed_rows.mass[l];
            bed_rows.force[l] = at_bed[l] == w ? row.force[l] : bed_rows.force[l];
            bed_rows.unit[l] = at_bed[l] == w ? row.unit[l] : bed_rows.unit[l];
            flux[l] += up * under->flux[l];
            pull[l] += up * under->pull[l];
            entering[l] = max_of(entering[l], under->entering[l]);
        }
    }
    if (a->faces.braking)
        FOR_LANES (l) a->faces.braking[c->first + l] = 0.0;
    find_beds(c, &bed_rows, &bed);
    for (int w = parts; w >= 0; w--)
        FOR_LANES (l) {
            const int below = w < parts ? w + 1 : w;
            const double predicted = joints->predicted[w][l] + ratio[w][l] * joints->predicted[below][l];
            const double response = joints->response[w][l] + ratio[w][l] * joints->response[below][l];
            joints->predicted[w][l] = at_bed[l] == w ? bed.predicted[l] : predicted;
            joints->response[w][l] = at_bed[l] == w ? bed.response[l] : response;
        }
    FOR_LANES (l) a->faces.entering[c->first + l] = entering[l];
    find_theta(a, c->first, c->j, flux);
    advance_pull(a, c->first, pull, advance);
    keep_mean(a, c->first, flux);
}

/* The velocities of the part w, whose joints' values are at `joints` and so far behind. */
POINTWISE void face_part_up(const FaceColumn *c, ColumnPart p, const FaceRows *rows, const double *above,
                            const double *above_response, const double *below, const double *below_response,
                            const double *advance, FaceSums *sums) {
    const Momentum *a = c->a;
    double value[LANES] = {0}, response[LANES] = {0};
    FOR_LANES (l) sums->predicted[l] = sums->response[l] = 0.0;
    for (int k = p.lower; k < p.upper; k++) {
        const int r = k - p.first;
        FOR_LANES (l) {
            const bool last = column_part_ends(p, c->n.lowest[l], k);
            const double inside =
                rows->predicted[r][l] + rows->in[r][l] * above[l] + rows->up[r][l] * value[l];
            const double answers =
                rows->response[r][l] + rows->in[r][l] * above_response[l] + rows->up[r][l] * response[l];
            value[l] = last ? below[l] : inside;
            response[l] = last ? below_response[l] : answers;
        }
        layer_up(a, &c->n, c->first, k, value, response, c->terms.growth, advance, sums);
    }
    if (p.upper == a->g.n3 - 1)
        layer_up(a, &c->n, c->first, p.upper, above, above_response, c->terms.growth, advance, sums);
}

#endif
