/* SPDX-License-Identifier: Apache-2.0 */
#include "model/surface/surface.h"

#include "gpu/measure.h"
#include "numerics/limiter.h"

/* Sum of outgoing minus incoming column fluxes. [m3 s-1] */
POINTWISE double divergence(const SurfaceColumns *a, ptrdiff_t m) {
    return a->flux_u[m + 1] - a->flux_u[m] + (a->flux_v[m + a->g.row] - a->flux_v[m]);
}

/* What a dry column stores of a level that falls below its bed, for 1 of a wet one: not quite nothing, so
 * that the system of a pool whose columns are all marked dry, by the solver's tolerance or by a pump, is not
 * singular. */
#define DRY 1e-9

KERNEL_CELLS(surface_mark_filled, SurfaceColumns) {
    const ptrdiff_t m = AT(a->g, i, j, k);
    a->wet[m] = a->depth[m] > 0 ? 1.0 : DRY;
}

/* In wet columns, which store A d / dt, a residual leaves an error of d of at most dt / A of it (the matrix is an
 * M-matrix): the last wet column of a pool is not marked dry because a solution is not yet exact. */
KERNEL_CELLS(surface_mark_wet, SurfaceColumns) {
    const ptrdiff_t m = AT(a->g, i, j, k);
    const double depth = a->depth[m] + a->increment[m], within = a->residual * a->dt / a->g.area[m];
    const double otherwise = depth > -within ? a->wet[m] : DRY;
    a->wet[m] = depth > within ? 1.0 : otherwise;
}

KERNEL_CELLS(surface_assemble, SurfaceColumns) {
    const ptrdiff_t m = AT(a->g, i, j, k);
    const double storage = a->g.area[m] / a->dt;
    const double to_neighbours = a->conductance_u[m] + a->conductance_u[m + 1] +
                                 (a->conductance_v[m] + a->conductance_v[m + a->g.row]);
    const double centre = a->wet[m] * storage + to_neighbours;
    const double held = a->held ? storage * a->held[m] : (1.0 - a->wet[m]) * storage * a->depth[m];
    const double rhs = a->source[m] - divergence(a, m) + held;
    /* a dry column without wet faces has no equation: d = 0 (or its source fills it) */
    a->centre[m] = to_neighbours > 0 ? centre : storage;
    a->rhs[m] = to_neighbours > 0 ? rhs : a->source[m];
}

KERNEL_CELLS(surface_new_depth, SurfaceColumns) {
    const ptrdiff_t m = AT(a->g, i, j, k), north = m + a->g.row;
    const double dt_per_area = a->dt / a->g.area[m];
    const double depth = a->depth[m] + dt_per_area * (a->source[m] - divergence(a, m));
    const double outflow = max_of(0.0, -a->flux_u[m]) + max_of(0.0, a->flux_u[m + 1]) +
                           (max_of(0.0, -a->flux_v[m]) + max_of(0.0, a->flux_v[north]));
    const double lack = max_of(0.0, -depth) / (dt_per_area * max_of(outflow, 1e-300));
    a->depth_new[m] = depth;
    a->eta_new[m] = a->g.bed[m] + depth;
    a->keep[m] = depth < 0 ? a->partly * max_of(0.0, 1.0 - lack) * (1.0 - 1e-15) : 1.0;
}

KERNEL_CELLS(surface_flux, SurfaceFaces) {
    const ptrdiff_t m = AT(a->g, i, j, k);
    a->flux_total[m] =
        a->flux_predicted[m] - a->conductance[m] * (a->increment[m] - a->increment[m - a->along]);
    a->limit[m] = 1.0;
}

KERNEL_CELLS(surface_limit, SurfaceFaces) {
    const ptrdiff_t m = AT(a->g, i, j, k);
    const double keep = a->flux_total[m] > 0 ? a->keep[m - a->along] : a->keep[m];
    a->flux_total[m] *= keep;
    a->limit[m] *= keep;
}

/* The four columns on the line through a face, as the water meets them: behind the donor, the donor, the receiver, and the one
 * beyond it. All are read, and then chosen: vectors need no address of their own for each lane. */
typedef struct Line {
    double behind, donor, onward, beyond;
} Line;

POINTWISE Line line_of(const double *field, ptrdiff_t m, ptrdiff_t along, bool forwards) {
    const double first = field[m - 2 * along], second = field[m - along], third = field[m],
                 fourth = field[m + along];
    return (Line){forwards ? first : fourth, forwards ? second : third, forwards ? third : second,
                  forwards ? fourth : first};
}

/* A column as one of its faces sees it: level and depth there, by slopes along the column's row. */
typedef struct Edge {
    double level, depth;
} Edge;

/* `out` leads from column c through the face, `part` of the way to it counts. Over a bed that is even the
 * level less the depth is the height of the bed at the face, from both sides; where level or depth have no
 * slope of one sign, as at the shore of still water, it is that of the column. */
POINTWISE Edge edge_of(const FaceDepth *a, ptrdiff_t c, ptrdiff_t out, double part) {
    const double *eta = a->eta, *depth = a->depth;
    const double inside = a->g.area[c - out] > 0 ? 0.5 : 0.0;
    const double rise = least_slope(eta[c] - eta[c - out], eta[c + out] - eta[c]);
    const double growth = least_slope(depth[c] - depth[c - out], depth[c + out] - depth[c]);
    const double way = inside * part;
    return (Edge){eta[c] + way * rise, depth[c] + way * growth};
}

/* Is this the tip of a flow onto even, dry ground, supercritical and thinner from column to column? There the
 * mean of both depths, with which the work of the gradient becomes motion without loss, carries the front; a
 * limited slope holds it back. `step`: of the bed between the two columns. */
POINTWISE bool is_tip(const FaceDepth *a, ptrdiff_t m, Line depth, double step) {
    const double *width = a->along == 1 ? a->g.width_u : a->g.width_v;
    const double speed = fabs(a->flux_total[m]) / max_of(width[m] * depth.donor, 1e-300);
    return (step < depth.onward) & (speed * speed > a->gravity * depth.donor) &
           (depth.onward < 0.65 * depth.donor) & (depth.beyond < 0.5 * depth.onward);
}

/* How much lower the level at the face of a tip is than in its donor: half of the difference, less by the part of
 * the difference in depth that the Courant number c tells, or else the step would thicken the tip, whose level then
 * pushes it faster and faster up a slope. Over level ground that makes up for the speed that a tip loses where its
 * momentum mixes, up to a c of 1/4. `area`: of the donor. */
POINTWISE double rise_of_tip(const FaceDepth *a, ptrdiff_t m, Line eta, Line depth, double step,
                             double area) {
    const double passing = a->dt * fabs(a->flux_total[m]);
    const double courant = min_of(1.0, passing / max_of(area * a->depth_before[m], 1e-300));
    const double level = max_of(0.0, 1.0 - 100.0 * step / max_of(depth.donor, 1e-300));
    const double thicker = max_of(0.0, courant - 0.25 * level) * (depth.donor - depth.onward);
    return 0.5 * (eta.onward - eta.donor + thicker);
}

/* How much the level rises from the column behind a face's donor to the donor. Beyond an open edge with a given
 * flow the level is a copy of that inside (open_faces_kernels.c) and says nothing about the slope, which goes
 * on as it does farther in. */
POINTWISE double rise_behind(bool next_to_edge, Line eta, Line depth) {
    const double rise = eta.donor - eta.behind;
    const double farther = depth.beyond > 0 ? eta.beyond - eta.onward : 0.0;
    return (next_to_edge & (rise == 0)) ? farther : rise;
}

/* At an edge where water enters: how much deeper the face is than the column inside, as the faces farther in are
 * deeper than their columns. `passing`: share of a column's water that passes in a step. */
POINTWISE double rise_at_edge(double passing, Line eta, Line depth) {
    const double farther = depth.beyond > 0 ? eta.beyond - eta.onward : 0.0;
    const double deeper = -0.5 * passing * farther, most = 0.25 * depth.donor;
    return max_of(-most, min_of(deeper, most));
}

/* How much deeper the face is in the middle of the next step (momentum/centred.h); what the water carries along is in the
 * slope already. */
POINTWISE double rise_to_middle(const FaceDepth *a, ptrdiff_t m, ptrdiff_t back) {
    const double *resolved = or_any(a->resolved, a->depth), *increment = or_any(a->increment, a->depth);
    const double volume = a->g.area[back] * a->depth[back] + a->g.area[m] * a->depth[m];
    const double courant = a->dt * a->flux_total[m] / max_of(0.5 * volume, 1e-12);
    const double rise = 0.5 * (increment[m] + increment[back]) + courant * (a->eta[m] - a->eta[back]);
    const double middle = 0.5 * min_of(resolved[m], resolved[back]) * rise;
    return a->resolved ? middle : 0.0;
}

KERNEL_CELLS(face_depth, FaceDepth) {
    const ptrdiff_t m = AT(a->g, i, j, k), along = a->along, back = m - along;
    const double flux = a->flux_total[m];
    const bool forwards = flux > 0, backwards = flux < 0, flows = forwards | backwards;
    const double behind = a->eta[back], ahead = a->eta[m], bed_behind = a->bed[back], bed_ahead = a->bed[m];
    const double depth_behind = a->depth[back], depth_ahead = a->depth[m];
    const double area_behind = a->g.area[back], area_ahead = a->g.area[m];
    const double low = min_of(behind, ahead), step = fabs(bed_ahead - bed_behind);
    const Line eta = line_of(a->eta, m, along, forwards), depths = line_of(a->depth, m, along, forwards);
    /* the level at the face, from the side that the water comes from, with a limited slope */
    const double *given = along == 1 ? a->g.given_u : a->g.given_v;
    const double given_before = given[back], given_here = given[m], given_after = given[m + along],
                 inwards = forwards ? 1.0 : -1.0;
    const double given_behind = forwards ? given_before : given_after;
    const bool from_ghost = given_here == inwards, next_to_edge = given_behind == inwards;
    const double slope = limited_slope(rise_behind(next_to_edge, eta, depths), eta.onward - eta.donor);
    const double area = forwards ? area_behind : area_ahead;
    const double leaving = a->dt * fabs(flux) / max_of(area * depths.donor, 1e-12);
    const double passing = min_of(1.0, leaving), staying = 1.0 - passing;
    const double rise = rise_of_tip(a, m, eta, depths, step, area), gentle_rise = 0.5 * staying * slope;
    const double second = is_tip(a, m, depths, step) ? rise : gentle_rise;
    const double enters = rise_at_edge(passing, eta, depths);
    const double entering = (from_ghost & (eta.onward == eta.donor)) ? enters : 0.0;
    /* behind a donor beyond the edge nobody knows anything */
    const bool water_behind = !from_ghost & (depths.behind > 0);
    const double sloped = eta.donor + (water_behind ? second : entering);
    const double smooth_level = flows ? sloped : 0.5 * (behind + ahead);
    const double smooth_depth = smooth_level - 0.5 * (bed_behind + bed_ahead) + rise_to_middle(a, m, back);
    /* where the water is thinner than a step of the bed: what stands above the higher edge */
    const Edge west = edge_of(a, back, along, staying), east = edge_of(a, m, -along, staying);
    const double sill = max_of(west.level - west.depth, east.level - east.depth);
    const double from_edge = forwards ? west.level : east.level;
    const double upwind_level = flows ? from_edge : max_of(west.level, east.level);
    const double upwind = max_of(0.0, upwind_level - sill);
    const double thinner = min_of(depth_behind, depth_ahead);
    const double gentle = min_of(1.0, 2.0 * thinner / max_of(step, 1e-300));
    const double smooth = low > a->bed_face[m] ? gentle : 0.0;
    const double depth = smooth * smooth_depth + (1.0 - smooth) * upwind;
    /* no dynamics in less water than a few molecules: it stays where it is */
    a->depth_face[m] = depth > 1e-9 ? depth : 0.0;
}

KERNEL_COLUMNS(vertical_flux, VerticalFlux) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    const ptrdiff_t row = a->g.row, plane = a->g.plane;
    double rise[LANES], flux[LANES] = {0};
    FOR_LANES (l) {
        const ptrdiff_t m = first + l;
        rise[l] = a->source[m] - a->g.area[m] * (a->depth_new[m] - a->depth[m]) / a->dt;
    }
    for (int k = deepest_layer(a->g.bottom_c + first, a->g.n3); k < a->g.n3 - 1; k++)
        FOR_LANES (l) {
            const ptrdiff_t m = first + l + k * plane;
            const double out = a->flux_u[m + 1] - a->flux_u[m] + (a->flux_v[m + row] - a->flux_v[m]);
            flux[l] += a->g.phi_c[m] * rise[l] - out;
            /* nothing known rises beyond open edges, which only the blocks at eastern ones reach */
            const bool inside = (a->g.bottom_c[first + l] <= k) & (a->g.own_area[first + l] > 0);
            a->flux_w[m + plane] = inside ? flux[l] : 0.0;
        }
}

COUNT_CELLS(surface_changes, SurfaceChanges, 1) {
    const ptrdiff_t m = j * a->row + i;
    (void)k;
    count[0] += a->wet[m] != a->before[m];
    a->before[m] = a->wet[m];
}

COUNT_CELLS(surface_crossings, SurfaceCrossings, 1) {
    const ptrdiff_t m = j * a->row + i;
    (void)k;
    count[0] += a->wet[m] != (a->depth[m] + a->increment[m] > 0 ? 1.0 : DRY);
}

COUNT_CELLS(surface_negative, SurfaceNegative, 1) {
    (void)k;
    count[0] += a->depth[j * a->row + i] < 0;
}
