/* SPDX-License-Identifier: Apache-2.0
 *
 * The bed's drag coefficient and the friction velocity that feeds the eddy viscosity, once per face and step.
 *
 *     Manning: Cd = g n^2 / H^(1/3)
 *     Chezy:   Cd = g / C^2
 *     log law: Cd = (kappa / ln(1 + z/z0))^2, z the middle of the lowest layer
 *
 * Manning's and Chezy's laws are of the mean velocity of the depth, from which that of the lowest layer is made (bed_profile.h).
 * Where n, C, z0 or Cd vary, a face has the mean of its two columns. Waves raise the coefficient (waves/wave_orbit.h).
 */
#include "gpu/elementary.h"
#include "model/constants.h"
#include "model/momentum/bed_profile.h"
#include "model/momentum/momentum.h"
#include "model/waves/wave_orbit.h"

/* Drag on the wet part of a face's width, over that of level ground. */
POINTWISE double section_ratio(const Momentum *a, ptrdiff_t m) {
    const SectionDrag *s = &a->section;
    if (!s->depth) return 1.0;
    const double of_pixels = s->resistance[m] * (s->part ? s->part[m] : 1.0);
    return of_pixels * (a->faces.depth[m] / max_of(s->depth[m], 1e-300));
}

/* The drag of the lowest layer, from that of the depth's mean velocity. */
POINTWISE double of_lowest(const Momentum *a, ptrdiff_t m, double depth, double drag) {
    const int bottom = (int)a->faces.bottom[m];
    if (bottom >= a->g.n3 - 1) return drag;
    const double *share = a->faces.phi + m + (ptrdiff_t)bottom * a->g.plane;
    /* a bed that lies in one layer has that layer's share */
    const double of_bed = a->section.bed_share ? a->section.bed_share[m] : share[0],
                 next = of_bed == share[0] ? share[a->g.plane] : of_bed;
    const BedWater water = {of_bed, next, depth, a->gravity};
    return drag * bed_profile_excess(&a->profile, &water, drag * section_ratio(a, m));
}

POINTWISE double drag_coefficient(const Momentum *a, ptrdiff_t m, double depth) {
    const double *r = a->roughness;
    const double p = r ? 0.5 * (r[m - a->faces.along] + r[m]) : a->drag_parameter;
    if (a->drag == DRAG_CONSTANT) return p;
    if (a->drag == DRAG_MANNING)
        return of_lowest(a, m, depth, a->gravity * p * p / elementary_cbrt(max_of(depth, 1e-6)));
    if (a->drag == DRAG_CHEZY) return of_lowest(a, m, depth, a->gravity / (p * p));
    if (a->drag == DRAG_LOG) {
        const double *flanks = a->section.bed_share;
        const double z =
            0.5 * depth * (flanks ? flanks[m] : a->faces.phi[m + (ptrdiff_t)a->faces.bottom[m] * a->g.plane]);
        const double root = KARMAN / elementary_log(1.0 + max_of(z / p, 0.1));
        return root * root;
    }
    return 0.0;
}

/* Wind stress on the water of a face, of which a part feels all of it (wind_stress.h); with ground inside cells on the wet part of its
 * width. `depth`: section over width. [m2 s-2] */
POINTWISE double stress_felt(const Momentum *a, const Faces *f, const double *depth, ptrdiff_t m) {
    if (!f->thick) return f->stress[m];
    const double full = a->full_stress_depth, mean = max_of(depth[m], 1e-12),
                 wet = max_of(f->thick[m], 1e-12);
    return f->stress[m] * (mean / wet) * min_of(1.0, wet / full) / min_of(1.0, mean / full);
}

/* Of the other component, the means over the open faces around: velocity in the lowest layer, wind stress. */
typedef struct Around {
    double velocity, stress;
} Around;

POINTWISE Around mean_around(const Momentum *a, ptrdiff_t m) {
    const ptrdiff_t step[4] = {0, -a->faces.along, a->faces.cross, a->faces.cross - a->faces.along};
    const Faces *o = &a->other;
    double velocity = 0, stress = 0, count = 0;
    for (int s = 0; s < 4; s++) {
        const ptrdiff_t face = m + step[s];
        if (o->bottom[face] >= a->g.n3) continue;
        const ptrdiff_t place = face + (ptrdiff_t)o->bottom[face] * a->g.plane;
        velocity += o->stokes ? o->velocity[place] - o->stokes[place] : o->velocity[place];
        stress += a->parabola > 0 ? stress_felt(a, o, o->depth, face) : 0.0;
        count += 1;
    }
    const Around mean = {velocity / count, stress / count}, none = {0.0, 0.0};
    return count > 0 ? mean : none;
}

/* The mean of the two columns of a face; of the one that can have water, where it is one. [m2 s-2] */
POINTWISE double stress_of_waves(const Momentum *a, ptrdiff_t m) {
    const double here = a->wave_stress[m], back = a->wave_stress[m - a->faces.along];
    return back < 0 ? max_of(0.0, here) : here < 0 ? back : 0.5 * (here + back);
}

/* The square of a velocity at the bed, where that lies in several layers the mean over it. [m2 s-2] */
POINTWISE double square_at_bed(const Momentum *a, ptrdiff_t m, double lowest) {
    const Flanks *f = &a->brakes.flanks;
    double sum = 0;
    if (!f->part) return lowest * lowest;
    for (int n = (int)a->faces.bottom[m]; n < a->g.n3; n++) {
        const ptrdiff_t mk = m + n * a->g.plane;
        const double u = a->faces.velocity[mk] - (a->faces.stokes ? a->faces.stokes[mk] : 0.0);
        sum += flank_part(f, mk, m, n == a->g.n3 - 1) * (u * u);
    }
    return sum;
}

KERNEL_CELLS(bed_drag_prepare, Momentum) {
    const ptrdiff_t m = AT(a->g, i, j, k);
    double drag = drag_coefficient(a, m, a->faces.depth[m]);
    a->faces.drag[m] = drag;
    if (a->parabola <= 0 && !a->wave_stress) return;
    const ptrdiff_t lowest = m + (ptrdiff_t)a->faces.bottom[m] * a->g.plane;
    const double u = a->faces.velocity[lowest] - (a->faces.stokes ? a->faces.stokes[lowest] : 0.0);
    const Around around = mean_around(a, m);
    const double v = around.velocity, square = square_at_bed(a, m, u) + v * v;
    if (a->wave_stress) drag *= wave_enhancement(stress_of_waves(a, m), drag * square);
    a->faces.drag[m] = drag;
    if (a->parabola <= 0) return;
    const double bed_stress = drag * section_ratio(a, m) * square;
    const double tau_u = stress_felt(a, &a->faces, or_any(a->section.depth, a->faces.depth), m);
    const double tau_v = around.stress;
    a->faces.friction[m] = sqrt(max_of(bed_stress, sqrt(tau_u * tau_u + tau_v * tau_v)));
}
