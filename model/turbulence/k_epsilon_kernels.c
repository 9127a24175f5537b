/* SPDX-License-Identifier: Apache-2.0
 *
 * k-epsilon, at the interfaces of a column:
 *
 *     k_t   = (nu/sigma_k k_z)_z   + P + B - eps,                     P = nu S^2,  B = -nu_h N^2
 *     eps_t = (nu/sigma_e eps_z)_z + eps/k (c1 P + c3 B - c2 eps)
 *
 * W. Rodi, J. Geophys. Res. 92 (1987) 5305-5328; H. Burchard, Applied Turbulence Modelling in Marine Waters,
 * Springer 2002, for c3 and the bounds. Diffusion is implicit, and so are sinks: each times the new value
 * over the old one (Patankar's trick), so that k and eps stay positive whatever the step. The order is: k;
 * eps with the old k; the lower bound on eps that no eddy in stable water is larger than the scale of
 * Ozmidov; nu, nu_h.
 *
 * Walls, bed and surface: the equations of the interface next to one, at the distance z, hold for the slice
 * between the middles z_l and z_u of its two layers; distances begin a roughness length behind the wall, that of the
 * surface being of waves. No k diffuses out of the wall; of eps comes what the law
 * of the wall, eps = cmu0^3 k^(3/2) / (kappa z), has diffuse at z_l: cmu0^4 k^2 / (sigma_e z_l) (Burchard,
 * above). Three corrections make that law an exact solution for layers of any thickness; without them, the
 * velocity above the lowest layers would be off by a part of u* that no finer layers diminish:
 *     - sources of eps count z^2/(z_l z_u)-fold, as the mean of 1/z^2 over the slice is 1/(z_l z_u);
 *     - between this interface and the next, eps diffuses by the harmonic mean of their nu, as nu (1/z)_z in
 *       the middle of the layer is that of nu ~ z;
 *     - nu is divided by wall_curvature, as the velocities' difference is that of a logarithm.
 * In columns of two layers, whose interface has both walls, 1/z is the sum of both.
 *
 * Lines are solved without a subtraction, as in momentum/vertical.h: k from the surface down and back up, eps
 * on that way up and back down.
 */
#include "model/turbulence/breaking.h"
#include "model/turbulence/production.h"
#include "model/turbulence/walls.h"

#define C1          1.44
#define C2          1.92
#define SIGMA_K     1.0
#define C3_UNSTABLE 1.0
#define OZMIDOV     0.27 /* largest l N / sqrt(2 k) */
#define MOST_P_EPS  1.15 /* largest P/eps that counts next to a wall, below c2/c1 */

/* Per interface, kept from one way to the next. */
SIZED_STRUCT(Scratch) {
    double shear[COLUMN_LEVELS][LANES], buoyancy[COLUMN_LEVELS][LANES]; /* S^2, N^2 */
    double production[COLUMN_LEVELS][LANES];                            /* P */
    double ratio[COLUMN_LEVELS][LANES],
        part[COLUMN_LEVELS][LANES]; /* x = part + ratio * (x of the one before) */
};

/* What elimination hands on. */
typedef struct Line {
    double mass[LANES], force[LANES], ratio[LANES];
} Line;

typedef struct Column {
    Interfaces at;
    FaceWater faces;
    Breaking waves; /* where a->breaking > 0 */
    double sigma_breaking;
    double cmu0_cubed;
    double wall_inflow; /* of eps, by the law of the wall: over k^2/z_l */
} Column;

/* nu/(sigma h) through the layer k between the interfaces k and k + 1. [m s-1] */
POINTWISE double through_layer(const TurbulentColumns *a, ptrdiff_t m, double thickness, double sigma) {
    return 0.5 * (a->viscosity[m] + a->viscosity[m + a->g.plane]) / (sigma * thickness);
}

/* Does interface k have the energy of breaking waves? */
POINTWISE bool waves_break(const TurbulentColumns *a, int k) {
    return a->breaking > 0 && k == a->g.n3 - 1;
}

/* sigma_e at the interfaces k, by P/eps in columns whose waves break (breaking.h). */
SIZED POINTWISE void sigma_at(const TurbulentColumns *a, const Column *c, ptrdiff_t layer, int k,
                              const Scratch OF_LEVELS *s, double *sigma) {
    const double of_walls = a->stability.sigma_eps;
    FOR_LANES (l) sigma[l] = of_walls;
    if (!(a->breaking > 0)) return;
    FOR_LANES (l) {
        const double balance = min_of(1.0, s->production[k][l] / a->dissipation[layer + l]);
        const double mixed = c->sigma_breaking + balance * (of_walls - c->sigma_breaking);
        sigma[l] = c->waves.flux[l] > 0 ? mixed : of_walls;
    }
}

/* nu/(sigma_e h) through the layer k, for eps; `walls` are those of interface k. [m s-1] */
SIZED POINTWISE void dissipation_exchange(const TurbulentColumns *a, const Column *c, ptrdiff_t first, int k,
                                          const Walls *walls, const Scratch OF_LEVELS *s, double *exchange) {
    const ptrdiff_t layer = first + k * a->g.plane;
    const double *lower = a->viscosity + layer, *upper = lower + a->g.plane;
    const bool highest = k == a->g.n3 - 1, below_highest = k == a->g.n3 - 2;
    double sigma[LANES], sigma_upper[LANES], mean[LANES], nu_upper[LANES];
    sigma_at(a, c, layer, k, s, sigma);
    sigma_at(a, c, highest ? layer : layer + a->g.plane, highest ? k : k + 1, s, sigma_upper);
    FOR_LANES (l) mean[l] = 0.5 * (lower[l] + upper[l]), nu_upper[l] = upper[l];
    if (below_highest) {
        double roughness[LANES];
        FOR_LANES (l) roughness[l] = surface_roughness(a, first + l);
        FOR_LANES (l) {
            const double thickness = layer_thickness(a, first + l, layer + l);
            const double top = layer_thickness(a, first + l, layer + a->g.plane + l);
            nu_upper[l] *= wall_curvature(top, thickness, roughness[l]);
        }
    }
    if (below_highest || some_wall(a, &c->at, k)) /* a division that other interfaces do without */
        FOR_LANES (l) {
            const double nu = lower[l] * walls->curvature[l], both = nu + nu_upper[l];
            const double harmonic = 2.0 * nu * nu_upper[l] / max_of(both, 1e-300);
            mean[l] = ((walls->next[l] > 0) | below_highest) ? harmonic : 0.5 * both;
        }
    FOR_LANES (l) {
        const double thickness = layer_thickness(a, first + l, layer + l);
        exchange[l] = highest ? 0.0 : mean[l] / (0.5 * (sigma[l] + sigma_upper[l]) * thickness);
    }
}

/* The levels of a column lie far apart in memory, where no hardware foresees the way: asks for the block after next. */
POINTWISE void prefetch_interface(const TurbulentColumns *a, ptrdiff_t layer) {
    const ptrdiff_t ahead = layer + 2 * LANES;
    PREFETCH(a->viscosity + ahead + a->g.row);
    PREFETCH(a->tke + ahead);
    PREFETCH(a->dissipation + ahead);
    PREFETCH(a->diffusivity + ahead);
    PREFETCH(a->u_before + ahead);
    PREFETCH(a->v_before + ahead + a->g.row);
}

/* One interface of k's line on the way down. */
SIZED POINTWISE void tke_down(const TurbulentColumns *a, Column *c, ptrdiff_t first, int k, Line *line,
                              Scratch OF_LEVELS *s) {
    const ptrdiff_t layer = first + k * a->g.plane, below = layer - a->g.plane;
    double dz[LANES], shears[SIDES][LANES], entering[LANES], weight[LANES];
    Walls walls;
    prefetch_interface(a, layer);
    distances(a, first, layer, dz);
    face_shears(a, &c->at, layer, k, shears);
    face_water_descend(a, layer, &c->faces);
    shear_squared(shears, dz, s->shear[k]);
    production_find(a, &c->faces, first, layer, shears, dz, s->production[k]);
    if (some_wall(a, &c->at, k)) {
        walls_find(a, &c->at, first, k, &walls);
        FOR_LANES (l) {
            const double at_place = 1.0 / walls.curvature[l];
            s->shear[k][l] *= at_place * at_place;
            s->production[k][l] *= at_place;
        }
    }
    buoyancy_squared(a, layer, dz, s->buoyancy[k]);
    FOR_LANES (l) {
        entering[l] = 0.0;
        weight[l] = 1.0;
    }
    if (waves_break(a, k))
        FOR_LANES (l) {
            entering[l] = c->waves.flux[l];
            weight[l] += breaking_share(&c->waves, l, a->tke[layer + l]) * (c->waves.tke_weight[l] - 1.0);
        }
    FOR_LANES (l) {
        const double tke = a->tke[layer + l], eps = weight[l] * a->dissipation[layer + l];
        const double production = s->production[k][l];
        const double buoyancy = -a->diffusivity[layer + l] * s->buoyancy[k][l];
        const bool grows = production + buoyancy > 0;
        const double source = production + (grows ? buoyancy : 0.0);
        const double sink = eps - (grows ? 0.0 : buoyancy);
        const double thickness = max_of(a->g.phi_c[below + l] * a->depth[first + l], THINNEST);
        const double to_lower = through_layer(a, below + l, thickness, SIGMA_K);
        const bool inside = c->at.lowest[l] <= k;
        const double exchange = c->at.lowest[l] < k ? to_lower : 0.0;
        const double mass = dz[l] * (1.0 / a->dt + sink / tke) + line->ratio[l] * line->mass[l];
        const double force = dz[l] * (tke / a->dt + source) + entering[l] + line->ratio[l] * line->force[l];
        const double inverse = 1.0 / (mass + exchange);
        line->mass[l] = inside ? mass : 0.0;
        line->force[l] = inside ? force : 0.0;
        line->ratio[l] = inside ? exchange * inverse : 0.0;
        s->ratio[k][l] = line->ratio[l];
        s->part[k][l] = force * inverse;
    }
}

/* Where the waves' k diffuses down, more eps comes than by the law of the wall, and its sink is steeper. */
SIZED POINTWISE void breaking_waves_dissipate(const TurbulentColumns *a, const Column *c, ptrdiff_t layer,
                                              int k, const double *tke, const Scratch OF_LEVELS *s,
                                              Walls *walls, double *inflow) {
    const Breaking *waves = &c->waves;
    const double cmu0 = a->stability.cmu0, still = breaking_law(&a->stability).c;
    double sigma[LANES];
    sigma_at(a, c, layer, k, s, sigma);
    for (int l = 0; l < LANES; l++) {
        if (!(waves->flux[l] > 0)) continue;
        const double balance = min_of(1.0, s->production[k][l] / a->dissipation[layer + l]);
        const double scale = c->cmu0_cubed * (still + balance * (cmu0 - still)) / sigma[l];
        const double more = scale * breaking_inflow(a, waves, l, tke[l]);
        inflow[l] += more - c->wall_inflow * tke[l] * tke[l] / waves->zeta[l];
        walls->weight[l] += breaking_share(waves, l, tke[l]) * (waves->eps_weight[l] - walls->weight[l]);
    }
}

/* Next to a wall a step is often long for the layer, and Patankar's trick would let eps swing there. So (c2 - c1 P/eps)
 * eps^2/k = decay eps is linearised about the eps that goes with the new k: the old one, which follows k^(3/2) as the
 * law of the wall does, but not to more than twice that law, as in layers eps is larger and k grows from its least
 * value; nor to less than half of it. P/eps is P / (eps_old k_new/k_old), which a swing of k does not change. */
SIZED POINTWISE void decay_next_to_wall(const TurbulentColumns *a, const Column *c, ptrdiff_t layer, int k,
                                        const double *tke, const Walls *walls, const Scratch OF_LEVELS *s,
                                        double *about, double *decay) {
    FOR_LANES (l) {
        const double eps = a->dissipation[layer + l], growth = tke[l] / a->tke[layer + l];
        const double law = c->cmu0_cubed * tke[l] * sqrt(tke[l]) / (KARMAN * walls->distance[l]);
        const double follows = min_of(max_of(2.0 * law, eps), eps * growth * sqrt(growth));
        const double balance = min_of(MOST_P_EPS, s->production[k][l] / (eps * growth));
        about[l] = max_of(0.5 * law, follows);
        decay[l] = (C2 - C1 * balance) * about[l] / tke[l];
    }
}

/* One interface on the way up: the new k, and eps's line. */
SIZED POINTWISE void dissipation_up(const TurbulentColumns *a, const Column *c, ptrdiff_t first, int k,
                                    double *tke, Line *line, Scratch OF_LEVELS *s) {
    const ptrdiff_t layer = first + k * a->g.plane;
    const double c3 = a->stability.c3_stable;
    double dz[LANES], exchange[LANES], inflow[LANES], about[LANES], decay[LANES];
    Walls walls;
    distances(a, first, layer, dz);
    FOR_LANES (l) {
        about[l] = decay[l] = 0.0;
        const double solved = s->part[k][l] + s->ratio[k][l] * tke[l];
        tke[l] = c->at.lowest[l] <= k ? max_of(LEAST_TKE, solved) : LEAST_TKE;
    }
    walls_none(&walls);
    if (some_wall(a, &c->at, k)) walls_find(a, &c->at, first, k, &walls);
    dissipation_exchange(a, c, first, k, &walls, s, exchange);
    FOR_LANES (l) inflow[l] = c->wall_inflow * tke[l] * tke[l] * walls.inflow[l];
    if (waves_break(a, k)) breaking_waves_dissipate(a, c, layer, k, tke, s, &walls, inflow);
    if (some_wall(a, &c->at, k)) decay_next_to_wall(a, c, layer, k, tke, &walls, s, about, decay);
    FOR_LANES (l) {
        const bool inside = c->at.lowest[l] <= k, wall = walls.next[l] > 0;
        const double eps = a->dissipation[layer + l], rate = eps / a->tke[layer + l];
        const double production = s->production[k][l];
        const double buoyancy = -a->diffusivity[layer + l] * s->buoyancy[k][l];
        const double c3_here = buoyancy > 0 ? C3_UNSTABLE : c3;
        const double gain = rate * ((wall ? 0.0 : C1 * production) + c3_here * buoyancy);
        const double source = max_of(0.0, gain) + (wall ? decay[l] * about[l] : 0.0);
        const double sink = max_of(0.0, -gain) / eps + (wall ? 2.0 * decay[l] : C2 * rate);
        const double mass = dz[l] * (1.0 / a->dt + walls.weight[l] * sink) + line->ratio[l] * line->mass[l];
        const double force =
            dz[l] * (eps / a->dt + walls.weight[l] * source) + inflow[l] + line->ratio[l] * line->force[l];
        const double inverse = 1.0 / (mass + exchange[l]);
        line->mass[l] = inside ? mass : 0.0;
        line->force[l] = inside ? force : 0.0;
        line->ratio[l] = inside ? exchange[l] * inverse : 0.0;
        s->ratio[k][l] = line->ratio[l];
        s->part[k][l] = force * inverse;
        a->tke[layer + l] = tke[l];
    }
}

/* One interface on the way down again: the new eps, nu and nu_h. */
SIZED POINTWISE void mixing_down(const TurbulentColumns *a, const Column *c, ptrdiff_t first, int k,
                                 double *eps, const Scratch OF_LEVELS *s) {
    const Stability *f = &a->stability;
    const ptrdiff_t layer = first + k * a->g.plane;
    const double scale = c->cmu0_cubed / (1.4142135623730951 * OZMIDOV);
    double felt[LANES];
    FOR_LANES (l) {
        const bool inside = c->at.lowest[l] <= k;
        const double tke = a->tke[layer + l], n2 = s->buoyancy[k][l];
        eps[l] = s->part[k][l] + s->ratio[k][l] * eps[l];
        const double least = max_of(LEAST_DISSIPATION, scale * tke * sqrt(max_of(0.0, n2)));
        const double bounded = inside ? max_of(least, eps[l]) : LEAST_DISSIPATION;
        const double time = tke / bounded;
        const double n = stability_bounded_n(f, time * time * n2);
        const double at_place = s->shear[k][l];
        const double shear = stability_bounded_s(f, n, time * time * at_place);
        const double mixing = tke * time / stability_denominator(f, n, shear);
        const double nu = mixing * (f->n[0] + f->n[1] * n + f->n[2] * shear);
        const double nu_h = mixing * (f->t[0] + f->t[1] * n + f->t[2] * shear);
        a->dissipation[layer + l] = bounded;
        /* the least k is a seed: it mixes where it grows, by shear or convection, and nowhere else */
        const bool grows = nu * at_place - nu_h * n2 > bounded;
        const bool eddies = inside & (grows | (tke > LEAST_TKE));
        felt[l] = eddies ? nu : 0.0;
        a->diffusivity[layer + l] = a->floor_diffusivity + (eddies ? nu_h : 0.0);
    }
    if (some_wall(a, &c->at, k)) {
        Walls walls;
        walls_find(a, &c->at, first, k, &walls);
        FOR_LANES (l) felt[l] /= walls.curvature[l];
    }
    FOR_LANES (l) a->viscosity_next[layer + l] = a->floor_viscosity + felt[l];
}

POINTWISE void line_clear(Line *line) {
    FOR_LANES (l) line->mass[l] = line->force[l] = line->ratio[l] = 0.0;
}

KERNEL_LEVELS(k_epsilon_step, TurbulentColumns, 5) {
    const ptrdiff_t first = AT2(a->g, i0, j);
    const int top = a->g.n3 - 1;
    const double cmu0 = a->stability.cmu0;
    Column c;
    Line line;
    Scratch OF_LEVELS s;
    double value[LANES];
    interfaces_find(a, first, &c.at);
    face_water_find(a, first, &c.faces);
    c.cmu0_cubed = cmu0 * cmu0 * cmu0;
    c.wall_inflow = c.cmu0_cubed * cmu0 / a->stability.sigma_eps;
    if (a->breaking > 0) {
        breaking_find(a, first, &c.waves);
        c.sigma_breaking = breaking_sigma(&a->stability, C2);
    }
    line_clear(&line);
    for (int k = top; k >= c.at.deepest; k--) tke_down(a, &c, first, k, &line, &s);
    line_clear(&line);
    FOR_LANES (l) value[l] = 0.0;
    for (int k = c.at.deepest; k <= top; k++) dissipation_up(a, &c, first, k, value, &line, &s);
    FOR_LANES (l) value[l] = 0.0;
    for (int k = top; k >= c.at.deepest; k--) mixing_down(a, &c, first, k, value, &s);
}
