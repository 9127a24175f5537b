/* SPDX-License-Identifier: Apache-2.0 */
#include "kinetics/box.h"

/* What the box is to its one point. */
typedef struct Surroundings {
    double light, depth, thickness, per_thickness;
} Surroundings;

static KineticsPoints point_of(const KineticsBox *box, const double *states, Surroundings *s) {
    double k = box->attenuation;
    for (int v = 0; v < box->plan->n_variables; v++) k += box->plan->attenuation[v] * max_of(0.0, states[v]);
    *s = (Surroundings){box->surface_light * mean_light(k, box->depth), 0.5 * box->depth, box->depth,
                        1.0 / box->depth};
    return (KineticsPoints){.environment = {.n = 1,
                                            .temperature = &box->temperature,
                                            .salinity = &box->salinity,
                                            .density = &box->density,
                                            .light = &s->light,
                                            .depth = &s->depth,
                                            .thickness = &s->thickness,
                                            .surface_light = box->surface_light,
                                            .wind = box->wind,
                                            .bed_stress = box->bed_stress,
                                            .water_depth = box->depth,
                                            .time = box->time,
                                            .input = box->input},
                            .beds = 1,
                            .at_surface = true,
                            .bed_part = &s->per_thickness,
                            .surface_part = &s->per_thickness};
}

static void sink(const KineticsBox *box, double dt, double *states) {
    for (int v = 0; v < box->plan->n_variables; v++) {
        if (!box->plan->has_bed[v]) continue;
        const double part = dt * box->plan->sinking[v] / box->depth, left = states[v] / (1 + part);
        states[box->plan->n_variables + v] += part * left * box->depth;
        states[v] = left;
    }
}

int kinetics_box_step(const KineticsBox *box, double dt, double *states, double *amounts) {
    const KineticsPlan *plan = box->plan;
    Surroundings s;
    KineticsPoints point = point_of(box, states, &s);
    KineticsStates c;
    KineticsRates amount;
    for (int v = 0; v < 2 * plan->n_variables; v++) c[v][0] = states[v];
    for (int r = 0; r < plan->n_processes; r++) amount[r][0] = 0;
    const int substeps = kinetics_integrate(plan, &point, box->options, dt, c, amount);
    for (int v = 0; v < 2 * plan->n_variables; v++) states[v] = c[v][0];
    for (int r = 0; r < plan->n_processes; r++)
        amounts[r] += amount[r][0] * (plan->process[r].place == MAEOTIS_WATER ? box->depth : 1);
    sink(box, dt, states);
    return substeps;
}

void kinetics_box_rates(const KineticsBox *box, const double *states, double *rates) {
    const KineticsPlan *plan = box->plan;
    Surroundings s;
    KineticsPoints point = point_of(box, states, &s);
    KineticsStates c;
    KineticsRates rate;
    for (int v = 0; v < 2 * plan->n_variables; v++) c[v][0] = states[v];
    find_rates(plan, &point, c, rate);
    for (int r = 0; r < plan->n_processes; r++) rates[r] = rate[r][0];
}

double kinetics_box_element(const KineticsBox *box, const MaeotisKinetics *module, const double *states,
                            int element) {
    double sum = 0;
    for (int v = 0; v < module->n_variables; v++)
        sum += module->variables[v].element[element] *
               (states[v] * box->depth + states[module->n_variables + v]);
    return sum;
}
