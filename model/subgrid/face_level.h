/* SPDX-License-Identifier: Apache-2.0
 *
 * The level at a face with ground inside cells: that of the column that the water comes from, with a limited slope between the middles of
 * wet areas (shores.h). Where a cell runs empty or a flux turns, round-off says which of two cases it is: so each of them goes over to the
 * other one, within a film that holds nothing.
 */
#ifndef MAEOTIS_MODEL_FACE_LEVEL_H
#define MAEOTIS_MODEL_FACE_LEVEL_H

#include "model/subgrid/subgrid_kernels.h"
#include "numerics/limiter.h"

/* [m2 s-1], as a film that holds nothing does at 1 m/s. With a tenth of it films ran at 36 m/s in Thacker's bowl */
#define BRINGS_NOTHING 1e-6
#define STANDS         1e-6 /* [m s-1] */

/* How much the level rises at a face, by cell. [m] */
POINTWISE double rise_at(const SubgridFaces *s, const double *eta, ptrdiff_t m) {
    return (eta[m] - eta[m - s->along] - s->lift[m]) * s->closeness[m];
}

/* 1: the level of water beside the donor counts for its slope; 0: it is a film on ground that can be flooded. */
POINTWISE double no_film(double share) {
    return share > 0 ? ramp(share, 0.05, 0.1) : 1.0;
}

/* The same; 0 also where there is no water. */
POINTWISE double counts_beside(double depth, double share, double area) {
    return max_of(area > 0 ? 0.0 : 1.0, is_there(depth) * no_film(share));
}

/* Of the flux in the last step: 1 forwards, -1 backwards, and between where hardly anything passes. */
POINTWISE double way_of_flux(const FaceDepth *a, ptrdiff_t m) {
    const double *width = a->along == 1 ? a->g.width_u : a->g.width_v;
    const double nothing = BRINGS_NOTHING * max_of(width[m], 1e-12);
    return max_of(-1.0, min_of(a->flux_total[m] / nothing, 1.0));
}

/* How far the level of the middle of the step can be told; 0 with first order in it. */
POINTWISE double resolved_beside(const SubgridFaceDepth *a, ptrdiff_t m) {
    const double *resolved = a->face.resolved;
    const double least = min_of(resolved[m], resolved[m - a->face.along]);
    return a->centred > 0 ? least : 0.0;
}

/* How much higher the level at the face is in the middle of the next step (momentum/centred.h). The slope towards the face then has
 * nothing of what the water carries along. [m] */
POINTWISE double rise_to_middle(const SubgridFaceDepth *a, ptrdiff_t m) {
    const double *increment = a->face.increment;
    return resolved_beside(a, m) * 0.25 * (increment[m] + increment[m - a->face.along]);
}

/* How much the level at the face differs from that of the donor, which is that of the middle of its wet area; nothing beside columns
 * without water, whose level is that of their ground. Where the donor is the shore, its slope is that ahead, and where the water only
 * begins to flood the column ahead, that behind. Water that hardly covers the lowest part of a sloping cell lies next to the face, and runs
 * off: a face below the donor's level stays open, or it would close and open by turns, as what stands still has no slope. All four columns
 * are read, and then chosen, as in surface_kernels.c. [m] */
POINTWISE double slope_to_face(const SubgridFaceDepth *both, ptrdiff_t m, bool forwards) {
    const FaceDepth *a = &both->face;
    const SubgridFaces *s = &both->section;
    const ptrdiff_t along = a->along, back = m - along, first = back - along, last = m + along;
    const double *given = a->along == 1 ? a->g.given_u : a->g.given_v;
    const double *eta = a->eta, *depth = a->depth, *share = s->shores.share, *area = a->g.area;
    const double inwards = forwards ? 1.0 : -1.0;
    const double donor = forwards ? eta[back] : eta[m], bed = forwards ? a->bed[back] : a->bed[m];
    const double water = forwards ? depth[back] : depth[m], water_next = forwards ? depth[m] : depth[back],
                 water_behind = forwards ? depth[first] : depth[last];
    const double leaving =
        a->dt * fabs(a->flux_total[m]) / max_of((forwards ? area[back] : area[m]) * water, 1e-12);
    const double staying = 1.0 - (1.0 - resolved_beside(both, m)) * min_of(1.0, leaving);
    const double middle_back = s->weight[m] * s->shores.middle[back],
                 middle = s->weight[m] * s->shores.middle[m];
    const double way = 0.5 - inwards * (forwards ? middle_back : middle);
    const double from_first = rise_at(s, eta, back), from_last = rise_at(s, eta, last);
    const double ahead = inwards * rise_at(s, eta, m);
    const double before = water_behind > 0 ? inwards * (forwards ? from_first : from_last) : 0.0;
    const double counts_behind = counts_beside(water_behind, forwards ? share[first] : share[last],
                                               forwards ? area[first] : area[last]);
    const double counts_ahead = no_film(forwards ? share[m] : share[back]);
    const double between = counts_ahead * limited_slope(before, ahead) + (1.0 - counts_ahead) * before;
    const double slope = counts_behind * between + (1.0 - counts_behind) * ahead;
    const double over_face = max_of(0.0, donor - max_of(bed, a->bed_face[m]));
    const double least = max_of(-0.5 * (donor - bed), -0.75 * over_face);
    const double rise = max_of(way * staying * slope, least);
    const double both_there = is_there(min_of(water_next, water));
    return given[m] != inwards ? both_there * rise : 0.0;
}

/* How much higher the level is in the middle of the face's wet part than beside the middle of the donor's wet area, by what whole wet
 * columns across know of the slope there: a cell that floods from a corner does so through the deepest ends of its faces. [m] */
POINTWISE double rise_aside(const SubgridFaceDepth *both, ptrdiff_t m, double share) {
    const FaceDepth *a = &both->face;
    const SubgridFaces *s = &both->section;
    const Shores *shores = &s->shores;
    const double *eta = a->eta, flows = way_of_flux(a, m);
    const ptrdiff_t back = m - a->along;
    const double falls = (eta[back] - eta[m]) * (1.0 / HOLDS_NOTHING);
    const double from = flows + (1.0 - fabs(flows)) * max_of(-1.0, min_of(falls, 1.0));
    const ptrdiff_t donor = from > 0 ? back : m, low = donor - shores->cross, high = donor + shores->cross;
    const double way = (1.0 - share) * shores->slant[m] - s->weight[m] * shores->middle_across[donor];
    const double known_low = shore_knows(shores, eta, donor, low),
                 known_high = shore_knows(shores, eta, donor, high);
    const double rise_low = (eta[donor] - eta[low] - s->lift_aside[donor]) * s->closeness_aside[donor];
    const double rise_high = (eta[high] - eta[donor] - s->lift_aside[high]) * s->closeness_aside[high];
    const double sum =
        (known_low > 0 ? known_low * rise_low : 0.0) + (known_high > 0 ? known_high * rise_high : 0.0);
    return fabs(from) * way * sum / max_of(1.0, known_low + known_high);
}

/* Towards a closed face with dry ground behind it the level goes on as it does from the column before: the shore reaches the face
 * when it is there, not when the middle of the wet area has risen to it. Water that runs away from the face opens it only where it stands
 * higher by the head of its speed: there it would meet water at rest that is not there. [m] */
POINTWISE double slope_to_shore(const SubgridFaceDepth *both, ptrdiff_t m) {
    const FaceDepth *a = &both->face;
    const SubgridFaces *s = &both->section;
    const ptrdiff_t along = a->along, back = m - along, first = back - along, last = m + along;
    const double *eta = a->eta, *depth = a->depth, *before = or_any(a->depth_before, a->depth);
    const bool ahead = eta[back] > eta[m];
    const double wet = ahead ? depth[back] : depth[m], farther = ahead ? depth[first] : depth[last],
                 open = ahead ? before[back] : before[last];
    const double height = ahead ? eta[back] - a->bed[back] : eta[m] - a->bed[m];
    const double middle_back = s->weight[back] * s->shores.middle[back],
                 middle = s->weight[last] * s->shores.middle[m];
    const double from_first = rise_at(s, eta, back), from_last = rise_at(s, eta, last);
    const double way = ahead ? 0.5 - middle_back : 0.5 + middle;
    const double *width = a->along == 1 ? a->g.width_u : a->g.width_v;
    const double flux_back = a->flux_total[back], flux_last = a->flux_total[last];
    const double away = max_of(0.0, ahead ? -flux_back : flux_last);
    const double speed = away / max_of(0.5 * (wet + farther) * (ahead ? width[back] : width[last]), 1e-12);
    const double head = 0.5 * speed * speed / a->gravity, goes_on = way * (ahead ? from_first : -from_last);
    const double onwards = goes_on - ramp(speed, 0.0, STANDS) * max_of(0.0, goes_on);
    const double rise = max_of(onwards - head, -0.5 * height);
    const double all_there = is_there(min_of(min_of(wet, farther), open));
    return a->depth_before ? all_there * rise : 0.0;
}

#endif
