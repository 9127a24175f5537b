/* SPDX-License-Identifier: Apache-2.0
 *
 * A kinetics module to start from: something dissolved, S, is taken up by particles, Q, which sink, and both
 * decay. README.md goes through it.
 *
 *     dS/dt = -U - d S,   dQ/dt = U - d Q,   U = u S/(K + S)
 */
#include <stddef.h>

#include <maeotis_kinetics.h>

/* 1. Numbers for variables, parameters and processes, in the order of the tables. */
enum { S, Q };
enum { DECAY, UPTAKE, HALF, SINKING };
enum { DECAY_OF_S, DECAY_OF_Q, TAKE_UP };

#define DAY 86400.0

/* 2. What there is: name, units, words, CF name (or NULL), initial value, range; then what it does and holds. */
static const MaeotisVariable variables[] = {
    [S] = {"solute", "mmol m-3", "something dissolved", NULL, 1, 0, 100, .element = {1}},
    [Q] = {"particles", "mmol m-3", "the same on particles", NULL, 0, 0, 100, .element = {1},
           .sinking = {1 / DAY, "sinking_m_d"}},
};

/* 3. What a scenario may change: name, units, words, default, range, source (NULL: an assumption). */
static const MaeotisParameter parameters[] = {
    [DECAY] = {"decay_1_d", "d-1", "rate of decay", 0.1, 0, 100, NULL},
    [UPTAKE] = {"uptake_mmol_m3_d", "mmol m-3 d-1", "largest rate of uptake", 1, 0, 1000, NULL},
    [HALF] = {"half_saturation_mmol_m3", "mmol m-3", "solute at half of it", 0.5, 1e-6, 1000, NULL},
    [SINKING] = {"sinking_m_d", "m d-1", "speed of particles", 1, 0, 1000, NULL},
};

/* 4. What happens: what a process takes (-) and gives (+) per unit of its rate. A decay takes nitrogen out of the
 * account, so it has to be declared open. */
static const MaeotisProcess processes[] = {
    [DECAY_OF_S] = {"decay_of_solute", "", MAEOTIS_WATER, {{"solute", -1}}, .open = MAEOTIS_OPEN_N},
    [DECAY_OF_Q] = {"decay_of_particles", "", MAEOTIS_WATER, {{"particles", -1}}, .open = MAEOTIS_OPEN_N},
    [TAKE_UP] = {"uptake", "", MAEOTIS_WATER, {{"solute", -1}, {"particles", 1}}},
};

/* 5. What files can hold besides: sums of variables, each times a number. */
static const MaeotisDiagnostic diagnostics[] = {
    {"total", "mmol m-3", "solute and particles", NULL, {{"solute", 1}, {"particles", 1}}},
};

/* 6. How fast: the rates at n points [mmol m-3 s-1]. */
static void water(const MaeotisEnvironment *e, const double *a, const double *const *c, double *const *rate) {
    for (int p = 0; p < e->n; p++) {
        rate[DECAY_OF_S][p] = a[DECAY] / DAY * c[S][p];
        rate[DECAY_OF_Q][p] = a[DECAY] / DAY * c[Q][p];
        rate[TAKE_UP][p] = a[UPTAKE] / DAY * c[S][p] / (a[HALF] + c[S][p]);
    }
}

static const MaeotisKinetics module = {
    .abi = MAEOTIS_KINETICS_ABI,
    .name = "mine",
    .what = "decay and uptake",
    .n_variables = sizeof variables / sizeof *variables,
    .n_parameters = sizeof parameters / sizeof *parameters,
    .n_processes = sizeof processes / sizeof *processes,
    .variables = variables,
    .parameters = parameters,
    .processes = processes,
    .water = water,
    .n_diagnostics = sizeof diagnostics / sizeof *diagnostics,
    .diagnostics = diagnostics,
};

const MaeotisKinetics *maeotis_kinetics(void) {
    return &module;
}
