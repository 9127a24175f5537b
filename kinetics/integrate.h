/* SPDX-License-Identifier: Apache-2.0
 *
 * Integrates the processes of a module over a step, at some points of a column. With the states c_i, the rates
 * R_r of the processes and the amounts s_ir that they take or make:
 *
 *     dc_i/dt = sum_r s_ir R_r
 *
 * The modified Patankar schemes reduce or raise each process as a whole by a weight phi_r:
 *
 *     c_i' = c_i + dt sum_r s_ir phi_r R_r,   phi_r = min of sigma_i over the states that the process takes,
 *     sigma_i = (c_i + G_i(phi)) / (d_i + L_i)
 *
 * where L_i = dt sum |s_ir R_r| is what would be taken, G_i(phi) = dt sum s_ir phi_r R_r is what is gained, and
 * d_i the state that the rates belong to. Since phi_r <= sigma_i, what is taken is at most sigma_i L_i, and c_i'
 * >= sigma_i d_i >= 0, for any dt. One weight for all terms of a process conserves every element. Where each
 * process takes from one state only, sigma_i = c_i'/d_i, and this is the scheme of H. Burchard, E. Deleersnijder,
 * A. Meister, Appl. Numer. Math. 47 (2003) 1-30. The weights are found by iteration from below; each iterate is
 * positive and conserving, whether it has converged or not.
 *
 *     Patankar-Euler   d = c, R = R(c)                                  first order
 *     Patankar-RK2     c1 by the above, then d = c1, R = (R(c) + R(c1))/2  second order
 *     RK2, RK4         phi = 1; neither positive nor stable in long steps, for comparison
 *
 * A step is divided into equal substeps where states are lost faster than in 1/SUBSTEP_LOSS of the step.
 */
#ifndef MAEOTIS_KINETICS_INTEGRATE_H
#define MAEOTIS_KINETICS_INTEGRATE_H

#include "kinetics/modules/on_device.h"
#include "kinetics/plan.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { KINETICS_POINTS = 16 }; /* at once */
enum { MOST_WEIGHINGS = 60 };  /* iterations for the weights */
#define SUBSTEP_LOSS     0.5   /* part of a state that may be lost in a substep */
#define WEIGHTS_ARE_GOOD 1e-10 /* largest relative change in the last iteration */

typedef double KineticsStates[MOST_STATES][KINETICS_POINTS];
typedef double KineticsRates[MAEOTIS_MOST_PROCESSES][KINETICS_POINTS];

/* Some points of a column. */
typedef struct KineticsPoints {
    MaeotisEnvironment environment;
    int beds;                              /* of the first points: how many lie on a bed of their own */
    bool at_surface;                       /* is the last point the uppermost one? */
    const double *bed_part, *surface_part; /* area of bed, of surface over the volume of a point [m-1] */
} KineticsPoints;

typedef struct KineticsOptions {
    int scheme; /* KineticsScheme */
    int most_substeps;
} KineticsOptions;

/* The points at which a process acts: first <= p < end. */
POINTWISE void points_of(const KineticsPoints *points, int place, int *first, int *end) {
    const int n = points->environment.n;
    *first = place == MAEOTIS_SURFACE ? (points->at_surface ? n - 1 : n) : 0;
    *end = place == MAEOTIS_BED ? points->beds : n;
}

POINTWISE void find_rates_at(const KineticsPlan *plan, const MaeotisEnvironment *environment, int place,
                             const double *const *c, double *const *rate) {
#if defined(__CUDA_ARCH__)
    kinetics_on_device(plan->built_in, place, environment, plan->parameter, c, rate);
#else
    MaeotisRates *const rates = place == MAEOTIS_WATER     ? plan->water
                                : place == MAEOTIS_SURFACE ? plan->surface
                                                           : plan->bed;
    if (rates) rates(environment, plan->parameter, c, rate);
#endif
}

/* How many points a state has; 0: there is no such state here. */
POINTWISE int points_of_state(const KineticsPlan *plan, const KineticsPoints *points, int state) {
    if (state < plan->n_variables) return points->environment.n;
    return plan->has_bed[state - plan->n_variables] ? points->beds : 0;
}

/* The same at bed or surface of one point. */
POINTWISE void find_rates_of_point(const KineticsPlan *plan, const MaeotisEnvironment *environment, int place,
                                   int point, KineticsStates c, KineticsRates rate) {
    MaeotisEnvironment one = *environment;
    const double *state[MOST_STATES];
    double *out[MAEOTIS_MOST_PROCESSES];
    one.n = 1;
    one.temperature += point, one.salinity += point, one.density += point;
    one.light += point, one.depth += point, one.thickness += point;
    for (int v = 0; v < 2 * plan->n_variables; v++) state[v] = c[v] + point;
    for (int r = 0; r < plan->n_processes; r++) out[r] = rate[r] + point;
    find_rates_at(plan, &one, place, state, out);
}

/* The rates of all processes where they act, 0 elsewhere. */
POINTWISE void find_rates(const KineticsPlan *plan, const KineticsPoints *points, KineticsStates c,
                          KineticsRates rate) {
    const MaeotisEnvironment *e = &points->environment;
    const int n = e->n;
    const double *state[MOST_STATES];
    KineticsStates clipped;
    double *out[MAEOTIS_MOST_PROCESSES];
    for (int v = 0; v < 2 * plan->n_variables; v++) {
        const int count = points_of_state(plan, points, v);
        for (int p = 0; p < count; p++) clipped[v][p] = max_of(0.0, c[v][p]);
        state[v] = clipped[v];
    }
    for (int r = 0; r < plan->n_processes; r++) {
        for (int p = 0; p < n; p++) rate[r][p] = 0.0;
        out[r] = rate[r];
    }
    find_rates_at(plan, e, MAEOTIS_WATER, state, out);
    for (int p = 0; p < points->beds; p++) find_rates_of_point(plan, e, MAEOTIS_BED, p, clipped, rate);
    if (points->at_surface) find_rates_of_point(plan, e, MAEOTIS_SURFACE, n - 1, clipped, rate);
}

/* Adds to `out` what the processes change in dt: all of it, only what they give, or only what they take. */
typedef enum KineticsPart { CHANGED, GIVEN, TAKEN } KineticsPart;
POINTWISE void add_changes(const KineticsPlan *plan, const KineticsPoints *points, KineticsPart part,
                           double dt, KineticsRates rate, KineticsStates out) {
    const double sign = part == GIVEN ? 1.0 : part == TAKEN ? -1.0 : 0.0;
    for (int r = 0; r < plan->n_processes; r++) {
        const PlanProcess *process = &plan->process[r];
        int first, end;
        points_of(points, process->place, &first, &end);
        for (int t = 0; t < process->n_terms; t++) {
            const PlanTerm *term = &process->term[t];
            /* fluxes through surface and bed enter one layer */
            const bool spread = process->place != MAEOTIS_WATER && term->state < plan->n_variables;
            const double amount = dt * term->amount;
            const double *exposed = process->place == MAEOTIS_BED ? points->bed_part : points->surface_part;
            double *sum = out[term->state];
            for (int p = first; p < end; p++) {
                const double change = amount * rate[r][p] * (spread ? exposed[p] : 1.0);
                sum[p] += sign == 0 ? change : max_of(0.0, sign * change);
            }
        }
    }
}

POINTWISE void clear_states(const KineticsPlan *plan, const KineticsPoints *points, KineticsStates states) {
    for (int v = 0; v < 2 * plan->n_variables; v++) {
        const int count = points_of_state(plan, points, v);
        for (int p = 0; p < count; p++) states[v][p] = 0.0;
    }
}

POINTWISE void copy_states(const KineticsPlan *plan, const KineticsPoints *points, KineticsStates from,
                           KineticsStates to) {
    for (int v = 0; v < 2 * plan->n_variables; v++) {
        const int count = points_of_state(plan, points, v);
        for (int p = 0; p < count; p++) to[v][p] = from[v][p];
    }
}

/* The rates times phi, by sigma; do they still change? */
POINTWISE bool weigh_rates(const KineticsPlan *plan, const KineticsPoints *points, KineticsRates rate,
                           KineticsStates sigma, KineticsRates weighted) {
    bool changes = false;
    for (int r = 0; r < plan->n_processes; r++) {
        const PlanProcess *process = &plan->process[r];
        int first, end;
        points_of(points, process->place, &first, &end);
        for (int p = first; p < end; p++) {
            double least = HUGE_VAL;
            for (int t = 0; t < process->n_terms; t++)
                if (process->term[t].amount * rate[r][p] < 0)
                    least = min_of(sigma[process->term[t].state][p], least);
            const double next = (least < HUGE_VAL ? least : 1.0) * rate[r][p];
            changes = changes || fabs(next - weighted[r][p]) > WEIGHTS_ARE_GOOD * fabs(next);
            weighted[r][p] = next;
        }
    }
    return changes;
}

/* Multiplies the rates by their weights. */
POINTWISE void weigh(const KineticsPlan *plan, const KineticsPoints *points, double dt, KineticsStates c,
                     KineticsStates d, KineticsRates rate) {
    const int n = points->environment.n;
    KineticsStates per_all, sigma; /* 1/(d + L) */
    KineticsRates weighted;
    clear_states(plan, points, per_all);
    add_changes(plan, points, TAKEN, dt, rate, per_all);
    for (int v = 0; v < 2 * plan->n_variables; v++) {
        const int count = points_of_state(plan, points, v);
        for (int p = 0; p < count; p++) {
            const double all = max_of(0.0, d[v][p]) + per_all[v][p];
            per_all[v][p] = all > 0 ? 1.0 / all : HUGE_VAL;
        }
    }
    for (int r = 0; r < plan->n_processes; r++)
        for (int p = 0; p < n; p++) weighted[r][p] = 0.0;
    for (int turn = 0; turn < MOST_WEIGHINGS; turn++) {
        clear_states(plan, points, sigma);
        add_changes(plan, points, GIVEN, dt, weighted, sigma);
        for (int v = 0; v < 2 * plan->n_variables; v++) {
            const int count = points_of_state(plan, points, v);
            for (int p = 0; p < count; p++)
                sigma[v][p] =
                    per_all[v][p] < HUGE_VAL ? (max_of(0.0, c[v][p]) + sigma[v][p]) * per_all[v][p] : 1.0;
        }
        if (!weigh_rates(plan, points, rate, sigma, weighted)) break;
    }
    for (int r = 0; r < plan->n_processes; r++)
        for (int p = 0; p < n; p++) rate[r][p] = weighted[r][p];
}

/* Round-off below nothing. */
POINTWISE void keep_positive(const KineticsPlan *plan, const KineticsPoints *points, KineticsStates before,
                             KineticsStates c) {
    for (int v = 0; v < 2 * plan->n_variables; v++) {
        const int count = points_of_state(plan, points, v);
        for (int p = 0; p < count; p++) c[v][p] = max_of(min_of(before[v][p], 0.0), c[v][p]);
    }
}

/* One substep from c; `rate` holds R(c), and afterwards the mean rates that were applied. */
POINTWISE void substep(const KineticsPlan *plan, const KineticsPoints *points, int scheme, double dt,
                       KineticsStates c, KineticsRates rate) {
    const double half_way[] = {1.0, 0.5, 0.5, 1.0}; /* RK4: its weights, and where its stages are */
    const int n = points->environment.n;
    const bool patankar = scheme == KINETICS_PATANKAR_EULER || scheme == KINETICS_PATANKAR_RK2;
    const int stages = scheme == KINETICS_PATANKAR_EULER ? 1 : scheme == KINETICS_RK4 ? 4 : 2;
    KineticsStates next;
    KineticsRates now, sum;
    for (int r = 0; r < plan->n_processes; r++)
        for (int p = 0; p < n; p++) {
            now[r][p] = rate[r][p];
            sum[r][p] = scheme == KINETICS_RK4 ? rate[r][p] / 6.0 : rate[r][p] / stages;
        }
    for (int stage = 1; stage < stages; stage++) {
        if (patankar) weigh(plan, points, dt, c, c, now);
        copy_states(plan, points, c, next);
        add_changes(plan, points, CHANGED, scheme == KINETICS_RK4 ? half_way[stage] * dt : dt, now, next);
        if (patankar) keep_positive(plan, points, c, next);
        find_rates(plan, points, next, now);
        for (int r = 0; r < plan->n_processes; r++)
            for (int p = 0; p < n; p++)
                sum[r][p] +=
                    scheme == KINETICS_RK4 ? now[r][p] / (stage < 3 ? 3.0 : 6.0) : now[r][p] / stages;
    }
    if (patankar) {
        if (stages == 1)
            weigh(plan, points, dt, c, c, sum);
        else
            weigh(plan, points, dt, c, next, sum);
    }
    copy_states(plan, points, c, next);
    add_changes(plan, points, CHANGED, dt, sum, next);
    if (patankar) keep_positive(plan, points, c, next);
    copy_states(plan, points, next, c);
    for (int r = 0; r < plan->n_processes; r++)
        for (int p = 0; p < n; p++) rate[r][p] = sum[r][p];
}

/* How many substeps the losses ask for. */
POINTWISE int count_substeps(const KineticsPlan *plan, const KineticsPoints *points, KineticsOptions options,
                             double dt, KineticsStates c, KineticsRates rate) {
    KineticsStates loss;
    double most = 0.0;
    if (options.most_substeps <= 1) return 1;
    clear_states(plan, points, loss);
    add_changes(plan, points, TAKEN, dt, rate, loss);
    for (int v = 0; v < 2 * plan->n_variables; v++) {
        const int count = points_of_state(plan, points, v);
        for (int p = 0; p < count; p++) most = max_of(most, loss[v][p] / max_of(c[v][p], 1e-30));
    }
    const double wanted = ceil(most / SUBSTEP_LOSS);
    return wanted < options.most_substeps ? (wanted > 1 ? (int)wanted : 1) : options.most_substeps;
}

/* Changes c over dt, and adds to amount[process][point] the amounts of the processes: rate times time
 * [units; units m at surface and bed]. Returns the substeps taken. */
POINTWISE int kinetics_integrate(const KineticsPlan *plan, const KineticsPoints *points,
                                 KineticsOptions options, double dt, KineticsStates c, KineticsRates amount) {
    KineticsRates rate;
    find_rates(plan, points, c, rate);
    const int substeps = count_substeps(plan, points, options, dt, c, rate);
    const double part = dt / substeps;
    for (int m = 0; m < substeps; m++) {
        if (m > 0) find_rates(plan, points, c, rate);
        substep(plan, points, options.scheme, part, c, rate);
        for (int r = 0; r < plan->n_processes; r++)
            for (int p = 0; p < points->environment.n; p++) amount[r][p] += part * rate[r][p];
    }
    return substeps;
}

#ifdef __cplusplus
}
#endif
#endif
